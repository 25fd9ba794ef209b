//! The `.gpu` namespace over q values: what moves data, what tells about it, what cuts it, and queries.

pub mod devices;
pub mod facts;
pub mod moves;
pub mod object;
mod order;
pub mod query;
pub mod slices;
pub mod verbs;

pub use object::{Body, Object, Place, Table};
pub use verbs::register;
