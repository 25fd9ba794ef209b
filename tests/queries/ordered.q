/ Where clauses on columns in order, which name ranges of rows.
q)t:([]sym:`p#`a`a`b`b`b`d;time:0D09:30 0D09:31 0D09:29 0D09:30 0D09:30 0D16:00;n:1 0N 3 4 5 6;p:1 2 0n 4 5 6f)
q)T:.gpu.to t
q)select from T where sym=`b
sym time                 n p
----------------------------
b   0D09:29:00.000000000 3
b   0D09:30:00.000000000 4 4
b   0D09:30:00.000000000 5 5
q)select from T where sym=`nosuch
sym time n p
------------
q)select from T where sym=`
sym time n p
------------
q)meta .gpu.from select from T where sym=`a
c   | t f a
----| -----
sym | s
time| n
n   | j
p   | f
q)select n,p from T where sym=`b,time=0D09:30,n>4
n p
---
5 5
q)exec sum n from T where sym=`a
1
q)select sum n by time from T where sym=`b
time                | n
--------------------| -
0D09:29:00.000000000| 3
0D09:30:00.000000000| 9
q)s:`b
q)exec n from T where sym=s
3 4 5
q){[x]exec n from T where sym=x}`d
,6
q)select from T where sym=`b,i>2
sym time                 n p
----------------------------
b   0D09:30:00.000000000 4 4
b   0D09:30:00.000000000 5 5
q)select i from T where sym=`d
x
-
5
q)update n:0 from T where sym=`a
sym time                 n p
----------------------------
a   0D09:30:00.000000000 0 1
a   0D09:31:00.000000000 0 2
b   0D09:29:00.000000000 3
b   0D09:30:00.000000000 4 4
b   0D09:30:00.000000000 5 5
d   0D16:00:00.000000000 6 6
q)delete from T where sym=`b
sym time                 n p
----------------------------
a   0D09:30:00.000000000 1 1
a   0D09:31:00.000000000   2
d   0D16:00:00.000000000 6 6
q)select from T where sym in`a`d
sym time                 n p
----------------------------
a   0D09:30:00.000000000 1 1
a   0D09:31:00.000000000   2
d   0D16:00:00.000000000 6 6
q)S:.gpu.to ([]time:`s#0Nn 0D01 0D02 0D02 0D05;k:1 2 3 4 5)
q)exec k from S where time within 0D01 0D02
2 3 4
q)exec k from S where time within 0D03 0D01
`long$()
q)exec k from S where time within 0Nn 0D01
1 2
q)exec k from S where time=0Nn
,1
q)exec k from S where time<0D02
1 2
q)exec k from S where time<=0D02
1 2 3 4
q)exec k from S where time>0D02
,5
q)exec k from S where time>=0D02
3 4 5
q)exec k from S where time<0Nn
`long$()
q)exec k from S where time>0D01,time<0D05
3 4
q)exec k from S where time=02:00
3 4
q)select from S where time>=0D05,k=7
time k
------
q)meta .gpu.from select from S where time>0D02
c   | t f a
----| -----
time| n
k   | j
q)L:.gpu.to ([]n:`s#-1 0 0 7;x:`a`b`c`d)
q)select from L where n=0
n x
---
0 b
0 c
q)select from L where n=0i
n x
---
0 b
0 c
q)select from L where n within -1 0
n  x
----
-1 a
0  b
0  c
q)select from L where n<0N
n x
---
q)select last x by n from L where n>=0
n| x
-| -
0| c
7| d
q)select from (.gpu.to 0#t) where sym=`a
sym time n p
------------
