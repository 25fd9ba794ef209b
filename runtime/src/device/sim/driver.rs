//! The simulated device: its memory and its launches.

use super::exec::access::World;
use super::memory::Memory;
use super::ptx::{Ptx, Reg};
use super::report::{Counts, Kind, Launched, Wrong};
use super::schedule::{self, Schedule, Shape};
use crate::device::launcher::{BLOCK, Block, Machine, Word};
use q::{Error, Result};
use std::sync::Arc;

/// A device with a module loaded.
#[derive(Debug)]
pub struct Simulator {
    ptx: Arc<Ptx>,
    schedule: Schedule,
    memory: Memory,
    /// Addresses of the module's tables, once they are there.
    globals: Vec<u64>,
    launched: Vec<Launched>,
}

impl Simulator {
    /// A device without memory in use.
    pub fn new(ptx: Arc<Ptx>, schedule: Schedule) -> Simulator {
        Simulator { ptx, schedule, memory: Memory::default(), globals: Vec::new(), launched: Vec::new() }
    }

    /// The names of what was allocated and not freed.
    pub fn leaks(&self) -> Vec<&str> {
        let tables: Vec<&str> = self.ptx.globals.iter().map(|g| g.0.as_str()).collect();
        self.memory.leaks().into_iter().filter(|name| !tables.contains(name)).collect()
    }

    /// The launches so far, in order.
    pub fn into_launched(self) -> Vec<Launched> {
        self.launched
    }

    /// The module's tables in memory.
    fn tables(&mut self) -> Result<()> {
        let ptx = self.ptx.clone();
        for (name, bytes) in ptx.globals.iter().skip(self.globals.len()) {
            let address = self.memory.allocate(name, bytes.len());
            self.memory.write(address, bytes).map_err(signal)?;
            self.globals.push(address);
        }
        Ok(())
    }
}

fn signal(wrong: Wrong) -> Error {
    Error::new("sim").detail(format!("{:?}: {}", wrong.kind, wrong.what))
}

impl Machine for Simulator {
    fn blocks(&self) -> u32 {
        8
    }

    fn allocate(&mut self, name: &str, bytes: usize) -> Result<Block> {
        Ok(Block { address: self.memory.allocate(name, bytes), bytes })
    }

    fn write(&mut self, to: Block, bytes: &[u8]) -> Result<()> {
        self.memory.write(to.address, bytes).map_err(signal)
    }

    fn fill(&mut self, to: Block, byte: u8) -> Result<()> {
        self.memory.write(to.address, &vec![byte; to.bytes]).map_err(signal)
    }

    fn read(&mut self, from: Block, out: &mut [u8]) -> Result<()> {
        self.memory.read(from.address, out).map_err(signal)
    }

    fn free(&mut self, block: Block) -> Result<()> {
        self.memory.free(block.address).map_err(signal)
    }

    fn launch(&mut self, name: &str, grid: u32, args: &[Word]) -> Result<()> {
        self.tables()?;
        let ptx = self.ptx.clone();
        let Some(kernel) = ptx.kernels.iter().find(|k| k.name == name) else {
            return Err(signal(Wrong::new(Kind::Launch, format!("the module has no kernel {name}"))));
        };
        if args.len() != kernel.params.len() {
            let what = format!("{name} takes {} arguments, not {}", kernel.params.len(), args.len());
            return Err(signal(Wrong::new(Kind::Launch, what)));
        }
        let mut preset: Vec<(Reg, u64)> = Vec::with_capacity(kernel.reads.len() + kernel.globals.len());
        for &(param, offset, ty, reg) in &kernel.reads {
            let bytes = args[param].get(offset..offset + usize::from(ty.bytes()));
            let Some(bytes) = bytes else {
                return Err(signal(Wrong::new(
                    Kind::Launch,
                    format!("{name} reads beyond its parameter {param}"),
                )));
            };
            preset.push((reg, bytes.iter().rev().fold(0, |x, &b| x << 8 | u64::from(b))));
        }
        preset.extend(kernel.globals.iter().map(|&(reg, i)| (reg, self.globals[i])));
        let mut world = World {
            memory: &mut self.memory,
            told: Default::default(),
            launch: self.launched.len() as u64 + 1,
            counts: Counts::default(),
        };
        let shape = Shape { kernel, grid, threads: BLOCK, preset: &preset };
        let ran = schedule::run(&shape, &mut world, &self.schedule);
        let counts = world.counts;
        self.launched.push(Launched { kernel: name.to_string(), grid, counts });
        ran.map_err(|fault| Error::new("sim").detail(fault.to_string()))
    }
}
