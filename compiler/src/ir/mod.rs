//! The IR manual: a graph of typed column operations.
//!
//! A node is an atom (dim `d0`) or a vector over one length class. Arguments come before users, so the order
//! of ids is an order of evaluation and there are no cycles. Nodes are made only by the builder
//! (`build`), which types and interns them: equal nodes are one node, dead ones are never copied.
//!
//! | dim | a vector over it has an item for |
//! |---|---|
//! | `one` | nothing else: an atom, which zips with everything |
//! | `rows` | each row of the table |
//! | `kept d, n` | each row of `d` where the boolean `n: bool[d]` is true, in order |
//! | `groups d, n…` | each distinct tuple of the keys `n: T[d]`, ascending, nulls first |
//! | `lists g, d` | each row of `d` (the rows of `g`, or kept from them), group after group; `g` may be `one` |
//! | `given p` | each item of the list that parameter `p` holds |
//!
//! Two vectors zip only if their dims are equal; that is both q's `'length` and the rule of fusion.
//!
//! A kind alone does not say what the bits of a symbol are: over a domain they are codes (`symbol<s0>`; an
//! enum's index, `enum<s1>`), without one they are an interned name, which only parameters hold.
//!
//! The textual form ([`text`] prints it, [`parse_text`] reads it):
//! ```text
//! c0 = price at 3: float        an input, and where it stands in the schema
//! c1 = sym at 0: symbol<s0>/2   codes of the domain s0, two bytes each
//! p0 = literal 0: float
//! s1 = s0, p3                   a domain made at launch: that of s0, then the symbol p3
//! d1 = rows
//! n0: float[d1] = col c0
//! n1: float = param p0
//! n2: boolean[d1] = gt n0, n1  ; 2 0 0
//! d2 = kept d1, n2
//! n3: float[d2] = keep n0
//! n4: float = sum n3  ; 4 0
//! out table price = n4
//! ```
//! Lines that begin with `|` are of the graph of the step before them ([`Graph::steps`]). A first line `compensated` says how floats are summed ([`Graph::compensated`]). What follows `;` is the place in the query's tree that a node came from.

use cranelift_entity::{PrimaryMap, entity_impl};
use q::{Kind, Sym};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

pub mod build;
mod elementwise;
pub mod op;
pub mod parse_text;
pub mod scan;
pub mod steps;
mod symbols;
pub mod text;
pub mod verify;
pub use build::Build;
pub use op::{Op, Source};

use crate::schema::DomainId;

/// A value: one column or atom, made by one operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(u32);
entity_impl!(Node, "n");

/// A length class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dim(u32);
entity_impl!(Dim, "d");

impl Dim {
    /// The length class of atoms, `d0` of every graph.
    pub const ONE: Dim = Dim(0);
}

/// A kernel argument: a literal, a variable, or something derived from them on the host at launch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Param(u32);
entity_impl!(Param, "p");

/// An input column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Col(u32);
entity_impl!(Col, "c");

/// The type of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ty {
    /// The elements' kind.
    pub kind: Kind,
    /// The length class.
    pub dim: Dim,
    /// For symbols and enums: the domain that the codes index.
    pub domain: Option<DomainId>,
}

/// What a length class is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DimDef {
    /// Atoms.
    One,
    /// The rows of the table.
    Rows,
    /// The rows of `of` where `mask` is true.
    Kept {
        /// The dim that is filtered.
        of: Dim,
        /// `bool[of]`.
        mask: Node,
    },
    /// The groups of the rows of `of`.
    Groups {
        /// The dim that is grouped.
        of: Dim,
        /// The keys, all over `of`, major first.
        keys: Vec<Node>,
    },
    /// Rows, group after group, each group's in their order: a list a group. Of `one`: a single list.
    Lists {
        /// The groups.
        groups: Dim,
        /// The rows: those that are grouped, or kept from them.
        of: Dim,
    },
    /// The items of a list parameter.
    Given(Param),
}

/// A node's operation, arguments and type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NodeDef {
    /// What it does.
    pub op: Op,
    /// Its arguments, all made before it.
    pub args: Vec<Node>,
    /// What it is.
    pub ty: Ty,
}

