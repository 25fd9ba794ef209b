//! The members of `.Q` and `.j` that are written in Rust, and those of `.Q` in q's own words from `q.q`.

use super::Interp;
use super::{json, list, system, value};
use crate::error::{Result, Source, type_error};
use crate::kind::Kind;
use crate::seam::Native;
use crate::value::{Func, Value};
use std::sync::Arc;

/// A function of the language itself that has no primitive.
struct Builtin {
    name: &'static str,
    rank: usize,
    call: fn(&mut Interp, &[Value]) -> Result<Value>,
}

impl std::fmt::Debug for Builtin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Native for Builtin {
    fn name(&self) -> &str {
        self.name
    }
    fn rank(&self) -> usize {
        self.rank
    }
    fn call(&self, q: &mut Interp, args: &[Value]) -> Result<Value> {
        (self.call)(q, args)
    }
}

const BUILTINS: &[Builtin] = &[
    Builtin {
        name: ".Q.trp",
        rank: 3,
        call: |q, a| q.trap_traced(&a[0], vec![a[1].clone()], ".Q.trp", &a[2]),
    },
    Builtin {
        name: ".Q.trpd",
        rank: 3,
        call: |q, a| q.trap_traced(&a[0], super::item::items(&a[1]), ".Q.trpd", &a[2]),
    },
    Builtin {
        name: ".Q.bt",
        rank: 0,
        call: |q, _| {
            for place in q.backtrace() {
                q.print(place.as_bytes());
            }
            Ok(Value::null())
        },
    },
    Builtin {
        name: ".Q.s",
        rank: 1,
        call: |q, a| {
            let text = crate::show::console(&a[0], &q.settings);
            Ok(Value::chars(&super::string::latin(&text)))
        },
    },
    Builtin { name: ".j.j", rank: 1, call: |q, a| json::write(&a[0], &q.settings) },
    Builtin { name: ".j.jd", rank: 1, call: |q, a| json::write_with(&a[0], &q.settings) },
    Builtin { name: ".j.k", rank: 1, call: |_, a| json::read(&a[0]) },
    Builtin { name: ".Q.ty", rank: 1, call: |_, a| Ok(Value::atom(Kind::Char, type_letter(&a[0]))) },
    Builtin {
        name: ".Q.w",
        rank: 0,
        call: |_, _| {
            let Value::Vec(v) = system::memory() else { return type_error() };
            let b = v.elems::<i64>().cloned().unwrap_or_default();
            let names = ["used", "heap", "peak", "wmax", "mmap", "mphy", "syms", "symw"];
            let symbols = system::symbols();
            let number = |i: usize| Value::long(b.iter().chain(&symbols).nth(i).copied().unwrap_or(0));
            Ok(value::named(names.iter().enumerate().map(|(i, n)| (*n, number(i))).collect()))
        },
    },
    Builtin {
        name: ".Q.ts",
        rank: 2,
        call: |q, a| {
            let start = std::time::Instant::now();
            let (done, most) = crate::memory::most(|| super::apply::dot(q, a.to_vec()));
            let cost = Value::longs([start.elapsed().as_millis() as i64, most as i64]);
            Ok(Value::list(vec![cost, done?]))
        },
    },
    Builtin {
        name: ".Q.gc",
        rank: 0,
        call: |_, _| {
            crate::buf::trim_pool();
            Ok(Value::long(0))
        },
    },
];

/// The type letter of a vector, upper case for a list of vectors of one type, blank for another list.
fn type_letter(x: &Value) -> u8 {
    match x {
        Value::Atom(a) => a.kind.letter() as u8,
        Value::Vec(v) => v.kind.letter() as u8,
        Value::List(l) => match l.first() {
            Some(Value::Vec(v)) if l.iter().all(|x| x.type_code() == v.kind.code()) => {
                v.kind.letter().to_ascii_uppercase() as u8
            }
            _ => b' ',
        },
        _ => b' ',
    }
}

impl Interp {
    /// Defines the language's own names: `.Q` and what else scripts expect to be there.
    pub(super) fn boot(&mut self) {
        for b in BUILTINS {
            let native: Arc<dyn Native> = Arc::new(Builtin { ..*b });
            self.globals
                .set(crate::Sym::new(b.name), crate::Sym::NULL, Value::Fun(Func::Native(native)))
                .expect("a plain variable can always be set");
        }
        let text = include_bytes!("q.q");
        let source = Source { text: text.as_slice().into(), file: Some("q.q".into()), line: 1 };
        self.globals
            .set(crate::Sym::new(".Q.m.SP"), crate::Sym::NULL, super::modules::default_path())
            .expect("a plain variable can always be set");
        self.run_script(source).expect("the boot script runs");
        self.enter(crate::Sym::NULL);
    }
}

/// `md5 x`: the digest of a text, as bytes.
pub fn md5(x: &Value) -> Result<Value> {
    let Some(text) = list::bytes(x) else { return type_error() };
    Ok(Value::vector(Kind::Byte, super::digest::md5(&text).to_vec()))
}
