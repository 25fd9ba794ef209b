/ select[n], select[m n], select[<col], select[n;>col].
q)t:([]s:`a`b`c`d`e;p:3 1 2 3 1)
q)select[2]from t
s p
---
a 3
b 1
q)select[-2]from t
s p
---
d 3
e 1
q)select[1 2]from t
s p
---
b 1
c 2
q)select[100]from t
s p
---
a 3
b 1
c 2
d 3
e 1
q)select[3 100]from t
s p
---
d 3
e 1
q)select[0]from t
s p
---
/ Sorts are stable, both ways.
q)select[<p]from t
s p
---
b 1
e 1
c 2
a 3
d 3
q)select[>p]from t
s p
---
a 3
d 3
c 2
b 1
e 1
q)select[3;>p]from t
s p
---
a 3
d 3
c 2
q)select[2;>p]s from t
s
-
a
d
/ where comes before, by comes before.
q)select[1]from t where p=1
s p
---
b 1
q)select[2]count i by p from t
p| x
-| -
1| 2
2| 1
q)?[t;();0b;();2;(idesc;`p)]
s p
---
a 3
d 3
