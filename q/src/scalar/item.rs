//! Elements: their null, their order and their equality, for each of the eight storages.

use crate::sym::Sym;
use crate::value::{Elem, Guid};
use std::cmp::Ordering;
use std::hash::Hash;

/// An element: what q knows of it whatever its kind. Floats are equal within the tolerance; nulls are equal
/// to each other and less than everything else.
pub trait Item: Elem {
    /// See [`Item::id`].
    type Id: Hash + Eq + Copy;
    /// The null; for `u8` the fill value of booleans and bytes (a char's null is a blank, see [`BLANK`]).
    const NULL: Self;
    /// True for the null; never for a `u8`.
    fn is_null(self) -> bool;
    /// `=`, tolerant for floats.
    fn equal(self, y: Self) -> bool;
    /// `<`, false where tolerantly equal.
    fn less(self, y: Self) -> bool;
    /// Equal without tolerance, as `in`, `?`, `distinct`, `group` and sorting have it: every NaN is one
    /// value, and so are 0.0 and -0.0.
    fn same(self, y: Self) -> bool;
    /// Before `y` in sorting: `<` without tolerance.
    fn before(self, y: Self) -> bool;
    /// What hash tables hold: equal exactly where [`Item::same`] is true.
    fn id(self) -> Self::Id;
    /// The order of sorting.
    fn order(self, y: Self) -> Ordering {
        if self.before(y) { Ordering::Less } else { y.before(self).cmp(&false) }
    }
}

/// The relative tolerance of float comparison.
const TOLERANCE: f64 = 1.0 / (1u64 << 43) as f64;

/// q's `=` on floats: within 2^-43 of the larger magnitude; all nulls are equal; an infinity equals itself
/// only, and so does 0.
#[inline(always)]
pub fn close(x: f64, y: f64) -> bool {
    let (a, b) = (x.abs(), y.abs());
    let gap = (x - y).abs();
    let near = (gap <= TOLERANCE * if a > b { a } else { b }) & (gap < f64::INFINITY);
    (x == y) | near | (x.is_nan() & y.is_nan())
}

macro_rules! exact {
    ($($t:ty, $null:expr;)*) => {$(
        impl Item for $t {
            type Id = $t;
            const NULL: Self = $null;
            #[inline(always)]
            fn id(self) -> $t { self }
            #[inline(always)]
            fn is_null(self) -> bool { self == $null }
            #[inline(always)]
            fn equal(self, y: Self) -> bool { self == y }
            #[inline(always)]
            fn less(self, y: Self) -> bool { self < y }
            #[inline(always)]
            fn same(self, y: Self) -> bool { self == y }
            #[inline(always)]
            fn before(self, y: Self) -> bool { self < y }
        }
    )*};
}
exact! { i16, i16::MIN; i32, i32::MIN; i64, i64::MIN; Guid, Guid([0; 16]); }

impl Item for u8 {
    type Id = u8;
    const NULL: u8 = 0;
    #[inline(always)]
    fn id(self) -> u8 {
        self
    }
    #[inline(always)]
    fn is_null(self) -> bool {
        false
    }
    #[inline(always)]
    fn equal(self, y: u8) -> bool {
        self == y
    }
    #[inline(always)]
    fn less(self, y: u8) -> bool {
        self < y
    }
    #[inline(always)]
    fn same(self, y: u8) -> bool {
        self == y
    }
    #[inline(always)]
    fn before(self, y: u8) -> bool {
        self < y
    }
}

macro_rules! float {
    ($($t:ty, $bits:ty;)*) => {$(
        impl Item for $t {
            type Id = $bits;
            const NULL: Self = <$t>::NAN;
            // Adding zero turns -0.0 into 0.0 and leaves all else. That the zeros are one key is decided here.
            #[inline(always)]
            fn id(self) -> $bits { if self.is_nan() { <$bits>::MAX } else { (self + 0.0).to_bits() } }
            #[inline(always)]
            fn is_null(self) -> bool { self.is_nan() }
            #[inline(always)]
            fn equal(self, y: Self) -> bool { close(self as f64, y as f64) }
            #[inline(always)]
            fn less(self, y: Self) -> bool { self.before(y) & !self.equal(y) }
            #[inline(always)]
            fn same(self, y: Self) -> bool { (self == y) | (self.is_nan() & y.is_nan()) }
            #[inline(always)]
            fn before(self, y: Self) -> bool { (self < y) | (self.is_nan() & !y.is_nan()) }
        }
    )*};
}
float! { f32, u32; f64, u64; }

