//! The memory of a run: what was allocated and is not given back yet, so that a run that fails gives all of it back.

use super::{BLOCK, Block, Machine};
use bytemuck::Pod;
use q::Result;

/// A machine, and the blocks that are in use.
pub struct Memory<'a> {
    /// The machine.
    pub machine: &'a mut dyn Machine,
    blocks: Vec<Block>,
}

impl<'a> Memory<'a> {
    /// Nothing in use yet.
    pub fn new(machine: &'a mut dyn Machine) -> Self {
        Memory { machine, blocks: Vec::new() }
    }

    /// New memory, freed at the end of the run.
    pub fn allocate(&mut self, name: &str, bytes: usize) -> Result<Block> {
        let block = self.machine.allocate(name, bytes)?;
        self.blocks.push(block);
        Ok(block)
    }

    /// New memory with the same byte everywhere.
    pub fn filled(&mut self, name: &str, bytes: usize, byte: u8) -> Result<Block> {
        let block = self.allocate(name, bytes)?;
        self.machine.fill(block, byte)?;
        Ok(block)
    }

    /// New memory that holds `bytes`.
    pub fn upload(&mut self, name: &str, bytes: &[u8]) -> Result<Block> {
        let block = self.allocate(name, bytes.len())?;
        self.machine.write(block, bytes)?;
        Ok(block)
    }

    /// Gives one block back; a column that stays on the machine is left there.
    pub fn release(&mut self, block: Block) -> Result<()> {
        match self.blocks.iter().position(|b| *b == block) {
            Some(at) => self.machine.free(self.blocks.swap_remove(at)),
            None => Ok(()),
        }
    }

    /// Gives all memory back.
    pub fn free(&mut self) -> Result<()> {
        let blocks = std::mem::take(&mut self.blocks);
        blocks.into_iter().map(|b| self.machine.free(b)).fold(Ok(()), Result::and)
    }

    /// The first element of a block.
    pub fn first<T: Pod>(&mut self, block: Block) -> Result<T> {
        let mut x = [T::zeroed()];
        self.machine.read(block, bytemuck::cast_slice_mut(&mut x))?;
        Ok(x[0])
    }

    /// A grid for a loop of `n` turns.
    pub fn grid(&self, n: usize) -> u32 {
        (n.div_ceil(BLOCK as usize) as u64).clamp(1, self.machine.blocks().into()) as u32
    }
}
