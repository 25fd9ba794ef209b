//! Tiles: 1,024 rows of each value that a kernel computes, in slots that stay in the first-level cache.
//!
//! Every loop of the engine runs over whole lines of 64 elements, so it has no remainder and no bounds to
//! check: an atom is one line that is read again and again, and the last, partial tile of a column is copied
//! into a slot before it is used.

use super::prefetch;
use super::skip::Tile;
use bytemuck::{Pod, Zeroable};
use q::Buf;
use std::cell::{Cell, RefCell};

/// Elements a line.
pub const LINE: usize = 64;
/// Rows a tile: few enough that the slots of a filtered product, its columns and what is asked for ahead stay in a
/// first-level cache of 48 KB (a tile of 2,048 took 10 % longer).
pub const TILE: usize = 1024;
/// Lines a tile.
pub const LINES: usize = TILE / LINE;
/// Rows a chunk: what one task takes, and what a float sum folds before it goes on.
pub const CHUNK: usize = 65_536;

/// 64 elements: the unit of every loop.
pub type Line<T> = [T; LINE];

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Align([u8; 64]);

/// Memory for a tile, or for one line, of some element type.
pub struct Slot(Box<[Align]>);

/// Slots that a thread keeps for its next query, and the most bytes of one.
const KEEP: usize = 64;
const LARGE: usize = 1 << 20;

thread_local! {
    /// Slots that were dropped. A small query takes less time than to get new ones and to zero them.
    static FREE: RefCell<Vec<Box<[Align]>>> = const { RefCell::new(vec![]) };
}

impl Slot {
    /// A slot for `count` elements of `width` bytes, with any contents.
    pub fn new(count: usize, width: usize) -> Slot {
        let lines = (count * width).div_ceil(64);
        let kept = FREE.with_borrow_mut(|free| {
            let at = free.iter().rposition(|slot| slot.len() == lines)?;
            Some(free.swap_remove(at))
        });
        Slot(kept.unwrap_or_else(|| vec![Align([0; 64]); lines].into_boxed_slice()))
    }

    /// The slot's lines.
    pub fn lines<T: Pod>(&self) -> &[Line<T>] {
        bytemuck::cast_slice::<u8, T>(bytemuck::cast_slice(&self.0)).as_chunks().0
    }

    /// The slot's lines, for writing.
    pub fn lines_mut<T: Pod>(&mut self) -> &mut [Line<T>] {
        bytemuck::cast_slice_mut::<u8, T>(bytemuck::cast_slice_mut(&mut self.0)).as_chunks_mut().0
    }

    /// The slot's bytes.
    pub fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0)
    }

    /// The slot's bytes, for writing.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let slot = std::mem::take(&mut self.0);
        // A thread that ends has no more use for it.
        let _ = FREE.try_with(|free| {
            let mut free = free.borrow_mut();
            if !slot.is_empty() && size_of_val(&*slot) <= LARGE && free.len() < KEEP {
                free.push(slot);
            }
        });
    }
}

/// A value's lines in one tile: a vector's, or an atom's one line for every line.
#[derive(Clone, Copy)]
pub struct Src<'a, T> {
    lines: &'a [Line<T>],
    /// All ones for a vector, 0 for an atom.
    stride: usize,
    /// How far ahead of a line to ask for memory, in bytes: a tile for what is read in place, else 0.
    ahead: usize,
}

impl<'a, T> Src<'a, T> {
    /// The value whose lines are `lines`.
    pub fn vector(lines: &'a [Line<T>]) -> Src<'a, T> {
        Src { lines, stride: usize::MAX, ahead: 0 }
    }

    /// Line `i`. The same line of the next tile is asked for, so that memory works while this one is computed.
    #[inline(always)]
    pub fn line(&self, i: usize) -> &'a Line<T> {
        let line = &self.lines[i & self.stride];
        if self.ahead > 0 {
            prefetch::line(line, self.ahead);
        }
        line
    }

    /// True if its lines are near, so that none is asked for.
    pub fn is_near(&self) -> bool {
        self.ahead == 0
    }

    /// Element `i` of the tile.
    #[inline(always)]
    pub fn at(&self, i: usize) -> &'a T {
        &self.line(i / LINE)[i % LINE]
    }
}

/// Where a value lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum At {
    /// In a slot, computed for each tile.
    Slot(usize),
    /// An atom.
    Atom(usize),
    /// In memory, read in place.
    Load(usize),
}

/// A vector in memory, whatever its elements are.
#[derive(Clone, Copy)]
pub struct Load<'a> {
    /// Its elements.
    pub bytes: &'a [u8],
    /// Bytes an element takes.
    pub width: usize,
}

/// A whole vector that steps index.
pub enum Table<'a> {
    /// One that is in memory.
    Lent(&'a [u8]),
    /// One that was made for the program.
    Made(Buf<u8>),
}

