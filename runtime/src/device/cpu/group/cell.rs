//! The cells of grouped aggregates: a few words a group, kept together, which rows join in row order.
//!
//! Deviations are summed about the group's first value, its pivot, which needs one pass and loses nothing that matters:
//! with `d = x - pivot`, the squares about the mean are `sum d*d - (sum d)*(sum d) % n`.

use super::super::agg::{Agg, Cell, Total};
use super::super::compensated::{Compensated, joined};
use super::super::fold::top;
use super::super::prefetch;
use super::super::program::Given;
use super::super::reduce::factors;
use super::super::repr::{Repr, of_key, with_width};
use super::super::tile::TILE;
use super::pooled;
use super::rows::{self, Parts, STEP};
use super::word::{BLOCK, Block, Column, Fill, Rule, Word};
use bytemuck::Pod;
use compiler::ir::{Dim, Node, Op};
use q::scalar::{Item, Key};
use q::{Buf, Kind, Prim, Store};
use std::sync::Arc;

/// Groups' words, side by side.
pub struct Table {
    words: Buf<u64>,
    stride: usize,
    /// What the rows of a block bring, in columns and side by side.
    columns: Vec<Column>,
    parts: Parts,
}

/// Updates the words of each row's group: the groups' slots, the values of all arguments, and the table.
type Add = Box<dyn Fn(&[u32], &[&[u8]], &mut Table) + Send + Sync>;
/// Merges a cell's later words into its earlier ones.
type Merge = fn(&mut [u64], &[u64]);

/// One cell of a table.
struct Acc {
    cell: Cell,
    /// What the cell's argument is stored as (the first).
    store: Store,
    /// Where its words begin in a group's.
    at: usize,
    /// How many they are.
    len: usize,
    /// Where the count of its rows or pairs is.
    count: usize,
    /// How rows join its words, and words each other, if not by parts.
    own: Option<(Add, Merge)>,
}

/// The words of a deviation, at the front of which are its pivots, one or two.
struct Deviation {
    at: usize,
    pivots: usize,
    /// Where the count of its rows or pairs is.
    count: usize,
}

/// The cells of a Group kernel.
pub struct Layout {
    /// A group's words before its first row.
    pub start: Vec<u64>,
    /// The values that cells read, and their widths.
    pub args: Vec<(Node, usize)>,
    /// The cells, the row count first.
    accs: Vec<Acc>,
    words: Vec<Word>,
    rules: Vec<Rule>,
    /// What fills each column, and which column each word takes its parts from.
    fills: Vec<Fill>,
    columns: Vec<usize>,
    deviations: Vec<Deviation>,
    /// Values without a null, whose count is the row count.
    whole: Vec<Node>,
    /// True if the row count is asked for.
    counted: bool,
}

/// The cell that holds what `cell` is computed from, where the values `whole` have no null.
fn home(cell: Cell, whole: &[Node]) -> Cell {
    match cell {
        Cell::Count(x) if whole.contains(&x) => Cell::Rows,
        Cell::Pairs(x, y) if whole.contains(&x) && whole.contains(&y) => Cell::Rows,
        Cell::LeftSquares(x, y) | Cell::RightSquares(x, y) => Cell::Cross(x, y),
        other => other,
    }
}

impl Table {
    /// All groups' words.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// All groups' words, for writing.
    pub fn words_mut(&mut self) -> &mut [u64] {
        self.words.make_mut()
    }

    /// The words of group `i`.
    #[inline(always)]
    pub fn group(&self, i: usize) -> &[u64] {
        &self.words[i * self.stride..][..self.stride]
    }

    /// Makes room for more groups.
    pub fn reserve(&mut self, groups: usize) {
        self.words.reserve(groups * self.stride);
    }

    /// The words alone.
    pub fn into_words(self) -> Buf<u64> {
        self.words
    }

