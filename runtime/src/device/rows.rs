//! Rows on the host: their order by columns, and columns at rows, for engines that have no better way.

use crate::column::{Column, Elements};
use bytemuck::Pod;
use multiversion::multiversion;
use q::scalar::Key;
use q::value::Data;
use q::{Buf, Error, Kind, Result};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// As [`super::Device::order`].
///
/// # Errors
/// `type` for columns that have no order.
pub fn order(by: &[(&Column, bool)], front: Option<usize>) -> Result<Column> {
    let rows = match by {
        [] => vec![],
        [(one, ascending)] => first(one, *ascending, front)?,
        [majors @ .., (last, ascending)] => {
            let mut rows = first(last, *ascending, None)?;
            for (column, ascending) in majors.iter().rev() {
                let keys = keys(column, *ascending)?;
                rows.par_sort_by_key(|&i| keys[i as usize]);
            }
            rows.truncate(front.unwrap_or(rows.len()));
            rows
        }
    };
    Ok(Column::new(Kind::Long, Elements::Plain(Data::J(rows.into())), None))
}

/// As [`super::Device::gather`].
///
/// # Errors
/// Those of reading a column that is elsewhere.
pub fn gather(columns: &[&Column], at: &Column) -> Result<Vec<Column>> {
    let Elements::Plain(Data::J(rows)) = at.elements()? else { return Err(Error::new("type")) };
    columns.iter().map(|c| c.gather(rows)).collect()
}

/// As [`super::Device::take`].
///
/// # Errors
/// Those of reading a column that is elsewhere.
pub fn take(columns: &[&Column], first: usize, n: usize) -> Result<Vec<Column>> {
    columns.iter().map(|c| c.gather(&repeated(c.len(), first, n))).collect()
}

/// The rows of `n` items from item `first` of `length` on, over and over; no row's where there are none.
pub fn repeated(length: usize, first: usize, n: usize) -> Vec<i64> {
    (0..n).map(|i| if length == 0 { i64::MIN } else { ((first + i) % length) as i64 }).collect()
}

/// The rows of a column's first `front` items in order.
fn first(c: &Column, ascending: bool, front: Option<usize>) -> Result<Vec<i64>> {
    fn of<T: Key>(items: &[T], front: Option<usize>, flip: u64) -> Vec<i64> {
        least(items, front, |x| x.key() ^ flip)
    }
    let flip = if ascending { 0 } else { u64::MAX };
    Ok(match c.elements()? {
        // Numbers, where all items need not be turned into keys.
        Elements::Plain(Data::B(v)) => of(v, front, flip),
        Elements::Plain(Data::H(v)) => of(v, front, flip),
        Elements::Plain(Data::I(v)) => of(v, front, flip),
        Elements::Plain(Data::J(v)) if c.domain.is_none() => of(v, front, flip),
        Elements::Plain(Data::E(v)) => of(v, front, flip),
        Elements::Plain(Data::F(v)) => of(v, front, flip),
        _ => least(&keys(c, ascending)?, front, |key| key),
    })
}

