//! Text: string, case, trim, replace.

use super::item::{self, collect, items};
use super::{Interp, list};
use crate::error::{Result, type_error};
use crate::kind::Kind;
use crate::scalar::like::Pattern;
use crate::show::Settings;
use crate::value::{Dict, Raw, Table, Value};
use std::sync::Arc;

/// Applies `f` to every string (or char, or symbol) inside `x`, at any depth.
fn deep(x: &Value, f: &dyn Fn(&Value) -> Result<Value>) -> Result<Value> {
    match x {
        Value::List(l) => Ok(Value::list(l.iter().map(|x| deep(x, f)).collect::<Result<_>>()?)),
        Value::Dict(d) => Ok(Value::Dict(Arc::new(Dict { vals: deep(&d.vals, f)?, ..(**d).clone() }))),
        Value::Table(t) => {
            let cols = t.cols.iter().map(|c| deep(c, f)).collect::<Result<_>>()?;
            Ok(Value::Table(Arc::new(Table { names: t.names.clone(), cols })))
        }
        _ => f(x),
    }
}

/// `string x`: each atom as text.
pub fn string(x: &Value, s: &Settings) -> Result<Value> {
    deep(x, &|x| match x {
        Value::Atom(a) if a.kind == Kind::Char => Ok(item::enlist(x.clone())),
        Value::Atom(a) if matches!(a.kind, Kind::Sym | Kind::Enum) => {
            let plain = super::value::unenum(x);
            Ok(Value::chars(&plain.as_sym().unwrap_or_default().bytes()))
        }
        Value::Atom(a) => Ok(Value::chars(&latin(&crate::show::string(a, s)))),
        Value::Fun(_) => Ok(Value::chars(&latin(&crate::show::one_line(x, &s.whole())))),
        Value::Vec(_) => {
            let one = |x: &Value| string(x, s);
            Ok(Value::list(items(x).iter().map(one).collect::<Result<_>>()?))
        }
        _ => type_error(),
    })
}

/// A text of Latin-1 characters as bytes.
pub fn latin(text: &str) -> Vec<u8> {
    text.chars().map(|c| c as u8).collect()
}

/// `upper` and `lower` of strings and symbols.
pub fn recase(x: &Value, up: bool) -> Result<Value> {
    let byte = |b: u8| if up { b.to_ascii_uppercase() } else { b.to_ascii_lowercase() };
    deep(x, &|x| match x {
        Value::Atom(a) => match a.raw {
            Raw::B(b) if a.kind == Kind::Char => Ok(Value::atom(Kind::Char, byte(b))),
            Raw::S(s) => {
                Ok(Value::sym(crate::Sym::from_bytes(&s.bytes().into_iter().map(byte).collect::<Vec<_>>())))
            }
            _ => type_error(),
        },
        Value::Vec(v) => match v.kind {
            Kind::Char => Ok(Value::chars(
                &list::bytes(x).unwrap_or_default().into_iter().map(byte).collect::<Vec<_>>(),
            )),
            Kind::Sym => Ok(collect(items(x).iter().map(|s| recase(s, up)).collect::<Result<_>>()?)),
            _ => type_error(),
        },
        _ => type_error(),
    })
}

/// `trim`, `ltrim`, `rtrim`: blanks (and nulls of other vectors) off the ends.
pub fn trim(x: &Value, left: bool, right: bool) -> Result<Value> {
    deep(x, &|x| match x {
        Value::Vec(v) => {
            let blank = |i: &usize| super::elem::is_null(v.kind, v.data.raw(*i));
            let from = if left { (0..v.len()).take_while(blank).count() } else { 0 };
            let to = if right { v.len() - (from..v.len()).rev().take_while(blank).count() } else { v.len() };
            Ok(item::slice(x, from, to))
        }
        Value::Atom(_) => Ok(x.clone()),
        _ => type_error(),
    })
}

/// `ssr[text;pattern;replacement]`: the replacement is text, or a function of what matched.
pub fn ssr(q: &mut Interp, x: &Value, pattern: &Value, with: &Value) -> Result<Value> {
    if let Value::List(l) = x
        && !l.is_empty()
    {
        return Ok(Value::list(l.iter().map(|x| ssr(q, x, pattern, with)).collect::<Result<_>>()?));
    }
    let (false, Some(hay), Some(pat)) = (x.is_atom(), list::bytes(x), list::bytes(pattern)) else {
        return type_error();
    };
    let mut out = vec![];
    let mut at = 0;
    for (from, to) in Pattern::ss(&pat)?.search(&hay) {
        out.extend_from_slice(&hay[at..from]);
        let new = match with {
            Value::Fun(_) => q.apply(with, vec![Value::chars(&hay[from..to])])?,
            _ => with.clone(),
        };
        let Some(new) = list::bytes(&new) else { return type_error() };
        out.extend_from_slice(&new);
        at = to;
    }
    out.extend_from_slice(&hay[at..]);
    Ok(Value::chars(&out))
}
