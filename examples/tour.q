/ A tour of qfuse: made-up market data, six real questions, each answer checked against the interpreter.
/ Run it with `make demo`, or `qfuse examples/tour.q`. Every float here is a multiple of 1/64, so that sums
/ are exact in any order and the check can ask for the same bits.

\S 42
n:1000000
m:5000000
syms:`AAPL`AMZN`GOOG`IBM`INTC`META`MSFT`NFLX`NVDA`ORCL`QCOM`TSLA
day:2026.01.05D09:30
trade:([]time:day+asc n?0D06:30;sym:n?syms;price:64+(n?6400)%64;size:100*1+n?50;ex:n?"BNQZ")
quote:([]time:day+asc m?0D06:30;sym:m?syms;bid:64+(m?6400)%64;spread:(1+m?32)%64;bsize:100*1+m?20;asize:100*1+m?20)
quote:update ask:bid+spread from quote

/ Move both tables to the engine. From here on capital names live there.
T:.gpu.to trade
Q:.gpu.to quote
-1"trades ",(string .gpu.count T),", quotes ",(string .gpu.count Q);

/ got: the engine's answer; want: the reference interpreter's, from the plain table.
check:{[what;got;want] $[(.gpu.from got)~want;-1"ok: ",what;'"the engine and the interpreter differ: ",what];}

-1"\n1. Filter: the large AAPL trades above 160";
a:select time,price,size from T where sym=`AAPL,size>4500,price>160
show .gpu.take[5;a]
check["filter";a;select time,price,size from trade where sym=`AAPL,size>4500,price>160]

-1"\n2. VWAP and volume by symbol and 30-minute bucket";
a:select vwap:size wavg price,volume:sum size by sym,30 xbar time.minute from T
show .gpu.take[5;a]
check["vwap";a;select vwap:size wavg price,volume:sum size by sym,30 xbar time.minute from trade]

-1"\n3. Spread: average and widest, by symbol";
a:select widest:max ask-bid,mean:avg ask-bid,n:count i by sym from Q where bsize>500
show .gpu.take[5;a]
check["spread";a;select widest:max ask-bid,mean:avg ask-bid,n:count i by sym from quote where bsize>500]

-1"\n4. Update: the N trades marked up by a quarter";
a:.gpu.update[T;enlist(=;`ex;"N");0b;enlist[`price]!enlist(*;1.25;`price)]
show .gpu.take[3;a]
check["update";a;update price:1.25*price from trade where ex="N"]

-1"\n5. Grouped statistics by exchange";
a:select n:count i,lo:min price,hi:max price,mean:avg price,dev:dev price,opened:first time,closed:last time by ex from T
show a
check["statistics";a;select n:count i,lo:min price,hi:max price,mean:avg price,dev:dev price,opened:first time,closed:last time by ex from trade]

-1"\n6. The top of a column: every trade at the day's highest price";
a:select time,sym,size from T where price=max price
show .gpu.take[5;a]
check["top";a;select time,sym,size from trade where price=max price]

-1"\nThe plan of question 1: its kernel, its cost, and the CUDA C++ that a GPU would run";
-1 .gpu.plan[T;"select time,price,size from T where sym=`AAPL,size>4500,price>160"];
