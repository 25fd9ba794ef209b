/ What rows have from others of their list: windows, shifts, ranks, sorted items and moving averages. A list that is longer than a chunk, lists of one row, of none, and rows of no list; the same bytes as the host has.
q)n:3000;i:til n
q)h:([]s:`a`b`c`d i mod 3;g:i div 7;p:((i*7919)mod 1009)%64;k:(i*31)mod 17;e:0=i mod 5;c:n#"ab cd";f:n#1 0n -0.0 0w 2.5 -0w 0)
q)update k:0N from `h where 3=i mod 11
`h
q)update p:0n from `h where 5=i mod 13
`h
q)T:.gpu.to h
q)same:{[x;y](-8!.gpu.from x)~-8!y}
q)same[update a:5 mavg p,b:3 mdev p,m:4 mcount k,d:6 mmin p,e2:6 mmax k,f2:7 msum p,g2:7 msum k from T;update a:5 mavg p,b:3 mdev p,m:4 mcount k,d:6 mmin p,e2:6 mmax k,f2:7 msum p,g2:7 msum k from h]
1b
q)same[update a:5 mavg p,b:3 mdev p,m:4 mcount c,d:6 mmin f,e2:6 mmax f,f2:7 msum `real$p,g2:7 msum `int$k by s from T;update a:5 mavg p,b:3 mdev p,m:4 mcount c,d:6 mmin f,e2:6 mmax f,f2:7 msum `real$p,g2:7 msum `int$k by s from h]
1b
q)same[update a:200 mavg p,b:0 mmin p,m:-1 msum k,d:0 mmax f,e2:null 0 mavg p,f2:3 mcount p,g2:500 mmax k by s from T where not e;update a:200 mavg p,b:0 mmin p,m:-1 msum k,d:0 mmax f,e2:null 0 mavg p,f2:3 mcount p,g2:500 mmax k by s from h where not e]
1b
q)same[select s,a:3 mavg p,b:2 xprev p,m:prev s,d:next g,r:rank k,v:reverse p,w:sums k from T where e;select s,a:3 mavg p,b:2 xprev p,m:prev s,d:next g,r:rank k,v:reverse p,w:sums k from h where e]
1b
q)same[update a:rank p,b:asc k,m:desc p,d:reverse s,e2:rank s,f2:desc s by g from T;update a:rank p,b:asc k,m:desc p,d:reverse s,e2:rank s,f2:desc s by g from h]
1b
q)same[update a:rank f,b:asc f,m:desc c,d:reverse e,w:-2 xprev p by s from T where e;update a:rank f,b:asc f,m:desc c,d:reverse e,w:-2 xprev p by s from h where e]
1b
q)same[update a:rank p,b:iasc k,m:idesc f,d:4 xrank p from T;update a:rank p,b:iasc k,m:idesc f,d:4 xrank p from h]
1b
q)same[select a:ema[0.1;p],b:ema[0.3;k],m:ema[2;k],d:ema[0.5;f]from T;select a:ema[0.1;p],b:ema[0.3;k],m:ema[2;k],d:ema[0.5;f]from h]
1b
q)same[select a:ema[0.1;0^p],b:ema[0.0001;0^k],m:ema[1;0^k],d:ema[0;0^k]from T;select a:ema[0.1;0^p],b:ema[0.0001;0^k],m:ema[1;0^k],d:ema[0;0^k]from h]
1b
q)same[update a:ema[0.01;0^p],b:ema[0.25;0^k]by s from T where p>2;update a:ema[0.01;0^p],b:ema[0.25;0^k]by s from h where p>2]
1b
q)same[update a:ema[0.2;0^p],m:2 mavg p,r:rank p,t:sums k by g from T;update a:ema[0.2;0^p],m:2 mavg p,r:rank p,t:sums k by g from h]
1b
q)same[select a:3 mavg p,b:rank p,m:ema[0.5;p],d:desc k from T where p>1e9;select a:3 mavg p,b:rank p,m:ema[0.5;p],d:desc k from h where p>1e9]
1b
q)same[update a:3 mavg p,b:rank p,m:ema[0.5;p]by s from T where p>1e9;update a:3 mavg p,b:rank p,m:ema[0.5;p]by s from h where p>1e9]
1b
