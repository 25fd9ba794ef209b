/ Application: brackets, juxtaposition, `@` and `.`, projections, compositions.
q)f:{x+2*y}
q)f[1;2]
5
q)f . 1 2
5
q)f[;2]
{x+2*y}[;2]
q)f[;2]1
5
q)f[1]
{x+2*y}[1]
q)f[1]2
5
q)(f[1])each 1 2 3
3 5 7
q)f[1;2;3]
'rank
  [0]  f[1;2;3]
       ^
q)g:{[a;b;c]a,b,c}
q)g[1;;3]2
1 2 3
q)g[;;3][;2]1
1 2 3
q)g[1][2;3]
1 2 3
q)(2+)3
5
q)+[;1]each 1 2
2 3
q){x}[]
q){[]7}[]
7
q){7}[1]
7
q){z}[1;2;3]
3
q){x+y+z}[1][2][3]
6
/ Compositions run right to left.
q)c:('[neg;+])
q)c[1;2]
-3
q)(neg abs@)[-3 4]
-3 -4
q)('[count;,])["ab";"cde"]
5
q)d:('[;])over({x+1};{x*2};{x+y})
q)d[3;4]
15
/ `@` and `.` on lists, dictionaries and names.
q)l:(1 2;3 4 5)
q)l[1;2]
5
q)l . 1 2
5
q)l[;0]
1 3
q)l[0 1;1]
2 4
q)(`a`b!1 2)`b
2
q)(`a`b!1 2)[`a`z]
1 0N
q)(`a`b!(1 2;3))[`a;1]
2
q)`f . 1 2
5
q)@[l;1]
3 4 5
q)l 5
`long$()
q)1 2 3 10
1 2 3 10
q)"abc"1 5
"b "
q)1 2 3 0N
1 2 3 0N
q)(("ab";"cd");"e")[0;1;0]
"c"
q)([]a:1 2;b:`x`y)[1]
a| 2
b| `y
q)([]a:1 2;b:`x`y)[1;`b]
`y
q)([]a:1 2;b:`x`y)[;`a]
1 2
q)([]a:1 2;b:`x`y)`b`a
x y
1 2
q)([k:`p`q]v:1 2)`q
v| 2
q)([k:`p`q]v:1 2)[`q;`v]
2
q)([k:`p`q]v:1 2)(`q;`z)
v
-
2
q)([k:`p`q;j:1 2]v:1 2)[(`q;2)]
v| 2
/ Traps.
q)@[{1+x};`a;{"failed: ",x}]
"failed: type"
q)@[{1+x};`a;0N]
0N
q).[{x+y};(1;`a);{x}]
"type"
q).[{x+y};1 2;{x}]
3
q)@[{'x};"mine";{x}]
"mine"
q)@[value;"1+";`bad]
+[1]
q).[`nosuch;();{x}]
'nosuch
  [0]  .[`nosuch;();{x}]
       ^
/ Names of what functions are.
q)type each({x};+;neg;f[1];c;+/;::)
100 102 101 104 105 107 101h
q)1 2 3[1]
2
q)5[1]
'type
  [0]  5[1]
       ^
q)`nosuch 1
'nosuch
  [0]  `nosuch 1
       ^
