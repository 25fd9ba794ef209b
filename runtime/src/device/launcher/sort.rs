//! The launches of a sort: which places of the keys matter, and a pass for each. The head comment of `sort.cuh`
//! says what each kernel does.

use super::memory::Memory;
use super::{Block, SORT_TILE, Word, word};
use q::{Error, Result};

/// Digits of a place, and words of a tile's state.
const DIGITS: usize = 256;

/// Order keys and the rows that they belong to.
#[derive(Clone, Copy, Debug)]
pub struct Keyed {
    /// The keys, each of `width` bytes.
    pub keys: Block,
    /// Two, four or eight.
    pub width: usize,
    /// The rows' numbers; none for the rows in order.
    pub rows: Option<Block>,
    /// Whether those have eight bytes, not four.
    pub wide: bool,
    /// How many.
    pub length: usize,
}

impl Keyed {
    /// The rows as the kernels take them.
    pub fn rows(&self) -> Word {
        either(self.rows, self.wide)
    }

    /// Keys that are lists' numbers as the kernels take them.
    pub fn numbers(&self) -> Word {
        either(Some(self.keys), self.width == 4)
    }

    /// Gives its memory back.
    pub fn release(self, memory: &mut Memory) -> Result<()> {
        [Some(self.keys), self.rows].into_iter().flatten().try_for_each(|b| memory.release(b))
    }
}

/// Whole numbers as the kernels take them: `Either` in `prelude.cuh`.
pub fn either(numbers: Option<Block>, wide: bool) -> Word {
    word([numbers.map_or(0, |b| b.address), u64::from(wide)])
}

/// Brings keys and rows into ascending order, equal keys in the order that they came in, and gives the memory of
/// `given` back where it made other.
pub fn sort(memory: &mut Memory, given: Keyed) -> Result<Keyed> {
    let Keyed { length, width, .. } = given;
    let counts = memory.filled("counts", width * DIGITS * 8, 0)?;
    let args = [word(length as i64), word(given.keys.address), word(counts.address)];
    let blocks = memory.grid(length);
    memory.machine.launch(&format!("sort_count_{width}"), blocks, &args)?;
    let mut found = vec![0u64; width * DIGITS];
    memory.machine.read(counts, bytemuck::cast_slice_mut(&mut found))?;
    let mut now = given;
    for (place, digits) in found.chunks(DIGITS).enumerate() {
        // A place in which all keys have one digit changes nothing.
        if !digits.contains(&(length as u64)) {
            let sorted = pass(memory, &now, place, counts)?;
            now.release(memory)?;
            now = sorted;
        }
    }
    memory.release(counts)?;
    Ok(now)
}

/// One pass: by the digit `place` of the keys, whose digits `counts` counts.
fn pass(memory: &mut Memory, from: &Keyed, place: usize, counts: Block) -> Result<Keyed> {
    let Keyed { length, width, wide, .. } = *from;
    let tiles = length.div_ceil(SORT_TILE);
    let blocks = u32::try_from(tiles).map_err(|_| Error::new("limit"))?;
    let state = memory.filled("state", tiles * DIGITS * 8, 0)?;
    let ticket = memory.filled("ticket", 4, 0)?;
    let keys = memory.allocate("keys", length * width)?;
    let rows = memory.allocate("rows", length * if wide { 8 } else { 4 })?;
    let args = [
        word(length as i64),
        word(from.keys.address),
        from.rows(),
        word(place as i32),
        word(counts.address),
        word(ticket.address),
        word(state.address),
        word(keys.address),
        either(Some(rows), wide),
    ];
    memory.machine.launch(&format!("sort_pass_{width}"), blocks, &args)?;
    memory.release(state)?;
    memory.release(ticket)?;
    Ok(Keyed { keys, rows: Some(rows), ..*from })
}
