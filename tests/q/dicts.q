/ Dictionaries: make, look up, change, combine; enumerations and step functions.
q)d:`a`b`c!10 20 30
q)d`b
20
q)d`z
0N
q)d`a`z
10 0N
q)key d
`a`b`c
q)value d
10 20 30
q)count d
3
q)d?20
`b
q)d+1
a| 11
b| 21
c| 31
q)d+`b`c`d!1 2 3
a| 10
b| 21
c| 32
d| 3
q)1 2!`a
1| a
2| a
q)`a`b!1 2 3
'length
  [0]  `a`b!1 2 3
           ^
q)`a!1
`a!1
q)(`a`b!(1 2;3))`z
`long$()
q)(`a`b!("xy";"z"))`q
""
q)()!()
q)(0#`)!0#0
q)(1 2!3 4)1
3
q)(("ab";"cd")!1 2)"cd"
2
q)`b in key d
1b
q)max d
30
q)sum d
60
q)d where d>10
20 30
q)reverse d
c| 30
b| 20
a| 10
q)desc d
c| 30
b| 20
a| 10
q)([a:1;b:`x])
a| 1
b| `x
q)([a:1;b:`x])`b
`x
/ Step functions take the last key not above.
q)s:`s#1 5 10!`low`mid`high
q)s 0 1 7 10 99
``low`mid`high`high
q)s
1 | low
5 | mid
10| high
q)s[3]:`x
'step
  [0]  s[3]:`x
           ^
/ Keys that are tables.
q)k:([]a:1 2;b:`x`y)!([]v:10 20)
q)k(1;`x)
v| 10
q)k`a`b!(2;`y)
v| 20
q)k([]a:2 9;b:`y`y)
v
--
20
q)0!k
a b v
------
1 x 10
2 y 20
q)1!0!k
a| b v
-| ----
1| x 10
2| y 20
q)2!0!k
a b| v
---| --
1 x| 10
2 y| 20
q)0!1 2!3 4
'type
  [0]  0!1 2!3 4
        ^
/ Enumerations.
q)sym:`a`b`c
q)e:`sym$`b`a`b
q)e
`sym$`b`a`b
q)type e
20h
q)value e
`b`a`b
q)key e
`sym
q)"i"$e
1 0 1i
q)`sym$`z
'cast
  [0]  `sym$`z
           ^
q)`sym?`z`a
`sym$`z`a
q)sym
`a`b`c`z
q)e,`c
`sym$`b`a`b`c
q)e=`b
101b
q)`sym!0 2
`sym$`a`c
q)e[0]:`c
q)e
`sym$`c`a`b
q)e[0]:`nosuch
'cast
  [0]  e[0]:`nosuch
           ^
q)`new?`p`q`p
`new$`p`q`p
q)new
`p`q
/ A step dictionary takes nothing in.
q)sd:`s#`a`b!1 2
q)`sd upsert`c`d!3 4
'step
  [0]  `sd upsert`c`d!3 4
           ^
q)sd upsert`c`d!3 4
'step
  [0]  sd upsert`c`d!3 4
          ^
q)(`a`b!1 2)upsert`b`c!3 4
a| 1
b| 3
c| 4
