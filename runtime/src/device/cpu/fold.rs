//! The cells of whole-column aggregates: each folds a tile into eight lanes, lanes into a chunk's total in
//! order, and chunks into the whole in order, so that neither the thread count nor the machine's vector width
//! changes a bit (the sum order of `q::eval::agg`).

use super::agg::{Cell, Total};
use super::compensated::{Compensated, joined};
use super::repr::with_width;
use super::tile::{At, Frame, LINE, Line, Src};
use bytemuck::Pod;
use multiversion::multiversion;
use q::scalar::Item;
use q::scalar::cast::number;
use q::{Kind, Store};

/// Lanes of a chunk; row `i` of the chunk belongs to lane `i % 8`.
pub const LANES: usize = 8;
/// Lines that one go of an order-free fold takes.
const BLOCK: usize = 8;
/// Eight lanes of up to eight bytes.
pub type Lanes = [u64; LANES];
/// The means that deviations are taken from.
pub type Means = [f64; 2];

/// Folds the frame's tile into the lanes; the mask says which rows count.
pub type Fold = Box<dyn Fn(&Frame, Option<Src<u8>>, &Means, &mut Lanes) + Send + Sync>;

/// A cell that can be folded.
pub struct Folder {
    /// The cell.
    pub cell: Cell,
    /// What the lanes start from.
    pub start: Lanes,
    /// Folds a tile.
    pub fold: Fold,
    /// A chunk's lanes as its total.
    pub close: Box<dyn Fn(&Lanes) -> Total + Send + Sync>,
    /// The total of the chunks so far and the next.
    pub merge: Box<dyn Fn(Total, Total) -> Total + Send + Sync>,
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt+fma",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt+fma"
))]
fn lanes1<A: Copy, S: Copy>(
    f: impl Fn(S, A, bool) -> S,
    n: usize,
    x: Src<A>,
    mask: Option<Src<u8>>,
    out: &mut [S; LANES],
) {
    let mut lanes = *out;
    for i in 0..n {
        let (x, _) = x.line(i).as_chunks::<LANES>();
        match &mask {
            None => {
                for x in x {
                    for l in 0..LANES {
                        lanes[l] = f(lanes[l], x[l], true);
                    }
                }
            }
            Some(m) => {
                let (m, _) = m.line(i).as_chunks::<LANES>();
                for (x, m) in x.iter().zip(m) {
                    for l in 0..LANES {
                        lanes[l] = f(lanes[l], x[l], m[l] != 0);
                    }
                }
            }
        }
    }
    *out = lanes;
}