/// The order keys of a column's items, nulls least; of a descending column with their bits flipped.
fn keys(c: &Column, ascending: bool) -> Result<Vec<u64>> {
    fn of<T: Key>(items: &Buf<T>, flip: u64) -> Vec<u64> {
        items.par_iter().map(|x| x.key() ^ flip).collect()
    }
    let flip = if ascending { 0 } else { u64::MAX };
    // The rank by text of each code; an enumeration's null is first.
    let rank = |code: Option<usize>| {
        let ranks = c.domain.as_ref().map(|d| &d.ranks);
        let rank = code.zip(ranks).and_then(|(code, ranks)| ranks.get(code));
        rank.map_or(0, |&r| r as u64 + 1) ^ flip
    };
    Ok(match c.elements()? {
        Elements::Codes8(v) => v.iter().map(|&x| rank(Some(x.into()))).collect(),
        Elements::Codes16(v) => v.iter().map(|&x| rank(Some(x.into()))).collect(),
        Elements::Codes32(v) => v.iter().map(|&x| rank(Some(x as usize))).collect(),
        Elements::Plain(Data::J(v)) if c.domain.is_some() => {
            v.iter().map(|&x| rank(usize::try_from(x).ok())).collect()
        }
        Elements::Plain(Data::B(v)) => of(v, flip),
        Elements::Plain(Data::H(v)) => of(v, flip),
        Elements::Plain(Data::I(v)) => of(v, flip),
        Elements::Plain(Data::J(v)) => of(v, flip),
        Elements::Plain(Data::E(v)) => of(v, flip),
        Elements::Plain(Data::F(v)) => of(v, flip),
        Elements::Plain(Data::G(v)) => {
            let mut sorted = v.to_vec();
            sorted.par_sort_unstable();
            v.par_iter().map(|x| sorted.partition_point(|y| y < x) as u64 ^ flip).collect()
        }
        Elements::Plain(Data::S(_)) | Elements::Nested(_) => return Err(Error::new("type")),
    })
}

/// The positions of the items with the least `front` keys (of all, if none), least first, the earlier first where
/// keys are equal. Each thread keeps its best few, and passes over blocks in which no key beats the worst of them.
fn least<T: Pod + Send + Sync>(
    items: &[T],
    front: Option<usize>,
    key: impl Fn(T) -> u64 + Copy + Sync,
) -> Vec<i64> {
    let want = front.unwrap_or(items.len()).min(items.len());
    if want == 0 {
        return vec![];
    }
    // No more than `want` keys are below it, whichever chunk they are in.
    let bar = AtomicU64::new(u64::MAX);
    let best = |(chunk, items): (usize, &[T])| {
        let mut kept: Vec<(u64, usize)> = vec![];
        let mut blocks = items.chunks(BLOCK).zip((chunk * CHUNK..).step_by(BLOCK));
        blocks.by_ref().for_each(|(block, at)| {
            let high = bar.load(Relaxed);
            if want < items.len() && lowest(block, key) > high {
                return;
            }
            let keys = block.iter().map(|&x| key(x)).zip(at..);
            kept.extend(keys.filter(|(key, _)| *key <= high));
            if kept.len() >= 2 * want.max(BLOCK) {
                kept.select_nth_unstable(want - 1);
                kept.truncate(want);
                bar.fetch_min(kept[want - 1].0, Relaxed);
            }
        });
        kept
    };
    let mut all: Vec<(u64, usize)> = items.par_chunks(CHUNK).enumerate().flat_map_iter(best).collect();
    if all.len() > want {
        all.select_nth_unstable(want - 1);
        all.truncate(want);
    }
    all.par_sort_unstable();
    all.into_iter().map(|(_, i)| i as i64).collect()
}

/// The least key of some items.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt+fma",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt+fma"
))]
fn lowest<T: Copy>(items: &[T], key: impl Fn(T) -> u64) -> u64 {
    items.iter().fold(u64::MAX, |low, &x| low.min(key(x)))
}

/// Items that are looked at together.
const BLOCK: usize = 128;

/// Rows that a thread looks at in one go.
const CHUNK: usize = 1 << 18;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_few_are_the_order_s_beginning() {
        // Many ties, and more rows than a chunk has.
        let keys: Vec<u64> = (0..CHUNK as u64 * 2 + 5).map(|i| i.wrapping_mul(0x9e37_79b9) % 1000).collect();
        let mut whole: Vec<i64> = (0..keys.len() as i64).collect();
        whole.sort_by_key(|&i| keys[i as usize]);
        assert_eq!(least(&keys, None, |k| k), whole);
        for n in [0, 1, 7, 600, 5000] {
            assert_eq!(least(&keys, Some(n), |k| k), whole[..n], "{n}");
        }
        assert_eq!(least(&keys[..3], Some(9), |k| k).len(), 3);
    }
}
