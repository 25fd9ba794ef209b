/ Where the reference card may be read as refusing with GPU_NOT_IMPLEMENTED and we answer as q does.
/ Each line is one such decision. Where a transcript of the card prints an error, it wins: the last lines.
q)T:.gpu.to ([]sym:`b`a`b``a;p:10 20 30 40 50f;n:1 2 0N 4 0N;e:11001b;d:2024.01.02 2024.01.01 2024.02.01 0Nd 2024.01.01)
/ select distinct, exec by, exec k!v, exec of the last row, named and unnamed keys.
q)select distinct sym from T
sym
---
b
a
q)exec p by sym from T
 | ,40f
a| 20 50f
b| 10 30f
q)exec sum p,last n by sym from T
 | p  n
-| ----
 | 40 4
a| 70
b| 40
q)exec sum p by sym,e from T
sym e|
-----| --
    0| 40
a   1| 70
b   0| 30
b   1| 10
q)?[T;();();()]
sym| `a
p  | 50f
n  | 0N
e  | 1b
d  | 2024.01.01
q)?[T;();`sym;`p]
 | ,40f
a| 20 50f
b| 10 30f
q)?[T;();enlist[`sym]!enlist`sym;`p]
sym|
---| ------
   | ,40f
a  | 20 50f
b  | 10 30f
q)?[T;();1b;enlist[`sym]!enlist`sym]
sym
---
b
a
q)?[T;();()!();enlist[`p]!enlist`p]
p
--------------
10 20 30 40 50
/ update and delete by q's own words, a descending order, a lambda's argument.
q)update q:2*p from T where e
sym p  n e d          q
-------------------------
b   10 1 1 2024.01.02 20
a   20 2 1 2024.01.01 40
b   30   0 2024.02.01
    40 4 0
a   50   1 2024.01.01 100
q)delete from T where e
sym p  n e d
---------------------
b   30   0 2024.02.01
    40 4 0
q)delete n from T
sym p  e d
-------------------
b   10 1 2024.01.02
a   20 1 2024.01.01
b   30 0 2024.02.01
    40 0
a   50 1 2024.01.01
q)select[2;>p] from T
sym p  n e d
---------------------
a   50   1 2024.01.01
    40 4 0
q){select from T where p>x}[20]
sym p  n e d
---------------------
b   30   0 2024.02.01
    40 4 0
a   50   1 2024.01.01
/ Aggregates and fby of functions beyond the listed ones.
q)select dev p,med p,p cor n by sym from T where not null n
sym| p p1 n
---| ------
   | 0 40
a  | 0 20
b  | 0 10
q)select from T where p=(med;p)fby e
sym p  n e d
---------------------
a   20 2 1 2024.01.01
q)select r:(rank;p)fby sym,(sums differ@;p)fby sym from T
r sym
-----
0 1
0 1
1 2
0 1
1 2
/ Mixed membership as q has it, computed sets among them.
q)select from T where n in 1 2 3i
sym p  n e d
---------------------
b   10 1 1 2024.01.02
a   20 2 1 2024.01.01
q)select from T where n in n+1
sym p  n e d
---------------------
a   20 2 1 2024.01.01
b   30   0 2024.02.01
a   50   1 2024.01.01
/ The empty list has nothing in it; sets of another enumeration, and symbols written into an enumeration.
q)select n,x:n in(),y:(max n)in() from T where not sym in()
n x y
-----
1 0 0
2 0 0
  0 0
4 0 0
  0 0
q)dom:`a`b
q)two:`c`b`a
q)E:.gpu.to ([]y:`dom$`a`b`a;n:1 2 3)
q)select from E where y in `two$`b`c
y n
---
b 2
q)update y:`b from E where n=1
y n
---
b 1
b 2
a 3
q)update y:`two$`b from E where n=1
'cast
  [0]  update y:`two$`b from E where n=1
       ^
/ Keys that are symbols come out in q's order.
q)select count i by sym from T
sym| x
---| -
   | 1
a  | 2
b  | 2
/ Refused as the card's transcripts print it.
q).gpu.xasc[`sym;T]
'GPU_SYMBOL_SORTING_NOT_IMPLEMENTED
  [0]  .gpu.xasc[`sym;T]
       ^
q)`sym xasc T
sym p  n e d
---------------------
    40 4 0
a   20 2 1 2024.01.01
a   50   1 2024.01.01
b   10 1 1 2024.01.02
b   30   0 2024.02.01
/ The items of a virtual vector are walked, and virtual tables razed, as q data.
q){x*2}each exec p from T
20 40 60 80 100f
q)raze{select sym,p from T where sym=x}each exec asc distinct sym from T
sym p
------
    40
a   20
a   50
b   10
b   30
