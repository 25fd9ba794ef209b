/ Attributes: what they demand and what keeps them.
q)`s#1 2 2 3
`s#1 2 2 3
q)`s#2 1
's-fail
  [0]  `s#2 1
         ^
q)`u#1 2 3
`u#1 2 3
q)`u#1 1
'u-fail
  [0]  `u#1 1
         ^
q)`p#1 1 2 2
`p#1 1 2 2
q)`p#1 2 1
'u-fail
  [0]  `p#1 2 1
         ^
q)`g#1 2 1
`g#1 2 1
q)attr`s#1 2 3
`s
q)attr 1 2 3
`
q)`#`s#1 2
1 2
q)attr(`s#1 2 3),4
`s
q)attr(`s#1 2 3),0
`
q)attr(`u#1 2),3
`u
q)attr(`u#1 2),2
`
q)attr(`g#1 2),2
`g
q)attr(`p#1 1 2),2
`
q)attr 2#`s#1 2 3
`s
q)attr 1_`s#1 2 3
`s
q)attr reverse`s#1 2 3
`
q)x:`s#1 2 3
q)x,:4
q)attr x
`s
q)x[0]:9
q)attr x
`
q)(`s#1 2 3)~1 2 3
1b
q)attr asc 2 1
`s
q)attr`s#`a`b!1 2
`s
q)attr key`s#`a`b!1 2
`s
q)`s#`b`a!1 2
's-fail
  [0]  `s#`b`a!1 2
         ^
q)meta`s#([]a:1 2;b:3 4)
c| t f a
-| -----
a| j   p
b| j
