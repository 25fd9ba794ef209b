/ Running sums, products, extremes, fills and shifts: over all rows, over those that pass, and within groups.
q)T:.gpu.to ([]sym:`b`a`b``a`b`a;p:10 20 30 40 50 60 5f;n:1 2 0N 4 0N 6 7;i:2147483647 1 0N 3 0N 5 6i;e:1100101b;h:3 1 2 2 1 3 0Nh;c:"a b  c ";r:1 0n 2.5 -0.0 0 0n 3)
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
q)select s:sums i,x:prds i,m:maxs h,l:mins h,b:mins e,w:maxs e,f:fills sym,g:fills c from T
s           x          m l b w f g
----------------------------------
0W          0W         3 3 1 1 b a
            0W         3 1 1 1 a a
            0W         3 1 0 1 b b
-2147483645 2147483645 3 1 0 1 b b
-2147483645 2147483645 3 1 0 1 a b
-2147483640 2147483633 3 1 0 1 b c
-2147483634 -90        3 1 0 1 a c
q)select s:sums r,m:maxs r,l:mins r,f:fills r,v:fills e from T
s   m   l  f   v
----------------
1   1   1  1   1
1   1   1  1   1
3.5 2.5 1  2.5 0
3.5 2.5 -0 -0  0
3.5 2.5 -0 0   1
3.5 2.5 -0 0   0
6.5 3   -0 3   1
q)select s:sums n,m:maxs p,f:fills sym,d:differ h from T where p>10
s  m  f d
---------
2  20 a 1
2  30 b 1
6  40 b 0
6  50 a 1
12 60 b 1
q)select x:prev sym,y:next p,z:2 xprev p,w:-2 xprev sym,v:0 xprev n from T
x y  z  w v
-----------
  20    b 1
b 30      2
a 40 10 a
b 50 20 b 4
  60 30 a
a 5  40   6
b    50   7
q)update s:sums n,d:deltas p by sym from T
sym p  n i  e h c r   s d
---------------------------
b   10 1 0W 1 3 a 1   1 10
a   20 2 1  1 1       2 20
b   30      0 2 b 2.5 1 20
    40 4 3  0 2   -0  4 40
a   50      1 1   0   2 30
b   60 6 5  0 3 c     7 30
a   5  7 6  1     3   9 -45
q)update f:fills n,m:maxs p,x:prev h,y:next c by sym from T where p<100
sym p  n i  e h c r   f m  x y
------------------------------
b   10 1 0W 1 3 a 1   1 10   b
a   20 2 1  1 1       2 20
b   30      0 2 b 2.5 1 30 3 c
    40 4 3  0 2   -0  4 40
a   50      1 1   0   2 50 1
b   60 6 5  0 3 c     6 60 2
a   5  7 6  1     3   7 50 1
q)update m:maxs p by sym,e from T
sym p  n i  e h c r   m
------------------------
b   10 1 0W 1 3 a 1   10
a   20 2 1  1 1       20
b   30      0 2 b 2.5 30
    40 4 3  0 2   -0  40
a   50      1 1   0   50
b   60 6 5  0 3 c     60
a   5  7 6  1     3   50
q)select d:differ sym,e:differ r,g:differ c from T
d e g
-----
1 1 1
1 1 1
1 1 1
1 1 1
1 0 0
1 1 1
1 1 1
q)select s:sums p from T where p>1e9
s
-
q)select s:sums sums n from T
s
--
1
4
7
14
21
34
54
