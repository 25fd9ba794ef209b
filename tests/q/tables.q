/ Table verbs: sorting, names, keys, meta, nesting.
q)t:([]s:`b`a`c`a;v:3 1 2 0N)
q)`s xasc t
s v
---
a 1
a
b 3
c 2
q)`s`v xasc t
s v
---
a
a 1
b 3
c 2
q)`v xdesc t
s v
---
b 3
c 2
a 1
a
q)attr(`s xasc t)`s
`s
q)attr(`v xdesc t)`v
`
q)`zz xasc t
'zz
q)u:t
q)`v xasc`u
`u
q)u
s v
---
a
a 1
c 2
b 3
q)`v xasc([k:2 1]v:2 1)
k| v
-| -
1| 1
2| 2
q)cols t
`s`v
q)keys t
`symbol$()
q)k:([a:1 2;b:`x`y]c:3 4)
q)cols k
`a`b`c
q)keys k
`a`b
q)key k
a b
---
1 x
2 y
q)value k
c
-
3
4
q)0!k
a b c
-----
1 x 3
2 y 4
q)1!0!k
a| b c
-| ---
1| x 3
2| y 4
q)3!0!k
'length
q)`p`q xcol t
p q
---
b 3
a 1
c 2
a
q)`p xcol t
p v
---
b 3
a 1
c 2
a
q)(`v`s!`x`y)xcol t
y x
---
b 3
a 1
c 2
a
q)`a`b`c xcol t
'length
q)(enlist[`zz]!enlist`x)xcol t
'length
q)`v xcols t
v s
---
3 b
1 a
2 c
  a
q)`v xkey t
v| s
-| -
3| b
1| a
2| c
 | a
q)()xkey k
a b c
-----
1 x 3
2 y 4
q)`b xkey k
b| a c
-| ---
x| 1 3
y| 2 4
q)m:([]a:1 2;b:`x`y;c:("ab";"cd");d:(1 2;enlist 3);e:(1;`x);f:`s#1.5 2)
q)meta m
c| t f a
-| -----
a| j
b| s
c| C
d| J
e|
f| f   s
q)meta([k:`p`q]v:1 2i)
c| t f a
-| -----
k| s
v| i
q)meta([]x:())
c| t f a
-| -----
x|
/ Foreign keys.
q)p:([id:`x`y]city:`rome`oslo)
q)s:([]id:`p$`y`x`y;n:1 2 3)
q)meta s
c | t f a
--| -----
id| s p
n | j
q)fkeys s
id| p
q)select id.city,n from s
city n
------
oslo 1
rome 2
oslo 3
/ xgroup and ungroup.
q)g:([]k:`b`a`b`a;v:1 2 3 4;w:`p`q`r`s)
q)`k xgroup g
k| v   w
-| --------
b| 1 3 `p`r
a| 2 4 `q`s
q)ungroup`k xgroup g
k v w
-----
b 1 p
b 3 r
a 2 q
a 4 s
q)ungroup([]a:1 2;b:(1 2;enlist 3);c:10 20)
a b c
------
1 1 10
1 2 10
2 3 20
q)ungroup([]a:1 2;b:(`long$();1 2))
a b
---
2 1
2 2
q)ungroup([]a:(1 2;enlist 3);b:(1 2;3 4))
'length
/ fby: on the rows that are left.
q)f:([]s:`a`b`a`b;v:1 5 3 4)
q)select from f where v=(max;v)fby s
s v
---
b 5
a 3
q)select from f where v>(avg;v)fby s
s v
---
b 5
a 3
q)update c:(count;v)fby s,r:(rank;v)fby s,d:(deltas;v)fby s from f
s v c r d
----------
a 1 2 0 1
b 5 2 1 5
a 3 2 1 2
b 4 2 0 -1
q)select from f where v<5,v=(max;v)fby s
s v
---
a 3
b 4
q)select from f where v=(max;v)fby([]s;v>3)
s v
---
b 5
a 3
q)select from(0#f)where v=(max;v)fby s
s v
---
q)(sum;1 2 3)fby`a`b
'length
/ Tables as sets of rows.
q)a:([]x:1 2 1 3;y:`p`q`p`r)
q)distinct a
x y
---
1 p
2 q
3 r
q)group([]x:1 2 1)
x|
-| ---
1| 0 2
2| ,1
q)a union([]x:3 4;y:`r`s)
x y
---
1 p
2 q
3 r
4 s
q)a inter([]x:3 1;y:`r`p)
x y
---
1 p
1 p
3 r
q)a except([]x:enlist 1;y:enlist`p)
x y
---
2 q
3 r
q)a?([]x:2 9;y:`q`q)
1 4
q)-3!`s#`a`b!1 2
"`s#`a`b!1 2"