/// An input column of the graph.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Input {
    /// Its position in the schema.
    pub index: usize,
    /// Its name.
    pub name: Sym,
    /// Its kind.
    pub kind: Kind,
    /// Bytes an element takes.
    pub width: u8,
    /// Its domain, for symbols and enums.
    pub domain: Option<DomainId>,
    /// Not the column itself, which is nested, but how many items each of its lists has; a long.
    pub counts: bool,
}

/// A parameter: what it holds and where it comes from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ParamDef {
    /// The elements' kind.
    pub kind: Kind,
    /// How the host makes it at launch.
    pub source: Source,
}

/// A part of a domain that is made at launch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// All symbols of a column's domain.
    Domain(DomainId),
    /// The symbol, or the symbols of the list, that a parameter holds.
    Symbol(Param),
}

/// How the outputs become a q value. In a table, an atom among vectors stands for a vector of their length: the
/// host extends it. A table of atoms only has one row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// A table.
    Table,
    /// A keyed table whose first columns are keys.
    Keyed(usize),
    /// The one output itself: a vector or an atom.
    Single,
    /// A dictionary of name to output.
    Dict,
    /// A dictionary of the first output's items to the second's.
    Map,
    /// A dictionary of the first output's items to the rows of the table of the others.
    Rows,
    /// A dictionary of the rows of the table of so many outputs to the last output's items.
    OfRows(usize),
}

/// A named result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// Its name.
    pub name: Sym,
    /// Its value.
    pub node: Node,
    /// The value is row numbers: the result is the items of that nested column of the schema at these rows.
    pub nested: Option<usize>,
    /// The value, or each of its lists, stands for one of so many items, a parameter: the host repeats those of shorter
    /// ones, as `n#x` does.
    pub taken: Option<Param>,
    /// No result but a boolean atom: where it is true, the query is refused with the output's name as q's signal.
    pub check: bool,
}

impl Output {
    /// What `node` makes, by its name.
    pub fn of(name: Sym, node: Node) -> Output {
        Output { name, node, nested: None, taken: None, check: false }
    }
}

/// A query as a graph of column operations.
#[derive(Clone, PartialEq, Debug)]
pub struct Graph {
    /// The length classes; `d0` is `One`.
    pub dims: PrimaryMap<Dim, DimDef>,
    /// The input columns.
    pub inputs: PrimaryMap<Col, Input>,
    /// The parameters.
    pub params: PrimaryMap<Param, ParamDef>,
    /// Domains beyond the schema's, made at launch: the symbols of their parts in order, each once. The codes of
    /// a domain that comes first stay as they are; where none does, the null symbol comes first.
    pub domains: BTreeMap<DomainId, Vec<Part>>,
    /// The nodes, in an order of evaluation.
    pub nodes: PrimaryMap<Node, NodeDef>,
    /// The place in the query's tree that a node came from, for messages and the textual form.
    pub places: FxHashMap<Node, q::path::Path>,
    /// The results, in order.
    pub outputs: Vec<Output>,
    /// What the results make.
    pub shape: Option<Shape>,
    /// What makes each result of a recurrence: an atom, of arguments that are atoms; the one output of its graph.
    pub steps: Vec<Graph>,
    /// Float sums carry along what each addition rounded away. With `u` = 2⁻⁵³, that of `n` floats is within
    /// `u·|Σx| + (n·u)²·Σ|x|` of the true sum `Σx`.
    pub compensated: bool,
}

impl Default for Graph {
    /// The graph that holds nothing but `d0`.
    fn default() -> Graph {
        let mut dims = PrimaryMap::new();
        let one = dims.push(DimDef::One);
        debug_assert_eq!(one, Dim::ONE);
        Graph {
            dims,
            inputs: PrimaryMap::new(),
            params: PrimaryMap::new(),
            domains: BTreeMap::new(),
            nodes: PrimaryMap::new(),
            places: FxHashMap::default(),
            outputs: vec![],
            shape: None,
            steps: vec![],
            compensated: false,
        }
    }
}

impl Graph {
    /// The type of `n`.
    pub fn ty(&self, n: Node) -> Ty {
        self.nodes[n].ty
    }

    /// Are codes of the domain `from` codes of the same symbols in `into`?
    pub fn extends(&self, into: Option<DomainId>, from: Option<DomainId>) -> bool {
        if into == from {
            return true;
        }
        if from.is_none() {
            return false;
        }
        let Some(parts) = into.and_then(|d| self.domains.get(&d)) else { return false };
        matches!(parts.first(), Some(Part::Domain(first)) if Some(*first) == from)
    }

