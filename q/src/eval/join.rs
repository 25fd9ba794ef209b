//! Join `,`, raze and insert: lists put together, in place when nobody else holds the left one.

use super::item::{self, collect, items};
use super::{dict, elem};
use crate::error::{Error, Result, type_error};
use crate::kind::Kind;
use crate::nest::List;
use crate::value::{Attr, Data, Dict, Table, Value, Vector};
use std::sync::Arc;

/// `x,y`. Vectors of one kind stay a vector; anything else becomes a general list; dictionaries and keyed
/// tables upsert, tables append.
pub fn join(mut x: Value, y: &Value) -> Result<Value> {
    if grow(&mut x, y) {
        return Ok(x);
    }
    match (x, y) {
        (Value::Vec(v), y) if v.kind == Kind::Enum => enum_join(v, y),
        (x @ Value::Dict(_), Value::Dict(_)) => dict::upsert(x, y),
        (Value::Dict(d), Value::Table(t)) if matches!(d.keys, Value::Table(_)) => {
            let rows =
                crate::table::key_by(d.keys_table().map_or(0, |k| k.names.len()), Value::Table(t.clone()))?;
            dict::upsert(Value::Dict(d), &rows)
        }
        (Value::Table(t), Value::Table(u)) => append_table(t, u),
        (Value::Table(t), Value::Dict(_)) => match item::enlist(y.clone()) {
            Value::Table(u) => append_table(t, &u),
            row => Ok(Value::list([items(&Value::Table(t)), items(&row)].concat())),
        },
        // A dictionary is no item of a typed list.
        (Value::Atom(_), Value::Dict(_)) | (Value::Dict(_), Value::Atom(_)) => type_error(),
        (Value::Vec(v), Value::Dict(_)) if !v.is_empty() => type_error(),
        (x, y) => Ok(join_general(x, y)),
    }
}

/// Appends `y` to a vector of its kind, or a list or table to one like it, in place where nobody else holds it.
/// False, with nothing done, if `x,y` is made otherwise. Memory that cannot be had unwinds with `x` as it was.
pub fn grow(x: &mut Value, y: &Value) -> bool {
    match (x, y) {
        (Value::Vec(v), Value::Atom(a)) if v.kind == a.kind && item::same_domain(&v.domain, &a.domain) => {
            append(v, &Vector { domain: a.domain.clone(), ..elem::filled(a.kind, a.raw, 1) });
            true
        }
        (Value::Vec(v), Value::Vec(w)) if alike(v, w) => {
            append(v, w);
            true
        }
        (Value::Table(t), Value::Table(u)) if t.names.len() == u.names.len() => {
            let Some(more) = t.names.iter().map(|n| u.col(*n)).collect::<Option<Vec<_>>>() else {
                return false;
            };
            grow_all(Arc::make_mut(t).cols.iter_mut().collect(), &more)
        }
        _ => false,
    }
}

/// Appends to several lists of one length, to all or to none: as [`grow`], which it takes after. Each has its
/// room before the first changes.
pub fn grow_all(mut lists: Vec<&mut Value>, more: &[&Value]) -> bool {
    let fits = |(x, y): (&&mut Value, &&Value)| match (&**x, y) {
        (Value::Vec(v), Value::Vec(w)) => alike(v, w),
        (Value::List(l), Value::List(_)) => !l.is_empty(),
        _ => false,
    };
    if !lists.iter().zip(more).all(fits) {
        return false;
    }
    // Whether items are still unique is found out with memory of its own, so before anything changes too.
    let attr = |(x, y): (&&mut Value, &&Value)| match (&**x, y) {
        (Value::Vec(v), Value::Vec(w)) => attr_of_both(v, w),
        _ => Attr::None,
    };
    let attrs: Vec<Attr> = lists.iter().zip(more).map(attr).collect();
    for (x, y) in lists.iter_mut().zip(more) {
        if let Value::Vec(v) = x {
            crate::each_data!(&mut v.data, buf => buf.reserve(y.count()));
        }
    }
    for ((x, y), attr) in lists.into_iter().zip(more).zip(attrs) {
        match (x, y) {
            (Value::Vec(v), Value::Vec(w)) => extend(v, w, attr),
            (Value::List(l), Value::List(m)) => Arc::make_mut(l).extend(m.iter().cloned()),
            _ => unreachable!("the lists fit"),
        }
    }
    true
}

