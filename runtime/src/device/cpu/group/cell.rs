//! The cells of grouped aggregates: a few words a group, kept together, updated row by row in row order.
//!
//! Deviations are summed about the group's first value, which needs one pass and loses nothing that matters:
//! with `d = x - pivot`, the squares about the mean are `sum d*d - (sum d)*(sum d) % n`.

use super::super::agg::{Agg, Cell, Total};
use super::super::fold::top;
use super::super::repr::{Repr, with_width};
use super::sums::{self, Column, Sums};
use bytemuck::Pod;
use compiler::ir::{Graph, Node};
use q::scalar::Item;
use q::{Kind, Store};

/// Updates the cell of each row's group: the groups' slots, the values of all arguments, and the table.
type Add = Box<dyn Fn(&[u32], &[&[u8]], &mut Table) + Send + Sync>;

/// Merges a cell's later words into its earlier ones.
type Merge = fn(&mut [u64], &[u64]);
/// How a cell is updated, how merged, and what its words start from.
type Rule = (Option<Add>, Merge, Vec<u64>);

/// Groups' words, side by side.
pub struct Table {
    /// All groups' words.
    pub words: Vec<u64>,
    /// Words a group: the row count first, then the cells'.
    pub stride: usize,
    /// What the rows at hand add to each sum.
    pub columns: Vec<Column>,
}

/// One cell of a table.
pub struct Acc {
    /// What it accumulates.
    pub cell: Cell,
    /// Where its words begin in a group's.
    pub at: usize,
    /// What its words start from.
    pub start: Vec<u64>,
    /// None of a count or sum, which [`Sums`] updates.
    add: Option<Add>,
    merge: Merge,
}

/// The cells of a Group kernel.
pub struct Layout {
    /// The cells, the row count first.
    pub accs: Vec<Acc>,
    /// A group's words before its first row.
    pub start: Vec<u64>,
    /// The values that cells read, and their widths.
    pub args: Vec<(Node, usize)>,
    /// Counts and sums, which are the first cells.
    sums: Sums,
    /// Values without a null, whose count is the row count.
    whole: Vec<Node>,
}

/// The cell that holds what `cell` is computed from, where the values `whole` have no null.
fn home(cell: Cell, whole: &[Node]) -> Cell {
    match cell {
        Cell::Count(x) if whole.contains(&x) => Cell::Rows,
        Cell::LeftSquares(x, y) | Cell::RightSquares(x, y) | Cell::Pairs(x, y) => Cell::Cross(x, y),
        other => other,
    }
}

impl Layout {
    /// The layout for these cells, where the values `whole` have no null; none where an aggregate does not take such
    /// arguments.
    pub fn new(g: &Graph, cells: impl IntoIterator<Item = Cell>, whole: &[Node]) -> Option<Layout> {
        let mut layout = Layout {
            accs: vec![],
            start: vec![],
            args: vec![],
            sums: Sums::default(),
            whole: whole.to_vec(),
        };
        // The cells, and the kind and numbers of what each reads.
        let mut found: Vec<(Cell, Kind, [usize; 2])> = vec![];
        for cell in [Cell::Rows].into_iter().chain(cells).map(|c| home(c, whole)) {
            if found.iter().any(|f| f.0 == cell) {
                continue;
            }
            let mut args = [0; 2];
            let mut kind = Kind::Long;
            for (i, n) in cell.args().into_iter().enumerate() {
                let known = layout.args.iter().position(|a| a.0 == n);
                args[i] = known.unwrap_or(layout.args.len());
                if known.is_none() {
                    layout.args.push((n, Repr::of(g, n).width()));
                }
                kind = if i == 0 { g.ty(n).kind } else { kind };
            }
            found.push((cell, kind, args));
        }
        found.sort_by_key(|f| sums::rank(f.0, f.1.store()));
        for (cell, kind, args) in found {
            let rank = sums::rank(cell, kind.store());
            match sums::fill(cell, kind.store(), args) {
                Some(fill) => layout.sums.fills.push(fill),
                None if rank <= 2 => return None,
                None => {}
            }
            layout.sums.longs += (rank < 2) as usize;
            let width = layout.args.get(args[0]).map_or(8, |a| a.1);
            let acc = Acc::new(cell, layout.start.len(), kind, width, args)?;
            layout.start.extend(&acc.start);
            layout.accs.push(acc);
        }
        Some(layout)
    }

