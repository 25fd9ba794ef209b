/ Filters: comparisons, several clauses, membership, ranges, logic.
q)T:.gpu.to ([]sym:`AAPL`MSFT`AAPL`IBM`MSFT`AAPL;p:150 300 152.5 0n 298 155;n:100 200 150 0N 300 250;t:09:30 09:31 09:31 09:40 09:45 10:00)
q)select from T where p>151
sym  p     n   t
--------------------
MSFT 300   200 09:31
AAPL 152.5 150 09:31
MSFT 298   300 09:45
AAPL 155   250 10:00
q)select from T where sym=`AAPL,p>151
sym  p     n   t
--------------------
AAPL 152.5 150 09:31
AAPL 155   250 10:00
q)select from T where (sym=`AAPL)|n>=300
sym  p     n   t
--------------------
AAPL 150   100 09:30
AAPL 152.5 150 09:31
MSFT 298   300 09:45
AAPL 155   250 10:00
q)select from T where not sym=`AAPL
sym  p   n   t
------------------
MSFT 300 200 09:31
IBM          09:40
MSFT 298 300 09:45
q)select from T where sym in `IBM`MSFT
sym  p   n   t
------------------
MSFT 300 200 09:31
IBM          09:40
MSFT 298 300 09:45
q)select from T where p within 150 299
sym  p     n   t
--------------------
AAPL 150   100 09:30
AAPL 152.5 150 09:31
MSFT 298   300 09:45
AAPL 155   250 10:00
q)select from T where t within 09:31 09:45
sym  p     n   t
--------------------
MSFT 300   200 09:31
AAPL 152.5 150 09:31
IBM            09:40
MSFT 298   300 09:45
q)select from T where null n
sym p n t
-------------
IBM     09:40
q)select sym from T where n=0N
sym
---
IBM
q)select from T where p>1000
sym p n t
---------
q)select sym,p from T where sym>`IBM
sym  p
--------
MSFT 300
MSFT 298
q)select n from T where i<2
n
---
100
200
/ Guids in a list of them, the null among them.
q)u:"G"$("00000000-0000-0000-0000-000000000000";"01020304-0506-0708-090a-0b0c0d0e0f10";"ff020304-0506-0708-090a-0b0c0d0e0f10")
q)G:.gpu.to ([]g:u,u;n:til 6)
q)select n from G where g in 2#u
n
-
0
1
3
4
q)select n,b:g in -1#u by g from G where not g in 0#u
g                                   | n   b
------------------------------------| -------
00000000-0000-0000-0000-000000000000| 0 3 00b
01020304-0506-0708-090a-0b0c0d0e0f10| 1 4 00b
ff020304-0506-0708-090a-0b0c0d0e0f10| 2 5 11b
