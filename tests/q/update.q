/ update.
q)t:([]s:`a`b`a`b;p:4 3 2 1f;n:10 20 30 40)
q)update n:2*n from t
s p n
------
a 4 20
b 3 40
a 2 60
b 1 80
q)update q:p*n from t
s p n  q
---------
a 4 10 40
b 3 20 60
a 2 30 60
b 1 40 40
q)update k:1b from t
s p n  k
--------
a 4 10 1
b 3 20 1
a 2 30 1
b 1 40 1
/ Phrases see the table as it was.
q)update p:n,n:p from t
s p  n
------
a 10 4
b 20 3
a 30 2
b 40 1
/ A where leaves other rows alone; a new column is null there.
q)update n:0 from t where s=`a
s p n
------
a 4 0
b 3 20
a 2 0
b 1 40
q)update q:n from t where s=`a
s p n  q
---------
a 4 10 10
b 3 20
a 2 30 30
b 1 40
q)update b:1b,c:`x,d:"z" from t where n=20
s p n  b c d
------------
a 4 10 0
b 3 20 1 x z
a 2 30 0
b 1 40 0
q)meta update q:n,r:p from t where n>100
c| t f a
-| -----
s| s
p| f
n| j
q| j
r| f
/ An existing column keeps its type where only some rows change.
q)update n:1.5 from t where s=`a
'type
q)update n:5i from t where s=`a
s p n
------
a 4 5
b 3 20
a 2 5
b 1 40
q)update n:1.5 from t
s p n
-------
a 4 1.5
b 3 1.5
a 2 1.5
b 1 1.5
q)update n:1 2 from t
'length
/ by: an aggregate goes to every row of its group, a list to the rows it came from.
q)update m:max n by s from t
s p n  m
---------
a 4 10 30
b 3 20 40
a 2 30 30
b 1 40 40
q)update r:sums n by s from t
s p n  r
---------
a 4 10 10
b 3 20 20
a 2 30 40
b 1 40 60
q)update d:deltas n,v:prev n by s from t
s p n  d  v
------------
a 4 10 10
b 3 20 20
a 2 30 20 10
b 1 40 20 20
q)update m:sum n by s from t where n>10
s p n  m
---------
a 4 10
b 3 20 60
a 2 30 30
b 1 40 60
q)update m:sum n by s from 0#t
s p n m
-------
/ By name: in place, and the name comes back.
q)update n:0 from`t where n=10
`t
q)exec n from t
0 20 30 40
/ Keyed tables stay keyed.
q)k:([id:`x`y]v:1 2)
q)update v:10*v,w:`new from k where id=`y
id| v  w
--| ------
x | 1
y | 20 new
q)update v:1 by v from`a`b!1 2
'type
/ Functional form.
q)![t;enlist(=;`s;enlist`b);0b;(enlist`n)!enlist(neg;`n)]
s p n
-------
a 4 0
b 3 -20
a 2 30
b 1 -40
/ Integers of another width fit or become infinite.
q)update a:3000000000 -3000000000 0N from([]a:1 2 3i)where a>0
a
---
0W
-0W

q)meta update a:7 from([]a:1 2i)where a=2
c| t f a
-| -----
a| i
/ An enumeration takes symbols of its domain only.
q)sym:`x`y`z
q)e:([]e:`sym$`z`x`z`y;v:1 2 3 4)
q)update e:`y from e where v=1
e v
---
y 1
x 2
z 3
y 4
q)update e:`nope from e where v=1
'cast
q)select sum v by e from e
e| v
-| -
x| 2
y| 4
z| 4
q)e lj([e:`x`z]w:10 20)
e v w
------
z 1 20
x 2 10
z 3 20
y 4
q)update c:v from e where e in`x`y
e v c
-----
z 1
x 2 2
z 3
y 4 4
/ A nested column: items are replaced whole, a new one is empty elsewhere.
q)l:([]k:1 2 3;v:(1 2;3 4 5;enlist 6))
q)update v:enlist 9 9 from l where k=2
k v
-----
1 1 2
2 9 9
3 ,6
q)update w:v from l where k>1
k v     w
----------------
1 1 2   `long$()
2 3 4 5 3 4 5
3 ,6    ,6
q)update s:sum each v from l
k v     s
----------
1 1 2   3
2 3 4 5 12
3 ,6    6
