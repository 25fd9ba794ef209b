//! Casts of one element, from every kind to every other that q allows.
//!
//! Typed nulls stay null. What does not fit becomes the infinity of its sign, but an infinity of a number is
//! not special: `` `float$0W`` is 9.22e18. To bytes the low eight bits count, to booleans anything but zero is
//! true. Narrowing a time truncates towards minus infinity. Between a point in time and a time of day, the
//! day is dropped; the other way round, the day is 2000.01.01.

use super::item::Item;
use crate::calendar::{DAY_NS, MILLI_NS, MINUTE_NS, SECOND_NS, first_of, month_of};
use crate::kind::{Kind, Store};

/// How a cast is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cast {
    /// The bits stay: only the kind's name changes (date to int).
    Keep,
    /// The function `cast_X_Y` by the letters of these kinds, which are stored as the cast's are: date to
    /// long is `cast_i_j`.
    By(Kind, Kind),
}

/// How items of kind `from` become items of kind `to`; none is q's `'type`. Symbols and enumerations cast to
/// themselves only, but an enumeration's indices are longs; its symbols are found through its domain, not here.
pub fn cast(from: Kind, to: Kind) -> Option<Cast> {
    use Kind::*;
    if from == to || (from, to) == (Enum, Long) {
        return Some(Cast::Keep);
    }
    let plain = |k: Kind| match k.store() {
        Store::B if k == Bool => Some(Bool),
        Store::B => Some(Byte),
        Store::H => Some(Short),
        Store::I => Some(Int),
        Store::J if k != Enum => Some(Long),
        Store::E => Some(Real),
        Store::F => Some(Float),
        _ => None,
    };
    if from.is_temporal() && to.is_temporal() {
        return match (from, to) {
            (Timespan, Timestamp) => Some(Cast::Keep),
            (Timespan, Month | Date | Datetime) => Some(Cast::By(Timestamp, to)),
            (Minute | Second | Time, Timestamp) => Some(Cast::By(from, Timespan)),
            (Minute | Second | Time, Month | Date) => None,
            (Month, Timespan | Minute | Second | Time) => None,
            _ => Some(Cast::By(from, to)),
        };
    }
    match (plain(from)?, plain(to)?) {
        // Every char is true, the blank and the zero byte too.
        (_, Bool) if from == Char => Some(Cast::By(Char, Bool)),
        (Bool, Byte) => Some(Cast::Keep),
        (Bool, to) => Some(Cast::By(Byte, to)),
        (x, y) if x == y => Some(Cast::Keep),
        (x, y) => Some(Cast::By(x, y)),
    }
}

/// The nearest integer; a half goes away from zero. q's documents do not settle halves; this is the only
/// place that does.
#[inline(always)]
fn nearest(x: f64) -> f64 {
    x.round()
}

/// A float that is an integer as a long.
#[inline(always)]
pub(super) fn to_long(x: f64) -> i64 {
    // `as` saturates, and gives 0 for a NaN; the least long is the null, so it steps up to the infinity.
    let n = (x as i64).max(-i64::MAX);
    if x.is_nan() { i64::NULL } else { n }
}

/// A number as another one.
pub trait To<T> {
    /// The number converted.
    fn to(self) -> T;
}

macro_rules! widen {
    ($($from:ty => $($to:ty)*;)*) => {$($(
        impl To<$to> for $from {
            #[inline(always)]
            fn to(self) -> $to { if self.is_null() { <$to>::NULL } else { self as $to } }
        }
    )*)*};
}
// An int may lose digits as a real, a long as a float.
widen! { u8 => i16 i32 i64 f32 f64; i16 => i32 i64 f32 f64; i32 => i64 f32 f64; i64 => f32 f64; f32 => f64; f64 => f32; }

macro_rules! narrow {
    ($($from:ty => $($to:ty)*;)*) => {$($(
        impl To<$to> for $from {
            #[inline(always)]
            fn to(self) -> $to {
                let fit = self.clamp(-<$to>::MAX as $from, <$to>::MAX as $from) as $to;
                if self.is_null() { <$to>::NULL } else { fit }
            }
        }
    )*)*};
}
narrow! { i32 => i16; i64 => i16 i32; }

macro_rules! round {
    ($($from:ty => $($to:ty)*;)*) => {$($(
        impl To<$to> for $from {
            #[inline(always)]
            fn to(self) -> $to {
                let fit = (nearest(self as f64) as $to).max(-<$to>::MAX);
                if self.is_nan() { <$to>::NULL } else { fit }
            }
        }
    )*)*};
}
round! { f32 => i16 i32 i64; f64 => i16 i32 i64; }

