//! The device that a host sees: its memory and its launches.

use crate::exec::access::World;
use crate::memory::Memory;
use crate::ptx::{Ptx, Reg};
use crate::race::WARPS;
use crate::random::Random;
use crate::report::{Kind, Launched, Tally, Wrong};
use crate::schedule::{self, Schedule, Shape};
use crate::strong::Locations;
use std::sync::Arc;

/// An argument of a kernel: its bytes as they lie in memory, followed by zeros. A kernel reads as many as its
/// parameter has.
pub type Word = [u8; 16];

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

/// What is wrong, as a message.
pub type Message = String;

fn message(wrong: Wrong) -> Message {
    format!("{:?}: {}", wrong.kind, wrong.what)
}

impl Simulator {
    /// A device without memory in use.
    pub fn new(ptx: Arc<Ptx>, schedule: Schedule) -> Simulator {
        Simulator { ptx, schedule, memory: Memory::default(), globals: Vec::new(), launched: Vec::new() }
    }

    /// Makes `ptx` the module that launches are of; memory stays, and so do addresses.
    ///
    /// # Errors
    /// Where the tables of the module before are gone.
    pub fn load(&mut self, ptx: Arc<Ptx>) -> Result<(), Message> {
        if Arc::ptr_eq(&ptx, &self.ptx) {
            return Ok(());
        }
        self.ptx = ptx;
        std::mem::take(&mut self.globals).into_iter().try_for_each(|address| self.free(address))
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

    /// New memory that nobody has written; its address, which is never 0. `name` is what messages call it.
    pub fn allocate(&mut self, name: &str, bytes: usize) -> u64 {
        self.memory.allocate(name, bytes)
    }

    /// Copies to the device.
    ///
    /// # Errors
    /// Bytes outside a buffer.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Message> {
        self.memory.write(address, bytes).map_err(message)
    }

    /// Copies from the device.
    ///
    /// # Errors
    /// Bytes outside a buffer, or that nobody wrote.
    pub fn read(&mut self, address: u64, out: &mut [u8]) -> Result<(), Message> {
        self.memory.read(address, out).map_err(message)
    }

    /// Gives memory back.
    ///
    /// # Errors
    /// An address that is no buffer's.
    pub fn free(&mut self, address: u64) -> Result<(), Message> {
        self.memory.free(address).map_err(message)
    }

    /// Runs the kernel `name` with `grid` blocks of `threads` threads.
    ///
    /// # Errors
    /// The first defect that the run shows, or why the kernel cannot be launched so.
    pub fn launch(&mut self, name: &str, grid: u32, threads: u32, args: &[Word]) -> Result<(), Message> {
        self.tables()?;
        let wrong = |what: String| Err(message(Wrong::new(Kind::Launch, what)));
        let ptx = self.ptx.clone();
        let Some(kernel) = ptx.kernels.iter().find(|k| k.name == name) else {
            return wrong(format!("the module has no kernel {name}"));
        };
        if args.len() != kernel.params.len() {
            return wrong(format!("{name} takes {} arguments, not {}", kernel.params.len(), args.len()));
        }
        if threads == 0 || threads > 32 * WARPS as u32 {
            return wrong(format!("{name} is launched with {threads} threads a block"));
        }
        let mut preset: Vec<(Reg, u64)> = Vec::with_capacity(kernel.reads.len() + kernel.globals.len());
        for &(param, offset, ty, reg) in &kernel.reads {
            let Some(bytes) = args[param].get(offset..offset + usize::from(ty.bytes())) else {
                return wrong(format!("{name} reads beyond its parameter {param}"));
            };
            preset.push((reg, bytes.iter().rev().fold(0, |x, &b| x << 8 | u64::from(b))));
        }
        preset.extend(kernel.globals.iter().map(|&(reg, i)| (reg, self.globals[i])));
        let launch = self.launched.len() as u64 + 1;
        let mut world = World {
            tally: Tally::new(kernel.code.len(), self.memory.len()),
            memory: &mut self.memory,
            locations: Locations::default(),
            random: Random::new(self.schedule.seed ^ launch.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            launch,
        };
        let shape = Shape { kernel, grid, threads, preset: &preset };
        let ran = schedule::run(&shape, &mut world, &self.schedule);
        let launched = world.tally.launched(kernel, grid, |i| world.memory.name(i).to_string());
        self.launched.push(launched);
        ran.map_err(|fault| fault.to_string())
    }

    /// The module's tables in memory.
    fn tables(&mut self) -> Result<(), Message> {
        let ptx = self.ptx.clone();
        for (name, bytes) in ptx.globals.iter().skip(self.globals.len()) {
            let address = self.memory.allocate(name, bytes.len());
            self.memory.write(address, bytes).map_err(message)?;
            self.globals.push(address);
        }
        Ok(())
    }
}
