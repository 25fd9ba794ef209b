//! What a thread of a kernel holds at once: how many rows it takes, and when results need a kernel more.
//!
//! A thread has [`REGISTERS`] registers at most, and what does not fit is spilled to memory, which costs more than
//! another pass over the rows. So a thread of a kernel with much to hold takes fewer rows at once; and where even
//! those of one row would not fit, [`parts`] makes several kernels of it.

use super::{BLOCK, KernelDef, Skeleton, Way, cards};
use crate::ir::{Dim, Graph, Node, Op};
use q::Prim;
use std::collections::BTreeSet;

/// Registers of four bytes that a thread may hold values in: half of the 255 that there are, since addresses, the values
/// of a row at work and what ptxas orders loads by take about as many again. Plans of up to 160 were seen not to spill.
const REGISTERS: usize = 160;
/// The most places of a Scan that a thread takes, and the fewest: with one each, tiles would be so small that looking
/// back over them would read more than their rows.
const PLACES: [usize; 2] = [4, 2];

/// Bytes of a result's accumulator in `agg.cuh` or `running.cuh`, at most; a multiple of eight.
pub fn accumulator(graph: &Graph, node: Node) -> usize {
    let def = &graph.nodes[node];
    match def.op {
        _ if graph.is_compensated(node) => 16,
        Op::Agg(Prim::Avg | Prim::Wavg) | Op::Scan(Prim::Avgs, _) => 16,
        Op::Agg(Prim::Var | Prim::Dev | Prim::Svar | Prim::Sdev) => 24,
        Op::Agg(Prim::Cov | Prim::Scov | Prim::Cor) => 48,
        // It is read from the rows by the places.
        Op::Scan(Prim::Xprev, _) => 0,
        Op::Agg(_) | Op::Scan(..) => 8,
        _ => 0,
    }
}

/// The results of a Reduce or Group that have accumulators: of those that pick items of the same row the first has it,
/// and a group's first row is known without one.
pub fn accumulators(graph: &Graph, def: &KernelDef) -> Vec<Node> {
    let mut rows = BTreeSet::new();
    let mut own = |&n: &Node| match graph.picked(n) {
        Some((Prim::First, _, None)) if def.skeleton == Skeleton::Group => false,
        Some((p, _, some)) => rows.insert((p == Prim::First, some)),
        None => matches!(graph.nodes[n].op, Op::Agg(_)),
    };
    def.results.iter().copied().filter(&mut own).collect()
}

/// Registers of `rows` items of so many bytes; narrower ones are widened when they are used.
fn registers(rows: usize, width: usize) -> usize {
    (rows * width).div_ceil(4)
}

impl KernelDef {
    /// How many rows a thread moves at once: 16 bytes of the widest vector that goes by rows, or fewer where it would
    /// hold too much.
    pub fn pack(&self, graph: &Graph) -> usize {
        // By groups, rows are read as far apart as they lie.
        if self.skeleton == Skeleton::Scan && self.lists.is_some() {
            return 1;
        }
        let written: &[Node] = if self.moves() { &self.writes } else { &[] };
        let read = self.read_by_packs(graph);
        let widths = read.iter().chain(written).map(|&n| graph.width(n));
        let most = match self.skeleton {
            Skeleton::Scan => self.places(graph),
            // A search in the table takes more than a row's access saves.
            Skeleton::Group if !self.numbered && cards(graph, self).is_none() => 1,
            Skeleton::Group => 2,
            Skeleton::Compact => 4,
            _ if !self.gathers.is_empty() || self.lists.is_some() => 4,
            _ => 16,
        };
        let mut pack = (16 / widths.max().unwrap_or(4)).min(most);
        while pack > 1 && self.skeleton != Skeleton::Scan && self.held(graph, pack) > REGISTERS {
            pack /= 2;
        }
        pack
    }

    /// How many rows a block of a Compact or Scan takes at once.
    pub fn tile(&self, graph: &Graph) -> usize {
        match self.skeleton {
            Skeleton::Scan => BLOCK * self.places(graph),
            _ => BLOCK * self.pack(graph).max(8),
        }
    }

