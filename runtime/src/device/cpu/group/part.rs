//! Grouping by partition: rows are first scattered, in order, into partitions of the keys; then each partition is
//! grouped by one thread, in row order, in a table that stays in the second-level cache. Keys whose packed
//! numbers are dense are cut into spans with a slot for each number; others by a hash, with an open table.

use super::super::env::Env;
use super::super::par;
use super::super::repr::with_width;
use super::super::scatter::Sink;
use super::super::tile::TILE;
use super::Groups;
use super::cell::Layout;
use super::feed::Feed;
use super::hash::{Numbers, hash};
use super::key::{Number, Packing};
use q::{Buf, Result};

/// What is grouped.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The run.
    pub env: &'a Env<'a>,
    /// The loop that yields keys and arguments.
    pub feed: &'a Feed,
    /// The cells.
    pub layout: &'a Layout,
    /// The keys' packing.
    pub packing: &'a Packing<'a>,
    /// How many rows the loop has.
    pub rows: usize,
}

/// Rows that were scattered into partitions.
struct Scattered<'a, R> {
    layout: &'a Layout,
    /// The packed numbers.
    numbers: Vec<Buf<R>>,
    /// The arguments.
    values: Vec<Buf<u8>>,
    /// Each partition and its rows.
    parts: Vec<(usize, usize, usize)>,
}

/// Groups with dense numbers below `domain`, in partitions of `1 << bits` of them, in order.
pub fn spans(job: Job, domain: usize, bits: u32) -> Result<Vec<Groups>> {
    let layout = job.layout;
    let rows =
        scatter::<u32>(job, domain.div_ceil(1 << bits), |numbers, i| (numbers[0][i] >> bits) as usize)?;
    let init = || (layout.table(1 << bits), vec![0u32; TILE]);
    Ok(par::each(rows.parts.clone(), init, |(table, slots), (part, from, to)| {
        let first = part << bits;
        rows.blocks(from, to, |numbers, values| {
            let slots = &mut slots[..numbers[0].len()];
            slots.iter_mut().zip(numbers[0]).for_each(|(slot, n)| *slot = n - first as u32);
            layout.add(slots, values, table);
        });
        let mut groups = Groups::default();
        for (slot, words) in table.words.chunks_mut(table.stride).enumerate() {
            if words[0] > 0 {
                groups.numbers.push((first + slot) as u64);
                groups.words.extend_from_slice(words);
                words.copy_from_slice(&layout.start);
            }
        }
        groups
    }))
}

/// Groups with any numbers, in `1 << bits` partitions by hash, in no order.
pub fn hashes(job: Job, bits: u32) -> Result<Vec<Groups>> {
    let (layout, words) = (job.layout, job.packing.words);
    let part = |numbers: &[&[u64]], i: usize| match bits {
        0 => 0,
        bits => (hash(numbers.iter().map(|n| n[i])) >> (64 - bits)) as usize,
    };
    let rows = scatter::<u64>(job, 1 << bits, part)?;
    Ok(par::each(
        rows.parts.clone(),
        || vec![0u32; TILE],
        |slots, (_, from, to)| {
            let mut index = Numbers::new(words);
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
    ))
}

/// Scatters the rows that pass into `parts` partitions; `part` says which is row `i`'s.
fn scatter<'a, R: Number>(
    job: Job<'a>,
    parts: usize,
    part: impl Fn(&[&[R]], usize) -> usize + Send + Sync,
) -> Result<Scattered<'a, R>> {
    let Job { env, feed, layout, packing, rows } = job;
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
                    (0..passing.count).for_each(|i| counts[part(numbers, i)] += 1);
                });
            }
            counts
        },
    );
    // Where they go: partitions in order, and in each the chunks in order.
    let mut starts: Vec<Vec<usize>> = counts.iter().map(|c| vec![0; c.len()]).collect();
    let (mut ranges, mut total) = (vec![], 0);
    for part in 0..parts {
        let from = total;
        for (start, count) in starts.iter_mut().zip(&counts) {
            start[part] = total;
            total += count[part];
        }
        ranges.push((part, from, total));
    }
    let mut numbers: Vec<Buf<R>> = (0..packing.words).map(|_| Buf::stale(total)).collect();
    let mut values: Vec<Buf<u8>> = layout.args.iter().map(|a| Buf::stale(total * a.1)).collect();
    {
        let number_sinks: Vec<Sink<R>> = numbers.iter_mut().map(|b| Sink::new(b.make_mut())).collect();
        let value_sinks: Vec<Sink<u8>> = values.iter_mut().map(|b| Sink::new(b.make_mut())).collect();
        let tasks = chunks.into_iter().zip(starts).collect();
        let init = || (feed.feeder(&bound, packing), vec![0usize; TILE]);
        par::each(tasks, init, |(feeder, places), (chunk, mut next)| {
            for at in chunk.clone().step_by(TILE) {
                feeder.tile(at, TILE.min(chunk.end - at), |passing, numbers, values| {
                    let places = &mut places[..passing.count];
                    for (i, place) in places.iter_mut().enumerate() {
                        let part = part(numbers, i);
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
    Ok(Scattered { layout, numbers, values, parts: ranges })
}

impl<R: Number> Scattered<'_, R> {
    /// Runs `f` on the numbers and arguments of the rows `from..to`, a block at a time.
    fn blocks(&self, from: usize, to: usize, mut f: impl FnMut(&[&[R]], &[&[u8]])) {
        for at in (from..to).step_by(TILE) {
            let end = to.min(at + TILE);
            let numbers: Vec<&[R]> = self.numbers.iter().map(|n| &n[at..end]).collect();
            let values: Vec<&[u8]> =
                self.values.iter().zip(&self.layout.args).map(|(v, a)| &v[at * a.1..end * a.1]).collect();
            f(&numbers, &values);
        }
    }
}
