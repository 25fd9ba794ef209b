//! The words of groups: each has one rule by which what a row brings joins it, so that a row's columns of parts and its
//! group's words are two vectors, and adding the row is a step or two of vector arithmetic ([`super::rows`]).

use super::super::agg::Cell;
use super::super::loops::{fill1, fill2};
use bytemuck::Pod;
use q::Store;
use q::scalar::cast::number;
use q::scalar::{Item, Key};

/// Rows that are added at once: few enough that their parts and their groups' words stay in the first-level cache.
pub const BLOCK: usize = 256;

/// What each row of a block brings to a word.
pub type Column = [u64; BLOCK];

/// How a part joins a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The wrapping sum of longs.
    Long,
    /// The sum of floats.
    Float,
    /// The greater number.
    Most,
    /// Not by parts: see [`super::cell::Special`].
    Keep,
}

/// The rows at hand.
pub struct Block<'a> {
    /// The values of all arguments at a tile's rows.
    pub values: &'a [&'a [u8]],
    /// The first row of the block.
    pub from: usize,
    /// Distances from the groups' pivots.
    pub distances: &'a [[f64; BLOCK]],
}

impl Block<'_> {
    /// An argument's values from the block's first row on.
    fn items<T: Pod>(&self, arg: usize) -> &[T] {
        &bytemuck::cast_slice(self.values[arg])[self.from..]
    }
}

/// Writes what each row of a block brings.
pub type Fill = Box<dyn Fn(&Block, &mut [u64]) + Send + Sync>;

/// A word of every group.
pub struct Word {
    /// How parts join it.
    pub rule: Rule,
    /// What it is before the first row.
    pub start: u64,
    /// The parts, unless it is kept.
    pub fill: Option<Fill>,
}

impl Word {
    /// A word that no part joins.
    pub fn kept(start: u64) -> Word {
        Word { rule: Rule::Keep, start, fill: None }
    }

    fn new(rule: Rule, start: u64, fill: Fill) -> Word {
        Word { rule, start, fill: Some(fill) }
    }

    /// The word of a cell that one holds, whose arguments are stored as `store` is and have the numbers `x` and `y`.
    /// None of any other cell.
    pub fn of(cell: Cell, store: Store, [x, y]: [usize; 2]) -> Option<Word> {
        let long = |fill| Word::new(Rule::Long, 0, fill);
        let float = |fill| Word::new(Rule::Float, 0, fill);
        Some(match (cell, store) {
            (Cell::Rows, _) => long(Box::new(|_, out| out.fill(1))),
            (Cell::Count(_), Store::I) => long(one(x, |x: i32| !x.is_null() as u64)),
            (Cell::Count(_), Store::J) => long(one(x, |x: i64| !x.is_null() as u64)),
            (Cell::Count(_), Store::E) => long(one(x, |x: f32| !x.is_null() as u64)),
            (Cell::Count(_), Store::F) => long(one(x, |x: f64| !x.is_null() as u64)),
            (Cell::Sum(_), Store::I) => long(one(x, |x: i32| if x.is_null() { 0 } else { x as i64 as u64 })),
            (Cell::Sum(_), Store::J) => long(one(x, |x: i64| if x.is_null() { 0 } else { x as u64 })),
            (Cell::Sum(_), Store::E) => float(one(x, |x: f32| bits(x as f64))),
            (Cell::Sum(_), Store::F) => float(one(x, bits)),
            (Cell::Zeros(_), Store::B) => long(zeros::<u8>(x)),
            (Cell::Zeros(_), Store::H) => long(zeros::<i16>(x)),
            (Cell::Zeros(_), Store::I) => long(zeros::<i32>(x)),
            (Cell::Zeros(_), Store::J) => long(zeros::<i64>(x)),
            (Cell::Zeros(_), Store::E) => long(zeros::<f32>(x)),
            (Cell::Zeros(_), Store::F) => long(zeros::<f64>(x)),
            (Cell::Pairs(..), Store::F) => {
                long(two([x, y], |x: f64, y: f64| !(x.is_nan() | y.is_nan()) as u64))
            }
            (Cell::Left(..), Store::F) => float(pair([x, y], |x, _| x)),
            (Cell::Right(..), Store::F) => float(pair([x, y], |_, y| y)),
            (Cell::Product(..), Store::F) => float(pair([x, y], |x, y| x * y)),
            _ => return None,
        })
    }

