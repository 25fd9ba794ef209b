/ Filters: comparisons, several clauses, membership, ranges, logic.
q)T:.gpu.to ([]sym:`AAPL`MSFT`AAPL`IBM`MSFT`AAPL;p:150 300 152.5 0n 298 155;n:100 200 150 0N 300 250;t:09:30 09:31 09:31 09:40 09:45 10:00)
q)select from T where p>151
q)select from T where sym=`AAPL,p>151
q)select from T where (sym=`AAPL)|n>=300
q)select from T where not sym=`AAPL
q)select from T where sym in `IBM`MSFT
q)select from T where p within 150 299
q)select from T where t within 09:31 09:45
q)select from T where null n
q)select sym from T where n=0N
q)select from T where p>1000
q)select sym,p from T where sym>`IBM
q)select n from T where i<2
