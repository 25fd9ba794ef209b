//! What legal graphs may ask that no kernel can do yet. Engines and the emitter rely on it: a plan holds no such
//! node.

use crate::ir::{Dim, DimDef, Graph, Node, Op};
use q::scalar::{Each1, Each2, Item, with1, with2};
use q::{Kind, Prim};

/// Why no kernel can compute the node; none if one can.
pub fn lacking(graph: &Graph, node: Node) -> Option<String> {
    let def = &graph.nodes[node];
    if is_regrouped(graph, def.ty.dim) {
        return Some("groups of groups have no kernel yet".into());
    }
    let kind = def.args.first().map_or(def.ty.kind, |&a| graph.nodes[a].ty.kind);
    let has = match def.op {
        Op::Map(p) => has_map(p, kind, def.args.len()),
        _ => true,
    };
    if matches!(def.op, Op::Argument(_)) {
        return Some("an argument of no step has no value".into());
    }
    let what = match def.op {
        Op::Map(p) | Op::Agg(p) => p.row().text,
        _ => "in",
    };
    (!has).then(|| format!("{what} of {} has no kernel yet", kind.name()))
}

/// Are they groups whose rows are themselves groups, filtered or not?
fn is_regrouped(graph: &Graph, dim: Dim) -> bool {
    match &graph.dims[dim] {
        DimDef::Groups { of, .. } => matches!(graph.dims[graph.base(*of)], DimDef::Groups { .. }),
        DimDef::Kept { of, .. } => is_regrouped(graph, *of),
        _ => false,
    }
}

/// Has the primitive a function over items of `kind`? Symbols are codes there, which only compare as equal.
pub fn has_map(p: Prim, kind: Kind, args: usize) -> bool {
    if kind == Kind::Sym && !matches!(p, Prim::Null | Prim::Eq | Prim::Ne | Prim::In | Prim::Fill) {
        return false;
    }
    match args {
        1 => with1(p, kind, Any).is_some(),
        2 => with2(p, kind, Any).is_some(),
        _ => p == Prim::Within,
    }
}

/// Asks only whether there is a function.
struct Any;

impl Each1 for Any {
    type Out = ();
    fn run<A: Item, R: Item>(self, _: impl Fn(A) -> R + Copy + Send + Sync + 'static) {}
}

impl Each2 for Any {
    type Out = ();
    fn run<A: Item, R: Item>(self, _: impl Fn(A, A) -> R + Copy + Send + Sync + 'static) {}
}
