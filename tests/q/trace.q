/ A trap that is also told where: the handler gets the places of all running functions, innermost first.
q)f:{g x+1}
q)g:{x+`a}
q)-1 .Q.trp[f;1;{[e;b]e,"\n",.Q.sbt b}];
type
  [3]  g:{x+`a}
           ^
  [2]  f:{g x+1}
          ^
  [1]  (.Q.trp)

  [0]  -1 .Q.trp[f;1;{[e;b]e,"\n",.Q.sbt b}];
          ^
q)-1 {.Q.trp[f;x;{[e;b]e,"\n",.Q.sbt b}]}1;
type
  [4]  g:{x+`a}
           ^
  [3]  f:{g x+1}
          ^
  [2]  (.Q.trp)

  [1]  -1 {.Q.trp[f;x;{[e;b]e,"\n",.Q.sbt b}]}1;
           ^
  [0]  -1 {.Q.trp[f;x;{[e;b]e,"\n",.Q.sbt b}]}1;
          ^
q).Q.trp[{2*x};21;{[e;b]e}]
42
q).Q.trpd[{x+y};1 2;{[e;b]e}]
3
q).Q.trpd[{x+y};(1;`b);{[e;b](e;count b)}]
"type"
3
q).Q.trp[{x};1;{'e}]
1
q).Q.trp[{'"oh"};1;{[e;b]'e,"!"}]
'oh!
  [1]  .Q.trp[{'"oh"};1;{[e;b]'e,"!"}]
                              ^
/ A handler of the wrong rank is an error of its own.
q).Q.trp[{'x};`a;{x}]
'rank
  [0]  .Q.trp[{'x};`a;{x}]
       ^
/ Where a function is that runs.
q)f:{{.Q.bt[];x*2}x+3}
q)f 4
  [2]  f:{{.Q.bt[];x*2}x+3}
           ^
  [1]  f:{{.Q.bt[];x*2}x+3}
          ^
  [0]  f 4
       ^
14
q).Q.bt[]
  [0]  .Q.bt[]
       ^
/ What ends a session by name only does not end it.
q)@[{'stop};0;{x}]
"stop"
q)@[{'exit};0;{x}]
"exit"
q)1+1
2
/ One frame for each function; after a trap the count begins anew.
q){@[{'x};x;{'"again ",x}]}`a
'again a
  [2]  {@[{'x};x;{'"again ",x}]}`a
                  ^
q){[x]r:@[{'x};x;{x}];r+1}`a
'type
  [1]  {[x]r:@[{'x};x;{x}];r+1}`a
                            ^