    /// What is read pack after pack: where rows are kept, what says which; their values are read row by row.
    fn read_by_packs(&self, graph: &Graph) -> Vec<Node> {
        match self.skeleton {
            Skeleton::Scan => self.loads.clone(),
            Skeleton::Reduce | Skeleton::Group => self.loads_for(graph, &self.roots(graph)),
            _ if self.moves() => self.loads.clone(),
            _ => self.loads_for(graph, self.own_masks(graph)),
        }
    }

    /// Do results go by rows, pack after pack?
    fn moves(&self) -> bool {
        match self.skeleton {
            Skeleton::Map | Skeleton::Scan => true,
            Skeleton::List => self.masks.is_empty() && self.lists.is_none(),
            _ => false,
        }
    }

    /// How many places of a Scan a thread takes.
    fn places(&self, graph: &Graph) -> usize {
        let [most, least] = PLACES;
        if self.held(graph, most) > REGISTERS { least } else { most }
    }

    /// Registers that a thread holds which takes `rows` rows at once.
    fn held(&self, graph: &Graph, rows: usize) -> usize {
        let all = |nodes: &[Node]| nodes.iter().map(|&n| registers(rows, graph.width(n))).sum::<usize>();
        let state = accumulators(graph, self).into_iter().map(|n| accumulator(graph, n)).sum::<usize>();
        match self.skeleton {
            _ if self.moves() && self.skeleton != Skeleton::Scan => all(&self.loads) + all(&self.writes),
            // Its accumulators, and those that it joins to them.
            Skeleton::Reduce => all(&self.read_by_packs(graph)) + registers(2, state),
            // A cell of each row, with the group's first row, and the one that it joins to it.
            Skeleton::Group => all(&self.read_by_packs(graph)) + registers(rows + 1, state + 8),
            Skeleton::Scan => self.scan_held(graph, rows),
            // Written values are held for no longer than they take to be stored.
            _ => all(&self.read_by_packs(graph)),
        }
    }

    /// Of a Scan: each place's accumulators with the mark of a list's beginning, and those of the places before, up to
    /// now and of the list before.
    fn scan_held(&self, graph: &Graph, rows: usize) -> usize {
        let running: Vec<Node> =
            self.ways(graph).iter().filter(|w| w.2 == Way::Running).map(|w| w.0).collect();
        let state: usize = running.iter().map(|&n| accumulator(graph, n)).sum();
        let mut items: Vec<Node> =
            running.iter().flat_map(|&n| graph.nodes[n].args.first().copied()).collect();
        items.sort_unstable();
        items.dedup();
        let items = items.iter().filter(|n| graph.ty(**n).dim != Dim::ONE);
        items.map(|&n| registers(rows, graph.width(n))).sum::<usize>() + registers(rows + 3, state + 8)
    }

    /// Does a thread have room for what it holds?
    fn fits(&self, graph: &Graph) -> bool {
        let least = if self.skeleton == Skeleton::Scan { PLACES[1] } else { 1 };
        self.held(graph, least) <= REGISTERS
    }
}

/// The kernels, as few as have room, that make in order what one would; `kernel` is the kernel of some of it. What is
/// computed from results is made by the last, which reads the results of the others; keys are made by the first.
pub fn parts(
    graph: &Graph,
    made: &BTreeSet<Node>,
    kernel: impl Fn(&BTreeSet<Node>) -> KernelDef,
) -> Vec<KernelDef> {
    let whole = kernel(made);
    let cut = matches!(whole.skeleton, Skeleton::Map | Skeleton::Reduce | Skeleton::Group | Skeleton::Scan);
    if !cut || whole.fits(graph) {
        return vec![whole];
    }
    let counts = |n: &Node| whole.skeleton == Skeleton::Map || accumulator(graph, *n) > 0;
    let (states, rest): (Vec<Node>, Vec<Node>) = made.iter().partition(|n| counts(n));
    let (first, last): (BTreeSet<Node>, BTreeSet<Node>) =
        rest.into_iter().partition(|n| matches!(graph.nodes[*n].op, Op::Key(_)));
    let mut parts = vec![first];
    for node in states {
        let part = parts.last_mut().expect("there is one from the start");
        part.insert(node);
        if part.len() > 1 && !kernel(part).fits(graph) {
            part.remove(&node);
            parts.push(BTreeSet::from([node]));
        }
    }
    parts.last_mut().expect("there is one from the start").extend(last);
    parts.iter().map(kernel).collect()
}
