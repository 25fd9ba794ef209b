/ Enumerations: casts to them, updates of their columns, and variables that hold them.
q)dom:`zz`b`a``c
q)two:`b`a`q
q)ea:`dom$`b
q)en:`dom$`a`zz
q)T:.gpu.to ([]k:1 2 1 2 1 2;s:`b`a``c`zz`a;y:`dom$`a`b`c`a``zz;z:`two$`b`a`q`a`b`q;n:til 6)
q)select x:`dom$s,n from T
x  n
----
b  0
a  1
   2
c  3
zz 4
a  5
q)exec `two$s from T where s in `a`b
`two$`b`a`a
q)select sum n,last `dom$s by k from T
k| n s
-| ----
1| 6 zz
2| 9 a
q)exec `two$s from T
'cast
  [0]  exec `two$s from T
       ^
q)select x:`none$s from T
'none
  [0]  select x:`none$s from T
       ^
q)update y:`a from T where n>3
k s  y z n
----------
1 b  a b 0
2 a  b a 1
1    c q 2
2 c  a a 3
1 zz a b 4
2 a  a q 5
q)update y:s from T where k=2
k s  y z n
----------
1 b  a b 0
2 a  a a 1
1    c q 2
2 c  c a 3
1 zz   b 4
2 a  a q 5
q)update z:s from T where n<2
k s  y  z n
-----------
1 b  a  b 0
2 a  b  a 1
1    c  q 2
2 c  a  a 3
1 zz    b 4
2 a  zz q 5
q)update z:` from T where n<2
'cast
  [0]  update z:` from T where n<2
       ^
q)update y:z from T where n<2
'cast
  [0]  update y:z from T where n<2
       ^
q)update y:z from T where n<3
'cast
  [0]  update y:z from T where n<3
       ^
q)update y:`new from T where n>3
'cast
  [0]  update y:`new from T where n>3
       ^
q)update z:first y by k from T where k=2
'cast
  [0]  update z:first y by k from T where k=2
       ^
q)update y:last s by k from T
k s  y  z n
-----------
1 b  zz b 0
2 a  a  a 1
1    zz q 2
2 c  a  a 3
1 zz zz b 4
2 a  a  q 5
q)update y:s from T
k s  y  z n
-----------
1 b  b  b 0
2 a  a  a 1
1       q 2
2 c  c  a 3
1 zz zz b 4
2 a  a  q 5
q)update w:`dom$s from T where n>2
k s  y  z n w
--------------
1 b  a  b 0
2 a  b  a 1
1    c  q 2
2 c  a  a 3 c
1 zz    b 4 zz
2 a  zz q 5 a
q)select from T where y=ea,s<>ea
k s y z n
---------
2 a b a 1
q)select from T where y in en,s in en
k s y  z n
----------
2 a zz q 5
q)select x:ea,w:?[k=1;y;ea] from T
x w
---
b a
b b
b c
b b
b
b b
q)update y:ea from T where n>3
k s  y z n
----------
1 b  a b 0
2 a  b a 1
1    c q 2
2 c  a a 3
1 zz b b 4
2 a  b q 5
q)delete from T where y<ea
k s y  z n
----------
2 a b  a 1
1   c  q 2
2 a zz q 5
