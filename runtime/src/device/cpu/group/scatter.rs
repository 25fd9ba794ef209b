//! Rows in partitions of their keys. They are fed once: each stretch of the rows is cut into partitions by itself, in
//! the second-level cache, and a partition is the pieces that it has in all stretches, in the order of the rows.

use super::super::mask::Passing;
use super::super::par;
use super::super::prefetch;
use super::super::repr::with_width;
use super::super::scatter::Sink;
use super::super::stream;
use super::super::tile::{CHUNK, Slot, TILE};
use super::cell::Layout;
use super::key::Number;
use super::part::Job;
use bytemuck::Pod;
use q::{Buf, Result};
use std::ops::Range;

/// Bytes of a stretch that stay in the second-level cache while it is cut.
const CACHED: usize = 3 << 18;
/// Rows of a piece, on average, if there are many partitions: enough that memory is read in order.
const PIECE: usize = 64;
/// Bytes of the next piece that are asked for while one is read.
const AHEAD: usize = 4096;

/// Rows that were scattered into partitions.
pub struct Scattered<'a, R> {
    /// The cells whose arguments the rows have.
    pub layout: &'a Layout,
    /// The packed numbers.
    numbers: Vec<Buf<R>>,
    /// The arguments.
    values: Vec<Buf<u8>>,
    /// The first place of each stretch; and where its pieces begin from there on, and the end.
    stretches: Vec<(usize, Vec<u32>)>,
}

/// Rows side by side: of a stretch as they are fed, or of a partition as they are read.
pub struct Block {
    numbers: Vec<Slot>,
    values: Vec<Slot>,
    rows: usize,
}

impl<'a, R: Number> Scattered<'a, R> {
    /// Scatters the rows that pass into `parts` partitions; `part` says which is row `i`'s of some with their packed
    /// numbers. `see` is told the packed numbers of each tile that has rows that pass, and its first row.
    pub fn new(
        job: Job<'a>,
        parts: usize,
        part: impl Fn(&[&[R]], usize) -> u32 + Send + Sync,
        see: impl Fn(usize, &Passing, &[&[R]]) + Send + Sync,
    ) -> Result<Self> {
        let Job { env, feed, layout, packing, rows, .. } = job;
        let bound = feed.bind(env)?;
        let widths =
            || layout.args.iter().map(|a| a.1).chain(std::iter::repeat_n(size_of::<R>(), packing.words));
        // A row is there as it is fed and, one value after the other, as it is scattered, by its place.
        let bytes = widths().sum::<usize>() + widths().max().unwrap_or(0) + size_of::<u32>();
        let size = (CACHED / bytes).min(CHUNK).max(parts * PIECE).next_multiple_of(TILE).min(rows);
        let large = rows * widths().sum::<usize>() >= stream::LARGE;
        let mut numbers: Vec<Buf<R>> = (0..packing.words).map(|_| Buf::stale(rows)).collect();
        let mut values: Vec<Buf<u8>> = layout.args.iter().map(|a| Buf::stale(rows * a.1)).collect();
        let number_sinks: Vec<Sink<R>> = numbers.iter_mut().map(|b| Sink::new(b.make_mut())).collect();
        let value_sinks: Vec<Sink<u8>> = values.iter_mut().map(|b| Sink::new(b.make_mut())).collect();
        let init = || {
            let block = Block::new::<R>(packing.words, layout, size);
            (feed.feeder(&bound, packing), block, vec![], Slot::new(size, widths().max().unwrap_or(0)))
        };
        let stretches = par::each(
            par::ranges(rows, size),
            init,
            |(feeder, block, places, scattered), stretch| {
                let mut starts = vec![0u32; parts + 1];
                block.rows = 0;
                places.clear();
                for at in stretch.clone().step_by(TILE) {
                    feeder.tile(at, TILE.min(stretch.end - at), |passing, numbers, values| {
                        see(at, passing, numbers);
                        places.extend((0..passing.count).map(|i| {
                            let part = part(numbers, i);
                            starts[part as usize + 1] += 1;
                            part
                        }));
                        block.push(layout, numbers, values);
                    });
                }
                (0..parts).for_each(|part| starts[part + 1] += starts[part]);
                let mut next = starts.clone();
                for place in &mut *places {
                    let next = &mut next[*place as usize];
                    *place = *next;
                    *next += 1;
                }
                let mut write = |sink: Sink<u8>, slot: &Slot, width: usize| {
                    let from = &mut scattered.bytes_mut()[..block.rows * width];
                    with_width!(width, T => scatter::<T>(places, items(slot), bytemuck::cast_slice_mut(from)));
                    let out = sink.part(stretch.start * width, from.len());
                    if large { stream::copy(from, out) } else { out.copy_from_slice(from) }
                };
                for (sink, slot) in number_sinks.iter().zip(&block.numbers) {
                    write(sink.cast(), slot, size_of::<R>());
                }
                for ((sink, slot), &(_, width)) in value_sinks.iter().zip(&block.values).zip(&layout.args) {
                    write(*sink, slot, width);
                }
                stream::fence();
                (stretch.start, starts)
            },
        );
        Ok(Scattered { layout, numbers, values, stretches })
    }

