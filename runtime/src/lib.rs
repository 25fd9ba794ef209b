//! Plans and columns in, results out: everything that touches the machine.

pub mod cache;
pub mod column;
pub mod device;
pub mod engine;
pub mod error;
pub mod launch;
pub mod transfer;
