/ Lists that cannot be had signal, whichever way they would be made.
q)til 1000000000000
'wsfull
  [0]  til 1000000000000
       ^
q)til 0W
'limit
  [0]  til 0W
       ^
q)10000000000000#0
'limit
  [0]  10000000000000#0
                     ^
q)10000000000000#`a`b
'limit
  [0]  10000000000000#`a`b
                     ^
q)10000000000000#([]a:1 2)
'limit
  [0]  10000000000000#([]a:1 2)
                     ^
q)1000000 1000000000#0
'limit
  [0]  1000000 1000000000#0
                         ^
q)100000000000$"abc"
'wsfull
  [0]  100000000000$"abc"
                   ^
q)10000000000000?10
'wsfull
  [0]  10000000000000?10
                     ^
q)where 1000000000000 2
'wsfull
  [0]  where 1000000000000 2
       ^
q)where`a`b!100000000000 1
'wsfull
  [0]  where`a`b!100000000000 1
       ^
q)(1000000#0)cross 1000000#0
'wsfull
  [0]  (1000000#0)cross 1000000#0
                  ^
q)raze 1000000000000#'1 2
'wsfull
  [0]  raze 1000000000000#'1 2
                         ^
q)@[til;1000000000000;{"trapped ",x}]
"trapped wsfull"
/ Values nest to 500, however they are wrapped; a list of 10 million is no deeper than one of one.
q)x:();do[499;x:enlist x]
q)x~x
1b
q)y:-9!-8!x
q)x~y
1b
q)enlist x
'limit
  [0]  enlist x
       ^
q)(1;x)
'limit
  [0]  (1;x)
       ^
q)x:();do[100000;x:enlist x]
'limit
  [0]  x:();do[100000;x:enlist x]
                        ^
q)x:1 2;do[100000;x:(1000#enlist 1 2),(enlist x),1000#enlist 1 2]
'limit
  [0]  x:1 2;do[100000;x:(1000#enlist 1 2),(enlist x),1000#enlist 1 2]
                                            ^
q)x:enlist 1 2;do[100000;x[0]:x]
'limit
  [0]  x:enlist 1 2;do[100000;x[0]:x]
                                  ^
q)x:enlist 1 2;do[100000;x:@[x;0;:;x]]
'limit
  [0]  x:enlist 1 2;do[100000;x:@[x;0;:;x]]
                                ^
q)d:(0#`)!();do[100000;d[`a]:d]
'limit
  [0]  d:(0#`)!();do[100000;d[`a]:d]
                                 ^
q)x:(enlist`a)!enlist 1;do[100000;x:(enlist`a)!enlist x]
'limit
  [0]  x:(enlist`a)!enlist 1;do[100000;x:(enlist`a)!enlist x]
                                                   ^
q)t:([]a:1 2);do[100000;t:([]a:(t;t))]
'limit
  [0]  t:([]a:1 2);do[100000;t:([]a:(t;t))]
                               ^
q)t:([]a:1 2);do[60;t:([]a:t;b:t)]
'limit
  [0]  t:([]a:1 2);do[60;t:([]a:t;b:t)]
                           ^
q)f:neg;do[100000;f:'[f;neg]]
'limit
  [0]  f:neg;do[100000;f:'[f;neg]]
                         ^
q)f:1;do[100000;f:{x+y}[f]]
'limit
  [0]  f:1;do[100000;f:{x+y}[f]]
                       ^
q)f:neg;do[100000;f:(')f]
'limit
  [0]  f:neg;do[100000;f:(')f]
                         ^
q)x:();do[100000;x,:enlist x]
'limit
  [0]  x:();do[100000;x,:enlist x]
                         ^
q){enlist x}/[100000;1]
'limit
  [1]  {enlist x}/[100000;1]
        ^
/ Calls nest until the stack is used up, on whichever way they go.
q)f:{f x+1}
q)@[f;0;{x}]
"stack"
q)f:{f each enlist x}
q)@[f;0;{x}]
"stack"
q)f:{value"f 0"}
q)@[f;0;{x}]
"stack"
q)f:{first exec a:f 0 from([]a:1 2)}
q)@[f;0;{x}]
"stack"
q)f:{(f/)[1;x]}
q)@[f;0;{x}]
"stack"
q)a::{b+x}1
q)b::{a+x}1
q)@[value;"a";{x}]
"stack"
q)@[value;(2000#"("),"1",2000#")";{x}]
"limit"
q)@[value;"1",raze 2000#enlist"+1";{x}]
"limit"
