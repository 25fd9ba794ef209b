//! Plans and columns in, results out: everything that touches the machine.

pub mod cache;
pub mod cli;
pub mod column;
pub mod device;
pub mod engine;
pub mod error;
pub mod exec;
pub mod gpu;
pub mod launch;
pub mod session;
pub mod transfer;
