//! Shifts and moving windows: a ring of the last items for each list.

use super::super::program::bug;
use super::super::scatter::Sink;
use super::super::tile::CHUNK;
use super::fold::later;
use super::runs::{DENSE, runs};
use super::scan::{cast, cast_mut};
use super::sums;
use super::walk::Lists;
use bytemuck::Pod;
use multiversion::multiversion;
use q::scalar::Item;
use q::{Kind, Prim, Result, Store};
use rayon::prelude::*;
use std::ops::Range;

/// The last rows of each list of a range: rings side by side, none larger than its list.
struct Rings {
    rows: Vec<u32>,
    starts: Vec<usize>,
    /// How many rows of the list were seen.
    seen: Vec<usize>,
}

impl Rings {
    fn new(counts: &[usize], lists: Range<usize>, n: usize) -> Rings {
        let mut starts = Vec::with_capacity(lists.len() + 1);
        let mut end = 0;
        for &count in &counts[lists.clone()] {
            starts.push(end);
            end += count.min(n);
        }
        starts.push(end);
        Rings { rows: vec![0; end], starts, seen: vec![0; lists.len()] }
    }

    /// Puts a row in the place of the oldest, and gives that one, if the ring was full.
    fn swap(&mut self, list: usize, row: usize) -> Option<usize> {
        let ring = &mut self.rows[self.starts[list]..self.starts[list + 1]];
        let seen = self.seen[list];
        self.seen[list] += 1;
        if ring.is_empty() {
            return None;
        }
        let at = seen % ring.len();
        let old = std::mem::replace(&mut ring[at], row as u32);
        (seen >= ring.len()).then_some(old as usize)
    }
}

/// The item `n` before, `none` where there is none.
pub fn shift<T: Pod + Send + Sync>(lists: &Lists, x: &[T], n: i64, none: T, out: &mut [T]) {
    let size = usize::try_from(n.unsigned_abs()).unwrap_or(usize::MAX);
    if let Lists::All(rows) = lists {
        return shift_all(&x[..*rows], n < 0, size, none, out);
    }
    if size == 1 {
        let show = |_, before: Option<T>, _| before.unwrap_or(none);
        return lists.scan(x, n < 0, (None, Some(&later)), |_, x| Some(x), show, out);
    }
    let out = Sink::new(out);
    if n == 0 {
        return lists.walk(false, |_| (), |(), _, row| out.put(row, x[row]));
    }
    let counts = lists.counts();
    lists.walk(
        n < 0,
        |range| Rings::new(&counts, range, size),
        |rings, list, row| {
            let before = rings.swap(list, row);
            out.put(row, before.map_or(none, |row| x[row]));
        },
    );
}

/// [`shift`] of all rows by `size` places, from the rows before or after.
fn shift_all<T: Pod + Send + Sync>(x: &[T], back: bool, size: usize, none: T, out: &mut [T]) {
    let size = size.min(x.len());
    let (none_at, to, from) =
        if back { (x.len() - size..x.len(), 0..x.len() - size, size) } else { (0..size, size..x.len(), 0) };
    out[none_at].fill(none);
    out[to].par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
        out.copy_from_slice(&x[from + chunk * CHUNK..][..out.len()]);
    });
}

/// The moving function `p` of windows of `n` items.
pub fn window(lists: &Lists, p: Prim, kind: Kind, n: usize, x: &[u8], out: &mut [u8]) -> Result<()> {
    match (p, kind.store()) {
        (Prim::Mcount, store) => {
            let out = cast_mut::<i32>(out);
            match store {
                Store::B if kind == Kind::Char => counted(lists, n, x, |x: u8| x == q::scalar::BLANK, out),
                Store::B => counted(lists, n, x, |_: u8| false, out),
                Store::G => counted(lists, n, x, q::value::Guid::is_null, out),
                Store::H => counted(lists, n, x, <i16 as Item>::is_null, out),
                Store::I => counted(lists, n, x, <i32 as Item>::is_null, out),
                Store::J => counted(lists, n, x, <i64 as Item>::is_null, out),
                Store::E => counted(lists, n, x, <f32 as Item>::is_null, out),
                Store::F => counted(lists, n, x, <f64 as Item>::is_null, out),
                Store::S => counted(lists, n, x, |x: u32| x == 0, out),
            }
        }
        (Prim::Mmin | Prim::Mmax, store) => match store {
            Store::B => extremes(lists, p, n, x, 0u8, out),
            Store::H => extremes(lists, p, n, x, -i16::MAX, out),
            Store::I => extremes(lists, p, n, x, -i32::MAX, out),
            Store::J => extremes(lists, p, n, x, -i64::MAX, out),
            Store::E => extremes(lists, p, n, x, f32::NEG_INFINITY, out),
            Store::F => extremes(lists, p, n, x, f64::NEG_INFINITY, out),
            Store::G | Store::S => return Err(bug("an extreme of what has no order")),
        },
        (Prim::Msum, Store::I) => {
            let value = |x: i32| if Item::is_null(x) { 0 } else { x };
            each(
                lists,
                n,
                x,
                |x, known, out| sliding(x, n, known, value, i32::wrapping_add, i32::wrapping_sub, out),
                out,
            );
        }
        (Prim::Msum, Store::J) => {
            let value = |x: i64| if Item::is_null(x) { 0 } else { x };
            each(
                lists,
                n,
                x,
                |x, known, out| sliding(x, n, known, value, i64::wrapping_add, i64::wrapping_sub, out),
                out,
            );
        }
        (Prim::Msum, Store::E) => each(
            lists,
            n,
            x,
            |x: &[f32], known, out: &mut [f32]| {
                let clean: Vec<f64> = x.iter().map(|&x| if x.is_nan() { 0.0 } else { x as f64 }).collect();
                let mut sums = vec![0.0; out.len()];
                totals(&clean, n, known, &mut sums);
                out.iter_mut().zip(sums).for_each(|(out, sum)| *out = sum as f32);
            },
            out,
        ),
        (Prim::Msum | Prim::Mavg, Store::F) => {
            let mean = p == Prim::Mavg;
            match lists {
                Lists::Groups(ids, count) if (1..=sums::MOST).contains(&n) && *count <= DENSE => {
                    sums::windows(ids, *count, n, mean, cast(x), cast_mut(out));
                }
                _ if mean => each(
                    lists,
                    n,
                    x,
                    |x, known, out: &mut [f64]| {
                        means(x, n, known, out);
                    },
                    out,
                ),
                _ => each(lists, n, x, |x, known, out| totals(&without_nulls(x), n, known, out), out),
            }
        }
        (Prim::Mdev, Store::F) => each(lists, n, x, |x, known, out| deviations(x, n, known, out), out),
        _ => return Err(bug(format!("{} of {} has no window", p.row().text, kind.name()))),
    }
    Ok(())
}

