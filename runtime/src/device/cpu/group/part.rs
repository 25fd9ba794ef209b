//! Grouping by partition: rows are first scattered, in order, into partitions of the keys; then each partition is
//! grouped by one thread, in row order, in a table that stays in the second-level cache. Keys whose packed
//! numbers are dense are cut into spans with a slot for each number; others by a hash, with an open table.

use super::super::env::Env;
use super::super::par;
use super::super::repr::with_width;
use super::super::tile::TILE;
use super::Groups;
use super::cell::Layout;
use super::feed::Feed;
use super::hash::{Numbers, hash};
use super::key::Packing;
use super::scatter::Sink;
use q::{Buf, Result};

/// How rows are cut into partitions.
#[derive(Clone, Copy)]
pub enum Cut {
    /// Spans of `1 << bits` numbers.
    Span(u32),
    /// The highest bits of a hash; so many partitions as a power of two.
    Hash(u32),
}

impl Cut {
    #[inline(always)]
    fn of(self, numbers: &[&[u64]], i: usize) -> usize {
        match self {
            Cut::Span(bits) => (numbers[0][i] >> bits) as usize,
            Cut::Hash(0) => 0,
            Cut::Hash(bits) => (hash(numbers.iter().map(|n| n[i])) >> (64 - bits)) as usize,
        }
    }
}

/// Groups `rows` rows into `parts` partitions; the groups of a partition of spans are in order, and so are the
/// partitions.
pub fn group(
    env: &Env,
    feed: &Feed,
    layout: &Layout,
    packing: &Packing,
    rows: usize,
    cut: Cut,
    parts: usize,
) -> Result<Vec<Groups>> {
    let bound = feed.bind(env)?;
    let chunks = par::chunks(rows);
    // How many rows of each chunk go to each partition.
    let counts: Vec<Vec<usize>> = par::each(
        chunks.clone(),
        || feed.feeder(&bound, packing),
        |feeder, chunk| {
            let mut counts = vec![0; parts];
            for at in chunk.clone().step_by(TILE) {
                feeder.tile(at, TILE.min(chunk.end - at), |passing, numbers, _| {
                    (0..passing.count).for_each(|i| counts[cut.of(numbers, i)] += 1);
                });
            }
            counts
        },
    );
    // Where they go: partitions in order, and in each the chunks in order.
    let mut ends = vec![0; parts];
    let mut starts: Vec<Vec<usize>> = counts.iter().map(|c| vec![0; c.len()]).collect();
    let mut total = 0;
    for (part, end) in ends.iter_mut().enumerate() {
        for (start, count) in starts.iter_mut().zip(&counts) {
            start[part] = total;
            total += count[part];
        }
        *end = total;
    }
    let mut numbers: Vec<Buf<u64>> = (0..packing.words).map(|_| Buf::stale(total)).collect();
    let mut values: Vec<Buf<u8>> = layout.args.iter().map(|a| Buf::stale(total * a.1)).collect();
    {
        let number_sinks: Vec<Sink<u64>> = numbers.iter_mut().map(|b| Sink::new(b.make_mut())).collect();
        let value_sinks: Vec<Sink<u8>> = values.iter_mut().map(|b| Sink::new(b.make_mut())).collect();
        let tasks = chunks.into_iter().zip(starts).collect();
        let init = || (feed.feeder(&bound, packing), vec![0usize; TILE]);
        par::each(tasks, init, |(feeder, places), (chunk, mut next)| {
            for at in chunk.clone().step_by(TILE) {
                feeder.tile(at, TILE.min(chunk.end - at), |passing, numbers, values| {
                    let places = &mut places[..passing.count];
                    for (i, place) in places.iter_mut().enumerate() {
                        let part = cut.of(numbers, i);
                        *place = next[part];
                        next[part] += 1;
                    }
                    for (sink, numbers) in number_sinks.iter().zip(numbers) {
                        sink.scatter(places, numbers);
                    }
                    for ((sink, bytes), &(_, width)) in value_sinks.iter().zip(values).zip(&layout.args) {
                        with_width!(width, T => sink.cast::<T>().scatter(places, bytemuck::cast_slice(bytes)));
                    }
                });
            }
        });
    }
    let tasks: Vec<(usize, usize, usize)> =
        (0..parts).map(|p| (p, if p == 0 { 0 } else { ends[p - 1] }, ends[p])).collect();
    let rows = Rows { layout, numbers: &numbers, values: &values };
    Ok(match cut {
        Cut::Span(bits) => {
            let init = || (layout.table(1 << bits), vec![0u32; TILE]);
            par::each(tasks, init, |(table, slots), (part, from, to)| {
                let first = (part as u64) << bits;
                rows.blocks(from, to, |numbers, values| {
                    let slots = &mut slots[..numbers[0].len()];
                    slots.iter_mut().zip(numbers[0]).for_each(|(slot, n)| *slot = (n - first) as u32);
                    layout.add(slots, values, table);
                });
                let mut groups = Groups::default();
                for (slot, words) in table.words.chunks_mut(table.stride).enumerate() {
                    if words[0] > 0 {
                        groups.numbers.push(first + slot as u64);
                        groups.words.extend_from_slice(words);
                        words.copy_from_slice(&layout.start);
                    }
                }
                groups
            })
        }
        Cut::Hash(_) => par::each(
            tasks,
            || vec![0u32; TILE],
            |slots, (_, from, to)| {
                let mut index = Numbers::new(packing.words);
                let mut table = layout.table(0);
                rows.blocks(from, to, |numbers, values| {
                    let slots = &mut slots[..numbers[0].len()];
                    for (i, slot) in slots.iter_mut().enumerate() {
                        *slot = index.find_or_insert(numbers, i);
                    }
                    for _ in table.words.len() / table.stride..index.len() {
                        table.words.extend_from_slice(&layout.start);
                    }
                    layout.add(slots, values, &mut table);
                });
                Groups { numbers: index.into_numbers(), words: table.words }
            },
        ),
    })
}

/// The scattered rows.
struct Rows<'a> {
    layout: &'a Layout,
    numbers: &'a [Buf<u64>],
    values: &'a [Buf<u8>],
}

impl Rows<'_> {
    /// Runs `f` on the rows `from..to`, a block at a time.
    fn blocks(&self, from: usize, to: usize, mut f: impl FnMut(&[&[u64]], &[&[u8]])) {
        for at in (from..to).step_by(TILE) {
            let end = to.min(at + TILE);
            let numbers: Vec<&[u64]> = self.numbers.iter().map(|n| &n[at..end]).collect();
            let values: Vec<&[u8]> =
                self.values.iter().zip(&self.layout.args).map(|(v, a)| &v[at * a.1..end * a.1]).collect();
            f(&numbers, &values);
        }
    }
}