/// What one thread holds while it runs a program over tiles.
pub struct Frame<'a> {
    slots: Vec<Slot>,
    atoms: &'a [Slot],
    loads: &'a [Load<'a>],
    staged: Vec<Slot>,
    /// Whole vectors that steps index: rank tables, membership sets, values by group.
    tables: &'a [Table<'a>],
    /// What is known of the masks of each tile; nothing if empty.
    tiles: &'a [Tile],
    /// The first row of the tile.
    pub row: usize,
    /// Rows in the tile.
    pub rows: usize,
    /// True while what is read of the tile has been read before, so that the next one need not be asked for.
    pub again: Cell<bool>,
}

impl<'a> Frame<'a> {
    /// A frame with slots of the given widths in bytes.
    pub fn new(
        widths: &[usize],
        atoms: &'a [Slot],
        loads: &'a [Load<'a>],
        tables: &'a [Table<'a>],
        tiles: &'a [Tile],
    ) -> Frame<'a> {
        Frame {
            slots: widths.iter().map(|&w| Slot::new(TILE, w)).collect(),
            atoms,
            loads,
            staged: vec![],
            tables,
            tiles,
            row: 0,
            rows: 0,
            again: Cell::new(false),
        }
    }

    /// Moves to the tile of `rows` rows from `row`, or, where no step of a program runs, to several whole tiles.
    pub fn seek(&mut self, row: usize, rows: usize) {
        (self.row, self.rows) = (row, rows);
        if rows >= TILE {
            return self.staged.clear();
        }
        self.staged = self
            .loads
            .iter()
            .map(|load| {
                let mut slot = Slot::new(TILE, load.width);
                slot.bytes_mut()[..rows * load.width]
                    .copy_from_slice(&load.bytes[row * load.width..][..rows * load.width]);
                slot
            })
            .collect();
    }

    /// What is known of the masks of the tile.
    pub fn tile(&self) -> Tile {
        self.tiles.get(self.row / TILE).copied().unwrap_or(Tile::Some)
    }

    /// Lines in use.
    pub fn lines(&self) -> usize {
        self.rows.div_ceil(LINE)
    }

    /// The value at `at`, whose elements must be of type `T`.
    pub fn src<T: Pod>(&self, at: At) -> Src<'_, T> {
        match at {
            At::Slot(i) => Src::vector(self.slots[i].lines()),
            At::Atom(i) => Src { lines: &self.atoms[i].lines()[..1], stride: 0, ahead: 0 },
            At::Load(i) if self.rows < TILE => Src::vector(self.staged[i].lines()),
            At::Load(i) => {
                let bytes = &self.loads[i].bytes[self.row * size_of::<T>()..][..self.rows * size_of::<T>()];
                let lines = bytemuck::cast_slice::<u8, T>(bytes).as_chunks().0;
                let ahead = if self.again.get() { 0 } else { TILE * size_of::<T>() };
                Src { lines, stride: usize::MAX, ahead }
            }
        }
    }

    /// All elements of a value in memory.
    pub fn whole(&self, at: At) -> Option<&'a [u8]> {
        if let At::Load(i) = at { Some(self.loads[i].bytes) } else { None }
    }

    /// Copies the tile's elements of the value at `at` to `out`, which holds exactly those rows.
    pub fn copy(&self, at: At, width: usize, out: &mut [u8]) {
        match (self.flat(at, width), at) {
            (Some(from), _) => out.copy_from_slice(from),
            (None, At::Atom(i)) => {
                let line = &self.atoms[i].bytes()[..LINE * width];
                out.chunks_mut(line.len()).for_each(|part| part.copy_from_slice(&line[..part.len()]));
            }
            (None, _) => unreachable!("only an atom is not flat"),
        }
    }

    /// The tile's elements of the value at `at` as they lie in memory; none of an atom.
    pub fn flat(&self, at: At, width: usize) -> Option<&[u8]> {
        match at {
            At::Slot(i) => Some(&self.slots[i].bytes()[..self.rows * width]),
            At::Load(i) => Some(&self.loads[i].bytes[self.row * width..][..self.rows * width]),
            At::Atom(_) => None,
        }
    }

    /// Lends slot `i` out for writing; [`Frame::put`] gives it back.
    pub fn take(&mut self, i: usize) -> Slot {
        std::mem::replace(&mut self.slots[i], Slot(Box::default()))
    }

    /// Gives slot `i` back.
    pub fn put(&mut self, i: usize, slot: Slot) {
        self.slots[i] = slot;
    }

    /// Whole elements of table `i`.
    pub fn table<T: Pod>(&self, i: usize) -> &'a [T] {
        bytemuck::cast_slice(match &self.tables[i] {
            Table::Lent(bytes) => bytes,
            Table::Made(bytes) => bytes,
        })
    }
}
