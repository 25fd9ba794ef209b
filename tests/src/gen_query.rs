//! Random tables and queries, and the judge that holds the CPU engine to the interpreter: for properties and
//! fuzzing.
//!
//! Floats are multiples of 1/64 and small, so that their sums are exact in any order; what would not be exact
//! (a sum of quotients, say) is not asked. What q leaves to the machine (the last bits of `log`) is not asked
//! either.

use arbitrary::{Result, Unstructured};
use q::value::Raw;
use q::{Buf, Interp, Kind, Sym, Value};
use runtime::engine::Engine;
use runtime::gpu::moves;
use runtime::session::Session;

/// A table `t` with a column a kind, and a query of it as text.
pub struct Case {
    /// The table.
    pub table: Value,
    /// The query; it names the table `T`.
    pub query: String,
}

/// The columns by type, as expressions use them.
const INTS: [&str; 3] = ["j", "i", "h"];
const FLOATS: [&str; 2] = ["f", "e"];
const TIMES: [&str; 4] = ["p", "d", "t", "n"];

/// A table and a query.
pub fn case(u: &mut Unstructured) -> Result<Case> {
    let rows = *u.choose(&[0usize, 1, 2, 7, 40, 3000])?;
    let table = table(u, rows)?;
    let mut g = Gen { u };
    let query = g.query()?;
    Ok(Case { table, query })
}

/// A whole number, with q's special ones among them.
fn whole(u: &mut Unstructured, min: i64, max: i64) -> Result<i64> {
    Ok(match u.int_in_range(0..=20)? {
        0 => min,
        1 => max,
        2 => -max,
        _ => u.int_in_range(-50..=50)?,
    })
}

fn column<T: q::value::Elem>(
    u: &mut Unstructured,
    kind: Kind,
    rows: usize,
    mut item: impl FnMut(&mut Unstructured) -> Result<T>,
) -> Result<Value> {
    // A few dozen items drawn from the bytes, repeated: long tables need no long inputs.
    let drawn = (0..rows.min(40)).map(|_| item(u)).collect::<Result<Vec<T>>>()?;
    let all: Buf<T> = (0..rows).map(|i| drawn[(i * 7 + i / 40) % drawn.len()]).collect::<Vec<T>>().into();
    Ok(Value::vector(kind, all))
}

fn table(u: &mut Unstructured, rows: usize) -> Result<Value> {
    let float = |u: &mut Unstructured| {
        Ok(match u.int_in_range(0..=15)? {
            0 => f64::NAN,
            1 => -0.0,
            _ => u.int_in_range(-6400..=6400)? as f64 / 64.0,
        })
    };
    let syms = ["", "a", "b", "zz", "A"].map(Sym::new);
    let cols = vec![
        column(u, Kind::Long, rows, |u| whole(u, i64::MIN, i64::MAX))?,
        column(u, Kind::Int, rows, |u| Ok(whole(u, i32::MIN as i64, i32::MAX as i64)? as i32))?,
        column(u, Kind::Short, rows, |u| Ok(whole(u, i16::MIN as i64, i16::MAX as i64)? as i16))?,
        column(u, Kind::Float, rows, float)?,
        column(u, Kind::Real, rows, |u| Ok(float(u)? as f32))?,
        column(u, Kind::Bool, rows, |u| Ok(u.arbitrary::<bool>()? as u8))?,
        column(u, Kind::Sym, rows, |u| Ok(*u.choose(&syms)?))?,
        column(u, Kind::Timestamp, rows, |u| {
            let x = u.int_in_range(-3i64..=30)?;
            Ok(if x == 30 { i64::MIN } else { x * 3_600_000_000_007 })
        })?,
        column(u, Kind::Date, rows, |u| {
            Ok(if u.ratio(1, 12)? { i32::MIN } else { u.int_in_range(-400..=9000)? })
        })?,
        column(u, Kind::Time, rows, |u| u.int_in_range(0..=86_399_999))?,
        column(u, Kind::Timespan, rows, |u| whole(u, i64::MIN, 1 << 40))?,
        column(u, Kind::Char, rows, |u| Ok(*u.choose(b"ab zA")?))?,
    ];
    let names = ["j", "i", "h", "f", "e", "b", "s", "p", "d", "t", "n", "c"].map(Sym::new).to_vec();
    Ok(Value::table(names, cols))
}

