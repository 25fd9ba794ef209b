//! What a run has at hand: columns, arguments and the results of its kernels so far; and how a program's
//! inputs are bound to them.

use super::agg::Total;
use super::fold::{element, word};
use super::program::{Index, Input, Program, bug};
use super::repr::{Repr, with_width};
use super::skip::Tile;
use super::tile::{Frame, LINE, Load, Slot, Table};
use crate::column::{Column, Elements};
use crate::device::{Arg, Launch, Output, bytes};
use bytemuck::Pod;
use compiler::ir::{Col, Dim, DimDef, Graph, Node, Op};
use q::{Buf, Result};
use rustc_hash::FxHashMap;

/// The state of a run.
pub struct Env<'a> {
    /// The plan's graph.
    pub graph: &'a Graph,
    /// The run's inputs.
    pub launch: &'a Launch<'a>,
    /// Vectors that kernels wrote.
    pub vectors: FxHashMap<Node, Elements>,
    /// Atoms that kernels wrote.
    pub atoms: FxHashMap<Node, Total>,
    /// The group number of each row, by the groups' dim; -1 for a row in no group.
    pub ids: FxHashMap<Dim, Buf<i32>>,
    /// The code of each group, where values are found by that ([`codes`]).
    pub codes: FxHashMap<Dim, Vec<u16>>,
    /// How many groups a dim has.
    pub groups: FxHashMap<Dim, usize>,
    /// Where each list of a `lists` dim begins, and the end.
    pub starts: FxHashMap<Dim, Vec<usize>>,
}

/// A program's inputs in memory.
pub struct Bound<'a> {
    atoms: Vec<Slot>,
    loads: Vec<Load<'a>>,
    tables: Vec<Table<'a>>,
    tiles: Vec<Tile>,
}

impl Bound<'_> {
    /// A frame of the program that these were bound for.
    pub fn frame<'b>(&'b self, program: &Program) -> Frame<'b> {
        Frame::new(program.widths(), &self.atoms, &self.loads, &self.tables, &self.tiles)
    }
}

impl<'a> Env<'a> {
    /// The state before the first kernel.
    pub fn new(graph: &'a Graph, launch: &'a Launch<'a>) -> Env<'a> {
        Env {
            graph,
            launch,
            vectors: FxHashMap::default(),
            atoms: FxHashMap::default(),
            ids: FxHashMap::default(),
            codes: FxHashMap::default(),
            groups: FxHashMap::default(),
            starts: FxHashMap::default(),
        }
    }

    /// How many rows a loop over `dim` has.
    pub fn rows(&self, dim: Dim) -> Result<usize> {
        match &self.graph.dims[dim] {
            DimDef::One => Ok(1),
            DimDef::Rows => Ok(self.launch.rows),
            DimDef::Given(p) => match &self.launch.args[p.as_u32() as usize] {
                Arg::List(data) => Ok(data.len()),
                Arg::Keys(keys) => Ok(keys.len()),
                Arg::Bits(bits) => Ok(bits.len()),
                Arg::Atom(_) => Ok(1),
            },
            DimDef::Groups { .. } => {
                self.groups.get(&dim).copied().ok_or_else(|| bug(format!("{dim} is not known yet")))
            }
            DimDef::Lists { .. } => {
                let starts = self.starts.get(&dim).and_then(|s| s.last());
                starts.copied().ok_or_else(|| bug(format!("{dim} is not known yet")))
            }
            DimDef::Kept { .. } => Err(bug(format!("{dim} is filtered, so no loop runs over it"))),
        }
    }

    /// A program's inputs.
    pub fn bind(&self, program: &Program) -> Result<Bound<'_>> {
        let loads = program.loads.iter().map(|&i| self.load(i)).collect::<Result<_>>()?;
        let tiles = program.skip.as_ref().map_or(Ok(vec![]), |skip| skip.tiles(self))?;
        Ok(Bound { loads, tiles, ..self.bind_rest(program)? })
    }

