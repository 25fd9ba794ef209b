/ As-of joins: the last row not after, within equal keys.
q)t:([]s:`a`b`a`c;tm:10:00 10:00 10:05 10:05;n:1 2 3 4)
q)q:([]s:`a`a`b`a`b;tm:09:59 10:00 10:01 10:04 10:05;p:1 2 3 4 5;n:10 20 0N 40 50)
q)aj[`s`tm;t;q]
s tm    n  p
------------
a 10:00 20 2
b 10:00
a 10:05 40 4
c 10:05
q)aj0[`s`tm;t;q]
s tm    n  p
------------
a 10:00 20 2
b 10:00
a 10:04 40 4
c 10:05
q)ajf[`s`tm;t;q]
s tm    n  p
------------
a 10:00 20 2
b 10:00 2
a 10:05 40 4
c 10:05 4
q)ajf0[`s`tm;t;q]
s tm    n  p
------------
a 10:00 20 2
b 10:00 2
a 10:04 40 4
c 10:05 4
/ Of equal times the last in row order.
q)aj[`tm;([]tm:1 2 3);([]tm:1 2 2 3;v:`a`b`c`d)]
tm v
----
1  a
2  c
3  d
q)aj[`tm;([]tm:0 1 9);([]tm:1 2;v:`a`b)]
tm v
----
0
1  a
9  b
q)aj[`tm;([]tm:1 2i);([]tm:1 2;v:3 4)]
'type
q)aj[`s`tm;0#t;q]
s tm n p
--------
q)aj[`s`tm;t;0#q]
s tm    n p
-----------
a 10:00
b 10:00
a 10:05
c 10:05
/ asof: one row or many.
q)q asof`s`tm!(`a;10:03)
p| 2
n| 20
q)q asof([]s:`b`c;tm:10:03 10:03)
p n
---
3

/ wj: the rows in a window, ends included, and the one before it.
q)r:([]s:`a`a`a`b;tm:1 3 5 2;v:10 30 50 7)
q)e:([]s:`a`a`b;tm:4 6 1)
q)w:-1 1+\:e`tm
q)wj[w;`s`tm;e;(r;(sum;`v);(count;`v))]
s tm v
------
a 4  2
a 6  1
b 1  1
q)wj[w;`s`tm;e;(r;(sum;`v))]
s tm v
-------
a 4  80
a 6  50
b 1  7
q)wj1[w;`s`tm;e;(r;(sum;`v))]
s tm v
-------
a 4  80
a 6  50
b 1  7
q)wj[(2 4 0;3 4 0);`s`tm;e;(r;(::;`v))]
s tm v
-------------
a 4  10 30
a 6  ,30
b 1  `long$()
q)wj1[(2 4 0;3 4 0);`s`tm;e;(r;(::;`v))]
s tm v
-------------
a 4  ,30
a 6  `long$()
b 1  `long$()
q)wj1[(2 4 0;3 4 0);`s`tm;e;(r;({x+y};`tm;`v))]
s tm v
-------------
a 4  ,33
a 6  `long$()
b 1  `long$()