/// `f` of the items in sight of every row; of windows of no items, of no items.
fn each<T: Pod + Send + Sync, U: Pod + Send + Sync>(
    lists: &Lists,
    n: usize,
    x: &[u8],
    f: impl Fn(&[T], usize, &mut [U]) + Sync + Send,
    out: &mut [u8],
) {
    runs(lists, cast(x), n.saturating_sub(1), f, cast_mut(out));
}

/// The first item of the window that ends with item `i`.
fn oldest(i: usize, n: usize) -> usize {
    (i + 1).saturating_sub(n)
}

fn without_nulls(x: &[f64]) -> Vec<f64> {
    x.iter().map(|&x| if x.is_nan() { 0.0 } else { x }).collect()
}

/// Windows whose sums are computed at once.
const LANES: usize = 16;

/// The sum of each window from the oldest item to the newest, beginning with 0.0, where no item is null: each sum is
/// a lane, so that neither the order nor the processor's width costs anything.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt+fma",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt+fma"
))]
fn totals(x: &[f64], n: usize, known: usize, out: &mut [f64]) {
    let mut i = known;
    // Near the beginning of a list windows are shorter, each the one before and an item.
    let mut sum = x[..known.min(x.len())].iter().filter(|_| known + 1 < n).fold(0.0, |sum, x| sum + x);
    while i < x.len() && i + 1 < n {
        sum += x[i];
        out[i - known] = sum;
        i += 1;
    }
    while i < x.len() && n > 0 {
        let lanes = LANES.min(x.len() - i);
        let mut sums = [0.0; LANES];
        if lanes == LANES {
            for j in i + 1 - n..=i {
                let items = &x[j..j + LANES];
                for l in 0..LANES {
                    sums[l] += items[l];
                }
            }
        } else {
            for (l, sum) in sums[..lanes].iter_mut().enumerate() {
                *sum = x[i + l + 1 - n..=i + l].iter().fold(0.0, |sum, x| sum + x);
            }
        }
        out[i - known..][..lanes].copy_from_slice(&sums[..lanes]);
        i += lanes;
    }
    if n == 0 {
        out.fill(0.0);
    }
}

/// The mean of each window; and how many items that are not null each has, if some are null.
fn means(x: &[f64], n: usize, known: usize, out: &mut [f64]) -> Option<Vec<i32>> {
    let there = x.iter().fold(false, |any, x| any | x.is_nan()).then(|| {
        let mut there = vec![0; out.len()];
        sliding(x, n, known, |x| !x.is_nan() as i32, i32::wrapping_add, i32::wrapping_sub, &mut there);
        there
    });
    match there {
        Some(_) => totals(&without_nulls(x), n, known, out),
        None => totals(x, n, known, out),
    }
    over(there.as_deref(), n, known, shared, out);
    there
}

/// The deviation of each window.
fn deviations(x: &[f64], n: usize, known: usize, out: &mut [f64]) {
    let there = means(x, n, known, out);
    squares(x, n, known, out);
    over(there.as_deref(), n, known, |sum, n| shared(sum, n).sqrt(), out);
}

