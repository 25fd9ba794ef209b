//! The Compact skeleton: the rows that pass, in order. The masks are evaluated once and kept as bits, so the
//! outputs have their exact size before a value is written.

use super::env::Env;
use super::filter::Filter;
use super::loops::compress;
use super::par;
use super::program::{Given, Program};
use super::repr::{Repr, with_width};
use super::tile::{LINE, LINES, TILE};
use crate::column::Elements;
use compiler::ir::{Graph, Node};
use compiler::plan::KernelDef;
use q::{Buf, Result};

/// A Compact kernel made ready.
pub struct Compact {
    filter: Filter,
    program: Program,
    writes: Vec<(Node, usize)>,
}

impl Compact {
    /// Prepares the kernel.
    pub fn new(g: &Graph, def: &KernelDef) -> Result<Compact> {
        let given = Given { graph: g, loads: &def.loads, atoms: None };
        Ok(Compact {
            filter: Filter::new(&given, &def.masks)?,
            program: given.program(&def.writes)?,
            writes: def.writes.iter().map(|&n| (n, Repr::of(g, n).width())).collect(),
        })
    }

    /// Runs over `rows` rows.
    pub fn run(&self, env: &mut Env, rows: usize) -> Result<()> {
        let (bits, counts) = self.filter.run(env, rows)?;
        let kept: usize = counts.iter().sum();
        let mut outs: Vec<Buf<u8>> = self.writes.iter().map(|w| Buf::stale(kept * w.1)).collect();
        {
            let bound = env.bind(&self.program)?;
            let chunks = par::chunks(rows);
            let mut tasks: Vec<_> = chunks.into_iter().map(|c| (c, vec![])).collect();
            for (out, (_, width)) in outs.iter_mut().zip(&self.writes) {
                let parts = par::split(out.make_mut(), counts.iter().map(|n| n * width));
                tasks.iter_mut().zip(parts).for_each(|(task, part)| task.1.push(part));
            }
            let bits = &bits[..];
            par::each(
                tasks,
                || bound.frame(&self.program),
                |frame, (chunk, mut parts)| {
                    for at in chunk.clone().step_by(TILE) {
                        let words = &bits[at / LINE..][..LINES];
                        let n: usize = words.iter().map(|w| w.count_ones() as usize).sum();
                        if n == 0 {
                            continue;
                        }
                        frame.seek(at, TILE.min(chunk.end - at));
                        self.program.run(frame);
                        for (part, &(node, width)) in parts.iter_mut().zip(&self.writes) {
                            let (out, rest) = std::mem::take(part).split_at_mut(n * width);
                            *part = rest;
                            let at = self.program.at(node);
                            with_width!(width, T => compress(words, frame.src::<T>(at), bytemuck::cast_slice_mut(out)));
                        }
                    }
                },
            );
        }
        for (&(node, width), out) in self.writes.iter().zip(outs) {
            env.vectors.insert(node, Elements::of_bytes(env.graph.ty(node).kind, width, out));
        }
        Ok(())
    }
}
