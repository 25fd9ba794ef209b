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

/// A device with modules loaded.
#[derive(Debug)]
pub struct Simulator {
    modules: Vec<Module>,
    schedule: Schedule,
    memory: Memory,
    launched: Vec<Launched>,
}

/// A module.
#[derive(Debug)]
struct Module {
    ptx: Arc<Ptx>,
    /// Addresses of its tables, once they are there.
    globals: Vec<u64>,
}

/// What is wrong, as a message.
pub type Message = String;

fn message(wrong: Wrong) -> Message {
    format!("{:?}: {}", wrong.kind, wrong.what)
}

impl Simulator {
    /// A device without memory in use.
    pub fn new(ptx: Arc<Ptx>, schedule: Schedule) -> Simulator {
        let modules = vec![Module { ptx, globals: Vec::new() }];
        Simulator { modules, schedule, memory: Memory::default(), launched: Vec::new() }
    }

    /// How warps are interleaved.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Loads a further module, whose kernels come after those of the modules before.
    pub fn add(&mut self, ptx: Arc<Ptx>) {
        self.modules.push(Module { ptx, globals: Vec::new() });
    }

    /// Has one of the modules the kernel `name`?
    pub fn knows(&self, name: &str) -> bool {
        self.modules.iter().any(|m| m.ptx.kernels.iter().any(|k| k.name == name))
    }

    /// Makes `ptx` the only module that launches are of; memory stays, and so do addresses.
    ///
    /// # Errors
    /// Where the tables of the modules before are gone.
    pub fn load(&mut self, ptx: Arc<Ptx>) -> Result<(), Message> {
        if matches!(self.modules.as_slice(), [one] if Arc::ptr_eq(&ptx, &one.ptx)) {
            return Ok(());
        }
        let before = std::mem::replace(&mut self.modules, vec![Module { ptx, globals: Vec::new() }]);
        before.into_iter().flat_map(|m| m.globals).try_for_each(|address| self.free(address))
    }

    /// The names of what was allocated and not freed.
    pub fn leaks(&self) -> Vec<&str> {
        let globals = self.modules.iter().flat_map(|m| &m.ptx.globals);
        let tables: Vec<&str> = globals.map(|g| g.0.as_str()).collect();
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
        let wrong = |what: String| Err(message(Wrong::new(Kind::Launch, what)));
        let found =
            self.modules.iter().enumerate().find_map(|(m, module)| {
                module.ptx.kernels.iter().position(|k| k.name == name).map(|k| (m, k))
            });
        let Some((module, kernel)) = found else {
            return wrong(format!("no module has a kernel {name}"));
        };
        self.tables(module)?;
        let Module { ptx, globals } = &self.modules[module];
        let kernel = &ptx.kernels[kernel];
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
        preset.extend(kernel.globals.iter().map(|&(reg, i)| (reg, globals[i])));
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

    /// A module's tables in memory.
    fn tables(&mut self, module: usize) -> Result<(), Message> {
        let Module { ptx, globals } = &mut self.modules[module];
        for (name, bytes) in ptx.globals.iter().skip(globals.len()) {
            let address = self.memory.allocate(name, bytes.len());
            self.memory.write(address, bytes).map_err(message)?;
            globals.push(address);
        }
        Ok(())
    }
}