/// `f` of each window's sum and of how many items it has: as `there` says, or all.
fn over(there: Option<&[i32]>, n: usize, known: usize, f: impl Fn(f64, f64) -> f64, out: &mut [f64]) {
    if let Some(there) = there {
        return out.iter_mut().zip(there).for_each(|(sum, &n)| *sum = f(*sum, n as f64));
    }
    let short = n.saturating_sub(known + 1).min(out.len());
    let (first, rest) = out.split_at_mut(short);
    first.iter_mut().zip(known + 1..).for_each(|(sum, n)| *sum = f(*sum, n as f64));
    rest.iter_mut().for_each(|sum| *sum = f(*sum, n as f64));
}

/// For the mean of each window the sum of its items' squared distances from it, from the oldest item to the newest.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt+fma",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt+fma"
))]
fn squares(x: &[f64], n: usize, known: usize, out: &mut [f64]) {
    // No distance has no square either, and leaves the sum as it is.
    let add = |sum: f64, x: f64, mean: f64| {
        let square = (x - mean) * (x - mean);
        sum + if square.is_nan() { 0.0 } else { square }
    };
    let mut i = known;
    while i < x.len() {
        if n > 0 && i + 1 >= n && x.len() - i >= LANES {
            let means: [f64; LANES] = std::array::from_fn(|l| out[i - known + l]);
            let mut sums = [0.0; LANES];
            for j in i + 1 - n..=i {
                let items = &x[j..j + LANES];
                for l in 0..LANES {
                    sums[l] = add(sums[l], items[l], means[l]);
                }
            }
            out[i - known..][..LANES].copy_from_slice(&sums);
            i += LANES;
        } else {
            let mean = out[i - known];
            out[i - known] = x[oldest(i, n)..=i].iter().fold(0.0, |sum, &x| add(sum, x, mean));
            i += 1;
        }
    }
}

/// A sum over its count; of no items the null, whose bits a division would leave to the machine.
pub fn shared(sum: f64, n: f64) -> f64 {
    if n == 0.0 { f64::NAN } else { sum / n }
}

/// How many items of each window are not null.
fn counted<T: Pod + Send + Sync>(
    lists: &Lists,
    n: usize,
    x: &[u8],
    null: impl Fn(T) -> bool + Copy + Sync + Send,
    out: &mut [i32],
) {
    let count = |x: &[T], known, out: &mut [i32]| {
        sliding(x, n, known, |x| !null(x) as i32, i32::wrapping_add, i32::wrapping_sub, out);
    };
    runs(lists, cast(x), n.saturating_sub(1), count, out);
}

/// The sums of windows of numbers that wrap, so that what leaves a window can be taken off again.
fn sliding<T: Copy, N: Pod>(
    x: &[T],
    n: usize,
    known: usize,
    value: impl Fn(T) -> N,
    add: impl Fn(N, N) -> N,
    sub: impl Fn(N, N) -> N,
    out: &mut [N],
) {
    let mut sum = N::zeroed();
    // The known items are those of the first window, or those of a list that is shorter.
    x[..known].iter().for_each(|&x| sum = add(sum, value(x)));
    for (i, out) in (known..).zip(out) {
        sum = add(sum, value(x[i]));
        if i >= n {
            sum = sub(sum, value(x[i - n]));
        }
        *out = sum;
    }
}

/// Least or greatest items. A null is the least item of a window; the greatest skips nulls, and is `low` where
/// there is nothing else; of equal items the oldest. An empty window leaves the item.
fn extremes<T: Item>(lists: &Lists, p: Prim, n: usize, x: &[u8], low: T, out: &mut [u8]) {
    if n == 0 {
        return shift(lists, cast::<T>(x), 0, low, cast_mut(out));
    }
    match p {
        Prim::Mmin => {
            let least = |x: T, y: T| if y.before(x) { y } else { x };
            each(lists, n, x, |x, known, out| best(x, n, known, least, |x| x, out), out);
        }
        _ => {
            let greatest = |x: T, y: T| if x.before(y) { y } else { x };
            each(lists, n, x, |x, known, out| best(x, n, known, greatest, |x| greatest(low, x), out), out);
        }
    }
}

/// The best item of each window by `of`, whose first argument is the older; `first` is what it is of one item. A window
/// lies across two blocks of n items: it has the last items of one, whose best are known, and the first of the next.
fn best<T: Item>(
    x: &[T],
    n: usize,
    known: usize,
    of: impl Fn(T, T) -> T,
    first: impl Fn(T) -> T,
    out: &mut [T],
) {
    let Some(&start) = x.first() else { return };
    // The best of the items of a block from each on; a list shorter than a window needs none.
    let whole = x.len() / n * n;
    let mut last: Vec<T> = x[..whole].iter().map(|&x| first(x)).collect();
    for block in last.chunks_mut(n) {
        for i in (1..n).rev() {
            block[i - 1] = of(block[i - 1], block[i]);
        }
    }
    let mut now = first(start);
    for (i, &item) in x.iter().enumerate() {
        now = if i % n == 0 { first(item) } else { of(now, item) };
        if i >= known {
            out[i - known] = if i + 1 < n || (i + 1) % n == 0 { now } else { of(last[i + 1 - n], now) };
        }
    }
}
