//! The launches of a Scan's results that do not come from accumulators. The head comment of `places.cuh` says what
//! each kernel does.

use super::run::{Run, bug};
use super::sort::{Keyed, sort};
use super::{Block, Word, word};
use compiler::emit::Entry;
use compiler::ir::Node;
use compiler::plan::{KernelDef, Way};
use q::{Prim, Result};

/// Places of a chunk of linked values, as `LINK` in `places.cuh`.
pub const LINK: usize = 1024;

/// The lists of a kernel's rows, list after list.
struct Places {
    sorted: Keyed,
    starts: Block,
    lists: usize,
}

impl Run<'_> {
    /// Runs the entries of `def` that are not those of its accumulators; `mark` numbers the rows that pass.
    pub(super) fn placed(
        &mut self,
        def: &KernelDef,
        rows: usize,
        mark: Option<&Entry>,
        mut entries: std::slice::Iter<&Entry>,
    ) -> Result<()> {
        let ways = def.ways(self.graph());
        if ways.iter().all(|w| w.2 == Way::Running) || rows == 0 {
            return Ok(());
        }
        let lists = self.lists(def, rows, mark)?;
        let address = |block: Option<Block>| word(block.map_or(0, |b| b.address));
        let places = [
            ("sorted", address(lists.as_ref().map(|l| l.sorted.keys))),
            ("rows", address(lists.as_ref().and_then(|l| l.sorted.rows))),
            ("starts", address(lists.as_ref().map(|l| l.starts))),
            ("lists", word(lists.as_ref().map_or(0, |l| l.lists as i64))),
        ];
        let mut next = || entries.next().copied().ok_or_else(|| bug("a scan has an entry for each way"));
        let of = |way| ways.iter().filter(move |w| w.2 == way);
        let grid = self.memory.grid(rows);
        if of(Way::Near).next().is_some() {
            self.enter(next()?, grid, rows, &places)?;
        }
        for &(node, p, _) in of(Way::Sorted) {
            let key = self.graph().nodes[node].args[0];
            let ranked = self.ranked(def, key, p == Prim::Desc, rows, mark)?;
            self.enter(next()?, grid, rows, &with(&places, &[("ranked", address(ranked.rows))]))?;
            ranked.release(&mut self.memory)?;
        }
        for _ in of(Way::Linked) {
            let chunks = rows.div_ceil(LINK);
            let from = self.memory.allocate("from", chunks * 8)?;
            let to = self.memory.allocate("to", chunks * 8)?;
            let work = with(&places, &[("from", word(from.address)), ("to", word(to.address))]);
            self.enter(next()?, self.memory.grid(chunks), rows, &work)?;
            self.enter(next()?, 1, rows, &work)?;
            self.memory.release(from)?;
            self.memory.release(to)?;
        }
        let Some(lists) = lists else { return Ok(()) };
        self.memory.release(lists.starts)?;
        // What other kernels of the groups may share is given back after the last of them.
        if def.lists.is_some() { Ok(()) } else { lists.sorted.release(&mut self.memory) }
    }

    /// The lists; none where all rows are one.
    fn lists(&mut self, def: &KernelDef, rows: usize, mark: Option<&Entry>) -> Result<Option<Places>> {
        let (sorted, lists) = match (def.lists, mark) {
            (Some(groups), _) => (self.by_groups(groups, rows)?, self.length(groups)?),
            (None, Some(mark)) => {
                let numbers = self.marked(def, mark, rows)?;
                (self.in_order(numbers, rows)?, 1)
            }
            (None, None) => return Ok(None),
        };
        let starts = self.list_starts(sorted, lists)?;
        Ok(Some(Places { sorted, starts, lists }))
    }

    /// The number of each row's list, in memory that is the caller's: the one list's of the rows that pass is 0.
    fn marked(&mut self, def: &KernelDef, mark: &Entry, rows: usize) -> Result<Block> {
        let numbers = self.memory.allocate("numbers", rows * 4)?;
        let turns = rows.div_ceil(def.pack(self.graph()));
        self.enter(mark, self.memory.grid(turns), rows, &[("numbers", word(numbers.address))])?;
        Ok(numbers)
    }

    /// The rows in the order of `key`, equal keys in theirs, list after list.
    fn ranked(
        &mut self,
        def: &KernelDef,
        key: Node,
        descending: bool,
        rows: usize,
        mark: Option<&Entry>,
    ) -> Result<Keyed> {
        let store = self.graph().ty(key).kind.store();
        let from = self.node(key)?;
        let keys = self.memory.allocate("keys", rows * 8)?;
        // A descending key is an ascending one with its bits flipped.
        let flip = if descending { u64::MAX } else { 0 };
        let args = [word(rows as i64), word(from.address), word(0u64), word(flip), word(keys.address)];
        let blocks = self.memory.grid(rows);
        self.memory.machine.launch(&format!("sort_key_{}", store.letter()), blocks, &args)?;
        let by_key = sort(&mut self.memory, Keyed { keys, width: 8, rows: None, length: rows })?;
        let numbers = match (def.lists, mark) {
            (Some(groups), _) => {
                let (ids, last) = (self.numbers(groups)?, self.length(groups)?);
                self.numbered(ids, rows, last as i32)?
            }
            (None, Some(mark)) => self.marked(def, mark, rows)?,
            (None, None) => return Ok(by_key),
        };
        self.memory.release(by_key.keys)?;
        let keys = match by_key.rows {
            None => numbers,
            Some(order) => {
                let keys = self.memory.allocate("keys", rows * 4)?;
                let (n, null) = (word(rows as i64), word(0u32));
                let args = [n, word(order.address), word(numbers.address), n, null, word(keys.address)];
                self.memory.machine.launch("gather_4", blocks, &args)?;
                self.memory.release(numbers)?;
                keys
            }
        };
        sort(&mut self.memory, Keyed { keys, width: 4, rows: by_key.rows, length: rows })
    }
}

/// The working memory of an entry: that of the places, and more.
fn with<'a>(places: &[(&'a str, Word)], more: &[(&'a str, Word)]) -> Vec<(&'a str, Word)> {
    [places, more].concat()
}