macro_rules! low {
    ($($from:ty;)*) => {$(
        impl To<u8> for $from {
            /// The low byte of the int.
            #[inline(always)]
            fn to(self) -> u8 {
                let int: i32 = self.to();
                int as u8
            }
        }
    )*};
}
low! { i16; i64; f32; f64; }

impl To<u8> for i32 {
    #[inline(always)]
    fn to(self) -> u8 {
        self as u8
    }
}

/// Number to number, as functions over one storage.
#[inline(always)]
pub fn number<A: To<B>, B>(x: A) -> B {
    x.to()
}

/// Number to boolean: nulls are true, as is all but zero.
#[inline(always)]
pub fn truth<A: Item>(x: A) -> u8 {
    // The zero of every number is the zero pattern; -0.0 is equal to it.
    !x.same(A::zeroed()) as u8
}

/// Char to boolean.
#[inline(always)]
pub fn always(_: u8) -> u8 {
    1
}

/// A point or span of time as another one, by way of `i64`: nulls and infinities stay what they are, and a
/// result that does not fit becomes the infinity of its sign.
#[inline(always)]
fn unit<A: Item + Into<i64>, B: Item + TryFrom<i64>>(
    x: A,
    top: A,
    most: B,
    least: B,
    f: impl Fn(i64) -> i64,
) -> B {
    let n: i64 = x.into();
    let top: i64 = top.into();
    let wide = f(n);
    let end = if wide < 0 { least } else { most };
    let fit = B::try_from(wide).unwrap_or(end);
    let fit = if fit.is_null() { end } else { fit };
    let fit = if n >= top { most } else { fit };
    let fit = if n <= -top { least } else { fit };
    if x.is_null() { B::NULL } else { fit }
}

macro_rules! units {
    ($($(#[$doc:meta])* $name:ident: $from:ty => $to:ty = $f:expr;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name(x: $from) -> $to {
            unit(x, <$from>::MAX, <$to>::MAX, -<$to>::MAX, $f)
        }
    )*};
}
units! {
    /// Timestamp to month.
    p_m: i64 => i32 = |x| month_of(x.div_euclid(DAY_NS) as i32) as i64;
    /// Timestamp to date.
    p_d: i64 => i32 = |x| x.div_euclid(DAY_NS);
    /// Timestamp to the span since midnight.
    p_n: i64 => i64 = |x| x.rem_euclid(DAY_NS);
    /// Timestamp to the minute of the day.
    p_u: i64 => i32 = |x| x.rem_euclid(DAY_NS) / MINUTE_NS;
    /// Timestamp to the second of the day.
    p_v: i64 => i32 = |x| x.rem_euclid(DAY_NS) / SECOND_NS;
    /// Timestamp to the millisecond of the day.
    p_t: i64 => i32 = |x| x.rem_euclid(DAY_NS) / MILLI_NS;
    /// Month to its first instant.
    m_p: i32 => i64 = |x| first_of(x as i32).saturating_mul(DAY_NS);
    /// Month to its first day.
    m_d: i32 => i32 = |x| first_of(x as i32);
    /// Date to midnight.
    d_p: i32 => i64 = |x| x.saturating_mul(DAY_NS);
    /// Date to month.
    d_m: i32 => i32 = |x| month_of(x as i32) as i64;
    /// Date to the span since midnight, which is none.
    d_n: i32 => i64 = |_| 0;
    /// Date to a minute, second or time of the day, which is midnight.
    d_t: i32 => i32 = |_| 0;
    /// Timespan to minutes.
    n_u: i64 => i32 = |x| x.div_euclid(MINUTE_NS);
    /// Timespan to seconds.
    n_v: i64 => i32 = |x| x.div_euclid(SECOND_NS);
    /// Timespan to milliseconds.
    n_t: i64 => i32 = |x| x.div_euclid(MILLI_NS);
    /// Minutes to a timespan.
    u_n: i32 => i64 = |x| x.saturating_mul(MINUTE_NS);
    /// Minutes to seconds.
    u_v: i32 => i32 = |x| x * 60;
    /// Minutes to milliseconds.
    u_t: i32 => i32 = |x| x * 60_000;
    /// Seconds to a timespan.
    v_n: i32 => i64 = |x| x * SECOND_NS;
    /// Seconds to minutes.
    v_u: i32 => i32 = |x| x.div_euclid(60);
    /// Seconds to milliseconds.
    v_t: i32 => i32 = |x| x * 1000;
    /// Milliseconds to a timespan.
    t_n: i32 => i64 = |x| x * MILLI_NS;
    /// Milliseconds to minutes.
    t_u: i32 => i32 = |x| x.div_euclid(60_000);
    /// Milliseconds to seconds.
    t_v: i32 => i32 = |x| x.div_euclid(1000);
}

const DAY_MS: i64 = 86_400_000;

