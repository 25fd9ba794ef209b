/ Tables on disk, and symbols beside their domain.
q)system"rm -rf /tmp/qfuse_splay"
()
q)t:([]s:`b`a`b;x:1 2 3;n:("one";"";"three");p:0n 2.5 -0w)
q)`:/tmp/qfuse_splay/t/ set t
'type
  [0]  `:/tmp/qfuse_splay/t/ set t
                             ^
q)`:/tmp/qfuse_splay/t/ set .Q.en[`:/tmp/qfuse_splay;t]
`:/tmp/qfuse_splay/t/
q)key`:/tmp/qfuse_splay
`sym`t
q)key`:/tmp/qfuse_splay/t
`.d`n`p`s`x
q)sym
`b`a
q)get`:/tmp/qfuse_splay/t/
s x n       p
---------------
b 1 "one"
a 2 ""      2.5
b 3 "three" -0w
q)flip`p`x!`:/tmp/qfuse_splay/t/
p   x
-----
    1
2.5 2
-0w 3
q)t~get`:/tmp/qfuse_splay/t
0b
q)exec s from get`:/tmp/qfuse_splay/t
`sym$`b`a`b
q)meta get`:/tmp/qfuse_splay/t
c| t f a
-| -----
s| s
x| j
n| C
p| f
/ More rows, more symbols: the domain only grows.
q)`:/tmp/qfuse_splay/t/ upsert .Q.en[`:/tmp/qfuse_splay;([]s:`c`a;x:4 5;n:("";"five");p:1 2f)]
`:/tmp/qfuse_splay/t/
q)select s,x from get`:/tmp/qfuse_splay/t
s x
---
b 1
a 2
b 3
c 4
a 5
q)get`:/tmp/qfuse_splay/sym
`b`a`c
q)`:/tmp/qfuse_splay/sym?`a`d
`sym$`a`d
q)sym
`b`a`c`d
/ An enumeration without its domain has no symbols to show.
q)delete sym from `.
`.
q)get`:/tmp/qfuse_splay/t
'sym
  [0]  get`:/tmp/qfuse_splay/t
       ^
q)load`:/tmp/qfuse_splay/sym
`sym
q)exec s from get`:/tmp/qfuse_splay/t
`sym$`b`a`b`c`a
/ Keyed tables and lists of symbols have no splayed form.
q)`:/tmp/qfuse_splay/k/ set([k:1 2]v:3 4)
'type
  [0]  `:/tmp/qfuse_splay/k/ set([k:1 2]v:3 4)
                             ^
q)`:/tmp/qfuse_splay/k/ set([]v:(`a`b;`c))
'type
  [0]  `:/tmp/qfuse_splay/k/ set([]v:(`a`b;`c))
                             ^
q)`:/tmp/qfuse_splay/k/ set 1 2 3
'type
  [0]  `:/tmp/qfuse_splay/k/ set 1 2 3
                             ^
/ By name.
q)u:([]a:1 2;b:3 4f)
q)rsave`:/tmp/qfuse_splay/u
`:/tmp/qfuse_splay/u/
q)delete u from `.
`.
q)rload`:/tmp/qfuse_splay/u
`u
q)u
a b
---
1 3
2 4
/ A file is amended by its handle.
q).[`:/tmp/qfuse_splay/l;();:;1 2 3]
`:/tmp/qfuse_splay/l
q).[`:/tmp/qfuse_splay/l;();,;4 5]
`:/tmp/qfuse_splay/l
q)@[`:/tmp/qfuse_splay/l;0 1;+;10]
`:/tmp/qfuse_splay/l
q)get`:/tmp/qfuse_splay/l
11 12 3 4 5
q)@[`:/tmp/qfuse_splay/none;0;:;1]
'/tmp/qfuse_splay/none. OS reports: No such file or directory
  [0]  @[`:/tmp/qfuse_splay/none;0;:;1]
       ^
/ An enumeration by itself, with its attribute.
q)`:/tmp/qfuse_splay/e set`g#`sym$`a`b`a
`:/tmp/qfuse_splay/e
q)get`:/tmp/qfuse_splay/e
`g#`sym$`a`b`a
q)attr get`:/tmp/qfuse_splay/e
`g
/ A damaged file.
q)`:/tmp/qfuse_splay/t/x 1:0xff01
`:/tmp/qfuse_splay/t/x
q)get`:/tmp/qfuse_splay/t
'badmsg
  [0]  get`:/tmp/qfuse_splay/t
       ^
/ Handles append; other processes are out of reach.
q)h:hopen`:/tmp/qfuse_splay/h.txt
q)h"ab";neg[h]"c";neg[h]("de";"fg");h 0x680a
3i
q)hclose h
q)read0`:/tmp/qfuse_splay/h.txt
"abc"
"de"
"fg"
,"h"
q)@[h;"x";{x}]
'type
  [0]  @[h;"x";{x}]
       ^
q)hclose h
'Bad file descriptor
  [0]  hclose h
       ^
q)hopen`:localhost:5000
'hop
  [0]  hopen`:localhost:5000
       ^
q)hopen 5000
'hop
  [0]  hopen 5000
       ^
/ The environment of this program and of those that it starts.
q)setenv[`QFUSE_TEST;"a b"]
q)getenv`QFUSE_TEST
"a b"
q)system"echo $QFUSE_TEST"
,"a b"
q)setenv[`QFUSE_TEST;1]
'type
  [0]  setenv[`QFUSE_TEST;1]
       ^
/ Columns of a table by its name: a folder is read, another name stands for a partitioned table.
q)`a`b!`nowhere
`a`b!`nowhere
q)flip `a`b!`nowhere
+`a`b!`nowhere
q)cols flip `a`b!`nowhere
`a`b
q)flip flip `a`b!`nowhere
`a`b!`nowhere
q)select from flip `a`b!`nowhere
'nowhere
  [0]  select from flip `a`b!`nowhere
       ^
q)select[1] from flip `a`b!`nowhere
'nyi
  [0]  select[1] from flip `a`b!`nowhere
                      ^
q)count flip `a`b!`nowhere
'nowhere
  [0]  count flip `a`b!`nowhere
       ^
/ A query reads a table by its handle.
q)`:byname/ set([]a:1 2 3;b:4 5 6f);
q)select sum b by a>1 from`:byname
a| b
-| --
0| 4
1| 11
q)exec a from`:byname/ where b>4
2 3
q)?[`:byname;enlist(=;`a;2);0b;()]
a b
---
2 5
q)cols`:byname
`a`b
q)meta`:byname
c| t f a
-| -----
a| j
b| f
q)delete b from`:byname
'splay
  [0]  delete b from`:byname
       ^
q)update a:1 from`:byname
'splay
  [0]  update a:1 from`:byname
       ^
q)select from`:nosuchtable
'nosuchtable. OS reports: No such file or directory
  [0]  select from`:nosuchtable
       ^
q)hdel each` sv'`:byname,'key`:byname;
q)hdel`:byname;
