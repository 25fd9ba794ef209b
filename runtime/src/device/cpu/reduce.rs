//! The Reduce skeleton: atoms from all rows that pass. Chunks are folded on all cores and merged in their order.
//! Deviations are taken from a chunk's own means, which a first pass over the chunk finds, and merged as
//! `q::eval::agg` says; so memory is read once.

use super::agg::{Agg, Cell, Total};
use super::env::Env;
use super::fold::{Folder, Lanes, Means, element, product, word};
use super::mask::Passing;
use super::par;
use super::program::{Given, Program, bug};
use super::repr::Repr;
use super::tile::{At, Frame, Slot, TILE};
use compiler::ir::{Dim, Graph, Node, Op};
use compiler::plan::KernelDef;
use q::{Kind, Prim, Result, Store};
use std::ops::Range;

/// A Reduce kernel made ready.
pub struct Reduce {
    aggs: Vec<Agg>,
    /// One pass over a chunk for sums, and where there are deviations a second one, which needs the means of the first;
    /// without a filter those of each argument are by themselves, as a chunk of one column stays in the second-level cache.
    passes: Vec<Pass>,
    tail: Program,
    tails: Vec<Node>,
}

/// The cells that one pass over the rows folds.
struct Pass {
    program: Program,
    masks: Vec<At>,
    folders: Vec<Folder>,
    /// Whether each cell reads only what those before it have read.
    again: Vec<bool>,
    /// One cell of columns as they lie in memory: nothing is read twice, so that it takes all tiles of a chunk at once.
    streams: bool,
}

impl Reduce {
    /// Prepares the kernel.
    pub fn new(g: &Graph, def: &KernelDef) -> Result<Reduce> {
        let given = Given { graph: g, loads: &def.loads, atoms: None };
        let aggs =
            def.results.iter().map(|&n| Agg::new(g, n, |a| given.base(a))).collect::<Result<Vec<_>>>()?;
        // The cells of each pass, of what if by themselves, and whether they are deviations.
        let mut passes: Vec<(Option<Vec<Node>>, bool, Vec<Cell>)> = vec![];
        let mut add = |cell: Cell, of: &Option<Vec<Node>>, deviation: bool| {
            if passes.iter().any(|pass| pass.2.contains(&cell)) {
                return;
            }
            match passes.iter_mut().find(|pass| pass.0 == *of && pass.1 == deviation) {
                Some(pass) => pass.2.push(cell),
                None => passes.push((of.clone(), deviation, vec![cell])),
            }
        };
        for &cell in aggs.iter().flat_map(|a| &a.cells) {
            let Some((sums, count)) = cell.means() else {
                add(cell, &None, false);
                continue;
            };
            let of = def.masks.is_empty().then(|| cell.args());
            sums.into_iter().chain([count]).for_each(|c| add(c, &of, false));
            add(cell, &of, true);
        }
        let known: Vec<Node> = [&def.atoms, &def.head, &def.results].into_iter().flatten().copied().collect();
        Ok(Reduce {
            passes: passes
                .iter()
                .map(|(_, _, cells)| Pass::new(&given, &def.masks, cells))
                .collect::<Result<_>>()?,
            aggs,
            tail: Given { graph: g, loads: &[], atoms: Some(&known) }.program(&def.tail)?,
            tails: def.tail.clone(),
        })
    }

    /// Runs over `rows` rows.
    pub fn run(&self, env: &mut Env, rows: usize) -> Result<()> {
        let totals = self.fold(env, rows)?;
        for agg in &self.aggs {
            let cells: Vec<Total> = agg.cells.iter().map(|&cell| find(&totals, cell)).collect();
            env.atoms.insert(agg.node, agg.finish(&cells));
        }
        env.compute(&self.tail, &self.tails)
    }

    /// The totals of all cells.
    fn fold(&self, env: &Env, rows: usize) -> Result<Totals> {
        let bounds = self.passes.iter().map(|p| env.bind(&p.program)).collect::<Result<Vec<_>>>()?;
        let init = || {
            let frames = self.passes.iter().zip(&bounds).map(|(p, bound)| bound.frame(&p.program));
            (frames.collect::<Vec<_>>(), Slot::new(TILE, 1))
        };
        let chunks = par::each(par::chunks(rows), init, |(frames, scratch), chunk| {
            let mut totals: Totals = vec![];
            for (pass, frame) in self.passes.iter().zip(frames) {
                let means: Vec<Means> = pass.folders.iter().map(|f| means(f.cell, &totals)).collect();
                let lanes = pass.run(frame, scratch, chunk.clone(), &means);
                totals.extend(pass.folders.iter().zip(&lanes).map(|(f, lanes)| (f.cell, (f.close)(lanes))));
            }
            totals
        });
        let folders = || self.passes.iter().flat_map(|p| &p.folders);
        let mut totals: Totals = folders().map(|f| (f.cell, (f.close)(&f.start))).collect();
        for chunk in chunks {
            let before = totals.clone();
            for ((folder, total), own) in folders().zip(&mut totals).zip(&chunk) {
                total.1 = match apart(folder.cell, &before, &chunk) {
                    Some(None) => total.1,
                    Some(Some(more)) => {
                        let sum: f64 = element(&(folder.merge)(total.1, own.1));
                        word(sum + more)
                    }
                    None => (folder.merge)(total.1, own.1),
                };
            }
        }
        Ok(totals)
    }
}

/// The cells' totals.
type Totals = Vec<(Cell, Total)>;