/// True if the elements of `w` can stand in `v` as they are.
fn alike(v: &Vector, w: &Vector) -> bool {
    v.kind == w.kind && item::same_domain(&v.domain, &w.domain)
}

fn join_general(x: Value, y: &Value) -> Value {
    // An empty list on either side leaves the other's type.
    let listed = |v: &Value| {
        if v.is_atom() || matches!(v, Value::Dict(_)) { item::enlist(v.clone()) } else { v.clone() }
    };
    if x.count() == 0 && !matches!(x, Value::Dict(_)) {
        return match (listed(y), x) {
            (ys, x) if ys.count() == 0 && x.type_code() != 0 => x,
            (ys, _) => ys,
        };
    }
    if y.count() == 0 && !matches!(y, Value::Dict(_)) {
        return listed(&x);
    }
    let mut list = match x {
        Value::List(l) => l,
        other if other.is_atom() || matches!(other, Value::Dict(_)) => Arc::new(List::new(vec![other])),
        other => Arc::new(List::new(items(&other))),
    };
    let into = Arc::make_mut(&mut list);
    match y {
        Value::List(l) => into.extend(l.iter().cloned()),
        _ if y.is_atom() || matches!(y, Value::Dict(_)) => into.push(y.clone()),
        _ => into.extend(items(y)),
    }
    // Two atoms, or an atom and a vector of its kind, make a vector.
    match into.first() {
        Some(Value::Atom(a)) if into.iter().all(|v| v.type_code() == -a.kind.code()) => {
            collect(into.to_vec())
        }
        Some(Value::Dict(_)) if into.len() == 2 => collect(into.to_vec()),
        _ => Value::List(list),
    }
}

/// Appends to a vector, in place where it is the only holder. Unwinds with the vector as it was.
fn append(v: &mut Vector, w: &Vector) {
    let attr = attr_of_both(v, w);
    extend(v, w, attr);
}

/// The attribute of `v,w`: `s` and `u` stay while they hold; `g` always; `p` never.
fn attr_of_both(v: &Vector, w: &Vector) -> Attr {
    match v.attr {
        Attr::Sorted if continues(v, w) => Attr::Sorted,
        Attr::Unique if still_unique(v, w) => Attr::Unique,
        Attr::Grouped => Attr::Grouped,
        _ => Attr::None,
    }
}

fn extend(v: &mut Vector, w: &Vector, attr: Attr) {
    match (&mut v.data, &w.data) {
        (Data::B(a), Data::B(b)) => a.extend_from_slice(b),
        (Data::G(a), Data::G(b)) => a.extend_from_slice(b),
        (Data::H(a), Data::H(b)) => a.extend_from_slice(b),
        (Data::I(a), Data::I(b)) => a.extend_from_slice(b),
        (Data::J(a), Data::J(b)) => a.extend_from_slice(b),
        (Data::E(a), Data::E(b)) => a.extend_from_slice(b),
        (Data::F(a), Data::F(b)) => a.extend_from_slice(b),
        (Data::S(a), Data::S(b)) => a.extend_from_slice(b),
        _ => unreachable!("vectors of one kind have one storage"),
    }
    v.attr = attr;
    if let (Some(a), Some(b)) = (&v.domain, &w.domain)
        && b.len() > a.len()
    {
        v.domain = Some(b.clone());
    }
}

/// True if `w` is sorted and begins no lower than `v` ends.
fn continues(v: &Vector, w: &Vector) -> bool {
    let meets = v.is_empty()
        || w.is_empty()
        || super::same::order(&Value::Atom(v.get(v.len() - 1)), &Value::Atom(w.get(0))).is_le();
    meets && super::sort::is_sorted(w)
}

fn still_unique(v: &Vector, w: &Vector) -> bool {
    let seen = super::find::find_each(&Value::Vec(v.clone()), &Value::Vec(w.clone()));
    seen.is_ok_and(|at| at.iter().all(|&i| i == v.len() as i64))
        && super::sort::check_attr(Attr::Unique, w).is_ok()
}

