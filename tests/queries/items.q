/ Functions of the items of general lists: each, text, casts of text, whatever rows pass and however they group.
q)T:.gpu.to t:([]s:`a`b`a`c;j:1 2 3 4;t:("abc";"";enlist"b";"12");l:(1 2 3;0#0;4 5;enlist 0N);f:(1 2.5;0n 3;enlist 1f;0#0f);d:2024.01.01+til 4)
q)select s,m:max each l,a:avg each f from T
s m   a
----------
a 3   1.75
b -0W 3
a 5   1
c -0W
q)select s,n:sum each l by j>2 from T
j| s    n
-| --------
0| `a`b 6 0
1| `a`c 9 0
q)select from T where t like "*b*"
s j t     l     f     d
--------------------------------
a 1 "abc" 1 2 3 1 2.5 2024.01.01
a 3 ,"b"  4 5   ,1    2024.01.03
q)select j from T where 2<max each l
j
-
1
3
q)select j from T where j>1,2<sum each l*j
j
-
3
q)exec `$t from T
`abc``b`12
q)exec "J"$t from T
0N 0N 0N 12
q)exec count distinct `$t by s from T
a| 2
b| 1
c| 1
q)select n:count i by t:`$t from T
t  | n
---| -
   | 1
12 | 1
abc| 1
b  | 1
q)exec upper t from T
"ABC"
""
,"B"
"12"
q)select u:upper t,r:reverse each l from T where j<>2
u     r
-----------
"ABC" 3 2 1
,"B"  5 4
"12"  ,0N
q)exec {x wsum x} each l from T
14 0 41 0f
q)exec l wsum' l from T where j<>2
14 41 0f
q)exec l[;0] from T
1 0N 4 0N
q)exec l@\:1 from T
2 0N 5 0N
q)exec t~\:"12" from T
0001b
q)exec first each t from T
"a b1"
q)exec last each l by s from T
a| 3 5
b| ,0N
c| ,0N
q)exec max count each string s from T
1
q)select j from T where (string s) like "[ab]"
j
-
1
2
3
q)exec dev each f from T
0.75 0 0 0n
q)exec any each l>2 from T
1010b
q)update k:max each l by s from T
s j t     l        f         d          k
-------------------------------------------
a 1 "abc" 1 2 3    1 2.5     2024.01.01 3
b 2 ""    `long$() 0n 3      2024.01.02 -0W
a 3 ,"b"  4 5      ,1        2024.01.03 5
c 4 "12"  ,0N      `float$() 2024.01.04 -0W
q)update k:first each l from T where j>2
s j t     l        f         d          k
-----------------------------------------
a 1 "abc" 1 2 3    1 2.5     2024.01.01
b 2 ""    `long$() 0n 3      2024.01.02
a 3 ,"b"  4 5      ,1        2024.01.03 4
c 4 "12"  ,0N      `float$() 2024.01.04
q)delete from T where t like "?"
s j t     l        f         d
---------------------------------------
a 1 "abc" 1 2 3    1 2.5     2024.01.01
b 2 ""    `long$() 0n 3      2024.01.02
c 4 "12"  ,0N      `float$() 2024.01.04
q)select[2;>sum each l] j,l from T
j l
-------
3 4 5
1 1 2 3
q)select j from T where 3<(max;max each l) fby s
j
-
1
3
q)select j,m:(sum;sum each l) fby s from T
j m
----
1 15
2 0
3 15
4 0
q)exec m from select m:sum each l from T where t like "*b*"
6 9
q)meta select m:max each l,n:sum each l by s from T
c| t f a r
-| ---------
s| s   s gpu
m| J     gpu
n| J     gpu
/ Of no lists q makes what it makes of no items.
q)meta select m:max each l from T where j>10
c| t f a r
-| ---------
m|       gpu
q)meta select m:max each l by s from T where j>10
c| t f a r
-| ---------
s| s   s gpu
m|       gpu
q)exec max each l from T where j>10
()
q)exec first each t from .gpu.take[0;T]
()
q)select from T where j>10,2<max each l
s j t l f d
-----------
q)select from T where t like "zz"
s j t l f d
-----------
