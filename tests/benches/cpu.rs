//! The CPU engine on ten million rows of made-up trades, beside plain parallel loops over the same columns:
//! `cargo bench -p tests --bench cpu`. `ROWS` sets another size, `RAYON_NUM_THREADS` the threads.

use compiler::ir::Source;
use compiler::ir::parse_text::parse_graph;
use compiler::plan::Plan;
use divan::Bencher;
use q::value::{Atom, Data, Elem};
use q::{Buf, Kind, Sym};
use runtime::column::{Column, Domain, Elements};
use runtime::device::cpu::Cpu;
use runtime::device::{Arg, Device, Launch};
use std::sync::{Arc, LazyLock};

fn main() {
    divan::main();
}

/// The columns of the table, in the order that the graphs below name them.
struct Trades {
    rows: usize,
    columns: Vec<(&'static str, Column)>,
    domains: Vec<Arc<Domain>>,
}

static TRADES: LazyLock<Trades> = LazyLock::new(|| {
    let rows = std::env::var("ROWS").ok().and_then(|r| r.parse::<f64>().ok()).unwrap_or(1e7) as usize;
    let mut seed = 1u64;
    let mut below = move |n: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((seed >> 33) * n) >> 31
    };
    let mut names: Vec<Sym> = (0..5000).map(|i| Sym::new(&format!("S{i:04}"))).collect();
    names.insert(0, Sym::NULL);
    let domain = Arc::new(Domain::new(names, None));
    // Few symbols trade often.
    let codes: Buf<u16> = (0..rows).map(|_| 1 + (below(5000) * below(5000) / 5000) as u16).collect();
    let step = 23_400_000_000_000 / rows.max(1) as i64;
    let time: Vec<i64> = (0..rows as i64).map(|i| 34_200_000_000_000 + i * step).collect();
    let price: Vec<f64> =
        (0..rows).map(|_| if below(1000) == 0 { f64::NAN } else { below(10_000) as f64 / 100.0 }).collect();
    let size: Vec<i64> = (0..rows).map(|_| 1 + (below(64) * below(64)) as i64).collect();
    let ex: Vec<u8> = (0..rows).map(|_| 65 + below(16) as u8).collect();
    let acct: Vec<i32> = (0..rows).map(|_| below(62_500) as i32).collect();
    let oid: Vec<i64> = (0..rows).map(|_| (below(1_000_000) as i64) * 1_234_567_891).collect();
    fn plain<T: Elem>(kind: Kind, items: Vec<T>) -> Column {
        Column::new(kind, Elements::Plain(T::data(items.iter().copied().collect::<Buf<T>>())), None)
    }
    let columns = vec![
        ("sym", Column::new(Kind::Sym, Elements::Codes16(codes), Some(domain.clone()))),
        ("time", plain(Kind::Timestamp, time)),
        ("price", plain(Kind::Float, price)),
        ("size", plain(Kind::Long, size)),
        ("ex", plain(Kind::Char, ex)),
        ("acct", plain(Kind::Int, acct)),
        ("oid", plain(Kind::Long, oid)),
    ];
    Trades { rows, columns, domains: vec![domain] }
});

/// Runs the graph `text`, whose inputs name columns of the table.
fn query(bencher: Bencher, text: &str, args: &[Arg]) {
    let plan: Plan = compiler::plan::build(parse_graph(text).expect("a graph"), 0).expect("a plan");
    let find = |name: Sym| TRADES.columns.iter().find(|c| c.0 == name.text()).expect("a column").1.clone();
    let inputs: Vec<Column> = plan.graph.inputs.values().map(|i| find(i.name)).collect();
    let mut args = args.to_vec();
    for def in plan.graph.params.values().skip(args.len()) {
        let Source::Ranks(d) = def.source else { panic!("an argument is missing") };
        args.push(Arg::List(Data::I(TRADES.domains[d.0 as usize].ranks.clone())));
    }
    let module = Cpu.load(&plan).expect("the plan loads");
    let launch = Launch { inputs: &inputs, args: &args, domains: &TRADES.domains, rows: TRADES.rows };
    bencher.bench_local(|| Cpu.run(&plan, &module, &launch).expect("the plan runs"));
}