fn find(totals: &[(Cell, Total)], cell: Cell) -> Total {
    totals.iter().find(|t| t.0 == cell).map_or([0; 3], |t| t.1)
}

/// How many rows or pairs a cell's means are of, and those means.
fn mean(cell: Cell, totals: &[(Cell, Total)]) -> Option<(f64, Means)> {
    let (sums, count) = cell.means()?;
    let n = match count {
        Cell::Pairs(..) => element::<f64>(&find(totals, count)),
        _ => find(totals, count)[0] as f64,
    };
    Some((n, sums.map(|sum| element::<f64>(&find(totals, sum)) / n)))
}

/// The means that a cell's deviations are taken from.
fn means(cell: Cell, totals: &[(Cell, Total)]) -> Means {
    mean(cell, totals).map_or([0.0; 2], |mean| mean.1)
}

/// What the difference of the means of the chunks before and of a chunk adds to a sum of deviations; an inner none
/// where the chunk has nothing to add. None of any other cell.
fn apart(cell: Cell, before: &[(Cell, Total)], chunk: &[(Cell, Total)]) -> Option<Option<f64>> {
    let ((count, means), (some, own)) = (mean(cell, before)?, mean(cell, chunk)?);
    if some == 0.0 {
        return Some(None);
    }
    if count == 0.0 {
        return Some(Some(0.0));
    }
    let [d, e] = [own[0] - means[0], own[1] - means[1]];
    let product = match cell {
        Cell::LeftSquares(..) => d * d,
        Cell::RightSquares(..) => e * e,
        _ => d * e,
    };
    Some(Some(product * ((count * some) / (count + some))))
}

/// The factors of a float sum over a product, and their kinds, so that neither the product nor a factor's cast
/// from long is ever stored. None of any other cell.
pub fn factors(given: &Given, cell: Cell) -> Option<[(Node, Kind); 2]> {
    let Cell::Sum(sum) = cell else { return None };
    let def = &given.graph.nodes[sum];
    let &[x, y] = def.args.as_slice() else { return None };
    if def.op != Op::Map(Prim::Mul) || def.ty.kind.store() != Store::F {
        return None;
    }
    let factor = |n: Node| {
        let n = given.base(n);
        let def = &given.graph.nodes[n];
        let (n, kind) = match def.op {
            Op::Cast
                if given.graph.ty(def.args[0]).kind == Kind::Long
                    && def.ty.kind == Kind::Float
                    && def.ty.dim != Dim::ONE =>
            {
                (given.base(def.args[0]), Kind::Long)
            }
            _ => (n, def.ty.kind),
        };
        matches!(kind, Kind::Float | Kind::Long).then_some((n, kind))
    };
    let both = [factor(x)?, factor(y)?];
    both.iter().any(|f| f.1 == Kind::Float).then_some(both)
}

impl Pass {
    fn new(given: &Given, masks: &[Node], cells: &[Cell]) -> Result<Pass> {
        let roots: Vec<Node> = cells
            .iter()
            .flat_map(|&c| factors(given, c).map_or_else(|| c.args(), |f| f.map(|f| f.0).to_vec()))
            .collect();
        let program = given.masked(masks, &roots)?;
        let folder = |&cell: &Cell| {
            if let Some(factors) = factors(given, cell) {
                let at = factors.map(|(n, kind)| (program.at(n), kind));
                return product(cell, at).ok_or_else(|| bug("a product of two longs is no float's sum"));
            }
            let args = cell.args();
            let at: Vec<At> = args.iter().map(|&a| program.at(a)).collect();
            let kind = args.first().map_or(Kind::Long, |&a| given.graph.ty(a).kind);
            let width = args.first().map_or(8, |&a| Repr::of(given.graph, a).width());
            Folder::new(cell, kind, width, &at).ok_or_else(|| bug(format!("{cell:?} of {}", kind.name())))
        };
        Ok(Pass {
            folders: cells.iter().map(folder).collect::<Result<_>>()?,
            masks: masks.iter().map(|&m| program.at(m)).collect(),
            again: (0..cells.len())
                .map(|i| cells[i].args().iter().all(|x| cells[..i].iter().any(|c| c.args().contains(x))))
                .collect(),
            streams: masks.is_empty() && cells.len() == 1 && program.is_empty(),
            program,
        })
    }

    /// Folds the rows of a chunk.
    fn run(&self, frame: &mut Frame, scratch: &mut Slot, chunk: Range<usize>, means: &[Means]) -> Vec<Lanes> {
        let mut lanes: Vec<Lanes> = self.folders.iter().map(|f| f.start).collect();
        let whole = if self.streams { chunk.len() - chunk.len() % TILE } else { 0 };
        if whole > 0 {
            frame.seek(chunk.start, whole);
            (self.folders[0].fold)(frame, None, &means[0], &mut lanes[0]);
        }
        for at in (chunk.start + whole..chunk.end).step_by(TILE) {
            frame.seek(at, TILE.min(chunk.end - at));
            let passing = Passing::find(&self.program, frame, &self.masks);
            if passing.count == 0 {
                continue;
            }
            self.program.run_rest(frame);
            let mask = passing.bytes(frame, &self.masks, scratch);
            for (i, lanes) in lanes.iter_mut().enumerate() {
                frame.again.set(self.again[i]);
                (self.folders[i].fold)(frame, mask, &means[i], lanes);
            }
            frame.again.set(false);
        }
        lanes
    }
}
