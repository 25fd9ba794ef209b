/ Corners of qSQL: nulls, zeros, neighbours, overflow, no rows, one row, many groups.
q)t:([]k:`b``a`b`;j:0N 1 2 0N 3;m:1 0N 3 4 5i;e:1.5 0n 2 3 4e;f:0n 0n 1 -0w 0w)
q)select count i by k from t
k| x
-| -
 | 2
a| 1
b| 2
q)select sum j,sum m,sum e by k from t
k| j m e
-| -------
 | 4 5 4
a| 2 3 2
b| 0 5 4.5
q)select min j,max j,min m,max m by k from t
k| j  j1  m m1
-| -----------
 | 1  3   5 5
a| 2  2   3 3
b| 0W -0W 1 4
q)select avg f,first f,last f,med f by k from t
k| f   f1 f2  f3
-| --------------
 | 0w     0w  0w
a| 1   1  1   1
b| -0w    -0w -0w
q)select dev j,var m by k from t
k| j m
-| ------
 | 1 0
a| 0 0
b|   2.25
/ Sums of ints stay ints and overflow to null; longs wrap.
q)meta select sum m,sum j,sum e,c:count i,avg m from t
c | t f a
--| -----
m | i
j | j
e | e
c | j
m1| f
q)exec sum x from([]x:2147483647 1i)
0Ni
q)exec sum x from([]x:0W 1)
0N
/ One row, no rows.
q)select sum j,avg f by k from 1#t
k| j f
-| ---
b| 0
q)select sum j,avg f by k from 0#t
k| j f
-| ---
q)meta select sum j,avg f,n:count i,j by k from 0#t
c | t f a
--| -----
k | s   s
j | j
f | f
n | j
j1|
q)select sum j,min f,max f,first k from 0#t
j f  f1  k
----------
0 0w -0w
/ Two floats a bit apart are equal to = and two groups to by.
q)x:([]p:96.100000000000009 96.099999999999994;n:1 2)
q)count select from x where p=96.1
2
q)exec n by p from x
96.1| 2
96.1| 1
/ -0.0 and 0.0 are one group, as are all NaNs.
q)count select by p from([]p:0 -0 0n,0%0;v:til 4)
2
/ A timestamp against a minute is cut to minutes, a timespan is not.
q)d:([]p:2024.01.01D09:29:15 2024.01.01D09:30:00;n:0D09:29:15 0D09:30)
q)select n from d where p>09:29
n
--------------------
0D09:30:00.000000000
q)select n from d where n>09:29
n
--------------------
0D09:29:15.000000000
0D09:30:00.000000000
/ Buckets of negative numbers go down.
q)select n by 5 xbar v from([]v:-6 -5 -1 0 4 5;n:til 6)
v  | n
---| ---
-10| ,0
-5 | 1 2
0  | 3 4
5  | ,5
/ by over two unsorted keys with nulls.
q)select sum n by a,b from([]a:2 0N 2 1;b:`x`y``z;n:1 2 3 4)
a b| n
---| -
  y| 2
1 z| 4
2  | 3
2 x| 1
/ Conditionals belong in functions.
q)select $[j>1;1;2]from t
'rank
q)select v:{$[x>1;1;2]}each j from t
v
-
2
2
1
2
1
/ select[n;>c] by a column that is not selected, and of groups by a result.
q)select[2;>j]k from t
k
-

a
q)select[2;>x]count i by k from t
k| x
-| -
 | 2
b| 2
q)select[>n]n:last j by k from([]k:`c`a`b;j:1 3 2)
k| n
-| -
a| 3
b| 2
c| 1
/ A million groups.
q)g:([]k:reverse til 1000000;v:1)
q)r:select sum v by k from g
q)count r
1000000
q)3#0!r
k v
---
0 1
1 1
2 1
q)(exec sum v from r)=count g
1b
