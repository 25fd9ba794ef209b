//! What the list primitives need to know of an element whatever its storage: its null, its exact equality and its
//! order.

use crate::kind::Kind;
use crate::literal::null;
use crate::scalar::Item;
use crate::value::{Atom, Data, Elem, Guid, Raw, Value, Vector};
use std::cmp::Ordering;

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
        (Raw::E(x), Raw::E(y)) => x.same(y),
        (Raw::F(x), Raw::F(y)) => x.same(y),
        (Raw::S(x), Raw::S(y)) => x == y,
        _ => false,
    }
}

/// q's order of two elements of one storage; different storages are equal here (callers compare kinds).
pub fn order_raw(x: Raw, y: Raw) -> Ordering {
    match (x, y) {
        (Raw::B(x), Raw::B(y)) => x.order(y),
        (Raw::G(x), Raw::G(y)) => x.order(y),
        (Raw::H(x), Raw::H(y)) => x.order(y),
        (Raw::I(x), Raw::I(y)) => x.order(y),
        (Raw::J(x), Raw::J(y)) => x.order(y),
        (Raw::E(x), Raw::E(y)) => x.order(y),
        (Raw::F(x), Raw::F(y)) => x.order(y),
        (Raw::S(x), Raw::S(y)) => x.order(y),
        _ => Ordering::Equal,
    }
}

/// The empty vector of `kind`.
pub fn empty(kind: Kind) -> Value {
    Value::Vec(Vector::empty(kind))
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
