//! Element rules: what each elementwise primitive does to one element, nulls included.
//!
//! Every function is generic over the storage and inlines into any loop: [`with1`], [`with2`] and
//! [`with_cast`] hand the function of a primitive and a kind, as a zero-sized callable, to whoever loops (the
//! interpreter over slices, the CPU engine over tiles). [`name`] and [`cast::Cast::By`] say what the same
//! function is called where functions have names: `add_j`, `cast_d_p`. All are free of branches that a
//! compiler could not turn into selects.

pub mod cast;
pub mod item;
pub mod like;
pub mod log;
pub mod num;

pub use item::{BLANK, Item, Key};
pub use num::Num;

use crate::fun::Prim;
use crate::kind::{Kind, Store};
use crate::sym::Sym;
use cast::Cast;

/// Someone who loops over one argument.
pub trait Each1 {
    /// What the loop leaves.
    type Out;
    /// Runs with the element's function.
    fn run<A: Item, R: Item>(self, f: impl Fn(A) -> R + Copy + Send + Sync + 'static) -> Self::Out;
}

/// Someone who loops over two arguments of one storage.
pub trait Each2 {
    /// What the loop leaves.
    type Out;
    /// Runs with the elements' function.
    fn run<A: Item, R: Item>(self, f: impl Fn(A, A) -> R + Copy + Send + Sync + 'static) -> Self::Out;
}

/// The name of the function of `p` over items of kind `k` (the kind that the signature casts to): the stem
/// and the storage's letter, but `c` for chars where their blank counts as null.
pub fn name(p: Prim, k: Kind) -> String {
    let chars = k == Kind::Char && matches!(p, Prim::Null | Prim::Fill);
    format!("{}_{}", p.row().stem, if chars { 'c' } else { k.store().letter() })
}

/// `null x` of a char.
#[inline(always)]
pub fn null_char(x: u8) -> u8 {
    (x == BLANK) as u8
}

/// `x^y` of chars.
#[inline(always)]
pub fn fill_char(x: u8, y: u8) -> u8 {
    if y == BLANK { x } else { y }
}

/// `x within (low;high)`, both ends included.
#[inline(always)]
pub fn within<T: Item>(x: T, low: T, high: T) -> u8 {
    (!x.less(low) & !high.less(x)) as u8
}

/// `?[b;x;y]`.
#[inline(always)]
pub fn cond<T: Item>(b: u8, x: T, y: T) -> T {
    if b != 0 { x } else { y }
}

/// The lesser item, exactly; a null is the least.
#[inline(always)]
pub fn lesser<T: Item>(x: T, y: T) -> T {
    if y.before(x) { y } else { x }
}

/// The greater item, exactly; a null gives the other.
#[inline(always)]
pub fn greater<T: Item>(x: T, y: T) -> T {
    if x.before(y) { y } else { x }
}

/// Runs `v` with the function of the unary elementwise `p` over items of kind `k`, which is the `arg` of
/// [`crate::sig::sig1`]; none where there is no such function.
pub fn with1<V: Each1>(p: Prim, k: Kind, v: V) -> Option<V::Out> {
    use Prim::*;
    match (p, k.store()) {
        (Neg | Abs, Store::H) => sign::<i16, V>(p, v),
        (Neg | Abs | Signum, Store::I) => sign::<i32, V>(p, v),
        (Neg | Abs | Signum, Store::J) => sign::<i64, V>(p, v),
        (Neg | Abs | Signum, Store::E) => sign::<f32, V>(p, v),
        (Neg | Abs | Signum, Store::F) => sign::<f64, V>(p, v),
        (Null, Store::B) if k == Kind::Char => Some(v.run(null_char)),
        (Null | Not, Store::B) => test::<u8, V>(p, v),
        (Null | Not, Store::H) => test::<i16, V>(p, v),
        (Null | Not, Store::I) => test::<i32, V>(p, v),
        (Null | Not, Store::J) => test::<i64, V>(p, v),
        (Null | Not, Store::E) => test::<f32, V>(p, v),
        (Null | Not, Store::F) => test::<f64, V>(p, v),
        (Null, Store::G) => test::<crate::value::Guid, V>(p, v),
        (Null, Store::S) => test::<Sym, V>(p, v),
        (Floor | Ceiling, Store::H) => Some(v.run(|x: i16| x)),
        (Floor | Ceiling, Store::I) => Some(v.run(|x: i32| x)),
        (Floor | Ceiling, Store::J) => Some(v.run(|x: i64| x)),
        // `floor` of text is its lower case.
        (Floor, Store::B) => Some(v.run(|x: u8| x.to_ascii_lowercase())),
        (Floor, Store::S) => Some(v.run(|x: Sym| Sym::new(&x.text().to_ascii_lowercase()))),
        (Floor, Store::E) => Some(v.run(|x: f32| num::floor(x as f64))),
        (Floor, Store::F) => Some(v.run(num::floor)),
        (Ceiling, Store::E) => Some(v.run(|x: f32| num::ceiling(x as f64))),
        (Ceiling, Store::F) => Some(v.run(num::ceiling)),
        (Recip, Store::F) => Some(v.run(num::recip)),
        (Sqrt, Store::F) => Some(v.run(f64::sqrt)),
        (Log, Store::F) => Some(v.run(log::log)),
        (Exp, Store::F) => Some(v.run(log::exp)),
        (Sin, Store::F) => Some(v.run(f64::sin)),
        (Cos, Store::F) => Some(v.run(f64::cos)),
        (Tan, Store::F) => Some(v.run(f64::tan)),
        (Asin, Store::F) => Some(v.run(f64::asin)),
        (Acos, Store::F) => Some(v.run(f64::acos)),
        (Atan, Store::F) => Some(v.run(f64::atan)),
        _ => None,
    }
}

fn sign<T: Num, V: Each1>(p: Prim, v: V) -> Option<V::Out> {
    match p {
        Prim::Neg => Some(v.run(T::neg)),
        Prim::Abs => Some(v.run(T::abs)),
        Prim::Signum => Some(v.run(T::signum)),
        _ => None,
    }
}

fn test<T: Item, V: Each1>(p: Prim, v: V) -> Option<V::Out> {
    match p {
        Prim::Null => Some(v.run(|x: T| x.is_null() as u8)),
        Prim::Not => Some(v.run(|x: T| x.same(T::zeroed()) as u8)),
        _ => None,
    }
}

/// Runs `v` with the function of the binary elementwise `p` over items of kind `k`, which is the `x` of
/// [`crate::sig::sig2`]; none where there is no such function. `in` gives the exact equality that it rests on;
/// for `within` see [`within`].
pub fn with2<V: Each2>(p: Prim, k: Kind, v: V) -> Option<V::Out> {
    use Prim::*;
    match (p, k.store()) {
        (Add | Sub | Mul | Div | Mod | Xbar, store) => match store {
            Store::I => arithmetic::<i32, V>(p, v),
            Store::J => arithmetic::<i64, V>(p, v),
            Store::E => arithmetic::<f32, V>(p, v),
            Store::F => arithmetic::<f64, V>(p, v),
            _ => None,
        },
        (Divide, Store::F) => Some(v.run(num::divide)),
        (Xexp, Store::F) => Some(v.run(num::xexp)),
        (Xlog, Store::F) => Some(v.run(num::xlog)),
        (Fill, Store::B) if k == Kind::Char => Some(v.run(fill_char)),
        (Eq | Ne | Lt | Gt | Le | Ge | In | Lesser | Greater | Fill, store) => match store {
            Store::B => compare::<u8, V>(p, v),
            Store::G => compare::<crate::value::Guid, V>(p, v),
            Store::H => compare::<i16, V>(p, v),
            Store::I => compare::<i32, V>(p, v),
            Store::J => compare::<i64, V>(p, v),
            Store::E => compare::<f32, V>(p, v),
            Store::F => compare::<f64, V>(p, v),
            Store::S => compare::<Sym, V>(p, v),
        },
        _ => None,
    }
}

fn arithmetic<T: Num, V: Each2>(p: Prim, v: V) -> Option<V::Out> {
    match p {
        Prim::Add => Some(v.run(T::add)),
        Prim::Sub => Some(v.run(T::sub)),
        Prim::Mul => Some(v.run(T::mul)),
        Prim::Div => Some(v.run(T::div)),
        Prim::Mod => Some(v.run(T::modulo)),
        Prim::Xbar => Some(v.run(T::xbar)),
        _ => None,
    }
}

fn compare<T: Item, V: Each2>(p: Prim, v: V) -> Option<V::Out> {
    match p {
        Prim::Eq => Some(v.run(|x: T, y: T| x.equal(y) as u8)),
        Prim::Ne => Some(v.run(|x: T, y: T| !x.equal(y) as u8)),
        Prim::Lt => Some(v.run(|x: T, y: T| x.less(y) as u8)),
        Prim::Gt => Some(v.run(|x: T, y: T| y.less(x) as u8)),
        Prim::Le => Some(v.run(|x: T, y: T| !y.less(x) as u8)),
        Prim::Ge => Some(v.run(|x: T, y: T| !x.less(y) as u8)),
        Prim::In => Some(v.run(|x: T, y: T| x.same(y) as u8)),
        Prim::Lesser => Some(v.run(lesser::<T>)),
        Prim::Greater => Some(v.run(greater::<T>)),
        Prim::Fill => Some(v.run(|x: T, y: T| if y.is_null() { x } else { y })),
        _ => None,
    }
}

/// Runs `v` with the function that casts items of kind `from` to kind `to`; none where [`cast::cast`] has no
/// such cast or keeps the bits.
pub fn with_cast<V: Each1>(from: Kind, to: Kind, v: V) -> Option<V::Out> {
    use Kind::*;
    let Some(Cast::By(from, to)) = cast::cast(from, to) else { return None };
    match (from, to) {
        (Char, Bool) => Some(v.run(cast::always)),
        (Byte, Bool) => Some(v.run(cast::truth::<u8>)),
        (Short, Bool) => Some(v.run(cast::truth::<i16>)),
        (Int, Bool) => Some(v.run(cast::truth::<i32>)),
        (Long, Bool) => Some(v.run(cast::truth::<i64>)),
        (Real, Bool) => Some(v.run(cast::truth::<f32>)),
        (Float, Bool) => Some(v.run(cast::truth::<f64>)),
        (Byte, Short) => Some(v.run(cast::number::<u8, i16>)),
        (Byte, Int) => Some(v.run(cast::number::<u8, i32>)),
        (Byte, Long) => Some(v.run(cast::number::<u8, i64>)),
        (Byte, Real) => Some(v.run(cast::number::<u8, f32>)),
        (Byte, Float) => Some(v.run(cast::number::<u8, f64>)),
        (Short, Byte) => Some(v.run(cast::number::<i16, u8>)),
        (Short, Int) => Some(v.run(cast::number::<i16, i32>)),
        (Short, Long) => Some(v.run(cast::number::<i16, i64>)),
        (Short, Real) => Some(v.run(cast::number::<i16, f32>)),
        (Short, Float) => Some(v.run(cast::number::<i16, f64>)),
        (Int, Byte) => Some(v.run(cast::number::<i32, u8>)),
        (Int, Short) => Some(v.run(cast::number::<i32, i16>)),
        (Int, Long) => Some(v.run(cast::number::<i32, i64>)),
        (Int, Real) => Some(v.run(cast::number::<i32, f32>)),
        (Int, Float) => Some(v.run(cast::number::<i32, f64>)),
        (Long, Byte) => Some(v.run(cast::number::<i64, u8>)),
        (Long, Short) => Some(v.run(cast::number::<i64, i16>)),
        (Long, Int) => Some(v.run(cast::number::<i64, i32>)),
        (Long, Real) => Some(v.run(cast::number::<i64, f32>)),
        (Long, Float) => Some(v.run(cast::number::<i64, f64>)),
        (Real, Byte) => Some(v.run(cast::number::<f32, u8>)),
        (Real, Short) => Some(v.run(cast::number::<f32, i16>)),
        (Real, Int) => Some(v.run(cast::number::<f32, i32>)),
        (Real, Long) => Some(v.run(cast::number::<f32, i64>)),
        (Real, Float) => Some(v.run(cast::number::<f32, f64>)),
        (Float, Byte) => Some(v.run(cast::number::<f64, u8>)),
        (Float, Short) => Some(v.run(cast::number::<f64, i16>)),
        (Float, Int) => Some(v.run(cast::number::<f64, i32>)),
        (Float, Long) => Some(v.run(cast::number::<f64, i64>)),
        (Float, Real) => Some(v.run(cast::number::<f64, f32>)),
        (Timestamp, Month) => Some(v.run(cast::p_m)),
        (Timestamp, Date) => Some(v.run(cast::p_d)),
        (Timestamp | Timespan, Datetime) => Some(v.run(cast::p_z)),
        (Timestamp, Timespan) => Some(v.run(cast::p_n)),
        (Timestamp, Minute) => Some(v.run(cast::p_u)),
        (Timestamp, Second) => Some(v.run(cast::p_v)),
        (Timestamp, Time) => Some(v.run(cast::p_t)),
        (Month, Timestamp) => Some(v.run(cast::m_p)),
        (Month, Date) => Some(v.run(cast::m_d)),
        (Month, Datetime) => Some(v.run(cast::m_z)),
        (Date, Timestamp) => Some(v.run(cast::d_p)),
        (Date, Month) => Some(v.run(cast::d_m)),
        (Date, Datetime) => Some(v.run(cast::d_z)),
        (Date, Timespan) => Some(v.run(cast::d_n)),
        (Date, Minute | Second | Time) => Some(v.run(cast::d_t)),
        (Datetime, Timestamp) => Some(v.run(cast::z_p)),
        (Datetime, Month) => Some(v.run(cast::z_m)),
        (Datetime, Date) => Some(v.run(cast::z_d)),
        (Datetime, Timespan) => Some(v.run(cast::z_n)),
        (Datetime, Minute) => Some(v.run(cast::z_u)),
        (Datetime, Second) => Some(v.run(cast::z_v)),
        (Datetime, Time) => Some(v.run(cast::z_t)),
        (Timespan, Minute) => Some(v.run(cast::n_u)),
        (Timespan, Second) => Some(v.run(cast::n_v)),
        (Timespan, Time) => Some(v.run(cast::n_t)),
        (Minute, Timespan) => Some(v.run(cast::u_n)),
        (Minute, Datetime) => Some(v.run(cast::u_z)),
        (Minute, Second) => Some(v.run(cast::u_v)),
        (Minute, Time) => Some(v.run(cast::u_t)),
        (Second, Timespan) => Some(v.run(cast::v_n)),
        (Second, Datetime) => Some(v.run(cast::v_z)),
        (Second, Minute) => Some(v.run(cast::v_u)),
        (Second, Time) => Some(v.run(cast::v_t)),
        (Time, Timespan) => Some(v.run(cast::t_n)),
        (Time, Datetime) => Some(v.run(cast::t_z)),
        (Time, Minute) => Some(v.run(cast::t_u)),
        (Time, Second) => Some(v.run(cast::t_v)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fun::{Class, FUNS};
    use crate::sig::{sig1, sig2};

    /// The storages of a function's argument and result.
    struct Stores;
    impl Each1 for Stores {
        type Out = (Store, Store);
        fn run<A: Item, R: Item>(self, _: impl Fn(A) -> R + Copy + Send + Sync + 'static) -> Self::Out {
            (A::STORE, R::STORE)
        }
    }
    impl Each2 for Stores {
        type Out = (Store, Store);
        fn run<A: Item, R: Item>(self, _: impl Fn(A, A) -> R + Copy + Send + Sync + 'static) -> Self::Out {
            (A::STORE, R::STORE)
        }
    }

    /// A cast that a signature asks for must exist and fit; an enumeration is looked up instead.
    fn casts(from: Kind, to: Kind) {
        if from == Kind::Enum {
            assert!(matches!(to, Kind::Sym | Kind::Enum));
            return;
        }
        match cast::cast(from, to) {
            Some(Cast::Keep) => assert_eq!(from.store(), to.store()),
            Some(Cast::By(..)) => {
                assert_eq!(with_cast(from, to, Stores), Some((from.store(), to.store())), "{from:?} {to:?}");
            }
            None => panic!("{from:?} does not cast to {to:?}"),
        }
    }

    #[test]
    fn every_signature_has_its_function_and_casts() {
        for f in FUNS.iter().filter(|f| f.class == Class::Map && !matches!(f.prim, Prim::Within | Prim::Like))
        {
            for x in Kind::ALL {
                if let Some(s) = sig1(f.prim, x).filter(|_| f.max == 1) {
                    casts(x, s.arg);
                    assert_eq!(
                        with1(f.prim, s.arg, Stores),
                        Some((s.arg.store(), s.out.store())),
                        "{} {x:?}",
                        f.stem
                    );
                }
                for y in Kind::ALL {
                    if let Some(s) = sig2(f.prim, x, y) {
                        casts(x, s.x);
                        casts(y, s.y);
                        casts(s.via, s.out);
                        let want = Some((s.x.store(), s.via.store()));
                        assert_eq!(with2(f.prim, s.x, Stores), want, "{} {x:?} {y:?}", f.stem);
                    }
                }
            }
        }
    }

    /// Whether a float function gives the same on two arguments, NaNs being one.
    struct Alike(f64, f64);
    impl Each1 for Alike {
        type Out = bool;
        fn run<A: Item, R: Item>(self, f: impl Fn(A) -> R + Copy + Send + Sync + 'static) -> bool {
            let (x, y) = (A::of_raw(crate::value::Raw::F(self.0)), A::of_raw(crate::value::Raw::F(self.1)));
            x.zip(y).is_some_and(|(x, y)| f(x).same(f(y)))
        }
    }
    impl Each2 for Alike {
        type Out = bool;
        fn run<A: Item, R: Item>(self, f: impl Fn(A, A) -> R + Copy + Send + Sync + 'static) -> bool {
            let (x, y) = (A::of_raw(crate::value::Raw::F(self.0)), A::of_raw(crate::value::Raw::F(self.1)));
            let other = |n: f64| A::of_raw(crate::value::Raw::F(n));
            let all = [f64::NAN, f64::NEG_INFINITY, 0.0, 1.5].map(|n| {
                x.zip(y)
                    .zip(other(n))
                    .is_some_and(|((x, y), n)| f(x, n).same(f(y, n)) && f(n, x).same(f(n, y)))
            });
            all == [true; 4]
        }
    }

    #[test]
    fn every_nan_is_the_one_null() {
        let odd = [0x7ff0_0000_0000_0001, 0xfff8_0000_dead_beef, 0xffff_ffff_ffff_ffff].map(f64::from_bits);
        let mut tried = 0;
        for (f, x) in FUNS.iter().flat_map(|f| odd.map(|x| (f, x))) {
            for same in [
                with1(f.prim, Kind::Float, Alike(x, f64::NAN)).filter(|_| f.max == 1),
                with2(f.prim, Kind::Float, Alike(x, f64::NAN)).filter(|_| f.max == 2),
            ] {
                assert_ne!(same, Some(false), "{} {:x}", f.stem, x.to_bits());
                tried += same.is_some() as usize;
            }
        }
        for to in Kind::ALL {
            for (from, x) in [Kind::Float, Kind::Datetime].into_iter().flat_map(|k| odd.map(|x| (k, x))) {
                let same = with_cast(from, to, Alike(x, f64::NAN));
                assert_ne!(same, Some(false), "{from:?} to {to:?} {:x}", x.to_bits());
                tried += same.is_some() as usize;
            }
        }
        assert!(tried > 120, "{tried}");
    }

    #[test]
    fn every_cast_has_its_function() {
        let mut n = 0;
        for (x, y) in Kind::ALL.into_iter().flat_map(|x| Kind::ALL.map(|y| (x, y))) {
            if cast::cast(x, y).is_some() && x != Kind::Enum {
                casts(x, y);
                n += 1;
            }
        }
        assert!(n > 240, "{n}");
    }
}
