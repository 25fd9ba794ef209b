//! The simulated device as the launcher's machine.

use crate::device::launcher::{BLOCK, Block, Machine, Word};
use q::{Error, Result};
use sim::Simulator;

/// A signal of the simulator's message.
fn signal(message: String) -> Error {
    Error::new("sim").detail(message)
}

impl Machine for Simulator {
    fn blocks(&self) -> u32 {
        8
    }

    fn allocate(&mut self, name: &str, bytes: usize) -> Result<Block> {
        Ok(Block { address: Simulator::allocate(self, name, bytes), bytes })
    }

    fn write(&mut self, to: Block, bytes: &[u8]) -> Result<()> {
        Simulator::write(self, to.address, bytes).map_err(signal)
    }

    fn fill(&mut self, to: Block, byte: u8) -> Result<()> {
        Simulator::write(self, to.address, &vec![byte; to.bytes]).map_err(signal)
    }

    fn read(&mut self, from: Block, out: &mut [u8]) -> Result<()> {
        Simulator::read(self, from.address, out).map_err(signal)
    }

    fn free(&mut self, block: Block) -> Result<()> {
        Simulator::free(self, block.address).map_err(signal)
    }

    fn add(&mut self, text: &str, names: Vec<String>) -> Result<()> {
        if !names.iter().all(|name| self.knows(name)) {
            Simulator::add(self, super::compile(text)?);
        }
        Ok(())
    }

    fn wide(&self) -> bool {
        // Some seeds ask for the wider numbers, so that both are run.
        self.schedule().seed % 3 == 2
    }

    fn launch(&mut self, name: &str, grid: u32, args: &[Word]) -> Result<()> {
        if let Some(text) = compiler::emit::common(name).filter(|_| !self.knows(name)) {
            Simulator::add(self, super::compile(&text)?);
        }
        Simulator::launch(self, name, grid, BLOCK, args).map_err(signal)
    }
}