fn atom<T: Elem>(kind: Kind, x: T) -> Arg {
    Arg::Atom(Atom::new(kind, x))
}

fn floats(name: &str) -> &'static [f64] {
    match &TRADES.columns.iter().find(|c| c.0 == name).expect("a column").1.elements().expect("on the host") {
        Elements::Plain(Data::F(x)) => x,
        _ => panic!("a float column"),
    }
}

fn longs(name: &str) -> &'static [i64] {
    match &TRADES.columns.iter().find(|c| c.0 == name).expect("a column").1.elements().expect("on the host") {
        Elements::Plain(Data::J(x)) => x,
        _ => panic!("a long column"),
    }
}

/// What the machine can do: a parallel sum of the two columns, eight lanes a thread.
#[divan::bench]
fn plain_sum_of_price_and_size(bencher: Bencher) {
    use rayon::prelude::*;
    let (price, size) = (floats("price"), longs("size"));
    bencher.bench_local(|| {
        let sum = price.par_chunks(65_536).zip(size.par_chunks(65_536)).map(|(p, s)| {
            let mut lanes = ([0.0; 8], [0i64; 8]);
            for (p, s) in p.as_chunks::<8>().0.iter().zip(s.as_chunks::<8>().0) {
                for l in 0..8 {
                    lanes.0[l] += p[l];
                    lanes.1[l] = lanes.1[l].wrapping_add(s[l]);
                }
            }
            lanes.0.iter().sum::<f64>() + lanes.1.iter().sum::<i64>() as f64
        });
        sum.sum::<f64>()
    });
}

/// select sum price*size from trades where price>50
#[divan::bench]
fn filtered_sum(bencher: Bencher) {
    let text = "c0 = price: float\nc1 = size: long\np0 = literal 0: float\nd1 = rows
        n0: float[d1] = col c0\nn1: long[d1] = col c1\nn2: float = param p0\nn3: boolean[d1] = gt n0, n2
        d2 = kept d1, n3\nn4: float[d2] = keep n0\nn5: long[d2] = keep n1\nn6: float[d2] = cast n5
        n7: float[d2] = mul n4, n6\nn8: float = sum n7\nout table s = n8";
    query(bencher, text, &[atom(Kind::Float, 50.0)]);
}

/// select sum size from trades
#[divan::bench]
fn s1_sum(bencher: Bencher) {
    let text = "c0 = size: long\nd1 = rows\nn0: long[d1] = col c0\nn1: long = sum n0\nout table s = n1";
    query(bencher, text, &[]);
}

/// select s:sum price,a:avg price,lo:min price,hi:max price from trades
#[divan::bench]
fn s2_agg4(bencher: Bencher) {
    let text = "c0 = price: float\nd1 = rows\nn0: float[d1] = col c0\nn1: float = sum n0\nn2: float = avg n0
        n3: float = min n0\nn4: float = max n0\nout table s = n1, a = n2, lo = n3, hi = n4";
    query(bencher, text, &[]);
}

/// select v:var price,d:dev size from trades
#[divan::bench]
fn s3_var(bencher: Bencher) {
    let text = "c0 = price: float\nc1 = size: long\nd1 = rows\nn0: float[d1] = col c0\nn1: long[d1] = col c1
        n2: float = var n0\nn3: float[d1] = cast n1\nn4: float = dev n3\nout table v = n2, d = n4";
    query(bencher, text, &[]);
}

