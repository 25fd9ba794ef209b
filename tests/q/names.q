/ Names of unnamed columns: of an operator its left operand, of a function its last argument.
q)t:([]price:2 4f;size:10 20;sym:`a`b;time:09:00:00 09:01:00)
q)cols select price%size from t
,`price
q)cols select 2*price from t
,`x
q)cols select price+size,size wavg price,5 xbar size from t
`price`price1`size
q)cols select time.minute,10 xbar time.minute from t
`minute`minute1
q)cols select count i,i from t
`x`x1
q)cols select max price,min price,size from t
`price`price1`size
q)cols select signum deltas price,2 mavg price from t
`price`price1
q)cols update `g#sym,`#price from t
`price`size`sym`time
q)cols select 1,`k,1 2 from t
`x`x1`x2
q)cols select count i by sym,size from t
`sym`size`x
q)cols select price,price,price from t
`price`price1`price2
q)key exec size,price,size from t
`size`price`size1
q)cols([]til 2;3 4)
`x`x1
q)parse"select a,a by a from t"
'dup names for cols/groups a
/ The reserved words that q defines have a namespace.
q)4#key`.q
``neg`not`null
q).q.neg 4
-4
q).q[`neg`not]@\:5
-5
0b
q)value(`.q.mod;7;4)
3
q)all(1_value .q)~'value each string 1_key .q
1b
q)first key`
`q
/ A view is all that follows it; a line may say its language.
q)vv::z1+1;z1*2
q)z1:5
q)vv
10
q)ww::z1;
q)ww~(::)
1b
q)view`vv
"z1+1;z1*2"
q)k)#1 2 3
3
q)k)(-5),+/1 2
-5 3
q)parse"k)!3"
!:
3
q)q)1+1
2
q)7 ::
7
q){a::1;a:2}
'a
  [0]  {a::1;a:2}
             ^
q){[a]a::1;a}2
1
/ A view that would need itself, also through others, is none; what stood there stays.
q)l1::l1+1
'loop
  [0]  l1::l1+1
         ^
q)l1::l2
q)l2:5
q)l2::l1
'loop
  [0]  l2::l1
         ^
q)l1
5
