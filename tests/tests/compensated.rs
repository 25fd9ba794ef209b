//! Compensated sums, on every engine that has plans: within the bound that `Graph::compensated` states of the true sum,
//! where plain ones are not, and the same bits for any number of threads.

use fastrand::Rng;
use q::value::Data;
use q::{Interp, Kind, Sym, Value};
use runtime::engine::Engine;
use runtime::gpu::moves;
use runtime::session::Session;
use tests::exact_sum::exact_sum;
use tests::nvrtc::found;
use tests::property::seeds;

/// Half the distance from 1 to the next float.
const U: f64 = f64::EPSILON / 2.0;
/// Groups of a table.
const GROUPS: usize = 3;

/// A table and what its columns hold.
struct Case {
    table: Value,
    /// `x` and `y`, and the group of each row.
    columns: [Vec<f64>; 2],
    groups: Vec<usize>,
}

impl Case {
    /// A table of so many rows: `x` is near 1e9, cancels, or is of any size; `e` is `x` as reals.
    fn new(seed: u64, rows: usize) -> Case {
        let mut r = Rng::with_seed(seed);
        let mut item = |i: usize| match seed % 4 {
            0 => 1e9 + r.f64(),
            1 => [1e9, -1e9][i % 2] * (1.0 + r.f64()) + r.f64(),
            2 if i.is_multiple_of(7) => f64::NAN,
            // Every large item but the last is taken off again.
            2 => [1e17, 0.25, -1e17][i % 3],
            _ => (r.f64() - 0.5) * 10f64.powi(r.i32(-30..=30)),
        };
        let x: Vec<f64> = (0..rows).map(&mut item).collect();
        let y: Vec<f64> = (0..rows).map(|_| r.f64() - 0.25).collect();
        let groups: Vec<usize> = (0..rows).map(|_| r.usize(0..GROUPS)).collect();
        let e: Vec<f32> = x.iter().map(|&x| x as f32).collect();
        let cols = vec![
            Value::vector(Kind::Long, groups.iter().map(|&g| g as i64).collect::<Vec<_>>()),
            Value::floats(x.clone()),
            Value::floats(y.clone()),
            Value::vector(Kind::Real, e),
        ];
        let table = Value::table(["k", "x", "y", "e"].map(Sym::new).to_vec(), cols);
        Case { table, columns: [x, y], groups }
    }

    /// The columns of the answer.
    fn ask(&self, engine: Engine, compensated: bool, query: &str) -> Vec<Vec<f64>> {
        let session = Session::new(engine);
        session.compensate(compensated);
        let mut q = Interp::new();
        runtime::gpu::register(&mut q, &session);
        let ask = |q: &mut Interp| {
            q.set_global(Sym::new("T"), moves::to(&session, &self.table)?)?;
            moves::from(&q.eval_text(query.as_bytes())?)
        };
        let Value::Table(t) = ask(&mut q).unwrap_or_else(|e| panic!("{engine}: {query}: {e}")) else {
            panic!("{query} makes a table")
        };
        let floats = |column: &Value| match column {
            Value::Vec(v) => match &v.data {
                Data::F(x) => x.to_vec(),
                Data::E(x) => x.iter().map(|&x| x as f64).collect(),
                Data::J(x) => x.iter().map(|&x| x as f64).collect(),
                _ => panic!("{query} makes numbers"),
            },
            _ => panic!("{query} makes vectors"),
        };
        t.cols.iter().map(floats).collect()
    }

