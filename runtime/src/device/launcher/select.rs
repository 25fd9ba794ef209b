//! The launches of a Select, all of kernels that are no plan's. The head comment of `select.cuh` says what each does.

use super::memory::Memory;
use super::run::{Run, bug};
use super::{BLOCK, Block, word};
use compiler::ir::Dim;
use compiler::plan::KernelDef;
use q::Result;

/// Items of the longest list that one warp selects from, as in `select.cuh`.
pub const SHORT: usize = 512;
/// Items of a tile, as in `select.cuh`.
pub const TILE: usize = 4096;
/// Bytes of the middle of a long list.
const MIDDLE: usize = 88;
/// Values of a digit, and digits of a key.
const DIGITS: usize = 256;
const DIGITS_OF_KEY: i32 = 8;

impl Run<'_> {
    pub(super) fn select(&mut self, def: &KernelDef) -> Result<()> {
        let starts = self.starts.get(&def.over).copied();
        let starts =
            starts.ok_or_else(|| bug(format!("where the lists of {} begin is not known", def.over)))?;
        let lists = if def.into == Dim::ONE { 1 } else { self.length(def.into)? };
        let items = self.length(def.over)?;
        self.outputs(def, lists)?;
        for &node in &def.results {
            let (x, to) = (self.node(self.graph().nodes[node].args[0])?, self.node(node)?);
            if lists > 0 {
                medians(&mut self.memory, Lists { lists, items, starts, x, to })?;
            }
        }
        Ok(())
    }
}

/// Lists one after another, and where their medians go.
struct Lists {
    lists: usize,
    items: usize,
    starts: Block,
    x: Block,
    to: Block,
}

fn medians(memory: &mut Memory, given: Lists) -> Result<()> {
    let Lists { lists, items, starts, x, to } = given;
    let places = memory.allocate("places", lists * 4)?;
    let middles = memory.allocate("middles", (items / SHORT + 1) * MIDDLE)?;
    let found = memory.filled("found", 4, 0)?;
    let [n, starts, x, to] = [word(lists as i64), word(starts.address), word(x.address), word(to.address)];
    let [at, middle] = [word(places.address), word(middles.address)];
    let blocks = memory.grid(lists * 32);
    memory.machine.launch("select_short", blocks, &[n, starts, x, to, at, middle, word(found.address)])?;
    let longs: u32 = memory.first(found)?;
    if longs > 0 {
        let apart = memory.allocate("apart", items * 8)?;
        let counts = memory.filled("counts", longs as usize * DIGITS * 8, 0)?;
        let (tiles, warps) =
            (memory.grid(items.div_ceil(TILE) * BLOCK as usize), memory.grid(longs as usize * 32));
        let (parts, blocks) = (word(apart.address), memory.grid(longs as usize));
        memory.machine.launch("select_part", tiles, &[n, starts, x, at, middle, parts])?;
        memory.machine.launch("select_within", blocks, &[word(longs), middle])?;
        for digit in (0..DIGITS_OF_KEY).rev() {
            let (digit, counts) = (word(digit), word(counts.address));
            memory.machine.launch(
                "select_count",
                tiles,
                &[n, starts, x, parts, at, middle, digit, counts],
            )?;
            memory.machine.launch("select_narrow", warps, &[word(longs), digit, middle, counts])?;
        }
        memory.machine.launch("select_next", tiles, &[n, starts, x, parts, at, middle])?;
        memory.machine.launch("select_end", blocks, &[word(longs), starts, middle, to])?;
        memory.release(counts)?;
        memory.release(apart)?;
    }
    [places, middles, found].into_iter().try_for_each(|b| memory.release(b))
}
