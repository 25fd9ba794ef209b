//! Recurrences: each result of a list from the one before it, by a function of the query's. The function is a graph of
//! its own, whose arguments and values are atoms: [`super::Graph::steps`].

use super::{Build, Dim, Graph, Node, NodeDef, Op, Output, Shape, Ty};
use crate::error::Result;
use q::{Kind, Sym};
use rustc_hash::FxHashMap;

/// The rule that a recurrence breaks, given its arguments' types.
pub(super) fn check(graph: &Graph, step: u32, lists: Dim, args: &[Ty], ty: Ty) -> Result<(), &'static str> {
    let holds = |holds: bool, rule| if holds { Ok(()) } else { Err(rule) };
    let base = graph.base(graph.rows_of(lists));
    holds(base != Dim::ONE && ty.dim == base, "a recurrence is over the rows that its lists are kept from")?;
    let placed = args.iter().all(|x| x.dim == base || x.dim == Dim::ONE);
    holds(placed, "its arguments are atoms or over the same rows")?;
    holds(
        args.first().is_some_and(|x| x.dim == base && x.kind == ty.kind),
        "its first results are of its type",
    )?;
    let Some(step) = graph.steps.get(step as usize) else { return Err("no such step") };
    let [out] = &step.outputs[..] else { return Err("a step has one output") };
    holds(super::verify::verify(step).is_empty(), "its step is no sound graph")?;
    holds(step.ty(out.node).kind == ty.kind, "its step makes another type")?;
    let fits = step.nodes.values().all(|def| match def.op {
        Op::Argument(i) => args.get(i as usize).is_some_and(|x| x.kind == def.ty.kind),
        Op::Null | Op::Cast | Op::Cond => def.ty.dim == Dim::ONE,
        Op::Map(_) => def.ty.dim == Dim::ONE && def.args.len() < 3,
        _ => false,
    });
    holds(fits, "its step is of atoms, and its arguments of their types")
}

impl Build {
    /// Argument `i` of a step that is being made, an atom.
    pub fn argument(&mut self, i: u32, kind: Kind) -> Node {
        self.add(Op::Argument(i), &[], Ty { kind, dim: Dim::ONE, domain: None })
    }

    /// The recurrence within `lists` whose first results are `first`; `next`, an atom, is made of the arguments 0, the
    /// result before, and from 1 on `items`, over the rows of the lists.
    pub fn steps(&mut self, lists: Dim, first: Node, items: &[Node], next: Node) -> Result<Node> {
        let mut cut = Cut { from: self, step: Build::default(), made: FxHashMap::default(), more: vec![] };
        cut.more = [&[first], items].concat();
        let out = cut.node(next)?;
        let Cut { step: Build { graph: mut step, .. }, more: args, .. } = cut;
        step.outputs.push(Output::of(Sym::NULL, out));
        step.shape = Some(Shape::Single);
        let at = self.graph.steps.iter().position(|had| *had == step).unwrap_or_else(|| {
            self.graph.steps.push(step);
            self.graph.steps.len() - 1
        });
        let rows = self.graph.rows_of(lists);
        let mut over = vec![];
        for x in args {
            let x = if self.graph.ty(x).dim == Dim::ONE && x != first { x } else { self.over(x, rows)? };
            over.push(self.unkept(x)?);
        }
        let ty = Ty { kind: self.graph.ty(first).kind, dim: self.graph.base(rows), domain: None };
        let n = self.add(Op::Steps(at as u32, lists), &over, ty);
        self.over(n, rows)
    }
}

/// The nodes of a step on their way into its graph.
struct Cut<'a> {
    from: &'a Build,
    step: Build,
    made: FxHashMap<Node, Node>,
    /// The arguments; after those that the caller has, the atoms that the step reads.
    more: Vec<Node>,
}

impl Cut<'_> {
    fn node(&mut self, n: Node) -> Result<Node> {
        if let Some(&made) = self.made.get(&n) {
            return Ok(made);
        }
        let NodeDef { op, args, ty } = self.from.graph.nodes[n].clone();
        if ty.dim != Dim::ONE || matches!(ty.kind, Kind::Sym | Kind::Enum | Kind::Guid) || args.len() > 3 {
            return self.from.not_yet("a recurrence but of numbers and times, one after another");
        }
        let made = match op {
            Op::Null => self.step.null(ty.kind, None),
            Op::Argument(i) => self.step.argument(i, ty.kind),
            Op::Map(_) | Op::Cast | Op::Cond => {
                let args = args.into_iter().map(|a| self.node(a)).collect::<Result<Vec<_>>>()?;
                self.step.add(op, &args, ty)
            }
            Op::Param(_) | Op::Agg(_) => {
                self.more.push(n);
                self.step.argument(self.more.len() as u32 - 1, ty.kind)
            }
            _ => return self.from.not_yet("a recurrence by a function that sees more than its arguments"),
        };
        self.made.insert(n, made);
        Ok(made)
    }
}