/// A datetime holds days as a float, good for milliseconds: all that it becomes is counted from the nearest
/// one. Nulls stay null, infinities infinite.
#[inline(always)]
fn from_z<B: Item + TryFrom<i64>>(x: f64, most: B, least: B, f: impl Fn(i64) -> i64) -> B {
    let ms = to_long((x * DAY_MS as f64).round());
    unit(ms, i64::MAX, most, least, f)
}

macro_rules! datetime {
    ($($(#[$doc:meta])* $name:ident => $to:ty = $f:expr;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name(x: f64) -> $to {
            from_z(x, <$to>::MAX, -<$to>::MAX, $f)
        }
    )*};
}
datetime! {
    /// Datetime to timestamp.
    z_p => i64 = |ms| ms.saturating_mul(MILLI_NS);
    /// Datetime to month.
    z_m => i32 = |ms| month_of(ms.div_euclid(DAY_MS).clamp(-i32::MAX as i64, i32::MAX as i64) as i32) as i64;
    /// Datetime to date.
    z_d => i32 = |ms| ms.div_euclid(DAY_MS);
    /// Datetime to the span since midnight.
    z_n => i64 = |ms| ms.rem_euclid(DAY_MS) * MILLI_NS;
    /// Datetime to the minute of the day.
    z_u => i32 = |ms| ms.rem_euclid(DAY_MS) / 60_000;
    /// Datetime to the second of the day.
    z_v => i32 = |ms| ms.rem_euclid(DAY_MS) / 1000;
    /// Datetime to the millisecond of the day.
    z_t => i32 = |ms| ms.rem_euclid(DAY_MS);
}

/// A count of units as days and their fraction; infinities stay infinite.
#[inline(always)]
fn to_z<A: Item + Into<i64>>(x: A, top: A, day: f64) -> f64 {
    let n: i64 = x.into();
    let top: i64 = top.into();
    let z = n as f64 / day;
    let z = if n >= top { f64::INFINITY } else { z };
    let z = if n <= -top { f64::NEG_INFINITY } else { z };
    if x.is_null() { f64::NAN } else { z }
}

/// Timestamp or timespan to datetime.
#[inline(always)]
pub fn p_z(x: i64) -> f64 {
    to_z(x, i64::MAX, DAY_NS as f64)
}

/// Month to datetime.
#[inline(always)]
pub fn m_z(x: i32) -> f64 {
    d_z(m_d(x))
}

/// Date to datetime.
#[inline(always)]
pub fn d_z(x: i32) -> f64 {
    to_z(x, i32::MAX, 1.0)
}

/// Minutes to datetime.
#[inline(always)]
pub fn u_z(x: i32) -> f64 {
    to_z(x, i32::MAX, 1440.0)
}

/// Seconds to datetime.
#[inline(always)]
pub fn v_z(x: i32) -> f64 {
    to_z(x, i32::MAX, 86_400.0)
}

/// Milliseconds to datetime.
#[inline(always)]
pub fn t_z(x: i32) -> f64 {
    to_z(x, i32::MAX, DAY_MS as f64)
}

/// The parts that `` `year`mm`dd`hh`uu`ss`` and `week` name, as functions of a date or of nanoseconds.
pub mod part {
    use super::*;

    /// The year of a date.
    pub fn year(day: i32) -> i32 {
        unit(day, i32::MAX, i32::MAX, -i32::MAX, |x| crate::calendar::civil(x as i32).0 as i64)
    }

    /// The month (1 to 12) of a date.
    pub fn mm(day: i32) -> i32 {
        unit(day, i32::MAX, i32::MAX, -i32::MAX, |x| crate::calendar::civil(x as i32).1 as i64)
    }

    /// The day of the month of a date.
    pub fn dd(day: i32) -> i32 {
        unit(day, i32::MAX, i32::MAX, -i32::MAX, |x| crate::calendar::civil(x as i32).2 as i64)
    }

    /// The Monday of a date's week.
    pub fn week(day: i32) -> i32 {
        unit(day, i32::MAX, i32::MAX, -i32::MAX, |x| crate::calendar::monday_of(x as i32))
    }

    /// The hour of a span, which may exceed 23.
    pub fn hh(ns: i64) -> i32 {
        unit(ns, i64::MAX, i32::MAX, -i32::MAX, |x| x.div_euclid(3600 * SECOND_NS))
    }

    /// The minute of the hour of a span.
    pub fn uu(ns: i64) -> i32 {
        unit(ns, i64::MAX, i32::MAX, -i32::MAX, |x| x.div_euclid(MINUTE_NS).rem_euclid(60))
    }

    /// The second of the minute of a span.
    pub fn ss(ns: i64) -> i32 {
        unit(ns, i64::MAX, i32::MAX, -i32::MAX, |x| x.div_euclid(SECOND_NS).rem_euclid(60))
    }
}
