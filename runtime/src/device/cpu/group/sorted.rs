//! Groups of few rows each: a partition's rows are sorted by their packed numbers, so that groups come one after the other
//! and none is looked for. Equal numbers stay in the order of their rows.

use super::super::compress::gather;
use super::super::repr::with_width;
use super::super::tile::{Slot, TILE};
use super::Groups;
use super::cell::{Layout, Table};
use super::scatter::{Block, Scattered};
use q::Buf;
use std::ops::Range;

/// Numbers of a bucket that are sorted by insertion: of all buckets at once, if none has more.
const FEW: usize = 16;

/// A thread's room for the rows of a partition.
#[derive(Default)]
pub struct Sorter {
    /// Where each bucket's numbers end.
    ends: Vec<u32>,
    /// The numbers in ascending order, and which row of the partition each is of.
    numbers: Vec<u64>,
    order: Vec<u32>,
    pairs: Vec<(u64, u32)>,
    /// Of a tile: the groups' slots, the numbers of those that are new, and the arguments.
    slots: Vec<u32>,
    found: Vec<u64>,
    values: Vec<Slot>,
}

impl Sorter {
    /// The groups of some partitions, whose rows have one number each, in order.
    pub fn groups(&mut self, rows: &Scattered<u64>, parts: Range<usize>) -> Groups {
        let layout = rows.layout;
        let counts = || parts.clone().map(|part| rows.count(part));
        // Threads keep blocks of like sizes.
        let room = counts().max().unwrap_or(0).next_power_of_two();
        let mut block = Block::new::<u64>(1, layout, room);
        let (mut numbers, mut table) = (Buf::new(), layout.table(0));
        for part in parts.clone() {
            rows.all(part, &mut block);
            self.sort(block.numbers(0));
            self.join(layout, &block, &mut numbers, &mut table);
            if part == parts.start {
                // The partitions to come have about as many groups.
                let more = numbers.len() * (parts.len() + parts.len() / 8);
                numbers.reserve(more);
                table.reserve(more);
            }
        }
        Groups { numbers, words: table.into_words() }
    }

    /// Sorts numbers: into buckets of equal ranges first, and then within them.
    fn sort(&mut self, from: &[u64]) {
        let (low, high) = from.iter().fold((u64::MAX, 0), |(low, high), &x| (low.min(x), high.max(x)));
        let buckets = from.len().next_power_of_two();
        let span = high.saturating_sub(low);
        let shift = (u64::BITS - span.leading_zeros()).saturating_sub(buckets.trailing_zeros());
        let bucket = |x: u64| ((x - low) >> shift) as usize;
        let Sorter { ends, numbers, order, pairs, .. } = self;
        ends.clear();
        ends.resize(buckets + 1, 0);
        from.iter().for_each(|&x| ends[bucket(x) + 1] += 1);
        let most = ends.iter().max().map_or(0, |&most| most as usize);
        (0..buckets).for_each(|i| ends[i + 1] += ends[i]);
        numbers.resize(from.len(), 0);
        order.resize(from.len(), 0);
        // A bucket's start moves to its end, which is the next one's start.
        for (&x, row) in from.iter().zip(0..) {
            let next = &mut ends[bucket(x)];
            (numbers[*next as usize], order[*next as usize]) = (x, row);
            *next += 1;
        }
        if most <= FEW {
            return insert(numbers, order);
        }
        let mut start = 0;
        for &end in &ends[..buckets] {
            let bucket = start..end as usize;
            start = bucket.end;
            if bucket.len() <= FEW {
                insert(&mut numbers[bucket.clone()], &mut order[bucket]);
                continue;
            }
            pairs.clear();
            pairs.extend(bucket.clone().map(|i| (numbers[i], order[i])));
            pairs.sort_unstable();
            for (i, &(number, row)) in bucket.zip(&*pairs) {
                (numbers[i], order[i]) = (number, row);
            }
        }
    }

    /// Adds a partition's rows, sorted, to groups after those that there are.
    fn join(&mut self, layout: &Layout, block: &Block, numbers: &mut Buf<u64>, table: &mut Table) {
        let Sorter { numbers: sorted, order, slots, found, values, .. } = self;
        values.resize_with(layout.args.len(), || Slot::new(TILE, 16));
        let mut last = None;
        for (some, rows) in sorted.chunks(TILE).zip(order.chunks(TILE)) {
            slots.clear();
            found.clear();
            for &number in some {
                if last != Some(number) {
                    found.push(number);
                    last = Some(number);
                }
                slots.push((numbers.len() + found.len() - 1) as u32);
            }
            numbers.extend_from_slice(found);
            table.grow(numbers.len(), &layout.start);
            for ((value, slot), &(_, width)) in values.iter_mut().enumerate().zip(&layout.args) {
                with_width!(width, T => {
                    let out: &mut [T] = bytemuck::cast_slice_mut(&mut slot.bytes_mut()[..rows.len() * width]);
                    gather(rows, block.values::<T>(value), out);
                });
            }
            let values = values.iter().zip(&layout.args).map(|(slot, a)| &slot.bytes()[..rows.len() * a.1]);
            layout.add(slots, &values.collect::<Vec<_>>(), table);
        }
    }
}

/// Sorts numbers none of which is far from its place, and with them their rows; equal ones stay in their order.
fn insert(numbers: &mut [u64], rows: &mut [u32]) {
    for i in 1..numbers.len() {
        let (number, row) = (numbers[i], rows[i]);
        let mut at = i;
        while at > 0 && numbers[at - 1] > number {
            (numbers[at], rows[at]) = (numbers[at - 1], rows[at - 1]);
            at -= 1;
        }
        (numbers[at], rows[at]) = (number, row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cpu::tests::Random;

    #[test]
    fn numbers_are_sorted_and_equal_ones_stay_in_order() {
        let mut random = Random(7);
        let mut sorter = Sorter::default();
        for n in [5000, 0, 1, 2, 100, 3000] {
            for most in [1, 3, 1000, 1 << 40, u64::MAX] {
                let mut x: Vec<u64> = (0..n).map(|_| random.below(most)).collect();
                // One far away leaves all others in few buckets.
                x.extend((n > 100).then_some(u64::MAX));
                sorter.sort(&x);
                let mut want: Vec<(u64, u32)> = x.iter().copied().zip(0..).collect();
                want.sort();
                let got: Vec<(u64, u32)> =
                    sorter.numbers.iter().copied().zip(sorter.order.iter().copied()).collect();
                assert_eq!(got, want, "{n} below {most}");
            }
        }
    }
}
