/ The least that every engine is held against, line by line: nulls, infinities, empties, ties.
/ A null in an operator gives a null of the result's type.
q)0N+1 2i
0N 0N
q)-3!{x[0N;1 0N]}each(+;-;*;%;&;|;div;mod)
"(0N 0N;0N 0N;0N 0N;0n 0n;0N 0N;1 0N;0N 0N;0N 0N)"
q)(0N=0n;0N<0;0N>0;0N<>0;0Ni=0N;0N^3;3^0N;0N xbar 5)
1b
1b
0b
1b
1b
3
3
0N
q)(neg 0N;abs 0N;signum 0N;sqrt 0n;exp 0n;null 0N;not 0N)
0N
0N
-1i
0n
0n
1b
0b
q)(0Nd+1;0Np-0D01;0Nn*2;0Nt+1;0Nm+1)
0Nd
0Np
0Nn
0Nt
0Nm
/ One more than infinity is null, two more are minus infinity; a short infinity is a number to a long.
q)0W+0 1 2
0W 0N -0W
q)0Wi+5i
-2147483644i
q)0Wi+5
2147483652
q)10+0W+til 3
-9223372036854775799 0N -9223372036854775797
q)neg 0W
-0W
/ Each aggregate's value of nulls only, of one row and of none, with its type.
q)t:([]k:`n`n`o;m:0N 0N 5i;j:0N 0N 5;f:0n 0n 5;d:0N 0N 2024.01.01;e:0n 0n 5e)
q)select sum m,sum j,sum f,sum e by k from t
k| m j f e
-| -------
n| 0 0 0 0
o| 5 5 5 5
q)select min m,max j,min f,max d by k from t
k| m  j   f  d
-| --------------------
n| 0W -0W 0w -0W
o| 5  5   5  2024.01.01
q)select avg m,dev j,var f,med f,first d,last e,count i by k from t
k| m j f f1 d          e x
-| -----------------------
n|                       2
o| 5 0 0 5  2024.01.01 5 1
q)select prd m,wavg:m wavg j,wsum:m wsum j,cov:j cov f,cor:j cor f by k from t
k| m wavg wsum cov cor
-| -------------------
n| 1      0
o| 5 5    25   0
q)meta select sum m,sum e,avg j,max d,count i,first f by k from t
c| t f a
-| -----
k| s   s
m| i
e| e
j| f
d| d
x| j
f| f
q)select sum m,avg j,max d,count i from 0#t
m j d   x
---------
0   -0W 0
q)select sum m,avg j by k from 0#t
k| m j
-| ---
q)count meta select from 0#t
6
/ Floats a bit apart are equal to = and two to by; both zeros are one group, all nulls are one.
q)p:([]p:96.100000000000009 96.099999999999994 0 -0 0n,0%0)
q)exec p=96.1 from p
110000b
q)count select by p from update v:i from p
4
q)select n:count i by p from p
p   | n
----| -
    | 2
0   | 2
96.1| 1
96.1| 1
/ Keys come ascending, nulls first, whatever their order and type.
q)select n:count i by a,b from([]a:2 0N 1 2;b:`x``y`)
a b| n
---| -
   | 1
1 y| 1
2  | 1
2 x| 1
q)exec n by d from([]d:2024.01.02 0N 2024.01.01;n:til 3)
          | 1
2024.01.01| 2
2024.01.02| 0
q)select n:count i by s from([]s:`b``a`)
s| n
-| -
 | 2
a| 1
b| 1
/ Ints overflow to null, longs wrap; reals add up as floats.
q)exec sum x from([]x:2147483647 1i)
0Ni
q)exec sum x from([]x:9223372036854775807 2)
-0W
q)exec sum x from([]x:0.1 0.2e)
0.3e
/ Nested results, names inferred, duplicates numbered.
q)select j by k from t
k| j
-| -----
n| 0N 0N
o| ,5
q)select i,i:2*i,j+i,2*j,count i from([]i:1 2i;j:3 4)
x i j x1 x2
-----------
1 2 4 6  2
2 4 6 8  2
q)select j,j,j from([]j:1 2)
j j1 j2
-------
1 1  1
2 2  2
/ Ties keep their order, both ways.
q)u:([]s:`a`b`c`d;p:1 2 1 2)
q)select[3;<p]from u
s p
---
a 1
c 1
b 2
q)select[3;>p]from u
s p
---
b 2
d 2
a 1
/ A column that is added though nothing matches, nulls of its type; a column of another type is refused.
q)update v:1i from u where p>9
s p v
-----
a 1
b 2
c 1
d 2
q)meta update v:`x,w:2024.01.01,z:0b from u where p>9
c| t f a
-| -----
s| s
p| j
v| s
w| d
z| b
q)update p:`a from u where p>1
'type
  [0]  update p:`a from u where p>1
       ^
/ As-of with equal times takes the last row; the window join sees what prevails.
q)x:([]s:`a`a;t:5 9)
q)y:([]s:`a`a`a;t:5 5 8;v:1 2 3;w:1 2 3)
q)aj[`s`t;x;y]
s t v w
-------
a 5 2 2
a 9 3 3
q)aj0[`s`t;x;y]
s t v w
-------
a 5 2 2
a 8 3 3
q)wj[(6 6;7 9);`s`t;x;(update`p#s from y;(sum;`v);(count;`w))]
s t v w
-------
a 5 2 1
a 9 5 2
q)wj1[(6 6;7 9);`s`t;x;(update`p#s from y;(sum;`v);(count;`w))]
s t v w
-------
a 5 0 0
a 9 3 1
/ lj writes nulls too, ljf does not.
q)([]k:`a`b`c;v:1 2 3)lj([k:`a`b]v:10 0N)
k v
----
a 10
b
c 3
q)([]k:`a`b`c;v:1 2 3)ljf([k:`a`b]v:10 0N)
k v
----
a 10
b 2
c 3
/ A timestamp is cut to a minute before it is compared with one.
q)2024.10.07D20:00:00.000603286 within 13:30 20:00t
1b
q)0D20:00:00.000603286 within 13:30 20:00t
0b
q)(2024.10.07D09:29:15>09:29;0D09:29:15>09:29;09:29:15>09:29)
011b
/ Buckets of negative numbers and of dates before 2000.
q)5 xbar -7 -5 -1 0 4
-10 -5 -5 0 0
q)7 xbar 1999.12.31 2000.01.07
1999.12.25 2000.01.01
q)0D00:05 xbar 1999.12.31D23:59 2000.01.01D00:04
1999.12.31D23:55:00.000000000 2000.01.01D00:00:00.000000000