/// Writes q text. Every binary is in parentheses, so that reading needs no rules.
struct Gen<'a, 'b> {
    u: &'a mut Unstructured<'b>,
}

impl Gen<'_, '_> {
    fn pick(&mut self, of: &[&str]) -> Result<String> {
        Ok(self.u.choose(of)?.to_string())
    }

    fn query(&mut self) -> Result<String> {
        let form = self.u.int_in_range(0..=18)?;
        if form == 12 || form == 13 {
            return self.update();
        }
        let mut text = match form {
            0..=2 => format!("select {} from T", self.columns(1, Self::plain)?),
            3 => "select from T".into(),
            4..=5 => format!("select {} from T", self.columns(3, Self::aggregate)?),
            10 => format!("select distinct {} from T", self.columns(1, Self::plain)?),
            14..=15 => format!("select {} from T", self.columns(2, Self::scan)?),
            16 => format!("select {} by {} from T", self.columns(2, Self::lists)?, self.keys()?),
            17 => format!("exec {} from T", self.part()?),
            18 => {
                let key = self.pick(&["s", "b", "d.month", "(10 xbar j)"])?;
                let vals = self.pick(&["j", "last f,s", "max j,sum i", "count i", "sums j", "c,s,f"])?;
                format!("exec {vals} by {key} from T")
            }
            6..=9 => format!("select {} by {} from T", self.columns(3, Self::aggregate)?, self.keys()?),
            _ => {
                format!("exec {} from T", if self.u.arbitrary()? { self.plain()? } else { self.aggregate()? })
            }
        };
        for i in 0..self.u.int_in_range(0..=2)? {
            text += if i == 0 { " where " } else { "," };
            text += &self.truth(2)?;
        }
        Ok(text)
    }

    /// An update by the card's function, from its parse tree.
    fn update(&mut self) -> Result<String> {
        let by = if self.u.arbitrary()? { format!(" by {}", self.keys()?) } else { String::new() };
        let item = *self.u.choose(&[Self::aggregate, Self::plain, Self::scan, Self::scan])?;
        let mut text = format!("update {}{by} from T", self.columns(1, item)?);
        if self.u.arbitrary()? {
            text += &format!(" where {},{}", self.truth(1)?, self.truth(1)?);
        }
        Ok(format!("{{.gpu.update[T;first x 2;x 3;x 4]}} parse {text:?}"))
    }

    fn columns(&mut self, most: usize, item: fn(&mut Self) -> Result<String>) -> Result<String> {
        let count = self.u.int_in_range(1..=most + 2)?;
        let cols: Result<Vec<String>> = (0..count).map(|k| Ok(format!("r{k}:{}", item(self)?))).collect();
        Ok(cols?.join(","))
    }

    fn keys(&mut self) -> Result<String> {
        let count = self.u.int_in_range(1..=2)?;
        let key = |g: &mut Self| match g.u.int_in_range(0..=6)? {
            0..=1 => Ok("s".into()),
            2 => g.pick(&["b", "c", "i", "j", "d", "f"]),
            3 => Ok("(10 xbar j)".into()),
            4 => Ok("(60 xbar t.minute)".into()),
            5 => Ok("d.month".into()),
            _ => g.truth(1),
        };
        let keys: Result<Vec<String>> = (0..count).map(|k| Ok(format!("k{k}:{}", key(self)?))).collect();
        Ok(keys?.join(","))
    }

    fn plain(&mut self) -> Result<String> {
        match self.u.int_in_range(0..=6)? {
            0..=1 => self.number(3),
            2 => self.truth(2),
            3 => self.pick(&["s", "c", "b", "p", "d", "t", "n"]),
            4 => self.temporal(),
            5 => Ok(format!("({}%{})", self.number(2)?, self.number(1)?)),
            _ => Ok(format!("?[{};{x};{x}]", self.truth(1)?, x = self.pick(&INTS)?)),
        }
    }

