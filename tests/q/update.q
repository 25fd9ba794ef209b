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
