/ Nulls and infinities pass through each operator as q has it.
q)T:.gpu.to ([]j:0N 0W -0W 1 0;f:0n 0w -0w -0 1;h:0N 0W -0W 1 0h;i:0N 0W -0W 1 0i)
q)select j+1,j-1,j*2,j%2 from T
j                    j1                  j2 j3
---------------------------------------------------------

                     9223372036854775806 -2 4.611686e+18
-9223372036854775806                     2  -4.611686e+18
2                    0                   2  0.5
1                    -1                  0  0
q)select i+1i,h+1h,neg j,abs i from T
x           h      j   x1
-------------------------

            32768  -0W 0W
-2147483646 -32766 0W  0W
2           2      -1  1
1           1      0   0
q)select f+1,f*0,f%0,1%f from T
f   f1 f2  x
--------------

0w     0w  0
-0w    -0w -0
1   -0     -0w
2   0  0w  1
q)select j=0N,f=0n,j<0,f>=0 from T
j f j1 f1
---------
1 1 1  0
0 0 0  1
0 0 1  0
0 0 0  1
0 0 0  1
q)select j&1,j|1,f&0,f|0 from T
j   j1 f   f1
-------------
    1      0
1   0W 0   0w
-0W 1  -0w 0
1   1  -0  -0
0   1  0   1
q)select j div 2,j mod 2,f div 1 from T
x                    x1 x2
---------------------------

4611686018427387903  1  0w
-4611686018427387904 1  -0w
0                    1  -0
0                    0  1
q)select "j"$f,"f"$j,"i"$j,"j"$i,"h"$j from T
x   x1            x2  x3          x4
-------------------------------------

0W  9.223372e+18  0W  2147483647  0W
-0W -9.223372e+18 -0W -2147483647 -0W
0   1             1   1           1
1   0             0   0           0
q)select sum j,sum f,max j,min f from T
j f j1 f1
----------
1   0W -0w
q)select sum f by null j from T
j| f
-| -
0|
1| 0
q)select n:count i by f from T
f  | n
---| -
   | 1
-0w| 1
-0 | 1
1  | 1
0w | 1
q)select n:count i by f>0 from T where not null f
f| n
-| -
0| 2
1| 2
q)select sqrt f,log f,exp f from T
f  f1  f2
---------------

0w 0w  0w
       0
-0 -0w 1
1  0   2.718282
q)select 0^j,0f^f,fills:f^1f from T
x   x1  fills
-------------
0   0   1
0W  0w  1
-0W -0w 1
1   -0  1
0   1   1
q)C:.gpu.to ([]c:"ab";j:1 2)
q)select "i"$first c,"i"$last c,n:count i from C where j>5
x  x1 n
-------
32 32 0
q)select "i"$first c,"i"$last c from C where j>1
x  x1
-----
98 98
