/ Signals with their places: one frame for each running function, the innermost first.
q)1+`a
'type
  [0]  1+`a
        ^
q)f:{x+y}
q)f[1;`a]
'type
  [1]  f:{x+y}
           ^
q)g:{2*f[x;`b]}
q)g 1
'type
  [2]  f:{x+y}
           ^
q){neg x}`sym
'type
  [1]  {neg x}`sym
        ^
q)1 2+1 2 3
'length
  [0]  1 2+1 2 3
          ^
q)"abc"+1 2
'length
  [0]  "abc"+1 2
            ^
q)(1;2;`a)+1
'type
  [0]  (1;2;`a)+1
               ^
q)til`a
'type
  [0]  til`a
       ^
q)first 1 2 3 nosuch
'nosuch
  [0]  first 1 2 3 nosuch
                   ^
q)f[1;2;3]
'rank
  [0]  f[1;2;3]
       ^
q)1 2 3[`a]
'type
  [0]  1 2 3[`a]
       ^
q)([]a:1 2;b:1 2 3)
'length
  [0]  ([]a:1 2;b:1 2 3)
       ^
q)`a`b!1 2 3
'length
  [0]  `a`b!1 2 3
           ^
q)'mine
'mine
  [0]  'mine
        ^
q)'`mine
'mine
  [0]  '`mine
       ^
q)'type
'type
  [0]  'type
       ^
q){'"in here"}[]
'in here
  [1]  {'"in here"}[]
        ^
q)@[{'x};`sym;::]
"sym"
q).[{x+y};(1;`a);{"got ",x}]
"got type"
q)@[1+;`a;{-1"handler ",x;}]
handler type
q){@[{1+x};`a;{'"again ",x}]}1
'again type
  [2]  {@[{1+x};`a;{'"again ",x}]}1
                    ^
q)each[{1+x};(1;`a)]
'type
  [1]  each[{1+x};(1;`a)]
              ^
q){x+1}each(1;`a)
'type
  [1]  {x+1}each(1;`a)
         ^
q)a:1;a+`b;a:2
'type
  [0]  a:1;a+`b;a:2
            ^
q)a
1
q)value"1+`a"
'type
  [1]  1+`a
        ^
/ A function has up to eight parameters.
q){[a;b;c;d;e;f;g;h]h}[1;2;3;4;5;6;7;8]
8
q){[a;b;c;d;e;f;g;h;i]i}
'params
  [0]  {[a;b;c;d;e;f;g;h;i]i}
                         ^
/ What q's list of errors names, by its example.
q)@[value;"1+\000";::]
"char"
q)type value"{a",("::a"sv string til 110),"::0}"
100h
q)@[value;"{a",("::a"sv string til 111),"::0}";::]
"globals"
q)@[value;"{a",(":a"sv string til 111),":0}";::]
"locals"
q)@[value;"{",(";"sv string 2+til 241),"}";::]
"limit"
q)type value"{",(";"sv 400#enlist"2"),"}"
100h
q)"D=\001"0:"0=hello\0011=world"
'IJS
  [0]  "D=\001"0:"0=hello\0011=world"
               ^
q)0W#2
'limit
  [0]  0W#2
         ^
q)`a`b xasc flip`a`b`a!(1 2;3 4;5 6)
'dup
  [0]  `a`b xasc flip`a`b`a!(1 2;3 4;5 6)
            ^
q)in:2
'assign
  [0]  in:2
       ^
q)within : 2
'assign
  [0]  within : 2
       ^
q)count[1;2]
'rank
  [0]  count[1;2]
       ^
q)system"s 2"
q){system"echo 1"}peach 0 1
'sys
  [1]  {system"echo 1"}peach 0 1
        ^
q)system"s 0"
/ Every value of a dictionary at once is not assigned to.
q)d:`a`b!1 2
q)d[]:5
'adict
  [0]  d[]:5
          ^
q)d[::]+:5
'adict
  [0]  d[::]+:5
            ^
q)d
a| 1
b| 2
/ A variable that is amended by its name holds off other amends by name, and what they would change stays.
q)t:([]a:1 2 3)
q)n:`a`b`c
q)update b:{`n?`d;`d}[] from `t
'noamend
  [1]  update b:{`n?`d;`d}[] from `t
                   ^
q)@[`t;`a;{`t insert 9;x}]
'noamend
  [1]  @[`t;`a;{`t insert 9;x}]
                   ^
q)@[`n;0;{.[`n;();:;3];x}]
'noamend
  [1]  @[`n;0;{.[`n;();:;3];x}]
               ^
q)update b:{`t upsert 4;a}[] from `t
'noamend
  [1]  update b:{`t upsert 4;a}[] from `t
                    ^
q)`a xasc `t
`t
q)(t;n)
+(,`a)!,`s#1 2 3
`a`b`c
q)update b:{c::5;1 2 3}[] from `t
`t
q)c
5
q)`n?`z
`n$`z
/ reval changes no global.
q)a:3
q)reval (:;`a;5)
'noupdate
  [0]  reval (:;`a;5)
       ^
q)reval parse"{`a set 7;x}each 1 2"
'noupdate
  [1]  {`a set 7;x}each 1 2
           ^
q)reval parse"a+1"
4
q)reval (system;"echo 1")
'sys
  [0]  reval (system;"echo 1")
       ^
q)a
3
/ Each branch has its byte codes: a constant and the end of its statement.
q)f:{"{if[1;",x,"]}"}
q)@[value;f 65024#"0;";::]
"branch"
q)count string value f 65000#"0;"
65008
q)@[value;"{$[x;(",(130100#"1;"),"1);2]}";::]
"branch"
q)count string value "{$[x;(",(130000#"1;"),"1);2]}"
130012
q)@[(`$":",1000#"a") set;1;::]
"path too long"
/ An empty list is for every key.
q)flip`sym`price!()
sym price
---------
q)`sym`price!()
sym  | ()
price| ()
q)`a`b xasc flip`a`b`a!()
'dup
  [0]  `a`b xasc flip`a`b`a!()
            ^
q)`a`b!`long$()
'length
  [0]  `a`b!`long$()
           ^
