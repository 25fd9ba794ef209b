//! Which rows are in which list, and a pass over them in their order.

use super::super::par;
use super::super::tile::{LINE, TILE};
use std::ops::Range;

/// The lists of a loop's rows.
pub enum Lists<'a> {
    /// All so many rows are one list.
    All(usize),
    /// The rows whose bit is set, of so many, are one list.
    Some(usize, &'a [u64]),
    /// The row's group number, or -1 for a row of no list; and how many groups there are.
    Groups(&'a [i32], usize),
}

impl Lists<'_> {
    /// Runs `step` on every row of every list, in the order of the rows, or from the last row back. Threads own
    /// ranges of lists: `make` makes the state of a range, and `step` gets it, the list's place in the range, and
    /// the row.
    pub fn walk<S>(
        &self,
        back: bool,
        make: impl Fn(Range<usize>) -> S + Sync + Send,
        step: impl Fn(&mut S, usize, usize) + Sync + Send,
    ) {
        match self {
            Lists::All(rows) => {
                let mut state = make(0..1);
                if back {
                    (0..*rows).rev().for_each(|row| step(&mut state, 0, row));
                } else {
                    (0..*rows).for_each(|row| step(&mut state, 0, row));
                }
            }
            Lists::Some(rows, bits) => {
                let mut state = make(0..1);
                let words = rows.div_ceil(LINE);
                let mut line = |at: usize| {
                    let mut left = bits[at];
                    while left != 0 {
                        let bit = if back { 63 - left.leading_zeros() } else { left.trailing_zeros() };
                        step(&mut state, 0, at * LINE + bit as usize);
                        left &= !(1 << bit);
                    }
                };
                if back { (0..words).rev().for_each(&mut line) } else { (0..words).for_each(&mut line) }
            }
            Lists::Groups(ids, count) => {
                par::each(
                    par::shares(*count),
                    || (),
                    |(), lists| {
                        let mut state = make(lists.clone());
                        let mut tile = |at: usize| {
                            own(&ids[at..ids.len().min(at + TILE)], &lists, back, |list, i| {
                                step(&mut state, list, at + i);
                            });
                        };
                        let tiles = (0..ids.len()).step_by(TILE);
                        if back { tiles.rev().for_each(&mut tile) } else { tiles.for_each(&mut tile) }
                    },
                );
            }
        }
    }

    /// Runs `step` on the list and row of every row that is in one, in their order, on this thread.
    pub fn each(&self, mut step: impl FnMut(usize, usize)) {
        match self {
            Lists::Groups(ids, _) => {
                let lists = ids.iter().enumerate().filter(|(_, id)| **id >= 0);
                lists.for_each(|(row, &id)| step(id as usize, row));
            }
            Lists::All(rows) => (0..*rows).for_each(|row| step(0, row)),
            Lists::Some(rows, bits) => {
                let set = |row: &usize| bits[row / LINE] >> (row % LINE) & 1 == 1;
                (0..*rows).filter(set).for_each(|row| step(0, row));
            }
        }
    }

    /// How many rows each list has.
    pub fn counts(&self) -> Vec<usize> {
        match self {
            Lists::All(rows) => vec![*rows],
            Lists::Some(_, bits) => vec![bits.iter().map(|w| w.count_ones() as usize).sum()],
            Lists::Groups(ids, count) => {
                let mut counts = vec![0; *count];
                ids.iter().filter(|id| **id >= 0).for_each(|&id| counts[id as usize] += 1);
                counts
            }
        }
    }

    /// The rows of each list side by side, and where each begins, and the end.
    pub fn rows(&self) -> (Vec<u32>, Vec<usize>) {
        let mut starts = vec![0];
        let mut end = 0;
        for n in self.counts() {
            end += n;
            starts.push(end);
        }
        let mut next = starts.clone();
        let mut order = vec![0u32; end];
        self.each(|list, row| {
            order[next[list]] = row as u32;
            next[list] += 1;
        });
        (order, starts)
    }
}

/// Runs `f` on the rows of a tile whose list is one of `lists`, with the list's place among them. They are
/// gathered first without a branch, since which thread owns a row is a coin's toss.
pub fn own(ids: &[i32], lists: &Range<usize>, back: bool, mut f: impl FnMut(usize, usize)) {
    let (from, len) = (lists.start as i32, lists.len() as u32);
    let place = |id: i32| id.wrapping_sub(from) as u32;
    // Where a table is in the order of its groups, most tiles have no row of a thread's.
    if !ids.iter().fold(false, |any, &id| any | (place(id) < len)) {
        return;
    }
    let mut rows = [0u16; TILE];
    let mut n = 0;
    for (i, &id) in ids.iter().enumerate() {
        rows[n.min(TILE - 1)] = i as u16;
        n += (place(id) < len) as usize;
    }
    let mut each = |&i: &u16| f(place(ids[i as usize]) as usize, i as usize);
    if back { rows[..n].iter().rev().for_each(&mut each) } else { rows[..n].iter().for_each(&mut each) }
}
