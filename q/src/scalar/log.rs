//! `log` and `exp` on one float: within 0.8 units in the last place of the exact value, the same bits on every
//! machine, and free of branches, calls and tables, so that a loop over them is vectorised.
//!
//! Both reduce their argument by powers of two to a small interval, take a polynomial there (the minimax one, made
//! by Remez' exchange), and add the parts from the largest down, each with the rounding error of the sum before it.
//! Nothing relies on a fused multiply-add, which not every machine that we run on has.

use crate::scalar::Item;

/// The leading 42 bits of the logarithm of 2: a multiple by any exponent is exact.
const LN2_HIGH: f64 = 0.6931471805598903;
/// The rest of it.
const LN2_LOW: f64 = 5.497923018708371e-14;
/// The bits of the root of a half, where the interval that `log` reduces to begins; it ends at the root of two.
const HALF_ROOT: u64 = 0x3fe6_a09e_667f_3bcd;
/// A float's bits below its exponent.
const FRACTION: u64 = (1 << 52) - 1;
/// The exponent of a float is its bits above the fraction less this.
const BIAS: u64 = 1023;

/// The natural logarithm: minus infinity of either zero, null of what is less.
#[inline(always)]
pub fn log(x: f64) -> f64 {
    // Subnormals become normal by 2^54, which their exponent is then less.
    let subnormal = x < f64::MIN_POSITIVE;
    let y = if subnormal { x * (1u64 << 54) as f64 } else { x };
    let less = if subnormal { BIAS + 54 } else { BIAS };
    // y is 2^k * (1 + f), with 1 + f in the interval. 2^52 + n has n in its low bits, which makes k a float.
    let bits = y.to_bits().wrapping_add((BIAS << 52) - HALF_ROOT);
    let k = f64::from_bits((bits >> 52) | ((BIAS + 52) << 52)) - ((1 << 52) + less) as f64;
    let f = f64::from_bits((bits & FRACTION) + HALF_ROOT) - 1.0;
    // With s = f/(2+f), log(1+f) is 2s + s*r, and r a polynomial in s squared; 2s is f - f*f/2 + s*f*f/2.
    const C: [f64; 7] = [
        0.6666666666666734,
        0.3999999999941468,
        0.2857142874238703,
        0.22222198573260887,
        0.18183564321557324,
        0.15314050680672042,
        0.14795948320901628,
    ];
    let s = f / (2.0 + f);
    let z = s * s;
    let z2 = z * z;
    let r = z * ((C[0] + z * C[1]) + z2 * ((C[2] + z * C[3]) + z2 * ((C[4] + z * C[5]) + z2 * C[6])));
    // The half square in two parts: that of f's upper bits, which is exact, and the little that is left.
    let upper = f64::from_bits(f.to_bits() & !0x07ff_ffff);
    let high = 0.5 * upper * upper;
    let low = 0.5 * (f - upper) * (f + upper);
    let one = f - high;
    let lost = (f - one) - high;
    let whole = k * LN2_HIGH;
    let sum = whole + one;
    let lost = lost + ((whole - sum) + one);
    let log = sum + (s * ((high + low) + r) - low + (lost + k * LN2_LOW));
    let log = if x < f64::INFINITY { log } else { x };
    let none = if x == 0.0 { f64::NEG_INFINITY } else { f64::NULL };
    if x > 0.0 { log } else { none }
}

