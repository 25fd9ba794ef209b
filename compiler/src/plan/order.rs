//! Fills the kernels in launch order: what each loads, computes and writes, and when a buffer is last read.

use super::fuse::{Seeds, Site};
use super::room::parts;
use super::{Kernel, KernelDef, Plan, Skeleton};
use crate::ir::{Dim, DimDef, Graph, Node, Op, Param, ParamDef, Source};
use cranelift_entity::PrimaryMap;
use q::Prim;
use std::collections::BTreeSet;

/// Makes the plan of the chosen kernels.
pub fn fill(mut graph: Graph, seeds: &Seeds, literals: usize) -> Plan {
    let mut sites: Vec<Site> = Vec::new();
    let mut kernels = PrimaryMap::new();
    for (&site, made) in seeds {
        let ranks = ranks(&mut graph, site.into);
        let kernel = |made: &BTreeSet<Node>| Closure::of(&graph, site, made).kernel(made, ranks.clone());
        for def in parts(&graph, made, kernel) {
            kernels.push(def);
            sites.push(site);
        }
    }
    let mut plan = Plan { graph, kernels, literals };
    let (reads, grouped) = reads(&plan);
    for kernel in plan.kernels.keys().collect::<Vec<_>>() {
        let reason = reason(&plan, &sites, kernel);
        let def = &mut plan.kernels[kernel];
        def.writes.extend(def.results.iter().filter(|n| reads.contains(n)));
        def.writes.sort_unstable();
        def.reason = reason;
    }
    for dim in grouped {
        if let Some((_, def)) =
            plan.kernels.iter_mut().find(|(_, k)| k.skeleton == Skeleton::Group && k.into == dim)
        {
            def.group_ids = true;
        }
        let others = plan.kernels.values_mut().filter(|k| k.skeleton == Skeleton::Group && k.into == dim);
        others.filter(|k| !k.group_ids).for_each(|k| k.numbered = true);
    }
    plan
}

/// For each key of a `groups` dim that is a symbol or enum, the parameter that holds its domain's ranks.
fn ranks(graph: &mut Graph, dim: Dim) -> Vec<Option<Param>> {
    let DimDef::Groups { keys, .. } = &graph.dims[dim] else { return Vec::new() };
    let domains: Vec<_> = keys.iter().map(|&k| graph.nodes[k].ty.domain).collect();
    let mut rank = |domain| {
        let def = ParamDef { kind: q::Kind::Int, source: Source::Ranks(domain) };
        let known = graph.params.iter().find(|(_, p)| **p == def).map(|(id, _)| id);
        known.unwrap_or_else(|| graph.params.push(def))
    };
    domains.into_iter().map(|d| d.map(&mut rank)).collect()
}

/// The groups whose numbers say which list a row is in.
fn lists(graph: &Graph, site: Site) -> Option<Dim> {
    let has = site.skeleton.keeps_count() || site.skeleton == Skeleton::List;
    Some(site.from).filter(|&d| has && matches!(graph.dims[d], DimDef::Groups { .. }))
}

/// What one kernel needs, found by walking back from what it makes.
struct Closure<'a> {
    graph: &'a Graph,
    site: Site,
    over: Dim,
    made: &'a BTreeSet<Node>,
    masks: Vec<Node>,
    keys: Vec<Node>,
    loads: BTreeSet<Node>,
    gathers: BTreeSet<Node>,
    tables: BTreeSet<Node>,
    atoms: BTreeSet<Node>,
    head: BTreeSet<Node>,
    body: BTreeSet<Node>,
    joins: BTreeSet<Node>,
    tail: BTreeSet<Node>,
}

