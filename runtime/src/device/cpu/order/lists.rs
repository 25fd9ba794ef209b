//! The List skeleton: the rows that pass, group after group, by a counting sort of their group numbers. Threads take
//! shares of the rows: they count them, and then know where each of theirs goes.

use super::super::compress::compress;
use super::super::env::Env;
use super::super::filter::Filter;
use super::super::par;
use super::super::program::{Given, Program, bug};
use super::super::repr::{Repr, with_width};
use super::super::scatter::Sink;
use super::super::tile::{LINE, LINES, TILE};
use crate::column::Elements;
use compiler::ir::{Dim, DimDef, Graph, Node};
use compiler::plan::KernelDef;
use q::{Buf, Result};
use std::ops::Range;

/// A List kernel made ready.
pub struct List {
    into: Dim,
    groups: Option<Dim>,
    filter: Filter,
    program: Program,
    /// Each result, its argument and their width.
    writes: Vec<(Node, Node, usize)>,
}

impl List {
    /// Prepares the kernel.
    pub fn new(g: &Graph, def: &KernelDef) -> Result<List> {
        let given = Given { graph: g, loads: &def.loads, atoms: None };
        let write = |&n: &Node| (n, g.nodes[n].args[0], Repr::of(g, n).width());
        let writes: Vec<_> = def.results.iter().map(write).collect();
        let roots: Vec<Node> = writes.iter().map(|w| w.1).collect();
        if !matches!(g.dims[def.into], DimDef::Lists { .. }) {
            return Err(bug(format!("{} holds no lists", def.into)));
        }
        let filter = Filter::new(&given, &def.masks)?;
        Ok(List { into: def.into, groups: def.lists, filter, program: given.program(&roots)?, writes })
    }

    /// Runs over `rows` rows.
    pub fn run(&self, env: &mut Env, rows: usize) -> Result<()> {
        let (bits, counts) = self.filter.run(env, rows)?;
        let kept: usize = counts.iter().sum();
        let mut outs: Vec<Buf<u8>> = self.writes.iter().map(|w| Buf::stale(kept * w.2)).collect();
        let starts = {
            let rows = Rows { bits: &bits, ids: self.ids(env)?, count: rows };
            let (shares, starts) = rows.shares(self.groups.map_or(Ok(1), |groups| env.rows(groups))?)?;
            let bound = env.bind(&self.program)?;
            let sinks: Vec<Sink<u8>> = outs.iter_mut().map(|out| Sink::new(out.make_mut())).collect();
            let init = || (bound.frame(&self.program), vec![0u8; TILE * 16], vec![0u32; TILE]);
            par::each(shares, init, |(frame, dense, places), (share, mut next)| {
                for at in share.clone().step_by(TILE) {
                    let mut n = 0;
                    rows.each(at..share.end.min(at + TILE), |list| {
                        places[n] = next[list];
                        next[list] += 1;
                        n += 1;
                    });
                    if n == 0 {
                        continue;
                    }
                    let tile = TILE.min(share.end - at);
                    frame.seek(at, tile);
                    self.program.run(frame);
                    for (sink, &(_, arg, width)) in sinks.iter().zip(&self.writes) {
                        let from = self.program.at(arg);
                        with_width!(width, T => {
                            if n == tile && let Some(bytes) = frame.flat(from, width) {
                                sink.cast::<T>().scatter(&places[..n], bytemuck::cast_slice(bytes));
                                continue;
                            }
                            let items: &mut [T] = bytemuck::cast_slice_mut(&mut dense[..TILE * width]);
                            let n = compress(&bits[at / LINE..][..LINES], frame.src::<T>(from), items);
                            sink.cast::<T>().scatter(&places[..n], &items[..n]);
                        });
                    }
                }
            });
            starts
        };
        for (&(node, _, width), out) in self.writes.iter().zip(outs) {
            env.vectors.insert(node, Elements::of_bytes(env.graph.ty(node).kind, width, out));
        }
        env.starts.insert(self.into, starts);
        Ok(())
    }

    /// The group numbers of the rows, if there are groups.
    fn ids<'a>(&self, env: &'a Env) -> Result<Option<&'a [i32]>> {
        let Some(groups) = self.groups else { return Ok(None) };
        let ids = env.ids.get(&groups).ok_or_else(|| bug(format!("the groups of {groups} have no numbers")));
        Ok(Some(&ids?[..]))
    }
}

/// The rows of a loop: which of them pass, and their lists' numbers; none where there is one list.
#[derive(Clone, Copy)]
struct Rows<'a> {
    bits: &'a [u64],
    ids: Option<&'a [i32]>,
    count: usize,
}

/// Rows that a thread takes, and where the next item of each list goes.
type Share = (Range<usize>, Vec<u32>);

impl Rows<'_> {
    /// Shares of the rows for all threads, and where each list begins, and the end.
    fn shares(&self, lists: usize) -> Result<(Vec<Share>, Vec<usize>)> {
        // Places are half as wide as sizes, so that those of many lists stay in the cache.
        if u32::try_from(self.count).is_err() {
            return Err(q::Error::new("limit").detail("rows of lists"));
        }
        // Each share counts all lists, so there are few where lists are short.
        let most = par::threads().min(self.count / lists.max(1)).max(1);
        let size = self.count.div_ceil(most).next_multiple_of(TILE).max(TILE);
        let ranges = par::ranges(self.count, size);
        let mut shares = par::each(
            ranges,
            || (),
            |(), range: Range<usize>| {
                let mut counts = vec![0u32; lists];
                self.each(range.clone(), |list| counts[list] += 1);
                (range, counts)
            },
        );
        let (mut starts, mut end) = (vec![0], 0);
        for list in 0..lists {
            for (_, counts) in &mut shares {
                end += std::mem::replace(&mut counts[list], end as u32) as usize;
            }
            starts.push(end);
        }
        Ok((shares, starts))
    }

    /// Runs `f` on the list of each row that passes, in the order of the rows, which begin with a line.
    fn each(&self, rows: Range<usize>, mut f: impl FnMut(usize)) {
        for at in rows.step_by(LINE) {
            let mut left = self.bits[at / LINE];
            if let (u64::MAX, Some(ids)) = (left, self.ids) {
                ids[at..at + LINE].iter().for_each(|&id| f(id as usize));
                continue;
            }
            while left != 0 {
                f(self.ids.map_or(0, |ids| ids[at + left.trailing_zeros() as usize] as usize));
                left &= left - 1;
            }
        }
    }
}