/// Folds `n` lines with a lane for each element of a line, which keeps the adders busy and is a loop that compilers
/// see through (of fewer lanes they make scalars), and then the lanes. A lane is in memory between blocks of lines, so
/// it takes a whole block's elements before it goes there; but for lines that come from memory, since what asks for a
/// block of them at once waits for it.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt+fma",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt+fma"
))]
fn whole<A: Copy, S: Copy>(
    f: impl Fn(S, A, bool) -> S,
    g: impl Fn(S, S) -> S,
    start: S,
    n: usize,
    x: Src<A>,
    mask: Option<Src<u8>>,
) -> S {
    let mut lanes = [start; LINE];
    let blocks = if x.is_near() { n / BLOCK } else { 0 };
    for block in 0..blocks {
        let xs: [&Line<A>; BLOCK] = std::array::from_fn(|i| x.line(block * BLOCK + i));
        match &mask {
            None => {
                for k in 0..LINE {
                    lanes[k] = xs.iter().fold(lanes[k], |s, x| f(s, x[k], true));
                }
            }
            Some(m) => {
                let ms: [&Line<u8>; BLOCK] = std::array::from_fn(|i| m.line(block * BLOCK + i));
                for k in 0..LINE {
                    lanes[k] = xs.iter().zip(ms).fold(lanes[k], |s, (x, m)| f(s, x[k], m[k] != 0));
                }
            }
        }
    }
    for i in blocks * BLOCK..n {
        let (x, m) = (x.line(i), mask.as_ref().map(|m| m.line(i)));
        for k in 0..LINE {
            lanes[k] = f(lanes[k], x[k], m.is_none_or(|m| m[k] != 0));
        }
    }
    for half in [LINE / 2, LINE / 4, LINE / 8] {
        let (low, high) = lanes.split_at_mut(half);
        for (low, &high) in low.iter_mut().zip(&*high) {
            *low = g(*low, high);
        }
    }
    let [first, rest @ ..] = &lanes[..LINE / 8] else { return start };
    rest.iter().fold(*first, |x, &y| g(x, y))
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt+fma",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt+fma"
))]
fn lanes2<A: Copy, B: Copy>(
    f: impl Fn(f64, A, B, bool) -> f64,
    n: usize,
    x: Src<A>,
    y: Src<B>,
    mask: Option<Src<u8>>,
    out: &mut [f64; LANES],
) {
    let mut lanes = *out;
    for i in 0..n {
        let ((x, _), (y, _)) = (x.line(i).as_chunks::<LANES>(), y.line(i).as_chunks::<LANES>());
        match &mask {
            None => {
                for (x, y) in x.iter().zip(y) {
                    for l in 0..LANES {
                        lanes[l] = f(lanes[l], x[l], y[l], true);
                    }
                }
            }
            Some(m) => {
                let (m, _) = m.line(i).as_chunks::<LANES>();
                for ((x, y), m) in x.iter().zip(y).zip(m) {
                    for l in 0..LANES {
                        lanes[l] = f(lanes[l], x[l], y[l], m[l] != 0);
                    }
                }
            }
        }
    }
    *out = lanes;
}

/// The lanes as elements of `S`, which takes at most eight bytes.
fn typed<S: Pod>(lanes: &Lanes) -> [S; LANES] {
    let items: &[S] = bytemuck::cast_slice(lanes);
    std::array::from_fn(|i| items[i])
}

/// Elements as lanes.
fn untyped<S: Pod>(items: [S; LANES]) -> Lanes {
    let mut lanes = [0; LANES];
    bytemuck::cast_slice_mut::<u64, S>(&mut lanes)[..LANES].copy_from_slice(&items);
    lanes
}

/// A total that holds one element.
pub fn word<S: Pod>(x: S) -> Total {
    let mut out = [0; 3];
    bytemuck::bytes_of_mut(&mut out)[..size_of::<S>()].copy_from_slice(bytemuck::bytes_of(&x));
    out
}

/// The element that a total holds.
pub fn element<S: Pod>(total: &Total) -> S {
    bytemuck::pod_read_unaligned(&bytemuck::bytes_of(total)[..size_of::<S>()])
}

/// A fold of one value with typed lanes.
fn one<A: Pod, S: Pod>(x: At, f: impl Fn(S, A, bool) -> S + Copy + Send + Sync + 'static) -> Fold {
    Box::new(move |t, mask, _, lanes| {
        let mut own = typed::<S>(lanes);
        lanes1(f, t.lines(), t.src(x), mask, &mut own);
        *lanes = untyped(own);
    })
}

/// A fold of one value whose order does not matter; `g` combines two lanes, and `start` changes nothing.
fn free<A: Pod, S: Pod + Send + Sync>(
    x: At,
    start: S,
    f: impl Fn(S, A, bool) -> S + Copy + Send + Sync + 'static,
    g: impl Fn(S, S) -> S + Copy + Send + Sync + 'static,
) -> Fold {
    Box::new(move |t, mask, _, lanes| {
        let mut all = typed::<S>(lanes);
        all[0] = g(all[0], whole(f, g, start, t.lines(), t.src(x), mask));
        *lanes = untyped(all);
    })
}

