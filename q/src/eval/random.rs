//! `x?y` with a number on the left: roll (with replacement), deal (without) and permute.

use super::Interp;
use super::item::{gather, item};
use crate::buf::Buf;
use crate::error::{Error, Result, length_error, type_error};
use crate::kind::{Kind, Store};
use crate::sym::Sym;
use crate::value::{Elem, Guid, Raw, Value};
use rustc_hash::FxHashSet;

/// The generator and the seed that `\S` shows. The stream is our own, not kdb+'s.
#[derive(Clone, Debug)]
pub struct Random {
    rng: fastrand::Rng,
    seed: i32,
}

impl Default for Random {
    /// q's seed at the start of every session.
    fn default() -> Random {
        Random::new(-314_159)
    }
}

impl Random {
    /// A generator that always gives the same stream for a seed.
    pub fn new(seed: i32) -> Random {
        Random { rng: fastrand::Rng::with_seed(seed as u32 as u64), seed }
    }

    /// The seed that it was made from.
    pub fn seed(&self) -> i32 {
        self.seed
    }
}

/// How many items one call may make: beyond that there is no memory for them.
const MOST: u64 = 1 << 36;

const DAY_MINUTES: i32 = 1440;

/// `x?y` for an integer atom `x`: that many items at random. `y` is a list to draw from, or an atom that says
/// of what kind: an integer, float or temporal `y` is what the items lie below (0 for any, but for any time of
/// day where `y` is one), `0b`, `0x0`, `0Ng` and `" "` ask for bits, bytes, guids and letters, a symbol `` `n``
/// for names of n letters. A negative `x` draws without replacement, and `0N` permutes.
pub fn roll(q: &mut Interp, x: &Value, y: &Value) -> Result<Value> {
    q.touch();
    let Some(n) = x.as_long() else { return type_error() };
    if n.unsigned_abs() > MOST && n != i64::MIN {
        return Err(Error::new("wsfull"));
    }
    let rng = &mut q.random.rng;
    match y {
        Value::Fun(_) => type_error(),
        Value::Atom(a) => match (a.kind, a.raw) {
            (Kind::Enum, _) => type_error(),
            _ if n == i64::MIN => match y.as_long() {
                Some(m) if m >= 0 => Ok(below(a.kind, &deal(rng, m as u64, m as u64)?)),
                _ => type_error(),
            },
            _ if n < 0 => deal_atom(rng, n.unsigned_abs(), y),
            (kind, raw) => roll_atom(rng, n as usize, kind, raw),
        },
        _ => {
            let m = y.count() as u64;
            let at = match n {
                i64::MIN => deal(rng, m, m)?,
                n if n < 0 => deal(rng, n.unsigned_abs(), m)?,
                0 => vec![],
                _ if m == 0 => return length_error(),
                n => (0..n).map(|_| rng.u64(0..m) as i64).collect(),
            };
            Ok(match y {
                Value::Dict(d) => gather(&d.vals, &at),
                _ => gather(y, &at),
            })
        }
    }
}

/// Longs below some count, as items of an integer kind.
fn below(kind: Kind, x: &[i64]) -> Value {
    let longs = Value::longs(x.iter().copied());
    super::cast::to_kind(kind, &longs).unwrap_or(longs)
}

fn fill<T: Elem>(kind: Kind, n: usize, f: impl FnMut() -> T) -> Result<Value> {
    Ok(Value::vector(kind, std::iter::repeat_with(f).take(n).collect::<Buf<T>>()))
}

fn roll_atom(rng: &mut fastrand::Rng, n: usize, kind: Kind, raw: Raw) -> Result<Value> {
    match (kind, raw) {
        (Kind::Bool, _) => fill(kind, n, || rng.bool() as u8),
        (Kind::Char, _) => fill(kind, n, || rng.u8(b'a'..=b'z')),
        (_, Raw::B(0)) => fill(kind, n, || rng.u8(..)),
        (_, Raw::B(m)) => fill(kind, n, || rng.u8(..m)),
        (_, Raw::G(_)) => fill(kind, n, || guid(rng)),
        (_, Raw::H(0)) => fill(kind, n, || rng.i16(..)),
        (_, Raw::H(m)) if m > 0 => fill(kind, n, || rng.i16(0..m)),
        (Kind::Minute, Raw::I(0)) => fill(kind, n, || rng.i32(0..DAY_MINUTES)),
        (Kind::Second, Raw::I(0)) => fill(kind, n, || rng.i32(0..60 * DAY_MINUTES)),
        (Kind::Time, Raw::I(0)) => fill(kind, n, || rng.i32(0..60_000 * DAY_MINUTES)),
        (_, Raw::I(0)) => fill(kind, n, || rng.i32(..)),
        (_, Raw::I(m)) if m > 0 => fill(kind, n, || rng.i32(0..m)),
        (_, Raw::J(0)) => fill(kind, n, || rng.i64(..)),
        (_, Raw::J(m)) if m > 0 => fill(kind, n, || rng.i64(0..m)),
        (_, Raw::E(m)) if m.is_finite() => fill(kind, n, || scaled(rng, m as f64) as f32),
        (_, Raw::F(m)) if m.is_finite() => fill(kind, n, || scaled(rng, m)),
        (_, Raw::S(s)) => {
            let letters = letters(s)?;
            fill(kind, n, || name(rng, letters))
        }
        _ => Err(Error::new("domain")),
    }
}