    /// How many times as far as the bound allows the engine's sums are from the true ones, at most.
    fn off(&self, engine: Engine, compensated: bool) -> f64 {
        let whole = "select s:sum x,a:avg x,w:y wsum x,v:y wavg x,e:sum e from T where y>0";
        let grouped = "0!select s:sum x,a:avg x,w:y wsum x,v:y wavg x,e:sum e by k from T where y>0";
        let (whole, grouped) = (self.ask(engine, compensated, whole), self.ask(engine, compensated, grouped));
        let mut worst = self.judge(&|_| true, &whole.iter().map(|c| c[0]).collect::<Vec<_>>());
        for (i, group) in grouped[0].iter().enumerate() {
            let got: Vec<f64> = grouped[1..].iter().map(|c| c[i]).collect();
            worst = worst.max(self.judge(&|row| self.groups[row] == *group as usize, &got));
        }
        worst
    }

    fn judge(&self, of: &dyn Fn(usize) -> bool, got: &[f64]) -> f64 {
        let [x, y] = &self.columns;
        let rows: Vec<usize> = (0..x.len()).filter(|&i| of(i) && y[i] > 0.0 && !x[i].is_nan()).collect();
        let list = |f: &dyn Fn(usize) -> f64| rows.iter().map(|&i| f(i)).collect::<Vec<f64>>();
        let (x, products, weights, reals) =
            (list(&|i| x[i]), list(&|i| x[i] * y[i]), list(&|i| y[i]), list(&|i| x[i] as f32 as f64));
        // The sum, and how far it may be off; the true one is rounded too.
        let sum = |items: &[f64]| {
            let (n, all) = (items.len() as f64, items.iter().map(|x| x.abs()).sum::<f64>());
            let true_sum = exact_sum(items);
            (true_sum, 2.0 * U * true_sum.abs() + (n * U).powi(2) * all)
        };
        // A quotient takes over both bounds, and rounds once more.
        let over = |(a, da): (f64, f64), (b, db): (f64, f64)| {
            let quotient = a / b;
            (quotient, (da + quotient.abs() * db) / b.abs() + 2.0 * U * quotient.abs())
        };
        let count = (x.len() as f64, 0.0);
        let (real, bound) = sum(&reals);
        let want = [
            sum(&x),
            over(sum(&x), count),
            sum(&products),
            over(sum(&products), sum(&weights)),
            (real, bound + real.abs() * f32::EPSILON as f64),
        ];
        let off = got.iter().zip(want).map(|(&got, (want, bound))| match (got - want).abs() {
            off if off == 0.0 || got.is_nan() && want.is_nan() => 0.0,
            off => off / bound,
        });
        off.fold(0.0, f64::max)
    }
}

/// Holds the engine to the bound on `cases` tables; the plain sums of some must be outside it.
fn within_the_bound(engine: Engine, cases: u64) {
    let mut plain = 0;
    for seed in seeds(cases) {
        let case = Case::new(seed, [1, 2, 9, 1000, 5000][seed as usize % 5]);
        let off = case.off(engine, true);
        assert!(off <= 1.0, "case {seed}: {off} times the bound");
        plain += usize::from(case.off(engine, false) > 1.0);
    }
    assert!(plain * 4 >= seeds(cases).count(), "plain sums are within the bound too: {plain}");
}

#[test]
fn compensated_sums_are_within_the_bound() {
    within_the_bound(Engine::Cpu, 60);
}

#[test]
fn compensated_sums_are_within_the_bound_on_the_simulator() {
    let Some(_) = found("compensated_sums_are_within_the_bound_on_the_simulator") else { return };
    within_the_bound(Engine::Sim, 20);
}

#[test]
fn no_number_of_threads_changes_a_bit_of_them() {
    let case = Case::new(3, 140_000);
    let on = |threads: usize, query: &str| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
        let columns = pool.install(|| case.ask(Engine::Cpu, true, query));
        columns.into_iter().flatten().map(f64::to_bits).collect::<Vec<_>>()
    };
    for query in ["select sum x,avg x,sum e from T", "0!select sum x,y wavg x by k from T where y>0"] {
        let one = on(1, query);
        for threads in [2, 3, 7] {
            assert_eq!(on(threads, query), one, "{query} on {threads} threads");
        }
    }
}
