//! Counts and sums of groups, several of a row's in one step: their words stand side by side at the front of a
//! group's, so that a row finds its group once and touches one cache line.

use super::super::agg::Cell;
use super::super::tile::TILE;
use super::cell::Table;
use bytemuck::Pod;
use q::Store;
use q::scalar::Item;

/// What each row adds to a word.
pub type Column = [u64; TILE];

/// Writes what each row adds, from the values of all arguments.
pub type Fill = Box<dyn Fn(&[&[u8]], &mut Column) + Send + Sync>;

/// Words in one step.
const STEP: usize = 4;

/// The words of counts and sums: longs, then floats.
#[derive(Default)]
pub struct Sums {
    /// What each adds.
    pub fills: Vec<Fill>,
    /// How many of them are longs.
    pub longs: usize,
}

/// Where cells' words are laid out: the row count first, then long sums, float sums, and the rest.
pub fn rank(cell: Cell, store: Store) -> u8 {
    match (cell, store) {
        (Cell::Rows, _) => 0,
        (Cell::Count(_), _) | (Cell::Sum(_), Store::I | Store::J) => 1,
        (Cell::Sum(_) | Cell::Left(..) | Cell::Right(..) | Cell::Product(..) | Cell::Term(..), _) => 2,
        _ => 3,
    }
}

/// What rows add to a count or sum, whose arguments are stored as `store` is and have the numbers `x` and `y`. None
/// of any other cell.
pub fn fill(cell: Cell, store: Store, [x, y]: [usize; 2]) -> Option<Fill> {
    Some(match (cell, store) {
        (Cell::Rows, _) => Box::new(|_, out| out.fill(1)),
        (Cell::Count(_), Store::E) => one(x, |x: f32| !x.is_null() as u64),
        (Cell::Count(_), Store::F) => one(x, |x: f64| !x.is_null() as u64),
        (Cell::Sum(_), Store::I) => one(x, |x: i32| if x.is_null() { 0 } else { x as i64 as u64 }),
        (Cell::Sum(_), Store::J) => one(x, |x: i64| if x.is_null() { 0 } else { x as u64 }),
        (Cell::Sum(_), Store::E) => one(x, |x: f32| if x.is_null() { 0 } else { (x as f64).to_bits() }),
        (Cell::Sum(_), Store::F) => one(x, |x: f64| if x.is_null() { 0 } else { x.to_bits() }),
        (Cell::Left(..), Store::F) => two([x, y], |x, _| x),
        (Cell::Right(..), Store::F) => two([x, y], |_, y| y),
        (Cell::Product(..), Store::F) => two([x, y], |x, y| x * y),
        (Cell::Term(..), Store::F) => two([x, y], |x, y| if (x * y).is_nan() { 0.0 } else { x * y }),
        _ => return None,
    })
}

impl Sums {
    /// Adds rows, a tile's at most: the slot of each, and the values of all arguments.
    pub fn add(&self, slots: &[u32], values: &[&[u8]], table: &mut Table) {
        // The row count is always there, and first; alone, it needs no column of ones.
        if self.fills.len() == 1 {
            let (words, stride) = (&mut table.words[..], table.stride);
            return slots.iter().for_each(|&slot| words[slot as usize * stride] += 1);
        }
        table.columns.resize(self.fills.len(), [0; TILE]);
        for (fill, column) in self.fills.iter().zip(&mut table.columns) {
            fill(values, column);
        }
        for (step, columns) in table.columns.chunks(STEP).enumerate() {
            let at = step * STEP;
            let add = match (columns.len(), self.longs.saturating_sub(at)) {
                (1, 0) => rows::<1, 0>,
                (1, _) => rows::<1, 1>,
                (2, 0) => rows::<2, 0>,
                (2, 1) => rows::<2, 1>,
                (2, _) => rows::<2, 2>,
                (3, 0) => rows::<3, 0>,
                (3, 1) => rows::<3, 1>,
                (3, 2) => rows::<3, 2>,
                (3, _) => rows::<3, 3>,
                (_, 0) => rows::<STEP, 0>,
                (_, 1) => rows::<STEP, 1>,
                (_, 2) => rows::<STEP, 2>,
                (_, 3) => rows::<STEP, 3>,
                (_, _) => rows::<STEP, STEP>,
            };
            add(slots, columns, table.stride, table.words.get_mut(at..).unwrap_or_default());
        }
    }
}

/// Adds the columns to the first `K` words of each row's group, of which the first `L` are longs and the rest floats.
fn rows<const K: usize, const L: usize>(slots: &[u32], columns: &[Column], stride: usize, words: &mut [u64]) {
    let columns: [&Column; K] = std::array::from_fn(|k| &columns[k]);
    for (i, &slot) in slots.iter().enumerate().take(TILE) {
        let at = slot as usize * stride;
        let Some(words) = words.get_mut(at..at.wrapping_add(K)).and_then(|w| w.first_chunk_mut::<K>()) else {
            continue;
        };
        for k in 0..K {
            let x = columns[k][i];
            words[k] = match k < L {
                true => words[k].wrapping_add(x),
                false => (f64::from_bits(words[k]) + f64::from_bits(x)).to_bits(),
            };
        }
    }
}

/// What one value adds.
fn one<T: Pod>(arg: usize, f: impl Fn(T) -> u64 + Send + Sync + 'static) -> Fill {
    Box::new(move |values, out| {
        let items = bytemuck::cast_slice::<u8, T>(values[arg]);
        out.iter_mut().zip(items).for_each(|(out, &x)| *out = f(x));
    })
}

/// What a pair of floats without a null adds.
fn two(args: [usize; 2], f: impl Fn(f64, f64) -> f64 + Send + Sync + 'static) -> Fill {
    Box::new(move |values, out| {
        let [xs, ys] = args.map(|arg| bytemuck::cast_slice::<u8, f64>(values[arg]));
        for ((out, &x), &y) in out.iter_mut().zip(xs).zip(ys) {
            *out = if x.is_nan() | y.is_nan() { 0 } else { f(x, y).to_bits() };
        }
    })
}
