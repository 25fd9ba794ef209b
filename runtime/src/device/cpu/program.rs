//! A kernel's body made ready: a flat list of steps over slots, with each slot reused as soon as its value is
//! dead. Prepared once a plan; bound to columns and arguments at each launch.

use super::compare;
use super::divide;
use super::ops::{self, Step};
use super::repr::{Repr, codes, with_width};
use super::skip::Skip;
use super::tile::{At, Frame};
use crate::device::bytes::null;
use compiler::ir::{Dim, DimDef, Graph, Node, Op, Param};
use q::scalar::cast::{Cast, cast};
use q::{Error, Kind, Prim, Result, Store};
use rustc_hash::{FxHashMap, FxHashSet};

/// A vector that is read row by row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// A column, a list parameter, or what an earlier kernel wrote for this node.
    Node(Node),
    /// The group number of each row, among the groups of this dim.
    Ids(Dim),
}

/// Something that steps index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Index {
    /// A list or set parameter.
    Param(Param),
    /// A vector over groups.
    Node(Node),
    /// A vector over groups by the codes of their key.
    Coded(Node),
}

/// A straight-line program over one tile.
#[derive(Default)]
pub struct Program {
    steps: Vec<Step>,
    /// How many steps make the masks.
    masking: usize,
    widths: Vec<usize>,
    /// What to bind as loads.
    pub loads: Vec<Input>,
    /// What to bind as atoms.
    pub atoms: Vec<Node>,
    /// What to bind as tables.
    pub tables: Vec<Index>,
    /// What tells tiles whose masks need not be computed.
    pub skip: Option<Box<Skip>>,
    at: FxHashMap<Node, At>,
}

impl Program {
    /// Slots of a frame for this program: their widths in bytes.
    pub fn widths(&self) -> &[usize] {
        &self.widths
    }

    /// Where a root's value is once the program has run.
    pub fn at(&self, n: Node) -> At {
        self.at[&n]
    }

    /// Computes everything for the frame's tile.
    pub fn run(&self, frame: &mut Frame) {
        self.steps.iter().for_each(|step| step(frame));
    }

    /// True if it computes nothing.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// True if it computes nothing but masks.
    pub fn is_masks(&self) -> bool {
        self.masking == self.steps.len()
    }

    /// Computes the masks for the frame's tile.
    pub fn run_masks(&self, frame: &mut Frame) {
        self.steps[..self.masking].iter().for_each(|step| step(frame));
    }

    /// Computes what is left once the masks are.
    pub fn run_rest(&self, frame: &mut Frame) {
        self.steps[self.masking..].iter().for_each(|step| step(frame));
    }
}

/// A bug in the plan: an engine met what a verified plan never holds.
pub fn bug(what: impl Into<String>) -> Error {
    Error::new("internal").detail(what)
}

/// What the nodes of a program may take as given.
pub struct Given<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// Vectors in memory.
    pub loads: &'a [Node],
    /// Atoms that have their value; without a list, all have.
    pub atoms: Option<&'a [Node]>,
}

