//! Parse tree and schema in, plan of fused kernels out. Pure: no I/O, no clock, no device.
//!
//! A [`Query`] (the normal form of `?[t;c;b;a]` and `![t;c;b;a]`) is lowered to a typed [`ir::Graph`], rewritten
//! by the [`passes`], cut into kernels by [`plan`], and printed as CUDA C++ by [`emit`].
//!
//! ```
//! use compiler::schema::{Column, ColumnType, Schema};
//! use q::{Kind, Sym};
//! use std::sync::Arc;
//!
//! let flat = |name: &str, kind: Kind| Column {
//!     name: Sym::new(name),
//!     ty: ColumnType::Flat { kind, width: kind.width() as u8, domain: None },
//!     attr: Default::default(),
//! };
//! let columns = vec![flat("price", Kind::Float), flat("size", Kind::Float)];
//! let schema = Schema { columns, ..Schema::default() };
//! let text = "select total:sum price*size from trade where price>50";
//! let source = Arc::new(q::error::Source { text: text.as_bytes().into(), file: None, line: 1 });
//! let (tree, _) = q::parse::expression(&source, Sym::NULL)?;
//! let query = compiler::Query::from_tree(&tree)?;
//!
//! let plan = compiler::compile(&query, &schema)?;
//! assert_eq!(plan.kernels.len(), 1, "one pass over the two columns");
//! assert_eq!(
//!     plan.graph.to_string(),
//!     "\
//! c0 = price at 0: float
//! c1 = size at 1: float
//! p0 = literal 0: long
//! p1 = cast p0, float: float
//! d1 = rows
//! n0: float[d1] = col c0  ; 2 0 0 1
//! n1: float = param p1  ; 2 0 0
//! n2: boolean[d1] = gt n0, n1  ; 2 0 0
//! d2 = kept d1, n2
//! n3: float[d2] = keep n0  ; 4 0 1 1
//! n4: float[d1] = col c1  ; 4 0 1 2
//! n5: float[d2] = keep n4  ; 4 0 1 2
//! n6: float[d2] = mul n3, n5  ; 4 0 1
//! n7: float = sum n6  ; 4 0
//! out table total = n7
//! "
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod emit;
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
