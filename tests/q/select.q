/ select without by.
q)t:([]s:`a`b`a`b;p:4 3 2 1f;n:10 20 30 40)
q)select from t
s p n
------
a 4 10
b 3 20
a 2 30
b 1 40
q)select p,s from t
p s
---
4 a
3 b
2 a
1 b
q)select x:p*n,s from t
x  s
----
40 a
60 b
60 a
40 b
/ All aggregates give one row, an aggregate beside a column extends.
q)select sum p,max n from t
p  n
-----
10 40
q)select s,sum n from t
s n
-----
a 100
b 100
a 100
b 100
q)select a:1,b:`k from t
a b
---
1 k
q)select p:p 0 1 2,s from t
'length
q)select from t where p>1,s=`a
s p n
------
a 4 10
a 2 30
/ Each clause sees only the rows that the clauses before it left.
q)select from t where s=`b,p=max p
s p n
------
b 3 20
q)select from t where p=max p,s=`b
s p n
-----
q)select from t where (p=max p)&s=`b
s p n
-----
q)select from t where 1b
s p n
------
a 4 10
b 3 20
a 2 30
b 1 40
q)select from t where 0b
s p n
-----
q)select from t where n in 10 40
s p n
------
a 4 10
b 1 40
q)select from t where p within 2 3
s p n
------
b 3 20
a 2 30
q)select from t where s like"a*"
s p n
------
a 4 10
a 2 30
q)select from t where 01b
'length
q)select from t where s
'type
/ No rows: aggregates still give one.
q)select sum n,max n,count i,first s from t where n>100
n n1  x s
---------
0 -0W 0
q)select from t where n>100
s p n
-----
/ Nulls are below everything, so < keeps them and > does not; they equal each other.
q)u:([]v:0N 1 2;f:0n 1 0n)
q)select from u where v<2
v f
---
 
1 1
q)select from u where v>0
v f
---
1 1
2
q)select from u where f=0n
v f
---

2
q)select from u where f<>0n
v f
---
1 1
/ = is tolerant, grouping is not.
q)w:([]x:1 1f+0 1e-14;y:1 2)
q)select from w where x=1
x y
---
1 1
1 2
q)count select by x from w
2
/ A column hides a local of its name, a local hides a global.
q)p:100
q)f:{[n] exec sum p+n from t}
q)f 1
110f
q)g:{[k] exec sum p+k from t}
q)g 1
14f
q)h:{p:5;select m:q+p from([]q:1 2)}
q)h[]
m
-
6
7
/ The virtual column i counts rows of the whole table.
q)select i,n from t where s=`b
x n
----
1 20
3 40
q)select from t where i>1
s p n
------
a 2 30
b 1 40
/ Vector conditional works on columns; all arms are evaluated.
q)select r:?[p>2;n;neg n]from t
r
---
10
20
-30
-40
/ distinct rows in order of first occurrence.
q)select distinct s from t
s
-
a
b
/ A keyed table stays keyed when all columns are taken.
q)k:([id:`x`y`z]v:1 2 3)
q)select from k where v>1
id| v
--| -
y | 2
z | 3
q)select v from k where v>1
v
-
2
3
q)select id,v from k where id=`y
id v
----
y  2
/ Nested queries and names.
q)select from t where n=max exec n from t where s=`a
s p n
------
a 2 30
q)select from`t where n=40
s p n
------
b 1 40
q)select from nosuch
'nosuch
q)select zz from t
'zz
q)select from 5
'type
/ Dotted parts of times.
q)d:([]tm:2024.01.02D03:04:05 2024.05.06D07:08:09)
q)select tm.date,tm.minute,tm.hh from d
date       minute hh
--------------------
2024.01.02 03:04  3
2024.05.06 07:08  7
/ Functional form.
q)?[t;enlist(>;`p;2);0b;`s`q!(`s;(*;2;`n))]
s q
----
a 20
b 40
q)?[t;();0b;()]~select from t
1b
q)?[t;0 1;(sum;`n)]
30