/// select r:((price*size)*1.0001)+((0.5*price)-(((price-1.5)*(price-1.5))%(1+size))) from trades
#[divan::bench]
fn p1_arith(bencher: Bencher) {
    let text = "c0 = price: float\nc1 = size: long\np0 = literal 0: float\np1 = literal 1: float\np2 = literal 2: float
        p3 = literal 3: long\nd1 = rows\nn0: float[d1] = col c0\nn1: long[d1] = col c1\nn2: float = param p0
        n3: float = param p1\nn4: float = param p2\nn5: long = param p3
        n6: float[d1] = cast n1\nn7: float[d1] = mul n0, n6\nn8: float[d1] = mul n7, n2\nn9: float[d1] = mul n3, n0
        n10: float[d1] = sub n0, n4\nn11: float[d1] = mul n10, n10\nn12: long[d1] = add n5, n1
        n13: float[d1] = cast n12\nn14: float[d1] = divide n11, n13\nn15: float[d1] = sub n9, n14
        n16: float[d1] = add n8, n15\nout table r = n16";
    let args = [1.0001, 0.5, 1.5].map(|x| atom(Kind::Float, x));
    query(bencher, text, &[&args[..], &[atom(Kind::Long, 1i64)]].concat());
}

/// select sym,price,size from trades where size>p
fn filter(bencher: Bencher, least: i64) {
    let text = "c0 = sym: symbol<s0>/2\nc1 = price: float\nc2 = size: long\np0 = literal 0: long\nd1 = rows
        n0: symbol<s0>[d1] = col c0\nn1: float[d1] = col c1\nn2: long[d1] = col c2\nn3: long = param p0
        n4: boolean[d1] = gt n2, n3\nd2 = kept d1, n4\nn5: symbol<s0>[d2] = keep n0\nn6: float[d2] = keep n1
        n7: long[d2] = keep n2\nout table sym = n5, price = n6, size = n7";
    query(bencher, text, &[atom(Kind::Long, least)]);
}

#[divan::bench]
fn f1_1pct(bencher: Bencher) {
    filter(bencher, 3500);
}

#[divan::bench]
fn f2_50pct(bencher: Bencher) {
    filter(bencher, 700);
}

/// exec price from update price:price*1.01 from trades where ex="N"
#[divan::bench]
fn u1_update_where(bencher: Bencher) {
    let text = "c0 = price: float\nc1 = ex: char\np0 = literal 0: float\np1 = literal 1: char\nd1 = rows
        n0: float[d1] = col c0\nn1: char[d1] = col c1\nn2: float = param p0\nn3: char = param p1
        n4: boolean[d1] = eq n1, n3\nd2 = kept d1, n4\nn5: float[d2] = keep n0\nn6: float[d2] = mul n5, n2
        n7: float[d1] = place n6, n0\nout single price = n7";
    query(bencher, text, &[atom(Kind::Float, 1.01), atom(Kind::Char, b'N')]);
}

/// select v:(sum price*size)%sum size by sym from trades
#[divan::bench]
fn g1_vwap(bencher: Bencher) {
    let text = "c0 = sym: symbol<s0>/2\nc1 = price: float\nc2 = size: long\nd1 = rows
        n0: symbol<s0>[d1] = col c0\nn1: float[d1] = col c1\nn2: long[d1] = col c2\nn3: float[d1] = cast n2
        n4: float[d1] = mul n1, n3\nd2 = groups d1, n0\nn5: symbol<s0>[d2] = key 0\nn6: float[d2] = sum n4
        n7: long[d2] = sum n2\nn8: float[d2] = cast n7\nn9: float[d2] = divide n6, n8\nout keyed 1 sym = n5, v = n9";
    query(bencher, text, &[]);
}

/// select n:count i,v:sum size,a:avg price,lo:min price,hi:max price,x:sum price*size by sym from trades
#[divan::bench]
fn g2_six(bencher: Bencher) {
    let text = "c0 = sym: symbol<s0>/2\nc1 = price: float\nc2 = size: long\nd1 = rows
        n0: symbol<s0>[d1] = col c0\nn1: float[d1] = col c1\nn2: long[d1] = col c2\nn3: float[d1] = cast n2
        n4: float[d1] = mul n1, n3\nd2 = groups d1, n0\nn5: symbol<s0>[d2] = key 0\nn6: long[d2] = count n0
        n7: long[d2] = sum n2\nn8: float[d2] = avg n1\nn9: float[d2] = min n1\nn10: float[d2] = max n1
        n11: float[d2] = sum n4\nout keyed 1 sym = n5, n = n6, v = n7, a = n8, lo = n9, hi = n10, x = n11";
    query(bencher, text, &[]);
}

