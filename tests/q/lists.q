/ Parts of lists: take, drop, cut, reverse, rotate, first, last, where, flip, join.
q)til 5
0 1 2 3 4
q)til -1
'domain
  [0]  til -1
       ^
q)til 0
`long$()
q)3#1 2 3 4
1 2 3
q)-2#1 2 3 4
3 4
q)5#1 2
1 2 1 2 1
q)-5#1 2 3
2 3 1 2 3
q)3#`a
`a`a`a
q)2#0#1
0N 0N
q)0#`a`b
`symbol$()
q)2 3#til 6
0 1 2
3 4 5
q)2 3#1
1 1 1
1 1 1
q)0N 2#til 5
0 1
2 3
,4
q)2 0N#til 5
0 1
2 3 4
q)2 2 2#til 8
0 1 2 3
4 5 6 7
q)-1 2#til 4
'domain
  [0]  -1 2#til 4
           ^
q)2_1 2 3
,3
q)-1_1 2 3
1 2
q)9_1 2 3
`long$()
q)0 2_1 2 3 4
1 2
3 4
q)1 2 3_1
1 3
q)2 cut til 5
0 1
2 3
,4
q)0 3 cut"abcdef"
"abc"
"def"
q)3 1_til 5
'domain
  [0]  3 1_til 5
          ^
q)`a`c#`a`b`c!1 2 3
a| 1
c| 3
q)`a _`a`b`c!1 2 3
b| 2
c| 3
q)`a`b _`a`b`c!1 2 3
c| 3
q)(`a`b!1 2)_`a
b| 2
q)1_`a`b`c!1 2 3
b| 2
c| 3
q)2#`a`b`c!1 2 3
a| 1
b| 2
q)`b`a#([]a:1 2;b:3 4)
b a
---
3 1
4 2
q)(enlist`a)_([]a:1 2;b:3 4)
b
-
3
4
q)1#([]a:1 2;b:3 4)
a b
---
1 3
q)reverse 1 2 3
3 2 1
q)reverse`a`b!1 2
b| 2
a| 1
q)reverse"abc"
"cba"
q)2 rotate 1 2 3 4
3 4 1 2
q)-1 rotate"abcd"
"dabc"
q)first 1 2 3
1
q)last"abc"
"c"
q)first 0#1
0N
q)last()
()
q)first`a`b!1 2
1
q)first([]a:1 2;b:`x`y)
a| 1
b| `x
q)2 sublist til 5
0 1
q)-2 sublist til 5
3 4
q)10 sublist til 3
0 1 2
q)1 2 sublist til 5
1 2
q)1 9 sublist til 3
1 2
q)where 101b
0 2
q)where 2 0 3
0 0 2 2 2
q)where`a`b`c!101b
`a`c
q)where`a`b!2 1
`a`a`b
q)where 0b
'type
  [0]  where 0b
       ^
q)flip(1 2;3 4)
1 3
2 4
q)flip(1 2;3)
1 3
2 3
q)flip(1 2;3 4 5)
'length
  [0]  flip(1 2;3 4 5)
       ^
q)flip`a`b!(1 2;3 4)
a b
---
1 3
2 4
q)flip([]a:1 2;b:3 4)
a| 1 2
b| 3 4
q)flip`a`b!1 2
'rank
  [0]  flip`a`b!1 2
       ^
/ Join: one kind stays a vector, anything else makes a general list.
q)1 2,3
1 2 3
q)1,2.5
1
2.5
q)1 2,`a
1
2
`a
q)(),1
,1
q)(0#1),`a
,`a
q)1 2,()
1 2
q)"ab","c"
"abc"
q)(1 2;3),enlist 4 5
1 2
3
4 5
q)(`a`b!1 2),`b`c!20 30
a| 1
b| 20
c| 30
q)([]a:1 2),([]a:3 4)
a
-
1
2
3
4
q)([]a:1 2),`a!9
(,`a)!,1
(,`a)!,2
`a!9
q)([]a:1 2),([]b:3 4)
'mismatch
  [0]  ([]a:1 2),([]b:3 4)
                ^
q)([k:`a`b]v:1 2),([k:`b`c]v:20 30)
k| v
-| --
a| 1
b| 20
c| 30
q)1,`a`b!1 2
'type
  [0]  1,`a`b!1 2
        ^
q)raze(1 2;3;4 5)
1 2 3 4 5
q)raze("ab";"c")
"abc"
q)raze 42
,42
q)raze`a`b!(1 2;3 4)
1 2 3 4
q)raze(1;`a;"x")
1
`a
"x"
q)raze(([]a:1 2);([]a:enlist 3))
a
-
1
2
3
q)enlist 1
,1
q)enlist[1;2]
1 2
q)enlist`a`b!1 2
a b
---
1 2
q)count(1;2 3;`a)
3
q)count 5
1
q)count`a`b!1 2
2
/ Matrices: the order of the operations decides the last bits.
q)m:(2 1 0f;1 3 1f;0 1 4f)
q)m mmu inv m
1             0 0
-2.081668e-17 1 0
0             0 1
q)1e-15>max/[max abs(m mmu inv m)-"f"${x=/:x}til 3]
1b
q)(1 2 3f;4 5 6f)lsq m
0.3333333 0.3333333 0.6666667
1.666667  0.6666667 1.333333
q)1e-13>max/[max abs(1 2 3f;4 5 6f)-((1 2 3f;4 5 6f)lsq m)mmu m]
1b
q)inv(1 2f;2 4f)
'domain
  [0]  inv(1 2f;2 4f)
       ^
q)(enlist 1 2f)lsq(1 2f;2 4f)
'domain
  [0]  (enlist 1 2f)lsq(1 2f;2 4f)
                    ^
q)(enlist 0 1 4 9 16f)lsq xexp/:[til 5;til 3]
0 0 1
q)inv(0 1f;1 0f)
0 1
1 0
