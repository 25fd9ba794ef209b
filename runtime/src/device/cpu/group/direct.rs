//! Grouping into a direct array: for keys with so few values that a slot for each stays in the caches. Fixed ranges of
//! rows have tables of their own, merged in the order of the rows, so that the thread count changes nothing.

use super::super::tile::{CHUNK, TILE};
use super::super::{loops, par};
use super::Groups;
use super::cell::{Layout, Table};
use super::part::Job;
use q::Result;
use std::ops::Range;

/// Bytes of a table that stays in the second-level cache.
const CACHED: usize = 1 << 20;
/// Bytes of a table that stays in a core's share of the third-level cache, which is fast enough to cost less than
/// scattering the rows first, if there are so many rows a slot.
const SHARED: usize = 1 << 22;
const ROWS: usize = 64;
/// Domains up to this size are spread over four replicas, so that neighbouring rows of one group do not wait for
/// each other.
const TINY: usize = 256;
/// The replicas.
const REPLICAS: usize = 4;

/// True if an array is best for `rows` rows, with slots of `stride` words for numbers below `domain`.
pub fn suits(rows: usize, domain: usize, stride: usize) -> bool {
    let bytes = domain * stride * 8;
    bytes <= CACHED || bytes <= SHARED && rows / domain >= ROWS
}

/// Groups rows whose packed keys are numbers below `domain`.
pub fn group(job: Job, domain: usize) -> Result<Vec<Groups>> {
    let rows = job.rows;
    if job.layout.is_count() && domain <= TALLIED && job.ids.is_none() {
        return Ok(vec![tally(job, domain)?]);
    }
    // Replicas mix the order of rows, which first and last depend on.
    let replicas = if domain <= TINY && !job.layout.is_ordered() { REPLICAS } else { 1 };
    if job.layout.is_edges() && job.ids.is_none() {
        let parts = |slots| ends(domain * slots, rows);
        for (head, tail) in [16, 64].into_iter().map_while(parts) {
            let found = tables(job, domain, 1, vec![head, tail])?;
            if found.iter().all(Table::is_full) {
                return Ok(merged(job.layout, &found, domain, 1));
            }
        }
    }
    // Ranges are whole chunks, enough for many cores, but few enough that merging costs little.
    let chunks = rows.div_ceil(CHUNK);
    let ranges = (rows / (48 * domain * replicas)).clamp(1, 64).min(chunks.max(1));
    let size = chunks.div_ceil(ranges) * CHUNK;
    Ok(merged(job.layout, &tables(job, domain, replicas, par::ranges(rows, size))?, domain, replicas))
}

/// Domains up to this size are counted number by number, a vector of rows at a time.
const TALLIED: usize = 64;

/// The counts of groups.
fn tally(job: Job, domain: usize) -> Result<Groups> {
    let Job { env, feed, packing, rows, .. } = job;
    let bound = feed.bind(env)?;
    let init = || feed.feeder::<u8>(&bound, packing);
    let counts = par::each(par::chunks(rows), init, |feeder, chunk| {
        let mut counts = vec![0; domain];
        for at in chunk.clone().step_by(TILE) {
            feeder.tile(at, TILE.min(chunk.end - at), |_, numbers, _| loops::tally(numbers[0], &mut counts));
        }
        counts
    });
    let sum = |number: usize| counts.iter().map(|counts| counts[number]).sum::<u64>();
    let (numbers, words) = (0..domain).map(|n| (n as u64, sum(n))).filter(|found| found.1 > 0).unzip();
    Ok(Groups { numbers: Vec::into(numbers), words: Vec::into(words) })
}

/// The first and the last `n` rows or some more, if that is a small part of all. They have the first and last row of
/// every group, if every group has rows in both.
fn ends(n: usize, rows: usize) -> Option<(Range<usize>, Range<usize>)> {
    let n = n.next_multiple_of(TILE);
    (n <= rows / 16).then(|| (0..n, (rows - n) / TILE * TILE..rows))
}

/// A table for each range of rows.
fn tables(job: Job, domain: usize, replicas: usize, ranges: Vec<Range<usize>>) -> Result<Vec<Table>> {
    let Job { env, feed, layout, packing, .. } = job;
    let bound = feed.bind(env)?;
    let init = || (feed.feeder::<u32>(&bound, packing), vec![0u32; TILE]);
    Ok(par::each(ranges, init, |(feeder, slots), range| {
        let mut table = layout.table(domain * replicas);
        for at in range.clone().step_by(TILE) {
            feeder.tile(at, TILE.min(range.end - at), |passing, numbers, values| {
                job.keep(at, passing, numbers[0]);
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
    }))
}

/// The groups of tables in the order of their rows. Spans of numbers are merged by themselves.
fn merged(layout: &Layout, tables: &[Table], domain: usize, replicas: usize) -> Vec<Groups> {
    let init = || [layout.start.clone(), layout.start.clone()];
    par::each(par::ranges(domain, SPAN), init, |room, span| merge(layout, tables, replicas, span, room))
}

/// Numbers that are merged in one go.
const SPAN: usize = 4096;

/// The groups with numbers in `span` that have rows, in the order of their numbers. `room` has room for the words of two.
fn merge(
    layout: &Layout,
    tables: &[Table],
    replicas: usize,
    span: Range<usize>,
    [words, room]: &mut [Vec<u64>; 2],
) -> Groups {
    let (mut found, mut kept) = (vec![], vec![]);
    for number in span {
        let mut any = false;
        for table in tables {
            let slots = (0..replicas).map(|i| table.group(number * replicas + i));
            for from in slots.filter(|from| from[0] > 0) {
                match any {
                    true => layout.merge(words, from, room),
                    false => words.copy_from_slice(from),
                }
                any = true;
            }
        }
        if any {
            found.push(number as u64);
            kept.extend_from_slice(words);
        }
    }
    Groups { numbers: found.into(), words: kept.into() }
}
