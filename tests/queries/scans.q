/ Scans, shifts and windows: over all rows, over those that pass, and within groups.
q)T:.gpu.to ([]sym:`b`a`b``a`b`a;p:10 20 30 40 50 60 5f;n:1 2 0N 4 0N 6 7;e:1100101b;h:3 1 2 2 1 3 0Nh)
q)select s:sums n,d:deltas n,m:maxs p,l:mins p,a:avgs p,f:fills n,x:prds n from T
s  d m  l  a        f x
-------------------------
1  1 10 10 10       1 1
3  1 20 10 15       2 2
3    30 10 20       2 2
7    40 10 25       4 8
7    50 10 30       4 8
13   60 10 35       6 48
20 1 60 5  30.71429 7 336
q)select x:prev sym,y:next p,z:2 xprev p,w:-2 xprev sym,v:0 xprev n from T where e
x y  z  w v
-----------
  20    a 1
b 50    a 2
a 5  10
a    20   7
q)update s:sums n,d:deltas p by sym from T
sym p  n e h s d
------------------
b   10 1 1 3 1 10
a   20 2 1 1 2 20
b   30   0 2 1 20
    40 4 0 2 4 40
a   50   1 1 2 30
b   60 6 0 3 7 30
a   5  7 1   9 -45
q)update s:sums n,d:deltas p by sym from T where p>5
sym p  n e h s d
-----------------
b   10 1 1 3 1 10
a   20 2 1 1 2 20
b   30   0 2 1 20
    40 4 0 2 4 40
a   50   1 1 2 30
b   60 6 0 3 7 30
a   5  7 1
q)update m:2 mavg p,d:3 mdev p,c:2 mcount n,mn:2 mmin p,mx:2 mmax n,s:2 msum n,z:0 mmin p by e from T
sym p  n e h m    d        c mn mx  s  z
-----------------------------------------
b   10 1 1 3 10   0        1 10 1   1  10
a   20 2 1 1 15   5        2 10 2   3  20
b   30   0 2 30   0        0 30 -0W 0  30
    40 4 0 2 35   5        1 30 4   4  40
a   50   1 1 35   16.99673 1 20 2   2  50
b   60 6 0 3 50   12.47219 2 40 6   10 60
a   5  7 1   27.5 18.70829 1 5  7   7  5
q)select differ sym,mx:max sums p,2 msum n by e from T where p>5
e| sym  mx  n
-| ---------------
0| 111b 130 0 4 10
1| 110b 80  1 3 2
q)select ratios p,(<)prior p,r:(sums differ@;h)fby sym from T
p          p1 r
---------------
10         0  1
2          0  1
1.5        0  2
1.333333   0  1
1.25       0  1
1.2        0  3
0.08333333 1  2
q)select first p by sym,g:sums differ h from T
sym g| p
-----| --
    3| 40
a   2| 20
a   4| 50
a   6| 5
b   1| 10
b   3| 30
b   5| 60
q)select (deltas p)%prev p,0.5 ema p from T
p          p1
-------------------
           10
1          15
0.5        22.5
0.3333333  31.25
0.25       40.625
0.2        50.3125
-0.9166667 27.65625
q)select {x-prev x}p by sym from T
sym| p
---| ---------
   | ,0n
a  | 0n 30 -45
b  | 0n 20 30
q)select +/[p],(+/)n by sym from T
sym| p   n
---| -----
   | 40  4
a  | 75  9
b  | 100 7
q)select max deltas p by sym from T where e
sym| p
---| --
a  | 30
b  | 10
/ A chain of scans within the same groups, and scans of nothing.
q)select sums sums deltas p by sym from T
sym| p
---| ---------
   | ,40
a  | 20 70 75
b  | 10 40 100
q)update s:sums p,d:deltas p,m:2 mavg p by sym from select from T where p>1000
sym p n e h s d m
-----------------
q)select p,(+)prior p,(*)prior n,(&)prior n,(|)prior p from T
p  p1  n  n1 p2
---------------
10 10  1  1  10
20 30  2  1  20
30 50        30
40 70        40
50 90        50
60 110       60
5  65  42 6  60
q)select (+)prior p,(div)prior n,k:(&)prior e,(^)prior h by sym from T
sym| p        n        k    h
---| ----------------------------
   | ,40      ,0N      ,0b  ,2
a  | 20 70 55 0N 0N 0N 111b 1 1 1
b  | 10 40 90 0N 0N 0N 100b 3 3 2
q)select (mod)prior n,(|)prior n from T where p>15
n n1
----
  2
  2
  4
  4
  6
q)select a:4 in n,b:`a in sym,c:0N in n from T
a b c
-----
1 1 1
q)select a:4 in n,b:20f in p by sym from T
sym| a b
---| ---
   | 1 0
a  | 0 1
b  | 0 0
q)select from T where 4 in n,p>30
sym p  n e h
------------
    40 4 0 2
a   50   1 1
b   60 6 0 3
q)select a:4 in 2 sublist n by sym from T
sym| a
---| -
   | 1
a  | 0
b  | 0
q)U:.gpu.to ([]s:`b`a`b``a`b`a;p:10 20 30 40 50 -60 5f;n:1 2 0N 4 3 6 7)
q)update a:p>prev p,b:deltas n by s from U
s p   n a b
-----------
b 10  1 1 1
a 20  2 1 2
b 30    1
  40  4 1 4
a 50  3 1 1
b -60 6 0
a 5   7 0 4
q)update b:(next p)-p by s from U
s p   n b
-----------
b 10  1 20
a 20  2 30
b 30    -90
  40  4
a 50  3 -45
b -60 6
a 5   7
q)update c:(prev n)-n by s from U where p<50
s p   n c
----------
b 10  1
a 20  2
b 30
  40  4
a 50  3
b -60 6
a 5   7 -5
q)update d:p-2 xprev p by s from U
s p   n d
-----------
b 10  1
a 20  2
b 30
  40  4
a 50  3
b -60 6 -70
a 5   7 -15
