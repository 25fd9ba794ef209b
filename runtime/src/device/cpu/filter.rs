//! Filters ahead of a loop: the rows that pass all masks, as a bit a row.

use super::env::{Bound, Env};
use super::mask::Passing;
use super::par;
use super::program::{Given, Program};
use super::tile::{At, CHUNK, Frame, LINE, LINES, TILE};
use compiler::ir::Node;
use q::{Buf, Result};
use std::ops::Range;

/// Masks made ready.
pub struct Filter {
    program: Program,
    masks: Vec<At>,
}

impl Filter {
    /// Prepares the masks.
    pub fn new(given: &Given, masks: &[Node]) -> Result<Filter> {
        let program = given.masked(masks, &[])?;
        Ok(Filter { masks: masks.iter().map(|&m| program.at(m)).collect(), program })
    }

    /// Evaluates the masks: a bit a row, none past the rows; and how many rows of each chunk pass.
    pub fn run(&self, env: &Env, rows: usize) -> Result<(Buf<u64>, Vec<usize>)> {
        Ok(self.bits(&self.bind(env)?, rows))
    }

    /// As [`Filter::run`], of bound masks.
    pub fn bits(&self, bound: &Bound, rows: usize) -> (Buf<u64>, Vec<usize>) {
        let mut bits = Buf::<u64>::stale(rows.div_ceil(TILE) * LINES);
        let tasks = par::chunks(rows).into_iter().zip(bits.make_mut().chunks_mut(CHUNK / LINE)).collect();
        let counts =
            par::each(tasks, || self.frame(bound), |frame, (chunk, bits)| self.chunk(frame, chunk, bits));
        (bits, counts)
    }

    /// Binds the masks' inputs.
    pub fn bind<'a>(&self, env: &'a Env) -> Result<Bound<'a>> {
        env.bind(&self.program)
    }

    /// What a thread needs to evaluate the masks.
    pub fn frame<'a>(&self, bound: &'a Bound) -> Frame<'a> {
        bound.frame(&self.program)
    }

    /// Writes the bits of a chunk's rows, and returns how many pass.
    pub fn chunk(&self, frame: &mut Frame, chunk: Range<usize>, bits: &mut [u64]) -> usize {
        let mut count = 0;
        for (at, words) in chunk.clone().step_by(TILE).zip(bits.chunks_mut(LINES)) {
            frame.seek(at, TILE.min(chunk.end - at));
            let passing = Passing::find(&self.program, frame, &self.masks);
            words.copy_from_slice(&passing.bits);
            count += passing.count;
        }
        count
    }

    /// About how many of `rows` rows pass, by some tiles of them; none where most of those tiles pass as a whole or
    /// not at all, so that rows that pass may lie side by side.
    pub fn sample(&self, bound: &Bound, rows: usize) -> Option<usize> {
        let mut frame = self.frame(bound);
        let mut bits = [0; LINES];
        let tiles = (0..TILES).map(|i| rows / TILE * i / TILES * TILE);
        let counts: Vec<usize> = tiles.map(|at| self.chunk(&mut frame, at..at + TILE, &mut bits)).collect();
        let mixed = counts.iter().filter(|n| (1..TILE).contains(*n)).count();
        let passing = counts.iter().sum::<usize>() as f64 / (TILES * TILE) as f64;
        (mixed * 2 > TILES).then_some((passing * rows as f64) as usize)
    }
}

/// Tiles that a sample looks at.
const TILES: usize = 32;
