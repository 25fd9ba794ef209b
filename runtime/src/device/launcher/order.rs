//! The order of the keys of many groups. The head comment of `order.cuh` says how they are put in order, and what each
//! kernel does.

use super::run::Run;
use super::sort::{Keyed, either, sort};
use super::{Block, word};
use bytemuck::{Pod, Zeroable};
use q::Result;

/// Some bits of a word of the keys, as in `order.cuh`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
struct Span {
    word: u32,
    shift: u32,
    bits: u32,
    none: u32,
}

/// The first bits that keys are sorted by.
const FIRST: u32 = 32;

/// The spans of the first of the bits that differ, major first; no more of them than are sorted by.
fn spans(differ: &[u64]) -> Vec<Span> {
    let (mut spans, mut left) = (vec![], FIRST);
    for (word, &bits) in (0..).zip(differ) {
        let mut rest = bits;
        while rest != 0 && left > 0 {
            let high = 64 - rest.leading_zeros();
            let run = (rest << (64 - high)).leading_ones().min(left);
            spans.push(Span { word, shift: high - run, bits: run, none: 0 });
            left -= run;
            // The bits below the run.
            rest &= (1 << (high - run)) - 1;
        }
    }
    spans
}

impl Run<'_> {
    /// The order of `n` distinct keys of several words; none where they are in order.
    pub(super) fn order_of_words(&mut self, keys: Block, n: usize, words: usize) -> Result<Option<Block>> {
        let found = self.memory.filled("bits", words * 8, 0)?;
        let blocks = self.memory.grid(n);
        let (length, count) = (word(n as i64), word(words as i32));
        let args = [length, count, word(keys.address), word(found.address)];
        self.memory.machine.launch("order_bits", blocks, &args)?;
        let mut differ = vec![0u64; words];
        self.memory.machine.read(found, bytemuck::cast_slice_mut(&mut differ))?;
        self.memory.release(found)?;
        let spans = spans(&differ);
        let table = self.memory.upload("spans", bytemuck::cast_slice(&spans))?;
        let first = self.memory.allocate("first", n * 4)?;
        let args =
            [length, word(keys.address), word(table.address), word(spans.len() as i32), word(first.address)];
        self.memory.machine.launch("order_first", blocks, &args)?;
        self.memory.release(table)?;
        let sorted =
            sort(&mut self.memory, Keyed { keys: first, width: 4, rows: None, wide: true, length: n })?;
        // All of them are in order, if they tell all keys apart; else there are runs of the same, in order of the words.
        let Some(order) = sorted.rows else {
            self.memory.release(sorted.keys)?;
            return self.by_words(keys, n, words);
        };
        let failed = self.memory.filled("failed", 4, 0)?;
        let args = [
            length,
            count,
            word(keys.address),
            word(sorted.keys.address),
            word(order.address),
            word(failed.address),
        ];
        self.memory.machine.launch("order_ties", blocks, &args)?;
        let [long]: [u32; 1] = self.memory.first(failed)?;
        self.memory.release(failed)?;
        if long == 0 {
            self.memory.release(sorted.keys)?;
            return Ok(Some(order));
        }
        sorted.release(&mut self.memory)?;
        self.by_words(keys, n, words)
    }

    /// The order of `n` keys of several words, the last word's sort first. The rows are the caller's; none where
    /// they are in order.
    fn by_words(&mut self, keys: Block, n: usize, words: usize) -> Result<Option<Block>> {
        let mut rows: Option<Block> = None;
        for w in (0..words).rev() {
            let to = self.memory.allocate("keys", n * 8)?;
            let from = word(keys.address + (w * n * 8) as u64);
            let blocks = self.memory.grid(n);
            match rows {
                Some(rows) => {
                    let args = [
                        word(n as i64),
                        either(Some(rows), true),
                        from,
                        word(n as i64),
                        word(0i64),
                        word(to.address),
                    ];
                    self.memory.machine.launch("gather_8", blocks, &args)?;
                }
                None => {
                    let args =
                        [word(n as i64), word(0i64), from, word(n as i64), word(0i64), word(to.address)];
                    self.memory.machine.launch("take_8", blocks, &args)?;
                }
            }
            let sorted = sort(&mut self.memory, Keyed { keys: to, width: 8, rows, wide: true, length: n })?;
            self.memory.release(sorted.keys)?;
            rows = sorted.rows;
        }
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bits_that_differ_are_found_in_spans() {
        let of = |differ: &[u64]| spans(differ).iter().map(|s| (s.word, s.shift, s.bits)).collect::<Vec<_>>();
        assert_eq!(of(&[0, 0]), []);
        assert_eq!(of(&[1 << 63 | 0b101, 0, 7]), [(0, 63, 1), (0, 2, 1), (0, 0, 1), (2, 0, 3)]);
        assert_eq!(of(&[u64::MAX, u64::MAX]), [(0, 32, 32)]);
        assert_eq!(of(&[0xffff << 20, u64::MAX]), [(0, 20, 16), (1, 48, 16)]);
    }
}
