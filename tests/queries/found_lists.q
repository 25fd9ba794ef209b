/ What random queries found, where there is no CUDA text yet.
q)sym:`zz`a``b`A`c
q)T:.gpu.to ([]s:`b`a``zz`q;y:`sym$`a`b``zz`A;k:1 2 3 0N 5i;j:1 2 3 4 5;b:10110b;g:"G"$("00000000-0000-0000-0000-000000000002";"";"00000000-0000-0000-0000-000000000001";"";"00000000-0000-0000-0000-000000000002"))
/ Lists by a list of names.
q)?[T;();enlist`b;`j]
b|
-| -----
0| 2 5
1| 1 3 4
q)?[T;();`b`s;`j`k!`j`k]
b s | j  k
----| ------
0 a | ,2 ,2
0 q | ,5 ,5
1   | ,3 ,3
1 b | ,1 ,1
1 zz| ,4 ,0N
/ An enumeration among symbols.
q)select from T where y in s
s  y  k j b g
------------------------------------------------
b  a  1 1 1 00000000-0000-0000-0000-000000000002
a  b  2 2 0 00000000-0000-0000-0000-000000000000
      3 3 1 00000000-0000-0000-0000-000000000001
zz zz   4 1 00000000-0000-0000-0000-000000000000
/ Guids in order.
q)select[>g] s,g from T
s  g
---------------------------------------
b  00000000-0000-0000-0000-000000000002
q  00000000-0000-0000-0000-000000000002
   00000000-0000-0000-0000-000000000001
a  00000000-0000-0000-0000-000000000000
zz 00000000-0000-0000-0000-000000000000
/ What is no index of an enumeration is not the null symbol's, and is filled.
q)select y=prev y,(=)prior y,z:(prev y)^y from T
y y1 z
-------
0 0  a
0 0  b
0 0
0 0  zz
0 0  A
/ Distinct items of part of a column.
q)select distinct 3 sublist b from T
b
-
1
0
