//! Plans and columns in, results out: everything that touches the machine.
//!
//! A [`session::Session`] is an engine with its plan cache; [`gpu::register`] gives an interpreter the `.gpu`
//! namespace, whose objects send their queries there.
//!
//! ```
//! use q::{Interp, show};
//! use runtime::{engine::Engine, gpu, session::Session};
//!
//! let session = Session::new(Engine::Cpu);
//! let mut q = Interp::new();
//! gpu::register(&mut q, &session);
//! q.eval_text(b"T:.gpu.to ([]sym:`a`b`a;price:1 2 3f;size:10 20 30)")?;
//! let vwap = q.eval_text(b"select vwap:size wavg price by sym from T")?;
//! assert_eq!(show::console(&vwap, &q.settings), "sym| vwap\n---| ----\na  | 2.5 \nb  | 2   \n");
//! # Ok::<(), q::Error>(())
//! ```

pub mod cache;
pub mod cli;
mod closed;
pub mod column;
pub mod device;
pub mod engine;
pub mod error;
pub mod exec;
pub mod gpu;
mod held;
mod items;
pub mod launch;
mod narrow;
pub mod parquet;
pub mod predict;
pub mod prepare;
pub mod session;
pub mod transfer;
mod zones;
