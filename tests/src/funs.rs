//! The tables `tests/funs/*.txt`: what every primitive gives on edge values, written out by hand from q's rules.
//!
//! A line is `stem | x | result` or `stem | x | y | result` with q literals; `#` begins a comment. A result
//! `'type` is a signal; one that begins with `~` is right within a relative 1e-15 (functions whose last bit no
//! engine promises). All other results hold to the last bit, the sign of zero included.

use q::error::Source;
use q::eval::{cast, item};
use q::value::{Raw, Value};
use q::{Error, Prim, Result, Sym};
use std::path::Path;
use std::sync::Arc;

/// One line of a table.
#[derive(Clone, Debug)]
pub struct Case {
    /// Where it stands: `file:line`.
    pub place: String,
    /// The primitive's stem, or `cast`, `cond`, `sums` … for what has no row of its own.
    pub stem: String,
    /// The arguments.
    pub args: Vec<Value>,
    /// The result, or the signal's name.
    pub want: Result<Value, String>,
    /// True if the last digits may differ.
    pub rough: bool,
}

/// Every line of every table, by file name.
pub fn cases() -> Vec<Case> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("funs");
    let mut files: Vec<_> = std::fs::read_dir(&dir)
        .expect("the folder of tables is there")
        .map(|f| f.expect("a folder can be listed").path())
        .filter(|f| f.extension().is_some_and(|e| e == "txt"))
        .collect();
    files.sort();
    let (mut cases, mut unreadable) = (vec![], vec![]);
    for file in &files {
        let text = std::fs::read_to_string(file).expect("a table can be read");
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        for (i, line) in text.lines().enumerate() {
            match case(format!("{name}:{}", i + 1), line) {
                Ok(case) => cases.extend(case),
                Err(e) => unreadable.push(e),
            }
        }
    }
    assert!(unreadable.is_empty(), "{}", unreadable.join("\n"));
    cases
}

/// The case that a line holds, if any; else what is wrong with it.
fn case(place: String, line: &str) -> Result<Option<Case>, String> {
    let line = line.split(" #").next().unwrap_or_default().trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let fields: Vec<&str> = line.split(" | ").map(str::trim).collect();
    let [stem, args @ .., want] = &fields[..] else { return Err(format!("{place}: too few fields")) };
    let value = |text: &str| literal(text).map_err(|e| format!("{place}: {text}: {e}"));
    let args = args.iter().map(|a| value(a)).collect::<Result<_, _>>()?;
    let (rough, text) = match want.strip_prefix('~') {
        Some(text) => (true, text),
        None => (false, *want),
    };
    let want = match text.strip_prefix('\'') {
        Some(signal) => Err(signal.to_owned()),
        None => Ok(value(text)?),
    };
    Ok(Some(Case { stem: stem.to_string(), args, want, rough, place }))
}

/// The value of a literal: what the parser makes a constant, lists of literals, `enlist x`, `flip`, `0#x` and `` `long$()``.
pub fn literal(text: &str) -> Result<Value> {
    let source = Source { text: text.as_bytes().into(), file: None, line: 1 };
    let (tree, _) = q::parse::expression(&Arc::new(source), Sym::NULL)?;
    constant(&tree)
}

fn constant(tree: &Value) -> Result<Value> {
    match tree {
        Value::Vec(v) if v.len() == 1 && v.kind == q::Kind::Sym => Ok(item::item(tree, 0)),
        Value::List(l) => match (l.first().and_then(Value::as_prim), &l[..]) {
            (None, []) => Ok(tree.clone()),
            (None, [quoted]) => Ok(quoted.clone()),
            (Some(Prim::Enlist | Prim::Enlist1), [_, items @ ..]) => {
                Ok(item::collect(items.iter().map(constant).collect::<Result<_>>()?))
            }
            (Some(Prim::Dollar), [_, how, x]) => cast::cast(&constant(how)?, &constant(x)?, false),
            (Some(Prim::Take), [_, n, x]) if n.as_long() == Some(0) => {
                Ok(item::slice(&list(constant(x)?), 0, 0))
            }
            (Some(Prim::Bang), [_, x, y]) => Ok(Value::dict(constant(x)?, constant(y)?)),
            (Some(Prim::Flip), [_, x]) => match constant(x)? {
                Value::Dict(d) => Ok(Value::table(
                    item::items(&d.keys).iter().filter_map(Value::as_sym).collect(),
                    item::items(&d.vals),
                )),
                _ => Err(Error::new("type")),
            },
            _ => Err(Error::new("not a literal")),
        },
        _ => Ok(tree.clone()),
    }
}

/// An atom as a one-item list.
fn list(x: Value) -> Value {
    if x.is_atom() { item::enlist(x) } else { x }
}

/// True if two values are the same to the last bit; all NaNs are one. `rough` lets floats differ by 1e-15.
pub fn same_bits(x: &Value, y: &Value, rough: bool) -> bool {
    let raw = |x: Raw, y: Raw| match (x, y) {
        (Raw::F(x), Raw::F(y)) => {
            x.to_bits() == y.to_bits()
                || x.is_nan() && y.is_nan()
                || rough && x.is_finite() && (x - y).abs() <= 1e-15 * y.abs()
        }
        (Raw::E(x), Raw::E(y)) => x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan(),
        (x, y) => q::eval::elem::same_raw(x, y),
    };
    match (x, y) {
        (Value::Atom(x), Value::Atom(y)) => x.kind == y.kind && raw(x.raw, y.raw),
        (Value::Vec(x), Value::Vec(y)) => {
            x.kind == y.kind && x.len() == y.len() && (0..x.len()).all(|i| raw(x.data.raw(i), y.data.raw(i)))
        }
        (Value::List(x), Value::List(y)) => {
            x.len() == y.len() && x.iter().zip(y.iter()).all(|(x, y)| same_bits(x, y, rough))
        }
        (Value::Dict(x), Value::Dict(y)) => {
            same_bits(&x.keys, &y.keys, rough) && same_bits(&x.vals, &y.vals, rough)
        }
        (Value::Table(x), Value::Table(y)) => {
            x.names == y.names && x.cols.iter().zip(&y.cols).all(|(x, y)| same_bits(x, y, rough))
        }
        _ => false,
    }
}