    /// The inputs of a program of columns and atoms, where `load` has what stands for a column.
    pub fn bind_columns<'b>(
        &'b self,
        program: &Program,
        load: impl Fn(Col) -> Result<(&'b [u8], usize)>,
    ) -> Result<Bound<'b>> {
        let load = |input: &Input| match *input {
            Input::Node(n) if let Op::Col(c) = self.graph.nodes[n].op => {
                load(c).map(|(bytes, width)| Load { bytes, width })
            }
            _ => Err(bug("a program of columns reads something else")),
        };
        let loads = program.loads.iter().map(load).collect::<Result<_>>()?;
        Ok(Bound { loads, ..self.bind_rest(program)? })
    }

    /// A program's inputs but what it reads row by row.
    fn bind_rest(&self, program: &Program) -> Result<Bound<'_>> {
        Ok(Bound {
            atoms: program.atoms.iter().map(|&n| self.line(n)).collect::<Result<_>>()?,
            loads: vec![],
            tables: program.tables.iter().map(|&i| self.table(i)).collect::<Result<_>>()?,
            tiles: vec![],
        })
    }

    /// The bytes of an atom.
    pub fn atom(&self, n: Node) -> Result<Total> {
        if let Some(&total) = self.atoms.get(&n) {
            return Ok(total);
        }
        let def = &self.graph.nodes[n];
        match def.op {
            Op::Null => Ok(word(bytes::null(def.ty.kind))),
            Op::Param(p) => match &self.launch.args[p.as_u32() as usize] {
                Arg::Atom(atom) => Ok(word(bytes::of(atom.raw, def.ty.kind))),
                _ => Err(bug(format!("{n} is no atom"))),
            },
            _ => Err(bug(format!("the atom {n} has no value yet"))),
        }
    }

    /// An atom as a line of equal elements.
    fn line(&self, n: Node) -> Result<Slot> {
        let (total, width) = (self.atom(n)?, Repr::of(self.graph, n).width());
        let mut slot = Slot::new(LINE, width);
        with_width!(width, T => slot.lines_mut::<T>()[0].fill(element(&total)));
        Ok(slot)
    }

    fn load(&self, input: Input) -> Result<Load<'_>> {
        match input {
            Input::Node(n) => {
                let width = Repr::of(self.graph, n).width();
                match self.elements(n)? {
                    (bytes, had) if had == width => Ok(Load { bytes, width }),
                    _ => Err(bug(format!("{n} has elements of another width than the plan says"))),
                }
            }
            Input::Ids(dim) => match self.ids.get(&dim) {
                Some(ids) => Ok(Load { bytes: bytemuck::cast_slice(ids), width: 4 }),
                None => Err(bug(format!("the groups of {dim} have no numbers"))),
            },
        }
    }

    /// The memory of a vector, and its elements' width.
    pub fn elements(&self, n: Node) -> Result<(&[u8], usize)> {
        let found = match self.graph.nodes[n].op {
            Op::Col(c) => self.launch.inputs[c.as_u32() as usize].elements()?.bytes(),
            Op::Param(p) => match &self.launch.args[p.as_u32() as usize] {
                Arg::List(data) => q::each_data!(data, v => flat(v)),
                _ => None,
            },
            _ => self.vectors.get(&n).and_then(Elements::bytes),
        };
        found.ok_or_else(|| bug(format!("the vector {n} is not in memory")))
    }

    fn table(&self, index: Index) -> Result<Table<'_>> {
        match index {
            Index::Node(n) => Ok(Table::Lent(self.elements(n)?.0)),
            Index::Coded(n) => self.by_code(n).map(Table::Made),
            Index::Param(p) => Ok(Table::Lent(match &self.launch.args[p.as_u32() as usize] {
                Arg::List(data) => q::each_data!(data, v => bytemuck::cast_slice(v)),
                Arg::Keys(keys) => bytemuck::cast_slice(keys),
                Arg::Bits(bits) => bits,
                Arg::Atom(_) => return Err(bug(format!("{p} is no list"))),
            })),
        }
    }

    /// The groups' values `n` by the codes of their key; nulls for codes of no group.
    fn by_code(&self, n: Node) -> Result<Buf<u8>> {
        let ty = self.graph.ty(n);
        let codes = self.codes.get(&ty.dim).ok_or_else(|| bug(format!("the groups of {n} have no codes")))?;
        let (values, width) = self.elements(n)?;
        let size = codes.iter().max().map_or(0, |&most| most as usize + 1);
        let mut made = Buf::from_slice(&bytes::null(ty.kind)[..width].repeat(size));
        let table = made.make_mut();
        for (&code, value) in codes.iter().zip(values.chunks_exact(width)) {
            table[code as usize * width..][..width].copy_from_slice(value);
        }
        Ok(made)
    }

    /// Runs a program of atoms and keeps the values of `roots`.
    pub fn compute(&mut self, program: &Program, roots: &[Node]) -> Result<()> {
        let values: Vec<(Node, Total)> = {
            let bound = self.bind(program)?;
            let mut frame = bound.frame(program);
            frame.seek(0, 1);
            program.run(&mut frame);
            let value = |&n: &Node| {
                let width = Repr::of(self.graph, n).width();
                (n, with_width!(width, T => word(*frame.src::<T>(program.at(n)).at(0))))
            };
            roots.iter().map(value).collect()
        };
        self.atoms.extend(values);
        Ok(())
    }

    /// The result that an output of the plan names.
    pub fn output(&self, n: Node) -> Result<Output> {
        let def = &self.graph.nodes[n];
        let domain = def.ty.domain.map(|d| self.launch.domains[d.0 as usize].clone());
        match def.op {
            Op::Col(c) => return Ok(Output::Column(self.launch.inputs[c.as_u32() as usize].clone())),
            Op::Param(p) => match &self.launch.args[p.as_u32() as usize] {
                Arg::Atom(atom) if def.ty.domain.is_none() => return Ok(Output::Atom(atom.clone())),
                Arg::List(data) => return Ok(bytes::list(def.ty.kind, data, domain)),
                _ => {}
            },
            _ => {}
        }
        if def.ty.dim != Dim::ONE {
            let elements =
                self.vectors.get(&n).ok_or_else(|| bug(format!("the output {n} was not written")))?;
            let column = Column::new(def.ty.kind, elements.clone(), domain);
            return Ok(Output::Column(match self.starts.get(&def.ty.dim) {
                Some(starts) => column.cut(starts)?,
                None => column,
            }));
        }
        let total = self.atom(n)?;
        bytes::atom(def.ty.kind, element(&total), domain)
    }
}

fn flat<T: Pod>(items: &[T]) -> Option<(&[u8], usize)> {
    Some((bytemuck::cast_slice(items), size_of::<T>()))
}
