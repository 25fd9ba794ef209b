//! The Compact skeleton: the rows that pass, in order. The masks are evaluated once and kept as bits, so the
//! outputs have their exact size before a value is written.

use super::compress::compress;
use super::env::Env;
use super::filter::Filter;
use super::par;
use super::program::{Given, Program};
use super::repr::{Repr, with_width};
use super::tile::{LINE, LINES, TILE};
use crate::column::Elements;
use compiler::ir::{Col, Graph, Node, Op};
use compiler::plan::KernelDef;
use q::{Buf, Result};
use std::ops::Range;

/// A Compact kernel made ready.
pub struct Compact {
    filter: Filter,
    program: Program,
    writes: Vec<Write>,
}

/// A value that is written.
struct Write {
    node: Node,
    width: usize,
    /// The column that it is, if nothing is computed.
    column: Option<Col>,
}

impl Compact {
    /// Prepares the kernel.
    pub fn new(g: &Graph, def: &KernelDef) -> Result<Compact> {
        let given = Given { graph: g, loads: &def.loads, atoms: None };
        Ok(Compact {
            filter: Filter::new(&given, &def.masks)?,
            program: given.program(&def.writes)?,
            writes: def
                .writes
                .iter()
                .map(|&node| {
                    let column = if let Op::Col(c) = g.nodes[given.base(node)].op { Some(c) } else { None };
                    Write { node, width: Repr::of(g, node).width(), column }
                })
                .collect(),
        })
    }

    /// Runs over `rows` rows.
    pub fn run(&self, env: &mut Env, rows: usize) -> Result<()> {
        let (bits, counts) = self.filter.run(env, rows)?;
        let kept: usize = counts.iter().sum();
        let run = neighbours(&bits, kept);
        let mut writes = vec![];
        for write in &self.writes {
            match (&run, write.column) {
                // Rows that lie side by side are a part of the column, which is not copied.
                (Some(run), Some(column)) => {
                    let part = env.launch.inputs[column.as_u32() as usize].slice(run.start, run.end);
                    env.vectors.insert(write.node, part.elements()?.clone());
                }
                _ => writes.push((write, Buf::<u8>::stale(kept * write.width))),
            }
        }
        if writes.is_empty() {
            return Ok(());
        }
        {
            let bound = env.bind(&self.program)?;
            let chunks = par::chunks(rows);
            let mut tasks: Vec<_> = chunks.into_iter().map(|c| (c, vec![])).collect();
            for (write, out) in &mut writes {
                let parts = par::split(out.make_mut(), counts.iter().map(|n| n * write.width));
                tasks.iter_mut().zip(parts).for_each(|(task, part)| task.1.push((*write, part)));
            }
            let bits = &bits[..];
            par::each(
                tasks,
                || bound.frame(&self.program),
                |frame, (chunk, mut parts)| {
                    for at in chunk.clone().step_by(TILE) {
                        let words = &bits[at / LINE..][..LINES];
                        if words.iter().all(|w| *w == 0) {
                            continue;
                        }
                        frame.seek(at, TILE.min(chunk.end - at));
                        self.program.run(frame);
                        for (write, part) in &mut parts {
                            let at = self.program.at(write.node);
                            let out = std::mem::take(part);
                            let n = with_width!(write.width, T => {
                                compress(words, frame.src::<T>(at), bytemuck::cast_slice_mut(out))
                            });
                            *part = &mut out[n * write.width..];
                        }
                    }
                },
            );
        }
        for (write, out) in writes {
            let kind = env.graph.ty(write.node).kind;
            env.vectors.insert(write.node, Elements::of_bytes(kind, write.width, out));
        }
        Ok(())
    }
}

/// The rows that pass, `kept` in all, if they lie side by side.
fn neighbours(bits: &[u64], kept: usize) -> Option<Range<usize>> {
    let first = bits.iter().position(|w| *w != 0)?;
    let start = first * LINE + bits[first].trailing_zeros() as usize;
    let last = bits.iter().rposition(|w| *w != 0)?;
    let end = (last + 1) * LINE - bits[last].leading_zeros() as usize;
    (end - start == kept).then_some(start..end)
}
