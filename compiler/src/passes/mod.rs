//! The passes in their order. Each is a function from graph to graph: rules in one direction, quoted in q.

use crate::ir::verify::verify;
use crate::ir::{Build, Col, Dim, DimDef, Graph, Node, NodeDef, Op, Output, Param, Part, Source};
use crate::schema::DomainId;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

mod fold;
mod negate;
mod prune;
mod reuse;

/// A pass: its name, for blame, and its function.
pub type Pass = (&'static str, fn(&Graph) -> Graph);

/// All passes, in the order in which they run.
pub const PASSES: &[Pass] = &[
    // Casts of parameters and nulls are done once on the host, so later passes see atoms, not casts of them.
    ("fold", fold::fold),
    // `not` goes into the comparison, before equal nodes are looked for.
    ("negate", negate::negate),
    // What a clause computed for all rows is kept, not computed again for the rows that passed.
    ("reuse", reuse::reuse),
    // Kernels and cost lines should see live nodes only.
    ("prune", prune::prune),
];

/// Runs every pass. In debug builds the verifier judges each one's work, and names it.
pub fn run(graph: Graph) -> Graph {
    check("lower", &graph);
    PASSES.iter().fold(graph, |graph, (name, pass)| {
        let graph = pass(&graph);
        check(name, &graph);
        graph
    })
}

fn check(name: &str, graph: &Graph) {
    if cfg!(debug_assertions) {
        let errors = verify(graph);
        assert!(errors.is_empty(), "{name} made an unsound graph:\n{}\n{graph}", errors.join("\n"));
    }
}

/// Makes the graph anew, node by node, as `rule` says. The rule gets each live node with its arguments and dim
/// already in the new graph, and adds what should stand for it; `|b, def| b.add(def.op, &def.args, def.ty)`
/// changes nothing. Nodes, dims, inputs and parameters that no output needs are left out.
pub(crate) fn rebuild(graph: &Graph, mut rule: impl FnMut(&mut Build, NodeDef) -> Node) -> Graph {
    let live = Live::of(graph);
    let mut copy = Copy::of(graph);
    for (d, parts) in &graph.domains {
        copy.domain(*d, parts);
    }
    for (n, def) in graph.nodes.iter().filter(|(n, _)| live.nodes[*n]) {
        let args: Vec<Node> = def.args.iter().map(|&a| copy.node(a)).collect();
        let mut ty = def.ty;
        ty.dim = copy.dim(ty.dim);
        let op = match def.op {
            Op::Col(c) => Op::Col(copy.col(c)),
            Op::Param(p) => Op::Param(copy.param(p)),
            Op::Scan(p, lists) => Op::Scan(p, copy.dim(lists)),
            Op::Steps(step, lists) => Op::Steps(step, copy.dim(lists)),
            op => op,
        };
        copy.b.at = graph.place(n);
        let new = rule(&mut copy.b, NodeDef { op, args, ty });
        copy.nodes.insert(n, new);
    }
    for out in &graph.outputs {
        let node = copy.node(out.node);
        let taken = out.taken.map(|p| copy.param(p));
        copy.b.graph.outputs.push(Output { node, taken, ..*out });
    }
    copy.b.graph.shape = graph.shape;
    copy.b.graph
}

/// What the outputs need.
struct Live<'a> {
    graph: &'a Graph,
    nodes: SecondaryMap<Node, bool>,
}

impl Live<'_> {
    fn of(graph: &Graph) -> Live<'_> {
        let mut live = Live { graph, nodes: SecondaryMap::new() };
        graph.outputs.iter().for_each(|out| live.node(out.node));
        live
    }

    fn node(&mut self, n: Node) {
        let mut todo = vec![n];
        while let Some(n) = todo.pop() {
            if std::mem::replace(&mut self.nodes[n], true) {
                continue;
            }
            let def = &self.graph.nodes[n];
            todo.extend(&def.args);
            self.dim(def.ty.dim, &mut todo);
            if let Some(lists) = def.op.lists() {
                self.dim(lists, &mut todo);
            }
        }
    }
}

