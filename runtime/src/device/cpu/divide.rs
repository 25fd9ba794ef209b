//! `xbar`, `div` and `mod` of integers by one atom, without a divide instruction for each row: the quotient is
//! estimated by floats, which vectorises, and corrected to the exact one.

use super::loops::map1;
use super::ops::{Step, map, step};
use super::tile::{At, Line};
use q::scalar::Item;
use q::{Kind, Prim, Store};

/// Divisors up to this one keep the remainders below from overflowing.
const MOST: i64 = 1 << 62;

/// The step of `p` whose divisor is an atom; none if `p` is no division, or not one of integers by an atom.
pub fn by_atom(p: Prim, kind: Kind, args: &[At], out: usize) -> Option<Step> {
    let (&divisor, &x) = match (p, args) {
        (Prim::Xbar, [divisor, x]) | (Prim::Div | Prim::Mod, [x, divisor]) => (divisor, x),
        _ => return None,
    };
    if !matches!(divisor, At::Atom(_)) || matches!(x, At::Atom(_)) {
        return None;
    }
    let slow = map(p, kind, args, out)?;
    match kind.store() {
        Store::J => {
            let fast = step(out, move |t, out: &mut [Line<i64>]| {
                let by = *t.src::<i64>(divisor).at(0);
                let inverse = 1.0 / by as f64;
                map1(move |x| or_null(x, result(p, x, by, floor_j(x, by, inverse))), t.src(x), out);
            });
            Some(Box::new(move |t| {
                let by = *t.src::<i64>(divisor).at(0);
                if (1..=MOST).contains(&by) { fast(t) } else { slow(t) }
            }))
        }
        Store::I => {
            let fast = step(out, move |t, out: &mut [Line<i32>]| {
                let by = *t.src::<i32>(divisor).at(0);
                let f = move |x: i32| result(p, x as i64, by as i64, floor_i(x, by) as i64) as i32;
                map1(move |x| or_null(x, f(x)), t.src(x), out);
            });
            Some(Box::new(move |t| if *t.src::<i32>(divisor).at(0) > 0 { fast(t) } else { slow(t) }))
        }
        _ => None,
    }
}

#[inline(always)]
fn or_null<T: Item>(x: T, y: T) -> T {
    if x.is_null() { T::NULL } else { y }
}

/// What `p` makes of the quotient.
#[inline(always)]
fn result(p: Prim, x: i64, by: i64, quotient: i64) -> i64 {
    match p {
        Prim::Xbar => quotient.wrapping_mul(by),
        Prim::Mod => x.wrapping_sub(quotient.wrapping_mul(by)),
        _ => quotient,
    }
}

/// `x` over `by`, rounded down. The first estimate is off by the rounding of a quotient of up to 63 bits, so the
/// remainder it leaves is divided again; that is off by one at most.
#[inline(always)]
fn floor_j(x: i64, by: i64, inverse: f64) -> i64 {
    let first = (x as f64 * inverse).floor() as i64;
    let left = x.wrapping_sub(first.wrapping_mul(by));
    let second = first.wrapping_add((left as f64 * inverse).floor() as i64);
    let left = x.wrapping_sub(second.wrapping_mul(by));
    second + (left >= by) as i64 - (left < 0) as i64
}

/// `x` over `by`, rounded down: a float holds ints and their quotients well enough for no correction.
#[inline(always)]
fn floor_i(x: i32, by: i32) -> i32 {
    (x as f64 / by as f64).floor() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cpu::tests::Random;

    #[test]
    fn quotients_are_exact() {
        let edges = [
            1,
            2,
            3,
            5,
            7,
            60,
            1000,
            86_400,
            i32::MAX as i64,
            60_000_000_000,
            86_400_000_000_000,
            MOST - 1,
            MOST,
        ];
        let mut random = Random(1);
        // As likely small as large.
        let mut random = move || {
            let x = random.word();
            x as i64 >> (x & 63)
        };
        for by in edges {
            for i in 0..20_000i64 {
                let near = (random() / by).wrapping_mul(by).wrapping_add(i % 3 - 1);
                for x in [random(), near, i64::MAX - i, -i64::MAX + i, i - 10_000] {
                    assert_eq!(floor_j(x, by, 1.0 / by as f64), x.div_euclid(by), "{x} {by}");
                    if let (Ok(x), Ok(by)) = (i32::try_from(x), i32::try_from(by)) {
                        assert_eq!(floor_i(x, by), x.div_euclid(by), "{x} {by}");
                    }
                }
            }
        }
    }
}
