//! The cost line: what a kernel and a plan read, write and launch, and the least that any plan could.
//!
//! Bytes are per row of the dim that is named, so that they say something before any data is there. Values over groups
//! are no bytes of a row while there are few groups, since a GPU's caches hold them. The least for a plan is what
//! `least.rs` says to read, and each result written once.

use super::least::least;
use super::{Kernel, KernelDef, Plan, Skeleton, Way};
use crate::ir::scan::descends;
use crate::ir::{Dim, Graph, Node, Op};
use q::kind::Store;
use std::collections::BTreeSet;

/// What one kernel costs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelCost {
    /// The kernel.
    pub kernel: Kernel,
    /// Its loop.
    pub skeleton: Skeleton,
    /// The dim it runs over.
    pub over: Dim,
    /// The dim of its results.
    pub into: Dim,
    /// The fewest launches on a GPU.
    pub launches: usize,
    /// Bytes loaded for a row of `over`.
    pub read: usize,
    /// Bytes gathered for a row of `over`: its groups, by which values over groups are had; and what rows cost that are
    /// brought into the order of their groups and then read where they lie.
    pub gathered: usize,
    /// Bytes written for a row of `into`.
    pub written: usize,
    /// Bytes of group numbers written for a row of `over`.
    pub ids: usize,
    /// Bytes more for a row of `over`: in a Group where there are more groups than blocks have tables for, in a Select
    /// for lists that are longer than one warp selects from, in a Member where the sets are no more in the cache.
    pub crowded: usize,
    /// Why its work is not part of an earlier kernel's; empty for the first.
    pub reason: String,
}

/// What a plan costs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanCost {
    /// Each kernel in launch order.
    pub kernels: Vec<KernelCost>,
    /// The fewest launches on a GPU.
    pub launches: usize,
    /// Bytes that all kernels load for a row of the table.
    pub read: usize,
    /// The least to read for a row of the table: each input column once for each pass that no plan can do without.
    pub least_read: usize,
    /// Bytes of groups' codes among those: written for a row of the table.
    pub least_codes: usize,
    /// Bytes that all kernels write: for a row of each result.
    pub written: usize,
    /// The least to write: the results that kernels make, and groups' codes where they save more reading.
    pub least_written: usize,
    /// Outputs that are shared columns, parameters or nulls, and cost nothing.
    pub shared: usize,
}

/// Bytes that a group number takes.
const ID: usize = 4;
/// Bytes that the slot of a group takes, which rows have while blocks have tables of groups.
const SLOT: usize = 2;
/// Bytes that the number of a row's list takes that is sorted, of up to 65,535 lists.
const NUMBER: usize = 2;
/// Bytes that a row's number takes, of up to 4,294,967,295 rows.
const ROW: usize = 4;
/// Bytes of a slot of a set.
const MEMBER: usize = 8;
/// Bytes of a row and its list's number that one pass of a sort reads and writes.
const PASS: usize = 2 * (ROW + NUMBER);
/// Bytes for a row when rows are brought into the order of fewer than 256 groups: numbers made of slots and counted, and
/// a pass that reads no rows.
const SORTED: usize = SLOT + 2 * NUMBER + (PASS - ROW);
/// The same of a list of the rows that pass, which are numbered with their masks.
const MARKED: usize = SORTED - SLOT;
/// Bytes of a row and its group's number that one pass of a sort reads and writes.
const WIDE: usize = 2 * (ROW + ID);
/// Bytes for a row when rows are brought into the order of up to 65,536 groups and then read: their numbers are written,
/// assigned, counted and sorted in two passes.
const CROWDED: usize = 4 * ID + (WIDE - ROW) + WIDE + ROW;
/// Bytes for a row and a byte of its key when rows are sorted by a key of 8 bytes within lists: a pass of the sort for
/// each byte of the key in memory.
const RANKED: usize = 2 * (ROW + 8);
/// Of how many of a long list's items one is set apart, and how often more such a one is moved than an item of a short
/// list: it is written, read a digit a time, and once for the next.
const APART: usize = 8;
const SELECTED: usize = 1 + 8 + 1;

