//! Filters ahead of a loop: the rows that pass all masks, as a bit a row.

use super::env::Env;
use super::mask::Passing;
use super::par;
use super::program::{Given, Program};
use super::tile::{At, CHUNK, LINE, LINES, TILE};
use compiler::ir::Node;
use q::{Buf, Result};

/// Masks made ready.
pub struct Filter {
    program: Program,
    masks: Vec<At>,
}

impl Filter {
    /// Prepares the masks.
    pub fn new(given: &Given, masks: &[Node]) -> Result<Filter> {
        let program = given.program(masks)?;
        Ok(Filter { masks: masks.iter().map(|&m| program.at(m)).collect(), program })
    }

    /// Evaluates the masks: a bit a row, none past the rows; and how many rows of each chunk pass.
    pub fn run(&self, env: &Env, rows: usize) -> Result<(Buf<u64>, Vec<usize>)> {
        let mut bits = Buf::<u64>::stale(rows.div_ceil(TILE) * LINES);
        let counts = {
            let bound = env.bind(&self.program)?;
            let tasks = par::chunks(rows).into_iter().zip(bits.make_mut().chunks_mut(CHUNK / LINE)).collect();
            par::each(
                tasks,
                || bound.frame(&self.program),
                |frame, (chunk, bits)| {
                    let mut count = 0;
                    for (at, words) in chunk.clone().step_by(TILE).zip(bits.chunks_mut(LINES)) {
                        frame.seek(at, TILE.min(chunk.end - at));
                        self.program.run(frame);
                        let passing = Passing::of(frame, &self.masks);
                        words.copy_from_slice(&passing.bits);
                        count += passing.count;
                    }
                    count
                },
            )
        };
        Ok((bits, counts))
    }
}
