//! How fast the simulator runs the kernels of a query, with all its checks: `cargo bench -p tests --bench sim`.

use divan::Bencher;
use divan::counter::ItemsCount;
use runtime::device::sim::{Schedule, Simulator, compile};
use tests::kernels::Case;

fn main() {
    divan::main();
}

const ROWS: usize = 100_000;

#[divan::bench(sample_count = 5, sample_size = 1, args = [
    "select v:p*n from T",
    "select sum p,max n from T",
    "select n from T where p>0.5",
    "select sum p by s from T where n>5",
    "select p from T where n in 3 5 7 11 13 17",
])]
fn rows(bencher: Bencher, query: &str) {
    let table = format!("([]s:{ROWS}#`a`b`c`d`e`f`g;p:({ROWS}#3 1 4 1 5 9 2 6)%8;n:{ROWS}#til 700)");
    let case = Case::new(&table, query);
    let ptx = compile(&case.text()).expect("it compiles");
    bencher.counter(ItemsCount::new(ROWS)).bench_local(|| {
        let mut simulator = Simulator::new(ptx.clone(), Schedule::default());
        case.outputs(&mut simulator).expect("the kernels are sound").len()
    });
}
