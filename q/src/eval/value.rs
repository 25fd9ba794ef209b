//! `value`, `parse`, `eval`, `set`, and the internal functions `-n!x`.

use super::item::{self, items};
use super::{Interp, files, json, list, native, splay};
use crate::error::{Error, Result, Source, type_error};
use crate::fun::Prim;
use crate::kind::Kind;
use crate::serial;
use crate::value::{Atom, Dict, Func, Iter, Raw, Value, Vector};
use std::sync::Arc;

/// `value x`: the value of a name or text, a list's first item applied to the rest, a dictionary's values, the
/// parts of a function.
pub fn value(q: &mut Interp, x: &Value) -> Result<Value> {
    match x {
        Value::Atom(a) if a.kind == Kind::Sym => {
            let name = x.as_sym().unwrap_or_default();
            match name.text().strip_prefix(':') {
                Some(path) => splay::get(q, path),
                None => q.resolve_name(name),
            }
        }
        Value::Atom(a) if a.kind == Kind::Enum => Ok(unenum(x)),
        Value::Atom(a) if a.kind == Kind::Char => q.eval_text(&list::bytes(x).unwrap_or_default()),
        Value::Vec(v) if v.kind == Kind::Char => q.eval_text(x.as_chars().unwrap_or_default()),
        Value::Vec(v) if v.kind == Kind::Enum => Ok(unenum(x)),
        Value::Vec(v) if v.kind == Kind::Sym && !v.is_empty() => apply_list(q, &items(x)),
        Value::List(l) if !l.is_empty() => apply_list(q, l),
        Value::Vec(_) | Value::List(_) => Ok(x.clone()),
        Value::Dict(d) => Ok(d.vals.clone()),
        Value::Table(t) => Ok(Value::list(t.cols.clone())),
        Value::Atom(_) => type_error(),
        Value::Fun(f) => parts(f),
    }
}

fn apply_list(q: &mut Interp, l: &[Value]) -> Result<Value> {
    let f = match &l[0] {
        Value::Vec(Vector { kind: Kind::Char, .. }) | Value::Atom(Atom { kind: Kind::Char, .. }) => {
            value(q, &l[0])?
        }
        f => f.clone(),
    };
    if l.len() == 1 { Ok(f) } else { q.apply(&f, l[1..].to_vec()) }
}

/// What a function is made of.
fn parts(f: &Func) -> Result<Value> {
    Ok(match f {
        // q defines it as a composition: not the match of each with the one before, as booleans.
        Func::Prim(Prim::Differ) => {
            let alike = Value::Fun(Func::Derived(Iter::Prior, Arc::new(Value::prim(Prim::Match))));
            let differs = Value::Fun(Func::Comp(Arc::new(vec![Value::prim(Prim::Not), alike])));
            let to_bools = vec![Some(Value::atom(Kind::Char, b'b'))];
            Value::list(vec![super::apply::project(&Value::prim(Prim::Dollar), to_bools), differs])
        }
        Func::Prim(p) => Value::long(p.row().code as i64),
        Func::Iter(i) => Value::long(*i as i64),
        Func::Lambda(l) => Value::list(vec![
            Value::vector(Kind::Byte, crate::Buf::<u8>::new()),
            Value::syms(l.params.iter().copied()),
            Value::syms(l.locals.iter().copied()),
            Value::syms(std::iter::once(l.space).chain(l.globals())),
            Value::chars(&l.text),
        ]),
        Func::Proj(p) => {
            let args = p.args.iter().map(|a| a.clone().unwrap_or_else(Value::null));
            let mut all: Vec<Value> = std::iter::once(p.fun.clone()).chain(args).collect();
            // Elided arguments at the end do not show.
            let shown = p.args.iter().rposition(Option::is_some).map_or(1, |i| i + 2);
            all.truncate(shown);
            Value::list(all)
        }
        Func::Comp(fs) => Value::list(fs.to_vec()),
        Func::Derived(_, g) => (**g).clone(),
        Func::Native(n) => Value::chars(n.name().as_bytes()),
        Func::Virtual(v) => {
            let names = ["f", "m", "t"].map(crate::Sym::new);
            let t = Value::atom(Kind::Short, v.q_type() as i16);
            Value::dict(Value::syms(names), Value::list(vec![Value::null(), Value::null(), t]))
        }
    })
}

/// Enumerations as symbols, at any depth.
pub fn unenum(x: &Value) -> Value {
    match x {
        Value::Atom(Atom { kind: Kind::Enum, raw: Raw::J(i), domain }) => {
            domain.as_ref().map_or_else(|| Value::sym(crate::Sym::NULL), |d| Value::Atom(d.atom(*i)))
        }
        Value::Vec(v) if v.kind == Kind::Enum => Value::Vec(super::prim::unenum_vector(v)),
        Value::List(l) => Value::list(l.iter().map(unenum).collect()),
        _ => x.clone(),
    }
}

/// `parse x`: the tree of a text.
pub fn parse(q: &mut Interp, x: &Value) -> Result<Value> {
    let Some(text) = list::bytes(x) else { return type_error() };
    let source = Arc::new(Source { text: text.into(), file: None, line: 1 });
    Ok(crate::parse::expression(&source, q.globals.current)?.0)
}