/// The exponential.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    // Beyond these all is infinity or zero.
    let x = if x > 710.0 { 710.0 } else { x };
    let x = if x < -746.0 { -746.0 } else { x };
    // x is k*log 2 + r + lost; adding 1.5 * 2^52 rounds to a whole number and leaves that in the low bits.
    let turn = (3u64 << 51) as f64;
    let bits = x * std::f64::consts::LOG2_E + turn;
    let k = bits - turn;
    let (high, low) = (x - k * LN2_HIGH, k * LN2_LOW);
    let r = high - low;
    let lost = (high - r) - low;
    // exp r is 1 + r + r*r*p.
    const C: [f64; 10] = [
        0.5000000000000012,
        0.166666666666667,
        0.041666666666515535,
        0.00833333333330722,
        0.0013888888946981851,
        0.00019841269917348156,
        2.4801489980387778e-05,
        2.755721633334096e-06,
        2.7631265798148267e-07,
        2.5117850546114413e-08,
    ];
    let r2 = r * r;
    let r4 = r2 * r2;
    let p = ((C[0] + r * C[1]) + r2 * (C[2] + r * C[3]))
        + r4 * (((C[4] + r * C[5]) + r2 * (C[6] + r * C[7])) + r4 * (C[8] + r * C[9]));
    let sum = 1.0 + r;
    let exp = sum + (r2 * p + (((1.0 - sum) + r) + lost * sum));
    // By 2^k in two steps, as neither 2^1024 nor what makes a subnormal is a float.
    let k = bits.to_bits().wrapping_add(2 * BIAS) & 0xffff;
    exp * f64::from_bits((k >> 1) << 52) * f64::from_bits((k - (k >> 1)) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_float::{FBig, round::mode::HalfEven};

    /// How far `got` is from the exact value, in units of the last place of the nearest float.
    fn ulps(got: f64, exact: &FBig<HalfEven>) -> f64 {
        let near = exact.to_f64().value().abs();
        let unit = if near < f64::MIN_POSITIVE { f64::from_bits(1) } else { near.next_up() - near };
        let got = FBig::<HalfEven>::try_from(got).expect("a number").with_precision(200).value();
        let far = (got - exact).to_f64().value().abs();
        // A unit may be so small that the distance is below every float.
        if unit < 1e-290 { far * 1e16 / (unit * 1e16) } else { far / unit }
    }

    /// The worst of `f` against `exact` over the numbers.
    fn worst(f: fn(f64) -> f64, exact: fn(&FBig<HalfEven>) -> FBig<HalfEven>, over: &[f64]) -> (f64, f64) {
        let of = |&x: &f64| {
            let wide = FBig::try_from(x).expect("a number").with_precision(200).value();
            (ulps(f(x), &exact(&wide)), x)
        };
        over.iter().map(of).fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a })
    }

    /// Numbers near each end of every interval, near 1, and of every size, drawn with a fixed seed.
    fn numbers(rng: &mut fastrand::Rng) -> Vec<f64> {
        let mut all =
            vec![f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1), 0.5f64.sqrt(), 2f64.sqrt(), 0.75, 3.0];
        for _ in 0..1000 {
            all.push(f64::from_bits(rng.u64(1..f64::INFINITY.to_bits())));
            all.push(f64::from_bits((rng.u64(1..1 << 52) >> rng.u32(0..52)).max(1)));
            all.push(f64::from_bits(HALF_ROOT + rng.u64(0..1 << 53)));
            all.push(1.0 + (rng.f64() - 0.5) * 2f64.powi(-rng.i32(0..52)));
            all.push(f64::from_bits((HALF_ROOT + (rng.u64(0..200) << 52)) + rng.u64(0..64) - 32));
            all.push(rng.u32(..) as f64);
        }
        all.retain(|&x| x != 1.0);
        all
    }

    #[test]
    fn log_is_within_its_bound() {
        let (error, x) = worst(log, |x| x.ln(), &numbers(&mut fastrand::Rng::with_seed(1)));
        assert!(error < 0.67, "{error} at {x:e}");
    }

    #[test]
    fn exp_is_within_its_bound() {
        let mut rng = fastrand::Rng::with_seed(2);
        let mut all = vec![709.782712893384, -745.1332191019411, -708.3964185322641, f64::from_bits(1)];
        for _ in 0..1000 {
            all.push((rng.f64() - 0.51) * 1450.0);
            all.push((rng.f64() - 0.5) * 4.0);
            all.push((rng.f64() - 0.5) * 2f64.powi(-rng.i32(0..80)));
            all.push(-708.0 - rng.f64() * 37.0);
            all.push((rng.i32(-1074..1023) as f64 + 0.5) * std::f64::consts::LN_2);
        }
        all.retain(|&x| x != 0.0);
        let (error, x) = worst(exp, |x| x.exp(), &all);
        assert!(error < 0.8, "{error} at {x:e}");
    }

    #[test]
    fn edges_are_exact() {
        let same = |x: f64, y: f64| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
        let inf = f64::INFINITY;
        for (x, want) in
            [(0.0, -inf), (-0.0, -inf), (1.0, 0.0), (inf, inf), (-inf, f64::NAN), (f64::NAN, f64::NAN)]
        {
            assert!(same(log(x), want), "log {x} is {}", log(x));
        }
        assert!(log(-f64::from_bits(1)).is_nan() && log(f64::MIN).is_nan());
        let edges = [(0.0, 1.0), (-0.0, 1.0), (inf, inf), (-inf, 0.0), (f64::NAN, f64::NAN), (f64::MAX, inf)];
        let ends =
            [(709.7827128933841, inf), (-745.1332191019412, 0.0), (-745.1332191019411, f64::from_bits(1))];
        for (x, want) in edges.into_iter().chain(ends) {
            assert!(same(exp(x), want), "exp {x} is {}", exp(x));
        }
        assert!(exp(709.782712893384) < inf);
    }
}
