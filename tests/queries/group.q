/ Groups: one key, computed keys, several keys, null keys, filters before.
q)T:.gpu.to ([]sym:`b`a`b``a`b;p:10 20 30 40 50 60f;n:1 2 3 4 0N 6;t:09:30:01 09:30:59 09:31:00 09:31:30 09:33:00 09:33:10;e:110010b)
q)select sum n by sym from T
sym| n
---| --
   | 4
a  | 2
b  | 10
q)select n:count i,lo:min p,hi:max p,avg p by sym from T
sym| n lo hi p
---| ----------------
   | 1 40 40 40
a  | 2 20 50 35
b  | 3 10 60 33.33333
q)select vwap:n wavg p by sym from T
sym| vwap
---| ----
   | 40
a  | 20
b  | 46
q)select sum p by 1 xbar t.minute from T
minute| p
------| ---
09:30 | 30
09:31 | 70
09:33 | 110
q)select sum p,last n by sym,m:1 xbar t.minute from T
sym m    | p  n
---------| ----
    09:31| 40 4
a   09:30| 20 2
a   09:33| 50
b   09:30| 10 1
b   09:31| 30 3
b   09:33| 60 6
q)select first p,last p by e from T
e| p  p1
-| -----
0| 30 60
1| 10 50
q)select sum p by n>2 from T
n| p
-| ---
0| 80
1| 130
q)select sum p by n from T
n| p
-| --
 | 50
1| 10
2| 20
3| 30
4| 40
6| 60
q)select c:count i by 20 xbar p from T where n<5
p | c
--| -
0 | 1
20| 2
40| 2
q)select r:max[p]-min p,d:dev p by sym from T
sym| r  d
---| -----------
   | 0  0
a  | 30 15
b  | 50 20.54805
q)select s:sum p*n,w:(sum p*n)%sum n by sym from T where not null n
sym| s   w
---| ------
   | 160 40
a  | 40  20
b  | 460 46
q)select sum n by s:sym from T where sym=`a
s| n
-| -
a| 2
q)O:.gpu.to ([]k:enlist 1;v:enlist 2.5)
q)select sum v by k from O
k| v
-| ---
1| 2.5
/ Bars of numbers near the ends wrap, and are no multiples then.
q)W:.gpu.to ([]s:`a`b`c;t:00:00 23:59 12:00;j:0W -0W 0N;i:0W -0W 0Ni)
q)select last s by 60 xbar t,10 xbar j from W
t     j                  | s
-------------------------| -
00:00 9223372036854775800| a
12:00                    | c
23:00 9223372036854775806| b
q)select last s by 10 xbar i from W
x          | s
-----------| -
           | c
-2147483650| b
2147483640 | a
q)select x:sum j by 7 xbar j from W
j  | x
---| ---
   | 0
-0W| -0W
0W | 0W
