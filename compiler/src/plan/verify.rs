//! The invariants of plans. Engines and the emitter rely on them and check nothing again.

use super::fuse::is_made;
use super::{Kernel, KernelDef, Plan, Skeleton};
use crate::ir::{Dim, DimDef, Graph, Node, Op};
use rustc_hash::FxHashSet;

/// Every rule that the plan breaks, each as a sentence that begins with the kernel. Empty: the plan is sound.
pub fn verify(plan: &Plan) -> Vec<String> {
    let mut errors = Vec::new();
    let mut written = FxHashSet::<Node>::default();
    for (kernel, def) in plan.kernels.iter() {
        let mut check = Check { graph: &plan.graph, kernel, def, errors: &mut errors };
        check.dims();
        check.reads(&written, plan);
        check.order();
        check.writes();
        for &node in &def.writes {
            if !written.insert(node) {
                errors.push(format!("{kernel}: {node} is written twice"));
            }
        }
    }
    for output in &plan.graph.outputs {
        if !plan.graph.is_given(output.node) && !written.contains(&output.node) {
            errors.push(format!("output {}: {} is written by no kernel", output.name.text(), output.node));
        }
    }
    errors
}

struct Check<'a> {
    graph: &'a Graph,
    kernel: Kernel,
    def: &'a KernelDef,
    errors: &'a mut Vec<String>,
}

impl Check<'_> {
    fn expect(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.errors.push(format!("{}: {}", self.kernel, what()));
        }
    }

    fn dim(&self, node: Node) -> Dim {
        self.graph.nodes[node].ty.dim
    }

    /// The loop's dims and masks fit the skeleton.
    fn dims(&mut self) {
        let def = self.def;
        let into = &self.graph.dims[def.into];
        let fits = match def.skeleton {
            Skeleton::Map => def.into == def.over && def.masks.is_empty(),
            Skeleton::Reduce => def.into == Dim::ONE,
            Skeleton::Scan | Skeleton::Member => def.into == def.over,
            Skeleton::List => matches!(into, DimDef::Lists { of, .. } if self.graph.masks(*of) == def.masks),
            Skeleton::Select => {
                matches!(self.graph.dims[def.over], DimDef::Lists { groups, .. } if groups == def.into)
            }
            Skeleton::Compact => {
                matches!(into, DimDef::Kept { .. }) && self.graph.masks(def.into) == def.masks
            }
            Skeleton::Group => matches!(into, DimDef::Groups { of, keys }
                if *keys == def.keys && self.graph.masks(*of) == def.masks && def.ranks.len() == keys.len()),
        };
        self.expect(fits, || format!("a {} from {} into {}", def.skeleton.name(), def.over, def.into));
        self.expect(self.graph.base(def.over) == def.over, || format!("{} is no base dim", def.over));
        self.expect(!def.group_ids || def.skeleton == Skeleton::Group, || {
            "group numbers of no groups".into()
        });
    }

    /// What it reads is given, or was written by an earlier kernel.
    fn reads(&mut self, written: &FxHashSet<Node>, plan: &Plan) {
        for node in self.def.reads() {
            let known = self.graph.is_given(node) || written.contains(&node);
            self.expect(known, || format!("{node} is read before it is written"));
        }
        for &node in &self.def.loads {
            let (dim, over) = (self.dim(node), self.def.over);
            self.expect(dim == over, || format!("{node} over {dim} is loaded by a loop over {over}"));
        }
        for &node in &self.def.gathers {
            let ids = plan.group_ids(self.dim(node)).filter(|&k| k < self.kernel);
            self.expect(ids.is_some(), || format!("no group numbers for {node}"));
        }
        if self.def.numbered {
            let ids = plan.group_ids(self.def.into).filter(|&k| k < self.kernel);
            self.expect(ids.is_some(), || format!("no group numbers for {}", self.def.into));
        }
        if let Some(lists) = self.def.lists {
            let ids = plan.group_ids(lists).filter(|&k| k < self.kernel);
            self.expect(ids.is_some(), || format!("no group numbers for the lists of {lists}"));
        }
        for &node in &self.def.joins {
            let fits = self.dim(node) == self.def.into && self.def.skeleton == Skeleton::Group;
            self.expect(fits, || format!("{node} is joined over another dim"));
        }
        for &node in &self.def.atoms {
            self.expect(self.dim(node) == Dim::ONE, || format!("{node} is no atom"));
        }
    }

    /// Every argument is at hand where it is used.
    fn order(&mut self) {
        let def = self.def;
        let mut known: FxHashSet<Node> = def.atoms.iter().chain(&def.tables).copied().collect();
        self.steps(&def.head, &mut known, |_| true);
        let before = known.clone();
        known.extend(def.loads.iter().chain(&def.gathers));
        let over = def.over;
        self.steps(&def.body, &mut known, |base| base == over);
        for &node in def.masks.iter().chain(&def.keys) {
            self.expect(known.contains(&node), || format!("{node} is neither loaded nor computed"));
        }
        for &node in &def.results {
            let def = &self.graph.nodes[node];
            let fits = self.def.skeleton.makes(def.op) && def.ty.dim == self.def.into;
            self.expect(fits, || format!("{node} is no result of a {}", self.def.skeleton.name()));
            if def.op != Op::Agg(q::Prim::Count) {
                for arg in &def.args {
                    self.expect(known.contains(arg), || format!("{node} needs {arg}"));
                }
            }
        }
        known = before;
        known.extend(def.results.iter().chain(&def.joins));
        let into = def.into;
        self.steps(&def.tail, &mut known, |base| base == into);
    }

    /// A list of elementwise nodes, each after its arguments.
    fn steps(&mut self, nodes: &[Node], known: &mut FxHashSet<Node>, fits: impl Fn(Dim) -> bool) {
        for &node in nodes {
            let def = &self.graph.nodes[node];
            let elementwise = !is_made(def.op) && !matches!(def.op, Op::Col(_) | Op::Param(_));
            self.expect(elementwise, || format!("{node} is not elementwise"));
            self.expect(fits(self.graph.base(def.ty.dim)), || format!("{node} is over another dim"));
            for arg in &def.args {
                self.expect(known.contains(arg), || format!("{node} needs {arg}"));
            }
            known.insert(node);
        }
    }

    /// What it writes is over `into`, and made by it.
    fn writes(&mut self) {
        let def = self.def;
        let makers = match def.skeleton {
            Skeleton::Map | Skeleton::Compact => [&def.loads, &def.body],
            _ => [&def.results, &def.tail],
        };
        for &node in &def.writes {
            let made = makers.iter().any(|m| m.contains(&node)) && self.dim(node) == def.into;
            self.expect(made, || format!("{node} is written but not made"));
        }
        let some = !def.writes.is_empty() || def.group_ids;
        self.expect(some, || "writes nothing".into());
    }
}
