/ A day of quotes and trades with the columns of the public TAQ files (tests/taq/make.q), asked what such data
/ is asked: filters, bars, spreads, pivots, running sums, fby, ungrouped windows, as-of joins.
q)\l taq/make.q
q)select n:count i by ex from trade where seq=0i
ex| n
--| -
q)select sym,time,price,size from trade where time within 0D10:00 0D10:10,0e<price,size<2147483647e
sym  time                 price    size
-----------------------------------------
ZION 0D10:00:32.000000000 31.25781 678600
PFE  0D10:00:32.000000000 33.00781 234100
INTC 0D10:01:36.000000000 35.53906 344600
F    0D10:01:36.000000000 38.28906 80100
AAPL 0D10:01:36.000000000 40.03906 70600
WFC  0D10:02:40.000000000 43.57031 197500
MSFT 0D10:03:44.000000000 45.32031 479800
IBM  0D10:04:48.000000000 48.07031 83800
C    0D10:04:48.000000000 51.60156 248500
AMD  0D10:05:52.000000000 54.35156 18500
XOM  0D10:05:52.000000000 57.10156 73700
PFE  0D10:05:52.000000000 60.63281 100
KO   0D10:06:56.000000000 63.39062 355700
IBM  0D10:08:00.000000000 66.14062 582500
F    0D10:09:04.000000000 69.67188 194500
BAC  0D10:09:04.000000000 72.42969 312800
q)-3#select time,mid:(bid+ask)%2 from quote where sym=infreqInstr
time                 mid
-----------------------------
0D13:03:21.600000000 66.78906
0D13:04:33.600000000 41.72266
0D13:08:24.000000000 79.81641
q)3#`mid xdesc select time,mid:(bid+ask)%2 from quote where sym=freqInstr
time                 mid
-----------------------------
0D04:53:31.200000000 83.38672
0D11:31:26.400000000 83.33203
0D05:40:19.200000000 83.30859
q)-4#select sym,time,bid,ask,bsize,asize,cond,ex from quote where sym in fiftyInstrs,2000i<bsize+asize
sym  time                 bid      ask      bsize asize cond ex
---------------------------------------------------------------
AAPL 0D13:06:00.000000000 20.54688 20.84375 100   3700  O    P
GE   0D13:06:14.400000000 64.32812 64.61719 3100  4500  O    W
AAPL 0D13:07:26.400000000 49.25    49.25781 3600  3200  R    N
GE   0D13:08:38.400000000 38.20312 38.30469 700   2400  O    A
q)select liq:avg((bsize*bid)+asize*ask)%bsize+asize from quote where sym=freqInstr
liq
--------
50.50274
q)5#select liq:avg((bsize*bid)+asize*ask)%bsize+asize by 10 xbar time.minute,ex from quote where sym=freqInstr
minute ex| liq
---------| --------
04:00  A | 20.00391
04:00  B | 78.4214
04:00  J | 57.76438
04:00  N | 80.36016
04:00  S | 76.14621
q)-3#.pvt.pivot select spread:max ask-bid by 60 xbar time.minute,sym from quote where sym in fiftyInstrs
minute| AAPL     BAC       GE
------| ----------------------------
11:00 | 0.296875 0.2890625 0.3046875
12:00 | 0.296875 0.3046875 0.3046875
13:00 | 0.296875 0.046875  0.2890625
q)-3#fills .pvt.pivot select spread:max ask-bid by 60 xbar time.minute,sym from quote where sym in fiftyInstrs
minute| AAPL     BAC       GE
------| ----------------------------
11:00 | 0.296875 0.2890625 0.3046875
12:00 | 0.296875 0.3046875 0.3046875
13:00 | 0.296875 0.046875  0.2890625
q)select spread:(asize+bsize)wavg ask-bid,d:dev ask-bid,hi:max ask-bid,lo:min ask-bid by exnames ex from quote where sym=freqInstr
ex        | spread    d          hi       lo
----------| ---------------------------------------
exchange A| 0.1919927 0.09220592 0.296875 0.0078125
exchange B| 0.1951227 0.08751499 0.296875 0.0078125
exchange C| 0.1939847 0.08915696 0.296875 0.0078125
exchange D| 0.1628898 0.08837112 0.296875 0.0078125
exchange J| 0.1605127 0.0931591  0.296875 0.0078125
exchange K| 0.1876202 0.09496012 0.296875 0.0078125
exchange L| 0.164536  0.08664152 0.296875 0.0078125
exchange N| 0.1809928 0.09303142 0.296875 0.0078125
exchange P| 0.1600016 0.08928682 0.296875 0.0078125
exchange S| 0.1622658 0.09256891 0.296875 0.0078125
exchange T| 0.1981595 0.08880232 0.296875 0.0078125
exchange W| 0.1655094 0.08889345 0.296875 0.0078125
exchange X| 0.201484  0.0831785  0.296875 0.0703125
exchange Y| 0.1874858 0.08820966 0.296875 0.0078125
exchange Z| 0.1968778 0.08820966 0.296875 0.0078125
q)select sizes wavg spread,n:count i by sym from(select sym,sizes:asize+bsize,spread:ask-bid from quote where ex in"NQT")where sym in thousandInfreqInstrs
sym  | spread    n
-----| ------------
BRK.B| 0.1560062 35
ORCL | 0.1738505 59
YUM  | 0.1437185 25
q)select distinct sym,ex from trade where size>700000e
sym  ex
-------
GM   V
XOM  I
WFC  T
XOM  W
AAPL N
T    V
AAPL Y
WFC  S
C    S
INTC N
PFE  B
XOM  Z
ZION K
JPM  C
WFC  D
MSFT K
PFE  Y
ORCL B
BAC  S
MSFT D
..
q)-5#select time,5 mavg price from trade where sym=freqInstr
time                 price
-----------------------------
0D12:24:32.000000000 58.55938
0D12:33:04.000000000 61.94531
0D12:37:20.000000000 66.12344
0D12:52:16.000000000 68.3375
0D13:07:12.000000000 59.02813
q)-3#ungroup select time,m:3 mavg bid,total:sums bsize by sym from quote where sym in fiftyInstrs
sym time                 m        total
----------------------------------------
GE  0D13:01:40.800000000 60.26042 340200
GE  0D13:06:14.400000000 65.8125  343300
GE  0D13:08:38.400000000 54.28906 344000
q)-3#update vwap:(sums price*size)%sums size by sym from select sym,time,price,size from trade where time within 0D08:00 0D08:15
sym time                 price    size   vwap
-------------------------------------------------
XOM 0D08:14:56.000000000 60.69531 280900 57.95842
GM  0D08:14:56.000000000 51.38281 165400 60.39682
YUM 0D08:14:56.000000000 42.07031 503300 42.63786
q)select sym,ex,size from trade where size=(max;size)fby ex
sym  ex size
--------------
GM   V  867400
C    M  657300
XOM  I  735100
IBM  A  644100
WFC  T  761500
WFC  S  784100
WFC  P  676900
C    J  589700
INTC N  758000
PFE  B  754100
AAPL Y  761500
XOM  Z  707500
ZION K  749400
JPM  C  761200
ORCL X  634600
WFC  D  817700
XOM  W  867400
KO   L  667100
BAC  S  784100
ZION Q  804700
q)count select from trade where size=(min;size)fby([]ex;sym)
300
q)(select from trade where size=(min;size)fby([]sym;ex))~select from trade where size=(min;size)fby([]ex;sym)
1b
q)3#raze{select sym,ex,size from trade where sym=x,size=(min;size)fby ex}peach exec asc distinct sym from trade
sym  ex size
--------------
AAPL A  100
AAPL C  252100
AAPL V  13600
q)3#select from(select down:seq where(<)prior price by sym from trade)where 17<count each down
sym | down                                                                   ..
----| -----------------------------------------------------------------------..
AAPL| 34 57 71 120 127 141 148 211 260 267 314 351 400 407 421 477 491 514 54..
AMD | 56 72 89 112 159 179 196 319 336 352 389 436 459 492 532 576 599 616 64..
BAC | 13 22 55 73 106 125 153 185 223 265 283 302 335 386 395 433 442 493 503..
q)3#update key[timeBuckets]bucket from select n:count i,sum size by ex,bucket:value[timeBuckets]bin time from trade
ex bucket | n size
----------| --------
A  preopen| 5 772500
A  open   | 1 100
A  morning| 3 562300
q)select n:count i,sum size by bucket:timeBucketsStep time from trade where not corr=0h
bucket   | n  size
---------| ----------
afternoon| 5  1242300
morning  | 10 2459600
open     | 2  194500
preopen  | 19 4421600
q)3#select o:first price,h:max price,l:min price,c:last price,s:sum size by sym,5 xbar time.minute from trade where sym in fiftyInstrs,not null stop
sym  minute| o        h        l        c        s
-----------| ------------------------------------------
AAPL 04:00 | 20       20       20       20       100
AAPL 04:35 | 36.52344 36.52344 36.52344 36.52344 252100
AAPL 05:25 | 37.66406 37.66406 37.66406 37.66406 405100
q)3#update inbal:(bsize-asize)%bsize+asize from select first asize,first bsize by time.minute from quote where sym=infreqInstr
minute| asize bsize inbal
------| ----------------------
04:04 | 100   1600  0.8823529
04:08 | 4700  2400  -0.3239437
04:09 | 2100  1200  -0.2727273
q)select wsumAsk:asize wsum ask,sd:sdev asize,corSize:asize cor bsize by sym from quote where sym in fiftyInstrs
sym | wsumAsk      sd       corSize
----| ---------------------------------
AAPL| 5.212677e+07 1436.236 0.009951183
BAC | 2.064374e+07 1592.837 0.02466167
GE  | 2.064155e+07 1534.545 0.02935532
q)3#select first price,t0:first time,t1:last time,n:count size by run:sums differ price from trade where sym=freqInstr
run| price    t0                   t1                   n
---| ----------------------------------------------------
1  | 20       0D04:01:04.000000000 0D04:01:04.000000000 1
2  | 82.6875  0D04:05:20.000000000 0D04:05:20.000000000 1
3  | 51.60156 0D04:20:16.000000000 0D04:20:16.000000000 1
q)3#select first price,n:count size by sym,run:(sums differ@;price)fby sym from trade where sym in fiftyInstrs
sym  run| price    n
--------| ----------
AAPL 1  | 20       1
AAPL 2  | 82.6875  1
AAPL 3  | 51.60156 1
q)select mid:med bsize+asize from quote where sym=infreqInstr
mid
----
5000
q)3#select med size by ex from trade
ex| size
--| ------
A | 114100
B | 124000
C | 111200
q)-3#aj[`sym`time;select sym,time,price from trade where sym in fiftyInstrs;select sym,time,bid,ask,qex:ex from quote]
sym  time                 price    bid      ask      qex
--------------------------------------------------------
GE   0D13:04:00.000000000 43.57031 60.33594 60.375   B
BAC  0D13:05:04.000000000 47.14062 40.64844 40.69531 Y
AAPL 0D13:07:12.000000000 28.63281 20.54688 20.84375 P
q)-3#aj[`sym`ex`time;select sym,ex,time,price from trade where size>500000e;select sym,ex,time,bid from quote]
sym  ex time                 price    bid
----------------------------------------------
ZION Q  0D12:51:12.000000000 79.71094 80.65625
PFE  T  0D13:00:48.000000000 82.375   83.14062
IBM  X  0D13:04:00.000000000 21.71875
q)exec avg not null bid from aj[`time;select time,price from trade where sym=freqInstr;select time,bid from quote where sym=freqInstr]
1f
