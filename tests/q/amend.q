/ Amend: parts of lists, dictionaries and tables, by value, by name and by assignment.
q)l:til 5
q)@[l;1 3;:;10 30]
0 10 2 30 4
q)@[l;1 3;+;100]
0 101 2 103 4
q)@[l;1 1;+;1 10]
0 12 2 3 4
q)@[l;2;neg]
0 1 -2 3 4
q)@[l;::;neg]
0 -1 -2 -3 -4
q)l
0 1 2 3 4
q)@[l;9;:;1]
'length
  [0]  @[l;9;:;1]
       ^
q)@[l;1;:;1.5]
'type
  [0]  @[l;1;:;1.5]
       ^
q)@[l;1 2;:;1 2 3]
'length
  [0]  @[l;1 2;:;1 2 3]
       ^
q).[(1 2;3 4);1 0;:;9]
1 2
9 4
q).[(1 2;3 4);(0 1;1);:;5 6]
1 5
3 6
q).[(1 2;3 4);(::;0);neg]
-1 2
-3 4
q).[(1 2;3 4);();,;enlist 5 6]
1 2
3 4
5 6
q)@[`a`b!1 2;`c;:;3]
a| 1
b| 2
c| 3
q)@[`a`b!1 2;`a`b;+;10]
a| 11
b| 12
q)@[([]a:1 2;b:3 4);`a;:;7 8]
a b
---
7 3
8 4
q)@[([]a:1 2;b:3 4);`a`b;neg]
a  b
-----
-1 -3
-2 -4
q).[([]a:1 2;b:3 4);(1;`b);:;9]
a b
---
1 3
2 9
q)@[([]a:1 2;b:3 4);0;:;`a`b!5 6]
a b
---
5 6
2 4
/ By name the variable changes, and the name is the result.
q)@[`l;0;:;99]
`l
q)l
99 1 2 3 4
q).[`l;enlist 1;+;1]
`l
q)l
99 2 2 3 4
/ Indexed assignment.
q)l[2]:77
q)l
99 2 77 3 4
q)l[0 1]+:1
q)l
100 3 77 3 4
q)l[]:0
q)l
0 0 0 0 0
q)m:(1 2;3 4)
q)m[1;0]:30
q)m[;1]:7 8
q)m
1  7
30 8
q)m[0],:9
q)m
1 7 9
30 8
q)d:`a`b!1 2
q)d[`b]+:5
q)d[`c]:7
q)d
a| 1
b| 7
c| 7
q)d[`x]:`sym
'type
  [0]  d[`x]:`sym
            ^
q)t:([]a:1 2 3;b:`x`y`z)
q)t[1;`a]:20
q)t[`b]:`p`q`r
q)t
a  b
----
1  p
20 q
3  r
q)t[`c]:1
q)t
a  b c
------
1  p 1
20 q 1
3  r 1
q)k:([k:`a`b]v:1 2)
q)k[`b;`v]:5
q)k[`c]:enlist[`v]!enlist 9
q)k
k| v
-| -
a| 1
b| 5
c| 9
q)g:(1;`a;"x")
q)g[1]:2
q)g[2]:3
q)g
1 2 3
q)type g
7h
/ The value of an assignment is what was assigned; through an operator, what then stands there.
q)1+l[2]:5
6
q)1+l[2]+:5
11
q)x,:1
q)x,:2 3
q)x
1 2 3
q)x,:`a
'type
  [0]  x,:`a
        ^
q)x[5]:1
'length
  [0]  x[5]:1
           ^
q)nosuch[0]:1
'nosuch
  [0]  nosuch[0]:1
                ^
/ Others who hold the value do not see the change.
q)a:1 2 3
q)b:a
q)a[0]:100
q)b
1 2 3
q)f:{x[0]:9;x}
q)f b
9 2 3
q)b
1 2 3
/ Several at once.
q)(p;q):1 2
q)p,q
1 2
/ What signals leaves the variable as it was, whatever the form.
q)x:1 2;x+:`a
'type
q)x
1 2
q)x:(1 2;`a`b);x[0]+:`a
'type
q)x
1 2
a b
q)d:`a`b!1 2;d+:`a
'type
q)d
a| 1
b| 2
q)d[`c]:`x
'type
q)d
a| 1
b| 2
q)t:([]a:1 2;b:`x`y);t[`a]+:`a
'type
q)t[`a;0]:`z
'type
q)t[`a]:1 2 3
'length
q)t,:([]a:1 2;c:3 4)
'mismatch
q)`t insert(`a;1)
'type
q)t
a b
---
1 x
2 y
q)f:{x,:`a;x};f 1 2
'type
q)x:1 2;@[`x;0;+;`a]
'type
q)x
1 2
/ A name without a value takes a whole one, or is appended to.
q).[`anew;();:;1 2]
`anew
q)(.[;();:;].)each((`t1;([]a:1 2));(`t2;5))
`t1`t2
q)(anew;t1;t2)
1 2
+(,`a)!,1 2
5
q).[`more;();,;([]a:1 2)];more
a
-
1
2
q).[`none;();+;1]
'none
  [0]  .[`none;();+;1]
       ^
q)@[`none;0;:;1]
'none
  [0]  @[`none;0;:;1]
       ^
