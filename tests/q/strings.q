/ Text: string, case, trim, pad, search, split and join.
q)string 12
"12"
q)string`abc`d
"abc"
,"d"
q)string 1 2.5
,"1"
"2.5"
q)string"ab"
,"a"
,"b"
q)string(1;`a;"x")
,"1"
,"a"
,"x"
q)string`a`b!1 2
a| ,"1"
b| ,"2"
q)string 0N
""
q)string 2024.01.15D10:20:30.123456789
"2024.01.15D10:20:30.123456789"
q)upper"abC"
"ABC"
q)lower`ABC`dE
`abc`de
q)upper("ab";"cd")
"AB"
"CD"
q)trim"  a b "
"a b"
q)ltrim"  a "
"a "
q)rtrim"  a "
"  a"
q)trim("  a";"b ")
,"a"
,"b"
q)5$"ab"
"ab   "
q)-5$"ab"
"   ab"
q)2$"abc"
"ab"
q)-2$"abc"
"bc"
q)3$("a";"bcde")
"a  "
"bcd"
q)"abc"like"a*"
1b
q)"abc"like"a?c"
1b
q)`abc`abd`xyz like"ab[a-c]"
100b
q)("abc";"xbc")like"[^x]*"
10b
q)"a*c"like"a[*]c"
1b
q)"aaa"like"*a*a*a*"
'nyi
  [0]  "aaa"like"*a*a*a*"
            ^
q)"aaab"like"*a*c"
'nyi
  [0]  "aaab"like"*a*c"
             ^
q)"aaab"like"a*a*"
1b
q)`ab`bab like"*ba*"
01b
q)"a["like"a["
'length
  [0]  "a["like"a["
           ^
q)"hello world"ss"o"
4 7
q)"abcabc"ss"[b-c]"
1 2 4 5
q)"abc"ss"z"
`long$()
q)"abc"ss"a*"
'length
  [0]  "abc"ss"a*"
            ^
q)ssr["hello";"l";"L"]
"heLLo"
q)ssr["a1b22";"[0-9]";"#"]
"a#b##"
q)ssr["abc";"b";upper]
"aBc"
q)ssr["aaa";"aa";"b"]
"ba"
q)","vs"a,b,,c"
,"a"
,"b"
""
,"c"
q)", "vs"a, b"
,"a"
,"b"
q)","vs""
,""
q)","sv("a";"bc";"")
"a,bc,"
q)", "sv("a";"b")
"a, b"
q)` vs`a.b.c
`a`b`c
q)` vs"one\ntwo\r\nthree\n"
"one"
"two"
"three"
q)` sv`a`b`c
`a.b.c
q)` sv`:dir`file.txt
`:dir/file.txt
q)` vs`:dir/file.txt
`:dir`file.txt
q)` sv("one";"two")
"one\ntwo\n"
q)10 vs 1995
1 9 9 5
q)10 sv 1 9 9 5
1995
q)2 vs 5
1 0 1
q)24 60 60 vs 3805
1 3 25
q)24 60 60 sv 1 3 25
3805
q)10 vs 12 345
0 3
1 4
2 5
q)0x0 vs 258i
0x00000102
q)0x0 sv 0x00000102
258i
q)0b vs 5h
0000000000000101b
q)0b sv 00000101b
0x05
q)0x0 sv 0x0102
258h
q)256 sv 1 2
258
q)0x2c vs 0x612c62
,0x61
,0x62
q)-3!(1;`a;"x")
"(1;`a;\"x\")"
q)md5"abc"
0x900150983cd24fb0d6963f7d28e17f72
q)parse"1+2"
+
1
2
q)"\n"vs"a\nb"
,"a"
,"b"
q)"I"$","vs"1,2,x"
1 2 0Ni
q)"SJF"$("a";"1";"2.5")
`a
1
2.5
q)"D"$"2024-01-15"
2024.01.15
/ Patterns go one level deep, a replacement into texts only.
q)(`ab;"ac";`b)like"a?"
110b
q)(`a;`ab`b)like"a*"
'type
  [0]  (`a;`ab`b)like"a*"
                 ^
q)ssr["a";"a";"b"]
'type
  [0]  ssr["a";"a";"b"]
       ^
q)ssr[enlist"a";"a";"b"]
,"b"
/ Digits of items of any shape.
q)10 vs(1995;1996 1997)
1 1 1
9 9 9
9 9 9
5 6 7
q)10 vs(7;10 200)
0 0 2
0 1 0
7 0 0
q)2 vs(1;2)
0 1
1 0
