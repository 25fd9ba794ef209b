//! Runs emitted plans: the host's side of every skeleton, over any machine that has memory and launches kernels.
//!
//! A run uploads what the kernels read, launches each kernel's entries in order, reads back how many rows passed
//! or how many groups there are where the next launch depends on it, and makes columns of what was written.
//! Everything that is allocated is freed, whether the run succeeds or not.

mod group;
mod list;
mod member;
mod memory;
mod order;
mod places;
pub mod rows;
mod run;
mod scan;
mod select;
mod sort;

use compiler::emit::Unit;
use compiler::plan::Plan;
use q::{Kind, Result};
use std::sync::Arc;

use crate::column::{Column, Domain};
use crate::device::{Launch, Output};

/// Threads of every block, as `BLOCK` in `prelude.cuh`.
pub const BLOCK: u32 = compiler::plan::BLOCK as u32;
/// A chunk has at least two to this power rows, as in `reduce.cuh`.
const CHUNK: usize = 12;
/// The most `parts`, as in `reduce.cuh`.
const PARTS: usize = 4096;
/// Bytes of the largest accumulator of `agg.cuh`, the co-moments of pairs.
const ACCUMULATOR: usize = 48;
/// Keys of a tile of a sort's pass, as `SORT_TILE` in `sort.cuh`.
const SORT_TILE: usize = 4096;

/// A block of a machine's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// The machine's address; never 0.
    pub address: u64,
    /// Bytes.
    pub bytes: usize,
}

/// An argument of a kernel, of which it reads as many bytes as its parameter has.
pub use super::bytes::Word;
use super::bytes::word;

/// Memory and launches: what a GPU's driver offers, and the simulator.
pub trait Machine {
    /// The most blocks that a kernel whose grid is free is worth.
    fn blocks(&self) -> u32;
    /// New memory whose contents are not defined; `name` is what messages call it.
    fn allocate(&mut self, name: &str, bytes: usize) -> Result<Block>;
    /// Copies to the machine.
    fn write(&mut self, to: Block, bytes: &[u8]) -> Result<()>;
    /// Sets every byte.
    fn fill(&mut self, to: Block, byte: u8) -> Result<()>;
    /// Copies from the machine, `out.len()` bytes, after all launches so far.
    fn read(&mut self, from: Block, out: &mut [u8]) -> Result<()>;
    /// Gives memory back.
    fn free(&mut self, block: Block) -> Result<()>;
    /// The memory of a column that stays on the machine between runs; none where a run makes a copy of its own.
    fn resident(&mut self, _: &Column) -> Result<Option<Block>> {
        Ok(None)
    }
    /// A column of the first `len` elements of a block, which stays on the machine; none where results are read.
    fn keep(
        &mut self,
        _: Block,
        _kind: Kind,
        _width: usize,
        _len: usize,
        _: Option<Arc<Domain>>,
    ) -> Result<Option<Column>> {
        Ok(None)
    }
    /// Adds a unit of the plan to those whose entries can be launched: its text, and its entries' names.
    fn add(&mut self, text: &str, names: Vec<String>) -> Result<()>;
    /// Whether rows and their lists get the wider numbers though the narrower would do, for a test of those.
    fn wide(&self) -> bool {
        false
    }
    /// Launches the entry `name` with `grid` blocks of [`BLOCK`] threads, after all launches so far: one of the
    /// plan's units, or the one that [`compiler::emit::common`] has by that name.
    fn launch(&mut self, name: &str, grid: u32, args: &[Word]) -> Result<()>;
}

/// Runs a plan whose unit the machine has loaded.
///
/// # Errors
/// The machine's errors; an internal error where the plan and the launch do not fit each other.
pub fn run(machine: &mut dyn Machine, plan: &Plan, unit: &Unit, launch: &Launch) -> Result<Vec<Output>> {
    let mut run = run::Run::new(machine, plan, unit, launch);
    let out = run.all();
    let freed = run.memory.free();
    let out = out?;
    freed?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_templates_have_the_same_sizes() {
        let text =
            |file| compiler::emit::templates().iter().find(|(name, _)| *name == file).expect("it is there").1;
        assert!(text("prelude.cuh").contains(&format!("#define BLOCK {BLOCK}\n")));
        assert!(text("reduce.cuh").contains(&format!("#define CHUNK {CHUNK}\n#define PARTS {PARTS}\n")));
        assert!(text("agg.cuh").contains("struct comoments {\n    i64 n;\n    f64 mx, my, xx, yy, xy;\n"));
        let rows = SORT_TILE / BLOCK as usize;
        assert!(
            text("sort.cuh")
                .contains(&format!("#define SORT_OWN {rows}\n#define SORT_TILE (BLOCK * SORT_OWN)\n"))
        );
        let sizes = format!("#define SHORT {}\n#define SELECT_TILE {}\n", select::SHORT, select::TILE);
        assert!(text("select.cuh").contains(&sizes));
        assert!(text("places.cuh").contains(&format!("#define LINK {}\n", places::LINK)));
        assert!(text("group.cuh").contains(&format!("#define ROOM {}\n", group::ROOM)));
    }
}
