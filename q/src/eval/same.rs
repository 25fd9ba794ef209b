//! Match `~`, exact and tolerant, and the order of any two values.

use super::elem::{order_raw, same_raw};
use crate::each_data;
use crate::scalar::item::close;
use crate::value::{Atom, Data, Func, Raw, Value, Vector};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// How two floats are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Exact,
    Tolerant,
}

/// q's `~`: same types, same shape, elements equal within the comparison tolerance. Attributes do not count.
pub fn matches(x: &Value, y: &Value) -> bool {
    equal(x, y, Mode::Tolerant)
}

/// As [`matches()`], with exact equality of elements (NaNs are one value, and so are the zeros).
pub fn same(x: &Value, y: &Value) -> bool {
    equal(x, y, Mode::Exact)
}

fn equal(x: &Value, y: &Value, mode: Mode) -> bool {
    match (x, y) {
        (Value::Atom(x), Value::Atom(y)) => same_atom(x, y, mode),
        (Value::Vec(x), Value::Vec(y)) => same_vector(x, y, mode),
        (Value::List(x), Value::List(y)) => {
            Arc::ptr_eq(x, y) || x.len() == y.len() && x.iter().zip(y.iter()).all(|(x, y)| equal(x, y, mode))
        }
        (Value::Dict(x), Value::Dict(y)) => equal(&x.keys, &y.keys, mode) && equal(&x.vals, &y.vals, mode),
        (Value::Table(x), Value::Table(y)) => {
            x.names == y.names && x.cols.iter().zip(&y.cols).all(|(x, y)| equal(x, y, mode))
        }
        (Value::Fun(x), Value::Fun(y)) => same_fun(x, y, mode),
        _ => false,
    }
}

fn same_atom(x: &Atom, y: &Atom, mode: Mode) -> bool {
    if x.kind != y.kind {
        return false;
    }
    match (x.raw, y.raw, mode) {
        (Raw::F(x), Raw::F(y), Mode::Tolerant) => close(x, y),
        (Raw::E(x), Raw::E(y), Mode::Tolerant) => close(x as f64, y as f64),
        (x, y, _) => same_raw(x, y),
    }
}

fn same_vector(x: &Vector, y: &Vector, mode: Mode) -> bool {
    if x.kind != y.kind || x.len() != y.len() {
        return false;
    }
    match (&x.data, &y.data, mode) {
        (Data::F(x), Data::F(y), Mode::Tolerant) => x.iter().zip(y.iter()).all(|(x, y)| close(*x, *y)),
        (Data::E(x), Data::E(y), Mode::Tolerant) => {
            x.iter().zip(y.iter()).all(|(x, y)| close(*x as f64, *y as f64))
        }
        (Data::J(x), Data::J(y), _) => x == y,
        (Data::I(x), Data::I(y), _) => x == y,
        (Data::B(x), Data::B(y), _) => x == y,
        (Data::S(x), Data::S(y), _) => x == y,
        (x, y, _) => (0..x.len()).all(|i| same_raw(x.raw(i), y.raw(i))),
    }
}

fn same_fun(x: &Func, y: &Func, mode: Mode) -> bool {
    match (x, y) {
        (Func::Prim(x), Func::Prim(y)) => x == y,
        (Func::Iter(x), Func::Iter(y)) => x == y,
        (Func::Lambda(x), Func::Lambda(y)) => x.text == y.text && x.space == y.space,
        (Func::Proj(x), Func::Proj(y)) => {
            let arg = |(x, y): (&Option<Value>, &Option<Value>)| match (x, y) {
                (Some(x), Some(y)) => equal(x, y, mode),
                (None, None) => true,
                _ => false,
            };
            x.args.len() == y.args.len() && equal(&x.fun, &y.fun, mode) && x.args.iter().zip(&y.args).all(arg)
        }
        (Func::Comp(x), Func::Comp(y)) => {
            x.len() == y.len() && x.iter().zip(y.iter()).all(|(x, y)| equal(x, y, mode))
        }
        (Func::Derived(i, x), Func::Derived(j, y)) => i == j && equal(x, y, mode),
        (Func::Native(x), Func::Native(y)) => Arc::ptr_eq(x, y),
        (Func::Virtual(x), Func::Virtual(y)) => Arc::ptr_eq(x, y),
        _ => false,
    }
}

/// q's order of any two values: atoms of one type by value, else by type number; lists item by item, then by
/// count.
pub fn order(x: &Value, y: &Value) -> Ordering {
    match (x, y) {
        (Value::Atom(x), Value::Atom(y)) if x.kind == y.kind => order_raw(x.raw, y.raw),
        (Value::Vec(x), Value::Vec(y)) if x.kind == y.kind => {
            let n = x.len().min(y.len());
            let first = (0..n).map(|i| order_raw(x.data.raw(i), y.data.raw(i))).find(|o| o.is_ne());
            first.unwrap_or_else(|| x.len().cmp(&y.len()))
        }
        (Value::Vec(_) | Value::List(_), Value::Vec(_) | Value::List(_)) => {
            let n = x.count().min(y.count());
            let first =
                (0..n).map(|i| order(&super::item::item(x, i), &super::item::item(y, i))).find(|o| o.is_ne());
            first.unwrap_or_else(|| x.count().cmp(&y.count()))
        }
        (Value::Dict(x), Value::Dict(y)) => order(&x.vals, &y.vals),
        _ => x.type_code().unsigned_abs().cmp(&y.type_code().unsigned_abs()),
    }
}

/// A value as a key of a hash table, by exact equality.
pub struct Key<'a>(pub &'a Value);

impl PartialEq for Key<'_> {
    fn eq(&self, other: &Self) -> bool {
        same(self.0, other.0)
    }
}

impl Eq for Key<'_> {}

impl Hash for Key<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash(self.0, state);
    }
}

fn hash<H: Hasher>(x: &Value, state: &mut H) {
    x.type_code().hash(state);
    match x {
        Value::Atom(a) => hash_raw(a.raw, state),
        Value::Vec(v) => {
            v.len().hash(state);
            each_data!(&v.data, buf => buf.iter().for_each(|x| super::elem::Item::key(*x).hash(state)));
        }
        Value::List(l) => {
            l.len().hash(state);
            l.iter().for_each(|x| hash(x, state));
        }
        Value::Dict(d) => {
            hash(&d.keys, state);
            hash(&d.vals, state);
        }
        Value::Table(t) => t.cols.iter().for_each(|c| hash(c, state)),
        // Equal functions have equal types, which is all that is hashed of them.
        Value::Fun(_) => {}
    }
}

fn hash_raw<H: Hasher>(raw: Raw, state: &mut H) {
    use super::elem::Item;
    match raw {
        Raw::B(x) => x.hash(state),
        Raw::G(x) => x.hash(state),
        Raw::H(x) => x.hash(state),
        Raw::I(x) => x.hash(state),
        Raw::J(x) => x.hash(state),
        Raw::E(x) => x.key().hash(state),
        Raw::F(x) => x.key().hash(state),
        Raw::S(x) => x.hash(state),
    }
}
