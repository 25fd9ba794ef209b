//! The passes in their order. Each is a function from graph to graph: rules in one direction, quoted in q.

use crate::ir::Graph;

/// A pass: its name, for blame, and its function.
pub type Pass = (&'static str, fn(&Graph) -> Graph);

/// All passes, in the order in which they run.
pub const PASSES: &[Pass] = &[];

/// Runs every pass.
pub fn run(graph: Graph) -> Graph {
    PASSES.iter().fold(graph, |graph, (_, pass)| pass(&graph))
}
