//! The simulator: an engine that runs the PTX that NVRTC makes of the emitted CUDA text, lane by lane, and tells
//! every defect that a GPU would keep to itself.
//!
//! A run checks bounds and alignment, reads of memory that nobody wrote, data races in shared and global memory,
//! barriers and shuffles that lanes do not reach together, waiting and running without an end, and memory that is
//! not given back; and it counts what a launch costs. The interleaving of warps and blocks comes from a seed.
//! It takes the PTX's word for what ptxas makes of it, and keeps no time.
//!
//! | file | holds |
//! |---|---|
//! | `ptx`, `parse` | kernels as lists of instructions, and PTX text to them |
//! | `machine`, `memory` | warps and blocks; regions of bytes that know what was written |
//! | `exec` | what instructions do, a file a family |
//! | `race` | happens-before |
//! | [`schedule`] | the interleaving |
//! | [`report`] | faults and counts |

mod driver;
mod exec;
mod machine;
mod memory;
mod parse;
mod ptx;
mod race;
pub mod report;
pub mod schedule;

pub use driver::Simulator;
pub use parse::ParseError;
pub use ptx::Ptx;

use crate::device::launcher;
use crate::device::nvrtc::{NvrtcError, Target, nvrtc};
use crate::device::{Device, Launch, Module, Output};
use compiler::emit::{Unit, emit};
use compiler::plan::Plan;
use q::{Error, Result};
use report::Launched;
use rustc_hash::FxHashMap;
use schedule::Schedule;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The architecture whose PTX is run.
const ARCH: u32 = 90;

/// The engine.
#[derive(Debug, Default)]
pub struct Sim {
    schedule: Schedule,
    launched: Mutex<Vec<Launched>>,
}

/// A plan made ready.
struct Loaded {
    unit: Unit,
    ptx: Arc<Ptx>,
}

impl Sim {
    /// An engine with a schedule of its own.
    pub fn new(schedule: Schedule) -> Sim {
        Sim { schedule, launched: Mutex::default() }
    }

    /// The launches of the last run, with their counts.
    pub fn launched(&self) -> Vec<Launched> {
        self.launched.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Device for Sim {
    fn name(&self) -> &'static str {
        "sim"
    }

    fn load(&self, plan: &Plan) -> Result<Module> {
        let unit = emit(plan);
        let ptx = if unit.entries.is_empty() { Arc::default() } else { compile(&unit.text())? };
        Ok(Box::new(Loaded { unit, ptx }))
    }

    fn run(&self, plan: &Plan, module: &Module, launch: &Launch) -> Result<Vec<Output>> {
        let Some(loaded) = module.downcast_ref::<Loaded>() else {
            return Err(Error::new("internal").detail("the module is of another engine"));
        };
        let mut simulator = Simulator::new(loaded.ptx.clone(), self.schedule);
        let out = launcher::run(&mut simulator, plan, &loaded.unit, launch);
        let out = match (out, simulator.leaks()) {
            (Ok(_), leaks) if !leaks.is_empty() => {
                Err(Error::new("sim").detail(format!("memory is not given back: {}", leaks.join(", "))))
            }
            (out, _) => out,
        };
        *self.launched.lock().unwrap_or_else(PoisonError::into_inner) = simulator.into_launched();
        out.map_err(|e| shown(e, &loaded.unit.text()))
    }
}

/// A unit as the simulator runs it; each text is compiled once in a process.
///
/// # Errors
/// NVRTC's, or the instruction that is not known.
pub fn compile(text: &str) -> Result<Arc<Ptx>> {
    type Known = Mutex<FxHashMap<String, Arc<Ptx>>>;
    static KNOWN: OnceLock<Known> = OnceLock::new();
    let known = || KNOWN.get_or_init(Known::default).lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(ptx) = known().get(text) {
        return Ok(ptx.clone());
    }
    let failed = |e: NvrtcError| Error::new("nvrtc").detail(e.to_string());
    let compiled =
        nvrtc().and_then(|n| n.compile("plan.cu", text, Target::LinedPtx(ARCH))).map_err(failed)?;
    let image = String::from_utf8_lossy(&compiled.image);
    let ptx = parse::parse(&image).map_err(|e| Error::new("sim").detail(e.to_string()))?;
    let ptx = Arc::new(ptx);
    known().insert(text.to_string(), ptx.clone());
    Ok(ptx)
}

/// A fault with the line of the text that it names.
fn shown(e: Error, text: &str) -> Error {
    let line = e.detail.as_deref().and_then(|d| {
        let (_, rest) = d.split_once(" at line ")?;
        let number: usize = rest.split(' ').next()?.parse().ok()?;
        text.lines().nth(number.checked_sub(1)?)
    });
    match (line, &e.detail) {
        (Some(line), Some(detail)) => {
            let detail = format!("{detail}\n    {}", line.trim());
            e.detail(detail)
        }
        _ => e,
    }
}
