/ What a query takes from the host: closed expressions, variables, functions, dictionaries, lists beside columns.
q)T:.gpu.to ([]sym:`b`a`b``a`b`a;p:10 20 30 40 50 60 5f;n:1 2 0N 4 0N 6 7;e:1100101b;c:"abcabca")
q)d:"ab"!`x`y; sd:`s#0 20 40f!`lo`mid`hi; nd:`a`b!1.5 2.5
q)f:{x*2}; g:+[10]; h:{[a;b]a-b}[;1]; L:10 20 30 40 50 60 70; S:`u`v`w`u`v`w`x; k:2
q)select d c,sd p,nd sym from T
c p   sym
---------
x lo  2.5
y mid 1.5
  mid 2.5
x hi
y hi  1.5
  hi  2.5
x lo  1.5
q)select sum p by d c from T
c| p
-| --
 | 90
x| 55
y| 70
q)select f p,g n,h n,p+L,S from T
p   n  n1 p1  S
---------------
20  11 0  20  u
40  12 1  40  v
60        60  w
80  14 3  80  u
100       100 v
120 16 5  120 w
10  17 6  75  x
q)select from T where n in 1+til 3
sym p  n e c
------------
b   10 1 1 a
a   20 2 1 b
q)select from T where p=max 10 20 30f,sym in exec distinct sym from T where p>45
sym p  n e c
------------
b   30   0 c
q)select L bin n,b:1 5 9 binr n,S?sym,1 2 4 6?n from T
n  b S x
--------
-1 0 7 0
-1 1 7 1
-1 0 7 4
-1 1 7 2
-1 0 7 4
-1 2 7 3
-1 2 7 4
q)update z:L,y:S from T
sym p  n e c z  y
-----------------
b   10 1 1 a 10 u
a   20 2 1 b 20 v
b   30   0 c 30 w
    40 4 0 a 40 u
a   50   1 b 50 v
b   60 6 0 c 60 w
a   5  7 1 a 70 x
q)select n+1 2 3 4 from T where e
n
--
2
4

11
q)select sum n by L from T
L | n
--| -
10| 1
20| 2
30| 0
40| 4
50| 0
60| 6
70| 7
q)select sum n by g:`zz from T
g | n
--| --
zz| 20
q)update x:`lit,n:0 from T where e
sym p  n e c x
----------------
b   10 0 1 a lit
a   20 0 1 b lit
b   30   0 c
    40 4 0 a
a   50 0 1 b lit
b   60 6 0 c
a   5  0 1 a lit
q)select L n,S n from T
n  n1
-----
20 v
30 w

50 v

70 x
q)select x:1 2 3 from T
x
-
1
2
3
q)select s:`a`b`c from T
s
-
a
b
c
q)exec 1 2 3 from T
1 2 3
q)select n wavg L from T
L
--
53
q){[a;b]select from T where p>a,n<b}[15;5]
sym p  n e c
------------
a   20 2 1 b
b   30   0 c
    40 4 0 a
a   50   1 b
/ Lists beside the rows of each group, and beside none.
q)select n+1 2 by c from T where i in 0 3 1 4
c| n
-| ----
a| 2 6
b| 3 0N
q)update z:L by e:e=e from T
sym p  n e c z
---------------
b   10 1 1 a 10
a   20 2 1 b 20
b   30   0 c 30
    40 4 0 a 40
a   50   1 b 50
b   60 6 0 c 60
a   5  7 1 a 70
q)select n+0#0 from T where p>1000
n
-
q)select n+0#0 by c from T where p>1000
c| n
-| -
/ Lists of another count than the rows.
q)select n+1 2 by c from T where i in 0 3 1
'length
  [0]  select n+1 2 by c from T where i in 0 3 1
       ^
q)select n+enlist 1 from T where p>1000
'length
  [0]  select n+enlist 1 from T where p>1000
       ^
q)select n+1 2 3 from T
'length
  [0]  select n+1 2 3 from T
       ^
q)update z:L by e from T
'length
  [0]  update z:L by e from T
       ^
q)select x:1 2 3,n from T
'length
  [0]  select x:1 2 3,n from T
       ^
/ Names that are nothing, and functions of the wrong rank.
q)select nosuch n from T
'nosuch
  [0]  select nosuch n from T
       ^
q)select h[n;n;n] from T
'rank
  [0]  select h[n;n;n] from T
       ^
