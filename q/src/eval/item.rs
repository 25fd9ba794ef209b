//! Items of any list: taking one, taking many by position, and putting items back into the tightest list.

use super::elem::{empty, null_atom, null_elem};
use crate::buf::Buf;
use crate::each_data;
use crate::kind::Kind;
use crate::value::{Atom, Attr, Data, Dict, Elem, Table, Value, Vector};
use std::sync::Arc;

/// Item `i`, which must exist: an element, a row (as a dictionary) of a table, a value of a dictionary.
/// An atom is its own only item.
pub fn item(x: &Value, i: usize) -> Value {
    match x {
        Value::Vec(v) => Value::Atom(v.get(i)),
        Value::List(l) => l[i].clone(),
        Value::Table(t) => row(t, i),
        Value::Dict(d) => item(&d.vals, i),
        Value::Atom(_) | Value::Fun(_) => x.clone(),
    }
}

/// All items in order, see [`item`].
pub fn items(x: &Value) -> Vec<Value> {
    match x {
        Value::List(l) => l.to_vec(),
        _ => (0..x.count()).map(|i| item(x, i)).collect(),
    }
}

/// Row `i` of a table as a dictionary.
fn row(t: &Table, i: usize) -> Value {
    let vals: Vec<Value> = t.cols.iter().map(|c| item(c, i)).collect();
    // Rows of nested tables stay a list: making them a table again would take twice the time at each level.
    let nested = vals.iter().any(|v| matches!(v, Value::Dict(_)));
    let vals = if nested { Value::list(vals) } else { collect(vals) };
    Value::dict(Value::syms(t.names.iter().copied()), vals)
}

/// What indexing past the end gives: the null of the items' type; for a general list, of its first item's.
pub fn null_item(x: &Value) -> Value {
    match x {
        Value::Vec(v) => match null_atom(v.kind) {
            Value::Atom(a) => Value::Atom(Atom { domain: v.domain.clone(), ..a }),
            other => other,
        },
        Value::List(l) => l.first().map_or_else(|| Value::list(vec![]), null_like),
        Value::Table(t) => {
            let vals = t.cols.iter().map(null_item).collect();
            Value::dict(Value::syms(t.names.iter().copied()), collect(vals))
        }
        Value::Dict(d) => null_item(&d.vals),
        Value::Atom(_) | Value::Fun(_) => null_like(x),
    }
}

/// The null shaped as `x`: a null atom for an atom, an empty list for a list, null values for a dictionary.
pub fn null_like(x: &Value) -> Value {
    match x {
        Value::Atom(a) => match null_atom(a.kind) {
            Value::Atom(n) => Value::Atom(Atom { domain: a.domain.clone(), ..n }),
            other => other,
        },
        Value::Vec(_) | Value::List(_) | Value::Table(_) => slice(x, 0, 0),
        Value::Dict(d) => {
            let n = d.keys.count();
            Value::dict(d.keys.clone(), gather(&d.vals, &vec![-1; n]))
        }
        Value::Fun(_) => Value::null(),
    }
}

/// Items `from..to` (which must exist) of a list, rows of a table, entries of a dictionary. The result has
/// no attribute but `s`, which any part of a sorted vector keeps.
pub fn slice(x: &Value, from: usize, to: usize) -> Value {
    match x {
        Value::Vec(v) => Value::Vec(Vector {
            kind: v.kind,
            attr: Attr::None,
            data: v.data.slice(from, to),
            domain: v.domain.clone(),
        }),
        Value::List(l) => Value::list(l[from..to].to_vec()),
        Value::Table(t) => Value::table(t.names.clone(), t.cols.iter().map(|c| slice(c, from, to)).collect()),
        Value::Dict(d) => Value::Dict(Arc::new(Dict {
            keys: slice(&d.keys, from, to),
            vals: slice(&d.vals, from, to),
            step: d.step,
        })),
        Value::Atom(_) | Value::Fun(_) => x.clone(),
    }
}

/// The items at `at`; a position outside the list (null and negative too) gives the null item. Rows of a
/// table, entries of a dictionary. Attributes are dropped.
pub fn gather(x: &Value, at: &[i64]) -> Value {
    fn pick<T: Elem>(buf: &Buf<T>, at: &[i64], null: T) -> Buf<T> {
        let items: &[T] = buf;
        at.iter().map(|&i| items.get(i as usize).copied().unwrap_or(null)).collect()
    }
    match x {
        Value::Vec(v) => {
            let data = each_data!(&v.data, buf => Elem::data(pick(buf, at, null_elem(v.kind))));
            Value::Vec(Vector { kind: v.kind, attr: Attr::None, data, domain: v.domain.clone() })
        }
        Value::List(l) => {
            let null = null_item(x);
            let pick = at.iter().map(|&i| l.get(i as usize).unwrap_or(&null).clone()).collect();
            collect(pick)
        }
        Value::Table(t) => Value::table(t.names.clone(), t.cols.iter().map(|c| gather_col(c, at)).collect()),
        Value::Dict(d) => Value::dict(gather(&d.keys, at), gather(&d.vals, at)),
        Value::Atom(_) | Value::Fun(_) => collect(vec![x.clone(); at.len()]),
    }
}

