//! Queries whose answers depend on the order in which floats are added, over floats of any bits, and how far two
//! orders may be apart.
//!
//! **The bound.** With `u` = 2⁻⁵³, a sum of `n` floats is within `n·u·Σ|x|` of the true one in any order, so two
//! are within twice that; an average likewise, over `n`. Deviations take the mean off first, so that a mean that is
//! off by `δ` adds `δ²` to a variance: it is within `4n·u` of itself and `δ²`, with `δ = 2n·u·Σ|x|/n`. What is made of
//! these takes over their bounds.

use arbitrary::{Result, Unstructured};
use fastrand::Rng;
use q::value::Data;
use q::{Interp, Kind, Sym, Value};
use runtime::engine::Engine;
use runtime::gpu::moves;
use runtime::session::Session;

/// A table, and a query of it in parts.
pub struct FloatCase {
    table: Value,
    /// `select` or `update`.
    verb: &'static str,
    /// A function of sums, and what it is of.
    function: &'static str,
    of: [&'static str; 2],
    /// The by and where phrases.
    by: &'static str,
    filter: &'static str,
}

/// Functions of one list, of two, and those that keep a list's count.
const FUNCTIONS: [&str; 16] = [
    "sum", "avg", "var", "dev", "svar", "sdev", "sum", "avg", "cov", "scov", "cor", "wavg", "wsum", "sums",
    "avgs", "msum",
];
/// What is summed. One is far from zero beside its spread, one cancels, one has nulls.
const OPERANDS: [&str; 8] = ["x", "y", "(x*y)", "far", "(x-y)", "e", "(x%3)", "(k*x)"];

/// A table of `rows` rows and a query of it.
pub fn float_case(u: &mut Unstructured, rows: usize) -> Result<FloatCase> {
    let mut r = Rng::with_seed(u.arbitrary()?);
    let mut floats =
        |item: &dyn Fn(&mut Rng) -> f64| Value::floats((0..rows).map(|_| item(&mut r)).collect::<Vec<_>>());
    let size = |r: &mut Rng| (r.f64() - 0.5) * 10f64.powi(r.i32(-6..=6));
    let x = floats(&|r| if r.u8(0..20) == 0 { f64::NAN } else { size(r) });
    let y = floats(&size);
    let far = floats(&|r| 1e9 + r.f64());
    let e: Vec<f32> = (0..rows).map(|_| size(&mut r) as f32).collect();
    let k: Vec<i32> = (0..rows).map(|_| r.i32(-9..=9)).collect();
    let s: Vec<Sym> =
        (0..rows).map(|_| Sym::new(r.choice(["a", "b", "", "zz"]).expect("a choice"))).collect();
    let cols = vec![
        x,
        y,
        far,
        Value::vector(Kind::Real, e),
        Value::vector(Kind::Int, k),
        Value::vector(Kind::Sym, s),
    ];
    let names = ["x", "y", "far", "e", "k", "s"].map(Sym::new).to_vec();
    let function = *u.choose(&FUNCTIONS)?;
    Ok(FloatCase {
        table: Value::table(names, cols),
        verb: if scans(function) { "select" } else { u.choose(&["select", "select", "update"])? },
        function,
        of: [*u.choose(&OPERANDS)?, *u.choose(&OPERANDS)?],
        // A scan's list comes out whole only without groups.
        by: if scans(function) { "" } else { u.choose(&["", " by s", " by k", " by s,k<0", " by s<`b"])? },
        filter: u.choose(&["", " where k>0", " where s in `a`zz,y>0", " where not null x"])?,
    })
}

fn scans(function: &str) -> bool {
    matches!(function, "sums" | "avgs" | "msum")
}

impl FloatCase {
    fn query(&self) -> String {
        let [x, y] = self.of;
        let r = match self.function {
            "cov" | "scov" | "cor" | "wavg" | "wsum" => format!("{x} {} {y}", self.function),
            "msum" => format!("5 msum {x}"),
            f => format!("{f} {x}"),
        };
        format!("{} r:{r}{} from T{}", self.verb, self.by, self.filter)
    }

    /// Counts, sums of sizes and variances, for each answer or, of scans, for all: the last seven columns.
    fn scales(&self) -> String {
        let [x, y] = self.of;
        let both = format!("not null {x}*{y}");
        format!(
            "{} n:count i,a:sum abs {x},b:sum abs {y},v:{x} cov {x},w:{y} cov {y},m:sum abs {x}*{y},t:sum {x}*{both} \
             {} from T{}",
            self.verb, self.by, self.filter
        )
    }

    /// The bits of the engine's answer.
    ///
    /// # Errors
    /// Its signal.
    pub fn bits(&self, engine: Engine) -> std::result::Result<Vec<u64>, q::Error> {
        Ok(self.ask(engine, &self.query())?.iter().map(|x| x.to_bits()).collect())
    }

