/ Scope: locals, globals, namespaces, control words, returns.
q)f:{a:1;a+x}
q)f 2
3
q)a
'a
  [0]  a
       ^
q)f:{g::x;g}
q)f 5
5
q)g
5
q)f:{[x]x+:1;x}
q)f 1
2
q)f:{if[x>0;:`pos];if[x<0;:`neg];`zero}
q)f each 1 -1 0
`pos`neg`zero
q)f:{r:1;do[x;r*:2];r}
q)f 10
1024
q)f:{n:0;while[x>1;x:x div 2;n+:1];n}
q)f 1024
10
q)$[0;`a;1;`b;`c]
`b
q)$[0b;1;2]
2
q)$[`a;1;2]
'type
  [0]  $[`a;1;2]
       ^
q)$[0b;1;0b;2]
q)if[1b;z:5]
q)z
5
q){[a;b]$[a>b;a;b]}[3;4]
4
q){x;}1
q){'oops}1
'oops
  [1]  {'oops}1
         ^
q)'"a message"
'a message
  [0]  '"a message"
       ^
q){x+`a}1
'type
  [1]  {x+`a}1
         ^
q)nosuch
'nosuch
  [0]  nosuch
       ^
q){nosuch}[]
'nosuch
  [1]  {nosuch}[]
        ^
/ Namespaces.
q).n.a:1
q).n.f:{x+.n.a}
q).n.f 2
3
q)\d .n
q)a
1
q)b:2
q)\d .
q)b
'b
  [0]  b
       ^
q).n.b
2
q)\v .n
`a`b
q)\f .n
,`f
q).n
 | ::
a| 1
f| {x+.n.a}
b| 2
q)key`.n
``a`f`b
q).n.d:`x`y!1 2
q).n.d.x
1
q).n.d.y:20
q).n.d
x| 1
y| 20
q)\d .m
q)h:{w:1;w+x+y}
q)y:10
q)\d .
q).m.h[1;2]
4
q)delete b from`.n
`.n
q)key`.n
``a`f`d
/ Names by value.
q)`v set 42
`v
q)v
42
q)get`v
42
q)value`.n.a
1
q)value"1+2"
3
q)value(+;1;2)
3
q)value("+";1;2)
3
q)value`f
{n:0;while[x>1;x:x div 2;n+:1];n}
q)type value"{x}"
100h
