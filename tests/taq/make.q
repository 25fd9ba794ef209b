/ A small trading day with the columns and q types of the public NYSE TAQ files, for tests/taq/*.q.
/ Every value comes from arithmetic on row numbers, so the day is the same on any machine and in any q.

/ n numbers below m that look random enough: a quadratic, so that no two columns move together.
walk:{[n;m;step] i:til n; ((step*i)+(i*i)div 3+step)mod m}

syms:`AAPL`AMD`BAC`BRK.B`C`F`GE`GM`IBM`INTC`JPM`KO`MSFT`ORCL`PFE`T`WFC`XOM`YUM`ZION
exs:"ABCDIJKLMNPSTQVWXYZ"

nq:4000
nt:900
openAt:0D04:00:00

quote:([]time:asc openAt+0D00:00:14.4*sums not ((til nq) mod 7) in 2 4 5;
  sym:syms walk[nq;count syms;7];
  ex:exs walk[nq;count exs;5];
  bid:`real$(20+walk[nq;64;29])+(walk[nq;100;37])%128;
  bsize:`int$100*1+walk[nq;40;17];
  ask:`real$(20+walk[nq;64;29])+((walk[nq;100;37])+1+walk[nq;40;11])%128;
  asize:`int$100*1+walk[nq;50;23];
  cond:`R`A`O`B walk[nq;4;3];
  seq:`int$1+til nq;
  nationalBBOIndicator:"AG 0"walk[nq;4;3];
  source:"CN"walk[nq;2;1];
  shortSaleRestrictionIndicator:"0 AE"walk[nq;4;1];
  participantTimestamp:asc openAt+0D00:00:14.3*til nq)

trade:([]time:asc openAt+0D00:01:04*sums not ((til nt) mod 7) in 2 4 5;
  ex:exs walk[nt;count exs;7];
  sym:syms walk[nt;count syms;11];
  cond:`$("";"I";"FT";"TI")walk[nt;4;3];
  size:`real$100*1+walk[nt;60;13]*walk[nt;150;7];
  price:`real$(20+walk[nt;64;27])+(walk[nt;100;41])%128;
  stop:"N "walk[nt;2;1];
  corr:`short$1=walk[nt;50;1];
  seq:`int$1+til nt;
  tradeId:1000+til nt;
  source:"CN"walk[nt;2;1];
  tradeThroughExemptIndicator:0b=walk[nt;3;1]mod 2)

master:([]sym:syms;description:string syms;cusip:{`$"C",-8#"00000000",string x}each til count syms;
  roundLot:count[syms]#100h;testFlag:count[syms]#0b)

/ The parameters that the queries name.
exnames:exs!`$"exchange ",/:string exs
infreqInstr:`ZION
freqInstr:`AAPL
fiftyInstrs:`AAPL`BAC`GE`IBM`MSFT
thousandInfreqInstrs:`BRK.B`ORCL`YUM`NOSUCH
timeBuckets:asc`closed`preopen`open`morning`afternoon`afterhours`maintenance!0D00:00 0D04:00 0D09:00 0D09:30 0D12:00 0D16:00 0D20:00
timeBucketsStep:`s#value[timeBuckets]!key timeBuckets

/ A pivot of a keyed result: the last key's values become columns, ascending, filled from the first value column.
.pvt.pivot:{[kt]
  k:keys kt; b:-1_k; c:last k;
  names:`$string asc distinct(0!kt)c;
  t:@[0!kt;c;{`$string x}];
  ?[t;();b!b;(#;enlist names;(!;c;first cols value kt))]}
