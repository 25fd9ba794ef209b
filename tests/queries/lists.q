/ Lists: nested results, sorts, parts of groups, medians, distinct items.
q)T:.gpu.to ([]sym:`b`a`b``a`b`a;p:10 20 30 40 50 60 5f;n:1 2 0N 4 0N 6 7;e:1100101b;h:3 1 2 2 1 3 0Nh)
q)select p by sym from T
sym| p
---| --------
   | ,40
a  | 20 50 5
b  | 10 30 60
q)select p,n*2 by sym from T where e
sym| p       n
---| ---------------
a  | 20 50 5 4 0N 14
b  | ,10     ,2
q)exec p by sym from T
 | ,40f
a| 20 50 5f
b| 10 30 60f
q)exec distinct sym from T
`b`a`
q)select count distinct sym,sum distinct h by e from T
e| sym h
-| -----
0| 2   5
1| 2   4
q)select med p,med n,med e from T
p  n e
------
30 2 1
q)select med p,x:1+med n by sym from T
sym| p  x
---| ----
   | 40 5
a  | 20 3
b  | 30 2
q)select from T where p=(max;p)fby sym,n>(med;n)fby e
sym p  n e h
------------
b   60 6 0 3
q)select 2 sublist desc p,-1 sublist p,(1 1)sublist p by sym from T
sym| p     p1  p2
---| -------------------
   | ,40   ,40 `float$()
a  | 50 20 ,5  ,50
b  | 60 30 ,60 ,30
q)select 2 sublist desc p by sym from T
sym| p
---| -----
   | ,40
a  | 50 20
b  | 60 30
q)select 2 sublist iasc h by sym from T
sym| h
---| ---
   | ,0
a  | 2 0
b  | 1 0
q)select 5 sublist desc h by e from T
e| h
-| --------
0| 3 2 2
1| 3 1 1 0N
q)select (1 2)sublist desc h by e from T where n<>4
e| h
-| ---
0| ,2
1| 1 1
q)select -2 sublist desc p by e from T
e| p
-| -----
0| 40 30
1| 10 5
q)select 0 sublist desc p by sym from T
sym| p
---| ---------
   | `float$()
a  | `float$()
b  | `float$()
q)select 20 sublist desc h by e from T
e| h
-| --------
0| 3 2 2
1| 3 1 1 0N
q)select r:2 sublist idesc h by e from T
e| r
-| ---
0| 2 0
1| 0 1
q)ungroup .gpu.from select 2 sublist desc p by sym from T
sym p
------
    40
a   50
a   20
b   60
b   30
q)select iasc p,desc sym,idesc h,rank p by e from T
e| p       sym      h       p1
-| --------------------------------
0| 0 1 2   `b`b`    2 0 1   0 1 2
1| 3 0 1 2 `b`a`a`a 0 1 2 3 1 2 3 0
q)select asc p,desc n,rank sym,3 xrank p,reverse p from T
p  n sym p1 p2
--------------
5  7 4   0  5
10 6 1   0  60
20 4 5   1  50
30 2 0   1  40
40 1 2   2  30
50   6   2  20
60   3   0  10
q)select p where(<)prior p by sym from T
sym| p
---| ---------
   | `float$()
a  | ,5
b  | `float$()
q)select sym[iasc p],p idesc n by e from T
e| p        n
-| -------------------
0| `b``b    60 40 30
1| `a`b`a`a 5 20 10 50
q)select max p where n>1,count where e by sym from T
sym| n  e
---| ----
   | 40 0
a  | 20 3
b  | 60 1
/ No groups and no rows.
q)select p,med p,asc n by sym from T where p>1000
sym| p p1 n
---| ------
q)select med p from T where p>1000
p
-
