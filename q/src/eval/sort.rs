//! Order: grades, sorts, ranks, binary search. All sorts are stable, nulls first going up.

use super::item::{self, gather};
use super::same;
use crate::each_data;
use crate::error::{Error, Result, type_error};
use crate::kind::Kind;
use crate::scalar::Item;
use crate::sym::Sym;
use crate::value::{Atom, Attr, Data, Dict, Value, Vector};
use std::cmp::Ordering;
use std::sync::Arc;

/// The positions that sort `x` (a list, a table's rows, a dictionary's values), up or down.
pub fn grade(x: &Value, down: bool) -> Result<Vec<i64>> {
    match x {
        Value::Vec(v) => Ok(grade_vector(v, down)),
        Value::List(l) => Ok(grade_by(l.len(), down, |i, j| same::order(&l[i], &l[j]))),
        Value::Table(t) => Ok(grade_cols(&t.cols, down)),
        Value::Dict(d) => grade(&d.vals, down),
        _ => crate::error::rank_error(),
    }
}

/// The positions that sort rows by the columns, the first column major.
pub fn grade_cols(cols: &[Value], down: bool) -> Vec<i64> {
    let n = cols.first().map_or(0, Value::count);
    let mut at: Vec<i64> = (0..n as i64).collect();
    for col in cols.iter().rev() {
        let next = grade(&gather(col, &at), down).unwrap_or_default();
        at = next.iter().map(|&i| at[i as usize]).collect();
    }
    at
}

fn grade_by(n: usize, down: bool, order: impl Fn(usize, usize) -> Ordering) -> Vec<i64> {
    let mut at: Vec<i64> = (0..n as i64).collect();
    at.sort_by(|&i, &j| {
        let o = order(i as usize, j as usize);
        if down { o.reverse() } else { o }
    });
    at
}

fn grade_vector(v: &Vector, down: bool) -> Vec<i64> {
    match &v.data {
        Data::B(b) => grade_keys(b.iter().map(|&x| x as u64), down),
        Data::H(b) => grade_keys(b.iter().map(|&x| (x as i64 ^ i64::MIN) as u64), down),
        Data::I(b) => grade_keys(b.iter().map(|&x| (x as i64 ^ i64::MIN) as u64), down),
        Data::J(b) if v.kind == Kind::Enum => enum_grade(v, b, down),
        Data::J(b) => grade_keys(b.iter().map(|&x| (x ^ i64::MIN) as u64), down),
        Data::E(b) => grade_keys(b.iter().map(|&x| float_key(x as f64)), down),
        Data::F(b) => grade_keys(b.iter().map(|&x| float_key(x)), down),
        Data::G(b) => grade_by(b.len(), down, |i, j| b[i].cmp(&b[j])),
        Data::S(b) => {
            let ranks = sym_ranks(b);
            grade_keys(ranks.into_iter(), down)
        }
    }
}

/// An enumeration sorts by its symbols.
fn enum_grade(v: &Vector, b: &[i64], down: bool) -> Vec<i64> {
    let Some(domain) = &v.domain else { return grade_keys(b.iter().map(|&x| x as u64), down) };
    if domain.keys.is_some() {
        return grade_vector(&super::prim::unenum_vector(v), down);
    }
    let ranks = sym_ranks(&domain.syms);
    grade_keys(b.iter().map(|&x| ranks.get(x as usize).map_or(0, |r| r + 1)), down)
}