    /// How many numbers a row's keys take.
    pub fn words(&self) -> usize {
        self.numbers.len()
    }

    /// How many rows a partition has.
    pub fn count(&self, part: usize) -> usize {
        self.pieces(part).map(|piece| piece.len()).sum()
    }

    /// What [`Scattered::each`] reads rows into.
    pub fn block(&self) -> Block {
        Block::new::<R>(self.words(), self.layout, TILE)
    }

    /// Runs `f` on the numbers and arguments of a partition's rows, a tile's at a time.
    pub fn each(&self, part: usize, block: &mut Block, mut f: impl FnMut(&[&[R]], &[&[u8]])) {
        let mut ahead = self.pieces(part).skip(1);
        for mut piece in self.pieces(part) {
            if let Some(next) = ahead.next() {
                self.ask(next);
            }
            while !piece.is_empty() {
                let n = piece.len().min(TILE - block.rows);
                self.read(piece.start..piece.start + n, block);
                piece.start += n;
                if block.rows == TILE {
                    block.flush(self.layout, &mut f);
                }
            }
        }
        if block.rows > 0 {
            block.flush(self.layout, &mut f);
        }
    }

    /// Reads a partition's rows, for which `block` has room.
    pub fn all(&self, part: usize, block: &mut Block) {
        block.rows = 0;
        let mut ahead = self.pieces(part).skip(1);
        for piece in self.pieces(part) {
            if let Some(next) = ahead.next() {
                self.ask(next);
            }
            self.read(piece, block);
        }
    }

    /// The pieces of a partition, in the order of their rows.
    fn pieces(&self, part: usize) -> impl Iterator<Item = Range<usize>> {
        let stretches = self.stretches.iter();
        stretches.map(move |(from, starts)| from + starts[part] as usize..from + starts[part + 1] as usize)
    }

    /// Asks for the first rows of a piece.
    fn ask(&self, piece: Range<usize>) {
        fn of<T: Pod>(items: &[T], piece: &Range<usize>) {
            let Some(first) = items.get(piece.start) else { return };
            let bytes = (piece.len() * size_of::<T>()).min(AHEAD);
            (0..bytes).step_by(64).for_each(|at| prefetch::line(first, at));
        }
        self.numbers.iter().for_each(|numbers| of(numbers, &piece));
        for (values, &(_, width)) in self.values.iter().zip(&self.layout.args) {
            of(values, &(piece.start * width..piece.end * width));
        }
    }

    /// Appends rows to a block.
    fn read(&self, rows: Range<usize>, block: &mut Block) {
        let numbers: Vec<&[R]> = self.numbers.iter().map(|n| &n[rows.clone()]).collect();
        let values = self.values.iter().zip(&self.layout.args);
        let values: Vec<&[u8]> = values.map(|(v, a)| &v[rows.start * a.1..rows.end * a.1]).collect();
        block.push(self.layout, &numbers, &values);
    }
}

impl Block {
    /// Room for so many rows.
    pub fn new<R: Number>(words: usize, layout: &Layout, rows: usize) -> Block {
        Block {
            numbers: (0..words).map(|_| Slot::new(rows, size_of::<R>())).collect(),
            values: layout.args.iter().map(|a| Slot::new(rows, a.1)).collect(),
            rows: 0,
        }
    }

    /// The packed numbers `word` of its rows.
    pub fn numbers(&self, word: usize) -> &[u64] {
        &items(&self.numbers[word])[..self.rows]
    }

    /// An argument's values, of its rows and perhaps some more.
    pub fn values<T: Pod>(&self, arg: usize) -> &[T] {
        items(&self.values[arg])
    }

    /// Appends rows.
    fn push<R: Number>(&mut self, layout: &Layout, numbers: &[&[R]], values: &[&[u8]]) {
        for (slot, from) in self.numbers.iter_mut().zip(numbers) {
            bytemuck::cast_slice_mut(slot.bytes_mut())[self.rows..][..from.len()].copy_from_slice(from);
        }
        for ((slot, from), &(_, width)) in self.values.iter_mut().zip(values).zip(&layout.args) {
            slot.bytes_mut()[self.rows * width..][..from.len()].copy_from_slice(from);
        }
        self.rows += numbers.first().map_or(0, |n| n.len());
    }

    /// Runs `f` on the rows and forgets them.
    fn flush<R: Number>(&mut self, layout: &Layout, f: &mut impl FnMut(&[&[R]], &[&[u8]])) {
        let rows = std::mem::take(&mut self.rows);
        let numbers: Vec<&[R]> = self.numbers.iter().map(|slot| &items(slot)[..rows]).collect();
        let values = self.values.iter().zip(&layout.args);
        f(&numbers, &values.map(|(slot, a)| &slot.bytes()[..rows * a.1]).collect::<Vec<_>>());
    }
}

/// A slot's elements.
fn items<T: Pod>(slot: &Slot) -> &[T] {
    bytemuck::cast_slice(slot.bytes())
}

/// `out[places[i]] = items[i]`.
fn scatter<T: Pod>(places: &[u32], items: &[T], out: &mut [T]) {
    for (&place, &item) in places.iter().zip(items) {
        out[place as usize] = item;
    }
}