/// As [`gather`] for a table's column, which stays general if it was.
pub fn gather_col(x: &Value, at: &[i64]) -> Value {
    match x {
        Value::List(l) => {
            let null = null_item(x);
            Value::list(at.iter().map(|&i| l.get(i as usize).unwrap_or(&null).clone()).collect())
        }
        _ => gather(x, at),
    }
}

/// The tightest list of `items`: a typed vector when all are atoms of one kind, a table when all are
/// dictionaries with the same symbols as keys, else a general list.
pub fn collect(items: Vec<Value>) -> Value {
    match items.first() {
        Some(Value::Atom(first)) => {
            let (kind, domain) = (first.kind, first.domain.clone());
            let alike = |x: &Value| match x {
                Value::Atom(a) => a.kind == kind && same_domain(&a.domain, &domain),
                _ => false,
            };
            if !items.iter().all(alike) {
                return Value::list(items);
            }
            let Value::Vec(model) = empty(kind) else { return Value::list(items) };
            let data = each_data!(&model.data, buf => Elem::data(unbox(buf, &items)));
            Value::Vec(Vector { data, domain: widest(&items), ..model })
        }
        Some(Value::Dict(first)) if names(&first.keys).is_some() => {
            let same = |x: &Value| matches!(x, Value::Dict(d) if super::same::same(&d.keys, &first.keys));
            if !items.iter().all(same) {
                return Value::list(items);
            }
            let names = names(&first.keys).unwrap_or_default();
            let col = |j: usize| collect(items.iter().map(|d| item(d, j)).collect());
            Value::table(names.clone(), (0..names.len()).map(col).collect())
        }
        _ => Value::list(items),
    }
}

/// The symbols of a non-empty symbol vector: what a table's names can be.
fn names(keys: &Value) -> Option<Vec<crate::sym::Sym>> {
    match keys {
        Value::Vec(Vector { kind: Kind::Sym, data: Data::S(s), .. }) if !s.is_empty() => Some(s.to_vec()),
        _ => None,
    }
}

fn unbox<T: Elem>(_model: &Buf<T>, items: &[Value]) -> Buf<T> {
    let elem = |x: &Value| match x {
        Value::Atom(a) => a.elem::<T>().expect("an atom is stored as its kind says"),
        _ => T::zeroed(),
    };
    items.iter().map(elem).collect()
}

/// True if two enumerations (or plain values) index the same variable.
pub fn same_domain(x: &Option<Arc<crate::value::Domain>>, y: &Option<Arc<crate::value::Domain>>) -> bool {
    match (x, y) {
        (None, None) => true,
        (Some(x), Some(y)) => x.name == y.name,
        _ => false,
    }
}

/// The newest snapshot of the domain that the atoms `items` share.
fn widest(items: &[Value]) -> Option<Arc<crate::value::Domain>> {
    let domain = |x: &Value| match x {
        Value::Atom(a) => a.domain.clone(),
        _ => None,
    };
    items.iter().filter_map(domain).max_by_key(|d| d.len())
}

/// A one-item list of `x`: a vector for an atom, a one-row table for a dictionary with symbol keys.
pub fn enlist(x: Value) -> Value {
    collect(vec![x])
}

/// The positions in an integer value; nulls stay negative, so that [`gather`] gives a null for them.
pub fn positions(x: &Value) -> Option<Buf<i64>> {
    match x {
        Value::Vec(v) if v.kind == Kind::Long => v.elems::<i64>().cloned(),
        Value::Vec(v) if matches!(v.kind, Kind::Bool | Kind::Byte | Kind::Short | Kind::Int) => {
            Some((0..v.len()).map(|i| Value::Atom(v.get(i)).as_long().unwrap_or(i64::MIN)).collect())
        }
        Value::List(l) if l.is_empty() => Some(Buf::new()),
        _ => None,
    }
}

/// A vector without its attribute.
pub fn bare(mut x: Value) -> Value {
    if let Value::Vec(v) = &mut x {
        v.attr = Attr::None;
    }
    x
}
