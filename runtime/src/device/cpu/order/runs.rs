//! Consecutive items of lists side by side, with some of those before them: what windows are computed from.

use super::super::par;
use super::super::prefetch;
use super::super::scatter::{AHEAD, Sink};
use super::super::stream;
use super::super::tile::{CHUNK, TILE};
use super::rank::parts;
use super::walk::{Ids, Lists};
use bytemuck::Pod;
use q::Buf;
use std::ops::Range;

/// Rows of a block whose items are brought together, list after list: they and their results stay in the third-level
/// cache.
const BLOCK: usize = 16 * CHUNK;
/// The most lists for which that is worth it: a cache line of each stays in the second-level cache. Items of more lists
/// are sorted first.
pub const DENSE: usize = 1 << 14;

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
        Lists::Groups(ids, count) if *count <= DENSE && before.saturating_mul(*count) <= BLOCK => {
            let mut gathered = Gathered::new(*count, before, size_of_val(out) >= stream::LARGE);
            let blocks = par::ranges(ids.len(), BLOCK).into_iter().zip(out.chunks_mut(BLOCK));
            blocks.for_each(|(rows, out)| gathered.block(*ids, rows, x, &f, out));
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

/// All lists, block after block.
struct Gathered<T, U> {
    before: usize,
    /// The last items of each list, and how many there are.
    known: Vec<T>,
    held: Vec<usize>,
    /// Of a block: the items that are known and the new ones, list after list, and the results of the new ones.
    items: Buf<T>,
    results: Buf<U>,
    /// True if the results of all blocks are too large for the caches.
    large: bool,
}

impl<T: Pod + Send + Sync, U: Pod + Send + Sync> Gathered<T, U> {
    fn new(lists: usize, before: usize, large: bool) -> Self {
        let known = vec![T::zeroed(); lists * before];
        Gathered { before, known, held: vec![0; lists], items: Buf::new(), results: Buf::new(), large }
    }

    /// The next block of rows.
    fn block(
        &mut self,
        ids: Ids,
        rows: Range<usize>,
        x: &[T],
        f: &(impl Fn(&[T], usize, &mut [U]) + Sync),
        out: &mut [U],
    ) {
        let Gathered { before, known, held, items, results, large } = self;
        // How many rows of each list every share of the rows has, and then where the first of them goes.
        let shares: Vec<_> =
            par::shares(rows.len()).iter().map(|s| rows.start + s.start..rows.start + s.end).collect();
        let mut next = par::each(
            shares.clone(),
            || (),
            |(), share| {
                let mut counts = vec![0u32; held.len()];
                ids.tiles(share, false, |_, ids| own(ids, |list, _| counts[list] += 1));
                counts
            },
        );
        let (mut starts, mut end) = (vec![0], 0);
        for (list, held) in held.iter().enumerate() {
            end += held;
            for next in &mut next {
                end += std::mem::replace(&mut next[list], end as u32) as usize;
            }
            starts.push(end);
        }
        if items.len() < end {
            (*items, *results) = (Buf::stale(end), Buf::stale(end));
        }
        let tasks = shares.iter().cloned().zip(next.clone()).collect();
        let places = Sink::new(items.make_mut());
        par::each(
            tasks,
            || (),
            |(), (share, mut next): (Range<usize>, Vec<u32>)| {
                ids.tiles(share, false, |at, ids| {
                    let x = &x[at..at + ids.len()];
                    own(ids, |list, i| {
                        if let Some(list) = ids.get(i + AHEAD).and_then(|&list| next.get(list as usize)) {
                            places.ask(*list as usize);
                        }
                        places.put(next[list] as usize, x[i]);
                        next[list] += 1;
                    });
                });
            },
        );
        let (all, outs) = (Sink::new(items.make_mut()), Sink::new(results.make_mut()));
        let (known, held) = (Sink::new(known), Sink::new(held));
        par::each(
            parts(&starts),
            || (),
            |(), lists| {
                for list in lists {
                    let (known, held) = (known.part(list * *before, *before), &mut held.part(list, 1)[0]);
                    let (from, to) = (starts[list], starts[list + 1]);
                    let items = all.part(from, to - from);
                    items[..*held].copy_from_slice(&known[..*held]);
                    f(items, *held, outs.part(from + *held, to - from - *held));
                    *held = (*before).min(items.len());
                    known[..*held].copy_from_slice(&items[items.len() - *held..]);
                }
            },
        );
        let outs = par::split(bytemuck::cast_slice_mut(out), shares.iter().map(|s| s.len() * size_of::<U>()));
        par::each(
            shares.into_iter().zip(next).zip(outs).collect(),
            || vec![U::zeroed(); TILE],
            |tile, ((share, mut next), out)| {
                let first = share.start;
                ids.tiles(share, false, |at, ids| {
                    let tile = &mut tile[..ids.len()];
                    own(ids, |list, i| {
                        if let Some(list) = ids.get(i + AHEAD).and_then(|&list| next.get(list as usize)) {
                            prefetch::place(results.as_ptr().wrapping_add(*list as usize));
                        }
                        tile[i] = results[next[list] as usize];
                        next[list] += 1;
                    });
                    let done: &[u8] = bytemuck::cast_slice(tile);
                    let out = &mut out[(at - first) * size_of::<U>()..][..done.len()];
                    if *large { stream::copy(done, out) } else { out.copy_from_slice(done) }
                });
                stream::fence();
            },
        );
    }
}

/// Runs `f` on the list and place of those of some rows that are in one.
fn own(ids: &[i32], mut f: impl FnMut(usize, usize)) {
    for (i, &id) in ids.iter().enumerate() {
        if id >= 0 {
            f(id as usize, i);
        }
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
        let rows = BLOCK + 1000;
        let mix = |i: usize| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        for groups in [1, 2, 7, DENSE, DENSE + 1, rows] {
            let ids: Vec<i32> = (0..rows).map(|i| (mix(i) % (groups + 1)) as i32 - 1).collect();
            let mut bits = vec![0u64; rows.div_ceil(64)];
            (0..rows).filter(|&i| ids[i] == 0).for_each(|i| bits[i / 64] |= 1 << (i % 64));
            for before in [0, 1, 19, 70_000] {
                let mut of = vec![vec![]; groups];
                let wanted = |list: &[u32], k: usize| list[k.saturating_sub(before)];
                let out = told(&Lists::Groups(Ids::Numbers(&ids), groups), rows, before);
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
