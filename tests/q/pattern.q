/ Assignment to a pattern: names, constants, lists, dictionaries, tables, filters.
q)(a;b;c):1 2 3
q)c,b,a
3 2 1
q)(a;;c):4 5 6
q)a,b,c
4 2 6
q)(a;(b;c)):(1;`x`y)
q)c
`y
q)(a;b):7
q)a,b
7 7
q)(a;b):1 2 3
'length
  [0]  (a;b):1 2 3
            ^
/ A constant must match; nothing is set unless all of it does.
q)(`ok;a):(`ok;10)
q)a
10
q)(`ok;a):(`bad;11)
'match
  [0]  (`ok;a):(`bad;11)
              ^
q)a
10
q)(1;new):(1f;2)
'match
  [0]  (1;new):(1f;2)
              ^
q)new
'new
  [0]  new
       ^
q)(0N;a):(0N;12)
q)a
12
q)("abc";a):("abc";13)
q)(1 2;a):(1 2;14)
q)(3):3
q)(3):4
'match
  [0]  (3):4
          ^
q)("")~():()
0b
/ Only a constant in parentheses is a pattern.
q)3 4:x
'assign
  [0]  3 4:x
       ^
q)"ab":x
'assign
  [0]  "ab":x
       ^
/ Some entries of a dictionary, some columns of a table.
q)([x:v;y:(p;q1)]):`y`z`x!(1 2;3;4)
q)v,p,q1
4 1 2
q)([w:v]):`x`y!1 2
'match
  [0]  ([w:v]):`x`y!1 2
              ^
q)([w:v]):3
'type
  [0]  ([w:v]):3
              ^
q)([]s:u;n:(:{sum x})):t:([]n:1 2 3;s:`a`b`c)
q)u
`a`b`c
/ A type's letter: an atom, or in upper case a vector.
q)(a:`j;b:`S):(1;`x`y)
q)b
`x`y
q)(a:`j):1i
'type
  [0]  (a:`j):1i
             ^
q)(a:`J):1
'type
  [0]  (a:`J):1
             ^
q)(a:`f):1 2f
'type
  [0]  (a:`f):1 2f
             ^
q)(:`c):"x"
q)(a:`nosuch):1
'type
  [0]  (a:`nosuch):1
                  ^
/ A filter's result stands for the item, also in the value of the assignment.
q)(a:neg;:2*;c:count):(1;2;3 4)
q)a,c
-1 2
q)show(a:neg;:2*;c:count):(1;2;3 4)
-1 4 2
q)show([n:(x:2*;y)]):`m`n!(0;3 4)
m| 0
n| 6 4
q)x,y
6 4
q)positive:{$[x>0;x;'`negative]}
q)(a:positive):-3
'negative
  [1]  positive:{$[x>0;x;'`negative]}
                         ^
q)a
-1
/ Functions take them as parameters.
q)area:{[(w:`f;h:`f);unit]string[w*h],unit}
q)area[2 3f;"m2"]
"6m2"
q)area[2 3;"m2"]
'type
  [1]  area:{[(w:`f;h:`f);unit]string[w*h],unit}
              ^
q)area[2 3 4f;"m2"]
'length
  [1]  area:{[(w:`f;h:`f);unit]string[w*h],unit}
              ^
q)root:{[x:positive]sqrt x}
q)root 16
4f
q)root -16
'negative
  [2]  positive:{$[x>0;x;'`negative]}
                         ^
q)root each 4 9
2 3f
q){[([lo:l;hi:h])]h-l}`hi`lo!9 4
5
q){[a:`j;b]a+b}[1]2
3
q){[a:`j;b]a+b}["1";2]
'type
  [1]  {[a:`j;b]a+b}["1";2]
          ^
q){[a+b]a}
'parse
  [0]  {[a+b]a}
         ^
q){[1;b]b}[1;2]
2
q){[1;b]b}[2;2]
'match
  [1]  {[1;b]b}[2;2]
         ^
/ Names are the function's own.
q){(l1;l2):x;l1+l2}1 2
3
q)l1
'l1
  [0]  l1
       ^
q){(l1;g::l2):x}1 2
'assign
  [0]  {(l1;g::l2):x}1 2
        ^
q)parse"(a;1;b:f):x"
:
(enlist;`a;1;(:;`b;`f))
`x
q)(a;b)+:1 2
'assign
  [0]  (a;b)+:1 2
       ^
