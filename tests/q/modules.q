/ Modules: scripts on the search path that export names; what else they set is their own.
q)system"rm -rf /tmp/qfuse_mod; mkdir -p /tmp/qfuse_mod/counter /tmp/qfuse_mod/lib/deep"
()
q)`:/tmp/qfuse_mod/counter/init.q 0:("n:10";"f:{x+n}";"next1:{.z.m.n+:1;.z.m.n}";"export:([f;next1;home:{.z.M};all:{key .z.m}])");
q)`:/tmp/qfuse_mod/lib/a.q 0:("h:use`.b";"d:use`.deep.c";"export:{([double:{h.double x};triple:d`triple])}");
q)`:/tmp/qfuse_mod/lib/b.q 0:enlist"export:([double:{2*x}])";
q)`:/tmp/qfuse_mod/lib/deep/c.q 0:("b:use`..b";"export:([triple:{x+b.double x}])");
q)`:/tmp/qfuse_mod/none.q 0:enlist"x:1";
q)`:/tmp/qfuse_mod/bad.q 0:("a:1";"b:1+`a";"export:([a])");
q)`:/tmp/qfuse_mod/ring.q 0:enlist"export:use`ring";
q).Q.m.SP:enlist"/tmp/qfuse_mod"
q)c:use`counter
q)key c
`f`next1`home`all
q)c.f 1
11
q)c.next1[]
11
q)c.f 1
12
q)n
'n
  [0]  n
       ^
/ A module is loaded once, whoever asks.
q)d:use`counter
q)d.next1[]
12
q)c.f 0
12
q)c.home[]
`.m0_counter
q)c.all[]
``n`f`next1`export
/ A name with dots is a path; a leading dot begins beside the module that asks.
q)l:use`lib.a
q)l.double 4
8
q)l.triple 4
12
q)(use`lib:b)[`double]1
2
q)(use"lib.b")[`double]1
2
/ What goes wrong leaves nothing behind.
q)use`none
'export
  [0]  use`none
       ^
q)use`nosuch
'nosuch
  [0]  use`nosuch
       ^
q)use`bad
'type
  [1]  /tmp/qfuse_mod/bad.q:2: b:1+`a
                                  ^
q)use`bad
'type
  [1]  /tmp/qfuse_mod/bad.q:2: b:1+`a
                                  ^
q)use`ring
'loop
  [1]  /tmp/qfuse_mod/ring.q:1: export:use`ring
                                       ^
q)use 1
'type
  [0]  use 1
       ^
q)a
'a
  [0]  a
       ^
q)\d
`.
