//! Parts of lists: take, drop, cut, reverse, rotate, sublist, first and last.

use super::item::{self, gather, slice};
use super::{dict, find, sets, sort};
use crate::error::{Result, domain_error, length_error, type_error};
use crate::kind::Kind;
use crate::memory;
use crate::value::{Atom, Attr, Dict, Value};
use std::sync::Arc;

/// `x#y`: the first (last, if negative) `x` items, cyclic past the end; a reshape for a list of counts; the
/// columns or entries named by symbols; an attribute for a symbol.
pub fn take(x: &Value, y: &Value) -> Result<Value> {
    match x {
        Value::Atom(a) if a.kind == Kind::Sym => sort::set_attr(x.as_sym().unwrap_or_default(), y),
        Value::Atom(_) => match x.as_long() {
            Some(n) => take_n(n, y),
            None => type_error(),
        },
        Value::Vec(v) if v.kind == Kind::Long || v.kind == Kind::Int || v.kind == Kind::Short => match y {
            Value::Dict(_) => take_keys(x, y),
            _ => reshape(&item::positions(x).unwrap_or_default(), y),
        },
        Value::List(l) if l.is_empty() => match y {
            Value::Dict(_) | Value::Table(_) => take_keys(x, y),
            _ => Ok(slice(&sets::listed(y), 0, 0)),
        },
        _ => take_keys(x, y),
    }
}

fn take_keys(x: &Value, y: &Value) -> Result<Value> {
    match y {
        Value::Table(t) => {
            let Some(names) = dict::sym_keys(x) else { return type_error() };
            let col = |n: &crate::Sym| t.col(*n).cloned().ok_or(crate::Error::new(n.text()));
            let cols = names.iter().map(col).collect::<Result<Vec<_>>>()?;
            if cols.is_empty() { type_error() } else { Ok(Value::table(names.to_vec(), cols)) }
        }
        Value::Dict(d) => {
            if let (Value::Table(_), Value::Table(_)) = (x, &d.keys) {
                let at = find::find_each(&d.keys, x)?;
                let n = d.keys.count() as i64;
                let at: Vec<i64> = at.iter().copied().filter(|&i| i < n).collect();
                return Ok(Value::dict(gather(&d.keys, &at), gather(&d.vals, &at)));
            }
            Ok(Value::dict(x.clone(), super::index::index1(y, x)?))
        }
        _ => type_error(),
    }
}

fn take_n(n: i64, y: &Value) -> Result<Value> {
    if n == i64::MIN {
        return domain_error();
    }
    let want = usize::try_from(n.unsigned_abs()).unwrap_or(usize::MAX);
    if let Value::Atom(a) = y {
        memory::room_for(want)?;
        let mut v = super::elem::filled(a.kind, a.raw, want);
        v.domain = a.domain.clone();
        return Ok(Value::Vec(v));
    }
    if let Value::Fun(_) = y {
        let mut all = memory::values(want)?;
        all.resize(want, y.clone());
        return Ok(Value::list(all));
    }
    let have = y.count();
    if let Value::Dict(_) = y {
        let want = want.min(have);
        return Ok(if n >= 0 { slice(y, 0, want) } else { slice(y, have - want, have) });
    }
    if want <= have {
        return Ok(if n >= 0 { range(y, 0, want) } else { range(y, have - want, have) });
    }
    memory::room_for(want)?;
    if have == 0 {
        return Ok(match y {
            Value::List(_) => Value::list(vec![Value::list(vec![]); want]),
            _ => gather(y, &vec![-1; want]),
        });
    }
    let start = if n >= 0 { 0 } else { (have - want % have) % have };
    let at: Vec<i64> = (0..want).map(|i| ((start + i) % have) as i64).collect();
    Ok(gather(y, &at))
}

/// Items `from..to`. A part of a sorted vector is sorted, and so are the columns of a table.
pub fn range(x: &Value, from: usize, to: usize) -> Value {
    let part = slice(x, from, to);
    match (x, part) {
        (Value::Vec(v), part) if matches!(v.attr, Attr::Sorted | Attr::Unique) => {
            sort::with_attr(part, v.attr)
        }
        (Value::Table(t), Value::Table(_)) => {
            Value::table(t.names.clone(), t.cols.iter().map(|c| range(c, from, to)).collect())
        }
        (Value::Dict(d), Value::Dict(_)) if matches!(d.vals, Value::Table(_)) => {
            Value::dict(range(&d.keys, from, to), range(&d.vals, from, to))
        }
        (_, part) => part,
    }
}

