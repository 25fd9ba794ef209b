//! The Map skeleton: one result a row, written chunk by chunk straight into the outputs.

use super::env::Env;
use super::par;
use super::program::{Given, Program};
use super::repr::Repr;
use super::stream;
use super::tile::TILE;
use crate::column::Elements;
use compiler::ir::{Graph, Node};
use compiler::plan::KernelDef;
use q::{Buf, Result};

/// A Map kernel made ready.
pub struct Map {
    program: Program,
    writes: Vec<(Node, usize)>,
}

impl Map {
    /// Prepares the kernel; its loop runs over a vector's dim.
    pub fn new(g: &Graph, def: &KernelDef) -> Result<Map> {
        Map::over(&Given { graph: g, loads: &def.loads, atoms: None }, &def.writes)
    }

    /// A loop that computes `writes` from what is given.
    pub fn over(given: &Given, writes: &[Node]) -> Result<Map> {
        let writes: Vec<_> = writes.iter().map(|&n| (n, Repr::of(given.graph, n).width())).collect();
        let roots: Vec<Node> = writes.iter().map(|w| w.0).collect();
        Ok(Map { program: given.program(&roots)?, writes })
    }

    /// Runs over `rows` rows.
    pub fn run(&self, env: &mut Env, rows: usize) -> Result<()> {
        let mut outs: Vec<Buf<u8>> = self.writes.iter().map(|w| Buf::stale(rows * w.1)).collect();
        let large = outs.iter().map(|o| o.len()).sum::<usize>() >= stream::LARGE;
        {
            let bound = env.bind(&self.program)?;
            let chunks = par::chunks(rows);
            let mut tasks: Vec<(usize, Vec<&mut [u8]>)> = chunks.iter().map(|c| (c.start, vec![])).collect();
            for (out, (_, width)) in outs.iter_mut().zip(&self.writes) {
                let parts = par::split(out.make_mut(), chunks.iter().map(|c| c.len() * width));
                tasks.iter_mut().zip(parts).for_each(|(task, part)| task.1.push(part));
            }
            par::each(
                tasks,
                || bound.frame(&self.program),
                |frame, (start, mut parts)| {
                    let rows = parts.first().map_or(0, |p| p.len() / self.writes[0].1);
                    for at in (0..rows).step_by(TILE) {
                        let n = TILE.min(rows - at);
                        frame.seek(start + at, n);
                        self.program.run(frame);
                        for (part, &(node, width)) in parts.iter_mut().zip(&self.writes) {
                            let (from, out) = (self.program.at(node), &mut part[at * width..][..n * width]);
                            match frame.flat(from, width) {
                                Some(bytes) if large => stream::copy(bytes, out),
                                _ => frame.copy(from, width, out),
                            }
                        }
                    }
                    stream::fence();
                },
            );
        }
        for (&(node, width), out) in self.writes.iter().zip(outs) {
            env.vectors.insert(node, Elements::of_bytes(env.graph.ty(node).kind, width, out));
        }
        Ok(())
    }
}
