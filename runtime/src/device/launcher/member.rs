//! The launches of a Member: for each result a table of the items of its sets, and a look for each item. The head
//! comment of `member.cuh` says what each kernel does.

use super::group::SLOTS;
use super::run::{Run, bug};
use super::word;
use compiler::plan::{Kernel, KernelDef};
use q::Result;

impl Run<'_> {
    pub(super) fn member(&mut self, kernel: Kernel, def: &KernelDef, rows: usize) -> Result<()> {
        self.outputs(def, rows)?;
        if rows == 0 {
            return Ok(());
        }
        for entries in self.entries(kernel).chunks(2) {
            let &[put, find] = entries else { return Err(bug("a set has two entries")) };
            let grid = self.memory.grid(rows);
            let table = self.fitting(put, grid, rows, SLOTS, &[])?;
            let work = [("table", word(table.block.address)), ("mask", word(table.slots as u64 - 1))];
            self.enter(find, grid, rows, &work)?;
            table.release(&mut self.memory)?;
        }
        Ok(())
    }
}
