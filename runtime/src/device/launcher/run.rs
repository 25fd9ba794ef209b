//! One run of a plan: what is in the machine's memory, and the launches of the skeletons without groups.

use super::memory::Memory;
use super::sort::Keyed;
use super::{ACCUMULATOR, Block, CHUNK, Machine, PARTS, Word, word};
use crate::column::{Column, Domain, Elements};
use crate::device::{Arg, Launch, Output, bytes};
use compiler::emit::{Entry, Slot, Unit};
use compiler::ir::{Dim, DimDef, Graph, Node, Op, Param};
use compiler::plan::{Kernel, KernelDef, Plan, Skeleton};
use q::{Buf, Error, Result};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A broken invariant of ours, as an error.
pub(super) fn bug(what: impl Into<String>) -> Error {
    Error::new("internal").detail(what)
}

/// How many chunks a Reduce cuts `rows` rows into, as `chunk_bits` in `reduce.cuh` says.
fn chunks(rows: usize) -> usize {
    let mut bits = CHUNK;
    while PARTS << bits < rows {
        bits += 1;
    }
    rows.div_ceil(1 << bits)
}

/// The groups of rows, by row: their numbers in four bytes or, where there are places, their slots in two.
#[derive(Clone, Copy)]
pub(super) struct Ids {
    pub ids: Block,
    /// The number of each slot's group.
    pub places: Option<Block>,
}

impl Ids {
    /// The arguments that a kernel finds the groups by.
    pub fn words(self) -> [Word; 2] {
        [word(self.ids.address), word(self.places.map_or(0, |p| p.address))]
    }
}

/// The state of a run.
pub(super) struct Run<'a> {
    pub memory: Memory<'a>,
    pub plan: &'a Plan,
    unit: &'a Unit,
    launch: &'a Launch<'a>,
    /// Vectors and atoms in the machine's memory.
    nodes: FxHashMap<Node, Block>,
    params: FxHashMap<Param, Block>,
    /// The group of each row, by the groups' dim.
    pub ids: FxHashMap<Dim, Ids>,
    /// Can the plan's rare entries be launched?
    rare: bool,
    /// How many items a dim has that only a run can tell.
    pub counts: FxHashMap<Dim, usize>,
    /// Where each list of a `lists` dim begins, and the end: `i64`.
    pub starts: FxHashMap<Dim, Block>,
    /// The rows in the order of groups.
    pub sorted: FxHashMap<Dim, Keyed>,
}

impl<'a> Run<'a> {
    /// The state before the first kernel.
    pub fn new(machine: &'a mut dyn Machine, plan: &'a Plan, unit: &'a Unit, launch: &'a Launch<'a>) -> Self {
        Run {
            memory: Memory::new(machine),
            plan,
            unit,
            launch,
            nodes: FxHashMap::default(),
            params: FxHashMap::default(),
            ids: FxHashMap::default(),
            rare: false,
            counts: FxHashMap::default(),
            starts: FxHashMap::default(),
            sorted: FxHashMap::default(),
        }
    }

    /// Runs every kernel and takes the outputs.
    pub fn all(&mut self) -> Result<Vec<Output>> {
        let plan = self.plan;
        for (kernel, def) in plan.kernels.iter() {
            let rows = self.length(def.over)?;
            match def.skeleton {
                Skeleton::Map => self.map(kernel, def, rows)?,
                Skeleton::Reduce => self.reduce(kernel, def, rows)?,
                Skeleton::Compact => self.compact(kernel, def, rows)?,
                Skeleton::Group => self.group(kernel, def, rows)?,
                Skeleton::Scan => self.scan(kernel, def, rows)?,
                Skeleton::Member => self.member(kernel, def, rows)?,
                Skeleton::List => self.list(kernel, def, rows)?,
                Skeleton::Select => self.select(def)?,
            }
            self.forget_orders(kernel)?;
            for dead in plan.dead_after(kernel) {
                if let Some(block) = self.nodes.remove(&dead) {
                    self.memory.release(block)?;
                }
            }
        }
        plan.graph.outputs.iter().map(|o| self.output(o.node)).collect()
    }

