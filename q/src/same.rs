//! Sameness of values: q's `~`, its exact form, and identity to the bit.

use crate::each_data;
use crate::eval::elem::same_raw;
use crate::scalar::item::close;
use crate::value::{Data, Elem, Func, Raw, Value, Vector};
use std::sync::Arc;

/// How closely two values are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Floats within the comparison tolerance, NaNs are one value; attributes and steps do not count.
    Tolerant,
    /// As tolerant, but floats are equal only if they are: NaNs are one value, and so are the zeros.
    Exact,
    /// The same kinds, shapes, attributes and bits, but NaNs are one value. Lambdas are the same if their
    /// parameters, locals and bodies are.
    Identical,
    /// As identical, with the bits of NaNs.
    Bits,
}

/// q's `~`.
pub fn matches(x: &Value, y: &Value) -> bool {
    equal(x, y, Mode::Tolerant)
}

/// As [`matches()`], with exact equality of elements.
pub fn same(x: &Value, y: &Value) -> bool {
    equal(x, y, Mode::Exact)
}

/// True if `x` and `y` are the same to the last bit, NaN equal to NaN whatever its payload: for tests, caches and
/// round trips.
pub fn identical(x: &Value, y: &Value) -> bool {
    equal(x, y, Mode::Identical)
}

/// True if `x` and `y` are the same in this mode. Host functions and objects are if they are one object.
pub fn equal(x: &Value, y: &Value, mode: Mode) -> bool {
    let whole = matches!(mode, Mode::Identical | Mode::Bits);
    match (x, y) {
        (Value::Atom(x), Value::Atom(y)) => x.kind == y.kind && equal_raw(x.raw, y.raw, mode),
        (Value::Vec(x), Value::Vec(y)) => (!whole || x.attr == y.attr) && equal_vector(x, y, mode),
        (Value::List(x), Value::List(y)) => Arc::ptr_eq(x, y) || all(x, y, mode),
        (Value::Dict(x), Value::Dict(y)) => {
            (!whole || x.step == y.step) && equal(&x.keys, &y.keys, mode) && equal(&x.vals, &y.vals, mode)
        }
        (Value::Table(x), Value::Table(y)) => x.names == y.names && all(&x.cols, &y.cols, mode),
        (Value::Fun(x), Value::Fun(y)) => equal_fun(x, y, mode),
        _ => false,
    }
}

fn all(x: &[Value], y: &[Value], mode: Mode) -> bool {
    x.len() == y.len() && x.iter().zip(y).all(|(x, y)| equal(x, y, mode))
}

fn equal_raw(x: Raw, y: Raw, mode: Mode) -> bool {
    match (x, y, mode) {
        (Raw::F(x), Raw::F(y), Mode::Tolerant) => close(x, y),
        (Raw::E(x), Raw::E(y), Mode::Tolerant) => close(x as f64, y as f64),
        (Raw::F(x), Raw::F(y), Mode::Identical) => x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan(),
        (Raw::E(x), Raw::E(y), Mode::Identical) => x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan(),
        (Raw::F(x), Raw::F(y), Mode::Bits) => x.to_bits() == y.to_bits(),
        (Raw::E(x), Raw::E(y), Mode::Bits) => x.to_bits() == y.to_bits(),
        _ => same_raw(x, y),
    }
}

fn equal_vector(x: &Vector, y: &Vector, mode: Mode) -> bool {
    fn of<T: Elem>(x: &[T], y: &Data, mode: Mode) -> bool {
        T::of_data(y).is_some_and(|y| x.iter().zip(y.iter()).all(|(x, y)| equal_raw(x.raw(), y.raw(), mode)))
    }
    if x.kind != y.kind || x.len() != y.len() {
        return false;
    }
    match (&x.data, &y.data) {
        // What has no NaN is compared as memory.
        (Data::J(x), Data::J(y)) => x == y,
        (Data::I(x), Data::I(y)) => x == y,
        (Data::B(x), Data::B(y)) => x == y,
        (Data::S(x), Data::S(y)) => x == y,
        (x, y) => each_data!(x, x => of(x, y, mode)),
    }
}

fn equal_fun(x: &Func, y: &Func, mode: Mode) -> bool {
    match (x, y) {
        (Func::Prim(x), Func::Prim(y)) => x == y,
        (Func::Iter(x), Func::Iter(y)) => x == y,
        (Func::Lambda(x), Func::Lambda(y)) if matches!(mode, Mode::Identical | Mode::Bits) => {
            x.params == y.params && x.locals == y.locals && x.space == y.space && all(&x.body, &y.body, mode)
        }
        (Func::Lambda(x), Func::Lambda(y)) => x.text == y.text && x.space == y.space,
        (Func::Proj(x), Func::Proj(y)) => {
            let arg = |(x, y): (&Option<Value>, &Option<Value>)| match (x, y) {
                (Some(x), Some(y)) => equal(x, y, mode),
                (None, None) => true,
                _ => false,
            };
            x.args.len() == y.args.len() && equal(&x.fun, &y.fun, mode) && x.args.iter().zip(&y.args).all(arg)
        }
        (Func::Comp(x), Func::Comp(y)) => all(x, y, mode),
        (Func::Derived(i, x), Func::Derived(j, y)) => i == j && equal(x, y, mode),
        (Func::Native(x), Func::Native(y)) => Arc::ptr_eq(x, y),
        (Func::Virtual(x), Func::Virtual(y)) => Arc::ptr_eq(x, y),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mode_sees_what_it_says() {
        let f = Value::float;
        let nans = (f(f64::NAN), f(f64::from_bits(0x7ff8_0000_0000_0001)));
        let near = (Value::floats([1.0]), Value::floats([1.0 + f64::EPSILON]));
        let zeros = (f(0.0), f(-0.0));
        let sorted = super::super::eval::sort::with_attr(Value::longs([1, 2]), crate::value::Attr::Sorted);
        let attrs = (Value::longs([1, 2]), sorted);
        let seen = |(x, y): &(Value, Value)| {
            [Mode::Tolerant, Mode::Exact, Mode::Identical, Mode::Bits].map(|mode| equal(x, y, mode))
        };
        assert_eq!(seen(&near), [true, false, false, false]);
        assert_eq!(seen(&zeros), [true, true, false, false]);
        assert_eq!(seen(&attrs), [true, true, false, false]);
        assert_eq!(seen(&nans), [true, true, true, false]);
        assert_eq!(seen(&(f(1.5), f(1.5))), [true; 4]);
        assert_eq!(seen(&(Value::long(1), Value::int(1))), [false; 4]);
        assert_eq!(seen(&(Value::longs([1]), Value::long(1))), [false; 4]);
        assert_eq!(seen(&(Value::list(vec![f(1.0)]), Value::list(vec![]))), [false; 4]);
    }
}
