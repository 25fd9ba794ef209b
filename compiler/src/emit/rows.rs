//! The straight-line code of a kernel: one statement a node, in the order of ids.

use super::Slot;
use super::kernel::name;
use crate::ir::{Dim, Graph, Node, Op, Source};
use crate::plan::KernelDef;
use q::scalar::cast::{Cast, cast};
use q::{Kind, Store};
use std::collections::BTreeSet;

/// The C type of a storage.
pub fn c_type(store: Store) -> &'static str {
    match store {
        Store::B => "u8",
        Store::G => "guid",
        Store::H => "i16",
        Store::I => "i32",
        Store::J => "i64",
        Store::E => "f32",
        Store::F => "f64",
        Store::S => "u32",
    }
}

/// The C type of a node's value.
pub fn value_type(graph: &Graph, node: Node) -> &'static str {
    c_type(graph.nodes[node].ty.kind.store())
}

/// The C type of a node's elements in memory: symbol codes may be narrow.
pub fn element_type(graph: &Graph, node: Node) -> &'static str {
    match (graph.nodes[node].ty.kind.store(), graph.width(node)) {
        (Store::S, 1) => "u8",
        (Store::S, 2) => "u16",
        (store, _) => c_type(store),
    }
}

/// The group number of row `i`, from memory.
pub fn group_of(groups: Dim) -> String {
    format!("group_of({}, {}, i)", name(Slot::Ids(groups)), name(Slot::Places(groups)))
}

/// The constant of a kind's null.
pub fn null(kind: Kind) -> String {
    let letter = if kind == Kind::Char { 'C' } else { kind.store().letter().to_ascii_uppercase() };
    format!("NULL_{letter}")
}

/// What a node is called where its value is used.
pub fn value(graph: &Graph, node: Node) -> String {
    let at = original(graph, node);
    match graph.nodes[at].op {
        Op::Null => null(graph.nodes[at].ty.kind),
        _ => format!("v{}", at.as_u32()),
    }
}

/// The expression of a function, a cast or a choice.
pub fn elementwise(graph: &Graph, node: Node) -> String {
    let def = &graph.nodes[node];
    let v: Vec<String> = def.args.iter().map(|&a| value(graph, a)).collect();
    let kind = def.args.first().map_or(def.ty.kind, |&a| graph.nodes[a].ty.kind);
    match def.op {
        Op::Map(p) => format!("{}({})", q::scalar::name(p, kind), v.join(", ")),
        Op::Cond => format!("cond_{}({})", def.ty.kind.store().letter(), v.join(", ")),
        _ => match cast(kind, def.ty.kind) {
            Some(Cast::By(from, to)) => format!("cast_{}_{}({})", from.letter(), to.letter(), v[0]),
            _ => v[0].clone(),
        },
    }
}

/// The node by whose name the value of `node` is called.
pub fn original(graph: &Graph, node: Node) -> Node {
    let mut at = node;
    while let Some(same) = alias(graph, at) {
        at = same;
    }
    at
}

/// The node that has the same value in every row: what is kept, what a cast only renames, an atom that is
/// spread.
fn alias(graph: &Graph, node: Node) -> Option<Node> {
    let def = &graph.nodes[node];
    let &arg = def.args.first()?;
    let from = graph.nodes[arg].ty;
    let same = match def.op {
        Op::Keep => true,
        Op::Cast => cast(from.kind, def.ty.kind) == Some(Cast::Keep),
        Op::Spread => from.dim == Dim::ONE,
        _ => false,
    };
    same.then_some(arg)
}

/// Where the vectors that a method reads are, row by row: `(slot, what stands before and after the name)`.
pub type Held = Vec<(Slot, (&'static str, &'static str))>;

/// Writes the statements of one method.
pub struct Rows<'a> {
    graph: &'a Graph,
    def: &'a KernelDef,
    /// The nodes that a method computes: loads and body, or tail.
    nodes: Vec<Node>,
    done: BTreeSet<Node>,
    ids: BTreeSet<Dim>,
    /// The values are members, declared already.
    members: bool,
    /// What is not read from memory at row `i`.
    held: Held,
}

impl<'a> Rows<'a> {
    /// The statements of a row: loads and body.
    pub fn of_row(graph: &'a Graph, def: &'a KernelDef, held: Held) -> Self {
        let mut nodes: Vec<Node> = def.loads.iter().chain(&def.body).copied().collect();
        nodes.sort_unstable();
        Rows { graph, def, nodes, done: BTreeSet::new(), ids: BTreeSet::new(), members: false, held }
    }

    /// The statements of a list of nodes whose arguments are at hand.
    pub fn of(graph: &'a Graph, def: &'a KernelDef, nodes: &[Node]) -> Self {
        let (nodes, held) = (nodes.to_vec(), Held::new());
        Rows { graph, def, nodes, done: BTreeSet::new(), ids: BTreeSet::new(), members: false, held }
    }

    /// Assigns to members instead of declaring locals.
    pub fn members(mut self) -> Self {
        self.members = true;
        self
    }

