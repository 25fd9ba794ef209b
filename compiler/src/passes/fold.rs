//! Casts of atoms that are known before the launch are done on the host.

use super::rebuild;
use crate::ir::{Dim, Graph, Op, Source, Ty};
use q::Kind;

/// `"f"$151` is the parameter 151f, `"f"$0N` is 0n, and `"j"$"j"$x` is `"j"$x`: a cast to the kind that is
/// there already. Typed nulls cast to typed nulls, so nulls are as they were.
pub fn fold(graph: &Graph) -> Graph {
    rebuild(graph, |b, def| {
        let Ty { kind, dim, domain } = def.ty;
        if let (Op::Cast, &[x]) = (def.op, &def.args[..]) {
            match b.graph.nodes[x].op {
                Op::Null if has_null(kind) && has_null(b.graph.ty(x).kind) => return b.null(kind, domain),
                Op::Param(p) if dim == Dim::ONE => {
                    let p = b.param(kind, Source::Cast(p, kind));
                    return b.atom(p);
                }
                _ if b.graph.ty(x).kind == kind => return x,
                _ => {}
            }
        }
        b.add(def.op, &def.args, def.ty)
    })
}

/// True for kinds whose null is a value of its own: a cast keeps it.
fn has_null(kind: Kind) -> bool {
    !matches!(kind, Kind::Bool | Kind::Byte | Kind::Char)
}
