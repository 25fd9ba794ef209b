/ Console commands and system values.
q)\P
7i
q)1%3
0.3333333
q)\P 3
q)1%3
0.333
q)\P 0
q)1%3
0.33333333333333331
q)system"P 7"
q)\c
25 80i
q)\c 10 20
q)til 30
0 1 2 3 4 5 6 7 8..
q)til each til 20
`long$()
,0
0 1
0 1 2
0 1 2 3
0 1 2 3 4
0 1 2 3 4 5
..
q)\c 25 80
q)\S
-314159i
q)\S 42
q)a:5?100
q)\S 42
q)a~5?100
1b
q)type each(.z.p;.z.d;.z.t;.z.n;.z.i;.z.o)
-12 -14 -19 -16 -6 -11h
q)abs[.z.p-.z.P]<0D01
1b
q)b:1
q)c:{x}
q)t:([]a:1 2)
q)\v
`a`b`t
q)\f
,`c
q)\a
,`t
q)tables[]
,`t
q)\nosuchcommand
'os
  [0]  \nosuchcommand
       ^
q)type system"t til 10"
-7h
/ The bytes are the most that stood at once: three sums in a row need no more than one.
q)0<last system"ts til 1000000"
1b
q)0<last system"ts 1000000#`a"
1b
q)0<last system"ts 1000#enlist 1 2"
1b
q)(last system"ts:3 sum til 1000000")=last system"ts sum til 1000000"
1b
q)(last system"ts sum til 10")<last system"ts sum til 1000000"
1b
q)(last system"ts sum til 1000000")<=last system"ts system\"ts sum til 10\";sum til 1000000;system\"ts sum til 10\""
1b
q)count system"ts til 10"
2
q)2=count system"echo a;echo b"
1b
q)getenv`QFUSE_NO_SUCH_VARIABLE
""
q).z.s
'.z.s
  [0]  .z.s
       ^
q){$[x<2;1;x*.z.s x-1]}5
120
q){.z.s x}1
'stack
/ Views are evaluated when they are used.
q)p:1
q)v::p+1
q)v
2
q)p:10
q)v
11
q)views[]
`s#,`v
q)view`v
"p+1"
q)`. `v
p+1
q)value`. `v
11
(+;`p;1)
,`p
"p+1"
q)w::p;select from t where p in v
q)value`. `w
::
(";";`p;(?;`t;,,(in;`p;`v);0b;()))
`p`t
"p;select from t where p in v"
q)w:0
q)value{select from t where p in v}
`byte$()
,`x
`symbol$()
``t
"{select from t where p in v}"
q)`. `p
10
q)v:3
q)views[]
`symbol$()
/ Internal functions and .Q.
q)-1!`a
`:a
q)-3!1 2
"1 2"
q)-9!-8!([]a:1 2;b:`x`y)
a b
---
1 x
2 y
q)-8!1
0x0100000011000000f90100000000000000
q).Q.s1`a`b
"`a`b"
q).Q.s 1 2
"1 2\n"
q).Q.ty each(1;1 2;"a";(1 2;3 4);(1;`a))
"jjcJ "
q).Q.f[2;3.14159]
"3.14"
q).Q.fmt[8;2;3.14159]
"    3.14"
q).Q.id`$"a b"
`ab
q).Q.A
"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
q).Q.qt([]a:1 2)
1b
q).Q.addmonths[2024.01.31;1]
2024.03.02
q).Q.fu[{x+1};1 2 1]
2 3 2
q)-27!(3i;1.5 2)
"1.500"
"2.000"
q)hsym`a.txt
`:a.txt
q)0x01000000~-8!0N
0b
/ The sample script of suppliers and parts is found where no file has its name. A script's values show on a line.
q)\l sp.q
+`p`city!(`p$`p1`p2`p3`p4`p5`p6`p1`p2;`london`london`london`london`london`lon..
(`s#+(,`color)!,`s#`blue`green`red)!+(,`qty)!,900 1000 1200
+`s`p`qty!(`s$`s1`s1`s1`s2`s3`s4;`p$`p1`p4`p6`p2`p2`p4;300 200 100 400 200 300)
q)select sum qty by s.city from sp
city  | qty
------| ----
london| 2200
paris | 900
q)tables[]
`p`s`sp`t
q)\l nosuch.q
'nosuch.q. OS reports: No such file or directory
  [0]  \l nosuch.q
       ^
q)x:10
q)while[x-:3;if[x<0;'`past]]
'past
  [0]  while[x-:3;if[x<0;'`past]]
                         ^
/ Local time is ahead by hours, or by minutes past 23.
q)\o
0Ni
q)\o 3
q)0D03~0D00:01 xbar .z.P-.z.p
1b
q)\o -90
q)-0D01:30~0D00:01 xbar 0D00:00:01+.z.P-.z.p
1b
q)\o 0N
q).z.f
`
/ Local time is universal time and what \o says.
q)\o 2
q)ltime 2024.01.01D12
2024.01.01D14:00:00.000000000
q)gtime 2024.01.01D12 2024.01.01D01
2024.01.01D10:00:00.000000000 2023.12.31D23:00:00.000000000
q)gtime ltime 2024.01.01T12:00
2024.01.01T12:00:00.000
q)\o -90
q)ltime 2024.01.01D12 0N
2024.01.01D10:30:00.000000000 0Np
q)ltime 2024.01.01
'type
  [0]  ltime 2024.01.01
       ^
q)\o 0N
q)gtime 2024.01.01D12
2024.01.01D12:00:00.000000000
