//! The words of groups: each has one rule by which what a row brings joins it, so that a row's columns of parts and its
//! group's words are two vectors, and adding the row is a step or two of vector arithmetic ([`super::rows`]).

use super::super::agg::Cell;
use super::super::loops::{fill1, fill2};
use bytemuck::Pod;
use q::Store;
use q::scalar::cast::number;
use q::scalar::{Item, Key};
use std::sync::Arc;

/// Rows that are added at once: few enough that their parts and their groups' words stay in the first-level cache, and that
/// memory that is asked for ahead comes while they are added (256 took 15 % longer).
pub const BLOCK: usize = 128;

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
    /// The first float that is no null, of which words after it sum distances.
    Pivot,
    /// The sum of the floats' distances from their pivot, each times that of another word's floats if there is one. What
    /// is null adds nothing. Both are said as how many words they are away, towards the front.
    Distance { pivot: usize, by: Option<usize> },
    /// By no part.
    Keep,
}

/// The rows at hand.
pub struct Block<'a> {
    /// The values of all arguments at a tile's rows.
    pub values: &'a [&'a [u8]],
    /// The first row of the block.
    pub from: usize,
}

impl Block<'_> {
    /// An argument's values from the block's first row on.
    fn items<T: Pod>(&self, arg: usize) -> &[T] {
        &bytemuck::cast_slice(self.values[arg])[self.from..]
    }
}

/// Writes what each row of a block brings.
pub type Fill = Arc<dyn Fn(&Block, &mut [u64]) + Send + Sync>;

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
            (Cell::Rows, _) => long(Arc::new(|_, out| out.fill(1))),
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
            (Cell::Left(..), Store::F) => float(pair([x, y], |x, _| x)),
            (Cell::Right(..), Store::F) => float(pair([x, y], |_, y| y)),
            (Cell::Product(..), Store::F) => float(pair([x, y], |x, y| x * y)),
            (Cell::Term(..), Store::F) => return Word::product([(x, store), (y, store)]),
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

    /// The count of pairs of numbers without a null. None of others than ints, longs and floats.
    pub fn pairs([x, y]: [(usize, Store); 2]) -> Option<Word> {
        let left = side(x, y)?;
        let fill: Fill = Arc::new(move |block, out| {
            left(block, out);
            out.iter_mut().for_each(|word| *word = !f64::from_bits(*word).is_nan() as u64);
        });
        Some(Word::new(Rule::Long, 0, fill))
    }

    /// The words of the squared deviations of numbers about a pivot: that, and the sums of distances and of squares. None
    /// of others than ints, longs and floats.
    pub fn squares(store: Store, x: usize) -> Option<Vec<Word>> {
        let fill = match store {
            Store::I => one(x, |x: i32| number::<i32, f64>(x).to_bits()),
            Store::J => one(x, |x: i64| number::<i64, f64>(x).to_bits()),
            Store::F => one(x, f64::to_bits),
            _ => return None,
        };
        Some(words(&[&fill; 3], &[Rule::Pivot, distance(1, None), distance(2, Some(1))]))
    }

    /// The words of the deviations of pairs of numbers without a null: the pivots, the sums of both distances, of both
    /// squares, and of the products. None of others than ints, longs and floats.
    pub fn cross([(x, left), (y, right)]: [(usize, Store); 2]) -> Option<Vec<Word>> {
        let (left, right) = (side((x, left), (y, right))?, side((y, right), (x, left))?);
        let fills = [&left, &right, &left, &right, &left, &right, &left];
        let rules = [
            Rule::Pivot,
            Rule::Pivot,
            distance(2, None),
            distance(2, None),
            distance(4, Some(2)),
            distance(4, Some(2)),
            distance(6, Some(3)),
        ];
        Some(words(&fills, &rules))
    }
}

/// One side of pairs of numbers: that side, or null where the other one is.
fn side((x, store): (usize, Store), (y, other): (usize, Store)) -> Option<Fill> {
    fn of<A: Pod>(
        args: [usize; 2],
        other: Store,
        f: impl Fn(A) -> f64 + Copy + Send + Sync + 'static,
    ) -> Option<Fill> {
        Some(match other {
            Store::I => two(args, move |x: A, y: i32| if y.is_null() { f64::NAN } else { f(x) }.to_bits()),
            Store::J => two(args, move |x: A, y: i64| if y.is_null() { f64::NAN } else { f(x) }.to_bits()),
            Store::F => two(args, move |x: A, y: f64| if y.is_null() { f64::NAN } else { f(x) }.to_bits()),
            _ => return None,
        })
    }
    match store {
        Store::I => of([x, y], other, number::<i32, f64>),
        Store::J => of([x, y], other, number::<i64, f64>),
        Store::F => of([x, y], other, |x: f64| x),
        _ => None,
    }
}

fn distance(pivot: usize, by: Option<usize>) -> Rule {
    Rule::Distance { pivot, by }
}

fn words(fills: &[&Fill], rules: &[Rule]) -> Vec<Word> {
    let start = |rule| if rule == Rule::Pivot { f64::NAN.to_bits() } else { 0 };
    fills.iter().zip(rules).map(|(&fill, &rule)| Word::new(rule, start(rule), fill.clone())).collect()
}

impl Rule {
    /// What two words make together, which have one pivot.
    pub fn join(self, word: &mut u64, part: u64) {
        *word = match self {
            Rule::Long => word.wrapping_add(part),
            Rule::Float | Rule::Distance { .. } => (f64::from_bits(*word) + f64::from_bits(part)).to_bits(),
            Rule::Most => part.max(*word),
            Rule::Pivot | Rule::Keep => return,
        };
    }
}

/// What a float brings to a sum.
fn bits(x: f64) -> u64 {
    if x.is_nan() { 0 } else { x.to_bits() }
}

/// What one value brings.
fn one<T: Pod>(arg: usize, f: impl Fn(T) -> u64 + Copy + Send + Sync + 'static) -> Fill {
    Arc::new(move |block, out| fill1(f, block.items(arg), out))
}

/// What two values bring.
fn two<A: Pod, B: Pod>([x, y]: [usize; 2], f: impl Fn(A, B) -> u64 + Copy + Send + Sync + 'static) -> Fill {
    Arc::new(move |block, out| fill2(f, block.items(x), block.items(y), out))
}

/// What a pair of floats without a null brings.
fn pair(args: [usize; 2], f: impl Fn(f64, f64) -> f64 + Copy + Send + Sync + 'static) -> Fill {
    two(args, move |x: f64, y: f64| if x.is_nan() | y.is_nan() { 0 } else { f(x, y).to_bits() })
}

fn zeros<T: Item>(arg: usize) -> Fill {
    one(arg, |x: T| x.same(T::zeroed()) as u64)
}