/// A float below `m`; 0 stands for 1.
fn scaled(rng: &mut fastrand::Rng, m: f64) -> f64 {
    rng.f64() * if m == 0.0 { 1.0 } else { m }
}

/// A random guid of version 4.
fn guid(rng: &mut fastrand::Rng) -> Guid {
    let mut bytes = rng.u128(..).to_be_bytes();
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    Guid(bytes)
}

/// How many letters `` `n`` asks for.
fn letters(s: Sym) -> Result<usize> {
    match s.text().parse() {
        Ok(n @ 1..=8) => Ok(n),
        _ if s.is_null() => Ok(1),
        _ => type_error(),
    }
}

/// A name of letters from `a` to `p`.
fn name(rng: &mut fastrand::Rng, letters: usize) -> Sym {
    let text: Vec<u8> = std::iter::repeat_with(|| rng.u8(b'a'..=b'p')).take(letters).collect();
    Sym::from_bytes(&text)
}

/// `n` different items of an atom's kind.
fn deal_atom(rng: &mut fastrand::Rng, n: u64, y: &Value) -> Result<Value> {
    let Value::Atom(a) = y else { return type_error() };
    match a.raw {
        Raw::G(_) => fill(a.kind, n as usize, || guid(rng)),
        Raw::S(s) => {
            let letters = letters(s)?;
            if n > 1 << (4 * letters as u64) {
                return length_error();
            }
            let mut seen = FxHashSet::default();
            fill(a.kind, n as usize, || {
                loop {
                    let x = name(rng, letters);
                    if seen.insert(x) {
                        break x;
                    }
                }
            })
        }
        Raw::I(_) | Raw::J(_) | Raw::H(_) if a.kind.store() != Store::B => {
            let count = item(&super::cast::to_kind(Kind::Long, y)?, 0).as_long().unwrap_or(0);
            match u64::try_from(count) {
                Ok(m) => Ok(below(a.kind, &deal(rng, n, m)?)),
                Err(_) => Err(Error::new("domain")),
            }
        }
        _ => type_error(),
    }
}

/// `n` different numbers below `m`, in random order.
fn deal(rng: &mut fastrand::Rng, n: u64, m: u64) -> Result<Vec<i64>> {
    if n > m {
        return length_error();
    }
    if m > MOST && n > MOST {
        return Err(Error::new("wsfull"));
    }
    if n < m / 4 {
        let mut seen = FxHashSet::default();
        let draw = || loop {
            let x = rng.u64(0..m);
            if seen.insert(x) {
                break x as i64;
            }
        };
        return Ok(std::iter::repeat_with(draw).take(n as usize).collect());
    }
    let mut all: Vec<i64> = (0..m as i64).collect();
    for i in 0..n as usize {
        all.swap(i, rng.usize(i..m as usize));
    }
    all.truncate(n as usize);
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deals_are_distinct_and_repeatable() {
        let mut q = Interp::default();
        let deal =
            |q: &mut Interp, n: i64, m: i64| roll(q, &Value::long(n), &Value::long(m)).expect("a deal");
        for (n, m) in [(-5, 1_000_000_000), (-100, 100), (-0, 3), (i64::MIN, 50)] {
            q.random = Random::new(7);
            let x = deal(&mut q, n, m);
            q.random = Random::new(7);
            assert!(super::super::same::same(&x, &deal(&mut q, n, m)));
            let Value::Vec(v) = &x else { panic!("a vector") };
            let items: FxHashSet<i64> = v.elems::<i64>().expect("longs").iter().copied().collect();
            assert_eq!(items.len(), x.count());
            assert!(items.iter().all(|i| (0..m).contains(i)));
        }
        assert!(roll(&mut q, &Value::long(-4), &Value::long(3)).is_err());
    }

    #[test]
    fn rolls_lie_below() {
        let mut q = Interp::default();
        let y = Value::float(2.5);
        let Ok(Value::Vec(v)) = roll(&mut q, &Value::long(1000), &y) else { panic!("a vector") };
        let x = v.elems::<f64>().expect("floats");
        assert!(x.iter().all(|x| (0.0..2.5).contains(x)) && x.iter().any(|&x| x > 2.0));
        let Ok(Value::Vec(v)) = roll(&mut q, &Value::long(9), &Value::atom(Kind::Short, 3i16)) else {
            panic!("a vector")
        };
        assert!(v.elems::<i16>().expect("shorts").iter().all(|x| (0..3).contains(x)));
        assert!(roll(&mut q, &Value::long(3), &Value::long(-1)).is_err());
        assert!(roll(&mut q, &Value::float(3.0), &Value::long(1)).is_err());
    }
}
