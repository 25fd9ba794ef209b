/ delete rows and columns.
q)t:([]s:`a`b`c;p:1 2 3;q:4 5 6)
q)delete from t where p=2
s p q
-----
a 1 4
c 3 6
q)delete from t where p>100
s p q
-----
a 1 4
b 2 5
c 3 6
q)delete from t
s p q
-----
q)delete p from t
s q
---
a 4
b 5
c 6
q)delete p,q from t
s
-
a
b
c
q)delete zz from t
'zz
q)delete from`t where s=`c
`t
q)t
s p q
-----
a 1 4
b 2 5
q)k:([id:`x`y]v:1 2)
q)delete from k where v=1
id| v
--| -
y | 2
q)d:`a`b`c!1 2 3
q)delete b from d
a| 1
c| 3
q)![t;();0b;enlist`p]
s q
---
a 4
b 5
q)![t;enlist(=;`p;1);0b;`symbol$()]
s p q
-----
b 2 5
q)x1:1;x2:2
q)delete x1 from`.
`.
q)x1
'x1
q)x2
2
