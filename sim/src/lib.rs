//! A GPU in software: it runs the PTX that NVRTC makes of the emitted CUDA text, lane by lane, and tells every
//! defect that a GPU would keep to itself.
//!
//! A run checks bounds and alignment, reads of memory that nobody wrote, data races in shared and global memory,
//! barriers and shuffles that lanes do not reach together, waiting and running without an end, and memory that is
//! not given back; and it counts what a launch costs. The interleaving of warps and blocks comes from a seed.
//! It takes the PTX's word for what ptxas makes of it, and keeps no time.
//!
//! | file | holds |
//! |---|---|
//! | `ptx`, [`parse`] | kernels as lists of instructions, and PTX text to them |
//! | `machine`, `memory` | warps and blocks; regions of bytes that know what was written |
//! | `exec` | what instructions do, a file a family |
//! | `race` | happens-before: what each lane knows of the others |
//! | `shadow` | who accessed which bytes last, and what races with that |
//! | `strong` | which values volatile, relaxed and acquiring reads may see |
//! | [`schedule`] | the interleaving |
//! | [`report`] | faults and counters |
//! | `simulator` | the device that a host sees |

mod exec;
mod machine;
mod memory;
mod parse;
mod ptx;
mod race;
mod random;
pub mod report;
pub mod schedule;
mod shadow;
mod simulator;
mod strong;
mod wait;

pub use parse::{ParseError, parse};
pub use ptx::Ptx;
pub use report::{Class, Counters, Launched, Traffic};
pub use schedule::Schedule;
pub use simulator::{Simulator, Word};
