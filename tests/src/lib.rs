//! Generators and harnesses that the tests and the fuzz targets share.

pub mod gen_graph;
pub mod transcript;