    /// True if a cell depends on which row comes first, not just on rounding.
    pub fn is_ordered(&self) -> bool {
        self.accs.iter().any(|a| matches!(a.cell, Cell::First(_) | Cell::Last(_)))
    }

    /// A table of `groups` groups without rows.
    pub fn table(&self, groups: usize) -> Table {
        Table { words: self.start.repeat(groups), stride: self.start.len(), columns: vec![] }
    }

    /// Adds rows, a tile's at most: the slot of each, and their values.
    pub fn add(&self, slots: &[u32], values: &[&[u8]], table: &mut Table) {
        self.sums.add(slots, values, table);
        self.accs.iter().filter_map(|acc| acc.add.as_ref()).for_each(|add| add(slots, values, table));
    }

    /// Merges the later words of a group into its earlier ones.
    pub fn merge(&self, into: &mut [u64], from: &[u64]) {
        for acc in &self.accs {
            let range = acc.at..acc.at + acc.start.len();
            (acc.merge)(&mut into[range.clone()], &from[range]);
        }
    }

    /// Writes the results of an aggregate, `width` bytes each, of groups whose words stand side by side.
    pub fn finish(&self, agg: &Agg, words: &[u64], width: usize, out: &mut [u8]) {
        if out.is_empty() {
            return;
        }
        let groups = words.chunks_exact(self.start.len());
        let cells: Vec<(Cell, &Acc)> = agg.cells.iter().filter_map(|&c| Some((c, self.find(c)?))).collect();
        if agg.is_first_word() {
            let at = cells[0].1.at;
            with_width!(width, T => {
                let out = bytemuck::cast_slice_mut::<u8, T>(out);
                out.iter_mut().zip(groups).for_each(|(o, words)| *o = low::<T>(words[at]));
            });
            return;
        }
        let mut totals = vec![[0; 3]; cells.len()];
        for (out, words) in out.chunks_mut(width).zip(groups) {
            for (total, (cell, acc)) in totals.iter_mut().zip(&cells) {
                *total = acc.total(*cell, &words[acc.at..]);
            }
            out.copy_from_slice(&bytemuck::bytes_of(&agg.finish(&totals))[..width]);
        }
    }

    /// Where the words of `cell` begin in a group's, and how its value is read from them.
    fn find(&self, cell: Cell) -> Option<&Acc> {
        self.accs.iter().find(|a| a.cell == home(cell, &self.whole))
    }
}

/// The words of a cell.
#[inline(always)]
fn at<const K: usize>(words: &mut [u64], i: usize) -> Option<&mut [u64; K]> {
    words.get_mut(i..i.wrapping_add(K))?.first_chunk_mut()
}

/// A cell of `K` words that one value updates.
fn one<A: Pod, const K: usize>(
    arg: usize,
    cell: usize,
    f: impl Fn(&mut [u64; K], A) + Send + Sync + 'static,
) -> Add {
    Box::new(move |slots, values, table| {
        let (items, stride) = (bytemuck::cast_slice::<u8, A>(values[arg]), table.stride);
        let words = &mut table.words[..];
        for (&slot, &x) in slots.iter().zip(items) {
            if let Some(words) = at(words, slot as usize * stride + cell) {
                f(words, x);
            }
        }
    })
}

