/ exec.
q)t:([]s:`b`a`b`a;p:1 2 3 4;q:10 20 30 40)
q)exec p from t
1 2 3 4
q)exec p from t where s=`a
2 4
q)exec sum p from t
10
q)exec s,p from t
s| b a b a
p| 1 2 3 4
q)exec x:p+1 from t
x| 2 3 4 5
q)exec a:sum p,b:max q from t
a| 10
b| 40
q)exec a:1 2,b:p from t
a| 1 2
b| 1 2 3 4
/ No phrase: the last row.
q)exec from t
s| `a
p| 4
q| 40
q)exec from t where p>100
s| `
p| 0N
q| 0N
/ by one unnamed key: a dictionary.
q)exec p by s from t
a| 2 4
b| 1 3
q)exec sum p by s from t
a| 6
b| 4
q)exec sum p by p>2 from t
0| 3
1| 7
/ Named values or keys make tables of either side.
q)exec m:sum p by s from t
 | m
-| -
a| 6
b| 4
q)exec sum p by k:s from t
k|
-| -
a| 6
b| 4
q)exec m:sum p,n:count i by k:s from t
k| m n
-| ---
a| 6 2
b| 4 2
q)exec p,q by s from t
 | p   q
-| ---------
a| 2 4 20 40
b| 1 3 10 30
/ exec by makes dictionaries that line up into a pivot.
q)r:([]k:1 1 2;p:`x`y`x;v:5 6 7)
q)exec(distinct r`p)#(p!v)by k:k from r
k| x y
-| ---
1| 5 6
2| 7
q)exec distinct s from t
`b`a
q)exec first p from t where s=`zz
0N
q)exec p from 0#t
`long$()
q)exec p by s from 0#t
/ The unnamed key does not clash with a result of its name.
q)exec s,p by s from t
 | s    p
-| --------
a| `a`a 2 4
b| `b`b 1 3