    /// Writes what `roots` need and is not written yet.
    pub fn need(&mut self, roots: &[Node], out: &mut String) {
        let needed = self.needed(roots);
        for i in 0..self.nodes.len() {
            let node = self.nodes[i];
            // An earlier kernel may have written what is but another name; then it is read by that name here.
            let at = original(self.graph, node);
            let here = at == node || self.def.loads.contains(&node);
            if needed.contains(&node) && here && self.done.insert(at) {
                self.gathered(node, out);
                let ty = if self.members { "" } else { value_type(self.graph, node) };
                let gap = if self.members { "" } else { " " };
                out.push_str(&format!("        {ty}{gap}v{} = {};\n", at.as_u32(), self.expression(node)));
            }
        }
    }

    /// The nodes that `roots` need and that are not written yet, with their arguments.
    fn needed(&self, roots: &[Node]) -> BTreeSet<Node> {
        let mut needed: BTreeSet<Node> = roots.iter().copied().collect();
        for &node in self.nodes.iter().rev() {
            let given = self.def.loads.contains(&node) || self.told(node).is_some();
            if needed.contains(&node) && !self.done.contains(&node) && !given {
                needed.extend(&self.graph.nodes[node].args);
                needed.extend(self.graph.place_mask(node));
            }
        }
        needed
    }

    /// The vectors over the rows that `roots` need from memory: loads and group numbers.
    pub fn vectors(&self, roots: &[Node]) -> BTreeSet<Slot> {
        let needed = self.needed(roots);
        let here = || self.nodes.iter().copied().filter(|n| needed.contains(n));
        let loads = here().filter(|n| self.def.loads.contains(n)).map(Slot::Load);
        let ids = here().filter_map(|n| self.groups(n)).map(Slot::Ids);
        loads.chain(ids).collect()
    }

    /// A vector's element of the row at hand.
    fn element(&self, slot: Slot) -> String {
        match (self.held.iter().find(|h| h.0 == slot), slot) {
            (Some((_, (before, after))), _) => format!("{before}{}{after}", name(slot)),
            (None, Slot::Ids(dim)) => group_of(dim),
            (None, _) => format!("{}[i]", name(slot)),
        }
    }

    /// The groups whose numbers tell the mask that the node is.
    fn told(&self, node: Node) -> Option<Dim> {
        self.def.told_mask(self.graph).filter(|t| t.0 == node).map(|t| t.1)
    }

    /// The dim whose group numbers the node is had from: values that a `Spread` reads, or a filter.
    fn groups(&self, node: Node) -> Option<Dim> {
        if let Some(dim) = self.told(node) {
            return Some(dim);
        }
        let def = &self.graph.nodes[node];
        let arg = def.args.first().filter(|_| def.op == Op::Spread)?;
        Some(self.graph.nodes[*arg].ty.dim).filter(|_| self.def.gathers.contains(arg))
    }

    /// Reads the row's group number once for each `groups` dim.
    fn gathered(&mut self, node: Node, out: &mut String) {
        let Some(dim) = self.groups(node).filter(|d| self.ids.insert(*d)) else { return };
        out.push_str(&format!("        i32 id{} = {};\n", dim.as_u32(), self.element(Slot::Ids(dim))));
    }

    fn expression(&self, node: Node) -> String {
        let graph = self.graph;
        let def = &graph.nodes[node];
        let v: Vec<String> = def.args.iter().map(|&a| value(graph, a)).collect();
        match def.op {
            _ if self.def.loads.contains(&node) => self.element(Slot::Load(node)),
            _ if let Some(dim) = self.told(node) => format!("id{} >= 0", dim.as_u32()),
            Op::Row => "i".into(),
            Op::Map(_) | Op::Cast | Op::Cond => elementwise(graph, node),
            Op::Spread => match self.groups(node) {
                Some(dim) => {
                    let (x, null) = (def.args[0].as_u32(), null(def.ty.kind));
                    format!("spread(g{x}, id{}, {null})", dim.as_u32())
                }
                None => v[0].clone(),
            },
            Op::Place => match self.graph.place_mask(node) {
                Some(mask) => format!("{} ? {} : {}", value(graph, mask), v[0], v[1]),
                None => v[1].clone(),
            },
            Op::Member | Op::Lookup | Op::Bin | Op::Binr => self.table(node, &v[0]),
            _ => v.first().cloned().unwrap_or_else(|| null(def.ty.kind)),
        }
    }

    /// A look into a list parameter.
    fn table(&self, node: Node, x: &str) -> String {
        let def = &self.graph.nodes[node];
        let Op::Param(p) = self.graph.nodes[def.args[1]].op else { return null(def.ty.kind) };
        let (t, kind) = (p.as_u32(), self.graph.nodes[def.args[0]].ty.kind);
        match (def.op, &self.graph.params[p].source) {
            (Op::Bin, _) => format!("bin(key_{}({x}), t{t}, m{t})", kind.store().letter()),
            (Op::Binr, _) => format!("binr(key_{}({x}), t{t}, m{t})", kind.store().letter()),
            (Op::Lookup, _) => format!("lookup({x}, t{t}, m{t}, {})", null(def.ty.kind)),
            (_, Source::Set(_, Some(_)) | Source::Like(..)) => format!("member({x}, t{t}, m{t})"),
            _ if kind == Kind::Guid => format!("member({x}, t{t}, m{t})"),
            _ => format!("member(key_{}({x}), t{t}, m{t})", kind.store().letter()),
        }
    }
}
