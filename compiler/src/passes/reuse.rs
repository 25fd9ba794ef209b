//! What a where clause computed for all rows is not computed again for the rows that passed.

use super::rebuild;
use crate::ir::{Build, Dim, DimDef, Graph, Node, NodeDef, Op, Ty};

/// In `select p*s from t where 5<p*s` the product is over all rows in the clause and over the kept rows in the
/// result: `f[keep x;keep y]` → `keep f[x;y]`, but only if `f[x;y]` is there already. Otherwise a function of
/// few rows would become one of all. An elementwise function sees one row at a time, so nulls are as they were.
pub fn reuse(graph: &Graph) -> Graph {
    rebuild(graph, |b, def| outside(b, &def).unwrap_or_else(|| b.add(def.op, &def.args, def.ty)))
}

/// The node that does the same over the dim that was filtered, kept.
fn outside(b: &mut Build, def: &NodeDef) -> Option<Node> {
    if !matches!(def.op, Op::Map(_) | Op::Cast | Op::Cond | Op::Member | Op::Lookup | Op::Bin | Op::Binr) {
        return None;
    }
    let DimDef::Kept { of, .. } = b.graph.dims[def.ty.dim] else { return None };
    let outer = |n: Node| match (b.graph.nodes[n].op, b.graph.ty(n).dim) {
        (Op::Keep, _) => Some(b.graph.nodes[n].args[0]),
        (_, Dim::ONE) => Some(n),
        (Op::Param(_), _) => Some(n),
        _ => None,
    };
    let args: Vec<Node> = def.args.iter().map(|&n| outer(n)).collect::<Option<_>>()?;
    let outside = b.find(&NodeDef { op: def.op, args, ty: Ty { dim: of, ..def.ty } })?;
    Some(b.keep(outside, def.ty.dim))
}