impl<'a> Closure<'a> {
    fn of(graph: &'a Graph, site: Site, made: &'a BTreeSet<Node>) -> Self {
        let keys = match &graph.dims[site.into] {
            DimDef::Groups { keys, .. } if site.skeleton == Skeleton::Group => keys.clone(),
            _ => Vec::new(),
        };
        let rows = match graph.dims[site.into] {
            DimDef::Lists { of, .. } if site.skeleton == Skeleton::List => of,
            _ if site.skeleton.keeps_count() => graph.rows_of(site.from),
            _ => site.from,
        };
        // The group numbers tell which rows are in a list.
        let masks = match lists(graph, site) {
            Some(_) if site.skeleton.keeps_count() => Vec::new(),
            _ => graph.masks(rows),
        };
        let mut closure = Closure {
            graph,
            site,
            over: graph.base(rows),
            made,
            masks,
            keys,
            loads: BTreeSet::new(),
            gathers: BTreeSet::new(),
            tables: BTreeSet::new(),
            atoms: BTreeSet::new(),
            head: BTreeSet::new(),
            body: BTreeSet::new(),
            joins: BTreeSet::new(),
            tail: BTreeSet::new(),
        };
        for node in closure.masks.clone().into_iter().chain(closure.keys.clone()) {
            closure.row(node);
        }
        for &node in made {
            match graph.nodes[node].op {
                Op::Agg(_) | Op::Key(_) if closure.is_fold() => closure.fold(node),
                Op::Agg(_) | Op::Scan(..) | Op::Steps(..) => closure.stored(node),
                Op::List => closure.row(graph.nodes[node].args[0]),
                _ if closure.is_fold() => closure.after(node),
                _ => closure.row(node),
            }
        }
        closure
    }

    fn is_fold(&self) -> bool {
        matches!(self.site.skeleton, Skeleton::Reduce | Skeleton::Group)
    }

    /// An aggregate's arguments. A count reads none: it asks how many rows pass.
    fn fold(&mut self, node: Node) {
        let def = &self.graph.nodes[node];
        if def.op != Op::Agg(Prim::Count) {
            def.args.iter().for_each(|&a| self.row(a));
        }
    }

    /// Arguments that are read from memory.
    fn stored(&mut self, node: Node) {
        for &arg in &self.graph.nodes[node].args {
            match self.graph.nodes[arg].ty.dim {
                Dim::ONE => self.atom(arg),
                dim if matches!(self.graph.dims[dim], DimDef::Given(_)) && dim != self.over => {
                    self.tables.insert(arg);
                }
                _ => drop(self.loads.insert(arg)),
            }
        }
    }

    /// A value that is needed for each row.
    fn row(&mut self, node: Node) {
        let graph = self.graph;
        let def = &graph.nodes[node];
        if def.ty.dim == Dim::ONE && self.over != Dim::ONE {
            return self.atom(node);
        }
        match def.op {
            Op::Null | Op::Param(_) if def.ty.dim == Dim::ONE => self.atom(node),
            Op::Col(_) | Op::Param(_) | Op::Agg(_) | Op::Key(_) | Op::Scan(..) | Op::Steps(..) | Op::List => {
                self.loads.insert(node);
            }
            _ if !self.body.insert(node) => (),
            Op::Spread if graph.nodes[def.args[0]].ty.dim != Dim::ONE => {
                self.gathers.insert(def.args[0]);
            }
            Op::Member | Op::Lookup | Op::Bin | Op::Binr => {
                self.row(def.args[0]);
                self.tables.insert(def.args[1]);
            }
            Op::Place => {
                let masks = graph.masks(graph.nodes[def.args[0]].ty.dim);
                masks.into_iter().chain(def.args.iter().copied()).for_each(|n| self.row(n));
            }
            _ => def.args.iter().for_each(|&a| self.row(a)),
        }
    }

    /// An atom that is needed before the loop.
    fn atom(&mut self, node: Node) {
        let def = &self.graph.nodes[node];
        match def.op {
            Op::Param(_) | Op::Null | Op::Agg(_) => {
                self.atoms.insert(node);
            }
            _ if !self.head.insert(node) => (),
            Op::Member | Op::Lookup | Op::Bin | Op::Binr => {
                self.atom(def.args[0]);
                self.tables.insert(def.args[1]);
            }
            _ => def.args.iter().for_each(|&a| self.atom(a)),
        }
    }

    /// A value over `into` that is computed from the results.
    fn after(&mut self, node: Node) {
        let def = &self.graph.nodes[node];
        if self.made.contains(&node) && matches!(def.op, Op::Agg(_) | Op::Key(_)) {
            return;
        }
        if def.ty.dim == Dim::ONE && (self.site.into != Dim::ONE || matches!(def.op, Op::Agg(_))) {
            return self.atom(node);
        }
        match def.op {
            Op::Param(_) | Op::Null => self.atom(node),
            Op::Agg(_) | Op::Key(_) => {
                self.joins.insert(node);
            }
            _ if !self.tail.insert(node) => (),
            Op::Member | Op::Lookup | Op::Bin | Op::Binr => {
                self.after(def.args[0]);
                self.tables.insert(def.args[1]);
            }
            _ => def.args.iter().for_each(|&a| self.after(a)),
        }
    }