impl Live<'_> {
    /// Adds what decides the rows of `dim`.
    fn dim(&self, dim: Dim, todo: &mut Vec<Node>) {
        match &self.graph.dims[dim] {
            DimDef::Kept { of, mask } => {
                todo.push(*mask);
                self.dim(*of, todo);
            }
            DimDef::Groups { of, keys } => {
                todo.extend(keys);
                self.dim(*of, todo);
            }
            DimDef::Lists { groups, of } => {
                self.dim(*groups, todo);
                self.dim(*of, todo);
            }
            DimDef::One | DimDef::Rows | DimDef::Given(_) => {}
        }
    }
}

/// The old graph's entities in the new one, made when first needed.
struct Copy<'a> {
    old: &'a Graph,
    b: Build,
    nodes: FxHashMap<Node, Node>,
    dims: FxHashMap<Dim, Dim>,
}

impl Copy<'_> {
    fn of(old: &Graph) -> Copy<'_> {
        let mut b = Build::default();
        (b.graph.compensated, b.graph.steps) = (old.compensated, old.steps.clone());
        Copy { old, b, nodes: FxHashMap::default(), dims: FxHashMap::default() }
    }

    fn node(&self, n: Node) -> Node {
        self.nodes[&n]
    }

    fn dim(&mut self, d: Dim) -> Dim {
        if d == Dim::ONE {
            return d;
        }
        if let Some(&new) = self.dims.get(&d) {
            return new;
        }
        let def = match &self.old.dims[d] {
            DimDef::One => DimDef::One,
            DimDef::Rows => DimDef::Rows,
            DimDef::Kept { of, mask } => DimDef::Kept { of: self.dim(*of), mask: self.node(*mask) },
            DimDef::Groups { of, keys } => {
                DimDef::Groups { of: self.dim(*of), keys: keys.iter().map(|&key| self.node(key)).collect() }
            }
            DimDef::Lists { groups, of } => DimDef::Lists { groups: self.dim(*groups), of: self.dim(*of) },
            DimDef::Given(p) => DimDef::Given(self.param(*p)),
        };
        let new = self.b.dim(def);
        self.dims.insert(d, new);
        new
    }

    fn col(&mut self, c: Col) -> Col {
        self.b.input(self.old.inputs[c].clone())
    }

    /// A made domain keeps its id; it stays, used or not, because the ids count its place at launch.
    fn domain(&mut self, d: DomainId, parts: &[Part]) {
        let mut part = |part: &Part| match *part {
            Part::Symbol(p) => Part::Symbol(self.param(p)),
            domain => domain,
        };
        let parts = parts.iter().map(&mut part).collect();
        self.b.graph.domains.insert(d, parts);
    }

    fn param(&mut self, p: Param) -> Param {
        let def = &self.old.params[p];
        let mut of = |q: Param| self.param(q);
        let source = match def.source.clone() {
            Source::Item(q, i) => Source::Item(of(q), i),
            Source::Cast(q, kind) => Source::Cast(of(q), kind),
            Source::Code(q, d) => Source::Code(of(q), d),
            Source::Below(q, d) => Source::Below(of(q), d),
            Source::NotAbove(q, d) => Source::NotAbove(of(q), d),
            Source::Set(q, d) => Source::Set(of(q), d),
            Source::Like(q, d) => Source::Like(of(q), d),
            Source::Keys(q) => Source::Keys(of(q)),
            Source::Bounds(q, d, right) => Source::Bounds(of(q), d, right),
            Source::Places(q, d) => Source::Places(of(q), d),
            Source::Count(q) => Source::Count(of(q)),
            Source::Codes(q, d) => Source::Codes(of(q), d),
            leaf @ (Source::Literal(_)
            | Source::Variable(_)
            | Source::Constant(_)
            | Source::Ranks(_)
            | Source::Sorted(_)
            | Source::Remap(..)) => leaf,
        };
        self.b.param(def.kind, source)
    }
}
