//! Which nodes share a kernel.
//!
//! Only three things end a kernel: an aggregate, the keys of a grouping, and a result. Everything elementwise
//! is computed in the loop, or the tail, of the kernels that need it. So every node has a *level*, the number
//! of kernels that must have run one after another before it can be read; results of one level over one dim
//! share a kernel. Then aggregates and lists are held back to a later level of their own dim where that saves a
//! kernel.

use super::Skeleton;
use super::lacking::lacking;
use crate::error::{Error, Result};
use crate::ir::{Dim, DimDef, Graph, Node, Op};
use cranelift_entity::SecondaryMap;
use q::Prim;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The loop of an operation that needs the order of rows.
fn ordered(op: Op) -> Option<Skeleton> {
    match op {
        Op::Scan(Prim::In, _) => Some(Skeleton::Member),
        Op::Scan(..) | Op::Steps(..) => Some(Skeleton::Scan),
        Op::List => Some(Skeleton::List),
        Op::Agg(Prim::Med) => Some(Skeleton::Select),
        _ => None,
    }
}

/// Is it a kernel's result, not computed in a loop's body or tail?
pub fn is_made(op: Op) -> bool {
    matches!(op, Op::Agg(_) | Op::Key(_)) || ordered(op).is_some()
}

/// Must the argument be written to memory before a scan can read it?
fn is_staged(graph: &Graph, node: Node) -> bool {
    let def = &graph.nodes[node];
    def.ty.dim != Dim::ONE && !graph.is_given(node) && !is_made(def.op)
}

/// What makes two results share a kernel. The derived order is the launch order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Site {
    /// How many kernels must have run before, one after another.
    pub level: u32,
    /// The loop.
    pub skeleton: Skeleton,
    /// The dim of the rows that count.
    pub from: Dim,
    /// The dim of the results.
    pub into: Dim,
}

/// The dims that an aggregate or list reads and makes.
type Fold = (Dim, Dim);

/// The results of each kernel: aggregates and keys, and values that must be written.
pub type Seeds = BTreeMap<Site, BTreeSet<Node>>;

/// Chooses the kernels of a graph.
///
/// # Errors
/// `NotYet` for a node that no engine has a function for.
pub fn seeds(graph: &Graph) -> Result<Seeds> {
    let live = live(graph);
    for node in graph.nodes.keys().filter(|n| live[*n]) {
        if let Some(message) = lacking(graph, node) {
            let path = graph.places.get(&node).cloned().unwrap_or_default();
            return Err(Error::not_yet(&path, message));
        }
    }
    let mut floors = FxHashMap::default();
    let mut best = Levels::new(graph, &live, &floors).seeds();
    // Hold aggregates and lists back to the last level of their dims where that saves a kernel.
    let held = |s: &&Site| s.is_fold() || s.skeleton == Skeleton::List;
    let folds: BTreeSet<Fold> = best.keys().filter(held).map(|s| (s.from, s.into)).collect();
    for fold in folds {
        let level = best.keys().filter(held).filter(|s| (s.from, s.into) == fold).map(|s| s.level).max();
        floors.insert(fold, level.unwrap_or(0));
        let held = Levels::new(graph, &live, &floors).seeds();
        if held.len() < best.len() {
            best = held;
        } else {
            floors.remove(&fold);
        }
    }
    Ok(best)
}

impl Skeleton {
    /// Is the operation a result of this loop?
    pub fn makes(self, op: Op) -> bool {
        match self {
            Skeleton::Map | Skeleton::Compact => false,
            Skeleton::Reduce | Skeleton::Group => is_made(op) && ordered(op).is_none(),
            Skeleton::Scan | Skeleton::Member | Skeleton::List | Skeleton::Select => {
                ordered(op) == Some(self)
            }
        }
    }
}

impl Site {
    /// Does it make fewer values than it reads: Reduce and Group?
    fn is_fold(&self) -> bool {
        matches!(self.skeleton, Skeleton::Reduce | Skeleton::Group)
    }
}

/// The nodes that outputs need.
pub fn live(graph: &Graph) -> SecondaryMap<Node, bool> {
    let mut live = SecondaryMap::new();
    let mut todo: Vec<Node> = graph.outputs.iter().map(|o| o.node).collect();
    while let Some(node) = todo.pop() {
        if live[node] {
            continue;
        }
        live[node] = true;
        let def = &graph.nodes[node];
        todo.extend(&def.args);
        let dims = def.args.iter().map(|&a| graph.nodes[a].ty.dim).chain([def.ty.dim]).chain(def.op.lists());
        todo.extend(dims.flat_map(|d| needs(graph, d)));
    }
    live
}

