/ What random queries found: the smallest case of each kind.
q)sym:`zz`a``b`A`c
q)T:.gpu.to ([]s:`b`a``zz`q;y:`sym$`a`b``zz`A;k:1 2 3 0N 5i;j:1 2 3 4 5;b:10110b;g:"G"$("00000000-0000-0000-0000-000000000002";"";"00000000-0000-0000-0000-000000000001";"";"00000000-0000-0000-0000-000000000002"))
/ By a list of names, as by their dictionary.
q)?[T;();`b`s;()]
b s | y  k j g
----| -------------------------------------------
0 a | b  2 2 00000000-0000-0000-0000-000000000000
0 q | A  5 5 00000000-0000-0000-0000-000000000002
1   |    3 3 00000000-0000-0000-0000-000000000001
1 b | a  1 1 00000000-0000-0000-0000-000000000002
1 zz| zz   4 00000000-0000-0000-0000-000000000000
/ A name twice among groups and columns.
q)exec s,j by s,b from T
'dup names for cols/groups s
  [0]  exec s,j by s,b from T
       ^
/ Distinct rows have names.
q)?[T;();1b;`j]
'type
  [0]  ?[T;();1b;`j]
       ^
/ A limit without a number.
q)?[T;();0b;`s`j!`s`j;0N]
s  j
----
b  1
a  2
   3
zz 4
q  5
/ A where phrase of whole numbers: all but zero pass.
q)select j from T where j mod 2
j
-
1
3
5
q)select j from T where 0
j
-
/ Where the where phrase holds for all rows, a column keeps its type still; where it holds for none, too.
q)update j:s from T where 1b
'type
  [0]  update j:s from T where 1b
       ^
q)update j:s from T where 0b
'type
  [0]  update j:s from T where 0b
       ^
/ Atoms of one type are a vector in a dictionary.
q)exec r0:first k from T
r0| 1
q)exec max j,a:min j from T
j| 5
a| 1
q)exec -0w,avg k from T
x| -0w
k| 2.75
/ Two lists as a dictionary.
q)exec s!j from T where b
b | 1
  | 3
zz| 4
/ Symbols and an enumeration in one order.
q)select s<y,y<=s,s>y from T
s y s1
------
0 1 1
1 0 0
0 1 0
0 1 0
0 1 1
/ An enumeration as a number.
q)select "i"$y,`minute$y,`boolean$y from T
x y     y1
----------
1 00:01 1
3 00:03 1
2 00:02 1
0 00:00 0
4 00:04 1
/ No longs among ints, and no ints among longs.
q)select from T where k in 0#0
s y k j b g
-----------
q)select from T where not j in 0#0i
s  y  k j b g
------------------------------------------------
b  a  1 1 1 00000000-0000-0000-0000-000000000002
a  b  2 2 0 00000000-0000-0000-0000-000000000000
      3 3 1 00000000-0000-0000-0000-000000000001
zz zz   4 1 00000000-0000-0000-0000-000000000000
q  A  5 5 0 00000000-0000-0000-0000-000000000002
/ One key of groups is in order, and so is a sorted list.
q){attr key .gpu.from x}exec sum j by s from T
`s
q){attr each flip key .gpu.from x}select sum j by k from T
k| s
q){attr each flip key .gpu.from x}select sum j by k,s from T
k|
s|
/ A key that is the only column leaves none.
q)exec by j from .gpu.to ([]j:1 2)
'type
  [0]  exec by j from .gpu.to ([]j:1 2)
       ^
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
/ A sorted list is in order, its places are not.
q)attr each .gpu.from each(exec asc s from T;exec asc j from T;exec iasc s from T;exec s iasc j from T;exec desc j from T)
`s`s```
/ The first items of sorted lists whose key is computed by an earlier kernel.
q)T:.gpu.to h:([]b:111000b;j:3 1 2 1 3 2)
q)select 2 sublist desc j+1 by b from T where j<5
b| j
-| ---
0| 4 3
1| 4 3
q)exec 2 sublist desc (not j) by b from T
0| 00b
1| 00b
q)select 2 sublist asc j by b from T where j>5
b| j
-| -
/ An index of an enumeration as a time, told apart and grouped.
q)T:.gpu.to ([]y:`sym$`a`b`a``b;k:3 1 2 1 3i;l:(1 2;();enlist 3;4 5;()))
q)exec distinct "p"$y from T
2000.01.01D00:00:00.000000001 2000.01.01D00:00:00.000000003 2000.01.01D00:00:..
q)select count i by d:`date$y from T
d         | x
----------| -
2000.01.02| 2
2000.01.03| 1
2000.01.04| 2
/ An atom computed from a median alone.
q)exec 1+med k from T
3f
q)exec 1+1<>med k from T
2
/ A column of an enumeration for another of the same domain.
q)T:.gpu.to update p:`p#`sym$`a`a`b`b`b from .gpu.from T
q)update y:p from T where k>1
y k l   p
---------
a 3 1 2 a
b 1 ()  a
b 2 ,3  b
  1 4 5 b
b 3 ()  b
/ An order is by a list, whatever the number of rows.
q)select[>2] from .gpu.take[1;T]
'rank
  [0]  select[>2] from .gpu.take[1;T]
       ^
q)select[<max k] k from .gpu.take[0;T]
'rank
  [0]  select[<max k] k from .gpu.take[0;T]
       ^
/ No lists have no counts, which are longs.
q)meta select n:count each l from .gpu.take[0;T]
c| t f a r
-| ---------
n| j     gpu
q)update k:`int$count each l from T where 0b
y k l   p
---------
a 3 1 2 a
b 1 ()  a
a 2 ,3  b
  1 4 5 b