    /// Adds groups without rows until there are `groups`, whose words are `start` then.
    pub fn grow(&mut self, groups: usize, start: &[u64]) {
        let more = groups.saturating_sub(self.words.len() / self.stride);
        self.words.reserve(more * self.stride);
        let some = start.repeat(more.min(TILE));
        for from in (0..more).step_by(TILE) {
            self.words.extend_from_slice(&some[..(more - from).min(TILE) * self.stride]);
        }
    }

    /// Forgets all groups.
    pub fn clear(&mut self) {
        self.words.truncate(0);
    }

    /// True if every group has rows.
    pub fn is_full(&self) -> bool {
        self.words.iter().step_by(self.stride).all(|rows| *rows > 0)
    }
}

impl Layout {
    /// The layout for these cells, where the values `whole` have no null; none where an aggregate does not take such
    /// arguments.
    pub fn new(given: &Given, cells: impl IntoIterator<Item = Cell>, whole: &[Node]) -> Option<Layout> {
        let mut layout = Layout {
            start: vec![],
            args: vec![],
            accs: vec![],
            words: vec![],
            rules: vec![],
            fills: vec![],
            columns: vec![],
            deviations: vec![],
            whole: whole.to_vec(),
            counted: false,
        };
        layout.cell(given, Cell::Rows)?;
        for cell in cells {
            layout.counted |= home(cell, whole) == Cell::Rows;
            // Deviations need the count of what they are of.
            for cell in cell.means().map(|(_, count)| count).into_iter().chain([cell]) {
                layout.cell(given, home(cell, whole))?;
            }
        }
        // Few groups lie across cache lines, and no step across groups.
        let n = layout.words.len();
        let stride = if n < STEP { n.next_power_of_two() } else { n.next_multiple_of(STEP) };
        layout.words.resize_with(stride, || Word::kept(0));
        layout.start = layout.words.iter().map(|w| w.start).collect();
        layout.rules = layout.words.iter().map(|w| w.rule).collect();
        let Layout { words, fills, columns, .. } = &mut layout;
        for word in words {
            let Some(fill) = &word.fill else {
                columns.push(0);
                continue;
            };
            columns.push(fills.iter().position(|f| Arc::ptr_eq(f, fill)).unwrap_or(fills.len()));
            if columns.last() == Some(&fills.len()) {
                fills.push(fill.clone());
            }
        }
        Some(layout)
    }

