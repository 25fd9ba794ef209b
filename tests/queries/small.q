/ One row, no rows, one column, a table and a vector by themselves.
q)A:.gpu.to ([]a:enlist 5;s:enlist `x)
q)select from A
a s
---
5 x
q)select a*2 from A where s=`x
a
--
10
q)select sum a by s from A
s| a
-| -
x| 5
q)select a from A where a>5
a
-
q)exec a from A
,5
q)exec first a from A
5
q)K:.gpu.to ([k:`a`b`c]v:1 2 3)
q)K
k| v
-| -
a| 1
b| 2
c| 3
q)select from K where v>1
k| v
-| -
b| 2
c| 3
q)select v from K
v
-
1
2
3
q)select sum v by k from K
k| v
-| -
a| 1
b| 2
c| 3
q)V:.gpu.to 10 20 30
q)V
10 20 30
q).gpu.from V
10 20 30
q)count V
1
q).gpu.count V
3
q)D:.gpu.to `a`b!(1 2;3 4)
q)D
a| 1 2
b| 3 4
q).gpu.from D
a| 1 2
b| 3 4
q).gpu.to 5
5
q).gpu.to `a`b!1 2
a| 1
b| 2
q)select[2] from K
k| v
-| -
a| 1
b| 2
q)select[-1] from A
a s
---
5 x
q)select[2;>v] from ([k:`a`b`c]v:1 2 3)
k| v
-| -
c| 3
b| 2
q)B:.gpu.to ([]v:3 1 2 1;s:`c`a`b`d)
q)select[2;<v] from B
v s
---
1 a
1 d
q)select[3;>v] from B
v s
---
3 c
2 b
1 a
q)select[1 2] from B
v s
---
1 a
2 b
q)select[2;<s] s from B where v<3
s
-
a
b