b 3 ()  b
/ A product that is no number counts as nothing in a weighted sum.
q)exec x wsum y from .gpu.to ([]x:0w 2 0n;y:0 3 1f)
6f
q)select x wsum y by x>0w from .gpu.to ([]x:0w 2 0n;y:0 3 1f)
x| y
-| -
0| 6
/ What folds nothing keeps its type.
q)select (+/)k,j:(*/)k from T where 0b
k j
---
0 1
/ A keyed table keeps a column beside its keys.
q)delete k from select sum k by y from T
'length
  [0]  delete k from select sum k by y from T
       ^
/ The key of groups that is a float is in order, and so are the first rows of a keyed answer, and lists sorted by group.
q){attr each flip key .gpu.from x}each(select sum k by f:k%2 from T;select[2] count i by k from T)
(,`f)!,`s
(,`k)!,`s
q)attr each (0!.gpu.from select asc k by y from T)`k
`s`s`s
q)attr .gpu.from exec asc distinct k from T
`s
/ A function applied by @.
q)select a:neg@k,b:@[neg;k] from T where k=@[max;k]
a  b
-----
-3 -3
-3 -3
/ Of no items too, characters have no differences and symbols no sum.
q)exec deltas s from .gpu.to ([]s:0#`)
'type
  [0]  exec deltas s from .gpu.to ([]s:0#`)
       ^
q)exec (+/)c from .gpu.to ([]c:"")
'type
  [0]  exec (+/)c from .gpu.to ([]c:"")
       ^
q)exec (|)prior s from .gpu.to ([]s:0#`)
'type
  [0]  exec (|)prior s from .gpu.to ([]s:0#`)
       ^
/ What an earlier kernel only renamed, beside what it renamed.
q)Z:.gpu.to ([]z:2000.01.02T00:00 2000.01.03T12:00 0Nz 2000.01.04T00:00;y:`a`a`b`b)
q)update a:avgs z,b:sums z,d:2 mavg z from Z
z                       y a        b                       d
---------------------------------------------------------------
2000.01.02T00:00:00.000 a 1        2000.01.02T00:00:00.000 1
2000.01.03T12:00:00.000 a 1.75     2000.01.04T12:00:00.000 1.75
                        b 1.75     2000.01.04T12:00:00.000 2.5
2000.01.04T00:00:00.000 b 2.166667 2000.01.07T12:00:00.000 3
q)select avgs z,sums z by y from Z
y| z      z1
-| ------------------------------------------------------
a| 1 1.75 2000.01.02T00:00:00.000 2000.01.04T12:00:00.000
b| 0n 3   2000.01.01T00:00:00.000 2000.01.04T00:00:00.000
/ A sum of ints that is too large is null for taken items too.
q)select sum 4#k,n:sum -3#k by y from .gpu.to ([]y:`a`b`b;k:-0W 0W 0Wi)
y| x n
-| ---
a|
b|
/ A symbol that an enumeration lacks is refused where it would be stored.
q)E:.gpu.to ([]p:2000.01.01 2000.01.02;y:`sym$`a`b)
q)update y:`new from E where p=2001.01.01
p          y
------------
2000.01.01 a
2000.01.02 b
q)update y:`new by p from E where p=2001.01.01
p          y
------------
2000.01.01 a
2000.01.02 b
q)update y:`new from E where p=2000.01.01
'cast
  [0]  update y:`new from E where p=2000.01.01
       ^
q)count update y:`new by p from .gpu.to 0#.gpu.from E
1
/ What lies infinitely far off leaves no covariance, whichever of the pair it is.
q)T:.gpu.to ([]k:`a`a`b`b;x:3 1 1 3;y:1 0w 1 0w)
q)select c:x cov y,s:y scov x,r:x cor y,v:var y by k from T
k| c s r v
-| -------
a|
b|
q)select c:x cov y,s:y scov x,r:x cor y,v:var y from T
c s r v
-------
/ Products of a time and a real are rounded to its units before they are summed.
q)T:.gpu.to ([]k:`a`a`b;n:0D01 0D02 0D03;e:0.3 1.7 0.1e)
q)select w:n wsum e,s:sum n*e by k from T
k| w                    s
-| -----------------------------------------
a| 0D03:42:00.000386238 0D03:42:00.000386238
b| 0D00:18:00.000016093 0D00:18:00.000016093
