//! `not` of a comparison is the opposite comparison.

use super::rebuild;
use crate::ir::{Graph, Node, Op};
use q::Prim;

/// `not x=y` → `x<>y`, `not x<y` → `x>=y` and so on; `not not b` → `b` for a boolean. q defines `>=` as
/// `not <`, and nulls and NaN have their place in the order, so each comparison has its opposite.
pub fn negate(graph: &Graph) -> Graph {
    rebuild(graph, |b, def| {
        if def.op == Op::Map(Prim::Not) {
            let x: Node = def.args[0];
            let inner = b.graph.nodes[x].clone();
            if let Op::Map(p) = inner.op
                && let Some(opposite) = opposite(p)
            {
                return b.add(Op::Map(opposite), &inner.args, def.ty);
            }
            if inner.op == Op::Map(Prim::Not) && b.graph.ty(inner.args[0]).kind == q::Kind::Bool {
                return inner.args[0];
            }
        }
        b.add(def.op, &def.args, def.ty)
    })
}

fn opposite(p: Prim) -> Option<Prim> {
    use Prim::*;
    match p {
        Eq => Some(Ne),
        Ne => Some(Eq),
        Lt => Some(Ge),
        Ge => Some(Lt),
        Gt => Some(Le),
        Le => Some(Gt),
        _ => None,
    }
}
