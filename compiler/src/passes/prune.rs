//! Leaves out what no output needs.

use super::rebuild;
use crate::ir::Graph;

/// The rules of other passes leave the nodes that they replaced; a rebuilt graph holds live ones only. No node
/// has an effect, so none is missed.
pub fn prune(graph: &Graph) -> Graph {
    rebuild(graph, |b, def| b.add(def.op, &def.args, def.ty))
}