/// `2 3#y`, with one null length for "as many as there are".
fn reshape(shape: &[i64], y: &Value) -> Result<Value> {
    let y = sets::listed(y);
    let Some(at) = shape.iter().position(|&n| n == i64::MIN) else {
        let inner_zero = shape.len() > 2 && shape[1..shape.len() - 1].contains(&0);
        if shape.iter().any(|&n| n < 0) || inner_zero {
            return domain_error();
        }
        let total = shape.iter().try_fold(1usize, |t, &n| t.checked_mul(n as usize));
        memory::room_for(total.unwrap_or(usize::MAX))?;
        let flat = take_n(total.unwrap_or(0) as i64, &y)?;
        return Ok(nest(shape, &flat));
    };
    match (shape.len(), at) {
        (2, 0) => {
            let n = shape[1];
            if n <= 0 { domain_error() } else { cut_every(n, &y) }
        }
        (2, 1) if shape[0] > 0 => {
            let (n, count) = (shape[0] as usize, y.count());
            memory::room_for(n)?;
            let starts: Vec<i64> = (0..n).map(|i| (i * count / n) as i64).collect();
            cut_at(&starts, &y)
        }
        _ => domain_error(),
    }
}

fn nest(shape: &[i64], flat: &Value) -> Value {
    let [n, rest @ ..] = shape else { return flat.clone() };
    if rest.is_empty() {
        return flat.clone();
    }
    let n = *n as usize;
    let size = flat.count().checked_div(n).unwrap_or(0);
    Value::list((0..n).map(|i| nest(rest, &slice(flat, i * size, (i + 1) * size))).collect())
}

/// `x _ y`: all but the first (last) `x` items; pieces for a list of starts; without a position or entries.
pub fn drop(x: &Value, y: &Value) -> Result<Value> {
    match (x, y) {
        // Counts and starts.
        (Value::Atom(_), Value::Vec(_) | Value::List(_) | Value::Table(_)) if x.as_long().is_some() => {
            Ok(drop_n(x.as_long().unwrap_or(0), y))
        }
        (Value::Atom(_), Value::Dict(_)) if x.as_long().is_some() => Ok(drop_n(x.as_long().unwrap_or(0), y)),
        (Value::Vec(v), Value::Vec(_) | Value::List(_) | Value::Table(_))
            if matches!(v.kind, Kind::Long | Kind::Int | Kind::Short) =>
        {
            cut_at(&item::positions(x).unwrap_or_default(), y)
        }
        // Names of columns.
        (Value::Vec(_), Value::Table(t)) if dict::sym_keys(x).is_some() => {
            let names = dict::sym_keys(x).unwrap_or_default();
            let keep = (0..t.names.len()).filter(|&i| !names.contains(&t.names[i]));
            let (n, c): (Vec<_>, Vec<_>) = keep.map(|i| (t.names[i], t.cols[i].clone())).unzip();
            if n.is_empty() { type_error() } else { Ok(Value::table(n, c)) }
        }
        // Keys of a dictionary, on either side.
        (Value::Dict(d), Value::Atom(_)) if d.keys_table().is_none() => {
            drop_keys(x, &item::enlist(y.clone()))
        }
        (Value::Dict(d), Value::Dict(_) | Value::Table(_)) if d.keys_table().is_some() => drop_keys(x, y),
        (_, Value::Dict(_)) => drop_keys(y, &sets::listed(x)),
        // A position.
        (Value::Vec(_) | Value::List(_) | Value::Table(_), Value::Atom(_)) => match y.as_long() {
            Some(i) => {
                let n = x.count() as i64;
                let at: Vec<i64> = (0..n).filter(|&j| j != i).collect();
                Ok(gather(x, &at))
            }
            None => type_error(),
        },
        (Value::Atom(_), Value::Atom(_)) => type_error(),
        _ => type_error(),
    }
}

fn drop_n(n: i64, y: &Value) -> Value {
    let have = y.count();
    let gone = usize::try_from(n.unsigned_abs()).unwrap_or(usize::MAX).min(have);
    if n >= 0 { range(y, gone, have) } else { range(y, 0, have - gone) }
}

fn drop_keys(d: &Value, keys: &Value) -> Result<Value> {
    let Value::Dict(d) = d else { return type_error() };
    let keys = match (&d.keys, keys) {
        (Value::Table(_), Value::Dict(_)) => item::enlist(keys.clone()),
        _ => keys.clone(),
    };
    let gone = find::find_each(&keys, &d.keys)?;
    let n = keys.count() as i64;
    let at: Vec<i64> = (0..d.keys.count() as i64).filter(|&i| gone[i as usize] == n).collect();
    Ok(Value::dict(gather(&d.keys, &at), gather(&d.vals, &at)))
}

