/ Sorting is stable, nulls first going up; search is exact.
q)asc 3 1 0N 2
`s#0N 1 2 3
q)desc 3 1 0N 2
3 2 1 0N
q)iasc 2 1 3 1
1 3 0 2
q)idesc 2 1 3 4 2 1 2
3 2 0 4 6 1 5
q)asc`c`a``b
`s#``a`b`c
q)asc"hello"
`s#"ehllo"
q)asc 1 -0w 0n 0w
`s#0n -0w 1 0w
q)asc(2 1;1 5;enlist 1)
,1
1 5
2 1
q)asc`a`b`c!3 1 2
b| 1
c| 2
a| 3
q)desc([]a:2 1 3;b:`x`y`z)
a b
---
3 z
2 x
1 y
q)asc([]a:2 1 2;b:3 4 1)
a b
---
1 4
2 1
2 3
q)rank 30 10 20
2 0 1
q)4 xrank til 9
0 0 0 1 1 2 2 3 3
q)3 xrank 5 4 3 2 1
2 1 1 0 0
q)iasc 5
'rank
  [0]  iasc 5
       ^
q)attr asc 3 1 2
`s
q)attr desc 3 1 2
`
q)1 3 5 bin 0 1 2 5 9
-1 0 0 2 2
q)1 3 5 binr 0 1 2 5 9
0 0 1 2 3
q)1 3 5 bin 4
1
q)`a`c bin`b
0
q)1 2 3 bin 1.5
'type
  [0]  1 2 3 bin 1.5
             ^
q)([]a:1 1 2;b:10 20 5)bin([]a:1 2 3;b:15 5 0)
0 2 0N
/ Find, distinct, group.
q)1 2 3?2
1
q)1 2 3?5 3 0N
3 2 3
q)0n 1 0n?0n
0
q)1 2 3?2.0
'type
  [0]  1 2 3?2.0
            ^
q)("ab";"cd")?"cd"
1
q)("ab";"cd")?("cd";"zz")
1 2
q)(1 2;3 4)?3 4
1
q)(1 2;3)?3
2
q)(1;`a;"x")?`a
1
q)(1;`a;"x")?(`a;9)
1 3
q)(`a`b!1 2)?2
`b
q)(`a`b!1 2)?5
`
q)([]a:1 2;b:`x`y)?`a`b!(2;`y)
1
q)([]a:1 2;b:`x`y)?([]a:2 9;b:`y`x)
1 2
q)distinct 3 1 3 2 1
3 1 2
q)distinct 0n 0n 1
0n 1
q)distinct 0 -0.0
,0f
q)distinct("ab";"cd";"ab")
"ab"
"cd"
q)distinct([]a:1 1 2;b:`x`x`y)
a b
---
1 x
2 y
q)distinct 1.0,1.0+1e-15
1 1f
q)group 3 1 3
3| 0 2
1| ,1
q)group`a`b`a
a| 0 2
b| ,1
q)group"mississippi"
m| ,0
i| 1 4 7 10
s| 2 3 5 6
p| 8 9
q)group`x`y`z!1 2 1
1| `x`z
2| ,`y
q)group([]a:1 2 1)
a|
-| ---
1| 0 2
2| ,1
/ Sets.
q)1 5 in 1 2 3
10b
q)`a in`a`b
1b
q)"a"in"abc"
1b
q)(1 2;3 4)in enlist 3 4
01b
q)1 in()
0b
q)1 2.5 in 1
10b
q)1 2 in 1 2f
'type
  [0]  1 2 in 1 2f
           ^
q)1 2 3 union 3 4
1 2 3 4
q)1 2 3 inter 2 3 4
2 3
q)1 2 3 2 except 2
1 3
q)`a`b`c except`b
`a`c
q)("ab";"cd")except enlist"ab"
,"cd"
q)(`a`b!1 2)inter`c`d!2 3
,2
q)([]a:1 2 3)except([]a:enlist 2)
a
-
1
3
q)1 2 cross`a`b
1 `a
1 `b
2 `a
2 `b
q)([]a:1 2)cross([]b:`x`y)
a b
---
1 x
1 y
2 x
2 y
