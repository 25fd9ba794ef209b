//! Feeds rows to a grouping, a tile at a time: the packed keys and the aggregates' arguments of the rows that
//! pass, side by side.

use super::super::compress::compress;
use super::super::env::{Bound, Env};
use super::super::mask::Passing;
use super::super::program::{Given, Program};
use super::super::repr::with_width;
use super::super::tile::{At, Frame, LINE, Line, Slot, Src, TILE};
use super::key::{Number, Packing};
use compiler::ir::Node;
use q::Result;

/// The program of a grouping's loop.
pub struct Feed {
    /// Computes masks, keys and arguments.
    pub program: Program,
    masks: Vec<At>,
    args: Vec<(At, usize)>,
}

/// What one thread holds.
pub struct Feeder<'a, R> {
    feed: &'a Feed,
    packing: &'a Packing<'a>,
    frame: Frame<'a>,
    scratch: Vec<Line<R>>,
    numbers: Vec<Vec<Line<R>>>,
    /// The numbers and arguments of the rows that pass, where not all do.
    dense_numbers: Vec<Vec<R>>,
    dense: Vec<Slot>,
}

impl Feed {
    /// The loop that computes the keys and arguments of the rows that pass the masks.
    pub fn new(
        given: &Given,
        masks: &[Node],
        keys: impl Iterator<Item = Node>,
        args: &[(Node, usize)],
    ) -> Result<Feed> {
        let roots: Vec<Node> = keys.chain(args.iter().map(|a| a.0)).collect();
        let program = given.masked(masks, &roots)?;
        Ok(Feed {
            masks: masks.iter().map(|&m| program.at(m)).collect(),
            args: args.iter().map(|&(n, width)| (program.at(n), width)).collect(),
            program,
        })
    }

    /// True if all rows pass.
    pub fn is_whole(&self) -> bool {
        self.masks.is_empty()
    }

    /// Binds the loop's inputs.
    pub fn bind<'a>(&self, env: &'a Env) -> Result<Bound<'a>> {
        env.bind(&self.program)
    }

    /// A thread's share of the loop, with keys packed in numbers of type `R`.
    pub fn feeder<'a, R: Number>(&'a self, bound: &'a Bound, packing: &'a Packing) -> Feeder<'a, R> {
        let lines = || vec![[R::zeroed(); LINE]; TILE / LINE];
        Feeder {
            feed: self,
            packing,
            frame: bound.frame(&self.program),
            scratch: lines(),
            numbers: (0..packing.words).map(|_| lines()).collect(),
            dense_numbers: (0..packing.words).map(|_| vec![R::zeroed(); TILE]).collect(),
            dense: self.args.iter().map(|a| Slot::new(TILE, a.1)).collect(),
        }
    }
}

impl<R: Number> Feeder<'_, R> {
    /// Runs `f` on the rows of the tile of `rows` rows from `row`: the row bits, the packed numbers and the
    /// arguments' bytes of those that pass. Not run if none does.
    pub fn tile(&mut self, row: usize, rows: usize, f: impl FnOnce(&Passing, &[&[R]], &[&[u8]])) {
        let (frame, program) = (&mut self.frame, &self.feed.program);
        frame.seek(row, rows);
        let passing = Passing::find(program, frame, &self.feed.masks);
        let n = passing.count;
        if n == 0 {
            return;
        }
        program.run_rest(frame);
        self.packing.numbers(frame, program, &mut self.scratch, &mut self.numbers);
        let all = n == rows;
        if !all {
            for (lines, dense) in self.numbers.iter().zip(&mut self.dense_numbers) {
                compress(&passing.bits, Src::vector(lines), dense);
            }
        }
        let mut values: Vec<&[u8]> = Vec::with_capacity(self.dense.len());
        for (&(at, width), slot) in self.feed.args.iter().zip(&mut self.dense) {
            if all && let Some(bytes) = frame.flat(at, width) {
                values.push(bytes);
                continue;
            }
            let out = slot.bytes_mut();
            match at {
                At::Atom(_) => frame.copy(at, width, &mut out[..n * width]),
                _ => with_width!(width, T => {
                    compress(&passing.bits, frame.src::<T>(at), bytemuck::cast_slice_mut(out));
                }),
            }
            values.push(&out[..n * width]);
        }
        let flat =
            |i: usize| if all { &self.numbers[i].as_flattened()[..n] } else { &self.dense_numbers[i][..n] };
        match self.packing.words {
            1 => f(&passing, &[flat(0)], &values),
            words => f(&passing, &(0..words).map(flat).collect::<Vec<_>>(), &values),
        }
    }
}
