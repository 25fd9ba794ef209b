/ What fails leaves the table as it was: nothing of it is done, whichever part is wrong.
q)T:.gpu.to t:([]s:`b`a`b``a;p:10 20 30 40 50f;n:1 2 0N 4 5;l:(1 2;0#0;enlist 3;4 5;6 7))
q)same:{[] t~.gpu.from T}
q)update n:2*n,p:s from`T where n>1
'type
  [0]  update n:2*n,p:s from`T where n>1
       ^
q)same[]
1b
q)update n:2*n,q:nosuch from`T
'nosuch
  [0]  update n:2*n,q:nosuch from`T
       ^
q)same[]
1b
q)update n:2*n,q:p+s by s from`T
'type
  [0]  update n:2*n,q:p+s by s from`T
       ^
q)same[]
1b
q)update n:1 2 3 from`T
'length
  [0]  update n:1 2 3 from`T
       ^
q)same[]
1b
q)update n:2*n,q:1 2+n from`T where n>1
'length
  [0]  update n:2*n,q:1 2+n from`T where n>1
       ^
q)same[]
1b
q)update n:2*n from`T where p
'type
  [0]  update n:2*n from`T where p
       ^
q)same[]
1b
q)update n:2*n from`T where n>1,s
'type
  [0]  update n:2*n from`T where n>1,s
       ^
q)same[]
1b
q)delete nosuch from`T
'nosuch
  [0]  delete nosuch from`T
       ^
q)same[]
1b
q)delete from`T where s>1
'type
  [0]  delete from`T where s>1
       ^
q)same[]
1b
q)delete n,nosuch from`T
'nosuch
  [0]  delete n,nosuch from`T
       ^
q)same[]
1b
q).gpu.update[`T;enlist(=;`s;1);0b;enlist[`n]!enlist 1]
'type
  [0]  .gpu.update[`T;enlist(=;`s;1);0b;enlist[`n]!enlist 1]
       ^
q)same[]
1b
q).gpu.update[T;();0b;`n`q!(`p;(+;`p;`s))]
'type
  [0]  .gpu.update[T;();0b;`n`q!(`p;(+;`p;`s))]
       ^
q)same[]
1b
/ And what succeeds after all does not.
q)update n:2*n from`T where n>1
`T
q)same[]
0b