/// A cell of `K` words that the float pairs without a null update.
fn two<const K: usize>(
    args: [usize; 2],
    cell: usize,
    f: impl Fn(&mut [u64; K], f64, f64) + Send + Sync + 'static,
) -> Add {
    Box::new(move |slots, values, table| {
        let (xs, ys) = (
            bytemuck::cast_slice::<u8, f64>(values[args[0]]),
            bytemuck::cast_slice::<u8, f64>(values[args[1]]),
        );
        let stride = table.stride;
        let words = &mut table.words[..];
        for ((&slot, &x), &y) in slots.iter().zip(xs).zip(ys) {
            if let Some(words) = at(words, slot as usize * stride + cell)
                && !x.is_nan()
                && !y.is_nan()
            {
                f(words, x, y);
            }
        }
    })
}

fn plus(word: &mut u64, x: f64) {
    *word = (f64::from_bits(*word) + x).to_bits();
}

fn times(word: &mut u64, x: f64) {
    *word = (f64::from_bits(*word) * x).to_bits();
}

fn bits<T: Pod>(x: T) -> u64 {
    let mut out = [0; 8];
    out[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(&x));
    u64::from_le_bytes(out)
}

/// The low bytes of a word, or of a word and another that is 0.
fn low<T: Pod>(word: u64) -> T {
    bytemuck::pod_read_unaligned(&bytemuck::bytes_of(&[word, 0])[..size_of::<T>()])
}

fn of_bits<T: Pod>(word: u64) -> T {
    bytemuck::pod_read_unaligned(&word.to_le_bytes()[..size_of::<T>()])
}

fn add_longs(into: &mut [u64], from: &[u64]) {
    into[0] = into[0].wrapping_add(from[0]);
}

fn add_floats(into: &mut [u64], from: &[u64]) {
    plus(&mut into[0], f64::from_bits(from[0]));
}

fn least<T: Item>(arg: usize, at: usize) -> (Add, Merge) {
    fn keep<T: Item>(word: &mut u64, x: T) {
        if !x.is_null() & x.before(of_bits(*word)) {
            *word = bits(x);
        }
    }
    (one(arg, at, |w: &mut [u64; 1], x: T| keep(&mut w[0], x)), |a, b| keep::<T>(&mut a[0], of_bits(b[0])))
}

fn most<T: Item>(arg: usize, at: usize) -> (Add, Merge) {
    fn keep<T: Item>(word: &mut u64, x: T) {
        if !x.is_null() & of_bits::<T>(*word).before(x) {
            *word = bits(x);
        }
    }
    (one(arg, at, |w: &mut [u64; 1], x: T| keep(&mut w[0], x)), |a, b| keep::<T>(&mut a[0], of_bits(b[0])))
}

fn zeros<T: Item>(arg: usize, at: usize) -> Add {
    one(arg, at, |w: &mut [u64; 1], x: T| w[0] += x.same(T::zeroed()) as u64)
}

/// The value of the first or last row: a flag and the value's bytes.
fn edge<T: Pod>(arg: usize, at: usize, last: bool) -> Add {
    one(arg, at, move |w: &mut [u64; 3], x: T| {
        if last | (w[0] == 0) {
            let mut pair = [0; 2];
            bytemuck::bytes_of_mut(&mut pair)[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(&x));
            *w = [1, pair[0], pair[1]];
        }
    })
}

/// Words: pivot, count, sum and sum of squares of the distances from the pivot.
fn moments(w: &mut [u64; 4], x: f64) {
    if w[1] == 0 {
        w[0] = x.to_bits();
    }
    let d = x - f64::from_bits(w[0]);
    w[1] += 1;
    plus(&mut w[2], d);
    plus(&mut w[3], d * d);
}

fn merge_moments(into: &mut [u64], from: &[u64]) {
    if into[1] == 0 {
        return into.copy_from_slice(from);
    }
    let [pivot, s, ss] = [from[0], from[2], from[3]].map(f64::from_bits);
    let (n, shift) = (from[1] as f64, pivot - f64::from_bits(into[0]));
    if from[1] > 0 {
        into[1] += from[1];
        plus(&mut into[2], s + n * shift);
        plus(&mut into[3], ss + 2.0 * shift * s + n * shift * shift);
    }
}

