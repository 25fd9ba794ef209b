//! The launches of a Scan's results that do not come from accumulators. The head comment of `places.cuh` says what
//! each kernel does.

use super::run::{Run, bug};
use super::sort::{Keyed, either, sort};
use super::{Block, Word, word};
use compiler::emit::Entry;
use compiler::ir::Node;
use compiler::ir::scan::descends;
use compiler::plan::{KernelDef, Way};
use q::{Result, Store};

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
        let places = [
            ("sorted", lists.as_ref().map_or(word(0u64), |l| l.sorted.numbers())),
            ("rows", lists.as_ref().map_or(word(0u64), |l| l.sorted.rows())),
            ("starts", word(lists.as_ref().map_or(0, |l| l.starts.address))),
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
            let ranked = self.ranked(def, key, descends(p) == Some(true), rows, mark)?;
            self.enter(next()?, grid, rows, &with(&places, &[("ranked", ranked.rows())]))?;
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
        for _ in of(Way::Stepped) {
            let grid = self.memory.grid(lists.as_ref().map_or(1, |l| l.lists));
            self.enter(next()?, grid, rows, &places)?;
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
                (sort(&mut self.memory, numbers)?, 1)
            }
            (None, None) => return Ok(None),
        };
        let starts = self.list_starts(sorted, lists)?;
        Ok(Some(Places { sorted, starts, lists }))
    }

    /// The number of each row's list, in memory that is the caller's: the one list's of the rows that pass is 0.
    fn marked(&mut self, def: &KernelDef, mark: &Entry, rows: usize) -> Result<Keyed> {
        let numbers = self.unsorted(rows, 1)?;
        let turns = rows.div_ceil(def.pack(self.graph()));
        self.enter(mark, self.memory.grid(turns), rows, &[("numbers", numbers.numbers())])?;
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
        // A descending key is an ascending one with its bits flipped.
        let flip = if descending { u64::MAX } else { 0 };
        let (blocks, wide) = (self.memory.grid(rows), self.wide(rows));
        let mut order: Option<Block> = None;
        // A guid's key has two words; the major word's sort is the last.
        let words: &[i32] = if store == Store::G { &[1, 0] } else { &[0] };
        for (k, &at) in words.iter().enumerate() {
            let keys = self.memory.allocate("keys", rows * 8)?;
            let mut args = vec![
                word(rows as i64),
                word(from.address),
                either(order, wide),
                word(flip),
                word(keys.address),
            ];
            if store == Store::G {
                args.insert(3, word(at));
            }
            self.memory.machine.launch(&format!("sort_key_{}", store.letter()), blocks, &args)?;
            let sorted = sort(&mut self.memory, Keyed { keys, width: 8, rows: order, wide, length: rows })?;
            if k + 1 == words.len() && def.lists.is_none() && mark.is_none() {
                return Ok(sorted);
            }
            self.memory.release(sorted.keys)?;
            order = sorted.rows;
        }
        let numbers = match (def.lists, mark) {
            (Some(groups), _) => {
                let (ids, last) = (self.numbers(groups)?, self.length(groups)?);
                self.numbered(ids, rows, last)?
            }
            (None, Some(mark)) => self.marked(def, mark, rows)?,
            (None, None) => return Err(bug("a key has a word")),
        };
        let Some(by_key) = order else { return sort(&mut self.memory, numbers) };
        let keys = self.memory.allocate("keys", rows * numbers.width)?;
        let (n, null) = (word(rows as i64), word(0u32));
        let args = [n, either(order, wide), word(numbers.keys.address), n, null, word(keys.address)];
        self.memory.machine.launch(&format!("gather_{}", numbers.width), blocks, &args)?;
        self.memory.release(numbers.keys)?;
        sort(&mut self.memory, Keyed { keys, rows: Some(by_key), ..numbers })
    }
}

/// The working memory of an entry: that of the places, and more.
fn with<'a>(places: &[(&'a str, Word)], more: &[(&'a str, Word)]) -> Vec<(&'a str, Word)> {
    [places, more].concat()
}