    pub fn graph(&self) -> &'a Graph {
        &self.plan.graph
    }

    /// How many items a vector over `dim` has.
    pub fn length(&self, dim: Dim) -> Result<usize> {
        match &self.graph().dims[dim] {
            DimDef::One => Ok(1),
            DimDef::Rows => Ok(self.launch.rows),
            DimDef::Given(p) => Ok(self.items(*p).1),
            _ => self
                .counts
                .get(&dim)
                .copied()
                .ok_or_else(|| bug(format!("the length of {dim} is not known yet"))),
        }
    }

    /// The bytes of a list parameter's items, and how many there are.
    pub fn items(&self, p: Param) -> (&'a [u8], usize) {
        match &self.launch.args[p.as_u32() as usize] {
            Arg::List(data) => (q::each_data!(data, v => bytemuck::cast_slice(v)), data.len()),
            Arg::Keys(keys) => (bytemuck::cast_slice(keys), keys.len()),
            Arg::Bits(bits) => (bits, bits.len()),
            Arg::Atom(_) => (&[], 0),
        }
    }

    fn param(&mut self, p: Param) -> Result<Block> {
        if let Some(&block) = self.params.get(&p) {
            return Ok(block);
        }
        let block = self.memory.upload(&format!("{p}"), self.items(p).0)?;
        self.params.insert(p, block);
        Ok(block)
    }

    /// Where a value is in memory; columns and lists are copied there when they are first needed.
    pub fn node(&mut self, n: Node) -> Result<Block> {
        if let Some(&block) = self.nodes.get(&n) {
            return Ok(block);
        }
        let block = match self.graph().nodes[n].op {
            Op::Col(c) => {
                let input = self.launch.inputs.get(c.as_u32() as usize);
                let input = input.ok_or_else(|| bug(format!("the column of {n} is missing")))?;
                if input.width() != Some(self.graph().width(n)) {
                    return Err(bug(format!("{n} has elements of another width than the plan says")));
                }
                match self.memory.machine.resident(input)? {
                    Some(block) => block,
                    None => {
                        let Some((bytes, _)) = input.elements()?.bytes() else {
                            return Err(bug(format!("the column of {n} is not flat")));
                        };
                        let name = format!("{n} ({})", self.graph().inputs[c].name);
                        self.memory.upload(&name, bytes)?
                    }
                }
            }
            Op::Param(p) => self.param(p)?,
            _ => return Err(bug(format!("{n} is not in memory"))),
        };
        self.nodes.insert(n, block);
        Ok(block)
    }

    /// Room for the outputs of a kernel, `length` elements each.
    pub fn outputs(&mut self, def: &KernelDef, length: usize) -> Result<()> {
        for &n in &def.writes {
            let named = self.graph().outputs.iter().find(|o| o.node == n);
            let name = named.map_or_else(|| n.to_string(), |o| format!("{n} ({})", o.name));
            let block = self.memory.allocate(&name, length * self.graph().width(n))?;
            self.nodes.insert(n, block);
        }
        Ok(())
    }

    /// The entries of a kernel, in launch order.
    pub fn entries(&self, kernel: Kernel) -> Vec<&'a Entry> {
        self.unit.entries.iter().filter(|e| e.kernel == kernel).collect()
    }

    /// Makes the plan's rare entries ready to be launched.
    pub fn add_rare(&mut self) -> Result<()> {
        if !std::mem::replace(&mut self.rare, true) {
            self.memory.machine.add(&self.unit.rare_text(), self.unit.names(true))?;
        }
        Ok(())
    }

    /// Launches an entry of a plan's own. `rows` is what its loop runs over; `work` are its working memory and
    /// numbers by name. An output without room yet is passed as a null pointer.
    pub fn enter(&mut self, entry: &Entry, grid: u32, rows: usize, work: &[(&str, Word)]) -> Result<()> {
        let mut args = Vec::with_capacity(entry.slots.len());
        for &slot in &entry.slots {
            args.push(match slot {
                Slot::Rows => word(rows as i64),
                Slot::Load(n) | Slot::Gather(n) | Slot::Earlier(n) | Slot::Join(n) => {
                    word(self.node(n)?.address)
                }
                Slot::Ids(dim) => self.numbers(dim)?.words()[0],
                Slot::Places(dim) => self.numbers(dim)?.words()[1],
                Slot::Table(p) => word(self.param(p)?.address),
                Slot::Length(p) => word(self.items(p).1 as i64),
                Slot::Atom(n) => self.atom(n)?,
                Slot::Write(n) => word(self.nodes.get(&n).map_or(0, |b| b.address)),
                Slot::Work(name) => match work.iter().find(|w| w.0 == name) {
                    Some(w) => w.1,
                    None => return Err(bug(format!("{} has no {name}", entry.name))),
                },
            });
        }
        self.memory.machine.launch(&entry.name, grid, &args)
    }

    fn atom(&self, n: Node) -> Result<Word> {
        match self.graph().nodes[n].op {
            Op::Param(p) => match &self.launch.args[p.as_u32() as usize] {
                Arg::Atom(atom) => Ok(bytes::of(atom.raw, self.graph().ty(n).kind)),
                _ => Err(bug(format!("{n} is no atom"))),
            },
            _ => Err(bug(format!("{n} is no parameter"))),
        }
    }

    pub fn map(&mut self, kernel: Kernel, def: &KernelDef, rows: usize) -> Result<()> {
        self.outputs(def, rows)?;
        match self.entries(kernel)[..] {
            [entry] if rows > 0 => {
                let turns = rows.div_ceil(def.pack(self.graph()));
                self.enter(entry, self.memory.grid(turns), rows, &[])
            }
            [_] => Ok(()),
            _ => Err(bug("a map has one entry")),
        }
    }

    fn reduce(&mut self, kernel: Kernel, def: &KernelDef, rows: usize) -> Result<()> {
        self.outputs(def, 1)?;
        let [each, end] = self.entries(kernel)[..] else { return Err(bug("a reduction has two entries")) };
        let chunks = chunks(rows);
        let parts = self.memory.allocate("parts", chunks * (def.results.len() * ACCUMULATOR).max(8))?;
        let work = [("parts", word(parts.address))];
        if chunks > 0 {
            self.enter(each, (chunks as u64).min(self.memory.machine.blocks().into()) as u32, rows, &work)?;
        }
        self.enter(end, 1, rows, &work)?;
        self.memory.release(parts)
    }

    pub fn compact(&mut self, kernel: Kernel, def: &KernelDef, rows: usize) -> Result<()> {
        self.outputs(def, rows)?;
        let [entry] = self.entries(kernel)[..] else { return Err(bug("a compaction has one entry")) };
        let tiles = rows.div_ceil(def.tile(self.graph()));
        let mut kept = 0;
        if tiles > 0 {
            let state = self.memory.filled("state", tiles * 8, 0)?;
            let ticket = self.memory.filled("ticket", 4, 0)?;
            let count = self.memory.allocate("count", 8)?;
            let work = [
                ("ticket", word(ticket.address)),
                ("state", word(state.address)),
                ("count", word(count.address)),
            ];
            let grid = u32::try_from(tiles).map_err(|_| Error::new("limit"))?;
            self.enter(entry, grid, rows, &work)?;
            kept = self.memory.first::<i64>(count)? as usize;
            for block in [state, ticket, count] {
                self.memory.release(block)?;
            }
        }
        self.counts.insert(def.into, kept);
        Ok(())
    }

    /// The result that an output of the plan names.
    fn output(&mut self, n: Node) -> Result<Output> {
        let (graph, launch) = (self.graph(), self.launch);
        let ty = graph.ty(n);
        let domain = ty.domain.and_then(|d| launch.domains.get(d.0 as usize)).cloned();
        let atom = match (&graph.nodes[n].op, ty.dim == Dim::ONE) {
            (Op::Col(c), _) => return Ok(Output::Column(launch.inputs[c.as_u32() as usize].clone())),
            (Op::Param(p), one) => match (&launch.args[p.as_u32() as usize], one) {
                (Arg::Atom(atom), true) if domain.is_none() => return Ok(Output::Atom(atom.clone())),
                (Arg::List(data), false) => return Ok(bytes::list(ty.kind, data, domain)),
                _ => self.atom(n)?,
            },
            (Op::Null, _) => bytes::null(ty.kind),
            (_, true) => {
                let mut bytes = [0; 16];
                let block = self.node(n)?;
                self.memory.machine.read(block, &mut bytes[..graph.width(n)])?;
                bytes
            }
            (_, false) => {
                let width = graph.width(n);
                let len = self.length(ty.dim)?;
                let block = self.node(n)?;
                if let Some(starts) = self.starts.get(&ty.dim).copied() {
                    return self.nested(n, block, starts, domain);
                }
                if let Some(column) = self.memory.machine.keep(block, ty.kind, width, len, domain.clone())? {
                    return Ok(Output::Column(column));
                }
                let mut buf = Buf::<u8>::zeroed(len * width);
                self.memory.machine.read(block, buf.make_mut())?;
                return Ok(bytes::column(ty.kind, width, buf, domain));
            }
        };
        bytes::atom(ty.kind, atom, domain)
    }

    /// A column of lists, whose items lie one after another.
    fn nested(
        &mut self,
        n: Node,
        items: Block,
        starts: Block,
        domain: Option<Arc<Domain>>,
    ) -> Result<Output> {
        let (ty, width) = (self.graph().ty(n), self.graph().width(n));
        let mut ends = vec![0i64; starts.bytes / 8];
        self.memory.machine.read(starts, bytemuck::cast_slice_mut(&mut ends))?;
        let mut buf = Buf::<u8>::zeroed(self.length(ty.dim)? * width);
        self.memory.machine.read(items, buf.make_mut())?;
        let ends: Vec<usize> = ends.into_iter().map(|end| end as usize).collect();
        Column::new(ty.kind, Elements::of_bytes(ty.kind, width, buf), domain).cut(&ends).map(Output::Column)
    }
}