    /// The floats in the last column of the answer; none of keys.
    fn ask(&self, engine: Engine, query: &str) -> std::result::Result<Vec<f64>, q::Error> {
        Ok(self.columns(engine, query)?.pop().expect("a table has columns"))
    }

    fn columns(&self, engine: Engine, query: &str) -> std::result::Result<Vec<Vec<f64>>, q::Error> {
        let session = Session::new(engine);
        let mut q = Interp::new();
        runtime::gpu::register(&mut q, &session);
        q.set_global(Sym::new("T"), moves::to(&session, &self.table)?)?;
        let answer = moves::from(&q.eval_text(query.as_bytes())?)?;
        let values = match &answer {
            Value::Dict(d) => &d.vals,
            table => table,
        };
        let Value::Table(t) = values else { return q::error::type_error() };
        let floats = |c: &Value| match c {
            Value::Vec(v) => match &v.data {
                Data::F(x) => x.to_vec(),
                Data::E(x) => x.iter().map(|&x| x as f64).collect(),
                Data::J(x) => x.iter().map(|&x| x as f64).collect(),
                _ => vec![],
            },
            _ => vec![],
        };
        Ok(t.cols.iter().map(floats).collect())
    }

    /// How far two answers may be apart.
    fn bound(&self, scale: &[f64], answer: f64) -> f64 {
        let [n, a, b, v, w, m, t] = scale[..] else { panic!("seven scales") };
        let u = n.max(2.0) * f64::EPSILON;
        let known = |x: f64| if x.is_nan() { 0.0 } else { x };
        let (v, w) = (known(v), known(w));
        // What the mean's own error adds to a variance.
        let (dx, dy) = (u * a / n.max(1.0), u * b / n.max(1.0));
        let (ex, ey) = (2.0 * u * v + dx * dx, 2.0 * u * w + dy * dy);
        let pair = 2.0 * u * (v * w).sqrt() + dx * dy + dx * w.sqrt() + dy * v.sqrt();
        // A sample has one less in its divisor.
        let sample = if n > 1.0 { n / (n - 1.0) } else { 1.0 };
        let bound = match self.function {
            "sum" | "sums" | "msum" | "avgs" | "avg" => u * a,
            "var" => ex,
            "svar" => sample * 2.0 * ex,
            "dev" => root(ex, v),
            "sdev" => root(2.0 * sample * ex, sample * v),
            "cov" => pair,
            "scov" => 2.0 * sample * pair,
            "cor" => (pair + ex + ey) / (v * w).sqrt().max(f64::MIN_POSITIVE) + ex / v + ey / w,
            "wsum" => u * m,
            "wavg" => u * (m + a * answer.abs()) / t.abs(),
            f => panic!("no bound for {f}"),
        };
        // A real's bits are fewer.
        let real = self.of.contains(&"e") && matches!(self.function, "sum" | "sums" | "msum");
        bound + if real { answer.abs() * f32::EPSILON as f64 } else { 0.0 }
    }

    /// Holds the engine to the interpreter within the bound. False if it refuses. Panics where it is further off.
    pub fn judge(&self, engine: Engine) -> bool {
        let query = self.query();
        let got = match self.ask(engine, &query) {
            Err(e) if e.name == "GPU_NOT_IMPLEMENTED" => return false,
            got => got.unwrap_or_else(|e| panic!("{engine}: {query}: {e}")),
        };
        let want = self.ask(Engine::Interp, &query).unwrap_or_else(|e| panic!("interp: {query}: {e}"));
        let mut scales =
            self.columns(Engine::Interp, &self.scales()).unwrap_or_else(|e| panic!("{}: {e}", self.scales()));
        assert_eq!(got.len(), want.len(), "{query}");
        scales.drain(..scales.len() - 7);
        for (i, (got, want)) in got.into_iter().zip(want).enumerate() {
            let group = if scans(self.function) { 0 } else { i };
            let bound = self.bound(&scales.iter().map(|s| s[group]).collect::<Vec<_>>(), want);
            let off = (got - want).abs();
            assert!(
                got.to_bits() == want.to_bits()
                    || got.is_nan() && want.is_nan()
                    || off <= bound
                    || bound.is_nan(),
                "{query}: item {i} of {} rows is {got:?} on {engine} and {want:?} in the interpreter, off by {off:e} where \
                 {bound:e} is allowed",
                self.table.count()
            );
        }
        true
    }
}

/// What an error of `e` in a variance of `v` is in a deviation.
fn root(e: f64, v: f64) -> f64 {
    (e / v.sqrt()).min(e.sqrt())
}
