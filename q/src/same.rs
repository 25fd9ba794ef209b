//! Identity of values: the same kinds, shapes and bits. q's `~` is tolerant of floats and blind to some of
//! this; tests, caches and round trips are not.

use crate::each_data;
use crate::value::{Data, Elem, Func, Raw, Value};
use std::sync::Arc;

/// True if `x` and `y` are the same to the last bit, NaN equal to NaN whatever its payload. Lambdas are the
/// same if their parameters, locals and bodies are; host functions and objects if they are one object.
pub fn identical(x: &Value, y: &Value) -> bool {
    match (x, y) {
        (Value::Atom(a), Value::Atom(b)) => a.kind == b.kind && same_raw(a.raw, b.raw),
        (Value::Vec(a), Value::Vec(b)) => a.kind == b.kind && a.attr == b.attr && same_data(&a.data, &b.data),
        (Value::List(a), Value::List(b)) => all(a, b),
        (Value::Dict(a), Value::Dict(b)) => {
            a.step == b.step && identical(&a.keys, &b.keys) && identical(&a.vals, &b.vals)
        }
        (Value::Table(a), Value::Table(b)) => a.names == b.names && all(&a.cols, &b.cols),
        (Value::Fun(a), Value::Fun(b)) => same_fun(a, b),
        _ => false,
    }
}

fn all(x: &[Value], y: &[Value]) -> bool {
    x.len() == y.len() && x.iter().zip(y).all(|(a, b)| identical(a, b))
}

fn same_raw(x: Raw, y: Raw) -> bool {
    match (x, y) {
        (Raw::B(a), Raw::B(b)) => a == b,
        (Raw::G(a), Raw::G(b)) => a == b,
        (Raw::H(a), Raw::H(b)) => a == b,
        (Raw::I(a), Raw::I(b)) => a == b,
        (Raw::J(a), Raw::J(b)) => a == b,
        (Raw::E(a), Raw::E(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
        (Raw::F(a), Raw::F(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
        (Raw::S(a), Raw::S(b)) => a == b,
        _ => false,
    }
}

fn same_data(x: &Data, y: &Data) -> bool {
    fn of<T: Elem>(x: &[T], y: &Data) -> bool {
        match T::of_data(y) {
            Some(y) => x.len() == y.len() && x.iter().zip(y.iter()).all(|(a, b)| same_raw(a.raw(), b.raw())),
            None => false,
        }
    }
    each_data!(x, v => of(v, y))
}

fn same_fun(x: &Func, y: &Func) -> bool {
    match (x, y) {
        (Func::Prim(a), Func::Prim(b)) => a == b,
        (Func::Iter(a), Func::Iter(b)) => a == b,
        (Func::Lambda(a), Func::Lambda(b)) => {
            a.params == b.params && a.locals == b.locals && a.space == b.space && all(&a.body, &b.body)
        }
        (Func::Proj(a), Func::Proj(b)) => {
            let pairs = a.args.iter().zip(&b.args);
            identical(&a.fun, &b.fun)
                && a.args.len() == b.args.len()
                && pairs.clone().all(|(a, b)| match (a, b) {
                    (Some(a), Some(b)) => identical(a, b),
                    (None, None) => true,
                    _ => false,
                })
        }
        (Func::Comp(a), Func::Comp(b)) => all(a, b),
        (Func::Derived(i, a), Func::Derived(j, b)) => i == j && identical(a, b),
        (Func::Native(a), Func::Native(b)) => Arc::ptr_eq(a, b),
        (Func::Virtual(a), Func::Virtual(b)) => Arc::ptr_eq(a, b),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_and_kinds_count() {
        let f = Value::float;
        assert!(identical(&f(f64::NAN), &f(-f64::NAN)));
        assert!(!identical(&f(0.0), &f(-0.0)));
        assert!(!identical(&Value::long(1), &Value::int(1)));
        assert!(!identical(&Value::longs([1]), &Value::long(1)));
        assert!(identical(&Value::longs([1, 2]), &Value::longs([1, 2])));
        assert!(!identical(&Value::list(vec![f(1.0)]), &Value::list(vec![])));
    }
}
