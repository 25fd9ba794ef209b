/ exec by keys, the empty by, membership in columns, aggregates of atoms, orders of groups, nested columns.
q)T:.gpu.to ([]sym:`b`a`b``a`b`a;p:10 20 30 40 50 60 5f;n:1 2 0N 4 0N 6 7;e:1100101b;o:2 4 6 1 2 3 4;l:(1 2;0#0;3 4 5;enlist 1;6 7;8 9;enlist 3))
q)exec p,n by sym from T
 | p        n
-| ---------------
 | ,40      ,4
a| 20 50 5  2 0N 7
b| 10 30 60 1 0N 6
q)exec p by sym,e from T
sym e|
-----| --------
    0| ,40f
a   1| 20 50 5f
b   0| 30 60f
b   1| ,10f
q)exec sum p by s:sym from T
s|
-| ---
 | 40
a| 75
b| 100
q)exec x:1 by sym from T
 | x
-| -
 | 1
a| 1
b| 1
q)?[T;();`sym;()]
 | p  n e o l
-| ------------
 | 40 4 0 1 ,1
a| 5  7 1 4 ,3
b| 60 6 0 3 8 9
q)?[T;();()!();`p`n!(`p;(sum;`n))]
p                   n
----------------------
10 20 30 40 50 60 5 20
q)?[T;enlist(>;`p;1000);()!();`p`n!(`p;(sum;`n))]
p n
---
q)select from T where n in o
sym p  n e o l
---------------------
b   10 1 1 2 1 2
a   20 2 1 4 `long$()
    40 4 0 1 ,1
b   60 6 0 3 8 9
q)select n in o,sym in sym by e from T
e| o     sym
-| -----------
0| 001b  111b
1| 0100b 1111b
q)select from T where n in o+1
sym p  n e o l
---------------------
a   20 2 1 4 `long$()
    40 4 0 1 ,1
a   5  7 1 4 ,3
q)select med 1,dev 2,var 0n,sdev 3,all 1b,any 0 from T
x x1 x2 x3 x4 x5
----------------
1 0        1  0
q)select dev first p,all sum n by sym from T
sym| p n
---| ---
   | 0 1
a  | 0 1
b  | 0 1
q)select 2 wavg p,p cov 1,n cor 2,p wsum 2 by e from T
e| p        x x1 x2
-| -----------------
0| 43.33333 0    260
1| 21.25    0    170
q)select[2;>p] sum p by sym from T
sym| p
---| ---
b  | 100
a  | 75
q)select[3;<sym] distinct sym,e from T
sym e
-----
    0
a   1
b   1
/ Nested columns are carried along, and their lists counted.
q)select l,sym from T where e
l        sym
------------
1 2      b
`long$() a
6 7      a
,3       a
q)update q:p*2 from T where e
sym p  n e o l        q
-------------------------
b   10 1 1 2 1 2      20
a   20 2 1 4 `long$() 40
b   30   0 6 3 4 5
    40 4 0 1 ,1
a   50   1 2 6 7      100
b   60 6 0 3 8 9
a   5  7 1 4 ,3       10
q)select from T where 1<count each l
sym p  n e o l
------------------
b   10 1 1 2 1 2
b   30   0 6 3 4 5
a   50   1 2 6 7
b   60 6 0 3 8 9
q)select by sym from T
sym| p  n e o l
---| ------------
   | 40 4 0 1 ,1
a  | 5  7 1 4 ,3
b  | 60 6 0 3 8 9
q)select sum count each l by sym from T
sym| l
---| -
   | 1
a  | 3
b  | 7
/ Nested columns group after group, by themselves, and their last items.
q)select l,n by sym from T where p>15
sym| l              n
---| -------------------
   | ,,1            ,4
a  | (`long$();6 7) 2 0N
b  | (3 4 5;8 9)    0N 6
q)exec l by e from T
0| (3 4 5;,1;8 9)
1| (1 2;`long$();6 7;,3)
q)exec l,last n by sym from T
 | l                 n
-| -------------------
 | ,,1               4
a| (`long$();6 7;,3) 7
b| (1 2;3 4 5;8 9)   6
q)select l by sym,e from T where p>1000
sym e| l
-----| -
q)exec l from T where e
1 2
`long$()
6 7
,3
q)exec l,n from T where n=6
l| 8 9
n| 6
q)?[T;();();()]
sym| `a
p  | 5f
n  | 7
e  | 1b
o  | 4
l  | ,3
q)exec from T where sym=`b,p<40
sym| `b
p  | 30f
n  | 0N
e  | 0b
o  | 6
l  | 3 4 5
q)exec from T where p>1000
sym| `
p  | 0n
n  | 0N
e  | 0b
o  | 0N
l  | ()
