//! Holds an engine to the interpreter on a case, and makes what fails small.

use super::table::VARIABLES;
use super::{Case, shrink};
use q::value::{Attr, Raw, Vector};
use q::{Interp, Sym, Value};
use runtime::engine::Engine;
use runtime::gpu::moves;
use runtime::session::Session;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// An answer, or the signal.
type Answer = std::result::Result<Canon, q::Error>;

/// A value as text that tells every bit and kind apart, every NaN as one.
#[derive(Default)]
struct Canon {
    text: String,
    /// The attribute of a vector that has not what it says.
    false_attr: Option<Attr>,
}

impl Canon {
    /// Is it what the interpreter answers? Which attributes an answer has is open, but they must hold.
    fn is(&self, want: &Canon) -> bool {
        self.text == want.text && self.false_attr.is_none() && want.false_attr.is_none()
    }

    fn add(&mut self, v: &Value) {
        match v {
            Value::Atom(a) => {
                self.text += &format!("{:?} atom", a.kind);
                self.item(a.raw);
            }
            Value::Vec(v) => {
                self.text += &format!("{:?} vector", v.kind);
                if !holds(v) {
                    self.false_attr = Some(v.attr);
                }
                (0..v.len()).for_each(|i| self.item(v.data.raw(i)));
            }
            Value::List(l) => l.iter().for_each(|x| self.add(x)),
            Value::Dict(d) => {
                self.text += "dict ";
                self.add(&d.keys);
                self.add(&d.vals);
            }
            Value::Table(t) => {
                self.text += &format!("table {:?}\n", t.names);
                t.cols.iter().for_each(|c| self.add(c));
            }
            Value::Fun(_) => self.text += "function",
        }
        self.text.push('\n');
    }

    fn item(&mut self, raw: Raw) {
        self.text += &match raw {
            Raw::F(x) if x.is_nan() => " 0n".into(),
            Raw::E(x) if x.is_nan() => " 0n".into(),
            Raw::F(x) => format!(" {:016x}", x.to_bits()),
            Raw::E(x) => format!(" {:08x}", x.to_bits()),
            other => format!(" {other:?}"),
        };
    }
}

/// How an engine did on a query.
#[derive(PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It answered as the interpreter does; the texts of its plans.
    Agrees(Vec<String>),
    /// It said that it cannot yet: why, and the query.
    Refused(String, String),
    /// Both signal, but not the same: a query with two faults may be told of either. The signals, and the query.
    Signals(String, String),
}

impl Verdict {
    /// The engine answered itself.
    pub fn answered(&self) -> bool {
        !matches!(self, Verdict::Refused(..))
    }
}

/// Holds the CPU engine to the interpreter on one case. Panics where they differ.
pub fn judge(case: &Case) -> Verdict {
    judge_on(case, Engine::Cpu)
}

/// Holds an engine to the interpreter on one case. Panics where they differ, with the smallest case that was found.
pub fn judge_on(case: &Case, engine: Engine) -> Verdict {
    held(case, engine, None)
}

/// Holds a plan that is used again with other literals to the interpreter. Panics where they differ.
pub fn judge_again(case: &Case) -> Verdict {
    let again = Case { query: other_literals(&case.query), ..case.clone() };
    held(&again, Engine::Cpu, Some(case))
}

fn held(case: &Case, engine: Engine, before: Option<&Case>) -> Verdict {
    match compare(case, engine, before) {
        Ok(verdict) => verdict,
        Err(fault) if before.is_some() => panic!("{}\n{}", fault.told, shrink::script(case)),
        Err(fault) => {
            let fails = |case: &Case| compare(case, engine, None).is_err_and(|f| f.kind == fault.kind);
            let least = shrink::least(case.clone(), fails);
            let fault = compare(&least, engine, None).expect_err("what is shrunk fails still");
            panic!("{}\nfrom: {}\n{}", fault.told, case.text(), shrink::script(&least))
        }
    }
}

/// What the two answers are where they differ.
struct Fault {
    /// Which of them signals, and what.
    kind: [Option<String>; 2],
    /// Both, for a person.
    told: String,
}

/// The verdict, or the fault. `before` is asked in the same session first.
fn compare(case: &Case, engine: Engine, before: Option<&Case>) -> std::result::Result<Verdict, Fault> {
    let session = Session::new(engine);
    let asked = |session: &Arc<Session>| {
        let mut q = console(case, session)?;
        if let Some(before) = before {
            // Whatever the first answer is, its plan is in the session's cache.
            let _first = ask(&mut q, &before.text());
        }
        ask(&mut q, &case.text())
    };
    let got =
        catch_unwind(AssertUnwindSafe(|| asked(&session))).unwrap_or_else(|_| Err(q::Error::new("panic")));
    if let Err(e) = &got
        && e.name == "GPU_NOT_IMPLEMENTED"
    {
        let why = e.detail.as_deref().unwrap_or_default();
        return Ok(Verdict::Refused(without_place(why).to_string(), case.text()));
    }
    let want = asked(&Session::new(Engine::Interp));
    match (&got, &want) {
        (Ok(x), Ok(y)) if x.is(y) => {
            Ok(Verdict::Agrees(session.plans().iter().map(|loaded| loaded.plan.to_string()).collect()))
        }
        (Err(x), Err(y)) if !["internal", "panic"].contains(&&*x.name) => Ok(match x.name == y.name {
            true => Verdict::Agrees(vec![]),
            false => Verdict::Signals(format!("'{} for '{}", x.name, y.name), case.text()),
        }),
        _ => {
            let signal = |x: &Answer| {
                let e = x.as_ref().err()?;
                Some(format!("{} {}", e.name, without_place(e.detail.as_deref().unwrap_or_default())))
            };
            let told = |x: &Canon| format!("{}{:?}", x.text, x.false_attr);
            let text = |x: &Answer| x.as_ref().map_or_else(|e| format!("'{e}"), told);
            let told = format!("{engine}: {}\ninterp: {}", text(&got), text(&want));
            Err(Fault { kind: [signal(&got), signal(&want)], told })
        }
    }
}

/// The first line of a signal's detail, without the path that ends it.
fn without_place(detail: &str) -> &str {
    detail.split(" (at ").next().unwrap_or_default().lines().next().unwrap_or_default()
}

/// An interpreter with the table and the variables, on a session.
fn console(case: &Case, session: &Arc<Session>) -> std::result::Result<Interp, q::Error> {
    let mut q = Interp::new();
    runtime::gpu::register(&mut q, session);
    for line in VARIABLES {
        q.eval_text(line.as_bytes())?;
    }
    let table = moves::to(session, &case.table)?;
    q.set_global(Sym::new("T"), table)?;
    Ok(q)
}

/// Is it true what the vector's attribute says?
fn holds(v: &Vector) -> bool {
    let bare = Value::Vec(Vector { attr: Attr::None, ..v.clone() });
    let name = match v.attr {
        Attr::None => return true,
        Attr::Sorted => "s",
        Attr::Unique => "u",
        Attr::Parted => "p",
        Attr::Grouped => "g",
    };
    q::eval::sort::set_attr(Sym::new(name), &bare).is_ok()
}

fn ask(q: &mut Interp, query: &str) -> Answer {
    let mut out = Canon::default();
    out.add(&moves::from(&q.eval_text(query.as_bytes())?)?);
    Ok(out)
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
