//! A plan: a graph cut into kernels. Engines run it as it stands; the emitter prints it as CUDA C++.
//!
//! A kernel is one loop over the rows of a *base* dim (`rows`, `given`, `groups`, or `one` for a single turn).
//! Nodes over `kept` dims of that base are computed in the same loop: [`Op::Keep`] is then
//! the identity, and such a node means something only on the rows that pass. So a filter costs no memory, and
//! an elementwise node that two kernels need is computed twice rather than stored.

use crate::error::{Code, Error, Result};
use crate::ir::{Dim, DimDef, Graph, Node, Op, Param};
use cranelift_entity::{PrimaryMap, entity_impl};
use q::path::Path;
use std::collections::BTreeSet;

pub mod cost;
mod fuse;
mod lacking;
mod least;
mod order;
mod room;
#[cfg(test)]
mod tests;
mod text;
mod verify;
mod way;

pub use lacking::has_map;
pub use room::{accumulator, accumulators};
pub use verify::verify;
pub use way::Way;

/// A kernel of a plan, in launch order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kernel(u32);
entity_impl!(Kernel, "k");

/// The shape of a kernel's loop; each is a file in `templates/` and a file in the CPU engine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Skeleton {
    /// Atoms from all rows that pass the masks.
    Reduce,
    /// Keys and aggregates of the rows that pass the masks, keys ascending.
    Group,
    /// The rows that pass the masks, in order.
    Compact,
    /// One result a row.
    Map,
    /// Functions of lists that keep their count, on the rows that pass the masks or within each of the groups.
    Scan,
    /// Whether each item is one of a set's in its list; otherwise as Scan.
    Member,
    /// The rows that pass the masks, group after group.
    List,
    /// The median of each list.
    Select,
}

impl Skeleton {
    /// Does it make functions of lists that keep their count, from vectors in memory: Scan and Member?
    pub fn keeps_count(self) -> bool {
        matches!(self, Skeleton::Scan | Skeleton::Member)
    }
}

/// One kernel: a loop over the rows of `over`, its per-row body and what it writes.
///
/// Every list of nodes is in the order of ids, which is an order of evaluation.
#[derive(Clone, Debug)]
pub struct KernelDef {
    /// The loop.
    pub skeleton: Skeleton,
    /// The base dim it runs over.
    pub over: Dim,
    /// The dim of the results: `kept` for Compact, `groups` for Group, `one` for Reduce, `over` for Map, Scan and
    /// Member, `lists` for List; for Select `groups` or `one`.
    pub into: Dim,
    /// The rows that count, first filter first: `bool[over]`, then `bool` over the rows that passed the masks
    /// before. Empty: all rows. Each is a member of `loads` or `body`.
    pub masks: Vec<Node>,
    /// Vectors over `over` that are read from memory: columns, list parameters, and results of earlier kernels.
    pub loads: Vec<Node>,
    /// Values over `groups` dims that `Spread` nodes in `body` read by a row's group number.
    pub gathers: Vec<Node>,
    /// List parameters that `Member` and `Lookup` nodes look into.
    pub tables: Vec<Node>,
    /// Atoms that are read: parameters, nulls and results of earlier kernels.
    pub atoms: Vec<Node>,
    /// Elementwise atoms, computed from `atoms` before the loop.
    pub head: Vec<Node>,
    /// Nodes over `over` or a `kept` dim of it that are computed for a row, `Row`, `Keep` and `Place` included.
    pub body: Vec<Node>,
    /// Group only: the key nodes, major first; members of `loads` or `body`.
    pub keys: Vec<Node>,
    /// Group only: for each key that is a symbol or enum, the parameter with its domain's ranks: keys ascend
    /// by rank.
    pub ranks: Vec<Option<Param>>,
    /// Reduce and Group: the `Agg` nodes, and for Group the `Key` nodes; Scan and Member: the `Scan` nodes, of one
    /// dim's lists; Select: the medians. Their arguments are loaded, not computed in the loop.
    pub results: Vec<Node>,
    /// Group only: values over `into` that earlier kernels wrote and `tail` reads.
    pub joins: Vec<Node>,
    /// Reduce and Group: elementwise nodes over `into` that are computed from `results`, `joins` and atoms.
    pub tail: Vec<Node>,
    /// What is written to memory, over `into`: members of `loads` and `body` (Map, Compact), or of `results`
    /// and `tail` (Reduce, Group).
    pub writes: Vec<Node>,
    /// The groups whose numbers, an earlier kernel's, say which list a row is in: List, Scan and Member of groups.
    pub lists: Option<Dim>,
    /// Group only: also write each row's group number (`int[over]`, -1 for a row that does not pass), for a
    /// later `Spread`.
    pub group_ids: bool,
    /// Group only: an earlier kernel has written the rows' group numbers.
    pub numbered: bool,
    /// Why its nodes are not part of an earlier kernel; for people.
    pub reason: String,
}

/// A compiled query.
///
/// An output is a column of the table as it is (`Col`, shared and not copied), a parameter or null, or written
/// by exactly one kernel.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The graph after the passes; outputs and shape are its.
    pub graph: Graph,
    /// The kernels in launch order.
    pub kernels: PrimaryMap<Kernel, KernelDef>,
    /// How many literals the query lifts: the launch passes them in this order.
    pub literals: usize,
}

