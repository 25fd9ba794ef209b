/ Scans with a seed: each item by the function with the result before it, the first with the seed; a null spoils what follows, as the function has it.
q)n:300;i:til n
q)h:([]s:`a`b`c i mod 3;e:0=i mod 5;j:(i*31)mod 17;k:`int$(i*7)mod 5;f:((i*7919)mod 1009)%64;b:0=i mod 2;z:@[n#1;10 20 40;:;0W 1 0W];t:`timespan$1+i)
q)update m:?[0=i mod 50;0N;j],g:?[0=i mod 70;0n;f] from `h
`h
q)T:.gpu.to h
q)same:{[x;y](-8!.gpu.from x)~-8!y}
q)same[update a:0+\j,aa:10+\k,bb:0+\m,u:1.5+\g,v:0+\f,w:5+\z from T;update a:0+\j,aa:10+\k,bb:0+\m,u:1.5+\g,v:0+\f,w:5+\z from h]
1b
q)same[update a:0+\j,u:3&\m,v:3|\m,w:1.5|\g,x:2&\g,y:5^\m,aa:0N|\m,bb:0n^\g,cc:1b&\e by s from T;update a:0+\j,u:3&\m,v:3|\m,w:1.5|\g,x:2&\g,y:5^\m,aa:0N|\m,bb:0n^\g,cc:1b&\e by s from h]
1b
q)same[select s,a:0+\m,b:1*\k+1,c:0D00:00:01+\t,d:`z^\s from T where e;select s,a:0+\m,b:1*\k+1,c:0D00:00:01+\t,d:`z^\s from h where e]
1b
q)same[select a:0+\m,d:2|\m from T where j>100;select a:0+\m,d:2|\m from h where j>100]
1b
q)select last 0+\j,max 2*\k by s from T
s| j   k
-| ------
a| 806 0
b| 795 48
c| 801 8
/ Taking away, and functions that only name a primitive.
q)S:.gpu.to ([]k:1 2 1 2;j:1 0N 3 4;f:1.5 2 -0.25 8;b:1011b)
q)select x:10-\j,y:1.5-\f,z:0-\b by k from S
k| x     y         z
-| ---------------------
1| 9 6   0 0.25    -1 -2
2| 0N 0N -0.5 -8.5 0 -1
q)select x:{x-y}\[0;j],y:{x+y}\[1f;f],z:{x|y}\[0;b] from S
x  y     z
----------
-1 2.5   1
   4.5   1
   4.25  1
   12.25 1
q)select x:"c"&\c,y:"a"|\c,z:0x03|\x,w:1b&\b by k from .gpu.to ([]k:1 1 2 2;c:"b d ";x:0x01050002;b:1101b)
k| x    y    z      w
-| --------------------
1| "b " "bb" 0x0305 11b
2| "c " "dd" 0x0303 00b