/// What `plan` costs.
pub fn cost(plan: &Plan) -> PlanCost {
    let mut sorted = BTreeSet::new();
    let kernels: Vec<KernelCost> =
        plan.kernels.iter().map(|(id, def)| kernel(&plan.graph, id, def, &mut sorted)).collect();
    let outputs: BTreeSet<Node> = plan.graph.outputs.iter().map(|o| o.node).collect();
    let rows = |nodes: BTreeSet<Node>| {
        nodes
            .into_iter()
            .filter(|&n| plan.graph.nodes[n].ty.dim != Dim::ONE)
            .map(|n| plan.graph.width(n))
            .sum::<usize>()
    };
    let least = least(&plan.graph);
    PlanCost {
        launches: kernels.iter().map(|k| k.launches).sum(),
        read: kernels.iter().map(|k| k.read + k.gathered).sum(),
        least_read: least.read,
        least_codes: least.codes,
        written: kernels.iter().filter(|k| k.into != Dim::ONE).map(|k| k.written + k.ids).sum(),
        least_written: least.codes
            + rows(outputs.iter().copied().filter(|&n| !plan.graph.is_given(n)).collect()),
        shared: plan.graph.outputs.iter().filter(|o| plan.graph.is_given(o.node)).count(),
        kernels,
    }
}

/// The cost of a kernel; `sorted` are the groups in whose order earlier kernels have brought the rows, which are shared.
fn kernel(graph: &Graph, id: Kernel, def: &KernelDef, sorted: &mut BTreeSet<Dim>) -> KernelCost {
    let bytes = |nodes: &[Node]| nodes.iter().map(|&n| graph.width(n)).sum::<usize>();
    let dims: BTreeSet<Dim> =
        def.gathers.iter().map(|&n| graph.nodes[n].ty.dim).chain(def.numbered.then_some(def.into)).collect();
    let own = def.own_masks(graph);
    // Lists with masks of their own are sorted for themselves.
    let masked = def.skeleton == Skeleton::List && !own.is_empty();
    let orders = def.skeleton != Skeleton::Member;
    let sorts = def.lists.is_some_and(|groups| orders && (masked || sorted.insert(groups)));
    let sort = if sorts { SORTED } else { 0 };
    let (first, then) = match (def.skeleton, def.lists) {
        // The masks are read before the rows are in order, the values after.
        (Skeleton::List, Some(_)) => {
            let moved: Vec<Node> = def.results.iter().map(|&n| graph.nodes[n].args[0]).collect();
            (bytes(&def.loads_for(graph, own)), sort + ROW + bytes(&def.loads_for(graph, &moved)))
        }
        // Whether a row is in a list is asked when its item is put into a set, and when one is looked for.
        (Skeleton::Member, lists) => {
            let items = def.results.iter().map(|&n| bytes(&graph.nodes[n].args)).sum::<usize>();
            let passes = 2 * def.results.len();
            (items + passes * bytes(&def.loads_for(graph, own)), passes * lists.map_or(0, |_| SLOT))
        }
        (_, Some(_)) => (bytes(&def.loads), sort + ROW + NUMBER + ranked(graph, def, SORTED)),
        (_, None) => {
            let lists = if def.numbers(graph) { MARKED } else { 0 };
            let places = if lists > 0 { lists + ROW + NUMBER } else { 0 };
            (bytes(&def.loads_for(graph, &def.roots(graph))), places + ranked(graph, def, lists))
        }
    };
    KernelCost {
        kernel: id,
        skeleton: def.skeleton,
        over: def.over,
        into: def.into,
        launches: launches(graph, def, sorts),
        read: first,
        gathered: dims.len() * SLOT + then,
        written: bytes(&def.writes),
        ids: if def.group_ids { SLOT } else { 0 },
        crowded: bytes(&def.gathers)
            + dims.len() * (ID - SLOT)
            + match def.skeleton {
                Skeleton::Group if def.numbered => SORTED + PASS + ROW,
                Skeleton::Group if def.group_ids => CROWDED + 2 * ID,
                Skeleton::Group => CROWDED,
                // A slot of the set and the row in it, for each item put in and each looked for.
                Skeleton::Member => 2 * (def.results.len() * MEMBER + bytes(&def.loads)),
                Skeleton::Select => SELECTED * bytes(&def.loads) / APART,
                _ => 0,
            },
        reason: def.reason.clone(),
    }
}

