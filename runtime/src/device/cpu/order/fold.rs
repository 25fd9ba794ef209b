//! Folds of lists that show something at every row, on all cores.

use super::super::par;
use super::super::prefetch;
use super::super::scatter::Sink;
use super::super::stream;
use super::super::tile::{CHUNK, LINE, TILE};
use super::walk::Lists;
use bytemuck::Pod;
use std::ops::Range;

/// So many rows a state let threads learn the states that they begin with.
const FEW: usize = 8;
/// Rows of a block that threads share: they stay in the third-level cache.
const BLOCK: usize = 16 * CHUNK;

/// What makes of the states of two parts of a list, the one before the other, that of both.
pub type Join<'a, S> = &'a (dyn Fn(S, S) -> S + Sync);

/// The later of the last items of two parts of a list.
pub fn later<T>(before: Option<T>, after: Option<T>) -> Option<T> {
    after.or(before)
}

impl Lists<'_> {
    /// Folds the items `x` of every list in the order of the rows, or from the last row back: `step` makes the state
    /// after an item of the one before it, beginning with `start`, and `show` of the item and both what is written at its
    /// row; rows of no list get anything. If `join` makes of the states of two consecutive parts of a list that of both,
    /// to the bit, threads own ranges of rows, and first learn the states that they begin with.
    pub fn scan<T: Copy + Sync, S: Copy + Send + Sync, U: Pod + Send + Sync>(
        &self,
        x: &[T],
        back: bool,
        (start, join): (S, Option<Join<S>>),
        step: impl Fn(S, T) -> S + Sync + Send,
        show: impl Fn(T, S, S) -> U + Sync + Send,
        out: &mut [U],
    ) {
        let large = size_of_val(out) >= stream::LARGE;
        let out = Sink::new(out);
        let (threads, rows) = (par::threads(), self.len());
        let count = if let Lists::Groups(_, count) = self { *count } else { 1 };
        let block = count.saturating_mul(threads * threads * FEW);
        let Some(join) = join.filter(|_| block <= rows) else {
            return self.walk(
                back,
                |range| vec![start; range.len()],
                |states, list, row| {
                    let (item, before) = (x[row], states[list]);
                    states[list] = step(before, item);
                    out.put(row, show(item, before, states[list]));
                },
            );
        };
        let turned = |ranges: Vec<Range<usize>>| match back {
            true => ranges.into_iter().rev().collect(),
            false => ranges,
        };
        let cut = |rows: &Range<usize>, size: usize| {
            let parts = par::ranges(rows.len(), size).into_iter();
            turned(parts.map(|p| rows.start + p.start..rows.start + p.end).collect())
        };
        let learn = |rows: &Range<usize>| {
            let mut states = vec![start; count];
            let all = &mut states[..];
            for tile in cut(rows, TILE) {
                let none = &mut [(); TILE][..tile.len()];
                self.tile(tile.start, back, &x[tile], none, |list, x, _| all[list] = step(all[list], x));
            }
            states
        };
        let write = |room: &mut Vec<U>, rows: &Range<usize>, states: &mut [S]| {
            for tile in cut(rows, TILE) {
                let (at, out) = (tile.start, out.part(tile.start, tile.len()));
                let done = &mut room[..tile.len()];
                self.tile(at, back, &x[tile], done, |list, x, out| {
                    let before = states[list];
                    let after = step(before, x);
                    states[list] = after;
                    *out = show(x, before, after);
                });
                let (done, out) = (bytemuck::cast_slice(done), bytemuck::cast_slice_mut(out));
                if large { stream::copy(done, out) } else { out.copy_from_slice(done) }
            }
            stream::fence();
        };
        let mut at = vec![start; count];
        // Of a block threads read some rows twice, so that they are still in the cache.
        for block in cut(&(0..rows), block.max(1).next_multiple_of(BLOCK)) {
            // The shares in the order of the fold; all threads together learn the states at their ends.
            let parts = |of: &Range<usize>| cut(of, of.len().div_ceil(threads).next_multiple_of(LINE));
            let shares = parts(&block);
            let pieces: Vec<Range<usize>> = shares[..shares.len() - 1].iter().flat_map(parts).collect();
            let ends = par::each(pieces.clone(), || (), |(), piece| learn(&piece));
            let mut ends = pieces.iter().zip(ends).peekable();
            let tasks = shares.into_iter().map(|share| {
                let states = at.clone();
                while let Some((_, end)) = ends.next_if(|(piece, _)| share.contains(&piece.start)) {
                    at.iter_mut().zip(end).for_each(|(at, end)| *at = join(*at, end));
                }
                (share, states)
            });
            let tasks = tasks.collect();
            let ends = par::each(
                tasks,
                || vec![U::zeroed(); TILE],
                |room, (share, mut states)| {
                    write(room, &share, &mut states);
                    states
                },
            );
            at = ends.into_iter().next_back().unwrap_or(at);
        }
    }

    /// Runs `f` on the list, the item and the place of every row that is in a list, of a tile of rows from `at` on with
    /// these items and places.
    #[inline(always)]
    fn tile<T: Copy, U>(
        &self,
        at: usize,
        back: bool,
        x: &[T],
        out: &mut [U],
        mut f: impl FnMut(usize, T, &mut U),
    ) {
        match self {
            Lists::All(_) if back => x.iter().zip(out).rev().for_each(|(&x, out)| f(0, x, out)),
            Lists::All(_) => x.iter().zip(out).for_each(|(&x, out)| f(0, x, out)),
            Lists::Some(..) => {
                self.rows_of(at..at + x.len(), back, |list, row| f(list, x[row - at], &mut out[row - at]));
            }
            Lists::Groups(ids, _) => {
                let mut room = [0; TILE];
                let rows = ids.tile(at..at + x.len(), &mut room).iter().zip(x).zip(out);
                // Those of the next tile are asked for, so that memory works while these are added.
                let next = |x: *const T| if back { x.wrapping_sub(TILE) } else { x.wrapping_add(TILE) };
                let mut one = |((&id, x), out): ((&i32, &T), &mut U)| {
                    prefetch::place(next(x));
                    if id >= 0 {
                        f(id as usize, *x, out);
                    }
                };
                if back { rows.rev().for_each(&mut one) } else { rows.for_each(&mut one) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::walk::Ids;
    use super::*;
    use crate::device::cpu::tests::Random;

    #[test]
    fn threads_that_own_rows_fold_as_one() {
        let mut random = Random(7);
        let sizes =
            [(0, 1), (1, 1), (70_000, 1), (70_000, 3), (70_001, 1000), (500, 400), (BLOCK + 70_000, 7)];
        for (rows, groups) in sizes {
            let x: Vec<i64> = (0..rows).map(|_| random.below(100) as i64).collect();
            let ids: Vec<i32> = (0..rows).map(|_| random.below(groups as u64 + 1) as i32 - 1).collect();
            let mut bits = vec![0u64; rows.div_ceil(LINE)];
            (0..rows).filter(|&i| ids[i] == 0).for_each(|i| bits[i / LINE] |= 1 << (i % LINE));
            // Codes of every width are numbers too.
            let (narrow, wide): (Vec<u8>, Vec<u16>) = ids.iter().map(|&id| (id as u8, id as u16)).unzip();
            let of = |ids| Lists::Groups(ids, 1 << 16);
            let all = [Lists::All(rows), Lists::Some(rows, &bits), Lists::Groups(Ids::Numbers(&ids), groups)];
            for lists in all.into_iter().chain([of(Ids::Codes8(&narrow)), of(Ids::Codes16(&wide))]) {
                for back in [false, true] {
                    let of = |join: Option<Join<Option<i64>>>| {
                        let mut out = vec![[-1; 3]; rows];
                        let step = |at: Option<i64>, x| Some(at.unwrap_or(0).max(x));
                        let show = |x, before: Option<i64>, after: Option<i64>| {
                            [x, before.unwrap_or(-2), after.unwrap_or(-3)]
                        };
                        lists.scan(&x, back, (None, join), step, show, &mut out);
                        let mut seen = vec![];
                        lists.each(|list, row| seen.push((list, row, out[row])));
                        seen
                    };
                    let most = |a: Option<i64>, b: Option<i64>| a.max(b);
                    assert!(of(None) == of(Some(&most)), "{rows} rows of {groups} groups, {back}");
                }
            }
        }
    }
}