    fn kernel(self, made: &BTreeSet<Node>, ranks: Vec<Option<Param>>) -> KernelDef {
        let list = |set: BTreeSet<Node>| set.into_iter().collect::<Vec<_>>();
        let is_result = |n: &Node| self.site.skeleton.makes(self.graph.nodes[*n].op);
        let lists = lists(self.graph, self.site);
        let (results, writes) = made.iter().copied().partition(is_result);
        let ranks = if self.keys.is_empty() { Vec::new() } else { ranks };
        KernelDef {
            skeleton: self.site.skeleton,
            over: self.over,
            into: self.site.into,
            masks: self.masks,
            loads: list(self.loads),
            gathers: list(self.gathers),
            tables: list(self.tables),
            atoms: list(self.atoms),
            head: list(self.head),
            body: list(self.body),
            keys: self.keys,
            ranks,
            results,
            joins: list(self.joins),
            tail: list(self.tail),
            writes,
            lists,
            group_ids: false,
            numbered: false,
            reason: String::new(),
        }
    }
}

/// What is read from memory after its kernel: by other kernels and as outputs; and the `groups` dims whose
/// group numbers are read.
fn reads(plan: &Plan) -> (BTreeSet<Node>, BTreeSet<Dim>) {
    let mut nodes: BTreeSet<Node> = plan.graph.outputs.iter().map(|o| o.node).collect();
    let mut dims = BTreeSet::new();
    for def in plan.kernels.values() {
        nodes.extend(def.reads());
        dims.extend(def.gathers.iter().map(|&n| plan.graph.nodes[n].ty.dim).chain(def.lists));
    }
    // Rows that several kernels group need to be told their groups once.
    let groups = plan.kernels.values().filter(|k| k.skeleton == Skeleton::Group).map(|k| k.into);
    let mut grouped = BTreeSet::new();
    dims.extend(groups.filter(|&dim| !grouped.insert(dim)).collect::<Vec<_>>());
    (nodes, dims)
}

impl KernelDef {
    /// Everything that the kernel reads and does not make.
    pub fn reads(&self) -> impl Iterator<Item = Node> {
        [&self.loads, &self.gathers, &self.tables, &self.atoms, &self.joins].into_iter().flatten().copied()
    }
}

impl Plan {
    /// The values that no later kernel and no output reads once `kernel` has run: their memory is free again.
    pub fn dead_after(&self, kernel: Kernel) -> Vec<Node> {
        let uses = |k: Kernel, n: Node| {
            self.kernels[k].writes.contains(&n) || self.kernels[k].reads().any(|r| r == n)
        };
        let written = self.kernels.values().flat_map(|k| k.writes.iter().copied());
        written
            .filter(|&n| self.graph.outputs.iter().all(|o| o.node != n))
            .filter(|&n| self.kernels.keys().rfind(|&k| uses(k, n)) == Some(kernel))
            .collect()
    }
}

/// Why a kernel's work is not part of an earlier one's.
fn reason(plan: &Plan, sites: &[Site], kernel: Kernel) -> String {
    let def = &plan.kernels[kernel];
    let before = |k: &Kernel| *k < kernel;
    // The latest kernel whose results this one waits for.
    let waits = def.reads().filter_map(|n| {
        plan.kernels
            .iter()
            .find(|(_, k)| k.results.contains(&n) || k.writes.contains(&n))
            .map(|(k, _)| (k, n))
    });
    if let Some((k, n)) = waits.filter(|(k, _)| before(k)).max() {
        return format!("{n} is known only when {k} has ended");
    }
    let Some(last) = plan.kernels.keys().take_while(before).last() else { return String::new() };
    let (a, b) = (sites[last.as_u32() as usize], sites[kernel.as_u32() as usize]);
    let other = &plan.kernels[last];
    if a == b {
        return format!("a thread has no room for what it holds and what {last} does");
    }
    if other.over != def.over {
        format!("it runs over {}, {last} over {}", def.over, other.over)
    } else if a.skeleton != b.skeleton {
        format!("{} and {} are different loops ({last})", b.skeleton.name(), a.skeleton.name())
    } else if other.masks != def.masks {
        format!("its rows pass other filters than those of {last}")
    } else {
        format!("its results are over {}, those of {last} over {}", def.into, other.into)
    }
}
