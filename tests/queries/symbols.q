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
