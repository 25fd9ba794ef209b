/ On one thread peach is each.
q){a::x}peach 1 2
1 2
q)a
2
/ On several, a worker sees the globals as they were and may not set them.
q)\s 3
q)\s
3i
q)b:10
q){x*b}peach til 6
0 10 20 30 40 50
q){a::x}peach 1 2
'noupdate
  [1]  {a::x}peach 1 2
         ^
q){`a set x}peach 1 2
'noupdate
  [1]  {`a set x}peach 1 2
           ^
q){b+:x}peach 1 2
'noupdate
  [1]  {b+:x}peach 1 2
         ^
q)t:([]p:1 2)
q){`t upsert([]p:enlist x)}peach 1 2
'noupdate
  [1]  {`t upsert([]p:enlist x)}peach 1 2
           ^
q){update p:0 from`t}peach 1 2
'noupdate
  [1]  {update p:0 from`t}peach 1 2
        ^
q){delete b from`.}peach 1 2
'noupdate
  [1]  {delete b from`.}peach 1 2
        ^
q){.n.x:x}peach 1 2
'noupdate
  [1]  {.n.x:x}peach 1 2
            ^
q)sym:`a`b
q){`sym?x}peach`a`new
'noupdate
  [1]  {`sym?x}peach`a`new
            ^
q){`sym?x}peach`a`b
`sym$`a`b
q)(a;b;t;sym)
2
10
+(,`p)!,1 2
`a`b
/ Locals are each worker's own; what it prints comes in order, and so does the first signal.
q){s:0;do[x;s+:x];s}peach til 6
0 1 4 9 16 25
q){-1 string x;x}peach til 4;
0
1
2
3
q){$[x in 3 5;'`$"bad",string x;x]}peach til 200
'bad3
  [1]  {$[x in 3 5;'`$"bad",string x;x]}peach til 200
                   ^
q)@[{'x}peach;`a`b;{"trapped ",x}]
"trapped a"
/ Shapes are those of each.
q){2*x}peach`a`b!1 2
a| 2
b| 4
q){x`p}peach([]p:3 4)
3 4
q)sum peach(1 2;3 4)
3 7
q)neg peach 5
-5
q){x}peach()
()
q){x}peach 0#0
()
/ Random numbers do not depend on which thread draws them.
q)\S 5
q)r:{rand 1000}peach til 50
q)\S 5
q)r~{rand 1000}peach til 50
1b
q)\s 0
q){a::x}peach 7 8
7 8
q)a
8
/ However many threads are asked for.
q)\s 1000000
q)sum{x}peach til 1000
499500
q)\s -1
q)\s
0i