    /// An aggregate whose value does not depend on the order of summing.
    fn aggregate(&mut self) -> Result<String> {
        Ok(match self.u.int_in_range(0..=8)? {
            0 => "count i".into(),
            1 => format!("sum {}", self.exact()?),
            2 => format!("avg {}", self.pick(&["f", "e", "i", "h", "b"])?),
            3 => format!("min {}", self.number(2)?),
            4 => format!("max {}", self.number(2)?),
            5 => format!("first {}", self.pick(&["s", "j", "f", "p", "c", "d"])?),
            6 => format!("last {}", self.pick(&["s", "j", "e", "n", "b", "t"])?),
            7 => format!("max {}", self.pick(&TIMES)?),
            _ => format!("sum {}", self.truth(1)?),
        })
    }

    /// A function of lists that keeps their count.
    fn scan(&mut self) -> Result<String> {
        let any = self.pick(&["j", "i", "h", "f", "e", "b", "s", "p", "d", "t", "n", "c"])?;
        let plain = self.pick(&["j", "i", "h", "f", "e", "b", "p", "d", "t", "n", "c", "s"])?;
        let number = self.number(1)?;
        let n = self.u.int_in_range(-2..=4)?;
        Ok(match self.u.int_in_range(0..=19)? {
            0 => format!("sums {number}"),
            1 => format!("{} {number}", self.pick(&["mins", "maxs", "prds"])?),
            2 => format!("fills {any}"),
            3 => format!("{} {any}", self.pick(&["prev", "next", "reverse"])?),
            4 => format!("({n}) xprev {any}"),
            5 => format!("deltas {}", self.pick(&["j", "i", "h", "f", "e", "b", "p", "d", "t", "n"])?),
            6 => format!("differ {any}"),
            7 => {
                format!("({n}) {} {number}", self.pick(&["msum", "mavg", "mdev", "mmin", "mmax", "mcount"])?)
            }
            8 => format!("rank {plain}"),
            9 => format!("{} {plain}", self.pick(&["iasc", "idesc", "asc", "desc"])?),
            10 => format!("ratios {}", self.pick(&["f", "j", "i"])?),
            11 => format!("0.5 ema {}", self.pick(&["f", "e", "i"])?),
            12 => format!("3 xrank {plain}"),
            13 => format!("sums differ {any}"),
            14 => format!("({op})prior {plain}", op = self.pick(&["<", ">", "=", "<>"])?),
            15 => format!("({number}-prev {number})"),
            16 => format!("(({};{any}) fby s)", self.pick(&["prev", "fills", "next"])?),
            17 => format!("((sums;{number}) fby ([]s;b))"),
            18 => format!("({any} in {any})"),
            _ => format!("avgs {}", self.pick(&["f", "j", "i", "b"])?),
        })
    }

    /// Some of the items of a list.
    fn part(&mut self) -> Result<String> {
        let any = self.pick(&["j", "i", "f", "b", "s", "d", "c", "(j+1)"])?;
        Ok(match self.u.int_in_range(0..=4)? {
            0 => format!("distinct {any}"),
            1 => format!("({}) sublist {any}", self.u.int_in_range(-3..=3)?),
            2 => format!("2 sublist desc {any}"),
            3 => format!("{any} where {}", self.truth(1)?),
            _ => format!("asc distinct {any}"),
        })
    }

    /// What has a list, or part of one, for each group.
    fn lists(&mut self) -> Result<String> {
        Ok(match self.u.int_in_range(0..=6)? {
            0 => self.plain()?,
            1..=2 => self.scan()?,
            3 => self.part()?,
            4 => format!("count {}", self.part()?),
            5 => format!("med {}", self.number(1)?),
            _ => format!("max {}", self.scan()?),
        })
    }

    /// A number: integers that wrap, floats, or both.
    fn number(&mut self, depth: usize) -> Result<String> {
        self.number_of(&["f", "e", "j", "i", "h"], depth)
    }

