/ Recurrences: each result of a list by a function of the one before it and the items of a row.
q)T:.gpu.to ([]k:`p`q`p`r`q`p`p`q;j:3 1 4 1 5 9 0N 6;f:2.5 0n 1.5 -0.5 3 0w 0.25 1.5;e:1 0.5 2.5 -1.5 2.5 0.1 0 1e;i:0N 4 4 1 2 -7 2 4i;b:10010101b)
q)select r:{x+2*y}\[0;j],s:{y+0.5*x}\[f],u:{x+y*z}\[1f;f;j] from T
r  s   u
----------
6  2.5 8.5
8
16
18
28
46
q)select r:{x+2*y}\[0;j],s:{(0.9*x)+0.1*y}\[1f;i],u:{x|y-1}\[0;j] by k from T
k| r          s              u
-| ---------------------------------
p| 6 14 32 0N 0n 0n 0n 0n    2 3 8 8
q| 2 12 24    1.3 1.37 1.633 0 4 5
r| ,2         ,1             ,0
q)exec {$[x>5;0;x+y]}\[0;j] from T where b
3 4 13 0
q)update r:{$[null y;x;y]}\[0N;j],s:-1 xprev{x<>y}\[0b;b] by k from T where j<>4
k j f    e    i  b r s
----------------------
p 3 2.5  1       1 3 0
q 1      0.5  4  0 1 0
p 4 1.5  2.5  4  0   0
r 1 -0.5 -1.5 1  1 1 0
q 5 3    2.5  2  0 5 1
p 9 0w   0.1  -7 1 9 0
p   0.25 0    2  0 9 0
q 6 1.5  1    4  1 6 0
/ The next of a real is rounded at each step, and a quotient of atoms is no product with a reciprocal.
q)select r:0 +\ e,s:1 *\ e,u:1f %\ f,v:(-\)j,w:(%\)f from T
r   s        u   v   w
------------------------
1   1        0.4 3   2.5
1.5 0.5          2
4   1.25         -2
2.5 -1.875       -3
5   -4.6875      -8
5.1 -0.46875     -17
5.1 -0
6.1 -0
q)select r:0e +\ e,v:(-\)i by k from T where not null i
k| r           v
-| ------------------
p| 2.5 2.6 2.6 4 11 9
q| 0.5 3 4     4 2 -2
r| ,-1.5       ,1
/ Their last results; of no items the seed.
q)select r:{x+y*z}/[0f;i;j],s:{x-2*y}/[0;j where j>3],u:(-/)j by k from T
k| r  s   u
-| ----------
p|    -26
q| 38 -22 -10
r| 1  0   1
q)exec {x+3*y}/[7;j] from T where j>100
7
/ What the function reads besides is known before the first row.
q)c:3
q)select r:{x+c*y}\[0;j],s:{floor x+y%3}\[0;j],u:{[a;b]d:a+b;d mod 7}\[0;j] by k from T
k| r          s        u
-| ----------------------------
p| 9 21 48 0N 1 2 5 0N 3 0 2 0N
q| 3 18 36    0 1 3    1 6 5
r| ,3         ,0       ,1
