/ insert and upsert.
q)t:([]s:`a`b;v:1 2)
q)`t insert(`c;3)
,2
q)`t insert(`d`e;4 5)
3 4
q)t
s v
---
a 1
b 2
c 3
d 4
e 5
q)`t insert([]v:6 7;s:`f`g)
5 6
q)`t insert`s`v!(`h;8)
,7
q)count t
8
q)`t insert(`i;9f)
'type
q)`t insert(`i;9;1)
'length
q)`t insert([]s:`x`y;z:1 2)
'mismatch
q)count t
8
q)`zz insert 1 2
'zz
/ A key may be there once.
q)k:([id:`x`y]v:1 2)
q)`k insert(`z;3)
,2
q)`k insert(`x;4)
'insert
q)k
id| v
--| -
x | 1
y | 2
z | 3
q)k upsert(`x;10)
id| v
--| --
x | 10
y | 2
z | 3
q)`k upsert([id:`y`w]v:20 40)
`k
q)k
id| v
--| --
x | 1
y | 20
z | 3
w | 40
q)t:([]s:`a`b;v:1 2)
q)t upsert(`c;3)
s v
---
a 1
b 2
c 3
q)t upsert((`c;3);(`d;4))
s v
---
a 1
b 2
c 3
d 4
q)t upsert([]v:enlist 9)
s v
---
a 1
b 2
  9
q)`t upsert(`z;0N)
`t
q)t
s v
---
a 1
b 2
z
/ An empty untyped column takes the type of its first rows.
q)e:([]a:();b:())
q)`e insert(`x;1)
,0
q)meta e
c| t f a
-| -----
a| s
b| j
q)n:([]a:`long$();b:`symbol$())
q)`n insert(1 2;`x`y)
0 1
q)`n insert(1.5;`z)
'type
/ A million one-row inserts are not a million copies.
q)do[1000;`n insert(3;`z)]
q)count n
1002
q)`n insert()
`long$()
/ One row finds its key by every column of it: nulls meet nulls, and the zeros are one.
q)k:([a:1 1 0N 2;f:0n -0. 0. 0n]v:1 2 3 4)
q)`k upsert(1;0n;10)
`k
q)`k upsert(1;0.;20)
`k
q)`k upsert(0N;-0.;30)
`k
q)`k upsert(2;0.;40)
`k
q)`k insert(2;0n;50)
'insert
  [0]  `k insert(2;0n;50)
          ^
q)k
a f | v
----| --
1   | 10
1 -0| 20
  0 | 30
2   | 4
2 0 | 40
q)`k upsert(2i;0.;40)
'type
  [0]  `k upsert(2i;0.;40)
          ^
/ A unique column stays one while it is, and grows in place.
q)u:([]a:`u#1 2;b:`g#`x`y)
q)`u insert(3;`x)
,2
q)meta u
c| t f a
-| -----
a| j   u
b| s   g
q)`u insert(3;`x)
,3
q)meta u
c| t f a
-| -----
a| j
b| s   g
q)u
a b
---
1 x
2 y
3 x
3 x
/ A list appended to a variable that holds a table is a record, or several.
q)t:([]a:1 2;b:`x`y)
q)t,:(3;`z)
q)t,:((4;`u);(5;`v))
q)t,:()
q)t
a b
---
1 x
2 y
3 z
4 u
5 v
q)t,:(6;7)
'type
  [0]  t,:(6;7)
        ^
q)t,:1 2 3
'length
  [0]  t,:1 2 3
        ^
q)count t
5
q){[t]t,:(0;`local);last t}t
a| 0
b| `local
q).[`t;();,;(9;`nine)];last t
a| 9
b| `nine
q)t,:8
'type
  [0]  t,:8
        ^
q)k:([i:`long$()]s:`$();n:`int$())
q)k,:(7;`James;40i)
q)k,:(7;`James;20i)
q)k,:(8;`Jane;30)
'type
  [0]  k,:(8;`Jane;30)
        ^
q)k[9]:(`Joe;1i)
q)k[9]:`n`s!(2i;`Joan)
q)k[7]:(`Jim;3i)
q)k
i| s    n
-| ------
7| Jim  3
9| Joan 2
q)k[10]:(`Bo;`la)
'type
  [0]  k[10]:(`Bo;`la)
            ^
q)k[10]:enlist`Bo
'length
  [0]  k[10]:enlist`Bo
            ^
q)k[10;`n]:5i
q)k
i | s    n
--| ------
7 | Jim  3
9 | Joan 2
10|      5
q)o:([k:`$()]v:`long$())
q)o[`a]:1
q)o[`b]:enlist 2
q)o[`a]:3
q)o
k| v
-| -
a| 3
b| 2
/ A name without a value takes a table whole.
q)`tnew insert([c:`a`b]d:10 20)
0 1
q)`tup upsert([]c:`a`b)
`tup
q)`tnone insert(1;2)
'tnone
  [0]  `tnone insert(1;2)
              ^
q)`tnone upsert(1;2)
'tnone
  [0]  `tnone upsert(1;2)
              ^
q)`tnew insert(`c;30)
,2
q)(tnew;tup)
(+(,`c)!,`a`b`c)!+(,`d)!,10 20 30
+(,`c)!,`a`b