    /// Adds a cell, if it is not there.
    fn cell(&mut self, given: &Given, cell: Cell) -> Option<()> {
        if self.accs.iter().any(|a| a.cell == cell) {
            return Some(());
        }
        // What has pivots is not cut by steps.
        let most = match cell {
            Cell::Cross(..) => 7,
            Cell::Squares(_) => 3,
            _ => 1,
        };
        let at = self.words.len();
        if at % STEP + most > STEP {
            self.words.resize_with(at.next_multiple_of(STEP), || Word::kept(0));
        }
        let at = self.words.len();
        // What a word can make of the values itself is not made before.
        let made = factors(given, cell).map(|factors| factors.map(|f| f.0).to_vec());
        let nodes = match cell {
            Cell::Sum(x) => made.clone().or_else(|| uncast(given, x).map(|x| vec![x])),
            Cell::Count(_) | Cell::Squares(_) | Cell::Cross(..) | Cell::Pairs(..) => {
                Some(cell.args().into_iter().map(|x| uncast(given, x).unwrap_or(x)).collect())
            }
            _ => None,
        };
        let nodes: Vec<Node> = nodes.unwrap_or_else(|| cell.args());
        let mut args = [0; 2];
        for (arg, &n) in args.iter_mut().zip(&nodes) {
            *arg = self.args.iter().position(|a| a.0 == n).unwrap_or_else(|| {
                self.args.push((n, Repr::of(given.graph, n).width()));
                self.args.len() - 1
            });
        }
        let kinds: Vec<Kind> = nodes.iter().map(|&n| given.graph.ty(n).kind).collect();
        let stored = |i: usize| (args[i], kinds[i].store());
        let kind = kinds.first().copied().unwrap_or(Kind::Long);
        let width = nodes.first().map_or(8, |_| self.args[args[0]].1);
        let count = cell.means().and_then(|(_, count)| self.find(count)).map_or(0, |acc| acc.at);
        let (words, own) = match cell {
            Cell::Min(_) | Cell::Max(_) => (vec![extreme(cell, kind, args[0])?], None),
            Cell::First(_) | Cell::Last(_) => {
                let last = matches!(cell, Cell::Last(_));
                // Wide values take two words, and what is first needs a flag.
                let words = 1 + (width > 8) as usize + !last as usize;
                let add = with_width!(width, T => edge::<T>(args[0], at, last));
                let merge: Merge = if last { |a, b| a.copy_from_slice(b) } else { |_, _| {} };
                ((0..words).map(|_| Word::kept(0)).collect(), Some((add, merge)))
            }
            Cell::FirstOf(..) | Cell::LastOf(..) => {
                let last = matches!(cell, Cell::LastOf(..));
                let add = with_width!(width, T => edge_of::<T>(args, at, last));
                let merge: Merge = match last {
                    true => |a, b| {
                        if b[0] == 1 {
                            a.copy_from_slice(b)
                        }
                    },
                    false => |a, b| {
                        if a[0] == 0 {
                            a.copy_from_slice(b)
                        }
                    },
                };
                ((0..3).map(|_| Word::kept(0)).collect(), Some((add, merge)))
            }
            Cell::Compensated(_) => {
                let add = match kind.store() {
                    Store::E => one(args[0], at, |w: &mut [u64; 2], x: f32| compensate(w, x as f64)),
                    _ => one(args[0], at, compensate),
                };
                let merge: Merge = |a, b| a.copy_from_slice(&joined([a[0], a[1], 0], [b[0], b[1], 0])[..2]);
                ((0..2).map(|_| Word::kept(0)).collect(), Some((add, merge)))
            }
            Cell::Sum(_) if made.is_some() => {
                let word = Word::product([0, 1].map(stored))?;
                (vec![word], None)
            }
            Cell::Sum(x) if given.graph.ty(x).kind == Kind::Float => {
                (vec![Word::sum(kind.store(), args[0])?], None)
            }
            Cell::Prd(_) => {
                let (start, add, merge) = product(kind.store(), args[0], at)?;
                (vec![Word::kept(start)], Some((add, merge)))
            }
            Cell::Pairs(..) => (vec![Word::pairs([0, 1].map(stored))?], None),
            Cell::Squares(_) => (Word::squares(kind.store(), args[0])?, None),
            Cell::Cross(..) => (Word::cross([0, 1].map(stored))?, None),
            _ => (vec![Word::of(cell, kind.store(), args)?], None),
        };
        let pivots = words.iter().filter(|w| w.rule == Rule::Pivot).count();
        if pivots > 0 {
            self.deviations.push(Deviation { at, pivots, count });
        }
        self.accs.push(Acc { cell, store: kind.store(), at, len: words.len(), count, own });
        self.words.extend(words);
        Some(())
    }

    /// True if a cell depends on which row comes first, not just on rounding.
    pub fn is_ordered(&self) -> bool {
        let edge =
            |cell| matches!(cell, Cell::First(_) | Cell::Last(_) | Cell::FirstOf(..) | Cell::LastOf(..));
        self.accs.iter().any(|a| edge(a.cell))
    }

    /// True if all cells are of first and last rows, so that no other row matters.
    pub fn is_edges(&self) -> bool {
        let edge = |cell| matches!(cell, Cell::Rows | Cell::First(_) | Cell::Last(_));
        self.is_ordered() && !self.counted && self.accs.iter().all(|a| edge(a.cell))
    }

    /// True if rows are only counted.
    pub fn is_count(&self) -> bool {
        self.start.len() == 1
    }

    /// A table of `groups` groups without rows.
    pub fn table(&self, groups: usize) -> Table {
        let mut table = Table {
            words: pooled(groups * self.start.len()),
            stride: self.start.len(),
            columns: vec![[0; BLOCK]; self.fills.len()],
            parts: Parts::new(),
        };
        table.grow(groups, &self.start);
        table
    }

