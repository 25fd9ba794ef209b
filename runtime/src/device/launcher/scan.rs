//! The launches of a Scan: one, after a sort of the rows by group where the lists are groups. The head comment of
//! `scan.cuh` says what the kernel does.

use super::run::{Run, bug};
use super::{ACCUMULATOR, BLOCK, word};
use compiler::emit::Entry;
use compiler::ir::{Node, Op};
use compiler::plan::{Kernel, KernelDef, Way};
use q::{Error, Prim, Result};

impl Run<'_> {
    pub(super) fn scan(&mut self, kernel: Kernel, def: &KernelDef, rows: usize) -> Result<()> {
        self.outputs(def, rows)?;
        let entries = self.entries(kernel);
        let mut entries = entries.iter();
        let mut next = || entries.next().copied().ok_or_else(|| bug("a scan has an entry for each way"));
        let mark = if def.numbers(self.graph()) { Some(next()?) } else { None };
        let running = def.ways(self.graph()).iter().any(|w| w.2 == Way::Running);
        let entry = if running { Some(next()?) } else { None };
        let aligned = self.aligned(def);
        if rows == 0 {
            // There is one list, or none.
            let fits = def.lists.is_some() || aligned.iter().all(|&count| count == 0);
            return if fits { Ok(()) } else { q::error::length_error() };
        }
        if let Some(entry) = entry {
            self.accumulated(entry, def, rows, !aligned.is_empty())?;
        }
        self.placed(def, rows, mark, entries)
    }

    /// The results that come from accumulators; `'length` where a list must have another count.
    fn accumulated(&mut self, entry: &Entry, def: &KernelDef, rows: usize, aligned: bool) -> Result<()> {
        let (lists, groups) = match def.lists {
            Some(dim) => (Some(self.by_groups(dim, rows)?), self.length(dim)?),
            None => (None, 0),
        };
        let tiles = rows.div_ceil(def.tile(self.graph()));
        let spans = tiles.div_ceil(BLOCK as usize);
        let part = def.results.len() * ACCUMULATOR + 16;
        let ticket = self.memory.filled("ticket", 4, 0)?;
        let state = self.memory.filled("state", tiles * 8, 0)?;
        let done = self.memory.filled("done", spans * 8, 0)?;
        let own = self.memory.allocate("own", tiles * part)?;
        let wrong = if aligned { Some(self.memory.filled("wrong", 4, 0)?) } else { None };
        let sums = self.memory.allocate("spans", spans * part)?;
        let work = [
            ("sorted", lists.map_or(word(0u64), |l| l.numbers())),
            ("rows", lists.map_or(word(0u64), |l| l.rows())),
            ("groups", word(groups as u32)),
            ("wrong", word(wrong.map_or(0, |w| w.address))),
            ("ticket", word(ticket.address)),
            ("state", word(state.address)),
            ("done", word(done.address)),
            ("own", word(own.address)),
            ("spans", word(sums.address)),
        ];
        let grid = u32::try_from(tiles).map_err(|_| Error::new("limit"))?;
        self.enter(entry, grid, rows, &work)?;
        [ticket, state, done, own, sums].into_iter().try_for_each(|b| self.memory.release(b))?;
        let Some(wrong) = wrong else { return Ok(()) };
        let fits = self.memory.first::<u32>(wrong)? == 0;
        self.memory.release(wrong)?;
        if fits { Ok(()) } else { q::error::length_error() }
    }

    /// The counts of the list parameters that lie beside the lists.
    fn aligned(&self, def: &KernelDef) -> Vec<usize> {
        let graph = self.graph();
        let list = |&n: &Node| match (graph.nodes[n].op, graph.nodes[n].args.first()) {
            (Op::Scan(Prim::Ident, _), Some(&list)) => match graph.nodes[list].op {
                Op::Param(p) => Some(self.items(p).1),
                _ => None,
            },
            _ => None,
        };
        def.results.iter().filter_map(list).collect()
    }
}
