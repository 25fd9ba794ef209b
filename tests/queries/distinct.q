/ Distinct rows in the order of rows, exec by a key, functions with locals, fby within clauses.
q)T:.gpu.to ([]s:`b`a`b`c`a`b;p:2 1 2 0n 1 -0.0;n:3 0N 3 1 0N 2)
q)select distinct s from T
s
-
b
a
c
q)select distinct s,n from T where not s=`c
s n
---
b 3
a
b 2
q)select distinct p from T
p
--
2
1

-0
q)select distinct from T
s p  n
------
b 2  3
a 1
c    1
b -0 2
q)select distinct m:max p,k:5 from T
m k
---
2 5
q)select distinct s from T where n>100
s
-
q)exec sum n by s from T
a| 0
b| 8
c| 1
q)exec max p by n>1 from T where not null n
0| -0w
1| 2
q)select {[x]y:2*x;y:y+x;y*y}[n] from T
n
--
81

81
9

36
q)select r:{[a;b](a+b)%2}[p;n] from T
r
---
2.5

2.5


1
q)select from T where p=(max;p) fby s
s p n
-----
b 2 3
a 1
b 2 3
a 1
q)select from T where s in `a`b,n=(min;n) fby s
s p  n
------
b -0 2
q)select from T where n>(avg;n) fby ([]s;p>1)
s p n
-----
q)?[T;();1b;`s`s!`s`s]
'dup names for cols/groups s
  [0]  ?[T;();1b;`s`s!`s`s]
       ^
