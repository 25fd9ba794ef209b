//! Columns that stand for data that is not there: of every kind, of any length, the same at every call.
//!
//! Values spread evenly over a range that is usual for the kind: a hundred symbols, numbers below a thousand
//! (floats by the 64th, whose sums are exact in every order), times that ascend through a day, dates through a year.

use q::value::{Elem, Guid};
use q::{Buf, Kind, Store, Sym, Value};

const DAY: i64 = 86_400_000_000_000;
/// 2024.01.01 as a date.
const YEAR: i64 = 8766;

/// `rows` values of `kind`; `seed` sets columns apart. An enumeration comes as symbols.
pub fn column(kind: Kind, rows: usize, seed: u64) -> Value {
    let mut state = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut below = move |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) * n) >> 31
    };
    let ascending = |i: usize, range: i64| (i as i128 * i128::from(range) / rows.max(1) as i128) as i64;
    let whole = |i: usize, random: u64| match kind {
        Kind::Timestamp => YEAR * DAY + ascending(i, DAY),
        Kind::Timespan => ascending(i, DAY),
        Kind::Date => YEAR + ascending(i, 366),
        Kind::Month => YEAR / 366 * 12 + ascending(i, 12),
        Kind::Minute => ascending(i, 1440),
        Kind::Second => ascending(i, 86_400),
        Kind::Time => ascending(i, 86_400_000),
        Kind::Char => 97 + random as i64 % 26,
        Kind::Bool => random as i64 % 2,
        Kind::Byte => random as i64 % 256,
        _ => random as i64,
    };
    match kind.store() {
        Store::B => vector(kind, rows, |i| whole(i, below(1000)) as u8),
        Store::H => vector(kind, rows, |i| whole(i, below(1000)) as i16),
        Store::I => vector(kind, rows, |i| whole(i, below(1000)) as i32),
        Store::J if kind == Kind::Enum => symbols(rows, below),
        Store::J => vector(kind, rows, |i| whole(i, below(1000))),
        Store::E => vector(kind, rows, |_| below(64_000) as f32 / 64.0),
        Store::F if kind == Kind::Datetime => vector(kind, rows, |i| YEAR as f64 + i as f64 / rows as f64),
        Store::F => vector(kind, rows, |_| below(64_000) as f64 / 64.0),
        Store::G => vector(kind, rows, |_| {
            let (a, b) = (below(1 << 31), below(1 << 31));
            Guid((u128::from(a) << 64 | u128::from(b)).to_le_bytes())
        }),
        Store::S => symbols(rows, below),
    }
}

fn symbols(rows: usize, mut below: impl FnMut(u64) -> u64) -> Value {
    let names: Vec<Sym> = (0..100).map(|i| Sym::new(&format!("s{i:02}"))).collect();
    vector(Kind::Sym, rows, |_| names[below(100) as usize])
}

fn vector<T: Elem>(kind: Kind, rows: usize, item: impl FnMut(usize) -> T) -> Value {
    Value::vector::<T>(kind, (0..rows).map(item).collect::<Buf<T>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_column_that_stays_the_same() {
        for kind in Kind::ALL {
            let x = column(kind, 1000, 3);
            assert_eq!(x.count(), 1000, "{kind:?}");
            let Value::Vec(v) = &x else { panic!("{kind:?} is a vector") };
            assert_eq!(v.kind, if kind == Kind::Enum { Kind::Sym } else { kind });
            assert_eq!(format!("{x:?}"), format!("{:?}", column(kind, 1000, 3)));
            assert_eq!(column(kind, 0, 3).count(), 0);
        }
        assert_ne!(format!("{:?}", column(Kind::Long, 9, 0)), format!("{:?}", column(Kind::Long, 9, 1)));
    }
}
