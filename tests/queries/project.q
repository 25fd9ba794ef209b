/ Projections: arithmetic, casts, math, conditions, constants and the row number.
q)T:.gpu.to ([]a:1 2 3 0N 5;b:1.5 -2 0n 4 -0.25;c:10 20 30 40 50i;d:2024.01.01+til 5;s:`x`y``x`z)
q)select a+c,a*b,c%4 from T
a  a1    c
-------------
11 1.5   2.5
22 -4    5
33       7.5
         10
55 -1.25 12.5
q)select r:b-a,n:neg a,abs b from T
r     n  b
-------------
0.5   -1 1.5
-4    -2 2
      -3
         4
-5.25 -5 0.25
q)select a div 2,a mod 3,2 xbar c from T
x x1 c
-------
0 1  10
1 2  20
1 0  30
     40
2 2  50
q)select f:floor b,g:ceiling b,h:sqrt c from T
f  g  h
--------------
1  2  3.162278
-2 -2 4.472136
      5.477226
4  4  6.324555
-1 0  7.071068
q)select a=c,a<>3,b>0,s=`x from T
a a1 b s
--------
0 1  1 1
0 1  0 0
0 0  0 0
0 1  1 1
0 1  0 0
q)select x:"i"$b,y:`float$c,z:`long$a from T
x  y  z
-------
2  10 1
-2 20 2
   30 3
4  40
0  50 5
q)select m:`month$d,y:d.year,w:d+7 from T
m       y    w
-----------------------
2024.01 2024 2024.01.08
2024.01 2024 2024.01.09
2024.01 2024 2024.01.10
2024.01 2024 2024.01.11
2024.01 2024 2024.01.12
q)select k:?[b>0;a;0],l:?[null a;-1f;b] from T
k l
-------
1 1.5
0 -2
0
  -1
0 -0.25
q)select i,a from T
x a
---
0 1
1 2
2 3
3
4 5
q)select one:1,s from T
one s
-----
1   x
1   y
1
1   x
1   z
q)select e:exp a,l:log c from T where not null a
e        l
-----------------
2.718282 2.302585
7.389056 2.995732
20.08554 3.401197
148.4132 3.912023
q)select p:a&c,q:a|3,f:0^a,g:a^c from T
p q f g
--------
1 3 1 10
2 3 2 20
3 3 3 30
  3 0 40
5 5 5 50
q)select b within -1 2f,n:null b from T
x n
---
1 0
0 0
0 1
0 0
1 0
q)select max a from T
a
-
5
q)select lo:min b,hi:max b,n:count i from T
lo hi n
-------
-2 4  5