impl Skeleton {
    /// Its name in plans and cost lines, and of its file in `templates/`.
    pub fn name(self) -> &'static str {
        match self {
            Skeleton::Map => "map",
            Skeleton::Reduce => "reduce",
            Skeleton::Compact => "compact",
            Skeleton::Group => "group",
            Skeleton::Scan => "scan",
            Skeleton::Member => "member",
            Skeleton::List => "list",
            Skeleton::Select => "select",
        }
    }
}

/// Bytes for a row of the sorts of a Scan's lists; the rows brought into the order of their lists again cost `lists`.
fn ranked(graph: &Graph, def: &KernelDef, lists: usize) -> usize {
    let keys = def.ways(graph).into_iter().filter(|w| w.2 == Way::Sorted).map(|w| graph.nodes[w.0].args[0]);
    // A key is written and counted, the first pass reads no rows, and the order is read.
    let own = |width: usize| 2 * 8 + RANKED * width;
    let again = if lists == 0 { 0 } else { ROW + 2 * NUMBER + lists + ROW };
    keys.map(|key| own(graph.width(key)) + again).sum()
}

/// The fewest launches on a GPU. A Group of more than a few thousand groups has those of a sort too, and a Select of
/// long lists has two a digit.
fn launches(graph: &Graph, def: &KernelDef, sorts: bool) -> usize {
    let own = match def.skeleton {
        Skeleton::Map | Skeleton::Compact | Skeleton::Select | Skeleton::List => 1,
        Skeleton::Scan => return scan_launches(graph, def, sorts),
        Skeleton::Reduce => 2,
        Skeleton::Member => 2 * def.results.len(),
        Skeleton::Group if def.numbered => 2,
        Skeleton::Group => 5,
    };
    // Rows are numbered, counted and sorted.
    let sort = if sorts { 3 } else { 0 };
    // Where each list begins is found.
    own + sort + usize::from(def.skeleton == Skeleton::List && def.lists.is_some())
}

/// The fewest launches of a Scan: one for all running results and one for all that lie near, and those of each other.
fn scan_launches(graph: &Graph, def: &KernelDef, sorts: bool) -> usize {
    let ways = def.ways(graph);
    let of = |way: Way| ways.iter().filter(|w| w.2 == way).count();
    let listed = def.lists.is_some() || def.numbers(graph);
    // A key is made, counted and sorted; by lists, numbers are made, gathered, counted and sorted too.
    let sorted = of(Way::Sorted) * if listed { 8 } else { 4 };
    let sort = if sorts || def.numbers(graph) { 3 } else { 0 };
    let starts = listed && ways.len() > of(Way::Running);
    of(Way::Running).min(1)
        + of(Way::Near).min(1)
        + sorted
        + 2 * of(Way::Linked)
        + of(Way::Stepped)
        + sort
        + usize::from(starts)
}

impl Graph {
    /// Bytes that an element of the node takes in memory. A symbol moved from a column keeps the column's code
    /// width; any other symbol has four bytes.
    pub fn width(&self, node: Node) -> usize {
        let def = &self.nodes[node];
        if def.ty.kind.store() != Store::S || def.ty.dim == Dim::ONE {
            return def.ty.kind.width();
        }
        match def.op {
            Op::Col(col) => self.inputs[col].width as usize,
            Op::Keep | Op::List | Op::Agg(_) => self.width(def.args[0]),
            Op::Scan(p, _) if descends(p).is_some() => self.width(def.args[1]),
            Op::Scan(..) => self.width(def.args[0]),
            Op::Spread if self.nodes[def.args[0]].ty.dim != Dim::ONE => self.width(def.args[0]),
            Op::Key(i) => match &self.dims[def.ty.dim] {
                crate::ir::DimDef::Groups { keys, .. } => keys.get(i as usize).map_or(4, |&k| self.width(k)),
                _ => 4,
            },
            _ => 4,
        }
    }
}