/// A fold of the float pairs without a null into a float sum.
fn two(x: At, y: At, f: impl Fn(f64, f64, &Means) -> f64 + Copy + Send + Sync + 'static) -> Fold {
    Box::new(move |t, mask, means, lanes| {
        let mut own = typed::<f64>(lanes);
        let add = |s: f64, x: f64, y: f64, ok: bool| {
            s + if ok & !x.is_nan() & !y.is_nan() { f(x, y, means) } else { 0.0 }
        };
        lanes2(add, t.lines(), t.src(x), t.src(y), mask, &mut own);
        *lanes = untyped(own);
    })
}

/// The float sum of a product that is computed while it is folded; its factors are floats, or longs that the
/// product casts.
pub fn product(cell: Cell, [(x, x_kind), (y, y_kind)]: [(At, Kind); 2]) -> Option<Folder> {
    Some(match (x_kind.store(), y_kind.store()) {
        (Store::F, Store::F) => times(cell, x, y, |x: f64, y: f64| x * y),
        (Store::F, Store::J) => times(cell, x, y, |x: f64, y: i64| x * number::<i64, f64>(y)),
        (Store::J, Store::F) => times(cell, x, y, |x: i64, y: f64| number::<i64, f64>(x) * y),
        _ => return None,
    })
}

fn times<A: Pod, B: Pod>(
    cell: Cell,
    x: At,
    y: At,
    f: impl Fn(A, B) -> f64 + Copy + Send + Sync + 'static,
) -> Folder {
    let add = move |s: f64, x: A, y: B, ok: bool| {
        let product = f(x, y);
        s + if ok & !product.is_nan() { product } else { 0.0 }
    };
    floats(
        cell,
        Box::new(move |t, mask, _, lanes| {
            let mut own = typed::<f64>(lanes);
            lanes2(add, t.lines(), t.src(x), t.src(y), mask, &mut own);
            *lanes = untyped(own);
        }),
    )
}

/// A cell whose lanes, and whose chunks, are combined in order by `f`.
fn folder<S: Pod + Send + Sync>(
    cell: Cell,
    start: S,
    f: impl Fn(S, S) -> S + Copy + Send + Sync + 'static,
    fold: Fold,
) -> Folder {
    Folder {
        cell,
        start: untyped([start; LANES]),
        fold,
        close: Box::new(move |lanes| {
            let [first, rest @ ..] = typed::<S>(lanes);
            word(rest.into_iter().fold(first, f))
        }),
        merge: Box::new(move |a, b| word(f(element(&a), element(&b)))),
    }
}

fn longs(cell: Cell, fold: Fold) -> Folder {
    folder(cell, 0i64, i64::wrapping_add, fold)
}

fn floats(cell: Cell, fold: Fold) -> Folder {
    folder(cell, 0f64, |x, y| x + y, fold)
}

/// The least or greatest that is not null, by `first`, which says of two that are none which comes first; all come
/// before `last`.
fn extreme<T: Item>(
    cell: Cell,
    last: T,
    x: At,
    first: impl Fn(T, T) -> bool + Copy + Send + Sync + 'static,
) -> Folder {
    // The one choice for all rows is what the processor's own instructions do.
    let f = move |s: T, x: T| if first(x, s) { x } else { s };
    folder(cell, last, f, free(x, last, move |s, x: T, ok| f(s, if ok & !x.is_null() { x } else { last }), f))
}

fn least<T: Item + PartialOrd>(cell: Cell, top: T, x: At) -> Folder {
    extreme(cell, top, x, |x, y| x < y)
}

fn most<T: Item + PartialOrd>(cell: Cell, bottom: T, x: At) -> Folder {
    extreme(cell, bottom, x, |x, y| x > y)
}

fn count<T: Item>(cell: Cell, x: At) -> Folder {
    longs(cell, free(x, 0, |s: i64, x: T, ok| s + (ok & !x.is_null()) as i64, i64::wrapping_add))
}

fn zeros<T: Item>(cell: Cell, x: At) -> Folder {
    longs(cell, free(x, 0, |s: i64, x: T, ok| s + (ok & x.same(T::zeroed())) as i64, i64::wrapping_add))
}

