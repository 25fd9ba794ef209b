/ The members of .Q that are plain q.
q).Q.btoa each("";"a";"ab";"Hello World!")
""
"YQ=="
"YWI="
"SGVsbG8gV29ybGQh"
q).Q.atob each .Q.btoa each("a";"ab";"abc";"\000\377+/")
,"a"
"ab"
"abc"
"\000\377+/"
q).Q.x10 12345
"AAAAAAADA5"
q).Q.j10 each("";"AAAAAAADA5";"9999999999")
0 12345 1116320821920915325
q).Q.x12 each 0 12345
"000000000000"
"0000000009IX"
q).Q.j12 .Q.x12 12345
12345
/ Parameters have the types of their defaults; what is no parameter is kept.
q).Q.def[`abc`xyz`efg!(1;2.;`a)].Q.opt("-abc";"123";"-xyz";"321")
abc| 123
xyz| 321f
efg| `a
q).Q.def[`n`d`f`s!(1;1999.01.01;23.1;"")].Q.opt("-n";"11";"-d";"2000.01.01";"-f";"wrong";"-s";"text")
n| 11
d| 2000.01.01
f| 0n
s| "text"
q).Q.def[`a`b!1 2]`a`c!3 4
a| 3
b| 2
q).Q.opt("from";"to";"-one";"12";"-none";"-two";"as";"asd")
one | ,"12"
none| ()
two | ("as";"asd")
q).Q.x
"from"
"to"
/ Names that can be columns: letters first, no words of the language, no name twice.
q).Q.id each`$("ab";"a/b";"two words";"2drifters";"+";"_";"")
`ab`ab`twowords`a2drifters`a`a_`a
q)cols .Q.id flip(`select`in`til`ok)!4#()
`select1`in1`til1`ok
q)cols .Q.id(`$("count+";"count*";"count1"))xcol([]1 2;3 4;5 6)
`count1`count11`count12
q)cols .Q.id(`$("3aa";"_aa";"=";"+"))xcol([]a:1 2;b:3 4;c:5 6;d:7 8)
`a3aa`a_aa`a`a1
q).Q.id(`abs`x)!1 2
abs1| 1
x   | 2
q).Q.id 1!flip(`$("k 1";"v"))!(1 2;3 4)
k1| v
--| -
1 | 3
2 | 4
/ New columns are null.
q).Q.ff[([]a:1 2)]enlist`a`b`c!(1;`x;2.5)
a b c
-----
1
2
q).Q.V([k:1 2]v:3 4)
k| 1 2
v| 3 4
q)s:([k:`a`b]v:1 2);t:([]f:`s$`a`b;g:1 2);e:`x`y
q).Q.fk each(t`f;t`g;`e$`x`y)
`s``
/ Lumps of whole lines; a line longer than a lump is one.
q)`:fs.txt 0:("ab";"cde";"f";"ghijklmnop");
q).Q.fs[0N!]`:fs.txt
("ab";"cde";,"f";"ghijklmnop")
20
q).Q.fsn[0N!;`:fs.txt;6]
,"ab"
("cde";,"f")
,"ghijklmnop"
20
q)`:fs.txt 1:"a\nbc";
q).Q.fsn[0N!;`:fs.txt;2]
,,"a"
,"bc"
4
q)hdel`:fs.txt;
q).Q.ts[{x+y};1 2]1
3
q)type each .Q.ts[+;(til 100000;1)]
7 7h
q).Q.K~.z.k
1b
q)type .z.X
0h
