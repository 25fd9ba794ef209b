//! The order of any two values, and values as keys of hash tables.

use super::elem::order_raw;
use crate::each_data;
pub use crate::same::{matches, same};
use crate::scalar::Item;
use crate::value::{Raw, Value};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

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
            each_data!(&v.data, buf => buf.iter().for_each(|x| x.id().hash(state)));
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
    match raw {
        Raw::B(x) => x.hash(state),
        Raw::G(x) => x.hash(state),
        Raw::H(x) => x.hash(state),
        Raw::I(x) => x.hash(state),
        Raw::J(x) => x.hash(state),
        Raw::E(x) => x.id().hash(state),
        Raw::F(x) => x.id().hash(state),
        Raw::S(x) => x.hash(state),
    }
}
