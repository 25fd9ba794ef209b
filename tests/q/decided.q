/ What q's public documentation leaves open, each decided in one function, whose comment says so.
/ Aggregates of nothing: sums are 0, products 1, of the type that the aggregate has (`eval/agg.rs`).
q)sum each(0#0;0#0i;0#0f;0#0e;0#0b;0#0Nn)
0
0i
0f
0e
0i
0D00:00:00.000000000
q)prd each(0#0;0#0i;0#0f)
1
1i
1f
q)sum()
0
q)(max 0#0;min 0#0i;max 0#0f;avg 0#0;med 0#0f;first 0#`)
-0W
0Wi
-0w
0n
0n
`
/ Spread of nothing is null, of one item 0; divided by n-1 it is null.
q)(var 0#0f;dev 0#0f;var enlist 3;dev enlist 3f)
0n 0n 0 0
q)(svar 0#0f;sdev enlist 3f;svar 3 0N 7)
0n 0n 8
/ Pairs with a null are left out of cov and scov, as the documentation shows for cor and wavg.
q)1 2 0N 4 cov 1 2 3 4
1.555556
q)1 2 4 cov 1 2 4
1.555556
q)1 2 0N 4 scov 1 2 3 4
2.333333
q)1 3 0N cor 1 3 9
1f
/ Running sums and products begin at 0 and 1, so a leading null counts as that.
q)sums 0N 1 2
0 1 3
q)prds 0N 2 3
1 2 6
q)sums 0n 0n
0 0f
/ ema hands a null on.
q)ema[0.5;1 2 0n 4]
1 1.5 0n 0n
/ Integers divided by 0 are null, whatever the sign; floats are not integers.
q)(5 div 0;-5 div 0;0 div 0;5 mod 0)
0N 0N 0N 0N
q)5f div 0
0w
/ Casts to integers take the nearest, a half away from zero.
q)`long$0.5 1.5 2.5 -0.5 -1.5 -2.5
1 2 3 -1 -2 -3
q)`int$0.5e
1i
/ deltas has no predecessor for its first item, which is taken against 0: of a date that is a number of days.
q)deltas 2024.01.01 2024.01.03
8766 2i
q)deltas 2024.01.01D00 2024.01.01D01
8766D00:00:00.000000000 0D01:00:00.000000000
q)deltas 10:00 10:05
10:00 00:05
/ -0.0 is shown with its sign, and is one value with 0.0 wherever values are keys.
q)0 -0.0
0 -0f
q)distinct 0 -0.0
,0f
q)select n:count i by p from([]p:0 -0.0 0)
p| n
-| -
0| 3
/ Without a match, aj0 shows the left time.
q)aj0[`s`t;([]s:`a`b;t:10 10);([]s:`a`a;t:5 9;v:1 2)]
s t  v
------
a 9  2
b 10
/ xgroup's keys come in order of first occurrence.
q)`s xgroup([]s:`b`a`b;v:1 2 3)
s| v
-| ---
b| 1 3
a| ,2
/ Groups of enumerated symbols are ordered by value, not by index.
q)sym:`z`a`m
q)select n:count i by e from([]e:`sym$`m`z`a`m)
e| n
-| -
a| 1
m| 2
z| 1
/ Sums of reals are added up as floats and rounded once.
q)\P 0
q)sum 16777216 1 1e
16777218e
q)sum 1e8 1 -1e8e
1e
/ An int meets a real as a real, a long too: 24 bits stay.
q)16777217i+0e
16777216e
q)16777217+0e
16777216e
q)\P 7
/ A column that a select takes as it is keeps its attribute; one with fewer rows has none, but a range of rows stays in order.
q)t:`s xasc([]s:`b`a`c;g:`g#`x`y`x)
q)attr each flip select s,g from t
s| s
g|
q)attr each flip select s,g from t where s in`a`c
s|
g|
q)attr each flip 2#t
s| s
g|
/ Where the documentation contradicts itself, its printed sessions decide.
q)sum"abc"
'type
  [0]  sum"abc"
       ^
q)5 mavg 0N 2 0N 5 7 0N
0n 2 2 3.5 4.666667 4.666667
q)2 0N 4 5 wavg 1 2 0N 8
6f
q)2.5 xbar til 16
0 0 0 2.5 2.5 5 5 5 7.5 7.5 10 10 10 12.5 12.5 15
q)avg 1 0N 3
2f
q)parse"size wavg price"
wavg
`size
`price
q)cols select size wavg price,5 xbar price,2*size,price%size from([]size:1 2;price:3 4f)
`price`price1`x`price2
q)1 2<>1 3
01b
q)ratios 2 4 8
2 2 2f
