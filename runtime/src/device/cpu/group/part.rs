//! Grouping by partition: rows are first scattered, in order, into partitions of the keys; then each partition is
//! grouped by one thread, in row order, in a table that stays in the second-level cache. Keys whose packed
//! numbers are dense are cut into spans with a slot for each number; others by a hash, with an open table.

use super::super::env::Env;
use super::super::par;
use super::super::repr::with_width;
use super::super::scatter::Sink;
use super::super::tile::TILE;
use super::cell::{Layout, Table};
use super::feed::Feed;
use super::hash::{Numbers, hash};
use super::key::{Number, Packing};
use super::{Groups, pooled};
use q::{Buf, Result};

/// Bytes of a partition's table, about.
pub const CACHED: usize = 1 << 19;

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
    let tasks: Vec<&[(usize, usize, usize)]> = rows.parts.chunks(SPANS).collect();
    let init = || (layout.table(1 << bits), vec![0u32; TILE], (vec![], vec![]));
    Ok(par::each(tasks, init, |(table, slots, (found, kept)), parts| {
        let rows_of = |&(_, from, to): &(usize, usize, usize)| to - from;
        let most = (parts.len() << bits).min(parts.iter().map(rows_of).sum());
        let mut groups = Groups { numbers: pooled(most), words: pooled(most * layout.start.len()) };
        for &(part, from, to) in parts {
            let first = part << bits;
            rows.blocks(from, to, |numbers, values| {
                let slots = &mut slots[..numbers[0].len()];
                slots.iter_mut().zip(numbers[0]).for_each(|(slot, n)| *slot = n - first as u32);
                layout.add(slots, values, table);
            });
            for (slot, words) in table.words_mut().chunks_mut(layout.start.len()).enumerate() {
                if words[0] > 0 {
                    found.push((first + slot) as u64);
                    kept.extend_from_slice(words);
                    words.copy_from_slice(&layout.start);
                }
            }
            groups.numbers.extend_from_slice(found);
            groups.words.extend_from_slice(kept);
            found.clear();
            kept.clear();
        }
        groups
    }))
}

/// Partitions of dense numbers that a task groups: their groups share a block of memory.
const SPANS: usize = 4;

/// Groups with any numbers, in `1 << bits` partitions by hash, in no order.
pub fn hashes(job: Job, bits: u32) -> Result<Vec<Groups>> {
    let part = |numbers: &[&[u64]], i: usize| match bits {
        0 => 0,
        bits => (hash(numbers.iter().map(|n| n[i])) >> (64 - bits)) as usize,
    };
    let rows = scatter::<u64>(job, 1 << bits, part)?;
    Ok(par::each(
        rows.parts.clone(),
        || Gather::new(&rows),
        |gather, (_, from, to)| {
            gather.group(&rows, from, to);
            Groups {
                numbers: Buf::from_slice(gather.index.numbers()),
                words: Buf::from_slice(gather.table.words()),
            }
        },
    ))
}

/// Groups with any numbers, in about `1 << bits` partitions by ranges of the first number, in order. None if too
/// many rows share too few of them.
pub fn ranges(job: Job, bits: u32) -> Result<Option<Vec<Groups>>> {
    let Some(cuts) = Cuts::sample(job, 1 << bits)? else { return Ok(None) };
    let rows = scatter::<u64>(job, cuts.parts(), |numbers, i| cuts.part(numbers[0][i]))?;
    // Partitions that one thread takes share their groups' memory.
    let tasks: Vec<&[(usize, usize, usize)]> = rows.parts.chunks(SHARE).collect();
    let init = || (Gather::new(&rows), Sorted::default());
    Ok(Some(par::each(tasks, init, |(gather, sorted), parts| {
        let mut groups = Groups::default();
        for &(_, from, to) in parts {
            gather.group(&rows, from, to);
            sorted.sort(gather);
            if groups.numbers.is_empty() {
                // The partitions to come have about as many groups.
                let room = parts.len() + parts.len() / 8;
                groups.numbers = pooled(sorted.numbers.len() * room);
                groups.words = pooled(sorted.words.len() * room);
            }
            groups.numbers.extend_from_slice(&sorted.numbers);
            groups.words.extend_from_slice(&sorted.words);
        }
        groups
    })))
}

/// Partitions that a task groups.
const SHARE: usize = 16;

/// A partition's groups while they are made.
struct Gather {
    slots: Vec<u32>,
    index: Numbers,
    table: Table,
}

impl Gather {
    fn new(rows: &Scattered<u64>) -> Gather {
        let index = Numbers::new(rows.numbers.len());
        Gather { slots: vec![0; TILE], index, table: rows.layout.table(0) }
    }

