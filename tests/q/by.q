/ select by: keys come out sorted, nulls first.
q)t:([]s:`b`a`b``a`b;p:1 2 3 4 5 6f;n:10 20 30 40 50 60)
q)select sum n by s from t
s| n
-| ---
 | 40
a| 70
b| 100
q)select sum p,max n,count i by s from t
s| p  n  x
-| -------
 | 4  40 1
a| 7  50 2
b| 10 60 3
/ A column that does not aggregate nests; a group of one shows as a one-item list.
q)select n by s from t
s| n
-| --------
 | ,40
a| 20 50
b| 10 30 60
q)select sums n by s from t
s| n
-| ---------
 | ,40
a| 20 70
b| 10 40 100
q)select a:sum n,b:n by s from t
s| a   b
-| ------------
 | 40  ,40
a| 70  20 50
b| 100 10 30 60
/ Without a phrase: the last row of each group, without the keys.
q)select by s from t
s| p n
-| ----
 | 4 40
a| 5 50
b| 6 60
/ Several keys, the first major; expressions and names as keys.
q)u:([]a:2 1 2 1;b:`x`y`x`x;v:1 2 3 4)
q)select sum v by a,b from u
a b| v
---| -
1 x| 4
1 y| 2
2 x| 4
q)select sum v by k:a+10 from u
k | v
--| -
11| 6
12| 4
q)select v by b,c:v>2 from u
b c| v
---| ---
x 0| ,1
x 1| 3 4
y 0| ,2
/ where comes before by.
q)select count i by b from u where v>1
b| x
-| -
x| 2
y| 1
q)select sum v by b from u where v>100
b| v
-| -
q)select v by b from u where v>100
b| v
-| -
/ An atom as key, and a phrase that names no column.
q)select sum v by k:`all from u
k  | v
---| --
all| 10
q)select n:1 by a from u
a| n
-| -
1| 1
2| 1
/ Grouping is exact; the two zeros are one key and so are all nulls.
q)z:([]x:0 -0 0n 1 0n;v:1 2 3 4 5)
q)z:update x:x*1 -1 1 1 1 from z
q)select sum v by x from z
x| v
-| -
 | 8
0| 3
1| 4
q)select v by x from([]x:1 1f+0 1e-15;v:1 2)
x| v
-| --
1| ,1
1| ,2
/ All-null groups.
q)m:([]k:`a`a`b;v:0N 0N 3)
q)select sum v,av:avg v,mn:min v,mx:max v,c:count v by k from m
k| v av mn mx  c
-| -------------
a| 0    0W -0W 2
b| 3 3  3  3   1
/ Aggregates that end in a user's function.
q)select f:{last[x]-first x}n by s from t
s| f
-| --
 | 0
a| 30
b| 50
q)select wp:n wavg p by s from t
s| wp
-| --------
 | 4
a| 4.142857
b| 4.6
q)select mn:min p,mx:max p,rng:(max p)-min p by s from t where not null s
s| mn mx rng
-| ---------
a| 2  5  3
b| 1  6  5
/ prev and deltas never cross groups.
q)select prev n by s from t
s| n
-| --------
 | ,0N
a| 0N 20
b| 0N 10 30
q)select deltas n by s from t
s| n
-| --------
 | ,40
a| 20 30
b| 10 20 30
/ The single key is sorted.
q)attr exec s from select by s from t
`s
q)-3!select sum n by s from t where s=`a
"(`s#+(,`s)!,`s#,`a)!+(,`n)!,,70"
/ Time buckets.
q)d:([]tm:09:00 09:03 09:05 09:11;v:1 2 3 4)
q)select sum v by 5 xbar tm from d
tm   | v
-----| -
09:00| 3
09:05| 3
09:10| 4
/ Keys of the wrong length, and names that clash.
q)select sum v by 1 2 from d
'length
q)?[d;();(enlist`v)!enlist`tm;(enlist`v)!enlist(sum;`v)]
'dup names for cols/groups v
/ distinct with by is plain by without it.
q)select distinct b from u
b
-
x
y
