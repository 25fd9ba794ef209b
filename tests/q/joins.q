/ lj: columns of a keyed table; the first of equal keys; matched items replace, nulls too.
q)x:([]k:1 2 3 4;v:10 20 30 40)
q)y:([k:2 3 2]v:200 0N 999;w:`a`b`c)
q)x lj y
k v   w
-------
1 10
2 200 a
3     b
4 40
q)x ljf y
k v   w
-------
1 10
2 200 a
3 30  b
4 40
q)x ij y
k v   w
-------
2 200 a
3     b
q)x ijf y
k v   w
-------
2 200 a
3 30  b
q)(1!x)lj y
k| v   w
-| -----
1| 10
2| 200 a
3|     b
4| 40
q)x lj([]k:1 2;v:3 4)
'type
q)x lj 0#y
k v  w
------
1 10
2 20
3 30
4 40
q)(0#x)lj y
k v w
-----
/ Several key columns.
q)a:([]s:`a`a`b;d:1 2 1;v:1 2 3)
q)a lj([s:`a`b;d:2 1]p:5 6)
s d v p
-------
a 1 1
a 2 2 5
b 1 3 6
/ pj adds, what is missing counts as zero.
q)x pj y
'type
q)x pj([k:2 3]v:100 0N;u:1 2)
k v   u
-------
1 10  0
2 120 1
3 30  2
4 40  0
/ uj: all columns of both.
q)([]a:1 2;b:`x`y)uj([]b:`z`w;c:3 4f)
a b c
-----
1 x
2 y
  z 3
  w 4
q)([]a:1 2)uj([]a:3 4)
a
-
1
2
3
4
q)([k:1 2]v:10 20;w:`p`q)uj([k:2 3]v:0N 30;z:"mn")
k| v  w z
-| ------
1| 10 p
2|    q m
3| 30   n
q)([k:1 2]v:10 20;w:`p`q)ujf([k:2 3]v:0N 30;z:"mn")
k| v  w z
-| ------
1| 10 p
2| 20 q m
3| 30   n
/ ej: all matches, in the order of the right table; common columns are the right's.
q)ej[`k;([]k:1 2 2;v:1 2 3;w:`p`q`r);([]k:2 3 1;v:20 30 10;u:`s`t`u)]
k v  w u
--------
2 20 q s
2 20 r s
1 10 p u
/ Tables joined by `,`.
q)([]a:1 2;b:`x`y),([]b:`z`w;a:3 4)
a b
---
1 x
2 y
3 z
4 w
q)([k:1 2]v:10 20),([k:2 3]v:21 30)
k| v
-| --
1| 10
2| 21
3| 30
