//! Parse tree and schema in, plan of fused kernels out. Pure: no I/O, no clock, no device.
//!
//! A [`Query`] (the normal form of `?[t;c;b;a]` and `![t;c;b;a]`) is lowered to a typed [`ir::Graph`], rewritten
//! by the [`passes`], cut into kernels by [`plan`], and printed as CUDA C++ by [`emit`].

pub mod error;
pub mod ir;
pub mod key;
pub mod lower;
pub mod passes;
pub mod plan;
pub mod query;
pub mod schema;

pub use error::{Code, Error, Result};
pub use query::Query;
pub use schema::Schema;

use key::Literals;

/// The graph of a query after the passes. `literals` are what [`key::lift`] took out of it.
///
/// # Errors
/// q's own signals where q refuses, `NotYet` where there is no plan; each with its place in the tree.
pub fn graph(query: &Query, schema: &Schema, literals: &Literals) -> Result<ir::Graph> {
    let graph = passes::run(lower::lower(query, schema, literals)?);
    match ir::verify::verify(&graph).first() {
        None => Ok(graph),
        Some(broken) => Err(Error::new(Code::Internal, &q::path::Path::default(), broken)),
    }
}

/// The plan of a query over a table of `schema`.
///
/// # Errors
/// As [`graph`].
pub fn compile(query: &Query, schema: &Schema) -> Result<plan::Plan> {
    let literals = key::literals(query);
    plan::build(graph(query, schema, &literals)?, literals.0.len())
}
