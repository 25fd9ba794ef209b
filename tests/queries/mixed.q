/ Symbols that mix: literals a column lacks, columns of several domains, enumerations.
q)sym:`a`b`c`;dom2:`z`a`b
q)T:.gpu.to ([]s:`a`b`a`c``b;s2:`x`a`a`y`b`x;en:`sym$`a`b`a`c``b;en2:`dom2$`a`b`z`a`b`b;b:101101b;n:1 2 0N 4 5 -3)
q)select ?[b;`hi;`lo],n from T
x  n
-----
hi 1
lo 2
hi
hi 4
lo 5
hi -3
q)select ?[b;s;`lo],x2:?[b;`lo;s] from T where n>1
x  x2
-----
lo b
c  lo
lo
q)select ?[b;s;s2],s2^s,`none^s,s^`none from T
s2 s21 x    s
----------------
a  a   a    none
a  b   b    none
a  a   a    none
c  c   c    none
b  b   none none
b  b   b    none
q)select sum n by k:?[n>2;`big;`small] from T
k    | n
-----| -
big  | 9
small| 0
q)select count i by s^s2 from T
s| x
-| -
a| 2
b| 1
x| 2
y| 1
q)select from T where (`none^s)>`b
s s2 en en2 b n
---------------
c y  c  a   1 4
  b     b   0 5
q)select from T where (`none^s) in `none`a
s s2 en en2 b n
---------------
a x  a  a   1 1
a a  a  z   1
  b     b   0 5
q)select from T where (`none^s) like "n*"
s s2 en en2 b n
---------------
  b     b   0 5
q)select from T where s=?[b;`a;`b]
s s2 en en2 b n
---------------
a x  a  a   1 1
b a  b  b   0 2
a a  a  z   1
q)select first ?[b;s;`z],last `q^s from T
x x1
----
a b
q)exec ?[b;`x;`y] from T
`x`y`x`x`y`x
/ Enumerations compare with symbols and with each other by name.
q)select s=en,en=en2,en<>s2,null en from T
s en en1 en2
------------
1 1  1   0
1 1  1   0
1 0  0   0
1 0  1   0
1 0  1   0
1 1  1   0
q)select from T where en=`
s s2 en en2 b n
---------------
  b     b   0 5
q)select from T where en in ``a
s s2 en en2 b n
---------------
a x  a  a   1 1
a a  a  z   1
  b     b   0 5
q)select from T where en<`b
s s2 en en2 b n
---------------
a x  a  a   1 1
a a  a  z   1
  b     b   0 5
q)select from T where en like "[ab]"
s s2 en en2 b n
----------------
a x  a  a   1 1
b a  b  b   0 2
a a  a  z   1
b x  b  b   1 -3
q)select ?[b;en;s],x2:?[b;en;`q],x3:?[b;en;en2],x4:?[b;`a;en] from T
s x2 x3 x4
----------
a a  a  a
b q  b  b
a a  a  a
c c  c  a
  q  b
b b  b  a
q)select en^s,x2:s^en,x3:en^`q from T
en x2 x3
--------
a  a  q
b  b  q
a  a  q
c  c  q
      q
b  b  q
q)select sum n by en from T
en| n
--| --
  | 5
a | 1
b | -1
c | 4
q)select first en,last en2 by s from T
s| en en2
-| ------
 |    b
a| a  z
b| b  b
c| c  a
/ Updates with symbols that the column lacks.
q)select s,b from .gpu.update[T;enlist`b;0b;(enlist`s)!enlist enlist`new]
s   b
-----
new 1
b   0
new 1
new 1
    0
new 1
q)select s,b from .gpu.update[T;enlist`b;0b;(enlist`s)!enlist`s2]
s b
---
x 1
b 0
a 1
y 1
  0
x 1
q)select k,b from .gpu.update[T;(`b;(>;`n;1));0b;(enlist`k)!enlist enlist`new]
k   b
-----
    1
    0
    1
new 1
    0
    1
q)select k,n from .gpu.update[T;();0b;(enlist`k)!enlist enlist`new]
k   n
------
new 1
new 2
new
new 4
new 5
new -3
q)select k,n from .gpu.update[T;enlist(>;`n;0);0b;(enlist`k)!enlist(?;`b;`en;enlist`z)]
k n
----
a 1
z 2

c 4
z 5
  -3
/ Symbols of one column or enumeration in those of another.
q)select x:s in s2,y:s2 in s,z:en in en2,u:s in en2 from T
x y z u
-------
1 0 1 1
1 1 1 1
1 1 1 1
0 0 0 0
0 1 0 0
1 0 1 1
q)select x:s in s2,y:s2 in s by b from T where n<>2
b| x     y
-| -----------
0| ,0b   ,0b
1| 1100b 0100b
/ A long is looked for among computed ints as an int, but among one of them as itself.
q)M:.gpu.to ([]k:1 1 2;j:4294967296 1 4294967296;n:0W 1 0Wi;y:`s#`a`b`c)
q)exec j in n from M
111b
q)exec j in n by k from M
1| 11b
2| ,0b
q)select x:j in n where n<5,z:n in j by k from M
k| x   z
-| -------
1| 01b 01b
2| ,0b ,0b
q)exec j in n from M where k=2
,0b
q)select from M where y in enlist first y
k j          n  y
-----------------
1 4294967296 0W a
