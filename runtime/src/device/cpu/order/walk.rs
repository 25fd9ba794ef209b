//! Which rows are in which list, and a pass over them in their order.

use super::super::par;
use super::super::tile::{LINE, TILE};
use std::ops::Range;

/// So many rows a state let threads learn the states that they begin with.
const FEW: usize = 8;

/// What makes of the states of two parts of a list, the one before the other, that of both.
pub type Join<'a, S> = &'a (dyn Fn(S, S) -> S + Sync);

/// The later of the last items of two parts of a list.
pub fn later<T>(before: Option<T>, after: Option<T>) -> Option<T> {
    after.or(before)
}

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
        let Lists::Groups(ids, count) = self else {
            let mut state = make(0..1);
            return self.rows_of(0..self.len(), back, |list, row| step(&mut state, list, row));
        };
        par::each(
            par::shares(*count),
            || (),
            |(), lists| {
                let mut state = make(lists.clone());
                if lists.len() == *count {
                    return self.rows_of(0..ids.len(), back, |list, row| step(&mut state, list, row));
                }
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

    /// Folds every list in the order of the rows, or from the last row back: `step` makes the state after a row of the
    /// one before it, and `put` gets the row and both. If `join` makes of the states of two consecutive parts of
    /// a list that of both, to the bit, threads own ranges of rows, and first learn the states that they begin with.
    pub fn scan<S: Copy + Send + Sync>(
        &self,
        back: bool,
        start: S,
        join: Option<Join<S>>,
        step: impl Fn(S, usize) -> S + Sync + Send,
        put: impl Fn(usize, S, S) + Sync + Send,
    ) {
        let fold = |states: &mut Vec<S>, list: usize, row: usize| {
            let before = states[list];
            states[list] = step(before, row);
            (before, states[list])
        };
        let write = |states: &mut Vec<S>, list: usize, row: usize| {
            let (before, after) = fold(states, list, row);
            put(row, before, after);
        };
        let (threads, rows) = (par::threads(), self.len());
        let count = if let Lists::Groups(_, count) = self { *count } else { 1 };
        let Some(join) = join.filter(|_| count.saturating_mul(threads * threads) <= rows / FEW) else {
            return self.walk(back, |range| vec![start; range.len()], write);
        };
        // The shares in the order of the fold; all threads together learn the states at their ends.
        let mut shares = par::ranges(rows, rows.div_ceil(threads).next_multiple_of(LINE));
        if back {
            shares.reverse();
        }
        let known = shares.len().saturating_sub(1);
        let pieces = shares[..known].iter().flat_map(|share| {
            let of = par::ranges(share.len(), share.len().div_ceil(threads).next_multiple_of(LINE));
            let mut of: Vec<_> = of.iter().map(|p| share.start + p.start..share.start + p.end).collect();
            if back {
                of.reverse();
            }
            of
        });
        let pieces: Vec<Range<usize>> = pieces.collect();
        let ends = par::each(
            pieces.clone(),
            || (),
            |(), piece| {
                let mut states = vec![start; count];
                self.rows_of(piece, back, |list, row| {
                    fold(&mut states, list, row);
                });
                states
            },
        );
        let mut ends = pieces.iter().zip(ends).peekable();
        let mut at = vec![start; count];
        let tasks = shares.into_iter().map(|share| {
            let states = at.clone();
            while let Some((_, end)) = ends.next_if(|(piece, _)| share.contains(&piece.start)) {
                at.iter_mut().zip(end).for_each(|(at, end)| *at = join(*at, end));
            }
            (share, states)
        });
        par::each(
            tasks.collect(),
            || (),
            |(), (share, mut states)| {
                self.rows_of(share, back, |list, row| write(&mut states, list, row));
            },
        );
    }

    /// How many rows there are, in lists or not.
    fn len(&self) -> usize {
        match self {
            Lists::All(rows) | Lists::Some(rows, _) => *rows,
            Lists::Groups(ids, _) => ids.len(),
        }
    }

    /// Runs `f` on the list and row of those of some rows that are in one, in their order or backwards, on this
    /// thread. The rows begin at a word of bits.
    fn rows_of(&self, rows: Range<usize>, back: bool, mut f: impl FnMut(usize, usize)) {
        match self {
            Lists::All(_) if back => rows.rev().for_each(|row| f(0, row)),
            Lists::All(_) => rows.for_each(|row| f(0, row)),
            Lists::Some(_, bits) => {
                let words = rows.start / LINE..rows.end.div_ceil(LINE);
                let mut line = |at: usize| {
                    let mut left = bits[at];
                    while left != 0 {
                        let bit = if back { 63 - left.leading_zeros() } else { left.trailing_zeros() };
                        f(0, at * LINE + bit as usize);
                        left &= !(1 << bit);
                    }
                };
                if back { words.rev().for_each(&mut line) } else { words.for_each(&mut line) }
            }
            Lists::Groups(ids, _) => {
                let first = rows.start;
                let ids = ids[rows].iter().enumerate().map(|(i, &id)| (id, first + i));
                let mut one = |(id, row): (i32, usize)| {
                    if id >= 0 {
                        f(id as usize, row);
                    }
                };
                if back { ids.rev().for_each(&mut one) } else { ids.for_each(&mut one) }
            }
        }
    }

    /// Runs `step` on the list and row of every row that is in one, in their order, on this thread.
    pub fn each(&self, step: impl FnMut(usize, usize)) {
        self.rows_of(0..self.len(), false, step);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cpu::scatter::Sink;
    use crate::device::cpu::tests::Random;

    #[test]
    fn threads_that_own_rows_fold_as_one() {
        let mut random = Random(7);
        for (rows, groups) in [(0usize, 1usize), (1, 1), (70_000, 1), (70_000, 3), (70_001, 1000), (500, 400)]
        {
            let x: Vec<i64> = (0..rows).map(|_| random.below(100) as i64).collect();
            let ids: Vec<i32> = (0..rows).map(|_| random.below(groups as u64 + 1) as i32 - 1).collect();
            let mut bits = vec![0u64; rows.div_ceil(LINE)];
            (0..rows).filter(|&i| ids[i] == 0).for_each(|i| bits[i / LINE] |= 1 << (i % LINE));
            for lists in [Lists::All(rows), Lists::Some(rows, &bits), Lists::Groups(&ids, groups)] {
                for back in [false, true] {
                    let of = |join: Option<Join<Option<i64>>>| {
                        let mut out = vec![-1; 2 * rows];
                        let sink = Sink::new(&mut out);
                        let put = |row, before: Option<i64>, after: Option<i64>| {
                            sink.put(2 * row, before.unwrap_or(-2));
                            sink.put(2 * row + 1, after.unwrap_or(-3));
                        };
                        lists.scan(back, None, join, |at, row| Some(at.unwrap_or(0).max(x[row])), put);
                        out
                    };
                    let most = |a: Option<i64>, b: Option<i64>| a.max(b);
                    assert!(of(None) == of(Some(&most)), "{rows} rows of {groups} groups, {back}");
                }
            }
        }
    }
}
