/ Relations between verbs, on ten thousand rows with nulls, unsorted keys and ties.
q)n:10000
q)t:([]k:(7919*til n)mod 101;s:`a`b`c`d`e`(31*til n)mod 6;v:(17*til n)mod 1009;f:0.25*(13*til n)mod 97)
q)t:update v:0N from t where 0=v mod 11
q)t:update f:0n from t where 5=k mod 7
/ by against group.
q)g:t[`v]group t`k
q)(exec v by k from t)~asc[key g]#g
1b
q)(exec sum v by k from t)~sum each asc[key g]#g
1b
q)(exec med f by s from t)~{asc[key x]#x}med each t[`f]group t`s
1b
q)(select sum v,max f,n:count i by k,s from t)~`k`s xasc select sum v,max f,n:count i by k,s from reverse t
1b
q)(select by k from t)~select last s,last v,last f by k from t
1b
/ An aggregate by two keys sums up to that by one.
q)(select sum v by k from t)~select sum v by k from select sum v by k,s from t
1b
/ update by, fby and lj say the same.
q)m:exec m from update m:max v by s from t
q)m~exec (max;v)fby s from t
1b
q)m~exec m from t lj select m:max v by s from t
1b
q)m~(exec max v by s from t)t`s
1b
q)(exec r from update r:sums v by k from t)~exec (sums;v)fby k from t
1b
/ Row-wise clauses may be taken together or one after the other, and in any order.
q)(select from t where v>500,f<10)~select from t where(v>500)&f<10
1b
q)(select from t where v>500,f<10)~select from t where f<10,v>500
1b
q)(count t)=sum(count select from t where v<500;count select from t where not v<500)
1b
/ Deleting is selecting the rest.
q)(delete from t where v<500)~select from t where not v<500
1b
/ Sorts: stable, and a permutation.
q)(`k xasc t)~t iasc t`k
1b
q)(`k`s`v xasc t)~t iasc`k`s`v#t
1b
q)(`s xdesc t)~t idesc t`s
1b
q)(select[>v]from t)~t idesc t`v
1b
q)(select[10;<f]from t)~10#t iasc t`f
1b
/ Nesting and back.
q)(`k xasc ungroup`k xgroup t)~`k xasc`k xcols t
1b
q)(0!select v,f by k from t)~`k xasc 0!`k xgroup delete s from t
1b
/ Keyed joins against indexing.
q)d:([k:3*til 30]w:til 30;s:30#`x`y)
q)((delete s from t)lj d)[`w]~d[([]k:t`k)]`w
1b
q)(t ij d)~(t lj d)where t[`k]in exec k from d
1b
q)(count ej[`k;t;0!d])=sum(count each group t`k)exec k from d
1b
q)(t uj 0#t)~t
1b
q)(t uj t)~t,t
1b
/ As-of and window joins against a search row by row.
q)q:`s`tm xasc([]s:`a`b`c(7*til 300)mod 3;tm:(37*til 300)mod 211;p:til 300)
q)r:([]s:`a`b`c`d til[50]mod 4;tm:5*til 50)
q)one:{[q;x;y]exec last p from q where s=x,tm<=y}
q)(aj[`s`tm;r;q]`p)~one[q]'[r`s;r`tm]
1b
q)(aj0[`s`tm;r;q]`tm)~{[q;x;y]y^exec last tm from q where s=x,tm<=y}[q]'[r`s;r`tm]
1b
q)w:-20 5+\:r`tm
q)(wj1[w;`s`tm;r;(q;(sum;`p))]`p)~{[q;x;b;e]exec sum p from q where s=x,tm within(b;e)}[q]'[r`s;w 0;w 1]
1b
q)(wj[w;`s`tm;r;(q;(max;`p))]`p)~{[q;x;b;e]u:select from q where s=x;exec max p from u where i within(0|(exec tm from u)bin b;(exec tm from u)bin e)}[q]'[r`s;w 0;w 1]
1b
q)(q asof r)~delete s,tm from aj[`s`tm;r;q]
1b
/ Keys and columns back and forth.
q)(0!`k`v xkey t)~`k`v xcols t
1b
q)(t upsert t)~t,t
1b
q)(d upsert 0!d)~d
1b
q)(cols[t]xcols`v`f xcols t)~t
1b
