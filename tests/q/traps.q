/ Places where q is not what a newcomer expects, each once. Lines after `q)` are what the console prints.

/ A vector divided by an atom is multiplied by the reciprocal; an atom by an atom is divided.
q)\P 0
q)41%10
4.0999999999999996
q)first enlist[41]%10
4.1000000000000005
q)\P 7

/ A sum that meets a null never turns null; neither does a running sum.
q)sum 1 0N 2
3
q)sums 1 0N 2
1 1 3
q)mins 0N 5 0N 1
0W 5 5 1
q)3 mmin 0N -3 2
0N 0N 0N

/ Integer infinities are only large numbers, and one more is null.
q)1+0W
0N
q)2+0W
-0W

/ Nulls compare less than everything, so a filter below a bound keeps them.
q)t:([]p:1 0N 3)
q)select from t where p<2
p
-
1
 
q)select from t where p>2
p
-
3

/ Where clauses narrow one after another: the order decides what an aggregate sees.
q)u:([]s:`a`b`a`b;p:4 3 2 1)
q)select from u where s=`b,p=max p
s p
---
b 3
q)select from u where p=max p,s=`b
s p
---

/ A timestamp is truncated to a minute before it is compared with one; a timespan is not.
q)2024.10.07D09:29:15>09:29
0b
q)0D09:29:15>09:29
1b

/ xbar is anchored at zero of the type, and floors below it.
q)5 xbar -7 -5 -1 0 4 7
-10 -5 -5 0 0 5
q)7 xbar 1999.12.31 2000.01.01 2000.01.08
1999.12.25 2000.01.01 2000.01.08

/ An update that matches no row still adds its column, with the type that it would have had.
q)update z:1f from u where p>100
s p z
-----
a 4  
b 3  
a 2  
b 1  
q)meta update z:1f from u where p>100
c| t f a
-| -----
s| s    
p| j    
z| f    

/ A left join overwrites matched columns, nulls included.
q)([]k:`a`b`c;v:1 2 3) lj ([k:`a`b]v:10 0N)
k v 
----
a 10
b   
c 3 

/ A window join sees the row that prevails when its window opens; wj1 does not.
q)w:(10:00:05 10:00:06;10:00:07 10:00:08)
q)x:([]sym:`a`a;time:10:00:06 10:00:07)
q)y:([]sym:`p#`a`a;time:09:00:00 10:00:06;v:100 1)
q)wj[w;`sym`time;x;(y;(max;`v))]
sym time     v  
----------------
a   10:00:06 100
a   10:00:07 1  
q)wj1[w;`sym`time;x;(y;(max;`v))]
sym time     v
--------------
a   10:00:06 1
a   10:00:07 1

/ `c>=1` is a composition: not less.
q)parse"c>=1"
(';~:;<)
`c
1

/ Without by, aggregates of no rows give one row; with by, no groups.
q)e:0#u
q)select n:count i,m:max p from e
n m  
-----
0 -0W
q)select n:count i by s from e
s| n
-| -

/ A group of nulls, and a group of one row.
q)select s:sum v,a:avg v,lo:min v,d:dev v by k from ([]k:`x`x`y;v:0N 0N 5)
k| s a lo d
-| --------
x| 0   0W  
y| 5 5 5  0

/ Equality of floats is tolerant; grouping by them is not.
q)a:0.1+0.2
q)a=0.3
1b
q)count distinct a,0.3
2

/ A dictionary's missing key gives the null of the first value's type.
q)(`a`b!1 2)`z
0N