/// A compensated sum, whose words are the first two lanes; the lanes of a tile are joined to them in order.
fn compensated<T: Pod>(cell: Cell, x: At, f: impl Fn(T) -> f64 + Copy + Send + Sync + 'static) -> Folder {
    let add = move |mut s: Compensated, x: T, ok: bool| {
        let x = f(x);
        s.add(if ok & !x.is_nan() { x } else { 0.0 });
        s
    };
    let close = |lanes: &Lanes| [lanes[0], lanes[1], 0];
    let fold: Fold = Box::new(move |t, mask, _, lanes| {
        let mut own = [Compensated::default(); LANES];
        lanes1(add, t.lines(), t.src(x), mask, &mut own);
        let whole = own.into_iter().fold(close(lanes), |whole, part| joined(whole, part.words()));
        lanes[..3].copy_from_slice(&whole);
    });
    Folder { cell, start: [0; LANES], fold, close: Box::new(close), merge: Box::new(joined) }
}

/// The value of the first or the last row that counts: lane 2 says whether there is one yet, lanes 0 and 1 hold
/// its bytes.
fn edge(cell: Cell, x: At, width: usize) -> Folder {
    let last = matches!(cell, Cell::Last(_));
    let fold: Fold = Box::new(move |t, mask, _, lanes| {
        if lanes[2] == 1 && !last {
            return;
        }
        let counts = |i: &usize| mask.is_none_or(|m| *m.at(*i) != 0);
        let row = if last { (0..t.rows).rev().find(counts) } else { (0..t.rows).find(counts) };
        if let Some(row) = row {
            let [a, b, _] = with_width!(width, T => word(*t.src::<T>(x).at(row)));
            lanes[..3].copy_from_slice(&[a, b, 1]);
        }
    });
    Folder {
        cell,
        start: [0; LANES],
        fold,
        close: Box::new(|lanes| [lanes[0], lanes[1], lanes[2]]),
        merge: Box::new(move |a, b| if (a[2] == 0) | (last & (b[2] == 1)) { b } else { a }),
    }
}