/// Words: two pivots, the count, and the sums of x, y, xx, yy and xy, all as distances from the pivots.
fn pair_moments(w: &mut [u64; 8], x: f64, y: f64) {
    if w[2] == 0 {
        (w[0], w[1]) = (x.to_bits(), y.to_bits());
    }
    let (dx, dy) = (x - f64::from_bits(w[0]), y - f64::from_bits(w[1]));
    w[2] += 1;
    for (word, d) in w[3..].iter_mut().zip([dx, dy, dx * dx, dy * dy, dx * dy]) {
        plus(word, d);
    }
}

fn merge_pairs(into: &mut [u64], from: &[u64]) {
    if into[2] == 0 {
        return into.copy_from_slice(from);
    }
    if from[2] == 0 {
        return;
    }
    let n = from[2] as f64;
    let shift = |i: usize| f64::from_bits(from[i]) - f64::from_bits(into[i]);
    let (dx, dy) = (shift(0), shift(1));
    let [sx, sy, sxx, syy, sxy] = std::array::from_fn(|i| f64::from_bits(from[3 + i]));
    into[2] += from[2];
    let moved = [
        sx + n * dx,
        sy + n * dy,
        sxx + 2.0 * dx * sx + n * dx * dx,
        syy + 2.0 * dy * sy + n * dy * dy,
        sxy + dx * sy + dy * sx + n * dx * dy,
    ];
    for (word, s) in into[3..].iter_mut().zip(moved) {
        plus(word, s);
    }
}

