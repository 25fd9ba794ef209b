/ Sorted objects, the grouped attribute, and tables with a row for each item of their lists.
q)t:([]s:`b`a``b`a;v:3 0N 1 3 -1;f:2 0n -0w 2 1f;l:(1 2;0#0;enlist 3;4 5;6 7))
q)T:.gpu.to t
q).gpu.asc exec v from T
`s#0N -1 1 3 3
q).gpu.attr .gpu.asc exec v from T
`s
q)desc exec f from T
2 2 1 -0w 0n
q).gpu.iasc exec v from T
1 4 2 0 3
q).gpu.idesc exec f from T
0 3 4 2 1
q)`s`v xasc T
s v  f   l
-----------------
  1  -0w ,3
a        `long$()
a -1 1   6 7
b 3  2   1 2
b 3  2   4 5
q)`s xdesc T
s v  f   l
-----------------
b 3  2   1 2
b 3  2   4 5
a        `long$()
a -1 1   6 7
  1  -0w ,3
q)`v`f xdesc T
s v  f   l
-----------------
b 3  2   1 2
b 3  2   4 5
  1  -0w ,3
a -1 1   6 7
a        `long$()
q).gpu.xasc[`v;T]
s v  f   l
-----------------
a        `long$()
a -1 1   6 7
  1  -0w ,3
b 3  2   1 2
b 3  2   4 5
q).gpu.attr exec v from .gpu.xasc[`v;T]
`s
q).gpu.xasc[`s;T]
'GPU_SYMBOL_SORTING_NOT_IMPLEMENTED
  [0]  .gpu.xasc[`s;T]
       ^
q).gpu.xasc[`nosuch;T]
'nosuch
  [0]  .gpu.xasc[`nosuch;T]
       ^
q)cols .gpu.xgroup[`v;T]
`s`v`f`l
q).gpu.attr .gpu.group exec v from T
`g
q).gpu.ungroup T
s v  f   l
----------
b 3  2   1
b 3  2   2
  1  -0w 3
b 3  2   4
b 3  2   5
a -1 1   6
a -1 1   7
q)ungroup select v by s from T
s v
----
  1
a
a -1
b 3
b 3
q).gpu.ungroup .gpu.to ([]a:1 2)
'rank
  [0]  .gpu.ungroup .gpu.to ([]a:1 2)
       ^
/ Guids sort by their bytes, and what is sorted by an index is not marked as sorted.
q)T:.gpu.to ([]g:"G"$("00000000-0000-0000-0000-000000000003";"";"ff000000-0000-0000-0000-000000000001";"00000000-0000-0000-0000-000000000003";"7f000000-0000-0000-0000-000000000002");k:1 2 1 1 2;v:3 1 2 5 4)
q)select iasc g,d:idesc g,r:rank g,x:2 xrank g from T
g d r x
-------
1 2 1 0
0 4 0 0
3 0 4 1
4 3 2 0
2 1 3 1
q)exec v iasc g by k from T
1| 3 5 2
2| 1 4
q)exec 2 sublist desc g by k from T
1| ff000000-0000-0000-0000-000000000001 00000000-0000-0000-0000-000000000003
2| 7f000000-0000-0000-0000-000000000002 00000000-0000-0000-0000-000000000000
q)exec v iasc v from T
1 2 3 4 5
q)exec asc v from T
`s#1 2 3 4 5
q)exec v iasc v by k from T
1| 2 3 5
2| 1 4
q)exec asc v by k from T
1| `s#2 3 5
2| `s#1 4
