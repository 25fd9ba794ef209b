//! Grouping by partition: rows are first scattered, in order, into partitions of the keys; then each partition is
//! grouped by one thread, in row order, in a table that stays in the second-level cache. Keys whose packed
//! numbers are dense are cut into spans with a slot for each number; others by a hash, with an open table.

use super::super::env::Env;
use super::super::mask::Passing;
use super::super::par;
use super::super::scatter::Sink;
use super::super::tile::TILE;
use super::cell::{Layout, Table};
use super::feed::Feed;
use super::hash::{Numbers, hash};
use super::key::Packing;
use super::scatter::{Block, Scattered};
use super::sorted::Sorter;
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
    /// Where the packed numbers of the rows that pass go, if a later kernel needs the rows' groups.
    pub ids: Option<Sink<'a, i32>>,
}

impl Job<'_> {
    /// Writes the packed numbers of the tile from row `at`.
    pub fn keep(&self, at: usize, passing: &Passing, numbers: &[u32]) {
        if let Some(ids) = self.ids {
            passing.place(ids.part(at, TILE.min(self.rows - at)), |i| numbers[i] as i32);
        }
    }
}

/// Groups with dense numbers below `domain`, in partitions of `1 << bits` of them, in order.
pub fn spans(job: Job, domain: usize, bits: u32) -> Result<Vec<Groups>> {
    let layout = job.layout;
    let parts = domain.div_ceil(1 << bits);
    let keep = |at: usize, passing: &Passing, numbers: &[&[u32]]| job.keep(at, passing, numbers[0]);
    let rows = Scattered::<u32>::new(job, parts, |numbers, i| numbers[0][i] >> bits, keep)?;
    let init = || (rows.block(), layout.table(1 << bits), vec![0u32; TILE], (vec![], vec![]));
    Ok(par::each(par::ranges(parts, SPANS), init, |(block, table, slots, (found, kept)), parts| {
        let most = (parts.len() << bits).min(parts.clone().map(|part| rows.count(part)).sum());
        let mut groups = Groups { numbers: pooled(most), words: pooled(most * layout.start.len()) };
        for part in parts {
            let first = part << bits;
            rows.each(part, block, |numbers, values| {
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
        bits => (hash(numbers.iter().map(|n| n[i])) >> (64 - bits)) as u32,
    };
    let rows = Scattered::<u64>::new(job, 1 << bits, part, |_, _, _| {})?;
    Ok(par::each(
        (0..1 << bits).collect(),
        || Gather::new(&rows),
        |gather, part| {
            gather.group(&rows, part);
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
    let part = |numbers: &[&[u64]], i: usize| cuts.part(numbers[0][i]) as u32;
    let rows = Scattered::<u64>::new(job, cuts.parts(), part, |_, _, _| {})?;
    // Partitions that one thread takes share their groups' memory.
    let tasks = par::ranges(cuts.parts(), SHARE);
    if cuts.few && rows.words() == 1 {
        return Ok(Some(par::each(tasks, Sorter::default, |sorter, parts| sorter.groups(&rows, parts))));
    }
    let init = || (Gather::new(&rows), Sorted::default());
    Ok(Some(par::each(tasks, init, |(gather, sorted), parts| {
        let mut groups = Groups::default();
        let room = parts.len() + parts.len() / 8;
        for part in parts {
            gather.group(&rows, part);
            sorted.sort(gather);
            if groups.numbers.is_empty() {
                // The partitions to come have about as many groups.
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
    block: Block,
    slots: Vec<u32>,
    index: Numbers,
    table: Table,
}

impl Gather {
    fn new(rows: &Scattered<u64>) -> Gather {
        let (index, table) = (Numbers::new(rows.words()), rows.layout.table(0));
        Gather { block: rows.block(), slots: vec![0; TILE], index, table }
    }

    /// Groups the rows of a partition, as they come.
    fn group(&mut self, rows: &Scattered<u64>, part: usize) {
        let Gather { block, slots, index, table } = self;
        index.clear();
        table.clear();
        rows.each(part, block, |numbers, values| {
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
    /// True if a number seems to have few rows.
    few: bool,
}

/// So many rows a number are few.
const FEW: usize = 16;

impl Cuts {
    /// Cuts that make `parts` partitions of about as many rows each, as far as a sample of the rows tells; none if
    /// that leaves far fewer.
    fn sample(job: Job, parts: usize) -> Result<Option<Cuts>> {
        let (mut seen, mut sampled): (Vec<u64>, usize) = (vec![], 0);
        if parts > 1 {
            let bound = job.feed.bind(job.env)?;
            let mut feeder = job.feed.feeder::<u64>(&bound, job.packing);
            let step = (job.rows / (TILE * TILES)).max(1) * TILE;
            for at in (0..job.rows).step_by(step) {
                let rows = TILE.min(job.rows - at);
                feeder.tile(at, rows, |_, numbers, _| seen.extend_from_slice(numbers[0]));
                sampled += rows;
            }
        }
        seen.sort_unstable();
        // Of n numbers drawn from m, some n*n % 2*m are those of others.
        let again = seen.windows(2).filter(|pair| pair[0] == pair[1]).count();
        let few = 2 * again * job.rows < FEW * seen.len() * sampled;
        let mut at: Vec<u64> = (1..parts).filter_map(|k| seen.get(k * seen.len() / parts).copied()).collect();
        at.dedup();
        Ok((at.len() + 1 >= parts / 4).then(|| Cuts { few, ..Cuts::new(at) }))
    }

    fn new(at: Vec<u64>) -> Cuts {
        let span = at.last().unwrap_or(&0) - at.first().unwrap_or(&0);
        // About eight steps a cut, so that few steps hold more than one.
        let steps = (at.len() as u64 * 8).max(1);
        let shift = (span / steps).checked_ilog2().map_or(0, |log| log + 1);
        let mut cuts = Cuts { at, before: vec![0], shift, few: false };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cpu::tests::Random;

    #[test]
    fn a_number_s_partition_is_how_many_cuts_are_not_above_it() {
        let mut random = Random(3);
        // As likely small as large.
        let mut random = move || {
            let x = random.word();
            x >> (x & 63)
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
