//! Rows on machines: their order is q's, gathers and takes give q's items, and defects planted in the sort are
//! reported. The simulator runs them as the GPU's driver would.

use q::{Interp, Value};
use runtime::column::Column;
use runtime::device::launcher::rows::order;
use runtime::device::sim::{Schedule, Sim, Simulator, compile};
use runtime::device::{Device, rows};
use tests::nvrtc::found;

/// Around a warp, a block of 1,024 and a sort's tile of 4,096, and several tiles.
const SIZES: [usize; 12] = [0, 1, 31, 32, 33, 1023, 1024, 1025, 4095, 4096, 4097, 13_000];

/// Lists of n items: all equal, all distinct, few values, nulls, infinities and both zeros, of every width.
const LISTS: [&str; 15] = [
    "n#3",
    "(7919*til n)mod 13001",
    "neg(7919*til n)mod 13001",
    "n#0N 3 0N -2 5 0W -0W",
    "n#0n -0.0 0.0 1.5 -0w 0w -2.25",
    "n#0Ne 1e -1e 0e",
    "n#0N 7 -7 32767h",
    "n#0Ni 70000 -5i",
    "n#0x00ff017f",
    "n#\"qa b\"",
    "n#101b",
    "n#`b`a``c`aa",
    "`$string(31*til n)mod 700",
    "n#\"G\"$(\"00000000-0000-0000-0000-000000000000\";\"ff000000-0000-0000-0000-000000000001\";\"01000000-0000-0000-ff00-000000000000\";\
     \"01000000-0000-0000-0100-000000000000\";\"01000000-0000-0000-0100-000000000000\")",
    "n#2000.01.01 0Nd 1999.12.31",
];

fn eval(q: &mut Interp, text: &str) -> Value {
    q.eval_text(format!("x:{text}").as_bytes()).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    q.global("x".into()).expect("it was just set")
}

fn lists(n: usize) -> Vec<(&'static str, Value, [Value; 2])> {
    let mut q = Interp::new();
    eval(&mut q, "0");
    q.eval_text(format!("n:{n}").as_bytes()).expect("a number");
    let list = |text: &&'static str| {
        let x = eval(&mut q, text);
        let orders = ["iasc", "idesc"].map(|f| eval(&mut q, &format!("{f} {text}")));
        (*text, x, orders)
    };
    LISTS.iter().map(list).collect()
}

fn column(x: &Value) -> Column {
    Column::of(x).expect("a vector is a column")
}

fn shown(c: &Column) -> String {
    format!("{:?}", c.value().expect("it can be read"))
}

#[test]
fn rows_come_in_q_s_order() {
    let Some(_) = found("rows_come_in_q_s_order") else { return };
    let sim = Sim::default();
    for n in SIZES {
        for (text, x, orders) in lists(n) {
            let x = column(&x);
            for (ascending, want) in [true, false].into_iter().zip(orders) {
                let got =
                    sim.order(&[(&x, ascending)], None).unwrap_or_else(|e| panic!("{n} of {text}: {e:?}"));
                assert_eq!(shown(&got), shown(&column(&want)), "{n} of {text}, ascending: {ascending}");
            }
        }
    }
}

#[test]
fn several_columns_order_one_after_another() {
    let Some(_) = found("several_columns_order_one_after_another") else { return };
    let sim = Sim::default();
    for n in [1, 33, 5000] {
        let columns: Vec<Column> = lists(n).iter().map(|l| column(&l.1)).collect();
        for by in [
            [(&columns[3], true), (&columns[11], false), (&columns[1], true)],
            [(&columns[10], false), (&columns[4], true), (&columns[9], false)],
        ] {
            for front in [None, Some(7), Some(9999)] {
                let got = sim.order(&by, front).expect("they have an order");
                let want = rows::order(&by, front).expect("they have an order");
                assert_eq!(shown(&got), shown(&want), "{n} rows");
            }
        }
    }
}

#[test]
fn gathers_and_takes_give_q_s_items() {
    let Some(_) = found("gathers_and_takes_give_q_s_items") else { return };
    let (sim, mut q) = (Sim::default(), Interp::new());
    for n in [0, 1, 33, 1025] {
        q.eval_text(format!("n:{n}").as_bytes()).expect("a number");
        for text in LISTS.into_iter().chain(["n?0Ng"]) {
            let x = column(&eval(&mut q, text));
            for at in ["0#0", "reverse til n", "(3*n)#0 -1 5 0N 0W -0W,n-1", "2000#til 1|n"] {
                let at = column(&eval(&mut q, at));
                let got = &sim.gather(&[&x], &at).unwrap_or_else(|e| panic!("{n} of {text}: {e:?}"))[0];
                let want = &rows::gather(&[&x], &at).expect("on the host")[0];
                assert_eq!(shown(got), shown(want), "{n} of {text}");
            }
            for (first, count) in [(0, 0), (0, n), (n / 2, 3 * n + 5), (0, 2500)] {
                let got =
                    &sim.take(&[&x], first, count).unwrap_or_else(|e| panic!("{n} of {text}: {e:?}"))[0];
                let want = &rows::take(&[&x], first, count).expect("on the host")[0];
                assert_eq!(shown(got), shown(want), "{count} from {first} of {n} of {text}");
            }
        }
    }
}

/// A defect of the sort's passes: what is taken out of their text and what is put in its place.
const DEFECTS: [(&str, &str, &str); 5] = [
    ("a ticket without an atomic", "taken = atomicAdd(ticket, 1u);", "taken = (*ticket)++;"),
    ("a tile that forgets those before it", "(i64)(before + earlier) - start", "(i64)before - start"),
    (
        "keys placed before all have been counted",
        "    __syncthreads();\n    u32 own = 0;",
        "    u32 own = 0;",
    ),
    (
        "rows put over keys that are still read",
        "    __syncthreads();\n#pragma unroll\n    for (i32 s = 0; s < SORT_OWN; s++) {\n        i64 i = base",
        "#pragma unroll\n    for (i32 s = 0; s < SORT_OWN; s++) {\n        i64 i = base",
    ),
    (
        "a count that grows while lanes read it",
        "        __syncwarp();\n        if (less == 0)",
        "        if (less == 0)",
    ),
];

#[test]
fn defects_of_the_sort_are_reported() {
    let Some(_) = found("defects_of_the_sort_are_reported") else { return };
    let x = column(&lists(9000)[1].1);
    let want = shown(&rows::order(&[(&x, true)], None).expect("on the host"));
    let text = compiler::emit::common("sort_pass_8").expect("there is such a kernel");
    let run = |text: &str, seed| {
        let ptx = compile(text).unwrap_or_else(|e| panic!("{e:?}"));
        let mut machine = Simulator::new(ptx, Schedule { seed, ..Schedule::default() });
        match order(&mut machine, &[(&x, true)], None) {
            Ok(got) => shown(&got) != want,
            Err(e) => {
                println!("{}", e.detail.unwrap_or_default().chars().take(300).collect::<String>());
                true
            }
        }
    };
    for (name, from, to) in DEFECTS {
        assert_eq!(text.matches(from).count(), 1, "{name}: the text to replace");
        let defective = text.replace(from, to);
        let told = (0..20).filter(|&seed| run(&defective, seed)).count();
        assert!(told >= 19, "{name}: {told} of 20");
    }
    let alarms: Vec<u64> = (0..20).filter(|&seed| run(&text, seed)).collect();
    assert!(alarms.is_empty(), "the sound passes are reported under the seeds {alarms:?}");
}
