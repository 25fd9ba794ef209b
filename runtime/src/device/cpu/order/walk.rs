//! Which rows are in which list, and a pass over them in their order.

use super::super::par;
use super::super::prefetch;
use super::super::tile::{LINE, TILE};
use std::ops::Range;

/// The lists of a loop's rows.
pub enum Lists<'a> {
    /// All so many rows are one list.
    All(usize),
    /// The rows whose bit is set, of so many, are one list.
    Some(usize, &'a [u64]),
    /// The row's group number; and how many groups there are.
    Groups(Ids<'a>, usize),
}

/// The list numbers of rows.
#[derive(Clone, Copy)]
pub enum Ids<'a> {
    /// A row of no list has -1.
    Numbers(&'a [i32]),
    /// The codes of a symbol column, where it is no matter that some lists are empty.
    Codes8(&'a [u8]),
    /// Codes of two bytes.
    Codes16(&'a [u16]),
}

impl Ids<'_> {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        match self {
            Ids::Numbers(ids) => ids.len(),
            Ids::Codes8(codes) => codes.len(),
            Ids::Codes16(codes) => codes.len(),
        }
    }

    /// The numbers of some rows, no more than a tile's, for which `room` has room. Codes of the next tile are asked for.
    pub fn tile<'b>(&'b self, rows: Range<usize>, room: &'b mut [i32; TILE]) -> &'b [i32] {
        fn widen<T: Copy + Into<i32>>(codes: &[T], room: &mut [i32; TILE]) {
            codes.chunks(LINE).for_each(|line| prefetch::place(line.as_ptr().wrapping_add(TILE)));
            room.iter_mut().zip(codes).for_each(|(id, &code)| *id = code.into());
        }
        let n = rows.len();
        match self {
            Ids::Numbers(ids) => return &ids[rows],
            Ids::Codes8(codes) => widen(&codes[rows], room),
            Ids::Codes16(codes) => widen(&codes[rows], room),
        }
        &room[..n]
    }

    /// Runs `f` on the numbers of each tile of some rows and on its first row, in their order or from the last one back.
    pub fn tiles(&self, rows: Range<usize>, back: bool, mut f: impl FnMut(usize, &[i32])) {
        let mut room = [0; TILE];
        let mut tile = |at: usize| f(at, self.tile(at..rows.end.min(at + TILE), &mut room));
        let tiles = rows.clone().step_by(TILE);
        if back { tiles.rev().for_each(&mut tile) } else { tiles.for_each(&mut tile) }
    }
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
                ids.tiles(0..ids.len(), back, |at, ids| {
                    own(ids, &lists, back, |list, i| step(&mut state, list, at + i));
                });
            },
        );
    }

    /// How many rows there are, in lists or not.
    pub fn len(&self) -> usize {
        match self {
            Lists::All(rows) | Lists::Some(rows, _) => *rows,
            Lists::Groups(ids, _) => ids.len(),
        }
    }

    /// Runs `f` on the list and row of those of some rows that are in one, in their order or backwards, on this
    /// thread. The rows begin at a word of bits.
    pub fn rows_of(&self, rows: Range<usize>, back: bool, mut f: impl FnMut(usize, usize)) {
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
            Lists::Groups(ids, _) => ids.tiles(rows, back, |first, ids| {
                let ids = ids.iter().enumerate().map(|(i, &id)| (id, first + i));
                let mut one = |(id, row): (i32, usize)| {
                    if id >= 0 {
                        f(id as usize, row);
                    }
                };
                if back { ids.rev().for_each(&mut one) } else { ids.for_each(&mut one) }
            }),
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
            Lists::Groups(_, count) => {
                let mut counts = vec![0; *count];
                self.each(|list, _| counts[list] += 1);
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
