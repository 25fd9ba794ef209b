//! The launches of a Scan: one, after a sort of the rows by group where the lists are groups. The head comment of
//! `scan.cuh` says what the kernel does.

use super::run::{Run, bug};
use super::sort::{Keyed, sort};
use super::{ACCUMULATOR, BLOCK, word};
use compiler::plan::{Kernel, KernelDef};
use q::{Error, Result};

impl Run<'_> {
    pub(super) fn scan(&mut self, kernel: Kernel, def: &KernelDef, rows: usize) -> Result<()> {
        self.outputs(def, rows)?;
        let [entry] = self.entries(kernel)[..] else { return Err(bug("a scan has one entry")) };
        if rows == 0 {
            return Ok(());
        }
        let lists = match def.lists {
            Some(dim) => {
                let keys = self.numbered(self.numbers(dim)?, rows, self.length(dim)? as i32)?;
                Some(sort(&mut self.memory, Keyed { keys, width: 4, rows: None, length: rows })?)
            }
            None => None,
        };
        let tiles = rows.div_ceil(def.tile(self.graph()));
        let spans = tiles.div_ceil(BLOCK as usize);
        let part = def.results.len() * ACCUMULATOR + 16;
        let ticket = self.memory.filled("ticket", 4, 0)?;
        let state = self.memory.filled("state", tiles * 8, 0)?;
        let done = self.memory.filled("done", spans * 8, 0)?;
        let own = self.memory.allocate("own", tiles * part)?;
        let sums = self.memory.allocate("spans", spans * part)?;
        let work = [
            ("sorted", word(lists.map_or(0, |l| l.keys.address))),
            ("rows", word(lists.and_then(|l| l.rows).map_or(0, |r| r.address))),
            ("ticket", word(ticket.address)),
            ("state", word(state.address)),
            ("done", word(done.address)),
            ("own", word(own.address)),
            ("spans", word(sums.address)),
        ];
        let grid = u32::try_from(tiles).map_err(|_| Error::new("limit"))?;
        self.enter(entry, grid, rows, &work)?;
        [ticket, state, done, own, sums].into_iter().try_for_each(|b| self.memory.release(b))?;
        lists.map_or(Ok(()), |l| l.release(&mut self.memory))
    }
}
