//! Consecutive items of lists side by side, with some of those before them: what windows are computed from.

use super::super::par;
use super::super::scatter::Sink;
use super::super::tile::{CHUNK, TILE};
use super::rank::parts;
use super::walk::{Lists, own};
use bytemuck::Pod;
use std::ops::Range;

/// Rows of a block in which the items of each list are brought together: it and its results lie in a core's cache.
const BLOCK: usize = 4 * CHUNK;
/// The most lists for which that is worth it; items of more lists are sorted first.
const DENSE: usize = BLOCK / 16;

/// Runs `f` on every list in parts. It gets consecutive items: `known` that were seen before, `before` of them or, at
/// the beginning of a list, as many as there are; and then new ones, for each of which it writes a result.
pub fn runs<T: Pod + Send + Sync, U: Pod + Send + Sync>(
    lists: &Lists,
    x: &[T],
    before: usize,
    f: impl Fn(&[T], usize, &mut [U]) + Sync + Send,
    out: &mut [U],
) {
    match lists {
        Lists::All(rows) => {
            let parts = cut(*rows, before);
            let outs =
                par::split(bytemuck::cast_slice_mut(out), parts.iter().map(|p| p.len() * size_of::<U>()));
            let tasks = parts.into_iter().zip(outs).collect();
            par::each(
                tasks,
                || (),
                |(), (part, out)| {
                    let known = part.start.min(before);
                    f(&x[part.start - known..part.end], known, bytemuck::cast_slice_mut(out));
                },
            );
        }
        Lists::Groups(ids, count) if *count <= DENSE && before.saturating_mul(*count) <= 4 * BLOCK => {
            let out = Sink::new(out);
            par::each(
                par::shares(*count),
                || (),
                |(), lists| {
                    let mut gathered = Gathered::new(lists, before);
                    for at in (0..ids.len()).step_by(BLOCK) {
                        gathered.block(ids, at, x, &f, &out);
                    }
                },
            );
        }
        _ => {
            let out = Sink::new(out);
            let (rows, starts) = lists.rows();
            // A list is cut where it is long; short ones go together.
            let cuts = |range: Range<usize>| {
                range.flat_map(|list| {
                    let first = starts[list];
                    let of = cut(starts[list + 1] - first, before).into_iter();
                    of.map(move |p| (first, first + p.start..first + p.end))
                })
            };
            let tasks: Vec<Vec<_>> = match lists {
                Lists::Groups(..) => parts(&starts).into_iter().map(|range| cuts(range).collect()).collect(),
                _ => cuts(0..1).map(|cut| vec![cut]).collect(),
            };
            par::each(tasks, Scratch::default, |scratch: &mut Scratch<T, U>, cuts| {
                for (first, part) in cuts {
                    let known = (part.start - first).min(before);
                    scratch.items.clear();
                    scratch.items.extend(rows[part.start - known..part.end].iter().map(|&r| x[r as usize]));
                    scratch.run(known, &rows[part], &f, &out);
                }
            });
        }
    }
}

/// Parts of `n` items, each longer than what is known before it.
fn cut(n: usize, before: usize) -> Vec<Range<usize>> {
    let size = CHUNK.max(before.min(n));
    par::ranges(n, size)
}

/// Items side by side, and their results.
struct Scratch<T, U> {
    items: Vec<T>,
    results: Vec<U>,
}

impl<T, U> Default for Scratch<T, U> {
    fn default() -> Self {
        Scratch { items: vec![], results: vec![] }
    }
}

impl<T: Pod, U: Pod> Scratch<T, U> {
    /// Computes the results of all items but the known, and writes them at their rows.
    fn run(&mut self, known: usize, rows: &[u32], f: &impl Fn(&[T], usize, &mut [U]), out: &Sink<U>) {
        self.results.resize(rows.len(), U::zeroed());
        f(&self.items, known, &mut self.results);
        rows.iter().zip(&self.results).for_each(|(&row, &result)| out.put(row as usize, result));
    }
}

/// A thread's lists, block after block.
struct Gathered<T, U> {
    lists: Range<usize>,
    before: usize,
    /// The last items of each list, and how many there are.
    known: Vec<T>,
    held: Vec<usize>,
    /// Of a block: the rows of the lists and which list each is in; where each list's rows begin; the rows by list.
    rows: Vec<u32>,
    of: Vec<u16>,
    starts: Vec<u32>,
    order: Vec<u32>,
    scratch: Scratch<T, U>,
}

