/ JSON out: .j.j and .j.jd.
q)-1 .j.j`a`b!(0 1;("hello";"world"));
{"a":[0,1],"b":["hello","world"]}
q)-1 .j.j([]a:1 2;b:`Greetings`Earthlings);
[{"a":1,"b":"Greetings"},{"a":2,"b":"Earthlings"}]
q)-1 .j.j([k:`x`y]v:1 0N);
[{"k":"x","v":1},{"k":"y","v":null}]
q)-1 .j.j(1b;0x0f;1h;2i;3;4.5e;5.5;"c";`s;"text";::);
[true,"0f",1,2,3,4.5,5.5,"c","s","text",null]
q)-1 .j.j(2024.02.29;2024.02m;2024.02.29D01:02:03.000000004;2024.02.29T01:02:03.004;01:02:03.004;01:02:03;01:02;0D01:02:03);
["2024-02-29","2024-02","2024-02-29D01:02:03.000000004","2024-02-29T01:02:03.004","01:02:03.004","01:02:03","01:02","0D01:02:03.000000000"]
q)-1 .j.j(0N;0Ni;0Nh;0n;0Ne;0Nd;0Np;0Nt;`;"";());
[null,null,null,null,null,null,null,null,"","",[]]
q)-1 .j.j(0W;-0W;0Wi;0w;-0w;-0we);
[9223372036854775807,-9223372036854775807,2147483647,inf,-inf,-inf]
q)-1 .j.jd(-0w 0 1 0w;([null0w:1b]));
[null,0,1,null]
q)-1 .j.jd(-0w 0 1 0w;()!());
[-inf,0,1,inf]
q)-1 .j.j"quote\" back\\ line\n tab\t bell\007";
"quote\" back\\ line\n tab\t bell\u0007"
q)-1 .j.j 1 2!3 4;
{"1":3,"2":4}
q)-1 .j.j("a";"b")!(();enlist 1);
{"a":[],"b":[1]}
q)-1 .j.j(1 2;enlist 3;`a`b!1 2;([]c:1 2f));
[[1,2],[3],{"a":1,"b":2},[{"c":1},{"c":2}]]
q)-1 .j.j each(();([]a:`long$());(`$())!();{x+1});
[]
[]
{}
"{x+1}"
q).j.j 1%3
"0.3333333"
/ And in: .j.k.
q).j.k"{\"a\":0,\"b\":\"hello\"}"
a| 0f
b| "hello"
q).j.k"[1,2.5,-3e2]"
1 2.5 -300
q).j.k"[true,false]"
10b
q).j.k"[true,1,null,\"x\",\"text\",[],{}]"
1b
1f
0n
,"x"
"text"
()
(`symbol$())!()
q).j.k"[{\"a\":1,\"b\":\"x\"},{\"a\":2,\"b\":\"yz\"}]"
a b
------
1 ,"x"
2 "yz"
q).j.k"[{\"a\":1},{\"b\":2}]"
(,`a)!,1f
(,`b)!,2f
q).j.k" \"line\\n \\u00e9 \\\" \" "
"line\n \303\251 \" "
q)key .j.k"{\"z\":1,\"a\":2,\"z\":3}"
`z`a`z
q)type each .j.k each("1";"\"1\"";"null";"true";"[]";"{}")
-9 10 -9 -1 0 99h
q)x:([]s:`a`b;f:1.5 2;l:(1 2f;3 4f));(.j.k .j.j x)~update string s,f from x
1b
q)x:`a`b!(1 2f;`c`d!("u";0n));.j.k .j.j x
a| 1 2f
b| `c`d!(,"u";0n)
q).j.k"{\"a\":"
'parse
  [0]  .j.k"{\"a\":"
       ^
q).j.k"[1,2"
'parse
  [0]  .j.k"[1,2"
       ^
q).j.k"nul"
'parse
  [0]  .j.k"nul"
       ^
q).j.k"1 2"
'parse
  [0]  .j.k"1 2"
       ^
q).j.k 1
'type
  [0]  .j.k 1
       ^
q).j.jd 1
'type
  [0]  .j.jd 1
       ^
q)@[.j.k;(1000#"["),1000#"]";{x}]
"parse"
q)-29!"[1,2]"
1 2f
q)-31!(1 0w;([null0w:1b]))
"[1,null]"
