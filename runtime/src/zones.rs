//! Zones: the least and greatest item of each thousand rows of a column, so that a filter need not look at rows whose
//! zone says what it would find. They belong to the column's data, and are made when a second query asks for them.

use crate::column::{Column, Elements, by_key};
use bytemuck::Pod;
use multiversion::multiversion;
use q::value::Data;
use q::{Buf, Kind, Result};
use rayon::prelude::*;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Rows a zone.
pub const ZONE: usize = 1024;

/// Columns of fewer rows are read faster than their zones are.
const FEW: usize = 64 * ZONE;

/// The zones of a column in the order of its rows; the last one may be short.
#[derive(Debug)]
pub struct Zones {
    /// The least item of each, nulls before all else; of symbols, the least code.
    pub least: Elements,
    /// The greatest item of each.
    pub most: Elements,
    /// The order keys of both, as [`crate::column::Stats::range`] has them.
    pub keys: Buf<[u64; 2]>,
}

/// A column's zones, if they are known.
#[derive(Debug, Default)]
pub struct Zoned {
    /// A query asked for them. Most columns that are filtered once are never filtered again, and a pass over them
    /// would cost what it saves.
    asked: AtomicBool,
    zones: OnceLock<Option<Zones>>,
}

impl Column {
    /// The zones, if the column has an order and enough rows, from the second time on that they are asked for.
    ///
    /// # Errors
    /// As [`Column::elements`].
    pub fn zones(&self) -> Result<Option<&Zones>> {
        let known = &self.known.zoned;
        if self.len() < FEW || self.kind == Kind::Enum || !known.asked.swap(true, Relaxed) {
            return Ok(None);
        }
        let elements = self.elements()?;
        let make = || by_key!(elements, (v, key) => Some(zones(self.kind, v, key)), _ => None);
        Ok(known.zones.get_or_init(make).as_ref())
    }
}

fn zones<T: Pod + Send + Sync>(kind: Kind, items: &[T], key: impl Fn(&T) -> u64 + Sync) -> Zones {
    let zone = |rows: &[T]| {
        let ends = ends(rows, &key);
        // The rows are in the cache still.
        let item = |end: u64| *rows.iter().find(|x| key(x) == end).expect("an end is the key of a row");
        (ends.map(item), ends)
    };
    let all: Vec<_> = items.par_chunks(ZONE).with_min_len(16).map(zone).collect();
    let side = |i: usize| {
        let items: Vec<T> = all.iter().map(|zone| zone.0[i]).collect();
        Elements::of_bytes(kind, size_of::<T>(), Buf::from_slice(bytemuck::cast_slice(&items)))
    };
    Zones { least: side(0), most: side(1), keys: all.iter().map(|zone| zone.1).collect() }
}

/// The least and greatest key of some rows.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt+fma",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt+fma"
))]
fn ends<T>(rows: &[T], key: impl Fn(&T) -> u64) -> [u64; 2] {
    rows.iter().fold([u64::MAX, 0], |[low, high], x| [low.min(key(x)), high.max(key(x))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_bound_their_rows_and_wait_for_a_second_query() {
        let mut items: Vec<f64> = (0..FEW + 5).map(|i| (i / 7) as f64).collect();
        (items[3], items[2000]) = (f64::NAN, f64::INFINITY);
        let column =
            |items: &[f64]| Column::new(Kind::Float, Elements::Plain(Data::F(Buf::from_slice(items))), None);
        let few = column(&items[..FEW - 1]);
        let column = column(&items);
        let zones = |c: &Column| c.zones().expect("the elements are here").is_some();
        assert_eq!([zones(&few), zones(&few), zones(&column), zones(&column)], [false, false, false, true]);
        let zones = column.zones().expect("the elements are here").expect("they were made");
        let (Elements::Plain(Data::F(least)), Elements::Plain(Data::F(most))) = (&zones.least, &zones.most)
        else {
            panic!("zones of floats are floats")
        };
        assert_eq!((least.len(), zones.keys.len()), (FEW / ZONE + 1, FEW / ZONE + 1));
        assert!(least[0].is_nan() && most[1] == f64::INFINITY);
        assert_eq!((most[0], least[1]), (items[ZONE - 1], items[ZONE]));
        assert_eq!((least[FEW / ZONE], most[FEW / ZONE]), (items[FEW], items[FEW + 4]));
        // A part has zones of its own, which begin elsewhere.
        assert!(column.slice(1, FEW + 1).zones().expect("the elements are here").is_none());
    }
}
