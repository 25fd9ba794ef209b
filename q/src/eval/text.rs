//! `like` over what texts and symbols a value holds, and `ss`.

use super::item::{collect, items};
use super::list;
use crate::error::{Result, type_error};
use crate::kind::Kind;
use crate::scalar::like::Pattern;
use crate::value::{Dict, Value};
use std::sync::Arc;

/// `x like y`: whether text (or each text, symbols too) fits the pattern.
pub fn like(x: &Value, y: &Value) -> Result<Value> {
    let Some(pattern) = list::bytes(y).filter(|_| !matches!(y, Value::List(_))) else { return type_error() };
    let pattern = Pattern::like(&pattern)?;
    // Texts and symbols, or a list of them, but no deeper.
    let flat = |x: &Value| x.is_atom() || matches!(x, Value::Vec(v) if v.kind == Kind::Char);
    match x {
        Value::List(l) if !l.iter().all(flat) => type_error(),
        _ => match_in(x, &pattern),
    }
}

fn match_in(x: &Value, pattern: &Pattern) -> Result<Value> {
    match x {
        Value::Atom(a) => {
            let plain = super::value::unenum(x);
            match plain.as_sym() {
                Some(s) => Ok(Value::bool(pattern.fits(&s.bytes()))),
                None if a.kind == Kind::Char => {
                    Ok(Value::bool(pattern.fits(&list::bytes(x).unwrap_or_default())))
                }
                None => type_error(),
            }
        }
        Value::Vec(v) => match v.kind {
            Kind::Char => Ok(Value::bool(pattern.fits(x.as_chars().unwrap_or_default()))),
            Kind::Sym | Kind::Enum => {
                // Each distinct symbol once.
                let v = super::prim::unenum_vector(v);
                let c = super::find::classes(&Value::Vec(v.clone()));
                let syms = v.elems::<crate::Sym>().cloned().unwrap_or_default();
                let each: Vec<bool> =
                    c.firsts.iter().map(|&i| pattern.fits(&syms[i as usize].bytes())).collect();
                Ok(list::flags(c.ids.iter().map(|&id| each[id as usize])))
            }
            _ => type_error(),
        },
        Value::List(l) if l.is_empty() => Ok(list::flags([])),
        Value::List(l) => Ok(collect(l.iter().map(|x| match_in(x, pattern)).collect::<Result<_>>()?)),
        Value::Dict(d) => {
            Ok(Value::Dict(Arc::new(Dict { vals: match_in(&d.vals, pattern)?, ..(**d).clone() })))
        }
        _ => type_error(),
    }
}

/// `x ss y`: positions of the pattern in the text.
pub fn ss(x: &Value, y: &Value) -> Result<Value> {
    match (x, list::bytes(y)) {
        (Value::List(l), Some(_)) if !l.is_empty() => {
            Ok(collect(items(x).iter().map(|x| ss(x, y)).collect::<Result<_>>()?))
        }
        (_, Some(pattern)) => match list::bytes(x) {
            Some(text) => Ok(Value::longs(
                Pattern::ss(&pattern)?.search(&text).into_iter().map(|(from, _)| from as i64),
            )),
            None => type_error(),
        },
        _ => type_error(),
    }
}
