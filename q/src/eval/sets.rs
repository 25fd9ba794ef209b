//! Lists as sets: in, union, inter, except, cross.

use super::find::{distinct, find_each, keep};
use super::item::{self, items};
use super::join::join;
use crate::buf::Buf;
use crate::error::{Result, type_error};
use crate::kind::Kind;
use crate::value::{Atom, Dict, Value};
use std::sync::Arc;

/// A list for an atom, itself for a list.
pub fn listed(x: &Value) -> Value {
    if x.is_atom() { item::enlist(x.clone()) } else { x.clone() }
}

/// `x in y`: exact. Types must agree, but against an atom or a one-item list numbers are compared as `=`
/// compares them.
pub fn member(x: &Value, y: &Value) -> Result<Value> {
    if let Value::Dict(d) = y {
        return member(x, &d.vals);
    }
    match x {
        Value::Dict(d) if !matches!(y, Value::Table(_)) => {
            return Ok(Value::Dict(Arc::new(Dict { vals: member(&d.vals, y)?, ..(**d).clone() })));
        }
        Value::List(l) if !matches!(y, Value::List(_)) => {
            return Ok(item::collect(l.iter().map(|x| member(x, y)).collect::<Result<_>>()?));
        }
        _ => {}
    }
    let set = listed(y);
    let relaxed = set.count() == 1
        && matches!(&set, Value::Vec(v) if !matches!(v.kind, Kind::Sym | Kind::Guid | Kind::Enum));
    if relaxed && x.type_code().unsigned_abs() != set.type_code() as u8 && x.type_code() != 0 {
        return super::map::pairs(crate::Prim::In, x, &item::item(&set, 0));
    }
    // Of sets of another type q takes those of ints and longs only, and searches in the set's type.
    let x = match (x.type_code().abs(), &set) {
        (6, Value::Vec(v)) if v.kind == Kind::Long => &super::cast::to_kind(v.kind, x)?,
        (7, Value::Vec(v)) if v.kind == Kind::Int => &super::cast::to_kind(v.kind, x)?,
        _ => x,
    };
    if set.count() == 0 && x.count() > 0 && super::find::unalike(&set, x) {
        return type_error();
    }
    let at = super::find::find(&set, x)?;
    let n = set.count() as i64;
    match &at {
        Value::Atom(_) => Ok(Value::bool(at.as_long() != Some(n))),
        Value::Vec(v) => {
            let found = v.elems::<i64>().map(|v| v.iter().map(|&i| (i < n) as u8).collect::<Buf<u8>>());
            Ok(Value::vector(Kind::Bool, found.unwrap_or_default()))
        }
        Value::List(l) => Ok(item::collect(l.iter().map(|a| below(a, n)).collect())),
        _ => type_error(),
    }
}

fn below(at: &Value, n: i64) -> Value {
    match at {
        Value::Atom(Atom { .. }) => Value::bool(at.as_long() != Some(n)),
        _ => item::collect(items(at).iter().map(|a| below(a, n)).collect()),
    }
}

/// For each item of the list `x`, whether it is in the list `y`.
fn flags(x: &Value, y: &Value) -> Result<Vec<bool>> {
    if y.count() == 0 || x.count() == 0 {
        return Ok(vec![false; x.count()]);
    }
    let unlike = matches!((x, y), (Value::Vec(x), Value::Vec(y)) if x.kind != y.kind && x.kind != Kind::Enum && y.kind != Kind::Enum);
    if unlike {
        return Ok(vec![false; x.count()]);
    }
    let n = y.count() as i64;
    Ok(find_each(y, x)?.iter().map(|&i| i < n).collect())
}

/// `x union y`.
pub fn union(x: &Value, y: &Value) -> Result<Value> {
    if let (Value::Dict(_), Value::Dict(_)) = (x, y) {
        return super::dict::upsert(x.clone(), y);
    }
    distinct(&join(listed(x), &listed(y))?)
}

/// `x inter y`: the items of `x` that are in `y`; of dictionaries, the common values by `x`'s.
pub fn inter(x: &Value, y: &Value) -> Result<Value> {
    let (x, y) = (plain(x), plain(y));
    let flags = flags(&x, &y)?;
    Ok(keep(&x, |i| flags[i]))
}

/// `x except y`: the items of `x` that are not in `y`.
pub fn except(x: &Value, y: &Value) -> Result<Value> {
    // A string is one item of a list of strings, and so on.
    let nested =
        matches!(x, Value::List(l) if l.first().is_some_and(|i| !i.is_atom())) && matches!(y, Value::Vec(_));
    let (x, y) = (plain(x), if nested { item::enlist(y.clone()) } else { plain(y) });
    let flags = flags(&x, &y)?;
    Ok(keep(&x, |i| !flags[i]))
}

/// A dictionary's values; a dictionary as a table's row; a list.
fn plain(x: &Value) -> Value {
    match x {
        Value::Dict(d) if matches!(d.vals, Value::Table(_)) => x.clone(),
        Value::Dict(d) => d.vals.clone(),
        _ => listed(x),
    }
}

/// `x cross y`: all pairs, joined; of tables, all pairs of rows.
pub fn cross(x: &Value, y: &Value) -> Result<Value> {
    let (n, m) = (if x.is_atom() { 1 } else { x.count() }, if y.is_atom() { 1 } else { y.count() });
    crate::memory::room_for(n.saturating_mul(m))?;
    let left: Vec<i64> = (0..n * m).map(|k| (k / m) as i64).collect();
    let right: Vec<i64> = (0..n * m).map(|k| (k % m) as i64).collect();
    match (x, y) {
        (Value::Table(a), Value::Table(b)) => {
            let cols = a.cols.iter().map(|c| item::gather_col(c, &left));
            let more = b.cols.iter().map(|c| item::gather_col(c, &right));
            let names = a.names.iter().chain(&b.names).copied().collect();
            Ok(Value::table(names, cols.chain(more).collect()))
        }
        (Value::Dict(a), Value::Dict(b)) if !matches!(a.keys, Value::Table(_)) => {
            Ok(Value::dict(cross(&a.keys, &b.keys)?, cross(&a.vals, &b.vals)?))
        }
        (Value::Dict(_), _) | (_, Value::Dict(_)) => type_error(),
        _ => {
            let (x, y) = (listed(x), listed(y));
            let pair = |k: usize| {
                join(listed(&item::item(&x, left[k] as usize)), &item::item(&y, right[k] as usize))
            };
            Ok(Value::list((0..n * m).map(pair).collect::<Result<_>>()?))
        }
    }
}