impl Folder {
    /// The folder of `cell`, whose arguments are of kind `kind` (the first), `width` bytes wide, and lie at
    /// `at`; none where the aggregate does not take such arguments.
    pub fn new(cell: Cell, kind: Kind, width: usize, at: &[At]) -> Option<Folder> {
        let x = *at.first().unwrap_or(&At::Atom(0));
        let y = *at.get(1).unwrap_or(&x);
        Some(match (cell, kind.store()) {
            (Cell::Rows, _) => longs(
                cell,
                Box::new(|t, mask, _, lanes| {
                    lanes[0] += match mask {
                        None => t.rows as u64,
                        Some(m) => {
                            let add = |n: u16, b: u8, _| n + b as u16;
                            whole(add, |x, y| x + y, 0, t.lines(), m, None) as u64
                        }
                    };
                }),
            ),
            (Cell::First(_) | Cell::Last(_), _) => edge(cell, x, width),
            (Cell::Count(_), Store::E) => count::<f32>(cell, x),
            (Cell::Count(_), Store::F) => count::<f64>(cell, x),
            (Cell::Sum(_), Store::I) => {
                let f = |s: i64, x: i32, ok| s + if ok & !x.is_null() { x as i64 } else { 0 };
                longs(cell, free(x, 0, f, i64::wrapping_add))
            }
            (Cell::Sum(_), Store::J) => {
                let f = |s: i64, x: i64, ok| s.wrapping_add(if ok & !x.is_null() { x } else { 0 });
                longs(cell, free(x, 0, f, i64::wrapping_add))
            }
            (Cell::Sum(_), Store::E) => {
                floats(cell, one(x, |s: f64, x: f32, ok| s + if ok & !x.is_nan() { x as f64 } else { 0.0 }))
            }
            (Cell::Sum(_), Store::F) => {
                floats(cell, one(x, |s: f64, x: f64, ok| s + if ok & !x.is_nan() { x } else { 0.0 }))
            }
            (Cell::Compensated(_), Store::E) => compensated(cell, x, |x: f32| x as f64),
            (Cell::Compensated(_), Store::F) => compensated(cell, x, |x: f64| x),
            (Cell::Prd(_), Store::I) => {
                let fold = one(x, |s: i32, x: i32, ok| s.wrapping_mul(if ok & !x.is_null() { x } else { 1 }));
                folder(cell, 1i32, i32::wrapping_mul, fold)
            }
            (Cell::Prd(_), Store::J) => {
                let fold = one(x, |s: i64, x: i64, ok| s.wrapping_mul(if ok & !x.is_null() { x } else { 1 }));
                folder(cell, 1i64, i64::wrapping_mul, fold)
            }
            (Cell::Prd(_), Store::E) => {
                let fold = one(x, |s: f64, x: f32, ok| s * if ok & !x.is_nan() { x as f64 } else { 1.0 });
                folder(cell, 1f64, |x, y| x * y, fold)
            }
            (Cell::Prd(_), Store::F) => {
                let fold = one(x, |s: f64, x: f64, ok| s * if ok & !x.is_nan() { x } else { 1.0 });
                folder(cell, 1f64, |x, y| x * y, fold)
            }
            (Cell::Min(_), Store::B) => least(cell, top(kind), x),
            (Cell::Min(_), Store::H) => least(cell, i16::MAX, x),
            (Cell::Min(_), Store::I) => least(cell, i32::MAX, x),
            (Cell::Min(_), Store::J) => least(cell, i64::MAX, x),
            (Cell::Min(_), Store::E) => least(cell, f32::INFINITY, x),
            (Cell::Min(_), Store::F) => least(cell, f64::INFINITY, x),
            (Cell::Max(_), Store::B) => most(cell, 0u8, x),
            (Cell::Max(_), Store::H) => most(cell, -i16::MAX, x),
            (Cell::Max(_), Store::I) => most(cell, -i32::MAX, x),
            (Cell::Max(_), Store::J) => most(cell, -i64::MAX, x),
            (Cell::Max(_), Store::E) => most(cell, f32::NEG_INFINITY, x),
            (Cell::Max(_), Store::F) => most(cell, f64::NEG_INFINITY, x),
            (Cell::Zeros(_), Store::B) => zeros::<u8>(cell, x),
            (Cell::Zeros(_), Store::H) => zeros::<i16>(cell, x),
            (Cell::Zeros(_), Store::I) => zeros::<i32>(cell, x),
            (Cell::Zeros(_), Store::J) => zeros::<i64>(cell, x),
            (Cell::Zeros(_), Store::E) => zeros::<f32>(cell, x),
            (Cell::Zeros(_), Store::F) => zeros::<f64>(cell, x),
            (Cell::Squares(_), Store::F) => floats(cell, two(x, x, |x, _, m| (x - m[0]) * (x - m[0]))),
            (Cell::Pairs(..), Store::F) => floats(cell, two(x, y, |_, _, _| 1.0)),
            (Cell::Left(..), Store::F) => floats(cell, two(x, y, |x, _, _| x)),
            (Cell::Right(..), Store::F) => floats(cell, two(x, y, |_, y, _| y)),
            // Integers keep their type only as the product of an atom and a list; see `q::sig`.
            (Cell::Product(..), Store::F) => floats(cell, two(x, y, |x, y, _| x * y)),
            (Cell::Term(..), Store::F) => times(cell, x, y, |x: f64, y: f64| x * y),
            (Cell::LeftSquares(..), Store::F) => floats(cell, two(x, y, |x, _, m| (x - m[0]) * (x - m[0]))),
            (Cell::RightSquares(..), Store::F) => floats(cell, two(x, y, |_, y, m| (y - m[1]) * (y - m[1]))),
            (Cell::Cross(..), Store::F) => floats(cell, two(x, y, |x, y, m| (x - m[0]) * (y - m[1]))),
            _ => return None,
        })
    }
}

/// What `min` of nothing is, of the kinds without infinities.
pub fn top(kind: Kind) -> u8 {
    if kind == Kind::Bool { 1 } else { u8::MAX }
}
