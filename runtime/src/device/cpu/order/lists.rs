//! The List skeleton: the rows that pass, group after group, by a counting sort of their group numbers.

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
        let (places, starts) = self.places(env, &bits, kept)?;
        let mut outs: Vec<Buf<u8>> = self.writes.iter().map(|w| Buf::stale(kept * w.2)).collect();
        {
            let bound = env.bind(&self.program)?;
            let sinks: Vec<Sink<u8>> = outs.iter_mut().map(|out| Sink::new(out.make_mut())).collect();
            let mut from = 0;
            let mut tasks = vec![];
            for (chunk, count) in par::chunks(rows).into_iter().zip(counts) {
                tasks.push((chunk, &places[from..from + count]));
                from += count;
            }
            let init = || (bound.frame(&self.program), vec![0u8; TILE * 16]);
            par::each(tasks, init, |(frame, dense), (chunk, mut places)| {
                for at in chunk.clone().step_by(TILE) {
                    let words = &bits[at / LINE..][..LINES];
                    let n: usize = words.iter().map(|w| w.count_ones() as usize).sum();
                    if n == 0 {
                        continue;
                    }
                    frame.seek(at, TILE.min(chunk.end - at));
                    self.program.run(frame);
                    let (here, rest) = places.split_at(n);
                    places = rest;
                    for (sink, &(_, arg, width)) in sinks.iter().zip(&self.writes) {
                        let at = self.program.at(arg);
                        with_width!(width, T => {
                            let items: &mut [T] = bytemuck::cast_slice_mut(&mut dense[..TILE * width]);
                            let n = compress(words, frame.src::<T>(at), items);
                            sink.cast::<T>().scatter(here, &items[..n]);
                        });
                    }
                }
            });
        }
        for (&(node, _, width), out) in self.writes.iter().zip(outs) {
            env.vectors.insert(node, Elements::of_bytes(env.graph.ty(node).kind, width, out));
        }
        env.starts.insert(self.into, starts);
        Ok(())
    }

    /// Where each row that passes goes, and where each list begins, and the end.
    fn places(&self, env: &Env, bits: &[u64], kept: usize) -> Result<(Vec<usize>, Vec<usize>)> {
        let Some(groups) = self.groups else {
            return Ok(((0..kept).collect(), vec![0, kept]));
        };
        let ids =
            env.ids.get(&groups).ok_or_else(|| bug(format!("the groups of {groups} have no numbers")))?;
        let mut starts = vec![0usize; env.rows(groups)? + 1];
        let mut lists = Vec::with_capacity(kept);
        for (word, ids) in bits.iter().zip(ids.chunks(LINE)) {
            let mut left = *word;
            while left != 0 {
                let id = ids[left.trailing_zeros() as usize];
                starts[id as usize + 1] += 1;
                lists.push(id as usize);
                left &= left - 1;
            }
        }
        for list in 1..starts.len() {
            starts[list] += starts[list - 1];
        }
        let mut next = starts.clone();
        for place in &mut lists {
            let list = *place;
            *place = next[list];
            next[list] += 1;
        }
        Ok((lists, starts))
    }
}