impl Given<'_> {
    /// The node whose value `n` is: rows that do not pass are simply ignored, a cast that keeps the bits only
    /// renames, and an atom's one line serves every row.
    pub fn base(&self, mut n: Node) -> Node {
        loop {
            let def = &self.graph.nodes[n];
            let moved = match def.op {
                _ if self.loads.contains(&n) || self.is_atom(n) => false,
                Op::Keep => true,
                Op::Spread => self.graph.ty(def.args[0]).dim == Dim::ONE,
                Op::Cast => cast(self.graph.ty(def.args[0]).kind, def.ty.kind) == Some(Cast::Keep),
                _ => false,
            };
            if !moved {
                return n;
            }
            n = def.args[0];
        }
    }

    /// True for an atom that has its value.
    pub fn is_atom(&self, n: Node) -> bool {
        self.graph.ty(n).dim == Dim::ONE && self.atoms.is_none_or(|known| known.contains(&n))
    }

    /// The program that computes `roots`.
    pub fn program(&self, roots: &[Node]) -> Result<Program> {
        self.masked(&[], roots)
    }

    /// The program that computes `masks` first and then `roots`.
    pub fn masked(&self, masks: &[Node], roots: &[Node]) -> Result<Program> {
        let mut seen = FxHashSet::default();
        let first = self.closure(masks, &mut seen);
        let second = self.closure(roots, &mut seen);
        let order: Vec<Node> = first.iter().chain(&second).copied().collect();
        let mut last: FxHashMap<Node, usize> = FxHashMap::default();
        for (i, &n) in order.iter().enumerate() {
            for a in self.row_args(n) {
                last.insert(a, i);
            }
        }
        for &r in masks.iter().chain(roots) {
            last.insert(self.base(r), usize::MAX);
        }
        let mut make = Maker { given: self, program: Program::default(), free: FxHashMap::default() };
        for (i, &n) in order.iter().enumerate() {
            if i == first.len() {
                make.program.masking = make.program.steps.len();
            }
            make.node(n)?;
            for a in self.row_args(n) {
                if last.get(&a) == Some(&i) {
                    last.remove(&a);
                    make.release(a);
                }
            }
        }
        if second.is_empty() {
            make.program.masking = make.program.steps.len();
        }
        for &r in masks.iter().chain(roots) {
            make.place(r)?;
        }
        make.program.skip = Skip::new(self, masks)?.map(Box::new);
        Ok(make.program)
    }

    /// The program that compares vectors with atoms, and where the results are.
    pub fn compare(&self, pairs: &[(Prim, Node, Node)]) -> Result<(Program, Vec<At>)> {
        let roots: Vec<Node> = pairs.iter().map(|pair| pair.1).collect();
        let mut make = Maker { given: self, program: Program::default(), free: FxHashMap::default() };
        for n in self.closure(&roots, &mut FxHashSet::default()) {
            make.node(n)?;
        }
        let mut at = vec![];
        for &(p, x, y) in pairs {
            let (out, step) = make.map(p, &[x, y], 1)?;
            make.program.steps.push(step.ok_or_else(|| bug(format!("{p:?} compares nothing such")))?);
            at.push(At::Slot(out));
        }
        Ok((make.program, at))
    }

    /// What must be computed for `roots` and is not in `seen` yet, arguments first.
    fn closure(&self, roots: &[Node], seen: &mut FxHashSet<Node>) -> Vec<Node> {
        let mut order = vec![];
        let mut stack: Vec<Node> = roots.iter().map(|&r| self.base(r)).collect();
        while let Some(n) = stack.pop() {
            if !self.is_atom(n) && !self.loads.contains(&n) && seen.insert(n) {
                order.push(n);
                stack.extend(self.row_args(n));
            }
        }
        // Arguments have lower ids than their users, so the order of ids is an order of evaluation.
        order.sort_unstable();
        order
    }

    /// The values that `n` reads at each row.
    fn row_args(&self, n: Node) -> Vec<Node> {
        let def = &self.graph.nodes[n];
        let args = match def.op {
            Op::Member | Op::Lookup | Op::Bin | Op::Binr => vec![def.args[0]],
            Op::Place => {
                let masks = self.graph.masks(self.graph.ty(def.args[0]).dim);
                let before = self.graph.masks(def.ty.dim).len();
                masks.into_iter().skip(before).chain(def.args.iter().copied()).collect()
            }
            // The group's values are a table, the group numbers an input of their own.
            Op::Spread => vec![],
            _ => def.args.clone(),
        };
        args.into_iter().map(|a| self.base(a)).collect()
    }
}

/// Turns nodes into steps and hands out slots.
struct Maker<'a> {
    given: &'a Given<'a>,
    program: Program,
    free: FxHashMap<usize, Vec<usize>>,
}