    /// A number whose sums are exact in any order: integers, or a float that takes few bits.
    fn exact(&mut self) -> Result<String> {
        if self.u.arbitrary()? { self.number_of(&INTS, 2) } else { self.number_of(&FLOATS, 1) }
    }

    fn number_of(&mut self, leaves: &[&str], depth: usize) -> Result<String> {
        if depth == 0 || self.u.ratio(1, 4)? {
            return match self.u.int_in_range(0..=3)? {
                0 => Ok(self.u.int_in_range(-9..=99)?.to_string()).map(|n| format!("({n})")),
                _ => self.pick(leaves),
            };
        }
        let x = self.number_of(leaves, depth - 1)?;
        Ok(match self.u.int_in_range(0..=9)? {
            0 => format!("(neg {x})"),
            1 => format!("(abs {x})"),
            2 => format!("(0^{x})"),
            3 => format!("({x} div 3)"),
            4 => format!("({x} mod 7)"),
            op => format!("({x}{}{})", ["+", "-", "*", "&", "|"][op - 5], self.number_of(leaves, depth - 1)?),
        })
    }

    fn temporal(&mut self) -> Result<String> {
        self.pick(&[
            "(p+1)",
            "(d-7)",
            "(t+1000)",
            "p.minute",
            "d.year",
            "(`date$p)",
            "(0D01 xbar p)",
            "(p-2000.01.02D0)",
            "(neg n)",
            "t.hh",
            "d.week",
            "(`time$p)",
            "(d+t)",
            "`long$n",
            "(n*2)",
        ])
    }

    fn truth(&mut self, depth: usize) -> Result<String> {
        if depth > 0 && self.u.ratio(1, 4)? {
            let (x, y) = (self.truth(depth - 1)?, self.truth(depth - 1)?);
            return Ok(match self.u.int_in_range(0..=2)? {
                0 => format!("({x}&{y})"),
                1 => format!("({x}|{y})"),
                _ => format!("(not {x})"),
            });
        }
        let op = self.pick(&["=", "<>", "<", ">", "<=", ">="])?;
        Ok(match self.u.int_in_range(0..=12)? {
            0..=2 => format!("({}{op}{})", self.number(1)?, self.number(1)?),
            3 => format!("(s{op}`b)"),
            4 => "(s in `a`zz`q)".into(),
            5 => format!("(null {})", self.pick(&["j", "f", "s", "d", "c", "p"])?),
            6 => {
                let set = self.pick(&["1 2 3 40", "1 2 3i", "5", "enlist 7", "1 0N"])?;
                format!("({} in {set})", self.pick(&["j", "i"])?)
            }
            7 => format!("({} within -10 20)", self.pick(&["j", "i"])?),
            8 => format!("(d{op}2001.05.01)"),
            9 => self.pick(&["(j in (j+1))", "(s in s)", "(f in (0^f))", "(i in j)"])?,
            10 => format!(
                "({}{op}({};{}) fby {})",
                self.pick(&INTS)?,
                self.pick(&["max", "min", "first"])?,
                self.pick(&INTS)?,
                self.pick(&["s", "b", "([]s;c)"])?
            ),
            11 => format!("(s like {:?})", self.pick(&["a*", "?", "[az]*", ""])?),
            12 => format!("({} within (-10;max j))", self.pick(&["j", "i", "h"])?),
            _ => "b".into(),
        })
    }
}

/// What a query answers, as text that tells every bit and kind apart; or the signal.
fn answer(case: &Case, engine: Engine) -> std::result::Result<String, q::Error> {
    ask(&mut console(case, engine)?, &case.query)
}

/// An interpreter with the table on a new session of the engine.
fn console(case: &Case, engine: Engine) -> std::result::Result<Interp, q::Error> {
    let session = Session::new(engine);
    let mut q = Interp::new();
    runtime::gpu::register(&mut q, &session);
    let table = moves::to(&session, &case.table)?;
    q.set_global(Sym::new("T"), table)?;
    Ok(q)
}