/// A float as an integer of the same order: null first, the two zeros equal.
fn float_key(x: f64) -> u64 {
    if x.is_nan() {
        return 0;
    }
    let bits = (x + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// For each symbol its rank by text among those present.
fn sym_ranks(syms: &[Sym]) -> Vec<u64> {
    let mut all: Vec<Sym> = syms.to_vec();
    all.sort_unstable_by_key(|s| s.id());
    all.dedup();
    let mut named: Vec<(&str, Sym)> = all.into_iter().map(|s| (s.text(), s)).collect();
    named.sort_unstable_by_key(|(text, _)| *text);
    let rank: rustc_hash::FxHashMap<Sym, u64> =
        named.iter().enumerate().map(|(i, (_, s))| (*s, i as u64)).collect();
    syms.iter().map(|s| rank[s]).collect()
}

/// Sorts (key, position) pairs, which makes any sort stable.
fn grade_keys(keys: impl Iterator<Item = u64>, down: bool) -> Vec<i64> {
    let mut pairs: Vec<(u64, u32)> =
        keys.enumerate().map(|(i, k)| (if down { !k } else { k }, i as u32)).collect();
    if !pairs.is_sorted_by_key(|p| p.0) {
        pairs.sort_unstable();
    }
    pairs.into_iter().map(|(_, i)| i as i64).collect()
}

/// `asc` and `desc`. `asc` marks its result sorted; of a table, by its first column.
pub fn sort(x: &Value, down: bool) -> Result<Value> {
    let at = grade(x, down)?;
    match x {
        Value::Table(t) => {
            let mut cols: Vec<Value> = t.cols.iter().map(|c| item::gather_col(c, &at)).collect();
            if !down && let Some(Value::Vec(v)) = cols.first_mut() {
                v.attr = if t.names.len() == 1 { Attr::Sorted } else { Attr::Parted };
            }
            Ok(Value::table(t.names.clone(), cols))
        }
        Value::Dict(d) => {
            let vals = gather(&d.vals, &at);
            let vals =
                if down || matches!(vals, Value::Table(_)) { vals } else { with_attr(vals, Attr::Sorted) };
            Ok(Value::dict(gather(&d.keys, &at), vals))
        }
        _ => {
            let sorted = gather(x, &at);
            Ok(if down { sorted } else { with_attr(sorted, Attr::Sorted) })
        }
    }
}

/// `x` with the attribute, if it is a vector.
pub fn with_attr(mut x: Value, attr: Attr) -> Value {
    if let Value::Vec(v) = &mut x {
        v.attr = attr;
    }
    x
}

/// `iasc` and `idesc`: of a dictionary, its keys in the order of its values.
pub fn grade_value(x: &Value, down: bool) -> Result<Value> {
    let at = grade(x, down)?;
    match x {
        Value::Dict(d) => Ok(gather(&d.keys, &at)),
        _ => Ok(Value::vector(Kind::Long, at)),
    }
}

/// `rank x`: where each item goes in the sorted list.
pub fn rank(x: &Value) -> Result<Value> {
    if let Value::Dict(d) = x {
        return Ok(Value::dict(d.keys.clone(), rank(&d.vals)?));
    }
    Ok(Value::vector(Kind::Long, inverse(&grade(x, false)?)))
}

fn inverse(at: &[i64]) -> Vec<i64> {
    let mut out = vec![0; at.len()];
    at.iter().enumerate().for_each(|(r, &i)| out[i as usize] = r as i64);
    out
}

/// `n xrank x`: ranks in `n` buckets of nearly equal count.
pub fn xrank(n: &Value, x: &Value) -> Result<Value> {
    let Some(n) = n.as_long() else { return type_error() };
    let at = inverse(&grade(x, false)?);
    let count = (at.len() as i64).max(1);
    let bucket = |r: i64| if n == i64::MIN { n } else { (n as i128 * r as i128 / count as i128) as i64 };
    Ok(Value::longs(at.into_iter().map(bucket)))
}

/// `x bin y` (last position whose item is not above `y`, or -1) and `x binr y` (first whose item is not
/// below). Exact; types must agree. On tables, `bin` over the last column within equal other columns.
pub fn bin(x: &Value, y: &Value, right: bool) -> Result<Value> {
    let at = |n: usize, before: &dyn Fn(usize) -> bool| -> i64 {
        let (mut lo, mut hi) = (0, n);
        while lo < hi {
            let mid = lo + (hi - lo) / 2;
            if before(mid) { lo = mid + 1 } else { hi = mid }
        }
        if right { lo as i64 } else { lo as i64 - 1 }
    };
    match (x, y) {
        (Value::Dict(d), _) => {
            let found = bin(&d.vals, y, right)?;
            super::index::index1(&d.keys, &found)
        }
        (Value::Vec(v), Value::Vec(w)) if comparable(v.kind, w.kind) => {
            let (v, w) = (plain(v), plain(w));
            fn go<T: Item>(v: &[T], w: &[T], right: bool) -> Vec<i64> {
                let find = |y: &T| {
                    if right {
                        v.partition_point(|x| x.order(*y).is_lt()) as i64
                    } else {
                        v.partition_point(|x| x.order(*y).is_le()) as i64 - 1
                    }
                };
                w.iter().map(find).collect()
            }
            let found = match (&v.data, &w.data) {
                (Data::B(v), Data::B(w)) => go(v, w, right),
                (Data::G(v), Data::G(w)) => go(v, w, right),
                (Data::H(v), Data::H(w)) => go(v, w, right),
                (Data::I(v), Data::I(w)) => go(v, w, right),
                (Data::J(v), Data::J(w)) => go(v, w, right),
                (Data::E(v), Data::E(w)) => go(v, w, right),
                (Data::F(v), Data::F(w)) => go(v, w, right),
                (Data::S(v), Data::S(w)) => go(v, w, right),
                _ => return type_error(),
            };
            Ok(Value::vector(Kind::Long, found))
        }
        (Value::Vec(_), Value::Atom(_)) => Ok(item::item(&bin(x, &item::enlist(y.clone()), right)?, 0)),
        (Value::Vec(_), Value::List(l)) => {
            Ok(item::collect(l.iter().map(|y| bin(x, y, right)).collect::<Result<_>>()?))
        }
        (Value::Table(t), Value::Table(u)) => {
            let cols: Vec<Value> = t
                .names
                .iter()
                .map(|n| u.col(*n).cloned().ok_or(Error::new("mismatch")))
                .collect::<Result<_>>()?;
            let rows = (0..u.rows()).map(|j| bin_row(&t.cols, &cols, j, right));
            Ok(Value::longs(rows))
        }
        (Value::Table(_), Value::Dict(_)) => Ok(item::item(&bin(x, &item::enlist(y.clone()), right)?, 0)),
        (Value::List(l), _) => {
            let before = |i: usize| {
                let o = same::order(&l[i], y);
                if right { o.is_lt() } else { o.is_le() }
            };
            if !y.is_atom() && l.first().is_none_or(Value::is_atom) {
                return Ok(item::collect(
                    item::items(y).iter().map(|y| bin(x, y, right)).collect::<Result<_>>()?,
                ));
            }
            Ok(Value::long(at(l.len(), &before)))
        }
        _ => type_error(),
    }
}

/// Row `j` of `y` in `x`: among the rows equal in all but the last column, the last (first) by that column;
/// null if there is none.
fn bin_row(x: &[Value], y: &[Value], j: usize, right: bool) -> i64 {
    let Some((last, keys)) = x.split_last() else { return i64::MIN };
    let n = last.count();
    let target = item::item(&y[keys.len()], j);
    let equal = |i: usize| keys.iter().zip(y).all(|(a, b)| same::same(&item::item(a, i), &item::item(b, j)));
    let mut rows = (0..n).filter(|&i| equal(i));
    let found = if right {
        rows.find(|&i| same::order(&item::item(last, i), &target).is_ge())
    } else {
        rows.rfind(|&i| same::order(&item::item(last, i), &target).is_le())
    };
    found.map_or(i64::MIN, |i| i as i64)
}

fn comparable(x: Kind, y: Kind) -> bool {
    x == y || matches!((x, y), (Kind::Enum, Kind::Sym) | (Kind::Sym, Kind::Enum))
}

fn plain(v: &Vector) -> Vector {
    super::prim::unenum_vector(v)
}

/// `attr#x`: sets an attribute, or signals that the items do not have the property.
pub fn set_attr(name: Sym, x: &Value) -> Result<Value> {
    let attr = match name.text() {
        "" => Attr::None,
        "s" => Attr::Sorted,
        "u" => Attr::Unique,
        "p" => Attr::Parted,
        "g" => Attr::Grouped,
        _ => return type_error(),
    };
    match x {
        Value::Vec(v) => {
            check_attr(attr, v)?;
            Ok(with_attr(x.clone(), attr))
        }
        Value::List(l) if l.is_empty() || attr == Attr::None => Ok(x.clone()),
        Value::List(l) if attr == Attr::Sorted => {
            let sorted = l.windows(2).all(|w| same::order(&w[0], &w[1]).is_le());
            if sorted { Ok(x.clone()) } else { Err(Error::new("s-fail")) }
        }
        Value::Dict(d) => {
            let keys = match (&d.keys, attr) {
                (Value::Table(_), Attr::Sorted) => {
                    let at = grade(&d.keys, false)?;
                    if !at.is_sorted() {
                        return Err(Error::new("s-fail"));
                    }
                    set_attr(name, &d.keys)?
                }
                _ => set_attr(name, &d.keys)?,
            };
            Ok(Value::Dict(Arc::new(Dict { keys, vals: d.vals.clone(), step: attr == Attr::Sorted })))
        }
        Value::Table(t) => {
            let mut cols = t.cols.clone();
            if t.names.len() == 1 || attr != Attr::Sorted {
                cols[0] = set_attr(name, &cols[0])?;
            } else if grade(x, false)?.is_sorted() {
                cols[0] = with_attr(cols[0].clone(), Attr::Parted);
            } else {
                return Err(Error::new("s-fail"));
            }
            Ok(Value::table(t.names.clone(), cols))
        }
        Value::Atom(Atom { .. }) | Value::Fun(_) => type_error(),
        Value::List(_) => type_error(),
    }
}

/// Signals if `v` does not have the property that `attr` promises.
pub fn check_attr(attr: Attr, v: &Vector) -> Result<()> {
    let c = || super::find::classes(&Value::Vec(v.clone()));
    match attr {
        Attr::None | Attr::Grouped => Ok(()),
        Attr::Sorted if is_sorted(v) => Ok(()),
        Attr::Sorted => Err(Error::new("s-fail")),
        Attr::Unique if c().firsts.len() == v.len() => Ok(()),
        Attr::Unique => Err(Error::new("u-fail")),
        Attr::Parted => {
            let c = c();
            let runs = 1 + c.ids.windows(2).filter(|w| w[0] != w[1]).count();
            if v.is_empty() || runs == c.firsts.len() { Ok(()) } else { Err(Error::new("u-fail")) }
        }
    }
}

/// True if no item is below the one before it.
pub fn is_sorted(v: &Vector) -> bool {
    let v = plain(v);
    each_data!(&v.data, b => b.windows(2).all(|w| w[0].order(w[1]).is_le()))
}