impl Acc {
    fn new(cell: Cell, at: usize, kind: Kind, width: usize, args: [usize; 2]) -> Option<Acc> {
        let x = args[0];
        let longs = |add: Option<Add>| -> Rule { (add, add_longs, vec![0]) };
        let extreme = |(add, merge): (Add, Merge), start: u64| -> Rule { (Some(add), merge, vec![start]) };
        let (add, merge, start): Rule = match (cell, kind.store()) {
            _ if sums::rank(cell, kind.store()) < 2 => longs(None),
            _ if sums::rank(cell, kind.store()) == 2 => (None, add_floats, vec![0]),
            (Cell::First(_) | Cell::Last(_), _) => {
                let last = matches!(cell, Cell::Last(_));
                let merge: Merge = if last {
                    |a, b| {
                        if b[0] == 1 {
                            a.copy_from_slice(b)
                        }
                    }
                } else {
                    |a, b| {
                        if a[0] == 0 {
                            a.copy_from_slice(b)
                        }
                    }
                };
                (Some(with_width!(width, T => edge::<T>(x, at, last))), merge, vec![0; 3])
            }
            (Cell::Prd(_), Store::I) => {
                fn mul(word: &mut u64, x: i32) {
                    *word = bits((*word as i32).wrapping_mul(if x.is_null() { 1 } else { x }));
                }
                let merge: Merge = |a, b| a[0] = bits((a[0] as i32).wrapping_mul(b[0] as i32));
                (Some(one(x, at, |w: &mut [u64; 1], x| mul(&mut w[0], x))), merge, vec![1])
            }
            (Cell::Prd(_), Store::J) => {
                let add = one(x, at, |w: &mut [u64; 1], x: i64| {
                    w[0] = w[0].wrapping_mul(if x.is_null() { 1 } else { x as u64 });
                });
                let merge: Merge = |a, b| a[0] = a[0].wrapping_mul(b[0]);
                (Some(add), merge, vec![1])
            }
            (Cell::Prd(_), Store::E | Store::F) => {
                let merge: Merge = |a, b| times(&mut a[0], f64::from_bits(b[0]));
                let or_one = |x: f64| if x.is_nan() { 1.0 } else { x };
                let add = if kind.store() == Store::E {
                    one(x, at, move |w: &mut [u64; 1], x: f32| times(&mut w[0], or_one(x as f64)))
                } else {
                    one(x, at, move |w: &mut [u64; 1], x: f64| times(&mut w[0], or_one(x)))
                };
                (Some(add), merge, vec![1f64.to_bits()])
            }
            (Cell::Min(_), Store::B) => extreme(least::<u8>(x, at), bits(top(kind))),
            (Cell::Min(_), Store::H) => extreme(least::<i16>(x, at), bits(i16::MAX)),
            (Cell::Min(_), Store::I) => extreme(least::<i32>(x, at), bits(i32::MAX)),
            (Cell::Min(_), Store::J) => extreme(least::<i64>(x, at), bits(i64::MAX)),
            (Cell::Min(_), Store::E) => extreme(least::<f32>(x, at), bits(f32::INFINITY)),
            (Cell::Min(_), Store::F) => extreme(least::<f64>(x, at), bits(f64::INFINITY)),
            (Cell::Max(_), Store::B) => extreme(most::<u8>(x, at), 0),
            (Cell::Max(_), Store::H) => extreme(most::<i16>(x, at), bits(-i16::MAX)),
            (Cell::Max(_), Store::I) => extreme(most::<i32>(x, at), bits(-i32::MAX)),
            (Cell::Max(_), Store::J) => extreme(most::<i64>(x, at), bits(-i64::MAX)),
            (Cell::Max(_), Store::E) => extreme(most::<f32>(x, at), bits(f32::NEG_INFINITY)),
            (Cell::Max(_), Store::F) => extreme(most::<f64>(x, at), bits(f64::NEG_INFINITY)),
            (Cell::Zeros(_), Store::B) => longs(Some(zeros::<u8>(x, at))),
            (Cell::Zeros(_), Store::H) => longs(Some(zeros::<i16>(x, at))),
            (Cell::Zeros(_), Store::I) => longs(Some(zeros::<i32>(x, at))),
            (Cell::Zeros(_), Store::J) => longs(Some(zeros::<i64>(x, at))),
            (Cell::Zeros(_), Store::E) => longs(Some(zeros::<f32>(x, at))),
            (Cell::Zeros(_), Store::F) => longs(Some(zeros::<f64>(x, at))),
            (Cell::Squares(_), Store::F) => {
                let add = one(x, at, |w, x: f64| {
                    if !x.is_nan() {
                        moments(w, x);
                    }
                });
                (Some(add), merge_moments, vec![0; 4])
            }
            (Cell::Cross(..), Store::F) => (Some(two(args, at, pair_moments)), merge_pairs, vec![0; 8]),
            _ => return None,
        };
        Some(Acc { cell, at, start, add, merge })
    }

    /// The final value of `cell`, which lives in this one's words.
    pub fn total(&self, cell: Cell, w: &[u64]) -> Total {
        let float = |i: usize| f64::from_bits(w[i]);
        let product = |sum: f64, a: f64, b: f64, n: u64| if n == 0 { 0.0 } else { sum - a * b / n as f64 };
        // Rounding must not make a square negative; a null stays one.
        let square = |sum: f64, a: f64, n: u64| match product(sum, a, a, n) {
            s if s < 0.0 => 0.0,
            s => s,
        };
        let of = |x: f64| [x.to_bits(), 0, 0];
        match cell {
            Cell::First(_) | Cell::Last(_) => [w[1], w[2], w[0]],
            Cell::Squares(_) => of(square(float(3), float(2), w[1])),
            Cell::Pairs(..) => of(w[2] as f64),
            Cell::LeftSquares(..) => of(square(float(5), float(3), w[2])),
            Cell::RightSquares(..) => of(square(float(6), float(4), w[2])),
            Cell::Cross(..) => of(product(float(7), float(3), float(4), w[2])),
            _ => [w[0], 0, 0],
        }
    }
}