/// select v:sum size,p:avg price by sym,b:0D00:01 xbar time from trades
#[divan::bench]
fn g3_sym_minute(bencher: Bencher) {
    let text = "c0 = sym: symbol<s0>/2\nc1 = time: timestamp\nc2 = size: long\nc3 = price: float\np0 = literal 0: long
        d1 = rows\nn0: symbol<s0>[d1] = col c0\nn1: timestamp[d1] = col c1\nn2: long[d1] = col c2\nn3: long = param p0
        n4: timestamp[d1] = xbar n3, n1\nn5: float[d1] = col c3\nd2 = groups d1, n0, n4
        n6: symbol<s0>[d2] = key 0\nn7: timestamp[d2] = key 1\nn8: long[d2] = sum n2\nn9: float[d2] = avg n5
        out keyed 2 sym = n6, b = n7, v = n8, p = n9";
    query(bencher, text, &[atom(Kind::Long, 60_000_000_000i64)]);
}

/// select v:sum size,a:avg price by ex,acct from trades
#[divan::bench]
fn g4_two_keys(bencher: Bencher) {
    let text = "c0 = ex: char\nc1 = acct: int\nc2 = size: long\nc3 = price: float\nd1 = rows
        n0: char[d1] = col c0\nn1: int[d1] = col c1\nn2: long[d1] = col c2\nn3: float[d1] = col c3
        d2 = groups d1, n0, n1\nn4: char[d2] = key 0\nn5: int[d2] = key 1\nn6: long[d2] = sum n2
        n7: float[d2] = avg n3\nout keyed 2 ex = n4, acct = n5, v = n6, a = n7";
    query(bencher, text, &[]);
}

/// select o:first price,c:last price by sym from trades
#[divan::bench]
fn g5_first_last(bencher: Bencher) {
    let text = "c0 = sym: symbol<s0>/2\nc1 = price: float\nd1 = rows\nn0: symbol<s0>[d1] = col c0
        n1: float[d1] = col c1\nd2 = groups d1, n0\nn2: symbol<s0>[d2] = key 0\nn3: float[d2] = first n1
        n4: float[d2] = last n1\nout keyed 1 sym = n2, o = n3, c = n4";
    query(bencher, text, &[]);
}

/// select n:count i by ex from trades
#[divan::bench]
fn g6_count_ex(bencher: Bencher) {
    let text = "c0 = ex: char\nd1 = rows\nn0: char[d1] = col c0\nd2 = groups d1, n0\nn1: char[d2] = key 0
        n2: long[d2] = count n0\nout keyed 1 ex = n1, n = n2";
    query(bencher, text, &[]);
}

/// select s:sum price by oid from trades: a million sparse keys
#[divan::bench]
fn sparse_million(bencher: Bencher) {
    let text = "c0 = oid: long\nc1 = price: float\nd1 = rows\nn0: long[d1] = col c0\nn1: float[d1] = col c1
        d2 = groups d1, n0\nn2: long[d2] = key 0\nn3: float[d2] = sum n1\nout keyed 1 oid = n2, s = n3";
    query(bencher, text, &[]);
}

/// update r:price-avg price by sym from trades
#[divan::bench]
fn update_by(bencher: Bencher) {
    let text = "c0 = sym: symbol<s0>/2\nc1 = price: float\nd1 = rows\nn0: symbol<s0>[d1] = col c0
        n1: float[d1] = col c1\nd2 = groups d1, n0\nn2: float[d2] = avg n1\nn3: float[d1] = spread n2
        n4: float[d1] = sub n1, n3\nout single r = n4";
    query(bencher, text, &[]);
}
