//! How a GPU computes each result of a Scan: what takes another way has entries of its own.

use super::{KernelDef, Skeleton};
use crate::ir::scan::descends;
use crate::ir::{Graph, Node, Op};
use q::Prim;

/// The way to a Scan's result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// From accumulators of the list's items so far: `scan.cuh`.
    Running,
    /// From items of the list near it, or as far from its other end: `places.cuh`.
    Near,
    /// From the list in sorted order: `places.cuh`.
    Sorted,
    /// From the result before it alone: `places.cuh`.
    Linked,
    /// By a step that the query says, from the result before it: `places.cuh`.
    Stepped,
}

impl KernelDef {
    /// The results of a Scan, each with its way; those of another loop have none.
    pub fn ways(&self, graph: &Graph) -> Vec<(Node, Prim, Way)> {
        let scans = self.results.iter().filter(|_| self.skeleton == Skeleton::Scan);
        let way = |&n: &Node| match graph.nodes[n].op {
            Op::Scan(p, _) => Some((n, p, self.way(p))),
            Op::Steps(..) => Some((n, Prim::ScanKw, Way::Stepped)),
            _ => None,
        };
        scans.filter_map(way).collect()
    }

    fn way(&self, p: Prim) -> Way {
        match p {
            Prim::Msum | Prim::Mavg | Prim::Mdev | Prim::Mcount | Prim::Mmin | Prim::Mmax | Prim::Reverse => {
                Way::Near
            }
            // A place among the rows that pass is not a place among all rows.
            Prim::Xprev if !self.masks.is_empty() => Way::Near,
            Prim::Rank => Way::Sorted,
            _ if descends(p).is_some() => Way::Sorted,
            Prim::Ema => Way::Linked,
            _ => Way::Running,
        }
    }

    /// Does a Scan number the rows that pass its masks, so that they can be brought into a list?
    pub fn numbers(&self, graph: &Graph) -> bool {
        !self.masks.is_empty() && self.ways(graph).iter().any(|w| w.2 != Way::Running)
    }
}
