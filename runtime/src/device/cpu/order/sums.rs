//! Sums of short windows of floats of many lists: every window that has begun has its sum so far, and an item is added
//! to all of its list's at once. So each sum is still taken from the oldest item to the newest, and no item is moved.

use super::super::par;
use super::super::prefetch;
use super::super::scatter::{AHEAD, Sink};
use super::super::stream;
use super::super::tile::TILE;
use super::walk::Ids;
use multiversion::multiversion;
use std::ops::Range;

/// Windows that a list has at once, at most: they and what else is known of a list take three cache lines.
pub const MOST: usize = 23;

/// A list.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct State {
    /// The sums of the windows that have begun, in a ring.
    sums: [f64; MOST],
    /// Which of them ends with the next item.
    next: u32,
    /// Which of the last items were not null, a bit each, the last one's lowest.
    there: u32,
}

impl State {
    const START: State = State { sums: [0.0; MOST], next: 0, there: 0 };

    /// Adds an item. The sum of the window of `n` items that it ends, and how many of them are not null.
    #[inline(always)]
    fn push(&mut self, x: f64, n: usize) -> (f64, u32) {
        let null = x.is_nan();
        let x = if null { 0.0 } else { x };
        // Those past the n-th are of no window.
        self.sums.iter_mut().for_each(|sum| *sum += x);
        let sum = std::mem::replace(&mut self.sums[(self.next as usize).min(MOST - 1)], 0.0);
        self.next = if self.next as usize + 1 < n { self.next + 1 } else { 0 };
        self.there = (self.there << 1 | !null as u32) & ((1 << n) - 1);
        (sum, self.there.count_ones())
    }
}

/// The last items of every list in some rows, the newest first: `most` a list, fewer where it has fewer.
struct Tails {
    most: usize,
    items: Vec<f64>,
    held: Vec<u8>,
}

impl Tails {
    fn new(lists: usize, most: usize) -> Tails {
        Tails { most, items: vec![0.0; lists * most], held: vec![0; lists] }
    }

    fn of(&self, list: usize) -> &[f64] {
        &self.items[list * self.most..][..self.held[list] as usize]
    }

    /// Adds an item that is older than those that a list has; false if it has enough.
    fn add(&mut self, list: usize, x: f64) -> bool {
        let held = self.held[list] as usize;
        let room = held < self.most;
        if room {
            self.items[list * self.most + held] = x;
            self.held[list] += 1;
        }
        room
    }

    /// Of some rows; those before the last of each list's are not read.
    fn find(ids: &Ids, lists: usize, most: usize, rows: Range<usize>, x: &[f64]) -> Tails {
        let mut tails = Tails::new(lists, most);
        let (mut short, mut room) = (lists * most, [0; TILE]);
        for at in rows.clone().step_by(TILE).rev() {
            if short == 0 {
                break;
            }
            let ids = ids.tile(at..rows.end.min(at + TILE), &mut room);
            for (&id, &x) in ids.iter().zip(&x[at..]).rev() {
                if let Ok(list) = usize::try_from(id) {
                    short -= tails.add(list, x) as usize;
                }
            }
        }
        tails
    }

    /// Those of these rows and the rows before them.
    fn after(mut self, before: &Tails) -> Tails {
        for list in 0..self.held.len() {
            before.of(list).iter().for_each(|&x| {
                self.add(list, x);
            });
        }
        self
    }
}

/// Writes for every row of a list the sum of the window of up to `n` items that ends there, from the oldest item to the
/// newest and beginning with 0.0, a null being 0.0; or its `mean`. `n` is 1 to [`MOST`].
pub fn windows(ids: &Ids, lists: usize, n: usize, mean: bool, x: &[f64], out: &mut [f64]) {
    let large = size_of_val(out) >= stream::LARGE;
    let shares = par::ranges(ids.len(), ids.len().div_ceil(par::threads()).next_multiple_of(TILE));
    // What each share's windows begin with.
    let known = shares.len().saturating_sub(1);
    let tails =
        par::each(shares[..known].to_vec(), || (), |(), rows| Tails::find(ids, lists, n - 1, rows, x));
    let mut starts = vec![Tails::new(lists, n - 1)];
    for tails in tails {
        starts.push(tails.after(&starts[starts.len() - 1]));
    }
    let out = Sink::new(out);
    par::each(
        shares.into_iter().zip(starts).collect(),
        || vec![0.0; TILE],
        |room, (rows, start)| {
            let mut states = vec![State::START; lists];
            for (list, state) in states.iter_mut().enumerate() {
                start.of(list).iter().rev().for_each(|&x| {
                    state.push(x, n);
                });
            }
            ids.tiles(rows, false, |at, ids| {
                let (x, out) = (&x[at..at + ids.len()], out.part(at, ids.len()));
                let done = &mut room[..ids.len()];
                tile(&mut states, n, mean, ids, x, done);
                match large {
                    true => stream::copy(bytemuck::cast_slice(done), bytemuck::cast_slice_mut(out)),
                    false => out.copy_from_slice(done),
                }
            });
            stream::fence();
        },
    );
}

/// [`windows`] of a tile.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt+fma",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt+fma"
))]
fn tile(states: &mut [State], n: usize, mean: bool, ids: &[i32], x: &[f64], out: &mut [f64]) {
    let mut counts = [0u32; TILE];
    for (i, (&id, &x)) in ids.iter().zip(x).enumerate() {
        if let Some(next) = ids.get(i + AHEAD).and_then(|&id| states.get(id as usize)) {
            prefetch::line(next, 0);
        }
        if let Some(state) = states.get_mut(id as usize) {
            (out[i], counts[i]) = state.push(x, n);
        }
    }
    if mean {
        out.iter_mut().zip(&counts).for_each(|(sum, &n)| *sum = super::window::shared(*sum, n as f64));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cpu::tests::Random;

    #[test]
    fn every_window_is_summed_from_its_oldest_item() {
        let mut random = Random(11);
        for (rows, lists) in [(0usize, 1usize), (1, 1), (5000, 1), (5000, 7), (70_001, 1000), (3000, 20_000)]
        {
            let ids: Vec<i32> = (0..rows).map(|_| random.below(lists as u64 + 1) as i32 - 1).collect();
            let x: Vec<f64> = random.floats(rows);
            for n in [1, 2, 20, MOST] {
                for mean in [false, true] {
                    let mut out = vec![0.0; rows];
                    windows(&Ids::Numbers(&ids), lists, n, mean, &x, &mut out);
                    let mut of = vec![vec![]; lists];
                    for row in (0..rows).filter(|&row| ids[row] >= 0) {
                        let list = &mut of[ids[row] as usize];
                        list.push(x[row]);
                        let window = list[list.len().saturating_sub(n)..].iter().filter(|x| !x.is_nan());
                        let sum = window.clone().fold(0.0, |sum, x| sum + x);
                        let count = window.count() as f64;
                        let want = if !mean {
                            sum
                        } else if count == 0.0 {
                            f64::NAN
                        } else {
                            sum / count
                        };
                        assert_eq!(
                            out[row].to_bits(),
                            want.to_bits(),
                            "row {row} of {rows}, {lists} lists, {n}"
                        );
                    }
                }
            }
        }
    }
}