fn ask(q: &mut Interp, query: &str) -> std::result::Result<String, q::Error> {
    let mut out = String::new();
    canon(&moves::from(&q.eval_text(query.as_bytes())?)?, &mut out);
    Ok(out)
}

/// A value's kinds and bits. Attributes are left out, and every NaN is one.
fn canon(v: &Value, out: &mut String) {
    use std::fmt::Write;
    let item = |raw: Raw, out: &mut String| {
        match raw {
            Raw::F(x) if x.is_nan() => write!(out, " 0n"),
            Raw::E(x) if x.is_nan() => write!(out, " 0n"),
            Raw::F(x) => write!(out, " {:016x}", x.to_bits()),
            Raw::E(x) => write!(out, " {:08x}", x.to_bits()),
            other => write!(out, " {other:?}"),
        }
        .expect("writing to a string");
    };
    match v {
        Value::Atom(a) => {
            write!(out, "{:?} atom", a.kind).expect("writing to a string");
            item(a.raw, out);
        }
        Value::Vec(v) => {
            write!(out, "{:?} vector", v.kind).expect("writing to a string");
            (0..v.len()).for_each(|i| item(v.data.raw(i), out));
        }
        Value::List(l) => l.iter().for_each(|x| canon(x, out)),
        Value::Dict(d) => {
            out.push_str("dict ");
            canon(&d.keys, out);
            canon(&d.vals, out);
        }
        Value::Table(t) => {
            writeln!(out, "table {:?}", t.names).expect("writing to a string");
            t.cols.iter().for_each(|c| canon(c, out));
        }
        Value::Fun(_) => out.push_str("function"),
    }
    out.push('\n');
}

/// Whether the CPU engine answered a query itself.
#[derive(PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It did, and as the interpreter does.
    Agrees,
    /// It said that it cannot yet.
    Refused,
}

/// The query with other literals: most of its numbers are one greater.
fn other_literals(query: &str) -> String {
    let mut out = String::new();
    for (i, piece) in query.split('(').enumerate() {
        let number = piece.split_once(')').and_then(|(n, rest)| Some((n.parse::<i64>().ok()?, rest)));
        out += if i > 0 { "(" } else { "" };
        match number {
            Some((n, rest)) => out += &format!("{}){rest}", n + 1),
            None => out += piece,
        }
    }
    out
}

/// Holds a plan that is used again with other literals to the interpreter. Panics where they differ.
pub fn judge_again(case: &Case) -> Verdict {
    let again = Case { table: case.table.clone(), query: other_literals(&case.query) };
    let _told = Told(&again);
    let second = console(case, Engine::Cpu).and_then(|mut q| {
        // Whatever the first answer is, its plan is in the session's cache.
        let _first = ask(&mut q, &case.query);
        ask(&mut q, &again.query)
    });
    verdict(&again, second)
}

/// Names the case when an engine panics over it.
struct Told<'a>(&'a Case);

impl Drop for Told<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("while judging: {} on {} rows", self.0.query, self.0.table.count());
        }
    }
}

/// Holds the CPU engine to the interpreter on one case. Panics where they differ.
pub fn judge(case: &Case) -> Verdict {
    judge_on(case, Engine::Cpu)
}

/// Holds an engine to the interpreter on one case. Panics where they differ.
pub fn judge_on(case: &Case, engine: Engine) -> Verdict {
    let _told = Told(case);
    verdict(case, answer(case, engine))
}

fn verdict(case: &Case, cpu: std::result::Result<String, q::Error>) -> Verdict {
    let interp = answer(case, Engine::Interp);
    match (&cpu, &interp) {
        (Err(e), _) if e.name == "GPU_NOT_IMPLEMENTED" => return Verdict::Refused,
        (Ok(x), Ok(y)) if x == y => {}
        (Err(x), Err(y)) if x.name == y.name && x.name != "internal" => {}
        _ => panic!(
            "{}\non {} rows\nengine: {cpu:?}\ninterp: {interp:?}\ntable: {:?}",
            case.query,
            case.table.count(),
            case.table.count().lt(&50).then_some(&case.table)
        ),
    }
    Verdict::Agrees
}
