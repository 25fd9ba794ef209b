//! Shifts and moving windows: a ring of the last items for each list.

use super::super::program::bug;
use super::super::scatter::Sink;
use super::scan::{cast, cast_mut};
use super::walk::Lists;
use bytemuck::Pod;
use q::scalar::Item;
use q::{Kind, Prim, Result, Store};
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

    /// Adds a row, and gives the rows in the ring, the oldest first, in two parts.
    fn push(&mut self, list: usize, row: usize) -> (&[u32], &[u32]) {
        let ring = &mut self.rows[self.starts[list]..self.starts[list + 1]];
        let seen = self.seen[list];
        self.seen[list] += 1;
        if ring.is_empty() {
            return (&[], &[]);
        }
        let at = seen % ring.len();
        ring[at] = row as u32;
        if seen < ring.len() { (&ring[..=at], &[]) } else { (&ring[at + 1..], &ring[..=at]) }
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
    let out = Sink::new(out);
    let size = usize::try_from(n.unsigned_abs()).unwrap_or(usize::MAX);
    if n == 0 {
        return lists.walk(false, |_| (), |(), _, row| out.put(row, x[row]));
    }
    if size == 1 {
        return lists.walk(
            n < 0,
            |range| vec![none; range.len()],
            |last, list, row| {
                out.put(row, std::mem::replace(&mut last[list], x[row]));
            },
        );
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

/// The moving function `p` of windows of `n` items.
pub fn window(lists: &Lists, p: Prim, kind: Kind, n: usize, x: &[u8], out: &mut [u8]) -> Result<()> {
    match (p, kind.store()) {
        (Prim::Mcount, store) => {
            let out = cast_mut::<i32>(out);
            match store {
                Store::B if kind == Kind::Char => {
                    each(lists, n, |r| count(r, cast(x), |x: u8| x == b' '), out)
                }
                Store::B => each(lists, n, |r| count(r, cast(x), |_: u8| false), out),
                Store::G => each(lists, n, |r| count(r, cast(x), q::value::Guid::is_null), out),
                Store::H => each(lists, n, |r| count(r, cast(x), <i16 as Item>::is_null), out),
                Store::I => each(lists, n, |r| count(r, cast(x), <i32 as Item>::is_null), out),
                Store::J => each(lists, n, |r| count(r, cast(x), <i64 as Item>::is_null), out),
                Store::E => each(lists, n, |r| count(r, cast(x), <f32 as Item>::is_null), out),
                Store::F => each(lists, n, |r| count(r, cast(x), <f64 as Item>::is_null), out),
                Store::S => each(lists, n, |r| count(r, cast(x), |x: u32| x == 0), out),
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
            let x = cast::<i32>(x);
            let value = |row: usize| if Item::is_null(x[row]) { 0 } else { x[row] };
            sums(lists, n, value, i32::wrapping_add, i32::wrapping_sub, cast_mut(out));
        }
        (Prim::Msum, Store::J) => {
            let x = cast::<i64>(x);
            let value = |row: usize| if Item::is_null(x[row]) { 0 } else { x[row] };
            sums(lists, n, value, i64::wrapping_add, i64::wrapping_sub, cast_mut(out));
        }
        (Prim::Msum, Store::E) => {
            let x = cast::<f32>(x);
            each(lists, n, |rows| total(rows, |row| x[row] as f64).0 as f32, cast_mut(out));
        }
        (Prim::Msum, Store::F) => {
            let x = cast::<f64>(x);
            each(lists, n, |rows| total(rows, |row| x[row]).0, cast_mut(out));
        }
        (Prim::Mavg, Store::F) => {
            let x = cast::<f64>(x);
            each(lists, n, |rows| mean(rows, x).0, cast_mut(out));
        }
        (Prim::Mdev, Store::F) => {
            let x = cast::<f64>(x);
            let deviation = |rows: Rows| {
                let (mean, there) = mean(rows, x);
                shared(total(rows, |row| (x[row] - mean) * (x[row] - mean)).0, there).sqrt()
            };
            each(lists, n, deviation, cast_mut(out));
        }
        _ => return Err(bug(format!("{} of {} has no window", p.row().text, kind.name()))),
    }
    Ok(())
}

/// The rows of a window, the oldest first, in two parts.
type Rows<'a> = (&'a [u32], &'a [u32]);

/// `f` of the window of every row.
fn each<U: Pod + Send>(lists: &Lists, n: usize, f: impl Fn(Rows) -> U + Sync + Send, out: &mut [U]) {
    let out = Sink::new(out);
    let counts = lists.counts();
    lists.walk(
        false,
        |range| Rings::new(&counts, range, n),
        |rings, list, row| out.put(row, f(rings.push(list, row))),
    );
}

fn rows<'a>((older, newer): Rows<'a>) -> impl Iterator<Item = usize> + 'a {
    older.iter().chain(newer).map(|&row| row as usize)
}

/// The sum of a window from the oldest item to the newest, nulls as 0.0; and how many are not null.
fn total(window: Rows, at: impl Fn(usize) -> f64) -> (f64, f64) {
    let add = |(sum, n): (f64, f64), x: f64| if x.is_nan() { (sum, n) } else { (sum + x, n + 1.0) };
    rows(window).map(at).fold((0.0, 0.0), add)
}

fn mean(window: Rows, x: &[f64]) -> (f64, f64) {
    let (sum, n) = total(window, |row| x[row]);
    (shared(sum, n), n)
}

/// A sum over its count; of no items the null, whose bits a division would leave to the machine.
pub fn shared(sum: f64, n: f64) -> f64 {
    if n == 0.0 { f64::NAN } else { sum / n }
}

fn count<T: Pod>(window: Rows, x: &[T], null: impl Fn(T) -> bool) -> i32 {
    rows(window).filter(|&row| !null(x[row])).count() as i32
}

/// Sums of integers, which wrap, so what leaves the window can be taken off again.
fn sums<T: Pod + Send + Sync>(
    lists: &Lists,
    n: usize,
    value: impl Fn(usize) -> T + Sync + Send,
    add: impl Fn(T, T) -> T + Sync + Send,
    sub: impl Fn(T, T) -> T + Sync + Send,
    out: &mut [T],
) {
    let out = Sink::new(out);
    let counts = lists.counts();
    let make = |range: Range<usize>| (vec![T::zeroed(); range.len()], Rings::new(&counts, range, n));
    lists.walk(false, make, |(sums, rings), list, row| {
        let mut sum = sums[list];
        if n > 0 {
            sum = add(sum, value(row));
            if let Some(old) = rings.swap(list, row) {
                sum = sub(sum, value(old));
            }
        }
        sums[list] = sum;
        out.put(row, sum);
    });
}

/// Least or greatest items. A null is the least item of a window; the greatest skips nulls, and is `low` where
/// there is nothing else. An empty window leaves the item.
fn extremes<T: Item>(lists: &Lists, p: Prim, n: usize, x: &[u8], low: T, out: &mut [u8]) {
    let x = cast::<T>(x);
    let out = cast_mut::<T>(out);
    if n == 0 {
        return shift(lists, x, 0, low, out);
    }
    let least =
        |w: Rows| rows(w).map(|row| x[row]).reduce(|x, y| if y.before(x) { y } else { x }).unwrap_or(low);
    let greatest = |w: Rows| rows(w).map(|row| x[row]).fold(low, |x, y| if x.before(y) { y } else { x });
    if p == Prim::Mmin { each(lists, n, least, out) } else { each(lists, n, greatest, out) }
}