    /// Are the items of `n` in ascending order, which q's `s#` says? Those of the one key of groups are, and those of
    /// a list that is sorted whole.
    pub fn ascends(&self, n: Node) -> bool {
        let NodeDef { op, ref args, ty, .. } = self.nodes[n];
        let keys = match &self.dims[ty.dim] {
            DimDef::Groups { keys, .. } => &keys[..],
            _ => &[],
        };
        match op {
            Op::Key(_) => keys.len() == 1,
            // A key that is a float is that of the group's first row.
            Op::Agg(q::Prim::First) => keys.len() == 1 && args[..] == *keys,
            Op::Keep => self.sorted_in(args[0]) == Some(ty.dim),
            _ => self.sorted_in(n).is_some_and(|lists| !matches!(self.dims[lists], DimDef::Groups { .. })),
        }
    }

    /// Is each of the lists of `n` in ascending order?
    pub fn each_ascends(&self, n: Node) -> bool {
        let &DimDef::Lists { groups, .. } = &self.dims[self.ty(n).dim] else { return false };
        let Some(&(mut whole)) = self.nodes[n].args.first() else { return false };
        let rows = self.rows_of(groups);
        while self.nodes[whole].op == Op::Keep
            && (self.ty(whole).dim == rows || self.is_run(self.ty(whole).dim))
        {
            whole = self.nodes[whole].args[0];
        }
        self.sorted_in(whole) == Some(groups)
    }

    /// Are the rows of a `kept` dim those between two places of their lists?
    fn is_run(&self, kept: Dim) -> bool {
        let DimDef::Kept { mask, .. } = self.dims[kept] else { return false };
        let of_place = |n: Node| {
            let first = self.nodes[n].args.first();
            first.is_some_and(|x| matches!(self.nodes[*x].op, Op::Scan(q::Prim::Til, _)))
        };
        let def = &self.nodes[mask];
        match def.op {
            Op::Map(q::Prim::Lesser) => def.args.iter().all(|&x| of_place(x)),
            Op::Cond => def.args[1..].iter().all(|&x| of_place(x)),
            _ => false,
        }
    }

    /// The lists whose items `n` has in ascending order, if it sorts by them.
    fn sorted_in(&self, n: Node) -> Option<Dim> {
        let Op::Scan(q::Prim::Asc, lists) = self.nodes[n].op else { return None };
        // Others than the keys themselves are in the keys' order, not their own.
        let [key, x] = self.nodes[n].args[..] else { return None };
        let ranks = self.nodes[key].op == Op::Lookup && self.nodes[key].args.first() == Some(&x);
        (key == x || ranks).then_some(lists)
    }

    /// Is `n` a sum that carries what its additions rounded away?
    pub fn is_compensated(&self, n: Node) -> bool {
        let def = &self.nodes[n];
        let floats =
            || def.args.iter().all(|&x| matches!(self.ty(x).kind.store(), q::Store::E | q::Store::F));
        self.compensated && def.op == Op::Agg(q::Prim::Sum) && floats()
    }

    /// Of a first or last item: which of them, the item, and which rows count if not all do. The item is read when its
    /// row is known.
    pub fn picked(&self, n: Node) -> Option<(q::Prim, Node, Option<Node>)> {
        let def = &self.nodes[n];
        match (def.op, &def.args[..]) {
            (Op::Agg(p @ (q::Prim::First | q::Prim::Last)), &[x, ref some @ ..]) => {
                Some((p, x, some.first().copied()))
            }
            _ => None,
        }
    }

    /// What an aggregate needs of every row: a count nothing, and a picked item only whether its row counts.
    pub fn added(&self, n: Node) -> &[Node] {
        let args = &self.nodes[n].args;
        match self.nodes[n].op {
            Op::Agg(q::Prim::Count) => &[],
            _ if self.picked(n).is_some() => &args[1..],
            _ => args,
        }
    }

    /// The place of `n`, or of no node in particular.
    pub fn place(&self, n: Node) -> q::path::Path {
        self.places.get(&n).cloned().unwrap_or_default()
    }
}
