//! A plan: a graph cut into kernels. Engines run it as it stands; the emitter prints it as CUDA C++.

use crate::ir::{Dim, Graph, Node};
use cranelift_entity::{PrimaryMap, entity_impl};

/// A kernel of a plan, in launch order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kernel(u32);
entity_impl!(Kernel, "k");

/// The shape of a kernel's loop; each is a file in `templates/` and a file in the CPU engine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Skeleton {
    /// One result a row.
    Map,
    /// Atoms from all rows that pass the mask.
    Reduce,
    /// The rows that pass the mask, in order.
    Compact,
    /// Keys and aggregates of the rows that pass the mask, keys ascending.
    Group,
}

/// One kernel: a loop over the rows of `over`, its per-row body and what it writes.
///
/// Every node that a kernel mentions is either made by it (in `body`, `results` or `tail`), loaded (a `Col`,
/// or a node written by an earlier kernel, listed in `loads`), or an atom (a parameter, a null, or an atom
/// written by an earlier kernel).
#[derive(Clone, Debug)]
pub struct KernelDef {
    /// The loop.
    pub skeleton: Skeleton,
    /// The dim it runs over: `rows`, or the dim of an earlier kernel's results.
    pub over: Dim,
    /// `bool[over]`: the rows that count; none means all.
    pub mask: Option<Node>,
    /// The dim of the results: `kept` for Compact, `groups` for Group, `one` for Reduce, `over` for Map.
    pub into: Dim,
    /// Vectors over `over` that are read from memory: columns, and results of earlier kernels.
    pub loads: Vec<Node>,
    /// Atoms that are read: parameters, nulls and results of earlier kernels.
    pub atoms: Vec<Node>,
    /// Elementwise nodes over `over`, in order of evaluation.
    pub body: Vec<Node>,
    /// Group only: the key nodes over `over`, major first.
    pub keys: Vec<Node>,
    /// Map and Compact: the nodes over `into` that rows give (for Compact the `Keep` nodes); Reduce and Group:
    /// the `Agg` nodes, and for Group the `Key` nodes.
    pub results: Vec<Node>,
    /// Elementwise nodes over `into` that are computed from `results` before they are written.
    pub tail: Vec<Node>,
    /// What is written to memory: members of `results` and `tail`.
    pub writes: Vec<Node>,
    /// Group only: also write each row's group number (`int[over]`), for a later `Spread`.
    pub group_ids: bool,
    /// Why its nodes were not fused with another kernel's; for people.
    pub reason: String,
}

/// A compiled query.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The graph after the passes; outputs and shape are its.
    pub graph: Graph,
    /// The kernels in launch order.
    pub kernels: PrimaryMap<Kernel, KernelDef>,
    /// How many literals the query lifts: the launch passes them in this order.
    pub literals: usize,
}
