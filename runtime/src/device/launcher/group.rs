//! The launches of a Group: a table of accumulators a chunk of rows while there are few groups, else rows in the
//! order of their groups. The head comment of `group.cuh` says what each kernel does and how they follow each other.

use super::memory::Memory;
use super::run::{Ids, Run, bug};
use super::sort::{Keyed, sort};
use super::{Block, Word, word};
use compiler::emit::{Entry, key_words};
use compiler::ir::Graph;
use compiler::plan::{Card, Kernel, KernelDef, accumulator, accumulators, cards};
use q::{Error, Result};

/// Bytes of shared memory for a block's own table, as in `group.cuh`.
pub const ROOM: usize = 32768;
/// Slots of the largest table that blocks have one each of: room for 4,096 groups and more.
pub const SLOTS: usize = 8192;
/// Bytes that all blocks' tables may take: no more than the second-level cache of a large GPU.
const PARTS: usize = 32 << 20;
/// The most blocks that have tables, and the fewest rows of each.
const CHUNKS: usize = 1024;
const CHUNK: usize = 4096;
/// How much larger each next table of groups is, once rows are sorted.
const GROWTH: usize = 16;
/// Up to so many groups are ranked by comparing each with each.
const RANKED: usize = 1024;

/// The table of groups.
pub struct Table {
    pub block: Block,
    pub slots: usize,
    /// How many groups it has.
    groups: usize,
    /// The slot of each group, in no order.
    list: Block,
}

impl Table {
    /// Gives its memory back.
    pub fn release(self, memory: &mut Memory) -> Result<()> {
        memory.release(self.block)?;
        memory.release(self.list)
    }
}

/// What blocks have of the groups: a table a chunk of rows, and which of its slots hold any.
struct Parts {
    cells: Block,
    used: Block,
    chunks: usize,
    /// Rows of a chunk.
    rows: usize,
}

impl Parts {
    /// Room for tables of so many slots for `rows` rows, a slot of so many bytes.
    fn new(memory: &mut Memory, rows: usize, slots: usize, part: usize) -> Result<Parts> {
        let (chunks, chunk) = chunks(rows, slots * part);
        let cells = memory.allocate("parts", chunks * slots * part)?;
        let used = memory.allocate("used", chunks * slots.div_ceil(32) * 4)?;
        Ok(Parts { cells, used, chunks, rows: chunk })
    }

    /// Where the blocks find them.
    fn work(&self) -> [(&'static str, Word); 3] {
        [
            ("rows", word(self.rows as i64)),
            ("parts", word(self.cells.address)),
            ("used", word(self.used.address)),
        ]
    }

    fn release(self, memory: &mut Memory) -> Result<()> {
        memory.release(self.cells)?;
        memory.release(self.used)
    }
}

/// What each kernel of a Group is launched with.
struct Entries<'a> {
    /// By the places of keys, where they have any.
    dense: Option<&'a Entry>,
    hashed: &'a Entry,
    keys: &'a Entry,
    end: &'a Entry,
    find: &'a Entry,
    fold: &'a Entry,
}

