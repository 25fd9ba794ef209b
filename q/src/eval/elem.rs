//! What the list primitives need to know of an element: its null, its exact equality and its order.

use crate::kind::Kind;
use crate::literal::null;
use crate::sym::Sym;
use crate::value::{Atom, Data, Elem, Guid, Raw, Value, Vector};
use std::cmp::Ordering;
use std::hash::Hash;

/// A plain element as find, group and sort see it. Equality here is exact: all NaNs are one value, and so
/// are the two zeros, but nothing is tolerant.
pub trait Item: Elem {
    /// The element for hashing: equal keys are equal items.
    type Key: Hash + Eq + Copy;
    /// Its key.
    fn key(self) -> Self::Key;
    /// q's order: nulls first, symbols by text.
    fn order(&self, other: &Self) -> Ordering;
}

macro_rules! plain {
    ($($t:ty)*) => {$(
        impl Item for $t {
            type Key = $t;
            fn key(self) -> $t { self }
            fn order(&self, other: &Self) -> Ordering { self.cmp(other) }
        }
    )*};
}
plain! { u8 i16 i32 i64 Guid }

impl Item for f64 {
    type Key = u64;
    fn key(self) -> u64 {
        if self.is_nan() { u64::MAX } else { (self + 0.0).to_bits() }
    }
    fn order(&self, other: &Self) -> Ordering {
        self.partial_cmp(other).unwrap_or_else(|| other.is_nan().cmp(&self.is_nan()))
    }
}

impl Item for f32 {
    type Key = u32;
    fn key(self) -> u32 {
        if self.is_nan() { u32::MAX } else { (self + 0.0).to_bits() }
    }
    fn order(&self, other: &Self) -> Ordering {
        self.partial_cmp(other).unwrap_or_else(|| other.is_nan().cmp(&self.is_nan()))
    }
}

impl Item for Sym {
    type Key = Sym;
    fn key(self) -> Sym {
        self
    }
    fn order(&self, other: &Self) -> Ordering {
        if self == other { Ordering::Equal } else { self.text().cmp(other.text()) }
    }
}

/// The null of `kind` as an element of storage `T`, which must be `kind`'s.
pub fn null_elem<T: Elem>(kind: Kind) -> T {
    T::of_raw(null(kind)).expect("an element is stored as its kind says")
}

/// The null atom of `kind`.
pub fn null_atom(kind: Kind) -> Value {
    Value::Atom(Atom { kind, raw: null(kind), domain: None })
}

/// True for the bits of a null of `kind`.
pub fn is_null(kind: Kind, raw: Raw) -> bool {
    match raw {
        Raw::B(x) => kind == Kind::Char && x == b' ',
        Raw::G(x) => x == Guid::default(),
        Raw::H(x) => x == i16::MIN,
        Raw::I(x) => x == i32::MIN,
        Raw::J(x) => x == i64::MIN,
        Raw::E(x) => x.is_nan(),
        Raw::F(x) => x.is_nan(),
        Raw::S(x) => x.is_null(),
    }
}

/// Exact equality of two elements of one storage; elements of different storages differ.
pub fn same_raw(x: Raw, y: Raw) -> bool {
    match (x, y) {
        (Raw::B(x), Raw::B(y)) => x == y,
        (Raw::G(x), Raw::G(y)) => x == y,
        (Raw::H(x), Raw::H(y)) => x == y,
        (Raw::I(x), Raw::I(y)) => x == y,
        (Raw::J(x), Raw::J(y)) => x == y,
        (Raw::E(x), Raw::E(y)) => x.key() == y.key(),
        (Raw::F(x), Raw::F(y)) => x.key() == y.key(),
        (Raw::S(x), Raw::S(y)) => x == y,
        _ => false,
    }
}

/// q's order of two elements of one storage; different storages are equal here (callers compare kinds).
pub fn order_raw(x: Raw, y: Raw) -> Ordering {
    match (x, y) {
        (Raw::B(x), Raw::B(y)) => x.cmp(&y),
        (Raw::G(x), Raw::G(y)) => x.cmp(&y),
        (Raw::H(x), Raw::H(y)) => x.cmp(&y),
        (Raw::I(x), Raw::I(y)) => x.cmp(&y),
        (Raw::J(x), Raw::J(y)) => x.cmp(&y),
        (Raw::E(x), Raw::E(y)) => x.order(&y),
        (Raw::F(x), Raw::F(y)) => x.order(&y),
        (Raw::S(x), Raw::S(y)) => x.order(&y),
        _ => Ordering::Equal,
    }
}

/// The empty vector of `kind`.
pub fn empty(kind: Kind) -> Value {
    Value::Vec(filled(kind, null(kind), 0))
}

/// `n` copies of one element.
pub fn filled(kind: Kind, raw: Raw, n: usize) -> Vector {
    use crate::buf::Buf;
    let data = match raw {
        Raw::B(x) => Data::B(Buf::filled(n, x)),
        Raw::G(x) => Data::G(Buf::filled(n, x)),
        Raw::H(x) => Data::H(Buf::filled(n, x)),
        Raw::I(x) => Data::I(Buf::filled(n, x)),
        Raw::J(x) => Data::J(Buf::filled(n, x)),
        Raw::E(x) => Data::E(Buf::filled(n, x)),
        Raw::F(x) => Data::F(Buf::filled(n, x)),
        Raw::S(x) => Data::S(Buf::filled(n, x)),
    };
    Vector { kind, attr: Default::default(), data, domain: None }
}

/// A small number as an atom of the numeric vector `x`'s kind.
pub fn small(x: &Value, n: u8) -> Option<Value> {
    let Value::Vec(v) = x else { return None };
    let raw = match v.data {
        Data::B(_) if v.kind != Kind::Char => Raw::B(n),
        Data::H(_) => Raw::H(n as i16),
        Data::I(_) => Raw::I(n as i32),
        Data::J(_) if v.kind != Kind::Enum => Raw::J(n as i64),
        Data::E(_) => Raw::E(n as f32),
        Data::F(_) => Raw::F(n as f64),
        _ => return None,
    };
    Some(Value::Atom(Atom { kind: v.kind, raw, domain: None }))
}
