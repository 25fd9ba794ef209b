//! The launches of a List: those of a map or a compaction where there is one list; by groups, of a sort of the rows
//! by their lists. The head comment of `list.cuh` says what each kernel does.

use super::run::{Ids, Run, bug};
use super::sort::{Keyed, sort};
use super::{Block, word};
use compiler::ir::Dim;
use compiler::plan::{Kernel, KernelDef};
use q::Result;

impl Run<'_> {
    pub(super) fn list(&mut self, kernel: Kernel, def: &KernelDef, rows: usize) -> Result<()> {
        let Some(groups) = def.lists else {
            if def.masks.is_empty() {
                self.map(kernel, def, rows)?;
                self.counts.insert(def.into, rows);
            } else {
                self.compact(kernel, def, rows)?;
            }
            let ends = [0, self.length(def.into)? as i64];
            let starts = self.memory.upload("starts", bytemuck::cast_slice(&ends))?;
            self.starts.insert(def.into, starts);
            return Ok(());
        };
        let (mark, listed) = match self.entries(kernel)[..] {
            [entry] => (None, entry),
            [mark, entry] => (Some(mark), entry),
            _ => return Err(bug("a list has one entry or two")),
        };
        let (ids, lists) = (self.numbers(groups)?, self.length(groups)?);
        if rows == 0 {
            let starts = self.memory.filled("starts", (lists + 1) * 8, 0)?;
            return self.cut(def, starts, 0);
        }
        let sorted = match mark {
            None => self.by_groups(groups, rows)?,
            Some(entry) => {
                let numbers = self.unsorted(rows, lists)?;
                let [ids, places] = ids.words();
                let work = [
                    ("ids", ids),
                    ("places", places),
                    ("groups", word(lists as i32)),
                    ("numbers", numbers.numbers()),
                ];
                let turns = rows.div_ceil(def.pack(self.graph()));
                self.enter(entry, self.memory.grid(turns), rows, &work)?;
                sort(&mut self.memory, numbers)?
            }
        };
        let starts = self.list_starts(sorted, lists)?;
        let end = Block { address: starts.address + lists as u64 * 8, bytes: 8 };
        let kept = self.memory.first::<i64>(end)? as usize;
        self.cut(def, starts, kept)?;
        if kept > 0 {
            let work = [("rows", sorted.rows()), ("listed", word(kept as i64))];
            self.enter(listed, self.memory.grid(kept), rows, &work)?;
        }
        // What other kernels of the groups may share is given back after the last of them.
        if mark.is_some() { sorted.release(&mut self.memory) } else { Ok(()) }
    }

    /// Tells where the lists begin and how many items they have together, and makes room for them.
    fn cut(&mut self, def: &KernelDef, starts: Block, items: usize) -> Result<()> {
        self.starts.insert(def.into, starts);
        self.counts.insert(def.into, items);
        self.outputs(def, items)
    }

    /// The rows' groups, which an earlier kernel wrote.
    pub(super) fn numbers(&self, groups: Dim) -> Result<Ids> {
        let ids = self.ids.get(&groups).copied();
        ids.ok_or_else(|| bug(format!("the groups of {groups} have no numbers")))
    }

    /// The rows in the order of their groups: their numbers in order, and the rows. The kernels that need them share
    /// them.
    pub(super) fn by_groups(&mut self, groups: Dim, rows: usize) -> Result<Keyed> {
        if let Some(sorted) = self.sorted.get(&groups) {
            return Ok(*sorted);
        }
        let numbers = self.numbered(self.numbers(groups)?, rows, self.length(groups)?)?;
        let sorted = sort(&mut self.memory, numbers)?;
        self.sorted.insert(groups, sorted);
        Ok(sorted)
    }

    /// Where each of `lists` lists begins among rows in their order, and the end of the last.
    pub(super) fn list_starts(&mut self, sorted: Keyed, lists: usize) -> Result<Block> {
        let starts = self.memory.allocate("starts", (lists + 1) * 8)?;
        let (rows, lists) = (word(sorted.length as i64), lists as i64);
        let args = [rows, sorted.numbers(), word(lists), word(starts.address)];
        let blocks = self.memory.grid(lists as usize + 1);
        self.memory.machine.launch("list_starts", blocks, &args)?;
        Ok(starts)
    }

    /// Memory for the number of each row's list, to be sorted. Rows of no list get the number of lists.
    pub(super) fn unsorted(&mut self, rows: usize, lists: usize) -> Result<Keyed> {
        let wide = self.memory.machine.wide() || u16::try_from(lists).is_err();
        let width = if wide { 4 } else { 2 };
        let keys = self.memory.allocate("numbers", rows * width)?;
        Ok(Keyed { keys, width, rows: None, wide: self.wide(rows), length: rows })
    }

    /// Whether the numbers of so many rows take eight bytes, not four.
    pub(super) fn wide(&self, rows: usize) -> bool {
        self.memory.machine.wide() || u32::try_from(rows).is_err()
    }

    /// Gives back the orders that no kernel after this one needs.
    pub(super) fn forget_orders(&mut self, after: Kernel) -> Result<()> {
        let kernels = &self.plan.kernels;
        let needed = |dim: Dim| kernels.iter().any(|(k, def)| k > after && def.lists == Some(dim));
        let done: Vec<Dim> = self.sorted.keys().copied().filter(|&dim| !needed(dim)).collect();
        let done = done.iter().filter_map(|dim| self.sorted.remove(dim));
        done.collect::<Vec<_>>().into_iter().try_for_each(|sorted| sorted.release(&mut self.memory))
    }

    /// A copy of the rows' group numbers to be sorted; rows of no group get `last`, the number of groups.
    pub(super) fn numbered(&mut self, ids: Ids, rows: usize, last: usize) -> Result<Keyed> {
        let to = self.unsorted(rows, last)?;
        let [ids, places] = ids.words();
        let args = [word(rows as i64), ids, places, word(last as i32), to.numbers()];
        let blocks = self.memory.grid(rows);
        self.memory.machine.launch("list_number", blocks, &args)?;
        Ok(to)
    }
}
