/ Parts and facts of objects, and the q verbs that see inside them.
q)t:([]time:09:30 09:31 09:32;sym:`g#`a`b`a;p:1 2 3f;l:(1 2;3 4 5;`long$()))
q)T:.gpu.to t
q)T
time  sym p l
--------------------
09:30 a   1 1 2
09:31 b   2 3 4 5
09:32 a   3 `long$()
q).gpu.meta T
c   | t f a r
----| ---------
time| u     gpu
sym | s   g gpu
p   | f     gpu
l   | J     gpu
q)meta T
c   | t f a r
----| ---------
time| u     gpu
sym | s   g gpu
p   | f     gpu
l   | J     gpu
q).gpu.meta t
c   | t f a r
----| ---------
time| u     cpu
sym | s   g cpu
p   | f     cpu
l   | J     cpu
q)cols T
`time`sym`p`l
q).gpu.type each (T;t;.gpu.to 1 2 3;`a)
98 98 7 -11h
q)type T
112h
q).gpu.attr exec sym from T
`g
q)2 sublist T
time  sym p l
-----------------
09:30 a   1 1 2
09:31 b   2 3 4 5
q)-1 sublist T
time  sym p l
--------------------
09:32 a   3 `long$()
q)1 5 sublist T
time  sym p l
--------------------
09:31 b   2 3 4 5
09:32 a   3 `long$()
q).gpu.take[2;T]
time  sym p l
-----------------
09:30 a   1 1 2
09:31 b   2 3 4 5
q).gpu.take[5;.gpu.to 1 2 3]
1 2 3 1 2
q).gpu.take[-5;.gpu.to 1 2 3]
2 3 1 2 3
q).gpu.take[`p`sym;T]
p sym
-----
1 a
2 b
3 a
q).gpu.drop[`l`time;T]
sym p
-----
a   1
b   2
a   3
q).gpu.gather[.gpu.to 10 20 30;2 0N 0 7]
30 0N 10 0N
q).gpu.gather[.gpu.to `a`b;.gpu.to 1 1 -1]
`b`b`
q)`sym xkey T
sym| time  p l
---| ----------------
a  | 09:30 1 1 2
b  | 09:31 2 3 4 5
a  | 09:32 3 `long$()
q)() xkey `sym xkey T
sym time  p l
--------------------
a   09:30 1 1 2
b   09:31 2 3 4 5
a   09:32 3 `long$()
q)X:.gpu.xto[`p] ([]p:1 2f;q:3 4)
q).gpu.meta X
c| t f a r
-| ---------
p| f     gpu
q| j     cpu
q)X
p q
---
1 3
2 4
q)select p+q from X
p
-
4
6
q)(.gpu.from T)~update sym:`#sym from t
1b
q).gpu:use`kx.gpu
q).gpu.count T
3
q).gpu.drop[`l] ([]a:1 2;l:3 4)
a
-
1
2
q)10#.gpu.plan[T;"select sum p from T"]
"k0 reduce "
q).gpu.plan[T;"1+1"]
'GPU_INVALID_STATEMENT
q)K:select s:sum p by time.hh,sym from T
q)cols key K
`hh`sym
q)0!K
hh sym s
--------
9  a   4
9  b   2
q)value K
s
-
4
2
q)key K
hh sym
------
9  a
9  b
q){w:0!x;(key x)!value x} K
hh sym| s
------| -
9  a  | 4
9  b  | 2
q)pivot:{[k]p:asc distinct c:(0!k)last n:cols key k;exec p#(c!v)by h from ([]h:(0!k)first n;c;v:(0!k)first cols value k)}
q)pivot K
 | a b
-| ---
9| 4 2
q)key T
`T
q)type 0!K
98h