/// Pieces of `y` that start at each position, the last to the end.
fn cut_at(starts: &[i64], y: &Value) -> Result<Value> {
    let n = y.count() as i64;
    if starts.iter().any(|&s| s < 0 || s > n) {
        return domain_error();
    }
    if !starts.is_sorted() {
        return domain_error();
    }
    let ends = starts.iter().skip(1).copied().chain(std::iter::once(n));
    let pieces = starts.iter().zip(ends).map(|(&s, e)| slice(y, s as usize, e as usize));
    Ok(Value::list(pieces.collect()))
}

/// Pieces of `n` items, the last shorter.
fn cut_every(n: i64, y: &Value) -> Result<Value> {
    let starts: Vec<i64> = (0..y.count() as i64).step_by(n.max(1) as usize).collect();
    cut_at(&starts, y)
}

/// `x cut y`: pieces of `x` items for an atom, pieces at positions for a list; a matrix's pieces for a table.
pub fn cut(x: &Value, y: &Value) -> Result<Value> {
    match x.as_long() {
        Some(n) if x.is_atom() => {
            if n <= 0 {
                length_error()
            } else {
                cut_every(n, y)
            }
        }
        _ => drop(x, y),
    }
}

/// `reverse x`.
pub fn reverse(x: &Value) -> Result<Value> {
    if x.is_atom() {
        return Ok(x.clone());
    }
    let at: Vec<i64> = (0..x.count() as i64).rev().collect();
    Ok(match x {
        Value::List(l) => Value::list(l.iter().rev().cloned().collect()),
        _ => gather(x, &at),
    })
}

/// `n rotate y`: left by `n`.
pub fn rotate(n: &Value, y: &Value) -> Result<Value> {
    let Some(n) = n.as_long() else { return type_error() };
    if y.is_atom() {
        return type_error();
    }
    let have = y.count() as i64;
    if have == 0 {
        return Ok(y.clone());
    }
    let at: Vec<i64> = (0..have).map(|i| (i as i128 + n as i128).rem_euclid(have as i128) as i64).collect();
    Ok(gather(y, &at))
}

/// `x sublist y`: as take, but never past the end; a pair is (start; count).
pub fn sublist(x: &Value, y: &Value) -> Result<Value> {
    let have = y.count() as i64;
    let (from, to) = match x {
        Value::Atom(_) => match x.as_long() {
            Some(n) if n >= 0 => (0, n.min(have)),
            Some(n) => (have.saturating_add(n).max(0), have),
            None => return type_error(),
        },
        Value::Vec(_) => match item::positions(x).as_deref() {
            Some([start, count]) if *start < 0 && !y.is_atom() => {
                // What lies before the first item is null.
                let end = start.saturating_add((*count).max(0)).min(have);
                return Ok(item::gather(y, &(*start..end).collect::<Vec<_>>()));
            }
            Some([start, count]) => {
                let start = (*start).min(have);
                (start, start.saturating_add((*count).max(0)).min(have))
            }
            Some(_) => return length_error(),
            None => return type_error(),
        },
        _ => return type_error(),
    };
    if y.is_atom() {
        return type_error();
    }
    Ok(range(y, from as usize, to as usize))
}

/// `first x` and `last x`: the typed null of an empty list.
pub fn edge(x: &Value, last: bool) -> Value {
    match x {
        Value::Atom(_) | Value::Fun(_) => x.clone(),
        Value::Dict(d) => edge(&d.vals, last),
        _ => match x.count() {
            0 => item::null_item(x),
            n => item::item(x, if last { n - 1 } else { 0 }),
        },
    }
}

/// `next` and `prev` by `n`: items moved, nulls where there is none.
pub fn shift(n: i64, x: &Value) -> Result<Value> {
    match x {
        Value::Dict(d) => Ok(Value::Dict(Arc::new(Dict { vals: shift(n, &d.vals)?, ..(**d).clone() }))),
        Value::Atom(Atom { .. }) | Value::Fun(_) => type_error(),
        _ => {
            let at: Vec<i64> = (0..x.count() as i64).map(|i| i.saturating_sub(n)).collect();
            Ok(match x {
                Value::List(_) => item::gather_col(x, &at),
                _ => gather(x, &at),
            })
        }
    }
}
