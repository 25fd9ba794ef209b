//! Search by exact equality: find `?`, distinct, group and the numbering of equal items that they share.

use super::item::{self, gather};
use super::same::Key;
use crate::buf::Buf;
use crate::each_data;
use crate::error::{Result, type_error};
use crate::scalar::Item;
use crate::value::{Table, Value, Vector};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Items numbered by equality: `ids[i]` is the number of item `i`'s class, classes counted in the order of
/// their first item, which is `firsts[id]`.
pub struct Classes {
    /// The class of each item.
    pub ids: Vec<u32>,
    /// The position of each class's first item.
    pub firsts: Vec<i64>,
}

fn classes_of<K: Hash + Eq>(keys: impl Iterator<Item = K>) -> Classes {
    let mut seen: FxHashMap<K, u32> = FxHashMap::default();
    let mut out = Classes { ids: vec![], firsts: vec![] };
    for (i, key) in keys.enumerate() {
        let next = out.firsts.len() as u32;
        let id = *seen.entry(key).or_insert(next);
        if id == next {
            out.firsts.push(i as i64);
        }
        out.ids.push(id);
    }
    out
}

/// Numbers the items of a list or the rows of a table by equality.
pub fn classes(x: &Value) -> Classes {
    match x {
        Value::Vec(v) => each_data!(&v.data, buf => classes_of(buf.iter().map(|x| x.id()))),
        Value::List(l) => classes_of(l.iter().map(Key)),
        Value::Table(t) => rows(&t.cols),
        Value::Dict(d) => classes(&d.vals),
        Value::Atom(_) | Value::Fun(_) => Classes { ids: vec![0], firsts: vec![0] },
    }
}

/// Numbers the rows of columns of one count by equality, a column at a time.
pub fn rows(cols: &[Value]) -> Classes {
    let Some((first, rest)) = cols.split_first() else { return Classes { ids: vec![], firsts: vec![] } };
    rest.iter().fold(classes(first), |so_far, col| {
        let next = classes(col);
        classes_of(so_far.ids.iter().copied().zip(next.ids.iter().copied()))
    })
}

/// `distinct x`: first occurrences in order.
pub fn distinct(x: &Value) -> Result<Value> {
    match x {
        Value::Vec(_) | Value::List(_) | Value::Table(_) => Ok(gather(x, &classes(x).firsts)),
        Value::Dict(d) => distinct(&d.vals),
        _ => type_error(),
    }
}

/// The positions of each class, in order.
pub fn members(c: &Classes) -> Vec<Vec<i64>> {
    let mut sizes = vec![0usize; c.firsts.len()];
    c.ids.iter().for_each(|&id| sizes[id as usize] += 1);
    let mut out: Vec<Vec<i64>> = sizes.into_iter().map(Vec::with_capacity).collect();
    c.ids.iter().enumerate().for_each(|(i, &id)| out[id as usize].push(i as i64));
    out
}

/// `group x`: distinct items to the positions of each.
pub fn group(x: &Value) -> Result<Value> {
    match x {
        Value::Vec(_) | Value::List(_) | Value::Table(_) => {
            let c = classes(x);
            let vals = members(&c).into_iter().map(|m| Value::vector(crate::Kind::Long, m)).collect();
            Ok(Value::dict(gather(x, &c.firsts), Value::list(vals)))
        }
        Value::Dict(d) => {
            let c = classes(&d.vals);
            let vals = members(&c).iter().map(|m| gather(&d.keys, m)).collect();
            Ok(Value::dict(gather(&d.vals, &c.firsts), Value::list(vals)))
        }
        _ => type_error(),
    }
}

/// For each key of `ys` its position in `xs`, or the count of `xs`.
fn positions_of<K: Hash + Eq>(xs: impl ExactSizeIterator<Item = K>, ys: impl Iterator<Item = K>) -> Buf<i64> {
    let n = xs.len() as i64;
    let mut seen: FxHashMap<K, i64> = FxHashMap::default();
    for (i, key) in xs.enumerate() {
        seen.entry(key).or_insert(i as i64);
    }
    ys.map(|key| seen.get(&key).copied().unwrap_or(n)).collect()
}