    /// Adds rows, a tile's at most: the slot of each, and their values.
    pub fn add(&self, slots: &[u32], values: &[&[u8]], table: &mut Table) {
        self.accs.iter().filter_map(|acc| acc.own.as_ref()).for_each(|(add, _)| add(slots, values, table));
        let Table { words, stride, columns, parts } = table;
        let words = words.make_mut();
        if self.is_count() {
            // No column of ones is needed.
            return slots.iter().for_each(|&slot| words[slot as usize * *stride] += 1);
        }
        for (from, slots) in (0..).step_by(BLOCK).zip(slots.chunks(BLOCK)) {
            // Values in memory are needed a tile ahead next; the same of others is near, and costs nothing.
            for (bytes, &(_, width)) in values.iter().zip(&self.args) {
                let lines = bytes[from * width..][..slots.len() * width].chunks(64);
                lines.for_each(|line| prefetch::line(&line[0], TILE * width));
            }
            let block = Block { values, from };
            for (fill, column) in self.fills.iter().zip(&mut *columns) {
                fill(&block, &mut column[..slots.len()]);
            }
            for (step, rules) in self.rules.chunks(STEP).enumerate() {
                let first = step * STEP;
                let columns: [&Column; STEP] =
                    std::array::from_fn(|k| &columns[self.columns.get(first + k).copied().unwrap_or(0)]);
                rows::add(slots, &columns[..rules.len()], rules, parts, (first, *stride, words));
            }
        }
    }

    /// Merges the later words of a group into its earlier ones, of which both have rows; `room` has room for them.
    pub fn merge(&self, into: &mut [u64], from: &[u64], room: &mut [u64]) {
        for acc in &self.accs {
            if let Some((_, merge)) = &acc.own {
                let range = acc.at..acc.at + acc.len;
                merge(&mut into[range.clone()], &from[range]);
            }
        }
        let mut from = from;
        if !self.deviations.is_empty() {
            room.copy_from_slice(from);
            self.deviations.iter().for_each(|deviation| deviation.move_to(into, room));
            from = room;
        }
        for ((into, &from), rule) in into.iter_mut().zip(from).zip(&self.rules) {
            rule.join(into, from);
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
            let (cell, acc) = cells[0];
            with_width!(width, T => {
                let out = bytemuck::cast_slice_mut::<u8, T>(out);
                out.iter_mut().zip(groups).for_each(|(o, words)| *o = low::<T>(acc.word(cell, words[acc.at])));
            });
            return;
        }
        if let (Prim::Avg, [(_, sum), (_, count)], 8) = (agg.prim, &cells[..], width) {
            let out = bytemuck::cast_slice_mut::<u8, f64>(out).iter_mut().zip(groups);
            return out.for_each(|(o, words)| *o = f64::from_bits(words[sum.at]) / words[count.at] as f64);
        }
        let mut totals = vec![[0; 3]; cells.len()];
        for (out, words) in out.chunks_mut(width).zip(groups) {
            for (total, (cell, acc)) in totals.iter_mut().zip(&cells) {
                *total = acc.total(*cell, words);
            }
            out.copy_from_slice(&bytemuck::bytes_of(&agg.finish(&totals))[..width]);
        }
    }

    /// Where the words of `cell` begin in a group's, and how its value is read from them.
    fn find(&self, cell: Cell) -> Option<&Acc> {
        self.accs.iter().find(|a| a.cell == home(cell, &self.whole))
    }
}

/// The ints or longs whose cast to floats `x` is.
fn uncast(given: &Given, x: Node) -> Option<Node> {
    let def = &given.graph.nodes[x];
    let from = *def.args.first()?;
    let stored = given.graph.ty(from).kind;
    (def.op == Op::Cast
        && def.ty.dim != Dim::ONE
        && def.ty.kind == Kind::Float
        && matches!(stored, Kind::Int | Kind::Long))
    .then(|| given.base(from))
}