/// The masks and keys that decide which rows a dim has.
fn needs(graph: &Graph, dim: Dim) -> Vec<Node> {
    match &graph.dims[dim] {
        DimDef::Kept { of, mask } => needs(graph, *of).into_iter().chain([*mask]).collect(),
        DimDef::Groups { of, keys } => needs(graph, *of).into_iter().chain(keys.iter().copied()).collect(),
        DimDef::Lists { groups, of } => needs(graph, *groups).into_iter().chain(needs(graph, *of)).collect(),
        DimDef::One | DimDef::Rows | DimDef::Given(_) => Vec::new(),
    }
}

/// When each node can be read.
struct Levels<'a> {
    graph: &'a Graph,
    live: &'a SecondaryMap<Node, bool>,
    /// The least level of aggregates and lists.
    floors: &'a FxHashMap<Fold, u32>,
    /// The level of the first kernels that can read the node.
    ready: SecondaryMap<Node, u32>,
    /// An elementwise node over groups that no tail can hold, since an atom it needs comes too late: a Map of
    /// its own computes it.
    mapped: SecondaryMap<Node, bool>,
}

impl<'a> Levels<'a> {
    fn new(graph: &'a Graph, live: &'a SecondaryMap<Node, bool>, floors: &'a FxHashMap<Fold, u32>) -> Self {
        let (ready, mapped) = (SecondaryMap::new(), SecondaryMap::new());
        let mut levels = Levels { graph, live, floors, ready, mapped };
        for (node, def) in graph.nodes.iter().filter(|(n, _)| live[*n]) {
            let args = def.args.iter().map(|&a| levels.ready[a]).max().unwrap_or(0);
            levels.ready[node] = match def.op {
                Op::Col(_) | Op::Param(_) | Op::Null | Op::Row => 0,
                Op::Agg(_) | Op::Key(_) | Op::Scan(..) | Op::Steps(..) | Op::List => {
                    levels.fold(node).level + 1
                }
                _ if levels.is_groups(def.ty.dim) => levels.after_groups(node),
                _ => args.max(levels.of_dim(def.ty.dim)),
            };
        }
        levels
    }

    fn is_groups(&self, dim: Dim) -> bool {
        matches!(self.graph.dims[dim], DimDef::Groups { .. })
    }

    /// The first level at which the rows of a dim are known.
    fn of_dim(&self, dim: Dim) -> u32 {
        if let DimDef::Lists { groups, of } = self.graph.dims[dim] {
            return self.of_dim(groups).max(self.of_dim(of));
        }
        let rows = needs(self.graph, dim).into_iter().map(|n| self.ready[n]).max().unwrap_or(0);
        rows + self.is_groups(dim) as u32
    }

    /// The kernel of an aggregate or key.
    fn fold(&self, node: Node) -> Site {
        let def = &self.graph.nodes[node];
        let into = def.ty.dim;
        if let Some(skeleton) = ordered(def.op) {
            return self.ordered(node, skeleton);
        }
        let from = match &self.graph.dims[into] {
            DimDef::Groups { of, .. } => *of,
            _ => self.graph.nodes[def.args[0]].ty.dim,
        };
        let rows = needs(self.graph, into).into_iter().chain(needs(self.graph, from));
        // A count asks how many rows there are, not what is in them.
        let values = def.args.iter().copied().filter(|_| def.op != Op::Agg(Prim::Count));
        let level = rows.chain(values).map(|n| self.ready[n]).max().unwrap_or(0);
        let level = level.max(self.of_dim(from)).max(self.floors.get(&(from, into)).copied().unwrap_or(0));
        let skeleton = if self.is_groups(into) { Skeleton::Group } else { Skeleton::Reduce };
        Site { level, skeleton, from, into }
    }

    /// The kernel of a node that needs the order of rows.
    fn ordered(&self, node: Node, skeleton: Skeleton) -> Site {
        let def = &self.graph.nodes[node];
        let into = def.ty.dim;
        let from = match (def.op, &self.graph.dims[into]) {
            (op, _) if let Some(lists) = op.lists() => lists,
            (Op::List, &DimDef::Lists { groups, .. }) => groups,
            _ => self.graph.nodes[def.args[0]].ty.dim,
        };
        // What is listed is computed in the loop; a scan reads its arguments from memory.
        let stored = |n: Node| skeleton.keeps_count() && is_staged(self.graph, n);
        let values = def.args.iter().map(|&a| self.ready[a] + stored(a) as u32);
        let rows = needs(self.graph, into).into_iter().chain(needs(self.graph, from)).map(|n| self.ready[n]);
        let level = values.chain(rows).max().unwrap_or(0).max(self.of_dim(from)).max(self.of_dim(into));
        let floor = self.floors.get(&(from, into)).filter(|_| skeleton == Skeleton::List);
        let level = level.max(floor.copied().unwrap_or(0));
        Site { level, skeleton, from, into }
    }