fn find<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter().position(|had| *had == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

impl Maker<'_> {
    fn slot(&mut self, width: usize) -> usize {
        if let Some(slot) = self.free.get_mut(&width).and_then(Vec::pop) {
            return slot;
        }
        self.program.widths.push(width);
        self.program.widths.len() - 1
    }

    fn release(&mut self, n: Node) {
        if let Some(At::Slot(s)) = self.program.at.get(&n).copied() {
            self.free.entry(self.program.widths[s]).or_default().push(s);
        }
    }

    /// Where the value of `n` is.
    fn place(&mut self, n: Node) -> Result<At> {
        if let Some(&at) = self.program.at.get(&n) {
            return Ok(at);
        }
        let base = self.given.base(n);
        let at = if self.given.is_atom(base) {
            At::Atom(find(&mut self.program.atoms, base))
        } else if self.given.loads.contains(&base) {
            At::Load(find(&mut self.program.loads, Input::Node(base)))
        } else if base != n {
            self.place(base)?
        } else {
            return Err(bug(format!("{n} is used before it is made")));
        };
        self.program.at.insert(n, at);
        Ok(at)
    }

    fn repr(&self, n: Node) -> Repr {
        Repr::of(self.given.graph, n)
    }

    /// The value of a symbol node as codes of four bytes, and of any other as it is.
    fn wide(&mut self, n: Node) -> Result<At> {
        let x = self.place(n)?;
        let repr = self.repr(self.given.base(n));
        if !matches!(repr, Repr::Codes8 | Repr::Codes16) {
            return Ok(x);
        }
        let out = self.slot(4);
        self.program.steps.push(match repr {
            Repr::Codes8 => ops::unary(|c: u8| c as u32, x, out),
            _ => ops::unary(|c: u16| c as u32, x, out),
        });
        Ok(At::Slot(out))
    }

    /// Gives the slots that [`Maker::wide`] took back.
    fn narrow(&mut self, n: Node, at: At) {
        if let At::Slot(s) = at
            && self.program.at.get(&n) != Some(&at)
        {
            self.free.entry(self.program.widths[s]).or_default().push(s);
        }
    }

    /// An elementwise function.
    fn map(&mut self, p: Prim, args: &[Node], width: usize) -> Result<(usize, Option<Step>)> {
        let at = args.iter().map(|&a| self.wide(a)).collect::<Result<Vec<_>>>()?;
        let out = self.slot(width);
        for (&a, &at) in args.iter().zip(&at) {
            self.narrow(a, at);
        }
        let kind = self.element_kind(p, args);
        let step = divide::by_atom(p, kind, &at, out)
            .or_else(|| compare::by_atom(p, kind, &at, out))
            .or_else(|| ops::map(p, kind, &at, out));
        Ok((out, step))
    }

    fn node(&mut self, n: Node) -> Result<()> {
        let g = self.given.graph;
        let def = &g.nodes[n];
        let args = &def.args;
        let width = self.repr(n).width();
        let (out, step) = match def.op {
            Op::Row => {
                let out = self.slot(8);
                (out, Some(ops::row(out)))
            }
            Op::Map(p) => self.map(p, args, width)?,
            Op::Cast => {
                let x = self.place(args[0])?;
                let out = self.slot(width);
                (out, ops::cast(g.ty(args[0]).kind, def.ty.kind, x, out))
            }
            Op::Cond => {
                let b = self.place(args[0])?;
                let (x, y) = (self.wide(args[1])?, self.wide(args[2])?);
                let out = self.slot(width);
                self.narrow(args[1], x);
                self.narrow(args[2], y);
                (out, Some(with_width!(width, T => ops::cond::<T>(b, x, y, out))))
            }
            Op::Spread => self.spread(n, width)?,
            Op::Place => self.put(n, width)?,
            Op::Member => self.member(n)?,
            Op::Bin | Op::Binr => self.search(n)?,
            Op::Lookup if g.ty(args[0]).domain.is_none() || def.ty.kind.store() == Store::J => {
                self.item(n, width)?
            }
            Op::Lookup => {
                let (x, table) = (self.place(args[0])?, self.table(args[1])?);
                let repr = self.repr(self.given.base(args[0]));
                let none = match def.ty.kind {
                    // The null index of an enum is the null symbol, whose code is 0.
                    Kind::Sym if repr == Repr::Plain(Store::J) => 0,
                    Kind::Sym => u32::MAX,
                    _ => i32::MIN as u32,
                };
                let out = self.slot(4);
                (
                    out,
                    match repr {
                        Repr::Codes8 => Some(ops::lookup::<u8>(x, table, none, out)),
                        Repr::Codes16 => Some(ops::lookup::<u16>(x, table, none, out)),
                        Repr::Plain(Store::J) => Some(ops::lookup::<i64>(x, table, none, out)),
                        _ => Some(ops::lookup::<u32>(x, table, none, out)),
                    },
                )
            }
            Op::Col(_)
            | Op::Param(_)
            | Op::Null
            | Op::Keep
            | Op::Agg(_)
            | Op::Key(_)
            | Op::Scan(..)
            | Op::Steps(..)
            | Op::Argument(_)
            | Op::List => {
                return Err(bug(format!(
                    "{n} is not made by this kernel and was not written by an earlier one"
                )));
            }
        };
        let step = step.ok_or_else(|| bug(format!("no element function for {n}: {:?}", def.op)))?;
        self.program.steps.push(step);
        self.program.at.insert(n, At::Slot(out));
        Ok(())
    }

    /// The kind whose element function a map runs: that of its arguments, once they are cast. Codes compare as
    /// integers; their null is that of names.
    fn element_kind(&self, p: Prim, args: &[Node]) -> Kind {
        let kinds: Vec<Kind> = args.iter().map(|&a| self.given.graph.ty(a).kind).collect();
        match kinds.iter().find(|k| **k == Kind::Sym) {
            Some(_) if matches!(p, Prim::Eq | Prim::Ne | Prim::Le | Prim::Ge) => Kind::Int,
            Some(sym) => *sym,
            None => kinds[0],
        }
    }

    fn table(&mut self, n: Node) -> Result<usize> {
        match self.given.graph.nodes[n].op {
            Op::Param(p) => Ok(find(&mut self.program.tables, Index::Param(p))),
            _ => Err(bug(format!("{n} is used as a table and is no parameter"))),
        }
    }

    fn member(&mut self, n: Node) -> Result<(usize, Option<Step>)> {
        let args = &self.given.graph.nodes[n].args;
        let (x, set) = (self.place(args[0])?, self.table(args[1])?);
        let out = self.slot(1);
        let kind = self.given.graph.ty(args[0]).kind;
        let step = match self.repr(self.given.base(args[0])) {
            Repr::Codes8 => ops::member_code::<u8>(x, set, out),
            Repr::Codes16 => ops::member_code::<u16>(x, set, out),
            Repr::Plain(Store::S) => ops::member_code::<u32>(x, set, out),
            Repr::Plain(Store::J) if kind == Kind::Enum => ops::member_code::<i64>(x, set, out),
            Repr::Plain(Store::B) => ops::member::<u8>(x, set, out),
            Repr::Plain(Store::H) => ops::member::<i16>(x, set, out),
            Repr::Plain(Store::I) => ops::member::<i32>(x, set, out),
            Repr::Plain(Store::J) => ops::member::<i64>(x, set, out),
            Repr::Plain(Store::E) => ops::member::<f32>(x, set, out),
            Repr::Plain(Store::F) => ops::member::<f64>(x, set, out),
            Repr::Plain(Store::G) => ops::member_guid(x, set, out),
        };
        Ok((out, Some(step)))
    }

    /// The item of a list at each position, or of a wide table for each code.
    fn item(&mut self, n: Node, width: usize) -> Result<(usize, Option<Step>)> {
        let g = self.given.graph;
        let args = &g.nodes[n].args;
        let (x, table) = (self.place(args[0])?, self.table(args[1])?);
        let none = Aligned(null(g.ty(n).kind));
        let repr = self.repr(self.given.base(args[0]));
        let out = self.slot(width);
        let step = with_width!(width, T => {
            let none: T = *bytemuck::from_bytes(&none.0[..width]);
            match repr {
                Repr::Codes8 => ops::item::<u8, T>(x, table, none, out),
                Repr::Codes16 => ops::item::<u16, T>(x, table, none, out),
                Repr::Plain(Store::S) => ops::item::<u32, T>(x, table, none, out),
                _ => ops::item::<i64, T>(x, table, none, out),
            }
        });
        Ok((out, Some(step)))
    }

    /// A position among sorted keys.
    fn search(&mut self, n: Node) -> Result<(usize, Option<Step>)> {
        let def = &self.given.graph.nodes[n];
        let (x, keys, right) = (self.place(def.args[0])?, self.table(def.args[1])?, def.op == Op::Binr);
        let out = self.slot(8);
        let step = match self.given.graph.ty(def.args[0]).kind.store() {
            Store::B => ops::search::<u8>(x, keys, right, out),
            Store::H => ops::search::<i16>(x, keys, right, out),
            Store::I => ops::search::<i32>(x, keys, right, out),
            Store::J => ops::search::<i64>(x, keys, right, out),
            Store::E => ops::search::<f32>(x, keys, right, out),
            Store::F => ops::search::<f64>(x, keys, right, out),
            Store::G | Store::S => return Err(bug(format!("{n} searches what has no keys"))),
        };
        Ok((out, Some(step)))
    }

    /// `new` where every mask of its dim holds, else `old`.
    fn put(&mut self, n: Node, width: usize) -> Result<(usize, Option<Step>)> {
        let args = self.given.row_args(n);
        let [masks @ .., new, old] = args.as_slice() else {
            return Err(bug(format!("{n} places without values")));
        };
        let masks = masks.iter().map(|&m| self.place(m)).collect::<Result<Vec<_>>>()?;
        let (x, y) = (self.wide(*new)?, self.wide(*old)?);
        // One slot holds the conjunction so far; it is given back once the values are chosen.
        let all = self.slot(1);
        for (i, &mask) in masks.iter().enumerate().skip(1) {
            let before = if i == 1 { masks[0] } else { At::Slot(all) };
            self.program.steps.push(ops::both(before, mask, all));
        }
        let test = if masks.len() > 1 { At::Slot(all) } else { masks[0] };
        let out = self.slot(width);
        self.free.entry(1).or_default().push(all);
        self.narrow(*new, x);
        self.narrow(*old, y);
        Ok((out, Some(with_width!(width, T => ops::cond::<T>(test, x, y, out)))))
    }

    fn spread(&mut self, n: Node, width: usize) -> Result<(usize, Option<Step>)> {
        let g = self.given.graph;
        let x = g.nodes[n].args[0];
        let from = g.ty(x);
        if !matches!(g.dims[from.dim], DimDef::Groups { .. }) {
            return Err(bug(format!("{n} spreads what is no group's")));
        }
        let none = Aligned(null(from.kind));
        if let Some(key) = codes(g, from.dim) {
            let values = find(&mut self.program.tables, Index::Coded(x));
            let (key, repr) = (At::Load(find(&mut self.program.loads, Input::Node(key))), Repr::of(g, key));
            let out = self.slot(width);
            let step = with_width!(width, T => {
                let none: T = *bytemuck::from_bytes(&none.0[..width]);
                match repr {
                    Repr::Codes8 => ops::item::<u8, T>(key, values, none, out),
                    _ => ops::item::<u16, T>(key, values, none, out),
                }
            });
            return Ok((out, Some(step)));
        }
        let values = find(&mut self.program.tables, Index::Node(x));
        let ids = At::Load(find(&mut self.program.loads, Input::Ids(from.dim)));
        let out = self.slot(width);
        let step = with_width!(width, T => {
            ops::spread::<T>(values, ids, *bytemuck::from_bytes(&none.0[..width]), out)
        });
        Ok((out, Some(step)))
    }
}

/// Bytes that any element type may be read from.
#[repr(C, align(16))]
struct Aligned([u8; 16]);
