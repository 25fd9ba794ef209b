//! The least bytes that any plan of a query moves for a row of the table, besides its results.
//!
//! A GPU's memory on chip holds no table. So what is computed from all rows, an aggregate, is known only after a pass
//! over them, and a value of a row that depends on it is made in a later pass, which reads again what it needs of the
//! row. The least is each input column once in every pass that makes something of it. Where rows of a later pass take
//! values of their groups, it has to be told the groups too: by their keys and filters, as far as the pass does not
//! read them anyway, or by a code of two bytes, written and read; whichever is less.
//!
//! What a sort moves is not counted, although some queries need one: nobody knows the least of that.

use crate::ir::{Dim, DimDef, Graph, Node, Op};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a group's code.
const CODE: usize = 2;

/// The least bytes for a row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Least {
    /// Read of columns and of groups' codes.
    pub read: usize,
    /// Written of groups' codes.
    pub codes: usize,
}

/// What any plan of the graph moves.
pub fn least(graph: &Graph) -> Least {
    // The pass that makes a value of rows; the first that can take any other.
    let mut pass: BTreeMap<Node, usize> = BTreeMap::new();
    // What each pass makes of rows.
    let mut made: BTreeMap<usize, Vec<Node>> = BTreeMap::new();
    for node in needed(graph) {
        let rows = by_rows(graph, node);
        let wait = |a: &Node| pass[a] + usize::from(by_rows(graph, *a) && !rows);
        let args = arguments(graph, node);
        let at = args.iter().map(wait).max().unwrap_or(0);
        if !rows {
            // A picked item is read of one row; which, its rows' filters say.
            let item = graph.picked(node).map(|p| p.1);
            let told = item.map_or(Vec::new(), |x| graph.masks(graph.ty(x).dim));
            let taken =
                args.into_iter().filter(|&a| Some(a) != item || keys(graph, graph.ty(node).dim).contains(&a));
            let taken = taken.chain(told).filter(|&a| by_rows(graph, a));
            taken.for_each(|a| made.entry(at - 1).or_default().push(a));
        }
        pass.insert(node, at);
    }
    for output in graph.outputs.iter().map(|o| o.node).filter(|&n| by_rows(graph, n) && !graph.is_given(n)) {
        made.entry(pass[&output]).or_default().push(output);
    }
    let all = made.values().map(|roots| read(graph, roots));
    all.fold(Least::default(), |a, b| Least { read: a.read + b.read, codes: a.codes + b.codes })
}

/// What a pass moves which makes `roots` of rows.
fn read(graph: &Graph, roots: &[Node]) -> Least {
    let groups: BTreeSet<Dim> =
        cone(graph, roots, &BTreeSet::new()).iter().filter_map(|&n| taken(graph, n)).collect();
    let told = groups.iter().flat_map(|&g| graph.masks(graph.rows_of(g))).collect();
    let mut columns = cone(graph, roots, &told);
    let width = |nodes: &BTreeSet<Node>| {
        nodes
            .iter()
            .filter(|n| matches!(graph.nodes[**n].op, Op::Col(_)))
            .map(|&n| graph.width(n))
            .sum::<usize>()
    };
    let mut codes = 0;
    for dim in groups {
        let more: BTreeSet<Node> =
            columns.union(&cone(graph, &keys(graph, dim), &BTreeSet::new())).copied().collect();
        if width(&more) - width(&columns) <= 2 * CODE {
            columns = more;
        } else {
            codes += CODE;
        }
    }
    Least { read: width(&columns) + codes, codes }
}

/// The groups whose value a row takes.
fn taken(graph: &Graph, node: Node) -> Option<Dim> {
    let def = &graph.nodes[node];
    let from = def.args.first().filter(|_| def.op == Op::Spread)?;
    Some(graph.ty(*from).dim).filter(|&d| matches!(graph.dims[d], DimDef::Groups { .. }))
}

/// What the outputs are made of, themselves included; arguments come first.
fn needed(graph: &Graph) -> BTreeSet<Node> {
    let mut needed = BTreeSet::new();
    let mut todo: Vec<Node> = graph.outputs.iter().map(|o| o.node).collect();
    while let Some(node) = todo.pop() {
        if needed.insert(node) {
            todo.extend(arguments(graph, node));
        }
    }
    needed
}

/// The values of rows that `roots` are made of in one pass, without what `told` are made of.
fn cone(graph: &Graph, roots: &[Node], told: &BTreeSet<Node>) -> BTreeSet<Node> {
    let mut cone = BTreeSet::new();
    let mut todo = roots.to_vec();
    while let Some(node) = todo.pop() {
        if by_rows(graph, node) && !told.contains(&node) && cone.insert(node) {
            todo.extend(arguments(graph, node));
        }
    }
    cone
}

/// What a node is made of: its arguments, the filters of its rows, and the keys of its groups.
fn arguments(graph: &Graph, node: Node) -> Vec<Node> {
    let def = &graph.nodes[node];
    let mut all = def.args.clone();
    all.extend(graph.masks(def.ty.dim));
    all.extend(graph.place_mask(node));
    if let Some(lists) = def.op.lists() {
        all.extend(keys(graph, lists));
    }
    all.extend(keys(graph, def.ty.dim));
    all
}

/// The keys and filters that groups, or lists of groups, are made of.
fn keys(graph: &Graph, dim: Dim) -> Vec<Node> {
    match &graph.dims[dim] {
        DimDef::Groups { of, keys } => keys.iter().copied().chain(graph.masks(*of)).collect(),
        DimDef::Lists { groups, of } => {
            self::keys(graph, *groups).into_iter().chain(graph.masks(*of)).collect()
        }
        _ => Vec::new(),
    }
}

/// Is it a value of the table's rows, or of some of them?
fn by_rows(graph: &Graph, node: Node) -> bool {
    let mut dim = graph.ty(node).dim;
    while let DimDef::Kept { of, .. } | DimDef::Lists { of, .. } = graph.dims[dim] {
        dim = of;
    }
    matches!(graph.dims[dim], DimDef::Rows)
}
