//! Plans and columns in, results out: everything that touches the machine.

pub mod column;
pub mod device;
