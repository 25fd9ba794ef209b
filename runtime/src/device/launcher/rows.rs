//! Rows on a machine: their order by columns, and columns at rows. No plan is part of it; the head comments of
//! `sort.cuh` and `take.cuh` say what the kernels do.

use super::memory::Memory;
use super::sort::{Keyed, either, sort};
use super::{Block, Machine, Word, word};
use crate::column::{Column, Elements};
use crate::device::bytes;
use q::value::Data;
use q::{Buf, Error, Kind, Result, Store};

/// As [`crate::device::Device::order`], on a machine.
///
/// # Errors
/// The machine's; `type` for columns that have no order.
pub fn order(machine: &mut dyn Machine, by: &[(&Column, bool)], front: Option<usize>) -> Result<Column> {
    within(machine, |memory| {
        let length = by.first().map_or(0, |(c, _)| c.len());
        let mut rows: Option<Block> = None;
        if length > 0 {
            for (column, ascending) in by.iter().rev() {
                rows = sorted(memory, column, *ascending, rows)?;
            }
        }
        let length = front.map_or(length, |f| f.min(length));
        match rows {
            Some(rows) => taken(memory, rows, Kind::Long, 8, length, None),
            // Nothing had to be moved.
            None => Ok(longs((0..length as i64).collect())),
        }
    })
}

/// As [`crate::device::Device::gather`], on a machine.
///
/// # Errors
/// The machine's.
pub fn gather(machine: &mut dyn Machine, columns: &[&Column], at: &Column) -> Result<Vec<Column>> {
    within(machine, |memory| {
        let rows = resident(memory, at)?;
        let moved =
            |memory: &mut Memory, c: &Column| moved(memory, c, at.len(), "gather", either(rows, true));
        columns.iter().map(|c| if flat(c) { moved(memory, c) } else { c.gather(at_host(at)?) }).collect()
    })
}

/// As [`crate::device::Device::take`], on a machine.
///
/// # Errors
/// The machine's.
pub fn take(machine: &mut dyn Machine, columns: &[&Column], first: usize, n: usize) -> Result<Vec<Column>> {
    within(machine, |memory| {
        let moved = |memory: &mut Memory, c: &Column| moved(memory, c, n, "take", word(first as i64));
        let host = |c: &Column| c.gather(&crate::device::rows::repeated(c.len(), first, n));
        columns.iter().map(|c| if flat(c) { moved(memory, c) } else { host(c) }).collect()
    })
}

/// Runs `f` and gives back what it allocated.
fn within<T>(machine: &mut dyn Machine, f: impl FnOnce(&mut Memory) -> Result<T>) -> Result<T> {
    let mut memory = Memory::new(machine);
    let out = f(&mut memory);
    let freed = memory.free();
    let out = out?;
    freed?;
    Ok(out)
}

/// Can a machine hold it? General lists stay where they are.
fn flat(column: &Column) -> bool {
    column.width().is_some()
}

fn at_host(at: &Column) -> Result<&[i64]> {
    match at.elements()? {
        Elements::Plain(Data::J(rows)) => Ok(rows),
        _ => Err(Error::new("type").detail("row numbers are longs")),
    }
}

fn longs(rows: Buf<i64>) -> Column {
    Column::new(Kind::Long, Elements::Plain(Data::J(rows)), None)
}

/// A column's memory, copied to the machine where it is not there yet; none of a column without items.
fn resident(memory: &mut Memory, column: &Column) -> Result<Option<Block>> {
    if column.is_empty() {
        return Ok(None);
    }
    if let Some(block) = memory.machine.resident(column)? {
        return Ok(Some(block));
    }
    let Some((bytes, _)) = column.elements()?.bytes() else { return Err(Error::new("type")) };
    memory.upload("column", bytes).map(Some)
}

/// The rows in the order of one more column, before those that they were sorted by; `rows` is given back.
fn sorted(
    memory: &mut Memory,
    column: &Column,
    ascending: bool,
    rows: Option<Block>,
) -> Result<Option<Block>> {
    let Some(from) = resident(memory, column)? else { return Ok(rows) };
    // A guid's key has two words; the major word's sort is the last.
    let words = if column.kind.store() == Store::G { 2 } else { 1 };
    (0..words).rev().try_fold(rows, |rows, at| sorted_by(memory, column, from, at, ascending, rows))
}

/// As [`sorted`], by one word of the column's key.
fn sorted_by(
    memory: &mut Memory,
    column: &Column,
    from: Block,
    at: i32,
    ascending: bool,
    rows: Option<Block>,
) -> Result<Option<Block>> {
    let (length, width) = (column.len(), column.width().ok_or_else(|| Error::new("type"))?);
    // A descending key is an ascending one with its bits flipped.
    let flip = if ascending { 0 } else { u64::MAX };
    let keys = memory.allocate("keys", length * 8)?;
    let mut args =
        vec![word(length as i64), word(from.address), either(rows, true), word(flip), word(keys.address)];
    let mut ranks = None;
    let name = match (&column.domain, column.kind.store()) {
        (Some(domain), _) => {
            let block = memory.upload("ranks", bytemuck::cast_slice(&domain.ranks))?;
            args.extend([word(block.address), word(domain.len() as i64)]);
            ranks = Some(block);
            format!("sort_key_s{width}")
        }
        (None, Store::S) => return Err(Error::new("type")),
        (None, Store::G) => {
            args.insert(3, word(at));
            "sort_key_g".into()
        }
        (None, store) => format!("sort_key_{}", store.letter()),
    };
    let blocks = memory.grid(length);
    memory.machine.launch(&name, blocks, &args)?;
    let sorted = sort(memory, Keyed { keys, width: 8, rows, wide: true, length })?;
    memory.release(sorted.keys)?;
    ranks.map_or(Ok(()), |b| memory.release(b))?;
    Ok(sorted.rows)
}

/// `n` items of a column by `gather` or `take`, which `how` tells which.
fn moved(memory: &mut Memory, column: &Column, n: usize, kernel: &str, how: Word) -> Result<Column> {
    let width = column.width().ok_or_else(|| Error::new("type"))?;
    let from = resident(memory, column)?;
    let to = memory.allocate("items", n * width)?;
    if n > 0 {
        let null = bytes::null(column.kind);
        let (length, from) = (word(column.len() as i64), word(from.map_or(0, |b| b.address)));
        let blocks = memory.grid(n);
        let args = [word(n as i64), how, from, length, null, word(to.address)];
        memory.machine.launch(&format!("{kernel}_{width}"), blocks, &args)?;
    }
    taken(memory, to, column.kind, width, n, column.domain.clone())
}

/// The first `n` elements of a block as a column, which stays on the machine if the machine keeps columns.
fn taken(
    memory: &mut Memory,
    block: Block,
    kind: Kind,
    width: usize,
    n: usize,
    domain: Option<std::sync::Arc<crate::column::Domain>>,
) -> Result<Column> {
    if n > 0
        && let Some(column) = memory.machine.keep(block, kind, width, n, domain.clone())?
    {
        return Ok(column);
    }
    let mut buf = Buf::<u8>::zeroed(n * width);
    memory.machine.read(block, buf.make_mut())?;
    Ok(Column::new(kind, Elements::of_bytes(kind, width, buf), domain))
}
