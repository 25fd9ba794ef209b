/ What is wrong says so by q's own signal or the card's, and the session goes on.
q)T:.gpu.to ([]sym:`a`b;p:1 2f;n:1 2)
q)select nosuch from T
'nosuch
  [0]  select nosuch from T
       ^
q)select p+sym from T
'type
  [0]  select p+sym from T
       ^
q)select from T where p
'type
  [0]  select from T where p
       ^
q)select sum sym from T
'type
  [0]  select sum sym from T
       ^
q)select p from T where nosuch=1
'nosuch
  [0]  select p from T where nosuch=1
       ^
q).gpu.select[T;();0b]
.gpu.select[+`sym`p`n!(`a`b;1 2f;1 2);();0b]
q).gpu.select[1;();0b;()]
'type
  [0]  .gpu.select[1;();0b;()]
       ^
q)V:.gpu.to 1 2 3
q)select from V
'type
  [0]  select from V
       ^
q).gpu.update[T;();0b;`p]
'GPU_INVALID_STATEMENT
  [0]  .gpu.update[T;();0b;`p]
       ^
q).gpu.take[`nosuch;T]
'nosuch
  [0]  .gpu.take[`nosuch;T]
       ^
q).gpu.sublist[-1 2;V]
'nyi
  [0]  .gpu.sublist[-1 2;V]
       ^
q).gpu.gather[V;`a]
'type
  [0]  .gpu.gather[V;`a]
       ^
q)1+V
'type
  [0]  1+V
        ^
q)select k:?[p>1;n;p] from T
'type
  [0]  select k:?[p>1;n;p] from T
       ^
q)select from T
sym p n
-------
a   1 1
b   2 2