impl Deviation {
    /// Moves the sums of `from` to the pivots of `into`, which it gets if there are none.
    fn move_to(&self, into: &mut [u64], from: &mut [u64]) {
        let (k, n) = (self.pivots, from[self.count] as f64);
        let (had, own) = (&mut into[self.at..], &mut from[self.at..]);
        if f64::from_bits(had[0]).is_nan() {
            return had[..k].copy_from_slice(&own[..k]);
        }
        if f64::from_bits(own[0]).is_nan() {
            return;
        }
        let shift = |i: usize| f64::from_bits(own[i]) - f64::from_bits(had[i]);
        let float = |i: usize| f64::from_bits(own[i]);
        match k {
            1 => {
                let (d, s, ss) = (shift(0), float(1), float(2));
                own[1] = (s + n * d).to_bits();
                own[2] = (ss + 2.0 * d * s + n * d * d).to_bits();
            }
            _ => {
                let (dx, dy) = (shift(0), shift(1));
                let [sx, sy, sxx, syy, sxy] = std::array::from_fn(|i| float(2 + i));
                let moved = [
                    sx + n * dx,
                    sy + n * dy,
                    sxx + 2.0 * dx * sx + n * dx * dx,
                    syy + 2.0 * dy * sy + n * dy * dy,
                    sxy + dx * sy + dy * sx + n * dx * dy,
                ];
                own[2..7].copy_from_slice(&moved.map(f64::to_bits));
            }
        }
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
        let words = table.words_mut();
        for (&slot, &x) in slots.iter().zip(items) {
            if let Some(words) = at(words, slot as usize * stride + cell) {
                f(words, x);
            }
        }
    })
}

/// The low bytes of a word, or of a word and another that is 0.
fn low<T: Pod>(word: u64) -> T {
    bytemuck::pod_read_unaligned(&bytemuck::bytes_of(&[word, 0])[..size_of::<T>()])
}

/// The value of the first or last row: the bytes in one word or two, of the first after a flag.
fn edge<T: Pod>(arg: usize, at: usize, last: bool) -> Add {
    let words = |x: T| {
        let mut pair = [0; 2];
        bytemuck::bytes_of_mut(&mut pair)[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(&x));
        pair
    };
    match (last, size_of::<T>() > 8) {
        (true, false) => one(arg, at, move |w: &mut [u64; 1], x: T| w[0] = words(x)[0]),
        (true, true) => one(arg, at, move |w: &mut [u64; 2], x: T| *w = words(x)),
        (false, false) => one(arg, at, move |w: &mut [u64; 2], x: T| {
            if w[0] == 0 {
                *w = [1, words(x)[0]];
            }
        }),
        (false, true) => one(arg, at, move |w: &mut [u64; 3], x: T| {
            if w[0] == 0 {
                let [low, high] = words(x);
                *w = [1, low, high];
            }
        }),
    }
}

/// The value of the first or last row whose second is true: a flag and the value's bytes.
fn edge_of<T: Pod>(args: [usize; 2], cell: usize, last: bool) -> Add {
    Box::new(move |slots, values, table| {
        let (items, stride) = (bytemuck::cast_slice::<u8, T>(values[args[0]]), table.stride);
        let words = table.words_mut();
        for ((&slot, x), _) in slots.iter().zip(items).zip(values[args[1]]).filter(|(_, some)| **some != 0) {
            if let Some(words) = at::<3>(words, slot as usize * stride + cell)
                && (last || words[0] == 0)
            {
                let mut pair = [0; 2];
                bytemuck::bytes_of_mut(&mut pair)[..size_of::<T>()].copy_from_slice(bytemuck::bytes_of(x));
                *words = [1, pair[0], pair[1]];
            }
        }
    })
}

/// Adds a float to a compensated sum.
fn compensate(words: &mut [u64; 2], x: f64) {
    if x.is_nan() {
        return;
    }
    let mut sum = Compensated::from_words([words[0], words[1], 0]);
    sum.add(x);
    words.copy_from_slice(&sum.words()[..2]);
}