/// The position of each item of the list `y` in the list `x`, or the count of `x`; both lists are of one
/// type, or one of them is general.
pub fn find_each(x: &Value, y: &Value) -> Result<Buf<i64>> {
    match (x, y) {
        (Value::Vec(a), Value::Vec(b)) => find_vector(a, b),
        (Value::Table(a), Value::Table(b)) => find_rows(a, b),
        (Value::List(a), Value::List(b)) => Ok(positions_of(a.iter().map(Key), b.iter().map(Key))),
        _ => {
            let (a, b) = (item::items(x), item::items(y));
            Ok(positions_of(a.iter().map(Key), b.iter().map(Key)))
        }
    }
}

fn find_vector(x: &Vector, y: &Vector) -> Result<Buf<i64>> {
    fn go<T: Item>(x: &[T], y: &[T]) -> Buf<i64> {
        if y.len() == 1 {
            let key = y[0].id();
            return Buf::filled(1, x.iter().position(|x| x.id() == key).unwrap_or(x.len()) as i64);
        }
        positions_of(x.iter().map(|x| x.id()), y.iter().map(|y| y.id()))
    }
    if x.kind != y.kind {
        let (x, y) = (super::prim::unenum_vector(x), super::prim::unenum_vector(y));
        if x.kind == y.kind {
            return find_vector(&x, &y);
        }
        return type_error();
    }
    if x.kind == crate::Kind::Enum && !item::same_domain(&x.domain, &y.domain) {
        return find_vector(&super::prim::unenum_vector(x), &super::prim::unenum_vector(y));
    }
    each_data!(&x.data, v => y.elems().map_or_else(type_error, |w| Ok(go(v, w))))
}

/// A column for comparing with another: an enumeration as its symbols, without an attribute.
pub fn plain(x: &Value) -> Value {
    match x {
        Value::Vec(v) if v.kind == crate::Kind::Enum => item::bare(Value::Vec(super::prim::unenum_vector(v))),
        _ => item::bare(x.clone()),
    }
}

/// The rows of `x`, of those in `among` if there are any named, that have the first item of `y` in this column; none
/// if the columns are not vectors of one kind.
fn rows_with(x: &Value, y: &Value, among: Option<Vec<usize>>) -> Option<Vec<usize>> {
    fn go<T: Item>(x: &[T], key: &T, among: Option<Vec<usize>>) -> Vec<usize> {
        let key = key.id();
        let is_key = |&i: &usize| x[i].id() == key;
        match among {
            Some(rows) => rows.into_iter().filter(is_key).collect(),
            None => (0..x.len()).filter(is_key).collect(),
        }
    }
    let (Value::Vec(x), Value::Vec(y)) = (x, y) else { return None };
    if x.kind != y.kind || x.kind == crate::Kind::Enum {
        return None;
    }
    each_data!(&x.data, v => Some(go(v, y.elems()?.first()?, among)))
}

/// The position of the only row of `y` in `x`, by a look at each: no table of classes is made for one row.
fn find_row(x: &Table, y: &Table) -> Option<i64> {
    let mut rows = None;
    for (name, a) in x.names.iter().zip(&x.cols) {
        rows = Some(rows_with(a, y.col(*name)?, rows)?);
    }
    Some(rows?.first().copied().unwrap_or(x.rows()) as i64)
}

/// The position of each row of `y` in `x`; columns are paired by name.
fn find_rows(x: &Table, y: &Table) -> Result<Buf<i64>> {
    let n = x.rows();
    if y.rows() == 1
        && let Some(at) = find_row(x, y)
    {
        return Ok(Buf::filled(1, at));
    }
    let both = x
        .names
        .iter()
        .zip(&x.cols)
        .map(|(name, a)| match y.col(*name) {
            Some(b) if a.count() > 0 && b.count() > 0 && unalike(a, b) => type_error(),
            Some(b) => Ok(super::join::join(plain(a), &plain(b))),
            None => Err(crate::Error::new("mismatch")),
        })
        .collect::<Result<Vec<Result<Value>>>>()?
        .into_iter()
        .collect::<Result<Vec<Value>>>()?;
    let c = rows(&both);
    Ok(c.ids[n..].iter().map(|&id| c.firsts[id as usize].min(n as i64)).collect())
}