    /// Groups the rows `from..to`, as they come.
    fn group(&mut self, rows: &Scattered<u64>, from: usize, to: usize) {
        let Gather { slots, index, table } = self;
        index.clear();
        table.clear();
        rows.blocks(from, to, |numbers, values| {
            let slots = &mut slots[..numbers[0].len()];
            for (i, slot) in slots.iter_mut().enumerate() {
                *slot = index.find_or_insert(numbers, i);
            }
            table.grow(index.len(), &rows.layout.start);
            rows.layout.add(slots, values, table);
        });
    }
}

/// A partition's groups in the order of their numbers.
#[derive(Default)]
struct Sorted {
    order: Vec<(u64, u32)>,
    numbers: Vec<u64>,
    words: Vec<u64>,
}

impl Sorted {
    fn sort(&mut self, groups: &Gather) {
        let (numbers, words) = (groups.index.numbers(), groups.index.words());
        let group = |i: u32| &numbers[i as usize * words..][..words];
        self.order.clear();
        self.order.extend(numbers.iter().copied().step_by(words).zip(0..));
        match words {
            1 => self.order.sort_unstable(),
            _ => self.order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| group(a.1).cmp(group(b.1)))),
        }
        self.numbers.clear();
        self.words.clear();
        for &(_, i) in &self.order {
            self.numbers.extend_from_slice(group(i));
            self.words.extend_from_slice(groups.table.group(i as usize));
        }
    }
}

/// Where the range of the first number is cut into partitions.
struct Cuts {
    /// The first number of each partition but the first.
    at: Vec<u64>,
    /// How many cuts lie in the steps before each, of equally long steps from the first cut on.
    before: Vec<u32>,
    shift: u32,
}

impl Cuts {
    /// Cuts that make `parts` partitions of about as many rows each, as far as a sample of the rows tells; none if
    /// that leaves far fewer.
    fn sample(job: Job, parts: usize) -> Result<Option<Cuts>> {
        let mut seen: Vec<u64> = vec![];
        if parts > 1 {
            let bound = job.feed.bind(job.env)?;
            let mut feeder = job.feed.feeder::<u64>(&bound, job.packing);
            let step = (job.rows / (TILE * TILES)).max(1) * TILE;
            for at in (0..job.rows).step_by(step) {
                feeder.tile(at, TILE.min(job.rows - at), |_, numbers, _| seen.extend_from_slice(numbers[0]));
            }
        }
        seen.sort_unstable();
        let mut at: Vec<u64> = (1..parts).filter_map(|k| seen.get(k * seen.len() / parts).copied()).collect();
        at.dedup();
        Ok((at.len() + 1 >= parts / 4).then(|| Cuts::new(at)))
    }

    fn new(at: Vec<u64>) -> Cuts {
        let span = at.last().unwrap_or(&0) - at.first().unwrap_or(&0);
        // About eight steps a cut, so that few steps hold more than one.
        let steps = (at.len() as u64 * 8).max(1);
        let shift = (span / steps).checked_ilog2().map_or(0, |log| log + 1);
        let mut cuts = Cuts { at, before: vec![0], shift };
        for i in 0..cuts.at.len() {
            let step = ((cuts.at[i] - cuts.at[0]) >> shift) as usize;
            cuts.before.resize((step + 1).max(cuts.before.len()), i as u32);
        }
        cuts.before.push(cuts.at.len() as u32);
        cuts
    }

    fn parts(&self) -> usize {
        self.at.len() + 1
    }

    /// The partition of a number: how many cuts are not above it.
    #[inline(always)]
    fn part(&self, number: u64) -> usize {
        let first = self.at.first().copied().unwrap_or(0);
        let step = (number.saturating_sub(first) >> self.shift) as usize;
        let step = step.min(self.before.len() - 2);
        let (from, to) = (self.before[step] as usize, self.before[step + 1] as usize);
        from + self.at[from..to].partition_point(|&cut| cut <= number)
    }
}

/// Tiles that a sample looks at.
const TILES: usize = 64;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_s_partition_is_how_many_cuts_are_not_above_it() {
        let mut seed = 3u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            seed >> (seed >> 58)
        };
        for cuts in
            [vec![], vec![0], vec![u64::MAX], (0..500).map(|_| random()).collect(), vec![7, 8, 1 << 40]]
        {
            let mut at = cuts;
            at.sort_unstable();
            at.dedup();
            let cuts = Cuts::new(at.clone());
            assert_eq!(cuts.parts(), at.len() + 1);
            let near = at.iter().flat_map(|&c| [c.saturating_sub(1), c, c.saturating_add(1)]);
            for x in near.chain([0, 1, u64::MAX]).chain((0..500).map(|_| random())) {
                assert_eq!(cuts.part(x), at.iter().filter(|&&c| c <= x).count(), "{x} of {at:?}");
            }
        }
    }
}