/// A product: what it starts from, how values and how products join it. One of integers is wrapped to their width when
/// it is read.
fn product(store: Store, arg: usize, at: usize) -> Option<(u64, Add, Merge)> {
    fn long(w: &mut [u64; 1], x: i64, null: bool) {
        w[0] = w[0].wrapping_mul(if null { 1 } else { x as u64 });
    }
    fn float(w: &mut [u64; 1], x: f64) {
        w[0] = (f64::from_bits(w[0]) * if x.is_nan() { 1.0 } else { x }).to_bits();
    }
    let longs: Merge = |a, b| a[0] = a[0].wrapping_mul(b[0]);
    let floats: Merge = |a, b| a[0] = (f64::from_bits(a[0]) * f64::from_bits(b[0])).to_bits();
    Some(match store {
        Store::I => (1, one(arg, at, |w, x: i32| long(w, x as i64, x.is_null())), longs),
        Store::J => (1, one(arg, at, |w, x: i64| long(w, x, x.is_null())), longs),
        Store::E => (1f64.to_bits(), one(arg, at, |w, x: f32| float(w, x as f64)), floats),
        Store::F => (1f64.to_bits(), one(arg, at, float), floats),
        _ => return None,
    })
}

/// The word of the least or greatest.
fn extreme(cell: Cell, kind: Kind, arg: usize) -> Option<Word> {
    fn of<T: Key>(arg: usize, least: bool, [bottom, top]: [T; 2]) -> Word {
        Word::extreme(arg, if least { top } else { bottom }, least)
    }
    let least = matches!(cell, Cell::Min(_));
    Some(match kind.store() {
        Store::B => of(arg, least, [0, top(kind)]),
        Store::H => of(arg, least, [-i16::MAX, i16::MAX]),
        Store::I => of(arg, least, [-i32::MAX, i32::MAX]),
        Store::J => of(arg, least, [-i64::MAX, i64::MAX]),
        Store::E => of(arg, least, [f32::NEG_INFINITY, f32::INFINITY]),
        Store::F => of(arg, least, [f64::NEG_INFINITY, f64::INFINITY]),
        _ => return None,
    })
}

impl Acc {
    /// The value of `cell` that the first of its words holds.
    fn word(&self, cell: Cell, word: u64) -> u64 {
        match cell {
            Cell::Min(_) => of_key(self.store, !word),
            Cell::Max(_) => of_key(self.store, word),
            _ => word,
        }
    }

    /// The final value of `cell`, which lives in this one's words of a group's.
    fn total(&self, cell: Cell, group: &[u64]) -> Total {
        let (w, n) = (&group[self.at..self.at + self.len], group[self.count]);
        let float = |i: usize| f64::from_bits(w[i]);
        // What is infinitely far from the pivot has an infinite mean, from which no deviation is known.
        let product = |sum: f64, a: f64, b: f64| match n {
            0 => 0.0,
            _ if !(a.is_finite() && b.is_finite()) => f64::NAN,
            _ => sum - a * b / n as f64,
        };
        // Rounding must not make a square negative; a null stays one.
        let square = |sum: f64, a: f64| match product(sum, a, a) {
            s if s < 0.0 => 0.0,
            s => s,
        };
        let of = |x: f64| [x.to_bits(), 0, 0];
        let edge = |w: &[u64]| [w[0], w.get(1).copied().unwrap_or(0), 1];
        match cell {
            Cell::First(_) => edge(&w[1..]),
            Cell::Last(_) => edge(w),
            Cell::FirstOf(..) | Cell::LastOf(..) => [w[1], w[2], w[0]],
            Cell::Compensated(_) => [w[0], w[1], 0],
            Cell::Squares(_) => of(square(float(2), float(1))),
            Cell::Pairs(..) => of(w[0] as f64),
            Cell::LeftSquares(..) => of(square(float(4), float(2))),
            Cell::RightSquares(..) => of(square(float(5), float(3))),
            Cell::Cross(..) => of(product(float(6), float(2), float(3))),
            _ => [self.word(cell, w[0]), 0, 0],
        }
    }
}