/// Cuts a graph that has been through the passes into kernels.
///
/// # Errors
/// `NotYet` for an operation that no skeleton has, `Internal` when the graph breaks the IR's rules.
pub fn build(graph: Graph, literals: usize) -> Result<Plan> {
    let seeds = fuse::seeds(&graph)?;
    let plan = order::fill(graph, &seeds, literals);
    match verify(&plan).as_slice() {
        [] => Ok(plan),
        errors => Err(Error::new(Code::Internal, &Path::default(), errors.join("\n"))),
    }
}

/// Threads of a block.
pub const BLOCK: usize = 256;

impl KernelDef {
    /// The masks that say which rows count, besides those that the rows' group numbers tell of.
    pub fn own_masks(&self, graph: &Graph) -> &[Node] {
        let known = self.lists.map_or(Vec::new(), |groups| graph.masks(graph.rows_of(groups)));
        self.masks.strip_prefix(&known[..]).unwrap_or(&self.masks)
    }

    /// What the loop computes of a row for the kernel's results: without what the rows' group numbers tell.
    pub fn roots(&self, graph: &Graph) -> Vec<Node> {
        let tests = if self.numbered { Vec::new() } else { [&self.masks[..], &self.keys].concat() };
        let args = self.results.iter().flat_map(|&n| graph.added(n)).copied();
        tests.into_iter().chain(args).chain(self.writes.iter().copied()).collect()
    }

    /// The one filter of rows that the numbers of some groups, which the kernel reads anyway, tell of; and the groups.
    pub fn told_mask(&self, graph: &Graph) -> Option<(Node, Dim)> {
        let dims = self.gathers.iter().map(|&n| graph.nodes[n].ty.dim);
        let told = dims.filter_map(|dim| match graph.masks(graph.rows_of(dim))[..] {
            [mask] => Some((mask, dim)),
            _ => None,
        });
        told.min()
    }

    /// The vectors over `over` from memory that the nodes `roots`, loaded or computed in the loop, are made of.
    pub fn loads_for(&self, graph: &Graph, roots: &[Node]) -> Vec<Node> {
        let mut needed: BTreeSet<Node> = roots.iter().copied().collect();
        let told = self.told_mask(graph).map(|t| t.0);
        for node in self.body.iter().rev() {
            if needed.contains(node) && told != Some(*node) {
                needed.extend(&graph.nodes[*node].args);
                needed.extend(graph.place_mask(*node));
            }
        }
        self.loads.iter().copied().filter(|n| needed.contains(n)).collect()
    }
}

/// How many values a key can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Card {
    /// So many.
    Of(usize),
    /// As many as the domain has whose ranks the parameter holds, and one for codes that it lacks.
    Domain(Param),
}

/// How many values each key of a Group can have; none where one can have more than is worth a place each.
pub fn cards(graph: &Graph, def: &KernelDef) -> Option<Vec<Card>> {
    let card = |(&key, ranks): (&Node, &Option<Param>)| match (ranks, graph.ty(key).kind) {
        (Some(p), _) => Some(Card::Domain(*p)),
        (None, q::Kind::Bool) => Some(Card::Of(2)),
        (None, kind) if kind.store() == q::Store::B => Some(Card::Of(256)),
        _ => None,
    };
    def.keys.iter().zip(&def.ranks).map(card).collect()
}

impl Graph {
    /// The dim whose rows a loop over `dim` visits: `dim` without its filters.
    pub fn base(&self, dim: Dim) -> Dim {
        match &self.dims[dim] {
            DimDef::Kept { of, .. } => self.base(*of),
            _ => dim,
        }
    }

    /// The masks between `base(dim)` and `dim`, first filter first.
    pub fn masks(&self, dim: Dim) -> Vec<Node> {
        match &self.dims[dim] {
            DimDef::Kept { of, mask } => {
                let mut masks = self.masks(*of);
                masks.push(*mask);
                masks
            }
            _ => Vec::new(),
        }
    }

    /// The mask that a `Place` chooses by.
    pub fn place_mask(&self, node: Node) -> Option<Node> {
        let def = &self.nodes[node];
        let new = def.args.first().filter(|_| def.op == Op::Place)?;
        match self.dims[self.nodes[*new].ty.dim] {
            DimDef::Kept { mask, .. } => Some(mask),
            _ => None,
        }
    }

    /// Is the node a value that no kernel makes: a parameter, a null, or a column as it is?
    pub fn is_given(&self, node: Node) -> bool {
        matches!(self.nodes[node].op, Op::Col(_) | Op::Param(_) | Op::Null)
    }
}

impl Plan {
    /// The kernel that writes `node`.
    pub fn writer(&self, node: Node) -> Option<Kernel> {
        self.kernels.iter().find(|(_, k)| k.writes.contains(&node)).map(|(id, _)| id)
    }

    /// The kernel that writes the group numbers of the rows for the `groups` dim `dim`.
    pub fn group_ids(&self, dim: Dim) -> Option<Kernel> {
        self.kernels.iter().find(|(_, k)| k.group_ids && k.into == dim).map(|(id, _)| id)
    }
}