impl Run<'_> {
    pub(super) fn group(&mut self, kernel: Kernel, def: &KernelDef, rows: usize) -> Result<()> {
        if def.numbered {
            return self.numbered_group(kernel, def, rows);
        }
        let (dense, [hashed, keys, end, find, fold]) = match self.entries(kernel)[..] {
            [dense, hashed, keys, end, find, fold] => (Some(dense), [hashed, keys, end, find, fold]),
            [hashed, keys, end, find, fold] => (None, [hashed, keys, end, find, fold]),
            _ => return Err(bug("a group has five entries or six")),
        };
        let entries = Entries { dense, hashed, keys, end, find, fold };
        let groups = match self.by_tables(&entries, def, rows)? {
            Some(groups) => groups,
            None => self.by_rows(&entries, def, rows)?,
        };
        self.counts.insert(def.into, groups);
        Ok(())
    }

    /// A group-by of rows whose groups an earlier kernel has numbered.
    fn numbered_group(&mut self, kernel: Kernel, def: &KernelDef, rows: usize) -> Result<()> {
        let [tables, end, fold] = self.entries(kernel)[..] else {
            return Err(bug("a group of numbered rows has three entries"));
        };
        let groups = self.length(def.into)?;
        self.outputs(def, groups)?;
        if groups == 0 {
            return Ok(());
        }
        let part = part(self.graph(), def);
        let slots = groups.next_power_of_two();
        if slots > SLOTS {
            self.add_rare()?;
            let sorted = self.by_groups(def.into, rows)?;
            return self.fold(fold, sorted, groups, rows);
        }
        let parts = Parts::new(&mut self.memory, rows, slots, part)?;
        let work = [&parts.work()[..], &[("slots", word(slots as u32))]].concat();
        self.enter(tables, parts.chunks as u32, rows, &work)?;
        self.joined(end, rows, slots, parts, None, groups)
    }

    /// Joins the blocks' tables and stores the results. Without lists and places slots are the groups' numbers.
    fn joined(
        &mut self,
        end: &Entry,
        rows: usize,
        slots: usize,
        parts: Parts,
        listed: Option<(Block, Block)>,
        groups: usize,
    ) -> Result<()> {
        let (list, place) = listed.map_or((0, 0), |(list, place)| (list.address, place.address));
        let work = [
            &parts.work()[1..],
            &[
                ("chunks", word(parts.chunks as i32)),
                ("slots", word(slots as i32)),
                ("list", word(list)),
                ("place", word(place)),
                ("groups", word(groups as i32)),
            ],
        ];
        self.enter(end, self.memory.grid(groups * 32), rows, &work.concat())?;
        parts.release(&mut self.memory)
    }

    /// Accumulates the groups of rows that are in their order.
    fn fold(&mut self, entry: &Entry, sorted: Keyed, groups: usize, rows: usize) -> Result<()> {
        // Where all rows are of one group, tables would have done; the rows are in order.
        if sorted.rows.is_none() {
            return Err(bug("many groups have one number"));
        }
        let starts = self.list_starts(sorted, groups)?;
        // As many lanes a group as it has rows on average.
        let bits = (rows / groups.max(1)).clamp(1, 32).ilog2();
        let work = [
            ("starts", word(starts.address)),
            ("rows", sorted.rows()),
            ("groups", word(groups as i32)),
            ("bits", word(bits as i32)),
        ];
        self.enter(entry, self.memory.grid(groups << bits), rows, &work)?;
        self.memory.release(starts)
    }

    /// Groups by tables of accumulators; how many there are, or none where they are too many for it.
    fn by_tables(&mut self, entries: &Entries, def: &KernelDef, rows: usize) -> Result<Option<usize>> {
        let part = part(self.graph(), def);
        // First as many slots as shared memory holds, then as many as are worth a table a block.
        let shared = 1 << (ROOM / part).ilog2();
        let most = (2 * rows).next_power_of_two().max(2);
        let places = self.places(def).map(usize::next_power_of_two);
        let sizes = [shared.min(SLOTS).min(most), SLOTS.min(most)];
        let dense = entries.dense.zip(places.filter(|&places| places <= sizes[1].max(shared)));
        let (entry, sizes) = match dense {
            Some((entry, places)) => (entry, vec![places]),
            None => (entries.hashed, sizes.to_vec()),
        };
        if entry.rare {
            self.add_rare()?;
        }
        let ids = match def.group_ids {
            true => Some(self.memory.allocate("ids", rows * 2)?),
            false => None,
        };
        for slots in sizes {
            let parts = Parts::new(&mut self.memory, rows, slots, part)?;
            let work = [&parts.work()[..], &[("ids", word(ids.map_or(0, |b| b.address)))]].concat();
            if let Some(table) = self.find(entry, parts.chunks as u32, rows, slots, &work)? {
                let groups = table.groups;
                let places = self.end(entries, def, rows, table, parts)?;
                match ids {
                    Some(ids) => drop(self.ids.insert(def.into, Ids { ids, places: Some(places) })),
                    None => self.memory.release(places)?,
                }
                return Ok(Some(groups));
            }
            parts.release(&mut self.memory)?;
        }
        ids.map_or(Ok(()), |block| self.memory.release(block))?;
        Ok(None)
    }

    /// How many keys can be, where they can be counted.
    fn places(&self, def: &KernelDef) -> Option<usize> {
        let cards = cards(self.graph(), def)?;
        cards.iter().try_fold(1usize, |all, card| {
            all.checked_mul(match card {
                Card::Of(n) => *n,
                Card::Domain(p) => self.items(*p).1 + 1,
            })
        })
    }

    /// Joins the blocks' tables and stores the results; the place of each slot's group.
    fn end(
        &mut self,
        entries: &Entries,
        def: &KernelDef,
        rows: usize,
        table: Table,
        parts: Parts,
    ) -> Result<Block> {
        self.outputs(def, table.groups)?;
        let places = if table.groups > 0 {
            let places = self.placed_groups(entries.keys, def, rows, &table)?;
            let listed = Some((table.list, places));
            self.joined(entries.end, rows, table.slots, parts, listed, table.groups)?;
            places
        } else {
            parts.release(&mut self.memory)?;
            self.memory.allocate("place", 4)?
        };
        table.release(&mut self.memory)?;
        Ok(places)
    }

    /// Groups by bringing the rows into order.
    fn by_rows(&mut self, entries: &Entries, def: &KernelDef, rows: usize) -> Result<usize> {
        self.add_rare()?;
        let ids = self.memory.allocate("ids", rows * 4)?;
        let grid = self.memory.grid(rows.div_ceil(def.pack(self.graph())));
        let work = [("ids", word(ids.address))];
        let table = self.fitting(entries.find, grid, rows, SLOTS * GROWTH, &work)?;
        let places = self.placed_groups(entries.keys, def, rows, &table)?;
        let last = table.groups as i32;
        self.assign(places, ids, rows, if def.group_ids { -1 } else { last })?;
        self.memory.release(places)?;
        self.outputs(def, table.groups)?;
        // The sort takes its keys' memory, and the numbers may be wanted later.
        let numbers = match def.group_ids {
            true => {
                let ids = Ids { ids, places: None };
                self.ids.insert(def.into, ids);
                self.numbered(ids, rows, table.groups)?
            }
            false => Keyed { keys: ids, width: 4, rows: None, wide: self.wide(rows), length: rows },
        };
        let sorted = sort(&mut self.memory, numbers)?;
        let folded = self.fold(entries.fold, sorted, table.groups, rows);
        sorted.release(&mut self.memory)?;
        folded?;
        let groups = table.groups;
        table.release(&mut self.memory)?;
        Ok(groups)
    }

    /// Finds each row's group, by `entry`, in a table of `slots` slots, or of as many more as are needed.
    pub(super) fn fitting(
        &mut self,
        entry: &Entry,
        grid: u32,
        rows: usize,
        mut slots: usize,
        more: &[(&str, Word)],
    ) -> Result<Table> {
        let most = (2 * rows).next_power_of_two().max(2);
        loop {
            // Where one that has room for all is not much larger, it is taken at once.
            slots = if slots * 4 >= most { most } else { slots };
            if i32::try_from(slots).is_err() {
                return Err(Error::new("limit").detail("there are more groups than an int can count"));
            }
            match self.find(entry, grid, rows, slots, more)? {
                Some(table) => return Ok(table),
                None if slots == most => return Err(bug("a table with more slots than rows is full")),
                None => slots *= GROWTH,
            }
        }
    }

    /// Finds each row's group in a table of `slots` slots, by `find` or `tables`; none where it was too small.
    fn find(
        &mut self,
        entry: &Entry,
        grid: u32,
        rows: usize,
        slots: usize,
        more: &[(&str, Word)],
    ) -> Result<Option<Table>> {
        let block = self.memory.filled("table", slots * 8, 0xff)?;
        let list = self.memory.allocate("list", slots * 4)?;
        let state = self.memory.filled("found", 8, 0)?;
        let mut work = vec![
            ("table", word(block.address)),
            ("mask", word(slots as u64 - 1)),
            // A table that is three quarters full is searched at once.
            ("most", word((slots - slots / 4) as u32)),
            ("found", word(state.address)),
            ("full", word(state.address + 4)),
            ("list", word(list.address)),
        ];
        work.extend_from_slice(more);
        if rows > 0 {
            self.enter(entry, grid, rows, &work)?;
        }
        let [groups, full]: [u32; 2] = self.memory.first(state)?;
        self.memory.release(state)?;
        let table = Table { block, slots, groups: groups as usize, list };
        if full != 0 {
            table.release(&mut self.memory)?;
            return Ok(None);
        }
        Ok(Some(table))
    }

    /// Finds the order of a table's groups: the place in it of each slot's.
    fn placed_groups(&mut self, keys: &Entry, def: &KernelDef, rows: usize, table: &Table) -> Result<Block> {
        let (groups, words) = (table.groups, key_words(self.graph(), def));
        let made = self.memory.allocate("keys", groups * words * 8)?;
        let work = [
            ("table", word(table.block.address)),
            ("list", word(table.list.address)),
            ("groups", word(groups as i32)),
            ("keys", word(made.address)),
        ];
        let blocks = self.memory.grid(groups);
        self.enter(keys, blocks, rows, &work)?;
        let (mut ranks, mut order) = (None, None);
        if groups <= RANKED {
            let to = self.memory.allocate("ranks", groups * 4)?;
            let args = [word(groups as i64), word(words as i32), word(made.address), word(to.address)];
            let blocks = self.memory.grid(groups * 32);
            self.memory.machine.launch("sort_rank", blocks, &args)?;
            ranks = Some(to);
        } else {
            order = self.order_of_words(made, groups, words)?;
        }
        let place = self.memory.allocate("place", table.slots * 4)?;
        let address = |block: Option<Block>| word(block.map_or(0, |b| b.address));
        let args = [
            word(table.list.address),
            word(groups as i32),
            address(order),
            address(ranks),
            word(place.address),
        ];
        let blocks = self.memory.grid(groups);
        self.memory.machine.launch("group_number", blocks, &args)?;
        [Some(made), ranks, order].into_iter().flatten().try_for_each(|b| self.memory.release(b))?;
        Ok(place)
    }

    /// Turns each row's slot into its group's number, and that of a row in no group into `none`.
    fn assign(&mut self, places: Block, ids: Block, rows: usize, none: i32) -> Result<()> {
        let args = [word(rows as i64), word(places.address), word(none), word(ids.address)];
        let blocks = self.memory.grid(rows);
        self.memory.machine.launch("group_assign", blocks, &args)
    }
}

/// How many chunks of rows have a table of so many bytes each, and the rows of each.
fn chunks(rows: usize, table: usize) -> (usize, usize) {
    let chunks = (PARTS / table).min(CHUNKS).min(rows.div_ceil(CHUNK)).max(1);
    let chunk = rows.div_ceil(chunks).next_multiple_of(CHUNK).max(CHUNK);
    (rows.div_ceil(chunk), chunk)
}

/// Bytes of a group in a block's table: its accumulators and the first row.
fn part(graph: &Graph, def: &KernelDef) -> usize {
    accumulators(graph, def).into_iter().map(|n| accumulator(graph, n)).sum::<usize>().max(8) + 8
}
