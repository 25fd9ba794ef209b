/ Text and files.
q)("SJF";enlist",")0:("s,n,p";"a,1,1.5";"b,2,x")
s n p
-------
a 1 1.5
b 2
q)("SJF";",")0:("a,1,1.5";"b,2,2.5")
a   b
1   2
1.5 2.5
q)("S J";enlist",")0:("s,skip,n";"a,q,1";"b,q,2")
s n
---
a 1
b 2
q)("S*";enlist",")0:("s,t";"a,\"x, y\"";"b,\"say \"\"hi\"\"\"")
s t
--------------
a "x, y"
b "say \"hi\""
/ A short line is filled with nulls, what is too much is not read.
q)("SJF";enlist",")0:("s,n,p";"a,1";"b";"c,3,4.5,extra")
s n p
-------
a 1
b
c 3 4.5
q)("DTP";",")0:enlist"2024.01.15,10:20:30.123,2024.01.15D10:20:30"
2024.01.15
10:20:30.123
2024.01.15D10:20:30.000000000
q)("SJ";3 2)0:("abc12";"de  7")
abc de
12  7
q)("S*";3 2)0:("abc x";"de y ")
abc  de
" x" "y "
q)"S=;"0:"a=1;b=two"
a    b
,"1" "two"
q)"I=;"0:"1=x;2=y"
1    2
,"x" ,"y"
q)","0:([]a:1 2;b:`x`y;c:("p,q";"r"))
"a,b,c"
"1,x,\"p,q\""
"2,y,r"
q)"\t"0:(1 2;`a`b)
"1\ta"
"2\tb"
q)("SQ";",")0:enlist"a,b"
'type
  [0]  ("SQ";",")0:enlist"a,b"
                 ^
q)("SJ";enlist",")0:`:/tmp/qfuse_no_such_file.csv
'/tmp/qfuse_no_such_file.csv. OS reports: No such file or directory
  [0]  ("SJ";enlist",")0:`:/tmp/qfuse_no_such_file.csv
                       ^
q)`:/tmp/qfuse_console_test.csv 0:","0:([]s:`a`b;n:1 2)
`:/tmp/qfuse_console_test.csv
q)read0`:/tmp/qfuse_console_test.csv
"s,n"
"a,1"
"b,2"
q)("SJ";enlist",")0:`:/tmp/qfuse_console_test.csv
s n
---
a 1
b 2
q)hcount`:/tmp/qfuse_console_test.csv
12
q)read1(`:/tmp/qfuse_console_test.csv;0;3)
0x732c6e
q)`:/tmp/qfuse_console_test set([]a:1 2;b:`x`y)
`:/tmp/qfuse_console_test
q)get`:/tmp/qfuse_console_test
a b
---
1 x
2 y
q)`:/tmp/qfuse_console_test~key`:/tmp/qfuse_console_test
1b
q)hdel each`:/tmp/qfuse_console_test`:/tmp/qfuse_console_test.csv
`:/tmp/qfuse_console_test`:/tmp/qfuse_console_test.csv
q)key`:/tmp/qfuse_console_test
()
q)-1"to the console";
to the console
q)1"no newline\n";
no newline
q)-1("two";"lines");
two
lines
/ Nothing to write goes anywhere.
q)42()
42
q)42"xy"
'Bad file descriptor
  [0]  42"xy"
       ^
/ The size of what -8! makes, told without making it.
q)f:{(-22!x)=count -8!x}
q)f each(1;1b;`abc;"abc";1 2 3;`a`bc;(1;`a;"x");2024.01.01;0Ng;`s#1 2;`a`b!1 2;([]a:1 2;b:`x`y);([k:`a`b]v:1 2f);{x+y};+;::;();`symbol$())
111111111111111111b