impl Item for Sym {
    type Id = Sym;
    const NULL: Sym = Sym::NULL;
    fn id(self) -> Sym {
        self
    }
    fn order(self, y: Sym) -> Ordering {
        if self == y { Ordering::Equal } else { self.text().cmp(y.text()) }
    }
    fn is_null(self) -> bool {
        self == Sym::NULL
    }
    fn equal(self, y: Sym) -> bool {
        self == y
    }
    fn less(self, y: Sym) -> bool {
        self.text() < y.text()
    }
    fn same(self, y: Sym) -> bool {
        self == y
    }
    fn before(self, y: Sym) -> bool {
        self.text() < y.text()
    }
}

/// The null char is a blank. It counts as null for `null`, `^` and as a fill, not in arithmetic.
pub const BLANK: u8 = b' ';

/// Elements that sort by a 64-bit key: `key(x) < key(y)` exactly when `x` comes before `y`, and equal keys
/// are one value. The null is 0, except for `u8`, which has none.
pub trait Key: Item {
    /// The key.
    fn key(self) -> u64;
}

impl Key for u8 {
    #[inline(always)]
    fn key(self) -> u64 {
        self as u64
    }
}

impl Key for i16 {
    #[inline(always)]
    fn key(self) -> u64 {
        (self as u16 ^ 1 << 15) as u64
    }
}

impl Key for i32 {
    #[inline(always)]
    fn key(self) -> u64 {
        (self as u32 ^ 1 << 31) as u64
    }
}

impl Key for i64 {
    #[inline(always)]
    fn key(self) -> u64 {
        self as u64 ^ 1 << 63
    }
}

impl Key for f32 {
    #[inline(always)]
    fn key(self) -> u64 {
        // Adding zero turns -0.0 into 0.0 and leaves all else.
        let bits = (self + 0.0).to_bits();
        let key = bits ^ (((bits as i32) >> 31) as u32 | 1 << 31);
        if self.is_nan() { 0 } else { key as u64 }
    }
}

impl Key for f64 {
    #[inline(always)]
    fn key(self) -> u64 {
        // Adding zero turns -0.0 into 0.0 and leaves all else.
        let bits = (self + 0.0).to_bits();
        let key = bits ^ (((bits as i64) >> 63) as u64 | 1 << 63);
        if self.is_nan() { 0 } else { key }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered<T: Key>(items: &[T]) {
        for (i, &x) in items.iter().enumerate() {
            for (j, &y) in items.iter().enumerate() {
                assert_eq!(x.key() < y.key(), i < j, "{x:?} {y:?}");
                assert_eq!(x.before(y), i < j, "{x:?} {y:?}");
                assert_eq!(x.same(y), i == j, "{x:?} {y:?}");
                assert_eq!(x.id() == y.id(), i == j, "{x:?} {y:?}");
                assert_eq!(x.order(y), i.cmp(&j), "{x:?} {y:?}");
            }
        }
    }

    #[test]
    fn keys_keep_the_order() {
        let inf = f64::INFINITY;
        ordered(&[
            f64::NAN,
            -inf,
            f64::MIN,
            -1.0,
            -f64::MIN_POSITIVE,
            -5e-324,
            -0.0,
            5e-324,
            1.0,
            f64::MAX,
            inf,
        ]);
        ordered(&[f32::NAN, f32::NEG_INFINITY, -1.0, -1e-45, 0.0, 1e-45, 1.0, f32::MAX, f32::INFINITY]);
        ordered(&[i64::MIN, -i64::MAX, -1, 0, 1, i64::MAX]);
        ordered(&[i32::MIN, -i32::MAX, -1, 0, 1, i32::MAX]);
        ordered(&[i16::MIN, -i16::MAX, -1, 0, 1, i16::MAX]);
        ordered(&[0u8, 1, 255]);
        assert_eq!((-0.0f64).key(), 0.0f64.key());
        assert_eq!(f64::from_bits(0xfff8_0000_dead_beef).key(), 0);
        assert_eq!((i64::MIN.key(), i32::MIN.key(), i16::MIN.key()), (0, 0, 0));
    }

    #[test]
    fn tolerance() {
        let near = 1.0 + TOLERANCE;
        assert!(close(1.0, near) && !close(1.0, 1.0 + 3.0 * TOLERANCE));
        assert!(close(1e13, 1e13 - 1.0) && !close(0.0, 5e-324) && close(0.0, -0.0));
        assert!(close(f64::NAN, -f64::NAN) && !close(f64::NAN, f64::NEG_INFINITY));
        assert!(close(f64::INFINITY, f64::INFINITY) && !close(f64::INFINITY, f64::MAX));
        assert!(!close(f64::MAX, f64::MIN) && !close(f64::INFINITY, f64::NEG_INFINITY));
        assert!(!1.0.less(near) && 1.0.before(near) && f64::NAN.less(f64::NEG_INFINITY));
    }
}
