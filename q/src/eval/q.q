/ names of .Q that are plain q
.Q.a:"abcdefghijklmnopqrstuvwxyz"
.Q.A:"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
.Q.n:"0123456789"
.Q.nA:.Q.n,.Q.A
.Q.an:.Q.a,.Q.A,"_",.Q.n
.Q.b6:.Q.A,.Q.a,.Q.n,"+/"
.Q.t:" bg xhijefcspmdznuvts"
.Q.k:4.1
.Q.K:.z.k
.Q.M:0W
.Q.x:()
.Q.s1:{-3!x}
.Q.f:{-27!(x;y)}
.Q.fmt:{(neg x)$.Q.f[y;z]}
.Q.qt:{$[98h=type x;1b;99h=type x;98h=type key x;0b]}
.Q.ft:{$[99h=type y;[n:count cols key y;n!x 0!y];x y]}
.Q.fu:{$[0h>type y;x y;[d:distinct y;(x d)d?y]]}
.Q.fc:{x y}
.Q.ff:{flip flip[x],flip count[x]#0#(cols[y]except cols x)#y}
.Q.dd:{` sv x,`$string y}
.Q.addmonths:{("d"$y+"m"$x)+x-"d"$"m"$x}
.Q.v:{$[-11h=type x;value x;x]}
.Q.V:{flip 0!.Q.v x}
.Q.fk:{$[20h>type x;`;.Q.qt @[value;k:key x;0];k;`]}
.Q.fsn:{[f;p;n]s:hcount p;a:0;while[a<s;b:read1(p;a;n);e:$[s>a+count b;1+last where b=0x0a;count b];$[null e;n*:2;[f` vs"c"$e#b;a+:e]]];s}
.Q.fs:.Q.fsn[;;131000]
.Q.btoa:{n:neg[count x]mod 3;(neg[n]_.Q.b6 2 sv/:6 cut raze 0b vs/:"x"$x,n#"\000"),n#"="}
.Q.atob:{"c"$neg[sum x="="]_2 sv/:8 cut raze -6#/:0b vs/:"x"$.Q.b6?x}
.Q.opt:{i:where x like "-*";.Q.x::(count[x]^first i)#x;d:i cut x;(`$1_'first each d)!1_'d}
.Q.def:{[x;y]x,k!{c:upper .Q.t abs type x;$[0h=type y;first c$y;10h=type y;c$y;y]}'[x k;y k:key[x]inter key y]}
.Q.res:`abs`acos`asin`atan`avg`bin`binr`cor`cos`cov`delete`dev`div`do`enlist`exec`exit`exp`getenv`hopen`if`in`insert`last`like`log`max`min`prd`select`setenv`sin`sqrt`ss`sum`tan`update`var`wavg`while`within`wsum`xexp
.Q.id:{$[-11h=type x;`$$[first[s:string[x]inter .Q.an]in .Q.a,.Q.A;s;"a",s];11h=type x;.Q.id each x;98h=type x;flip .Q.id flip x;.Q.qt x;(count keys x)!.Q.id 0!x;(.Q.idn key x)!value x]}
.Q.idn:{{n:$[y in .Q.res,key .q;`$string[y],"1";y];x,first(n,`$string[n],/:string 1+til 1+count x)except x}/[0#`;.Q.id x]}
.Q.j10:{64 sv .Q.b6?x}
.Q.x10:{.Q.b6(10#64)vs x}
.Q.j12:{36 sv .Q.nA?x}
.Q.x12:{.Q.nA(12#36)vs x}
.Q.ind:{x y}
.Q.sbt:raze
.Q.ens:{[d;t;n]c:where 11h=type each flip 0!t;f:` sv d,n;f?();keys[t]xkey @[0!t;c;f?]}
.Q.en:.Q.ens[;;`sym]
