//! Grouping into a direct array: for keys with so few values that a slot for each stays in the second-level
//! cache. Fixed ranges of rows have tables of their own, merged in the order of the rows, so that the thread
//! count changes nothing.

use super::super::par;
use super::super::tile::{CHUNK, TILE};
use super::Groups;
use super::cell::{Layout, Table};
use super::part::Job;
use q::Result;

/// Bytes of a table that stays in the second-level cache.
pub const CACHED: usize = 1 << 20;
/// Domains up to this size are spread over four replicas, so that neighbouring rows of one group do not wait for
/// each other.
const TINY: usize = 256;
/// The replicas.
const REPLICAS: usize = 4;

/// Groups rows whose packed keys are numbers below `domain`.
pub fn group(job: Job, domain: usize) -> Result<Vec<Groups>> {
    let Job { env, feed, layout, packing, rows } = job;
    // Replicas mix the order of rows, which first and last depend on.
    let replicas = if domain <= TINY && !layout.is_ordered() { REPLICAS } else { 1 };
    let bound = feed.bind(env)?;
    // Ranges are whole chunks, enough for many cores, but few enough that merging costs little.
    let chunks = rows.div_ceil(CHUNK);
    let ranges = (rows / (32 * domain * replicas)).clamp(1, 64).min(chunks.max(1));
    let size = chunks.div_ceil(ranges) * CHUNK;
    let tasks: Vec<_> = (0..rows).step_by(size.max(1)).map(|from| from..rows.min(from + size)).collect();
    let init = || (feed.feeder::<u32>(&bound, packing), vec![0u32; TILE]);
    let tables = par::each(tasks, init, |(feeder, slots), range| {
        let mut table = layout.table(domain * replicas);
        for at in range.clone().step_by(TILE) {
            feeder.tile(at, TILE.min(range.end - at), |_, numbers, values| {
                if replicas == 1 {
                    return layout.add(numbers[0], values, &mut table);
                }
                let slots = &mut slots[..numbers[0].len()];
                for (i, (slot, number)) in slots.iter_mut().zip(numbers[0]).enumerate() {
                    *slot = number * REPLICAS as u32 + (i % REPLICAS) as u32;
                }
                layout.add(slots, values, &mut table);
            });
        }
        table
    });
    let mut tables = tables.into_iter();
    let Some(mut whole) = tables.next() else { return Ok(vec![]) };
    for table in tables {
        for (into, from) in whole.words.chunks_mut(whole.stride).zip(table.words.chunks(table.stride)) {
            if from[0] > 0 {
                layout.merge(into, from);
            }
        }
    }
    Ok(vec![collect(layout, whole, replicas)])
}

/// The groups that have rows, in the order of their numbers.
fn collect(layout: &Layout, mut table: Table, replicas: usize) -> Groups {
    let (mut numbers, mut words) = (vec![], vec![]);
    for (number, slots) in table.words.chunks_mut(table.stride * replicas).enumerate() {
        let (first, rest) = slots.split_at_mut(table.stride);
        rest.chunks(table.stride).filter(|r| r[0] > 0).for_each(|r| layout.merge(first, r));
        if first[0] > 0 {
            numbers.push(number as u64);
            words.extend_from_slice(first);
        }
    }
    Groups { numbers: numbers.into(), words: words.into() }
}
