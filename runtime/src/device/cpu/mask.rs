//! Filters: which rows of a tile pass the masks of a kernel.

use super::compress::bits;
use super::loops::unpack;
use super::program::Program;
use super::skip::Tile;
use super::tile::{At, Frame, LINE, LINES, Slot, Src};

/// The rows of a tile that pass.
pub struct Passing {
    /// A bit a row; none past the tile's rows.
    pub bits: [u64; LINES],
    /// How many pass.
    pub count: usize,
}

impl Passing {
    /// The rows at which every mask of the program holds. It has computed them then, unless none does.
    pub fn find(program: &Program, frame: &mut Frame, masks: &[At]) -> Passing {
        match frame.tile() {
            Tile::None => return Passing { bits: [0; LINES], count: 0 },
            Tile::All if program.is_masks() => return Passing::of(frame, &[]),
            _ => program.run_masks(frame),
        }
        Passing::of(frame, masks)
    }

    fn of(frame: &Frame, masks: &[At]) -> Passing {
        let mut all = [!0; LINES];
        for (i, word) in all.iter_mut().enumerate() {
            let left = frame.rows.saturating_sub(i * LINE);
            if left < LINE {
                *word = (1 << left) - 1;
            }
        }
        let mut one = [0; LINES];
        for &mask in masks {
            bits(frame.src(mask), &mut one[..frame.lines()]);
            all.iter_mut().zip(&one).for_each(|(all, one)| *all &= one);
        }
        let count = all.iter().map(|w| w.count_ones() as usize).sum();
        Passing { bits: all, count }
    }

    /// Writes `item(i)` at the row of the `i`th that passes. `out` has all rows of the tile.
    pub fn place<T>(&self, out: &mut [T], item: impl Fn(usize) -> T) {
        if self.count == out.len() {
            return out.iter_mut().enumerate().for_each(|(i, out)| *out = item(i));
        }
        let mut i = 0;
        for (line, out) in self.bits.iter().zip(out.chunks_mut(LINE)) {
            let mut left = *line;
            while left != 0 {
                out[left.trailing_zeros() as usize] = item(i);
                i += 1;
                left &= left - 1;
            }
        }
    }

    /// The rows as a mask of bytes over whole lines; none if every element of every line in use counts.
    pub fn bytes<'a>(&self, frame: &'a Frame, masks: &[At], scratch: &'a mut Slot) -> Option<Src<'a, u8>> {
        if self.count == frame.lines() * LINE {
            return None;
        }
        if let &[mask] = masks
            && frame.rows.is_multiple_of(LINE)
        {
            return Some(frame.src(mask));
        }
        unpack(&self.bits, scratch.lines_mut());
        Some(Src::vector(scratch.lines()))
    }
}
