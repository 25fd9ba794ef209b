/ Display: one value of each kind by itself, in a vector, in a table cell.
q)1b
1b
q)0x0a
0x0a
q)1 2h
1 2h
q)0N 0W -0W
0N 0W -0W
q)1 0N 3i
1 0N 3i
q)0Ni
0Ni
q)5f
5f
q)1 2f
1 2f
q)1 2.5
1 2.5
q)1 0n
1 0n
q)0w -0w 1
0w -0w 1
q)1%7
0.1428571
q)123456789f
1.234568e+08
q)-0f
-0f
q)3.14e
3.14e
q)1 2e
1 2e
q)"a"
"a"
q)"say \"hi\"\n"
"say \"hi\"\n"
q)enlist"a"
,"a"
q)""
""
q)`
`
q)`a`b`
`a`b`
q)2000.01.01D00:00:00.000000001
2000.01.01D00:00:00.000000001
q)2019.01 2019.02m
2019.01 2019.02m
q)2000.02.29
2000.02.29
q)1D02:03:04.000000005
1D02:03:04.000000005
q)neg 0D00:00:01
-0D00:00:01.000000000
q)12:34
12:34
q)12:34:56
12:34:56
q)12:34:56.789
12:34:56.789
q)0Nd,2000.01.01
0N 2000.01.01
/ One-item and empty lists say their type.
q)enlist 5
,5
q)enlist 2f
,2f
q)`long$()
`long$()
q)`symbol$()
`symbol$()
q)`boolean$()
`boolean$()
q)()
()
q)enlist`a
,`a
q)enlist"abc"
,"abc"
q)enlist 1 2 3
1 2 3
/ Lists: one item a line; lists of one count line up in columns.
q)(1;`a;"x")
1
`a
"x"
q)(1 2;30 40)
1  2
30 40
q)(1;2 3)
1
2 3
q)(`a`b;1 2)
a b
1 2
q)(1 2;3 0N)
1 2
3
q)("ab";"cd")
"ab"
"cd"
q)(101b;010b)
101b
010b
q)((1;`a);(20;`b))
1  `a
20 `b
q)(1 2;"abc";::)
1 2
"abc"
::
/ Dictionaries pad their keys.
q)`a`bcd!1 2
a  | 1
bcd| 2
q)`a`b!(1 2;3 4 5)
a| 1 2
b| 3 4 5
q)`a`b!(1 20;300 4)
a| 1   20
b| 300 4
q)"xy"!`a`b
x| a
y| b
q)`a`b!(1;`s)
a| 1
b| `s
q)1 2!0N 5
1|
2| 5
/ Tables: nulls are blank, strings keep their quotes, nested cells are in one-line form.
q)([]s:`a`bc`;p:1.5 0n 3;n:0N 2 3)
s  p   n
--------
a  1.5
bc     2
   3   3
q)([]c:"ab";b:10b;x:0x01ff;d:2000.01.01 0Nd)
c b x  d
-----------------
a 1 01 2000.01.01
b 0 ff
q)([]s:("a b";"");l:(1 2;enlist 3);m:(`a`b;()))
s     l   m
--------------
"a b" 1 2 `a`b
""    ,3  ()
q)([]a:`long$();b:`symbol$())
a b
---
q)([k:`a`b]v:1 2)
k| v
-| -
a| 1
b| 2
q)([a:`x`yy;b:1 2]c:3 4;d:`p`)
a  b| c d
----| ---
x  1| 3 p
yy 2| 4
/ One-line form.
q)0N!(1;`a;"x");
(1;`a;"x")
q)-3!`a`b!1 2
"`a`b!1 2"
q)-3!(enlist`a)!enlist 1
"(,`a)!,1"
q)-3!([]a:1 2;b:`x`y)
"+`a`b!(1 2;`x`y)"
q)-3!([]a:1 2)
"+(,`a)!,1 2"
q)-3!([k:1 2]v:3 4)
"(+(,`k)!,1 2)!+(,`v)!,3 4"
q)-3!()!()
"()!()"
q)-3!enlist(1;2 3)
",(1;2 3)"
q)-3!`s#1 2 3
"`s#1 2 3"
/ Functions show their text.
q){x+y}
{x+y}
q)+
+
q)+/
+/
q){x+y}[1]
{x+y}[1]
q){x+y}[;1]
{x+y}[;1]
q)::
/ The console's width and height cut.
q)til 100
0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 ..
q)80#"a"
"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..
q)count"\n"vs .Q.s til each 1+til 30
24
q)count"\n"vs .Q.s([]a:til 1000)
24
q)\c 10 20
q)([]a:til 100)
a
-
0
1
2
3
4
..
q)til 20
0 1 2 3 4 5 6 7 8..
q)\c 25 80
/ Precision.
q)\P 3
q)1%3
0.333
q)\P 0
q)1%3
0.33333333333333331
q)0.1e
0.100000001e
q)\P 7
/ Enumerations, attributes and guids.
q)sym:`a`b`c
q)`sym$`a`c
`sym$`a`c
q)`sym$`b
`sym$`b
q)([]e:`sym$`a`c)
e
-
a
c
q)`u#1 2 3
`u#1 2 3
q)0Ng
00000000-0000-0000-0000-000000000000
q)"\303\274"
"\303\274"
/ A signal shows where.
q)1+`a
'type
  [0]  1+`a
        ^
q)nosuchname
'nosuchname
  [0]  nosuchname
       ^
/ Nested numbers in a table do without the type's letter.
q)([]a:(1 2i;enlist 3h);b:(1 2f;3 4e))
a   b
-------
1 2 1 2
,3  3 4
/ A semicolon after the keys of a table literal changes nothing.
q)([k:1 2];v:3 4)
k| v
-| -
1| 3
2| 4
q)enlist(::)
::
