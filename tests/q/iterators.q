/ The six iterators in all their forms.
q){x*x}each 1 2 3
1 4 9
q)count each("ab";"";"xyz")
2 0 3
q){x+y}'[1 2 3;10 20 30]
11 22 33
q){x+y}'[1;10 20 30]
11 21 31
q){x+y}'[1 2;1 2 3]
'length
  [0]  {x+y}'[1 2;1 2 3]
       ^
q)1 0 2'[10 20 30;1 2 3;5]
1 20 5
/ Over and scan fold; a seed goes on the left.
q)+/1 2 3 4
10
q)10+/1 2 3 4
20
q)(+\)1 2 3 4
1 3 6 10
q)10+\1 2 3
11 13 16
q){x,y}\[1 2 3]
1
1 2
1 2 3
q){x+y*z}/[1;2 3;4 5]
24
q){x+y*z}\[1;2 3;4 5]
9 24
q)max over 3 1 2
3
q)(+)scan 1 2 3
1 3 6
/ Converge stops at a value that repeats, or at the first one.
q){x div 2}/[100]
0
q){x div 2}\[20]
20 10 5 2 1 0
q)(neg\)1
1 -1
/ Do and while.
q)3{2*x}/1
8
q)3{2*x}\1
1 2 4 8
q){x<100}{2*x}/1
128
q){x<10}{2*x}\1
1 2 4 8 16
/ Lists are functions too: a walk through a list of successors.
q)1 2 3 0\[0]
0 1 2 3
q)(1 2 0;2 0 1)/[0;1 1 2]
0N
/ Prior: the first item meets the identity or a null.
q)deltas 4 7 9 1
4 3 2 -8
q)deltas 2024.01.03 2024.01.01
8768 -2i
q)ratios 2 6 3
2 3 0.5
q)(-':)[10;11 15 12]
1 4 -3
q){x,y}':[1 2 3]
1
2 1
3 2
q)prev 1 2 3
0N 1 2
q)next`a`b`c
`b`c`
q)2 xprev 1 2 3 4
0N 0N 1 2
q)-1 xprev 1 2 3
2 3 0N
q)(>)prior 1 3 2 5
1101b
/ Each right, each left, both.
q)1 2+/:10 20
11 12
21 22
q)1 2+\:10 20
11 21
12 22
q)"ab",/:\:"xy"
"ax" "ay"
"bx" "by"
q)2#/:1 2
1 1
2 2
q)`a`b in\:`a
10b
/ Dictionaries keep their keys.
q){x*2}each`a`b!1 2
a| 2
b| 4
q)+/[`a`b!1 2]
3
q)sums`a`b!1 2
a| 1
b| 3
/ Tables go row by row.
q){x`a}each([]a:1 2;b:3 4)
1 2
q){neg x}peach 1 2 3
-1 -2 -3
/ Over nothing.
q)(+/)()
0
q)(+\)()
()
q){x+y}/[()]
()
q){x+y}/[5;()]
5
q){x}each()
()
q){x}each 0#1
()
/ An iterator by itself, and what it makes.
q)(')
'
q)type each(';+/;+\;-':;,/:;,\:;{x}')
103 107 108 109 110 111 106h
q)f:+/
q)f 1 2 3
6
q)f[10;1 2 3]
16
q)(raze;sums;deltas)
,/
+\
-':
/ What joins starts from the empty list; what nothing folds into.
q)(,\)`a`b
,`a
`a`b
q)(,\)("ab";"c")
"ab"
"abc"
q)(&/)0#0
0W
q)(|/)0#0f
-0w
q)(+\)0#0
`long$()
q){x-y}/[0#0]
()
q){x-y}\[0#0]
()
/ Floats as a function of two: each value times its rate plus the next.
q)r:0.5 2 10
q)1 r\1 1 1f
1.5 4 41
q)1 r/1 1 1f
41f
q)0.5\[1f;1 2 3f]
1.5 2.75 4.375
q)(1 2f)r\1 1 1
1.5 2
4   5
41  51
q)1 r\0N 1 1
0n 0n 0n
q)1 r\1 1
'length
  [0]  1 r\1 1
         ^
/ A step that depends on nothing but its value, from a value that comes back, never ends.
q)(not/)5
'limit
  [0]  (not/)5
       ^
q)(not\)5
'limit
  [0]  (not\)5
       ^
q){$[x=7;2;x+1]}/[0]
'limit
  [0]  {$[x=7;2;x+1]}/[0]
       ^
q){x<10}{x mod 3}/5
'limit
  [0]  {x<10}{x mod 3}/5
             ^
q)({1 rotate x}/)til 5
4 0 1 2 3
q)(reverse\)"ab"
"ab"
"ba"
q)lim:20
q){lim-::1;$[lim<0;7;not x]}/[0b]
1
q)seen:()
q){seen,:x;$[9<count seen;3;1-x]}/[0]
1
q)count seen
2
q)0b in{$[1=rand 5;x;not x]}/[1b],01b
1b
q)(neg/)0 -0f
0 -0f
/ A no-break space is a blank, but not in a string.
q)1 + 2 3 4
3 4 5
q)count"1 2"
4
/ One argument completes an each prior, so repeating it counts turns.
q)prev\[2;1 2 3]
1 2 3
  1 2
    1
q)deltas/[2;1 4 9]
1 2 2
/ Compositions show by their parts.
q)(>=;<>)
~<
~=
q)value(>=)
~:
<
q)value differ
$["b"]
~~':
q)(neg abs@)
-@[abs]
/ A function that only names a primitive; an error is in it all the same.
q)f:{[a;b]a-b}
q)f/[10 2 3]
5
q){x+y}\[1 0N 2]
1 0N 0N
q)f[1 2;1 2 3]
'length
  [1]  f:{[a;b]a-b}
                ^
q)(f[1;2];{y-x}[1;2];{x-x}[3])
-1 1 0
q){x-y}[;1]2
1
/ A list of lists is a machine of states and inputs; a list or dictionary is a map walked along.
q)m:(1 2;0 3;3 0;2 1)
q)0 m\0 1 1 0 1
1 3 1 0 2
q)0 m/0 1 1 0 1
2
q)(m\)0 0 1 1 0 1
0 1 3 1 0 2
q)m\[0 1;(1 1;0 1)]
2 2       3 3
(3 0;3 0) (2 1;2 1)
q)m scan 3 0
3 2
q)0 m\0#0
()
q)type each(m/[0#0];m\[0#0];1 0 2h/[0#0])
0 0 5h
q)1 2 0\[0]
0 1 2
q)2(1 2 0)\0
0 1 2
q)(`a`b`c!`b`c`c)\[`a]
`a`b`c
