q)("SJF";enlist",")0:("s,n,p";"a,-1,1.5";"b,0N,-.25";",,";"c,9223372036854775807,1e3")
s n  p    
----------
a -1 1.5  
b    -0.25
          
c 0W 1000 
q)("DTNPUV";",")0:enlist"2024-01-15,10:20:30.123,1D02:03:04.5,2024.01.15 10:20:30.5,10:20,10:20:30"
2024.01.15
10:20:30.123
1D02:03:04.500000000
2024.01.15D10:20:30.500000000
10:20
10:20:30
q)("S*J";",")0:"a,\"two\nlines\",1\r\nb,,2"
a            b 
"two\nlines" ""
1            2 
q)("SJ";enlist",")0:enlist"s,n"
s n
---
q)"," 0:([]d:2024.01.15 0Nd;f:0.1 -12345678.9;n:0N 0W;s:`a,`$"q\"t";c:"x,")
"d,f,n,s,c"
"2024-01-15,0.1,,a,x"
",-1.234568e+07,0W,\"q\"\"t\",\",\""
q)\z 1
q)"D"$"15/01/2024"
2024.01.15
q)(enlist"D";",")0:enlist"15/01/2024"
2024.01.15
q)\z 0
q)(enlist"D";",")0:enlist"01/15/2024"
2024.01.15
q)("ich";4 1 2)1:0x00000000410000FF00000042FFFF
0 255
A B
0 -1
q)("H s";2 1 3)1:0x0102ff616200fffeff636465
258 -2
ab  cde
q)`:/tmp/qfuse_console_test.bin 1:0x0001020304
`:/tmp/qfuse_console_test.bin
q)("xH";1 2)1:(`:/tmp/qfuse_console_test.bin;1;3)
01
515
q)(4 1 2;"ich")1:0x00000041420001ffffffff43fffe
65 -1
B  C
1  -2
q)("i";4)1:0x000000
'length
  [0]  ("i";4)1:0x000000
              ^
q)hdel`:/tmp/qfuse_console_test.bin
`:/tmp/qfuse_console_test.bin