    /// The float sum of numbers, none of which is cast before. None of others than ints, longs and floats.
    pub fn sum(store: Store, x: usize) -> Option<Word> {
        let fill = match store {
            Store::I => one(x, |x: i32| bits(number(x))),
            Store::J => one(x, |x: i64| bits(number(x))),
            Store::F => one(x, bits),
            _ => return None,
        };
        Some(Word::new(Rule::Float, 0, fill))
    }

    /// The float sum of the products of two numbers, one of which is a float and the other one that or a long.
    pub fn product([x, y]: [(usize, Store); 2]) -> Option<Word> {
        let args = [x.0, y.0];
        let fill = match (x.1, y.1) {
            (Store::F, Store::F) => two(args, move |x: f64, y: f64| bits(x * y)),
            (Store::F, Store::J) => two(args, move |x: f64, y: i64| bits(x * number::<i64, f64>(y))),
            (Store::J, Store::F) => two(args, move |x: i64, y: f64| bits(number::<i64, f64>(x) * y)),
            _ => return None,
        };
        Some(Word::new(Rule::Float, 0, fill))
    }

    /// The greatest key, where `bottom` is what none at all gives; or with `flip` the least, as the greatest complement.
    pub fn extreme<T: Key>(arg: usize, bottom: T, flip: bool) -> Word {
        let flip = if flip { !0 } else { 0 };
        let start = bottom.key() ^ flip;
        Word::new(Rule::Most, start, one(arg, move |x: T| if x.is_null() { start } else { x.key() ^ flip }))
    }

    /// The sum of products of distances, which are zero at rows that do not count; without `y`, of distances.
    pub fn distance(x: usize, y: Option<usize>) -> Word {
        let fill: Fill = match y {
            None => Box::new(move |block, out| fill1(f64::to_bits, &block.distances[x], out)),
            Some(y) => Box::new(move |block, out| {
                fill2(|x: f64, y: f64| (x * y).to_bits(), &block.distances[x], &block.distances[y], out)
            }),
        };
        Word::new(Rule::Float, 0, fill)
    }
}

impl Rule {
    /// What two words make together.
    pub fn join(self, word: &mut u64, part: u64) {
        *word = match self {
            Rule::Long => word.wrapping_add(part),
            Rule::Float => (f64::from_bits(*word) + f64::from_bits(part)).to_bits(),
            Rule::Most => part.max(*word),
            Rule::Keep => return,
        };
    }
}

/// What a float brings to a sum.
fn bits(x: f64) -> u64 {
    if x.is_nan() { 0 } else { x.to_bits() }
}

/// What one value brings.
fn one<T: Pod>(arg: usize, f: impl Fn(T) -> u64 + Copy + Send + Sync + 'static) -> Fill {
    Box::new(move |block, out| fill1(f, block.items(arg), out))
}

/// What two values bring.
fn two<A: Pod, B: Pod>([x, y]: [usize; 2], f: impl Fn(A, B) -> u64 + Copy + Send + Sync + 'static) -> Fill {
    Box::new(move |block, out| fill2(f, block.items(x), block.items(y), out))
}

/// What a pair of floats without a null brings.
fn pair(args: [usize; 2], f: impl Fn(f64, f64) -> f64 + Copy + Send + Sync + 'static) -> Fill {
    two(args, move |x: f64, y: f64| if x.is_nan() | y.is_nan() { 0 } else { f(x, y).to_bits() })
}

fn zeros<T: Item>(arg: usize) -> Fill {
    one(arg, |x: T| x.same(T::zeroed()) as u64)
}
