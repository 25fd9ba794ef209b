/ exec: a vector, an atom, a dictionary; what comes back lives on the engine, atoms on the host.
q)T:.gpu.to ([]sym:`a`b`a;p:1 2 3f;n:10 20 0N)
q)exec p from T
1 2 3f
q)type exec p from T
112h
q).gpu.type exec p from T
9h
q)exec p from T where n>15
,2f
q)exec sum p from T
6f
q)type exec sum p from T
-9h
q)exec p,n from T
p| 1  2  3
n| 10 20
q)exec sum p,n:max n from T
p| 6f
n| 20
q)exec p*n from T
10 40 0n
q).gpu.from exec sym from T
`a`b`a
q)?[T;();();`p]
1 2 3f
q)?[T;();();(sum;`p)]
6f
q)?[T;();();`a`b!((sum;`p);(max;`n))]
a| 6f
b| 20
q)?[T;enlist(>;`p;1);0b;()]
sym p n
--------
b   2 20
a   3
