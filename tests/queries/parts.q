/ Aggregates of part of a group: the items that are not in it count for nothing, and a group may have none.
q)T:.gpu.to ([]k:`p`q`p`r`q`p`p`q;j:1 2 0N 4 5 6 7 2;f:1 2.5 0n 4 5.25 6 0w 2;n:3 1 0N 1 5 9 2 6i;s:`b`a``c`zz`a`b`a;b:10110101b;c:"abc adbc";x:0x010203040500ff01;d:2024.01.01+8#til 5)
q)select first j where b,last f where b,l:first s where j>4,m:last c where j<3 by k from T
k| b b1 l  m
-| ---------
p| 1 6  a  c
q| 2 2  zz c
r| 4 4
q)select w:(j where b)wavg f where b,c:(j where b)cov f where b,r:(f where b)cor f where b,u:(j where b)wsum f where b by k from T
k| w        c    r u
-| ------------------
p| 5.285714 6.25 1 37
q| 2        0      4
r| 4        0      16
q)select m:med j where b,v:var f where j<6,d:sdev f where b,a:avg b where j>1,p:prd j where b by k from T
k| m v        d        a         p
-| -------------------------------
p| 1 0        3.535534 0.5       6
q| 2 2.041667          0.3333333 2
r| 4 0                 1         4
q)select mn:min x where j>4,mx:max x where j>4,mc:max c where b,al:all b where j>1,an:any b where j>4,sx:sum x where b,ss:sum b where j>0 by k from T
k| mn mx mc al an sx ss
-| --------------------
p| 00 ff d  0  1  4  2
q| 05 05 c  0  0  1  1
r| ff 00    1  0  4  1
q)select first distinct s,last distinct j,l:last 2 sublist f,first 2 sublist d by k from T where j<>5
k| s j l d
-| ----------------
p| b 7   2024.01.01
q| a 2 2 2024.01.02
r| c 4 4 2024.01.04
q)select first s where b by k,j>3 from T where f<6
k j| b
---| -
p 0| b
q 0| a
q 1|
r 1| c
q)exec first f where j>100 by k from T
p|
q|
r|
/ n#x repeats the items of a short list, from its end where n is negative.
q)select x:3#j,y:-3#s,z:0#f by k from T
k| x      y       z
-| ------------------------
p| 1 0N 6 ``a`b   `float$()
q| 2 5 2  `a`zz`a `float$()
r| 4 4 4  `c`c`c  `float$()
q)select x:2#desc f,y:-2#asc j,z:5#asc s by k from T
k| x        y      z
-| ---------------------------
p| 0w 6     `s#6 7 ``a`b`b`
q| 5.25 2.5 `s#2 5 `a`a`zz`a`a
r| 4 4      4 4    `c`c`c`c`c
q)select a:first 3#j,b:last 5#j,c:first -3#j,d:sum 3#j,e:avg 5#f,g:max 2#j,h:count 4#j by k from T
k| a b c d  e   g h
-| ----------------
p| 1 1   7  0w  1 4
q| 2 5 2 9  3.5 5 4
r| 4 4 4 12 4   4 4
q)select first 0#j,sum 0#f,n:count 0#j by k from T
k| x x1 n
-| ------
p|   0  0
q|   0  0
r|   0  0
q)select x:2*3#j,y:(2#j)+2#f by k from T
k| x       y
-| -----------------
p| 2 0N 12 2 0n
q| 4 10 4  4.5 10.25
r| 8 8 8   8 8
q)exec 10#j from T where b
1 0N 4 6 2 1 0N 4 6 2
q)exec -10#s from T where b
`b``c`a`a`b``c`a`a
q)select x:2#s,y:-2#d from T
x y
------------
b 2024.01.02
a 2024.01.03
q)select x:2#s,y:3#d from T
'length
  [0]  select x:2#s,y:3#d from T
       ^
q)exec 3#j from T where 0b
0N 0N 0N
q)select x:0N#j from T
'domain
  [0]  select x:0N#j from T
       ^
/ Drops, turns, and items by their places.
q)select x:1_j,y:-1_s,z:5_f by k from T
k| x        y          z
-| -----------------------------
p| 0N 6 7   `b``a      `float$()
q| 5 2      `a`zz      `float$()
r| `long$() `symbol$() `float$()
q)exec 2_j from T where b
4 6 2
q)select x:1 rotate j,y:-1 rotate s by k from T
k| x        y
-| ----------------
p| 0N 6 7 1 `b`b``a
q| 5 2 2    `a`a`zz
r| ,4       ,`c
q)exec 3 rotate f from T where not null f
5.25 6 0w 2 1 2.5 4
q)select x:j 0,y:s 1,z:f(count i)-1,w:d[5] by k from T
k| x y  z  w
-| ---------
p| 1    0w
q| 2 zz 2
r| 4    4
q)select p:f j?max j,q:s first idesc f,j?2 by k from T
k| p    q  j
-| ---------
p| 0w   b  4
q| 5.25 zz 0
r| 4    c  1
q)exec f j?max j from T where b
6f
q)select x:til count j by k from T
k| x
-| -------
p| 0 1 2 3
q| 0 1 2
r| ,0
q)select from T where j in 2 sublist j
k j f   n s b c x  d
-----------------------------
p 1 1   3 b 1 a 01 2024.01.01
q 2 2.5 1 a 0 b 02 2024.01.02
q 2 2   6 a 1 c 01 2024.01.03
q)select x:s in s where b,y:j in j where f>100 by k from T
k| x     y
-| -----------
p| 1111b 0001b
q| 101b  000b
r| ,1b   ,0b
/ Functions that go to each item.
q)select {x%3}each j,y:{x-y}':[j],z:{?[x>y;x;y]}prior f,w:j{x*y}'f from T where not null j
j         y  z    w
-----------------------
0.3333333    1    1
0.6666667 1  2.5  5
1.333333  2  4    16
1.666667  1  5.25 26.25
2         1  6    36
2.333333  1  0w   0w
0.6666667 -5 0w   4
q)select a:neg each j,b:j%'3,c:-':[5;j],e:{x>2}':[j] from T
a  b         c  e
-----------------
-1 0.3333333 -4 0
-2 0.6666667 1  0
                0
-4 1.333333     1
-5 1.666667  1  1
-6 2         1  1
-7 2.333333  1  1
-2 0.6666667 -5 0
/ Enumerations are sorted by their text, and their missing symbols are not missing.
q)e:`zz`b`a`c`
q)E:.gpu.to ([]k:1 2 1 2 1 2;y:`e$`b`a``zz`c`a;s:`b`a``zz`c`a)
q)select asc y,iasc y,rank y by k from E
k| y             y1    y2
-| -------------------------
1| `s#`e$``b`c   1 0 2 1 0 2
2| `s#`e$`a`a`zz 0 2 1 0 2 1
q)select desc y,y1:idesc y,3 xrank y by k from E
k| y          y1    y2
-| ----------------------
1| `e$`c`b`   2 0 1 1 0 2
2| `e$`zz`a`a 1 0 2 0 2 1
q)exec asc y from E
`s#`e$``a`a`b`c`zz
q)select 2 mcount y,x:2 mcount s from E
y x
---
1 1
2 2
2 1
2 1
2 2
2 2
q)select y where y<`c by k from E
k| y
-| -------
1| `e$`b`
2| `e$`a`a
/ Deviations and weighted means of `n#x`, which repeats the items of short lists.
q)select v:var 3#j,d:dev 10#j,s:svar 3#f,e:sdev -3#n,c:(10#j)cov 10#n,r:(5#n)cor 5#j,w:(10#n)wavg 10#j,u:(3#n)wsum 3#b,a:all 3#b,o:any -1#b by k from T
k| v    d        s      e        c        r         w        u  a o
-| ----------------------------------------------------------------
p| 6.25 2.747912 12.5   4.949747 2.367347 0.3333333 4.677419 12 1 0
q| 2    1.374773 3.0625 2.645751 1.17     0.5306686 3.216216 6  0 1
r| 0    0        0      0        0                  4        3  1 1
q)select v:var 0#j,s:sdev 1#j,w:(0#n)wavg 0#j,a:all 0#b from T
v s w a
-------
      1