    /// When an elementwise node over groups can be read, deciding whether a tail can hold it.
    fn after_groups(&mut self, node: Node) -> u32 {
        let (mut groups, mut atoms, mut mapped) = (1, 0, false);
        for &arg in &self.graph.nodes[node].args {
            let ready = self.ready[arg];
            // Medians are no part of the groups' kernel either.
            if self.graph.nodes[arg].ty.dim == Dim::ONE || ordered(self.graph.nodes[arg].op).is_some() {
                atoms = atoms.max(ready);
            } else {
                // A mapped argument is computed again, in the Map of the node itself.
                groups = groups.max(ready - self.mapped[arg] as u32);
                mapped |= self.mapped[arg];
            }
        }
        self.mapped[node] = mapped || atoms >= groups;
        if self.mapped[node] { groups.max(atoms) + 1 } else { groups }
    }

    /// The kernel in which an elementwise node is written.
    fn home(&self, node: Node) -> Site {
        let (into, ready) = (self.graph.nodes[node].ty.dim, self.ready[node]);
        let map = |level| Site { level, skeleton: Skeleton::Map, from: into, into };
        match &self.graph.dims[into] {
            DimDef::Kept { .. } => Site { level: ready, skeleton: Skeleton::Compact, from: into, into },
            DimDef::Groups { .. } if self.mapped[node] => map(ready - 1),
            DimDef::Groups { of, .. } => {
                Site { level: ready - 1, skeleton: Skeleton::Group, from: *of, into }
            }
            DimDef::One => match self.last_fold(node) {
                Some(site) if site.is_fold() => site,
                Some(_) => map(ready),
                None => map(0),
            },
            DimDef::Lists { .. } | DimDef::Rows | DimDef::Given(_) => map(ready),
        }
    }

    /// Of the aggregates that an atom is computed from, the kernel of the last.
    fn last_fold(&self, node: Node) -> Option<Site> {
        let def = &self.graph.nodes[node];
        match def.op {
            Op::Agg(_) => Some(self.fold(node)),
            _ => def.args.iter().filter_map(|&a| self.last_fold(a)).max(),
        }
    }

    /// The kernels, each with what it must make.
    fn seeds(&self) -> Seeds {
        let mut seeds = Seeds::new();
        // What scans read, and the groups whose row numbers they read.
        let (mut staged, mut numbered) = (BTreeSet::new(), BTreeSet::new());
        let mut written: BTreeSet<Node> = self.graph.outputs.iter().map(|o| o.node).collect();
        for (node, def) in self.graph.nodes.iter().filter(|(n, _)| self.live[*n]) {
            if is_made(def.op) {
                let site = self.fold(node);
                seeds.entry(site).or_default().insert(node);
                if ordered(def.op).is_some() {
                    staged.extend(
                        def.args.iter().filter(|&&a| site.skeleton.keeps_count() && is_staged(self.graph, a)),
                    );
                    numbered.extend([site.from].into_iter().filter(|d| self.is_groups(*d)));
                }
            }
            if def.op == Op::Spread && self.is_groups(self.graph.nodes[def.args[0]].ty.dim) {
                written.insert(def.args[0]);
            }
        }
        // Results over the rows end the plan, so all of one dim wait for the last of them.
        let mut last = FxHashMap::<Dim, u32>::default();
        for &node in &written {
            let (dim, ready) = (self.graph.nodes[node].ty.dim, self.ready[node]);
            last.entry(dim).and_modify(|l| *l = ready.max(*l)).or_insert(ready);
        }
        for node in written {
            let def = &self.graph.nodes[node];
            if self.graph.is_given(node) || is_made(def.op) || staged.contains(&node) {
                continue;
            }
            let mut site = self.home(node);
            if !self.is_groups(site.into) && !site.is_fold() {
                site.level = site.level.max(last[&site.into]);
            }
            seeds.entry(site).or_default().insert(node);
        }
        for node in staged {
            seeds.entry(self.home(node)).or_default().insert(node);
        }
        for into in numbered {
            let DimDef::Groups { of, .. } = self.graph.dims[into] else { continue };
            // The numbers are there as soon as they can be, whatever else the groups are for.
            let level = self.of_dim(into) - 1;
            seeds.entry(Site { level, skeleton: Skeleton::Group, from: of, into }).or_default();
        }
        seeds
    }
}
