/ names of .Q that are plain q
.Q.a:"abcdefghijklmnopqrstuvwxyz"
.Q.A:"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
.Q.n:"0123456789"
.Q.nA:.Q.n,.Q.A
.Q.an:.Q.a,.Q.A,"_",.Q.n
.Q.b6:.Q.A,.Q.a,.Q.n,"+/"
.Q.t:" bg xhijefcspmdznuvts"
.Q.k:4.1
.Q.s1:{-3!x}
.Q.f:{-27!(x;y)}
.Q.fmt:{(neg x)$.Q.f[y;z]}
.Q.qt:{$[98h=type x;1b;99h=type x;98h=type key x;0b]}
.Q.ft:{$[99h=type y;[n:count cols key y;n!x 0!y];x y]}
.Q.fu:{$[0h>type y;x y;[d:distinct y;(x d)d?y]]}
.Q.fc:{x y}
.Q.ff:{flip flip[x],flip((cols[y]except cols x)#y)}
.Q.dd:{` sv x,`$string y}
.Q.addmonths:{("d"$y+"m"$x)+x-"d"$"m"$x}
.Q.v:{$[-11h=type x;value x;x]}
.Q.opt:{d:(where x like "-*")cut x;(`$1_'first each d)!1_'d}
.Q.def:{[x;y]x,(key[x]inter key y)#y}
.Q.id:{$[-11h=type x;`${$[0=count x;"a";first[x]in .Q.n;"a",x;x]}(string x)inter .Q.an;11h=type x;.Q.id each x;(.Q.id cols x)xcol x]}
.Q.j10:{64 sv .Q.b6?x}
.Q.x10:{.Q.b6 64 vs x}
.Q.j12:{36 sv .Q.nA?x}
.Q.x12:{.Q.nA 36 vs x}
.Q.ind:{x y}
.Q.sbt:raze
.Q.ens:{[d;t;n]c:where 11h=type each flip 0!t;f:` sv d,n;f?();keys[t]xkey @[0!t;c;f?]}
.Q.en:.Q.ens[;;`sym]