impl<T: Pod, U: Pod> Gathered<T, U> {
    fn new(lists: Range<usize>, before: usize) -> Self {
        Gathered {
            known: vec![T::zeroed(); lists.len() * before],
            held: vec![0; lists.len()],
            rows: Vec::with_capacity(BLOCK),
            of: Vec::with_capacity(BLOCK),
            starts: vec![],
            order: vec![0; BLOCK],
            scratch: Scratch::default(),
            lists,
            before,
        }
    }

    /// The block of rows that begins at `at`.
    fn block(&mut self, ids: &[i32], at: usize, x: &[T], f: &impl Fn(&[T], usize, &mut [U]), out: &Sink<U>) {
        self.rows.clear();
        self.of.clear();
        self.starts.clear();
        self.starts.resize(self.lists.len() + 1, 0);
        let end = ids.len().min(at + BLOCK);
        for tile in (at..end).step_by(TILE) {
            own(&ids[tile..end.min(tile + TILE)], &self.lists, false, |list, i| {
                self.rows.push((tile + i) as u32);
                self.of.push(list as u16);
                self.starts[list + 1] += 1;
            });
        }
        for list in 0..self.lists.len() {
            self.starts[list + 1] += self.starts[list];
        }
        // Each list's start moves to its end, which is the next one's start.
        for (&row, &list) in self.rows.iter().zip(&self.of) {
            let next = &mut self.starts[list as usize];
            self.order[*next as usize] = row;
            *next += 1;
        }
        let mut from = 0;
        for list in 0..self.lists.len() {
            let to = self.starts[list] as usize;
            if to > from {
                self.list(list, from..to, x, f, out);
            }
            from = to;
        }
    }

    /// The rows `order[part]` of a list.
    fn list(
        &mut self,
        list: usize,
        part: Range<usize>,
        x: &[T],
        f: &impl Fn(&[T], usize, &mut [U]),
        out: &Sink<U>,
    ) {
        let (rows, held) = (&self.order[part], self.held[list]);
        let known = &mut self.known[list * self.before..][..self.before];
        self.scratch.items.clear();
        self.scratch.items.extend_from_slice(&known[..held]);
        self.scratch.items.extend(rows.iter().map(|&row| x[row as usize]));
        self.scratch.run(held, rows, f, out);
        let items = &self.scratch.items;
        self.held[list] = self.before.min(items.len());
        known[..self.held[list]].copy_from_slice(&items[items.len() - self.held[list]..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For each row the row `before` before it in its list, or its list's first.
    fn told(lists: &Lists, rows: usize, before: usize) -> Vec<u32> {
        let x: Vec<u32> = (0..rows as u32).collect();
        let mut out = vec![u32::MAX; rows];
        let first = |x: &[u32], known: usize, out: &mut [u32]| {
            assert_eq!(x.len(), known + out.len());
            (known..).zip(out).for_each(|(i, out)| *out = x[i.saturating_sub(before)]);
        };
        runs(lists, &x, before, first, &mut out);
        out
    }

    #[test]
    fn items_of_every_list_come_in_order_with_those_before_them() {
        let rows = 2 * BLOCK + 1000;
        let mix = |i: usize| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        for groups in [1, 2, 7, DENSE, DENSE + 1, rows] {
            let ids: Vec<i32> = (0..rows).map(|i| (mix(i) % (groups + 1)) as i32 - 1).collect();
            let mut bits = vec![0u64; rows.div_ceil(64)];
            (0..rows).filter(|&i| ids[i] == 0).for_each(|i| bits[i / 64] |= 1 << (i % 64));
            for before in [0, 1, 19, 70_000] {
                let mut of = vec![vec![]; groups];
                let wanted = |list: &[u32], k: usize| list[k.saturating_sub(before)];
                let out = told(&Lists::Groups(&ids, groups), rows, before);
                let some = told(&Lists::Some(rows, &bits), rows, before);
                let all = told(&Lists::All(rows), rows, before);
                for row in 0..rows {
                    assert_eq!(all[row], row.saturating_sub(before) as u32);
                    let Ok(id) = usize::try_from(ids[row]) else { continue };
                    of[id].push(row as u32);
                    let want = wanted(&of[id], of[id].len() - 1);
                    assert_eq!(out[row], want, "row {row} of {groups} groups, {before} before");
                    assert!(id > 0 || some[row] == want);
                }
            }
        }
    }
}
