/ Whole-column aggregates, with nulls, of every numeric kind, and of nothing.
q)T:.gpu.to ([]j:3 0N 5 7;i:3 0N 5 7i;h:3 0N 5 7h;e:1.5 0n 2.5 4e;f:1.5 0n 2.5 4;b:1011b;x:0x01ff0304;t:09:30:00.000 0Nt 10:00:00.000 11:00:00.000;s:`b`a``c)
q)select sum j,sum i,sum h,sum e,sum f,sum b from T
j  x  h  e f b
--------------
15 15 15 8 8 3
q)select avg j,avg i,avg h,avg e,avg f from T
j x h e        f
-----------------------
5 5 5 2.666667 2.666667
q)select min j,min i,min h,min e,min f,min t from T
j x h e   f   t
--------------------------
3 3 3 1.5 1.5 09:30:00.000
q)select max j,max i,max h,max e,max f,max t from T
j x h e f t
----------------------
7 7 7 4 4 11:00:00.000
q)select first j,last j,first s,last s,first t,last t from T
j j1 s s1 t            t1
-----------------------------------
3 7  b c  09:30:00.000 11:00:00.000
q)select count i,n:count j,count f from T
x n f
-----
4 4 4
q)select var f,dev f,var j,dev j from T
f        f1       j        j1
-----------------------------------
1.055556 1.027402 2.666667 1.632993
q)select j wavg f,h wavg j from T
f j
----------
3 5.533333
q)select x:sum j*f,y:(sum j)%count i,z:avg f-avg f from T
x  y    z
--------------------
45 3.75 1.480297e-16
q)exec sum f from T
8f
q)exec max t from T
11:00:00.000
q)exec lo:min j,hi:max j from T
lo| 3
hi| 7
q)select sum j,max f,first s,count i from T where j>100
j f   s x
---------
0 -0w   0
q)select sum f by s from T where j>100
s| f
-| -
q)E:.gpu.to ([]j:`long$();f:`float$();s:`symbol$())
q)select sum j,max f,min j,avg f,count i,first s from E
j f   j1 f1 x s
---------------
0 -0w 0W    0
q)select from E
j f s
-----
q)select j+1,s from E where f>1
j s
---
q)exec f from E
`float$()
/ Sums of products, whose factors the CPU engine casts while it adds: a product that is no number counts for nothing.
q)P:.gpu.to([]p:1.5 0n 2 0w;n:2 3 0N 0;m:1 2 3 4)
q)select a:sum p*n,b:sum n*p,c:sum(0.5*n)*m,d:sum(`float$n)*`float$m,e:sum 2*p,f:sum n*m from P
a b c d e  f
------------
3 3 4 8 0w 8
q)select a:sum p*n,b:sum m*p,c:sum p*p from P where m<3
a b   c
----------
3 1.5 2.25
q)select a:sum p*n from P where m>9
a
-
0
