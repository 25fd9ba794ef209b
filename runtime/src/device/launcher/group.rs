//! The launches of a Group: find, collect, sort, number, assign, the radix passes and fold. The head comment of
//! `group.cuh` says what each does and how they follow each other.

use super::run::{Run, bug};
use super::{BLOCK, Block, SORT_TILE, word};
use compiler::plan::{Kernel, KernelDef};
use q::{Error, Result};

/// Slots that the table of groups begins with; it grows by [`GROWTH`] where it is full.
const SLOTS: usize = 4096;
/// How much larger each next table is.
const GROWTH: usize = 16;

/// The table of groups after `find`.
struct Found {
    table: Block,
    size: usize,
    ids: Block,
}

impl Run<'_> {
    pub(super) fn group(&mut self, kernel: Kernel, def: &KernelDef, rows: usize) -> Result<()> {
        let entries = self.entries(kernel);
        let [find, collect, sort, number, assign, digits, offsets, scatter, fold] = entries[..] else {
            return Err(bug("a group has nine entries"));
        };
        let found = self.find(find, rows)?;
        let slots = self.filled("slots", found.size * 4, 0xff)?;
        let groups = self.filled("groups", 4, 0)?;
        let (table, ids) = (word(found.table.address), word(found.ids.address));
        let size = word(found.size as i64);
        let grid = self.grid(found.size);
        let args = [table, size, word(slots.address), word(groups.address)];
        self.machine.launch(&collect.name, grid, &args)?;
        let count: i32 = self.first(groups)?;
        self.release(groups)?;
        if count > 0 {
            self.sort(sort, &found, slots, count as usize, rows)?;
            let place = self.allocate("place", found.size * 4)?;
            let grid = self.grid(count as usize);
            self.machine.launch(
                &number.name,
                grid,
                &[word(slots.address), word(count), word(place.address)],
            )?;
            let grid = self.grid(rows);
            self.machine.launch(&assign.name, grid, &[word(rows as i64), word(place.address), ids])?;
            self.release(place)?;
        }
        self.release(slots)?;
        self.release(found.table)?;
        self.outputs(def, count as usize)?;
        if count > 0 {
            let names = [&*digits.name, &*offsets.name, &*scatter.name];
            let sorted = self.rows_by_group(names, found.ids, count as usize, rows)?;
            let work = [("ids", ids), ("rows", word(sorted.address)), ("groups", word(count))];
            let grid = self.grid(count as usize * 32);
            self.enter(fold, grid, rows, &work)?;
            self.release(sorted)?;
        }
        self.counts.insert(def.into, count as usize);
        match def.group_ids {
            true => _ = self.ids.insert(def.into, found.ids),
            false => self.release(found.ids)?,
        }
        Ok(())
    }

    /// Puts each row's group into a table that is large enough.
    fn find(&mut self, entry: &compiler::emit::Entry, rows: usize) -> Result<Found> {
        let ids = self.allocate("ids", rows * 4)?;
        let most = (2 * rows).next_power_of_two().max(SLOTS);
        let mut size = SLOTS;
        loop {
            if i32::try_from(size).is_err() {
                return Err(Error::new("limit").detail("a group-by has more groups than an int can count"));
            }
            let table = self.filled("table", size * 8, 0xff)?;
            let full = self.filled("full", 4, 0)?;
            if rows > 0 {
                let work = [
                    ("table", word(table.address)),
                    ("mask", word(size as u64 - 1)),
                    ("ids", word(ids.address)),
                    ("full", word(full.address)),
                ];
                self.enter(entry, self.grid(rows), rows, &work)?;
            }
            let full_now: u32 = self.first(full)?;
            self.release(full)?;
            if full_now == 0 {
                return Ok(Found { table, size, ids });
            }
            if size >= most {
                return Err(bug("a table with more slots than rows is full"));
            }
            self.release(table)?;
            size = (size * GROWTH).min(most);
        }
    }

    /// Sorts the list of slots by key: all steps of a bitonic sort.
    fn sort(
        &mut self,
        entry: &compiler::emit::Entry,
        found: &Found,
        slots: Block,
        count: usize,
        rows: usize,
    ) -> Result<()> {
        let length = count.next_power_of_two();
        let mut size = 2;
        while size <= length {
            let mut step = size / 2;
            while step > 0 {
                let work = [
                    ("table", word(found.table.address)),
                    ("slots", word(slots.address)),
                    ("length", word(length as i64)),
                    ("size", word(size as i64)),
                    ("step", word(step as i64)),
                ];
                self.enter(entry, self.grid(length), rows, &work)?;
                step /= 2;
            }
            size *= 2;
        }
        Ok(())
    }

    /// The row numbers by group, in row order within each, by a radix sort.
    fn rows_by_group(&mut self, names: [&str; 3], ids: Block, count: usize, rows: usize) -> Result<Block> {
        let [digits, offsets, scatter] = names;
        let tiles = rows.div_ceil(SORT_TILE);
        let grid = u32::try_from(tiles).map_err(|_| Error::new("limit"))?;
        let cells = tiles * BLOCK as usize;
        let counts = self.allocate("counts", cells * 8)?;
        let (n, group) = (word(rows as i64), word(ids.address));
        let mut from: Option<Block> = None;
        // All digits of a row in no group are set, and must come after those of the last group.
        let (mut shift, mut reach) = (0i32, 1usize);
        loop {
            let source = word(from.map_or(0, |b| b.address));
            let to = self.allocate("rows", rows * 8)?;
            let cell = word(counts.address);
            self.machine.launch(digits, grid, &[n, group, source, word(shift), cell])?;
            self.machine.launch(offsets, 1, &[word(cells as i64), cell])?;
            self.machine.launch(scatter, grid, &[n, group, source, word(shift), cell, word(to.address)])?;
            if let Some(old) = from.replace(to) {
                self.release(old)?;
            }
            (shift, reach) = (shift + 8, reach << 8);
            if reach > count {
                self.release(counts)?;
                return Ok(to);
            }
        }
    }
}
