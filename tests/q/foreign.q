/ Foreign keys by any key, links, and enumerations whose variable changes.
q)f:([x:1 2 3]y:10 20 30)
q)t:([]a:`f$2 2 2;b:0;c:`f$1 1 3)
q)t
a b c
-----
2 0 1
2 0 1
2 0 3
q)meta t
c| t f a
-| -----
a| j f
b| j
c| j f
q)fkeys t
a| f
c| f
q)t`a
`f$2 2 2
q)t 1
a| `f$2
b| 0
c| `f$1
q)value t`c
1 1 3
q)type t`c
20h
q)select a.y,c.y,c from t
y  y1 c
-------
20 10 1
20 10 1
20 30 3
q)select from t where a=2,c>1
a b c
-----
2 0 3
q)select sum b,n:count i by c from t
c| b n
-| ---
1| 0 2
3| 0 1
q)desc t`c
`f$3 1 1
q)`t insert(1;5;2)
,3
q)`t insert(9;5;2)
'cast
  [0]  `t insert(9;5;2)
          ^
q)`f$4
'cast
  [0]  `f$4
         ^
q)`f$()
`f$`long$()
q)t,([]a:3 1;b:6 7;c:`f$2 2)
a b c
-----
2 0 1
2 0 1
2 0 3
1 5 2
3 6 2
1 7 2
q)update c:2 from`t where b=5
`t
q)t
a b c
-----
2 0 1
2 0 1
2 0 3
1 5 2
q)-9!-8!t`c
1 1 3 2
q)g:([d:2024.01.01 2024.01.02]n:`one`two)
q)k:`g$2024.01.02 2024.01.01 2024.01.02
q)k
`g$2024.01.02 2024.01.01 2024.01.02
q)([]k;k.n)
k          n
--------------
2024.01.02 two
2024.01.01 one
2024.01.02 two
/ A key of several columns takes a list for a row.
q)k2:([a:1 1 2;b:`x`y`x]c:10 20 30)
q)r:`k2$((1;`y);(2;`x);(1;`y))
q)([]r;r.c)
r c
----
1 20
2 30
1 20
q)`k2$(1;`y)
`k2!1
q)`k2$enlist(5;`y)
'cast
  [0]  `k2$enlist(5;`y)
          ^
/ A link is by position, into any table; a name may be set later.
q)u:([]p:1 2 3;v:`a`b`c)
q)update lk:`u!0 2 1 5 from`t
`t
q)t`lk
`u!0 2 1 5
q)meta t
c | t f a
--| -----
a | j f
b | j
c | j f
lk| j u
q)select lk,lk.v from t
lk v
----
0  a
2  c
1  b
5
q)later:`what!1 0
q)later
`what!1 0
q)what:`p`q
q)(`what!1 0;type later)
`what$`q`p
20h
q)`b!0 1
`b!0 1
q)b:10 20
q)`b!0 1
'type
  [0]  `b!0 1
         ^
/ An enumeration shows what its variable holds now.
q)d:`a`b`c
q)e:`d$`a`b`c`b
q)d[0]:`z
q)e
`d$`z`b`c`b
q)value e
`z`b`c`b
q)e=`z
1000b
q)h:([]e)
q)d:`k`l`m
q)h
e
-
k
l
m
l
q)"i"$e
0 1 2 1i
/ Extending keeps a domain unique.
q)w:`u#`p`q
q)`w?`q`r
`w$`q`r
q)w
`u#`p`q`r