/// `eval x`: the value of a tree.
pub fn eval(q: &mut Interp, x: &Value) -> Result<Value> {
    let source = Arc::new(Source { text: Box::default(), file: None, line: 1 });
    q.at_console(&source, |q| q.eval(x, None))
}

/// `reval x`: as [`eval`], and no global may change: `'noupdate`; nor is anything asked of the system: `'sys`.
pub fn reval(q: &mut Interp, x: &Value) -> Result<Value> {
    let frozen = std::mem::replace(&mut q.globals.frozen, true);
    let value = q.guard(|q| eval(q, x));
    q.globals.frozen = frozen;
    value
}

/// `x set y`: sets a global by name, or writes a file. The result is `x`.
pub fn set(q: &mut Interp, x: &Value, y: Value) -> Result<Value> {
    match x.as_sym() {
        Some(name) if name.text().starts_with(':') => splay::set(name, &y),
        Some(name) => q.set_global(name, y).map(|()| x.clone()),
        None => type_error(),
    }
}

/// `-n!x`, by n; those that q documents and scripts use.
pub fn internal(q: &mut Interp, n: i64, x: &Value) -> Result<Value> {
    match n {
        i64::MIN => {
            let shown = crate::show::one_line(x, &q.settings) + "\n";
            q.print(shown.as_bytes());
            Ok(x.clone())
        }
        -1 => files::hsym(x),
        -2 => super::prim::call(q, crate::Prim::Attr, vec![x.clone()]),
        -3 => {
            let text = crate::show::one_line(x, &q.settings.whole());
            Ok(Value::chars(&super::string::latin(&text)))
        }
        -5 => parse(q, x),
        -6 => eval(q, x),
        -7 => files::hcount(x),
        -8 => Ok(Value::vector(Kind::Byte, crate::serial::to_bytes(x)?)),
        -9 => match x {
            Value::Vec(v) if v.kind == Kind::Byte => {
                crate::serial::from_bytes(v.elems::<u8>().map(|b| &b[..]).unwrap_or_default())
            }
            _ => type_error(),
        },
        -10 => match x.as_long().and_then(|n| i8::try_from(n).ok()).and_then(Kind::from_code) {
            Some(k) => Ok(Value::atom(Kind::Char, k.letter() as u8)),
            None => type_error(),
        },
        -14 => match list::bytes(x) {
            Some(b) => Ok(Value::chars(
                &b.iter().flat_map(|&c| if c == b'"' { vec![c, c] } else { vec![c] }).collect::<Vec<_>>(),
            )),
            None => type_error(),
        },
        -15 => native::md5(x),
        -22 => Ok(Value::long(serial::HEADER as i64 + size(x)? as i64)),
        -27 => fixed(x),
        -29 => json::read(x),
        -31 => json::write_with(x, &q.settings),
        _ => Err(Error::new("nyi").detail(format!("{n}!"))),
    }
}

/// Bytes that a value takes when serialised, without the message's header. Data is measured, not serialised.
fn size(x: &Value) -> Result<usize> {
    let all = |xs: &[Value]| xs.iter().try_fold(6usize, |sum, x| Ok(sum.saturating_add(size(x)?)));
    Ok(match x {
        Value::Vec(v) if v.kind != Kind::Enum && v.kind != Kind::Sym => 6 + v.len() * v.kind.width(),
        Value::List(l) => all(l)?,
        Value::Dict(d) => size(&d.keys)?.saturating_add(size(&d.vals)?).saturating_add(1),
        Value::Table(t) => 3 + size(&Value::syms(t.names.iter().copied()))? + all(&t.cols)?,
        // Enumerations are sent as their symbols, and functions in parts.
        _ => serial::to_bytes(x)?.len() - serial::HEADER,
    })
}

/// `-27!(n;x)`: floats with `n` digits after the point, as text.
fn fixed(x: &Value) -> Result<Value> {
    let Value::List(l) = x else { return type_error() };
    let [n, x] = l.as_slice() else { return type_error() };
    let Some(n) = n.as_long().and_then(|n| usize::try_from(n).ok()).filter(|n| *n <= 300) else {
        return type_error();
    };
    let one = |x: f64| {
        let text = if x.is_nan() { "0n".to_string() } else { format!("{x:.n$}") };
        Value::chars(text.as_bytes())
    };
    match super::cast::to_kind(Kind::Float, x)? {
        Value::Atom(a) => match a.raw {
            Raw::F(x) => Ok(one(x)),
            _ => type_error(),
        },
        Value::Vec(v) => match v.elems::<f64>() {
            Some(b) => Ok(Value::list(b.iter().map(|&x| one(x)).collect())),
            None => type_error(),
        },
        _ => type_error(),
    }
}

/// A dictionary of text keys.
pub fn named(entries: Vec<(&str, Value)>) -> Value {
    let keys = Value::syms(entries.iter().map(|(n, _)| crate::Sym::new(n)));
    Value::Dict(Arc::new(Dict {
        keys,
        vals: item::collect(entries.into_iter().map(|(_, v)| v).collect()),
        step: false,
    }))
}
