//! Filters with zones answer as the interpreter does, and zones do tell tiles.

use super::super::env::Env;
use super::super::program::Given;
use super::super::skip::{Skip, Tile};
use super::{atom, column};
use crate::device::Launch;
use crate::engine::Engine;
use crate::session::Session;
use compiler::ir::parse_text::parse_graph;
use compiler::plan::build;
use q::same::same;
use q::{Interp, Kind};

/// Columns that rise with jumps back, among them nulls, infinities and long equal stretches; `r` is without order.
const TABLE: &[u8] = b"n:70003;a:til n;b:(a div 700)*10;b[1500 30000]:0N;b[40000 40001]:0W -0W;\
    f:(`float$b)%8;f[2100]:-0.0;r:1000000007 mod\\:1+a*a;\
    t:([]b;r;f;e:`real$f;i:`int$b mod 100;h:`short$a div 9000;g:a mod 2;x:`byte$a div 1000;c:.Q.a(a div 3000)mod 26;\
    s:(`$'.Q.A)(a div 2900)mod 26;n:`timespan$1000000*b;d:2000.01.01+a div 1000;l:30000<a);\
    m:100 300 5000;o:0N;";

#[test]
fn filters_with_zones_agree_with_the_interpreter() {
    let session = Session::new(Engine::Cpu);
    let mut q = Interp::new();
    crate::gpu::register(&mut q, &session);
    q.eval_text(TABLE).expect("the table is made");
    q.eval_text(b"T:.gpu.to t").expect("the table is moved");
    let filters = [
        "b<5000",
        "b<=4990",
        "b>5000",
        "b>=o",
        "b>0N",
        "5000<b",
        "b=70",
        "70=b",
        "b<>70",
        "b<0W",
        "b within 100 300",
        "b within 300 100",
        "not b within 100 900",
        "(b<100)|b>900",
        "(b<900)&r>50",
        "b<100,r>10,f>2",
        "r<1000000000",
        "f<100",
        "f<=100.00000000000001",
        "f=100",
        "f=0",
        "f<-1",
        "f=0n",
        "e>=100e",
        "e<100",
        "e within 10 20e",
        "i>90",
        "i<5f",
        "i=0Ni",
        "h=3",
        "h<2h",
        "b<3.5",
        "b in m",
        "b in 100 300 0N",
        "not b in m",
        "x<0x05",
        "c=\"d\"",
        "c in \"dx\"",
        "s=`D",
        "s=`nosuch",
        "s in `D`E`nosuch",
        "s<`D",
        "n<0D00:00:00.5",
        "n within 0D00:00:00.1 0D00:00:00.2",
        "d>2000.02.01",
        "d within 2000.01.05 2000.01.10",
        "l",
        "not l",
        "l=0b",
        "b<g",
        "b<avg b",
        "b<(max;b) fby s",
    ];
    for filter in filters {
        for form in
            ["exec r from TABLE where ", "exec sum r from TABLE where ", "exec sum r by g from TABLE where "]
        {
            let text = format!("{form}{filter}");
            let mut answer = |table| {
                let text = text.replace("TABLE", table);
                let value = q.eval_text(text.as_bytes()).and_then(|value| crate::gpu::moves::from(&value));
                value.unwrap_or_else(|e| panic!("{text}: {e}"))
            };
            let (wanted, first, second) = (answer("t"), answer("T"), answer("T"));
            assert!(same(&wanted, &first), "{text}: {wanted:?}, not {first:?}");
            assert!(same(&wanted, &second), "{text} with zones: {wanted:?}, not {second:?}");
        }
    }
}

/// select x from t where x within (p0;p1)
const ZONED: &str = "c0 = x: long\np0 = literal 0: long\np1 = literal 1: long\nd1 = rows
    n0: long[d1] = col c0\nn1: long = param p0\nn2: long = param p1\nn3: boolean[d1] = ge n0, n1
    n4: boolean[d1] = le n0, n2\nn5: boolean[d1] = lesser n3, n4\nd2 = kept d1, n5\nn6: long[d2] = keep n0
    out table x = n6";

#[test]
fn zones_tell_tiles_apart() {
    let graph = parse_graph(ZONED).expect("the test's graph reads");
    let plan = build(graph, 0).expect("the test's graph has a plan");
    let def = plan.kernels.values().next().expect("a filter is a kernel");
    let given = Given { graph: &plan.graph, loads: &def.loads, atoms: None };
    let skip = Skip::new(&given, &def.masks).expect("the masks are tests").expect("zones know columns");
    // Tile 0 is below, tile 1 within but for one row, tile 2 to 9 within, and what follows beyond.
    let rows = 70 * 1024;
    let items = (0..rows).map(|i| if i == 2000 { 0 } else { (i / 1024) as i64 });
    let inputs = [column(Kind::Long, items)];
    let args = [atom(Kind::Long, 1i64), atom(Kind::Long, 9i64)];
    let launch = Launch { inputs: &inputs, args: &args, domains: &[], rows };
    let env = Env::new(&plan.graph, &launch);
    assert!(skip.tiles(&env).expect("the column is here").is_empty());
    let tiles = skip.tiles(&env).expect("the column is here");
    let wanted = (0..70).map(|i| match i {
        1 => Tile::Some,
        2..=9 => Tile::All,
        _ => Tile::None,
    });
    assert_eq!(tiles, wanted.collect::<Vec<_>>());
}
