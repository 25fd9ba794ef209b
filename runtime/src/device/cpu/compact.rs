//! The Compact skeleton: the rows that pass, in order. Where a sample says that many pass, one pass over the rows
//! evaluates the masks of a chunk and writes its values while they are in the cache. Otherwise the masks are evaluated
//! first and kept as bits, so that the outputs have their exact size before a value is written.

use super::compress::{compress, gather, list};
use super::env::{Bound, Env};
use super::filter::Filter;
use super::par;
use super::program::{Given, Program};
use super::repr::{Repr, with_width};
use super::scatter::Sink;
use super::stream::{self, Writer};
use super::tile::{CHUNK, Frame, LINE, LINES, TILE};
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

impl Write {
    /// What was written.
    fn elements(&self, env: &Env, out: Buf<u8>) -> (Node, Elements) {
        (self.node, Elements::of_bytes(env.graph.ty(self.node).kind, self.width, out))
    }
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
        let done = self.values(env, rows)?;
        env.vectors.extend(done);
        Ok(())
    }

    /// What is written.
    fn values(&self, env: &Env, rows: usize) -> Result<Vec<(Node, Elements)>> {
        let masks = self.filter.bind(env)?;
        if rows >= 4 * CHUNK
            && let Some(about) = self.filter.sample(&masks, rows)
            && about >= rows / MANY
            && let Some(done) = self.at_once(env, &masks, rows, about + about / 16 + CHUNK)?
        {
            return Ok(done);
        }
        let (bits, counts) = self.filter.bits(&masks, rows);
        let kept: usize = counts.iter().sum();
        let run = neighbours(&bits, kept);
        let (mut done, mut writes) = (vec![], vec![]);
        for write in &self.writes {
            match (&run, write.column) {
                // Rows that lie side by side are a part of the column, which is not copied.
                (Some(run), Some(column)) => {
                    let part = env.launch.inputs[column.as_u32() as usize].slice(run.start, run.end);
                    done.push((write.node, part.elements()?.clone()));
                }
                _ => writes.push((write, Buf::<u8>::stale(kept * write.width))),
            }
        }
        if writes.is_empty() {
            return Ok(done);
        }
        {
            let bound = env.bind(&self.program)?;
            let chunks = par::chunks(rows);
            let mut tasks: Vec<_> = chunks.into_iter().zip(&counts).map(|(c, &n)| (c, n, vec![])).collect();
            for (write, out) in &mut writes {
                let parts = par::split(out.make_mut(), counts.iter().map(|n| n * write.width));
                tasks.iter_mut().zip(parts).for_each(|(task, part)| task.2.push((*write, part)));
            }
            let bits = &bits[..];
            let init = || (bound.frame(&self.program), vec![]);
            par::each(tasks, init, |(frame, places), (chunk, kept, mut parts)| {
                if kept == 0 {
                    return;
                }
                let words = |at: usize| &bits[at / LINE..][..LINES];
                // Of a few rows, what is in memory is read one by one.
                if kept * MANY < chunk.len() {
                    let bits = &bits[chunk.start / LINE..chunk.end.div_ceil(LINE)];
                    list(bits, places);
                    parts.retain_mut(|(write, part)| {
                        let Some(all) = frame.whole(self.program.at(write.node)) else { return true };
                        let from = &all[chunk.start * write.width..];
                        with_width!(write.width, T => {
                            gather(places, bytemuck::cast_slice::<u8, T>(from), bytemuck::cast_slice_mut(part));
                        });
                        false
                    });
                }
                if parts.is_empty() {
                    return;
                }
                for at in chunk.clone().step_by(TILE).filter(|&at| words(at).iter().any(|w| *w != 0)) {
                    frame.seek(at, TILE.min(chunk.end - at));
                    self.program.run(frame);
                    for (write, part) in &mut parts {
                        let out = std::mem::take(part);
                        let n = with_width!(write.width, T => {
                            let src = frame.src::<T>(self.program.at(write.node));
                            compress(words(at), src, bytemuck::cast_slice_mut(out))
                        });
                        *part = &mut out[n * write.width..];
                    }
                }
            });
        }
        done.extend(writes.into_iter().map(|(write, out)| write.elements(env, out)));
        Ok(done)
    }

    /// Writes all values in one pass over `rows` rows, if there are no more than `room`.
    fn at_once(
        &self,
        env: &Env,
        masks: &Bound,
        rows: usize,
        room: usize,
    ) -> Result<Option<Vec<(Node, Elements)>>> {
        let mut outs: Vec<Buf<u8>> = self.writes.iter().map(|w| Buf::stale(room * w.width)).collect();
        let kept = {
            let values = env.bind(&self.program)?;
            let sinks: Vec<Sink<u8>> = outs.iter_mut().map(|out| Sink::new(out.make_mut())).collect();
            let init = || (self.filter.frame(masks), values.frame(&self.program), vec![0u64; CHUNK / LINE]);
            par::in_turn(
                rows,
                init,
                |(frame, _, bits), chunk| self.filter.chunk(frame, chunk, bits),
                |(_, frame, bits), chunk, items| {
                    if items.end <= room {
                        let outs = sinks.iter().zip(&self.writes).map(|(sink, write)| {
                            let part = sink.part(items.start * write.width, items.len() * write.width);
                            Writer::new(part, (TILE + LINE) * write.width)
                        });
                        self.stream(frame, chunk, bits, outs.collect());
                    }
                },
            )
        };
        if kept > room {
            return Ok(None);
        }
        let cut = |(write, mut out): (&Write, Buf<u8>)| {
            out.truncate(kept * write.width);
            write.elements(env, out)
        };
        Ok(Some(self.writes.iter().zip(outs).map(cut).collect()))
    }

    /// Writes the values of a chunk's rows whose bits are set.
    fn stream(&self, frame: &mut Frame, chunk: Range<usize>, bits: &[u64], mut outs: Vec<Writer>) {
        for (at, words) in chunk.clone().step_by(TILE).zip(bits.chunks(LINES)) {
            frame.seek(at, TILE.min(chunk.end - at));
            self.program.run(frame);
            for (write, out) in self.writes.iter().zip(&mut outs) {
                let at = self.program.at(write.node);
                let n = with_width!(write.width, T => {
                    let room = &mut out.room()[..(TILE + LINE) * write.width];
                    compress(words, frame.src::<T>(at), bytemuck::cast_slice_mut(room))
                });
                out.push(n * write.width);
            }
        }
        outs.into_iter().for_each(Writer::finish);
        stream::fence();
    }
}

/// Many rows pass where it is one in so many.
const MANY: usize = 8;

/// The rows that pass, `kept` in all, if they lie side by side.
fn neighbours(bits: &[u64], kept: usize) -> Option<Range<usize>> {
    let first = bits.iter().position(|w| *w != 0)?;
    let start = first * LINE + bits[first].trailing_zeros() as usize;
    let last = bits.iter().rposition(|w| *w != 0)?;
    let end = (last + 1) * LINE - bits[last].leading_zeros() as usize;
    (end - start == kept).then_some(start..end)
}