/// An enumeration takes symbols, or keys, that its domain has; others make a general list.
fn enum_join(mut v: Vector, y: &Value) -> Result<Value> {
    if let Some(domain) =
        v.domain.clone().filter(|d| d.keys.is_some() && d.kind().code() == y.type_code().abs())
    {
        return join(Value::Vec(v), &super::enums::enumerate(&domain, y)?);
    }
    let syms = match y {
        Value::Atom(a) if a.kind == Kind::Sym => item::enlist(y.clone()),
        Value::Vec(w) if w.kind == Kind::Sym => y.clone(),
        _ => return Ok(join_general(Value::Vec(v), y)),
    };
    let Some(domain) = v.domain.clone() else { return crate::error::type_error() };
    if domain.keys.is_some() {
        return Ok(join_general(Value::Vec(v), y));
    }
    let at = super::find::find_each(&Value::vector(Kind::Sym, domain.syms.clone()), &syms)?;
    if at.iter().any(|&i| i == domain.syms.len() as i64) {
        return Err(Error::new("cast"));
    }
    let tail = Vector { domain: Some(domain), ..Vector::new(Kind::Enum, at) };
    append(&mut v, &tail);
    Ok(Value::Vec(v))
}

/// Rows of `u` after those of `t`; the same columns in any order.
pub fn append_table(mut t: Arc<Table>, u: &Table) -> Result<Value> {
    if t.names.len() != u.names.len() || t.names.iter().any(|n| u.col(*n).is_none()) {
        return Err(Error::new("mismatch"));
    }
    let rows = u.rows();
    let into = Arc::make_mut(&mut t);
    let mut cols = vec![];
    for (name, col) in into.names.iter().zip(&mut into.cols) {
        let more = u.col(*name).expect("both tables have the same columns");
        // Taken out of the table so that the append can be in place.
        let old = std::mem::replace(col, Value::null());
        cols.push(append_col(old, more, rows)?);
    }
    into.cols = cols;
    Ok(Value::Table(t))
}

/// Appends a column's rows; a column of lists stays a list of lists.
fn append_col(old: Value, more: &Value, rows: usize) -> Result<Value> {
    match (old, more) {
        (Value::List(mut l), more) if !l.is_empty() => {
            Arc::make_mut(&mut l).extend((0..rows).map(|i| item::item(more, i)));
            Ok(Value::List(l))
        }
        (old, more) => join(old, more),
    }
}

/// `raze x`: the items of `x` joined.
pub fn raze(x: &Value) -> Result<Value> {
    match x {
        Value::Dict(d) => raze(&d.vals),
        Value::List(l) => {
            let mut items = l.iter();
            let Some(first) = items.next() else { return Ok(x.clone()) };
            let start = if first.is_atom() { item::enlist(first.clone()) } else { first.clone() };
            let kind = |v: &Value| v.type_code().unsigned_abs();
            // Joining pairwise would rebuild a general list at each step.
            if !l.iter().all(|v| kind(v) == kind(first))
                && l.iter()
                    .all(|v| matches!(v, Value::Atom(_) | Value::Vec(_) | Value::List(_) | Value::Fun(_)))
            {
                let all =
                    l.iter().filter(|v| v.count() > 0 || v.is_atom()).flat_map(super::item::items).collect();
                return Ok(collect(all));
            }
            items.try_fold(start, join)
        }
        Value::Table(t) => {
            let rows = items(&Value::Table(t.clone()));
            let Some((first, rest)) = rows.split_first() else { return Ok(x.clone()) };
            rest.iter().try_fold(first.clone(), join)
        }
        Value::Atom(_) | Value::Fun(_) => Ok(item::enlist(x.clone())),
        _ => Ok(x.clone()),
    }
}

impl Dict {
    /// The key columns, if this is a keyed table.
    pub fn keys_table(&self) -> Option<&Table> {
        match &self.keys {
            Value::Table(t) => Some(t),
            _ => None,
        }
    }
}