/ Items of one list that are, or are not, in another; of another type none is.
q)select x:s except `a,y:j inter 2 4,z:j except n by k from T
k| x     y        z
-| -----------------------
p| `b``b `long$() 1 0N 6 7
q| ,`zz  2 2      2 5 2
r| ,`c   ,4       ,4
q)exec s inter first s from T
`b`b
q)exec j except k from T
1 2 0N 4 5 6 7 2
/ Lists are alike if their types are and all their items.
q)select j~n,a:j~j,g:s~s,h:f~f by k from T
k| j a g h
-| -------
p| 0 1 1 1
q| 0 1 1 1
r| 0 1 1 1
/ A list of one item of another type is compared with; among others nothing of another type is looked for.
q)select r:j in f by x:j,f from T
x f   | r
------| ---
      | ,1b
1 1   | ,1b
2 2   | ,1b
2 2.5 | ,0b
4 4   | ,1b
5 5.25| ,0b
6 6   | ,1b
7 0w  | ,0b
q)exec j in f from T
'type
  [0]  exec j in f from T
       ^
q)exec j in f from T where i=1
,0b
q)exec (first j)in f from T
'type
  [0]  exec (first j)in f from T
       ^
/ Of no items `n#x` has nulls, and of what has no null zeros.
q)select a:all 3#b,m:min 3#b,v:avg 3#b,d:dev 3#b,j:min 3#j,z:all 3#j,n:all 0#b from T where j>100
a m v d j  z n
--------------
0 0 0 0 0W 1 1
/ A long among ints is looked for as an int, but a single int is compared with.
q)select a:1 in n,b:(4i)in j,c:4294967297 in n,d:2 in n where n=2 by k from T
k| a b c d
-| -------
p| 0 0 0 1
q| 1 0 0 0
r| 1 1 0 0
