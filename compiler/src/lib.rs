//! Parse tree and schema in, plan of fused kernels out. Pure: no I/O, no clock, no device.
//!
//! A [`Query`] (the normal form of `?[t;c;b;a]` and `![t;c;b;a]`) is lowered to a typed [`ir::Graph`], rewritten
//! by the passes, cut into kernels by [`plan`], and printed as CUDA C++ by [`emit`].

pub mod error;
pub mod ir;
pub mod plan;
pub mod query;
pub mod schema;

pub use error::{Code, Error, Result};
pub use query::Query;
pub use schema::Schema;
