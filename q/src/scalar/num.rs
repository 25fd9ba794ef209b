//! Arithmetic on one element: integers wrap and check for null at every operator, floats are IEEE 754.

use super::item::Item;
use super::log::{exp, log};

/// A number that q computes with: `i16` (`neg` and `abs` only), `i32`, `i64`, `f32`, `f64`.
pub trait Num: Item {
    /// `x+y`.
    fn add(self, y: Self) -> Self;
    /// `x-y`.
    fn sub(self, y: Self) -> Self;
    /// `x*y`.
    fn mul(self, y: Self) -> Self;
    /// `neg x`.
    fn neg(self) -> Self;
    /// `abs x`.
    fn abs(self) -> Self;
    /// `signum x` as -1, 0 or 1; the null is negative, as it is less than zero.
    fn signum(self) -> i32;
    /// `x div y`, rounded towards minus infinity. An integer divided by zero is null; a float follows
    /// `floor x%y`, so it may be infinite.
    ///
    /// By 0 it is null for integers, as `mod` is: q's documentation leaves that open.
    fn div(self, y: Self) -> Self;
    /// `x mod y`: `x-y*x div y`, with the sign of `y`; an integer modulo zero is null.
    fn modulo(self, y: Self) -> Self;
    /// `x xbar y`: `x*y div x`; null where `x` is zero.
    fn xbar(self, y: Self) -> Self;
}

macro_rules! int {
    ($($t:ty;)*) => {$(
        impl Num for $t {
            #[inline(always)]
            fn add(self, y: Self) -> Self {
                let z = self.wrapping_add(y);
                if self.is_null() | y.is_null() { Self::NULL } else { z }
            }
            #[inline(always)]
            fn sub(self, y: Self) -> Self {
                let z = self.wrapping_sub(y);
                if self.is_null() | y.is_null() { Self::NULL } else { z }
            }
            #[inline(always)]
            fn mul(self, y: Self) -> Self {
                let z = self.wrapping_mul(y);
                if self.is_null() | y.is_null() { Self::NULL } else { z }
            }
            // The null is its own negative.
            #[inline(always)]
            fn neg(self) -> Self { self.wrapping_neg() }
            #[inline(always)]
            fn abs(self) -> Self { self.wrapping_abs() }
            #[inline(always)]
            fn signum(self) -> i32 { (self > 0) as i32 - (self < 0) as i32 }
            #[inline(always)]
            fn div(self, y: Self) -> Self {
                let none = self.is_null() | y.is_null() | (y == 0);
                let by = if none { 1 } else { y };
                let (q, r) = (self.wrapping_div(by), self.wrapping_rem(by));
                let floor = q - ((r != 0) & ((r < 0) != (by < 0))) as $t;
                if none { Self::NULL } else { floor }
            }
            #[inline(always)]
            fn modulo(self, y: Self) -> Self {
                let none = self.is_null() | y.is_null() | (y == 0);
                let by = if none { 1 } else { y };
                let r = self.wrapping_rem(by);
                let up = if (r != 0) & ((r < 0) != (by < 0)) { by } else { 0 };
                if none { Self::NULL } else { r + up }
            }
            #[inline(always)]
            fn xbar(self, y: Self) -> Self { self.mul(y.div(self)) }
        }
    )*};
}
int! { i16; i32; i64; }

macro_rules! float {
    ($($t:ty;)*) => {$(
        impl Num for $t {
            #[inline(always)]
            fn add(self, y: Self) -> Self { self + y }
            #[inline(always)]
            fn sub(self, y: Self) -> Self { self - y }
            #[inline(always)]
            fn mul(self, y: Self) -> Self { self * y }
            #[inline(always)]
            fn neg(self) -> Self { -self }
            #[inline(always)]
            fn abs(self) -> Self { <$t>::abs(self) }
            #[inline(always)]
            fn signum(self) -> i32 { (self > 0.0) as i32 - ((self < 0.0) | self.is_nan()) as i32 }
            #[inline(always)]
            fn div(self, y: Self) -> Self { (self / y).floor() }
            #[inline(always)]
            fn modulo(self, y: Self) -> Self { self - y * self.div(y) }
            #[inline(always)]
            fn xbar(self, y: Self) -> Self { self * y.div(self) }
        }
    )*};
}
float! { f32; f64; }

/// `x%y`.
#[inline(always)]
pub fn divide(x: f64, y: f64) -> f64 {
    x / y
}

/// `reciprocal x`.
#[inline(always)]
pub fn recip(x: f64) -> f64 {
    1.0 / x
}

/// `floor x`, exact, as a long; beyond the longs it is an infinity.
#[inline(always)]
pub fn floor(x: f64) -> i64 {
    super::cast::to_long(x.floor())
}

/// `ceiling x`, exact, as a long; beyond the longs it is an infinity.
#[inline(always)]
pub fn ceiling(x: f64) -> i64 {
    super::cast::to_long(x.ceil())
}

/// `x xexp y`, which q computes as `exp y*log x`: so `2 xexp 3` is a bit less than 8. A negative base has the
/// power of its magnitude, negative where y is odd; where y is no whole number there is none. Zero to the zero
/// is 1, as a polynomial's constant term needs it.
#[inline(always)]
pub fn xexp(x: f64, y: f64) -> f64 {
    let signed = (x < 0.0) & is_whole(y);
    let power = exp(y * log(if signed { -x } else { x }));
    let power = if signed & !is_whole(y * 0.5) { -power } else { power };
    if (x == 0.0) & (y == 0.0) { 1.0 } else { power }
}

/// True for a whole number, without the call that rounding is where a processor has no instruction for it.
#[inline(always)]
fn is_whole(x: f64) -> bool {
    // Floats from 2^52 on are whole; adding it to a lesser one rounds that.
    const FROM: f64 = (1u64 << 52) as f64;
    let size = x.abs();
    (size < f64::INFINITY) & ((size >= FROM) | ((size + FROM) - FROM == size))
}

/// `x xlog y`: the logarithm of y to the base x.
#[inline(always)]
pub fn xlog(x: f64, y: f64) -> f64 {
    log(y) / log(x)
}
