/ Symbols and enumerations: equality, order, membership, keys and results by name.
q)sym:`z`a`m`b
q)T:.gpu.to ([]s:`m`a`z`m`;e:`sym$`a`z`b`m`a;v:1 2 3 4 5)
q)select from T where s=`m
s e v
-----
m a 1
m m 4
q)select from T where s<>`m
s e v
-----
a z 2
z b 3
  a 5
q)select from T where s<`m
s e v
-----
a z 2
  a 5
q)select from T where s in `a`q
s e v
-----
a z 2
q)select from T where e=`a
s e v
-----
m a 1
  a 5
q)select from T where e in `z`b
s e v
-----
a z 2
z b 3
q)select from T where s=`nosuch
s e v
-----
q)select sum v by s from T
s| v
-| -
 | 5
a| 2
m| 5
z| 3
q)select sum v by e from T
e| v
-| -
a| 6
b| 3
m| 4
z| 2
q)select first s,last e by big:v>2 from T
big| s e
---| ---
0  | m z
1  | z a
q)select mx:max s,mn:min s from T
'type
  [0]  select mx:max s,mn:min s from T
       ^
q)exec s from T
`m`a`z`m`
q)exec e from T
`sym$`a`z`b`m`a
q)w:`a`m
q)select from T where s in w
s e v
-----
m a 1
a z 2
m m 4
q)k:`m
q)select v from T where s=k
v
-
1
4
/ Windows of symbols have the least and greatest by text; other windows are of numbers.
q)select s,mn:2 mmin s,mx:3 mmax s,e,en:2 mmin e from T
s mn mx e en
------------
m m  m  a a
a a  m  z a
z a  z  b b
m m  z  m b
     z  a a
q)update 2 mmax s by e from T
s e v
-----
m a 1
a z 2
z b 3
m m 4
m a 5
q)select 2 msum s from T
'type
  [0]  select 2 msum s from T
       ^
q)select >':[e],l:(<=':)s from T
e l
---
1 0
1 1
0 0
1 1
0 1
/ Symbols are looked for in ascending lists by text, an enumeration's as what they stand for; numbers in those of their type.
q)va:`a`b`m
q)select b:va bin s,r:va binr s,e:va bin e,f:(``a`z)?e from T
b  r e f
--------
2  2 0 1
0  0 2 2
2  3 1 3
2  2 2 3
-1 0 0 1
q)select from T where 1=`a`m binr s
s e v
-----
m a 1
m m 4
q)exec (0#`)bin s from T
-1 -1 -1 -1 -1
q)select 1 2 3i bin v from T
'type
  [0]  select 1 2 3i bin v from T
       ^
q)exec 1 2 3f?v from T
'type
  [0]  exec 1 2 3f?v from T
       ^
