//! Sorts within lists: stable, nulls first when ascending, equal items in the order of their rows.

use super::super::par;
use super::super::scatter::Sink;
use super::scan::cast;
use super::walk::Lists;
use bytemuck::Pod;
use q::scalar::Key;
use q::value::Guid;
use q::{Kind, Store};
use rayon::slice::ParallelSliceMut;
use std::ops::Range;

/// The rows of each list side by side, as they are and sorted.
pub struct Order {
    rows: Vec<u32>,
    sorted: Vec<u32>,
}

impl Order {
    /// The items in sorted order, at the rows of their list.
    pub fn place<T: Pod + Send + Sync>(&self, x: &[T], out: &mut [T]) {
        let out = Sink::new(out);
        self.rows.iter().zip(&self.sorted).for_each(|(&row, &from)| out.put(row as usize, x[from as usize]));
    }
}

/// Items below which a sort stays on one core.
const LARGE: usize = 1 << 16;

/// The order of the items of `kind` in each list.
pub fn order(lists: &Lists, kind: Kind, descending: bool, x: &[u8]) -> Order {
    // A descending key is an ascending one with its bits flipped.
    let flip = if descending { u64::MAX } else { 0 };
    fn keyed<T: Key>(lists: &Lists, x: &[u8], flip: u64) -> Order {
        by(lists, cast::<T>(x), |x| x.key() ^ flip)
    }
    match kind.store() {
        Store::B | Store::S => keyed::<u8>(lists, x, flip),
        Store::H => keyed::<i16>(lists, x, flip),
        Store::I => keyed::<i32>(lists, x, flip),
        Store::J => keyed::<i64>(lists, x, flip),
        Store::E => keyed::<f32>(lists, x, flip),
        Store::F => keyed::<f64>(lists, x, flip),
        Store::G if descending => by(lists, cast::<Guid>(x), |x| !u128::from_be_bytes(x.0)),
        Store::G => by(lists, cast::<Guid>(x), |x| u128::from_be_bytes(x.0)),
    }
}

fn by<T: Copy + Sync, K: Ord + Copy + Send>(lists: &Lists, x: &[T], key: impl Fn(T) -> K + Sync) -> Order {
    let (rows, starts) = lists.rows();
    let mut sorted = vec![0u32; rows.len()];
    let mut tasks: Vec<(Range<usize>, &mut [u32])> = vec![];
    let mut rest = &mut sorted[..];
    for range in parts(&starts) {
        let (part, more) = std::mem::take(&mut rest).split_at_mut(starts[range.end] - starts[range.start]);
        tasks.push((range, part));
        rest = more;
    }
    par::each(tasks, Vec::new, |keys: &mut Vec<(K, u32)>, (range, out)| {
        let first = starts[range.start];
        for list in range {
            let (from, to) = (starts[list], starts[list + 1]);
            keys.clear();
            keys.extend(rows[from..to].iter().map(|&row| (key(x[row as usize]), row)));
            // Rows rise within a list, so that they settle what keys leave open.
            if keys.len() < LARGE {
                keys.sort_unstable()
            } else {
                keys.par_sort_unstable()
            }
            out[from - first..to - first].iter_mut().zip(&*keys).for_each(|(out, key)| *out = key.1);
        }
    });
    Order { rows, sorted }
}

/// Ranges of lists with many items each.
pub fn parts(starts: &[usize]) -> Vec<Range<usize>> {
    let (mut parts, mut from) = (vec![], 0);
    for list in 1..starts.len() {
        if starts[list] - starts[from] >= LARGE || list + 1 == starts.len() {
            parts.push(from..list);
            from = list;
        }
    }
    parts
}

/// The place of each item in its list's ascending order.
pub fn rank(lists: &Lists, kind: Kind, x: &[u8], out: &mut [i64]) {
    let order = order(lists, kind, false, x);
    let (_, starts) = lists.rows();
    let out = Sink::new(out);
    for at in starts.windows(2) {
        order.sorted[at[0]..at[1]].iter().enumerate().for_each(|(k, &row)| out.put(row as usize, k as i64));
    }
}

/// The items of each list from its end.
pub fn reverse<T: Pod + Send + Sync>(lists: &Lists, x: &[T], out: &mut [T]) {
    let (rows, starts) = lists.rows();
    let out = Sink::new(out);
    for at in starts.windows(2) {
        let rows = &rows[at[0]..at[1]];
        rows.iter().zip(rows.iter().rev()).for_each(|(&row, &from)| out.put(row as usize, x[from as usize]));
    }
}
