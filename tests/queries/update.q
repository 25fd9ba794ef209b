/ .gpu.update: whole columns, new columns, where, by; the object itself never changes.
q)T:.gpu.to ([]sym:`a`b`a`c;p:1 2 3 4f;n:10 20 30 0N)
q).gpu.update[T;();0b;enlist[`q]!enlist(*;`p;`n)]
sym p n  q
-----------
a   1 10 10
b   2 20 40
a   3 30 90
c   4
q).gpu.update[T;();0b;`n`p!((+;`n;1);(neg;`p))]
sym p  n
---------
a   -1 11
b   -2 21
a   -3 31
c   -4
q).gpu.update[T;enlist(=;`sym;enlist`a);0b;enlist[`n]!enlist(*;2;`n)]
sym p n
--------
a   1 20
b   2 20
a   3 60
c   4
q).gpu.update[T;enlist(=;`sym;enlist`a);0b;enlist[`z]!enlist`p]
sym p n  z
----------
a   1 10 1
b   2 20
a   3 30 3
c   4
q).gpu.update[T;enlist(>;`p;100);0b;enlist[`n]!enlist 0]
sym p n
--------
a   1 10
b   2 20
a   3 30
c   4
q).gpu.update[T;();0b;enlist[`n]!enlist($;enlist`float;`n)]
sym p n
--------
a   1 10
b   2 20
a   3 30
c   4
q).gpu.update[T;();enlist[`sym]!enlist`sym;enlist[`m]!enlist(max;`p)]
sym p n  m
----------
a   1 10 3
b   2 20 2
a   3 30 3
c   4    4
q).gpu.update[T;();enlist[`sym]!enlist`sym;enlist[`d]!enlist(-;`p;(avg;`p))]
sym p n  d
-----------
a   1 10 -1
b   2 20 0
a   3 30 1
c   4    0
q)T
sym p n
--------
a   1 10
b   2 20
a   3 30
c   4
q)U:.gpu.update[T;();0b;enlist[`r]!enlist(+;`p;1f)]
q)select sum r by sym from U
sym| r
---| -
a  | 6
b  | 3
c  | 5
q)update p:2*p from T where sym=`a
sym p n 
--------
a   2 10
b   2 20
a   6 30
c   4   
q)delete n from T
sym p
-----
a   1
b   2
a   3
c   4
q)delete from T where p<3
sym p n 
--------
a   3 30
c   4   
q)update s:1+p from`U
`U
q)exec s from U
2 3 4 5f