/// Typed vectors (or atoms) of different kinds, which cannot hold equal items; symbols and enumerations can.
pub(super) fn unalike(x: &Value, y: &Value) -> bool {
    let code = |v: &Value| match v.type_code().unsigned_abs() {
        20 => 11,
        code => code,
    };
    let (a, b) = (code(x), code(y));
    a != b && a != 0 && b != 0 && a < 20 && b < 20
}

/// `x?y` on a list, dictionary or table `x`: positions (keys of a dictionary) of the items of `y`.
pub fn find(x: &Value, y: &Value) -> Result<Value> {
    match x {
        Value::Dict(d) => {
            let at = find(&d.vals, y)?;
            match at {
                Value::Atom(_) => {
                    let i = at.as_long().unwrap_or(i64::MIN);
                    Ok(item::item(&gather(&d.keys, &[i]), 0))
                }
                other => map_positions(&d.keys, &other),
            }
        }
        Value::Table(t) => match y {
            Value::Table(u) => Ok(Value::vector(crate::Kind::Long, find_rows(t, u)?)),
            Value::Dict(_) => {
                let Value::Table(u) = item::enlist(y.clone()) else { return type_error() };
                Ok(Value::long(find_rows(t, &u)?[0]))
            }
            Value::List(l) if l.len() == t.cols.len() => {
                let cols = l.iter().map(|v| if v.is_atom() { item::enlist(v.clone()) } else { v.clone() });
                let u = Table { names: t.names.clone(), cols: cols.collect() };
                let at = find_rows(t, &u)?;
                Ok(if l.iter().all(Value::is_atom) {
                    Value::long(at[0])
                } else {
                    Value::vector(crate::Kind::Long, at)
                })
            }
            Value::Vec(v) if v.len() == t.cols.len() => find(x, &Value::list(item::items(y))),
            Value::Atom(_) if t.cols.len() == 1 => find(&t.cols[0], y),
            _ => type_error(),
        },
        Value::Vec(_) => match y {
            Value::Atom(_) => Ok(Value::long(find_each(x, &item::enlist(y.clone()))?[0])),
            Value::Vec(_) => Ok(Value::vector(crate::Kind::Long, find_each(x, y)?)),
            Value::List(l) => Ok(item::collect(l.iter().map(|y| find(x, y)).collect::<Result<_>>()?)),
            Value::Dict(d) => Ok(Value::dict(d.keys.clone(), find(x, &d.vals)?)),
            _ => type_error(),
        },
        Value::List(l) => {
            // What is as deep as the first item, or less, is looked for as a whole.
            let want = l.first().map_or(0, depth);
            if want > 0 && y.is_atom() && !matches!(y, Value::Fun(_)) {
                return Ok(Value::long(l.len() as i64));
            }
            if matches!(y, Value::Dict(_)) || y.is_atom() || depth(y) <= want {
                let at = l.iter().position(|x| super::same::same(x, y)).unwrap_or(l.len());
                return Ok(Value::long(at as i64));
            }
            Ok(Value::vector(crate::Kind::Long, find_each(x, y)?))
        }
        _ => type_error(),
    }
}

/// How deep the first items nest: 0 for an atom, 1 for a vector.
fn depth(x: &Value) -> usize {
    match x {
        Value::Atom(_) | Value::Fun(_) | Value::Dict(_) => 0,
        Value::Vec(_) | Value::Table(_) => 1,
        Value::List(l) => 1 + l.first().map_or(0, depth),
    }
}

/// Indexes `x` by positions of any depth.
fn map_positions(x: &Value, at: &Value) -> Result<Value> {
    match at {
        Value::Vec(_) => Ok(gather(x, &item::positions(at).unwrap_or_default())),
        Value::List(l) => Ok(item::collect(l.iter().map(|a| map_positions(x, a)).collect::<Result<_>>()?)),
        _ => Ok(item::item(&gather(x, &[at.as_long().unwrap_or(i64::MIN)]), 0)),
    }
}

/// The items of `x` that a mask keeps.
pub fn keep(x: &Value, mask: impl Fn(usize) -> bool) -> Value {
    let at: Vec<i64> = (0..x.count()).filter(|&i| mask(i)).map(|i| i as i64).collect();
    gather(x, &at)
}
