//! Aggregates: a list to an atom, a list of lists to a list, a table to a dictionary.
//!
//! **The sum order.** Float addition is not associative, so the interpreter, and the CPU engine over whole columns,
//! add in one order; of filtered rows and of groups the CPU engine adds in an order of its own. Rows are cut into
//! chunks of [`CHUNK`]; in a chunk, lane `l` of [`LANES`] starts at 0.0 and adds rows `l`, `l+8`, `l+16` … in
//! turn; the lanes are added in order, `((0+1)+2)+…+7`; the chunks are added in order, starting from 0.0. A row
//! that does not count (a null) adds 0.0 in its place. [`sum_order`] is this rule; sums of products and of
//! squared deviations follow it too, and products of floats follow it with `*` and 1.0. Up to 65,536 rows it is
//! the order that q's own sums were seen to have.
//!
//! Reals are summed as floats and rounded once. An average is the sum of the floats over the count of those
//! that are not null. Products of deviations are summed about each chunk's own means, which keeps their digits whatever
//! the mean is and needs the rows once; `spread` says how chunks are merged.

use super::cast::convert;
use super::item::{self, collect, items};
use super::map::{alone, as_vector, map1, map2};
use crate::buf::Buf;
use crate::error::{Error, Result, length_error, type_error};
use crate::fun::Prim;
use crate::kind::Kind;
use crate::scalar::{Item, Key};
use crate::sig::{sig1, sig2};
use crate::value::{Data, Elem, Value, Vector};
use std::ops::Range;

/// Rows a chunk, see the sum order.
pub const CHUNK: usize = 65_536;
/// Lanes in a chunk, see the sum order.
pub const LANES: usize = 8;

/// Folds `n` floats in the sum order: `id` is what a lane, and the whole, starts from.
fn fold_order(n: usize, id: f64, f: impl Fn(f64, f64) -> f64, at: impl Fn(usize) -> f64) -> f64 {
    chunks(n).fold(id, |whole, rows| f(whole, fold_chunk(rows, id, &f, &at)))
}

fn chunks(n: usize) -> impl Iterator<Item = Range<usize>> {
    (0..n).step_by(CHUNK).map(move |start| start..n.min(start + CHUNK))
}

/// Folds the rows of a chunk: its lanes, and then those in order.
fn fold_chunk(rows: Range<usize>, id: f64, f: impl Fn(f64, f64) -> f64, at: impl Fn(usize) -> f64) -> f64 {
    let mut lanes = [id; LANES];
    for (i, row) in rows.enumerate() {
        let lane = &mut lanes[i % LANES];
        *lane = f(*lane, at(row));
    }
    let [first, rest @ ..] = lanes;
    rest.into_iter().fold(first, f)
}

/// The sum of `(x - mx) * (y - my)` over the pairs of `n` rows that have no null, where `mx` and `my` are the means of
/// all x and y; and how many pairs there are. A chunk of `c` pairs with the sums `sx` and `sy` has the product `p` of
/// deviations from `sx % c` and `sy % c`. Chunks with a pair are merged in order: to a whole of `C`, `SX`, `SY` and
/// `P` comes `P + p` and then `d * e * (C * c) % C + c`, where `d` and `e` are the differences of the means.
fn spread(n: usize, pair: impl Fn(usize) -> (f64, f64)) -> (f64, usize) {
    let sum = |rows: &Range<usize>, f: &dyn Fn(f64, f64) -> f64| {
        fold_chunk(
            rows.clone(),
            0.0,
            |x, y| x + y,
            |i| match pair(i) {
                (x, y) if x.is_nan() || y.is_nan() => 0.0,
                (x, y) => f(x, y),
            },
        )
    };
    let (mut product, mut count, mut sums) = (0.0, 0.0, [0.0; 2]);
    for rows in chunks(n) {
        let some = sum(&rows, &|_, _| 1.0);
        if some == 0.0 {
            continue;
        }
        let own = [sum(&rows, &|x, _| x), sum(&rows, &|_, y| y)];
        let [mx, my] = own.map(|s| s / some);
        product += sum(&rows, &|x, y| (x - mx) * (y - my));
        if count > 0.0 {
            let [d, e] = [mx - sums[0] / count, my - sums[1] / count];
            product += d * e * ((count * some) / (count + some));
        }
        count += some;
        sums = [sums[0] + own[0], sums[1] + own[1]];
    }
    (product, count as usize)
}

/// The sum of `at(0)`, `at(1)` … `at(n-1)` in the sum order.
pub fn sum_order(n: usize, at: impl Fn(usize) -> f64) -> f64 {
    fold_order(n, 0.0, |x, y| x + y, at)
}

/// The unary aggregate `p` of `x`. Of an atom: the atom for `sum`, `prd`, `min` and `max`, else as of a
/// one-item list.
pub fn agg1(p: Prim, x: &Value) -> Result<Value> {
    match (p, x) {
        (Prim::Count, _) => Ok(Value::long(x.count() as i64)),
        (Prim::First | Prim::Last, _) => Ok(edge(p, x)),
        (_, Value::Dict(d)) => agg1(p, &d.vals),
        (Prim::Med, Value::Table(_)) => middle(x),
        (_, Value::Table(t)) => {
            let cols = t.cols.iter().map(|c| agg1(p, c)).collect::<Result<_>>()?;
            Ok(Value::dict(Value::syms(t.names.iter().copied()), collect(cols)))
        }
        (_, Value::Fun(_)) => type_error(),
        (Prim::Sum | Prim::Prd | Prim::Min | Prim::Max, Value::Atom(a)) => match sig1(p, a.kind) {
            Some(_) => Ok(x.clone()),
            None => type_error(),
        },
        (_, Value::Atom(a)) => vector(p, &alone(a)),
        (_, Value::Vec(v)) => vector(p, v),
        (_, Value::List(l)) => list(p, l),
    }
}

/// The binary aggregate `p` of `x` and `y`, of one count; an atom goes with every item.
pub fn agg2(p: Prim, x: &Value, y: &Value) -> Result<Value> {
    match (x, y) {
        (Value::Fun(_), _) | (_, Value::Fun(_)) => type_error(),
        (Value::Dict(d), _) => agg2(p, &d.vals, y),
        (_, Value::Dict(d)) => agg2(p, x, &d.vals),
        (_, Value::Table(t)) => {
            let cols = t.cols.iter().map(|c| agg2(p, x, c)).collect::<Result<_>>()?;
            Ok(Value::dict(Value::syms(t.names.iter().copied()), collect(cols)))
        }
        (Value::Table(t), _) => {
            let cols = t.cols.iter().map(|c| agg2(p, c, y)).collect::<Result<_>>()?;
            Ok(Value::dict(Value::syms(t.names.iter().copied()), collect(cols)))
        }
        (Value::List(_), _) | (_, Value::List(_)) => lists(p, x, y),
        _ => vectors(p, x, y),
    }
}

fn edge(p: Prim, x: &Value) -> Value {
    match (x, x.count()) {
        (Value::Atom(_) | Value::Fun(_), _) => x.clone(),
        (Value::Dict(d), _) => edge(p, &d.vals),
        (_, 0) => item::null_item(x),
        (_, n) => item::item(x, if p == Prim::Last { n - 1 } else { 0 }),
    }
}

/// A general list folds item by item with the binary primitive, so nulls count in lists of lists; among atoms
/// of several kinds they are skipped, but an average still divides by the count of all.
fn list(p: Prim, l: &[Value]) -> Result<Value> {
    let atoms = l.iter().all(Value::is_atom);
    let fold = |f: Prim, start: Value| {
        let mut at = l.iter();
        let first = at.next().cloned().unwrap_or(start);
        let skip = |x: Value| {
            if atoms && f == Prim::Add { map2(Prim::Fill, &Value::bool(false), &x) } else { Ok(x) }
        };
        at.try_fold(skip(first)?, |x, y| map2(f, &x, &skip(y.clone())?))
    };
    match p {
        Prim::Sum => fold(Prim::Add, Value::long(0)),
        Prim::Prd => fold(Prim::Mul, Value::long(1)),
        Prim::Min => fold(Prim::Lesser, Value::list(vec![])),
        Prim::Max => fold(Prim::Greater, Value::list(vec![])),
        Prim::All | Prim::Any => {
            let truth = l.iter().map(|x| map1(Prim::Not, x).and_then(|x| map1(Prim::Not, &x)));
            let truth = truth.collect::<Result<Vec<_>>>()?;
            let f = if p == Prim::All { Prim::Lesser } else { Prim::Greater };
            let mut at = truth.into_iter();
            let first = at.next().unwrap_or(Value::bool(p == Prim::All));
            at.try_fold(first, |x, y| map2(f, &x, &y))
        }
        Prim::Avg if l.is_empty() => Ok(Value::float(f64::NAN)),
        Prim::Avg => map2(Prim::Divide, &fold(Prim::Add, Value::long(0))?, &Value::long(l.len() as i64)),
        _ if atoms => {
            let floats = super::cast::to_kind(Kind::Float, &Value::list(l.to_vec()))?;
            agg1(p, &floats)
        }
        Prim::Med => middle(&Value::list(l.to_vec())),
        _ => {
            let cols = columns(l)?;
            Ok(collect(cols.iter().map(|c| agg1(p, c)).collect::<Result<_>>()?))
        }
    }
}

/// `med` of rows: they are sorted as a whole, and the middle two averaged.
fn middle(x: &Value) -> Result<Value> {
    let order = super::sort::grade(x, false)?;
    let n = order.len();
    let at = |i: usize| order.get(i).copied().unwrap_or(-1);
    agg1(Prim::Avg, &item::gather(x, &[at(n.saturating_sub(1) / 2), at(n / 2)]))
}

/// The columns of a list of equal lists, atoms repeated.
pub(super) fn columns(l: &[Value]) -> Result<Vec<Value>> {
    let n = l.iter().find(|x| !x.is_atom()).map_or(1, Value::count);
    if l.iter().any(|x| !x.is_atom() && x.count() != n) {
        return length_error();
    }
    Ok((0..n)
        .map(|i| collect(l.iter().map(|x| item::item(x, if x.is_atom() { 0 } else { i })).collect()))
        .collect())
}

fn lists(p: Prim, x: &Value, y: &Value) -> Result<Value> {
    if !x.is_atom() && !y.is_atom() && x.count() != y.count() {
        return length_error();
    }
    let total = || agg1(Prim::Sum, &map2(Prim::Mul, x, y)?);
    match p {
        Prim::Wsum => total(),
        Prim::Wavg if x.is_atom() => {
            let weight = map2(Prim::Mul, x, &Value::long(y.count() as i64))?;
            map2(Prim::Divide, &total()?, &weight)
        }
        Prim::Wavg => map2(Prim::Divide, &total()?, &agg1(Prim::Sum, x)?),
        _ => {
            // Mixed atoms are numbers, or nothing that has a covariance; nothing at all has none.
            let flat = |x: &Value| match x {
                Value::List(l) if l.iter().all(Value::is_atom) => super::cast::to_kind(Kind::Float, x),
                _ => Ok(x.clone()),
            };
            if x.count() == 0 || y.count() == 0 {
                return Ok(Value::float(f64::NAN));
            }
            let (x, y) = (flat(x)?, flat(y)?);
            if !matches!((&x, &y), (Value::List(_), _) | (_, Value::List(_))) {
                return agg2(p, &x, &y);
            }
            let (x, y) = (columns(&items(&x))?, columns(&items(&y))?);
            if x.len() != y.len() {
                return length_error();
            }
            if x.iter().chain(&y).any(|c| matches!(c, Value::List(l) if l.iter().all(Value::is_atom))) {
                return type_error();
            }
            Ok(collect(x.iter().zip(&y).map(|(x, y)| agg2(p, x, y)).collect::<Result<_>>()?))
        }
    }
}

/// A vector's aggregate as an atom of the signature's kind. q's documentation leaves open what sums and products of
/// nothing are, and how wide reals are added up: here they are the identity, and reals add up as floats.
fn vector(p: Prim, v: &Vector) -> Result<Value> {
    let Some(s) = sig1(p, v.kind) else { return type_error() };
    let v = convert(v, s.arg)?;
    let float = |x: f64| Ok(Value::float(x));
    match (p, &v.data) {
        (Prim::All | Prim::Any, _) => {
            let zeros = zeros(&v.data);
            Ok(Value::bool(if p == Prim::All { zeros == 0 } else { zeros < v.len() }))
        }
        (Prim::Min, Data::B(x)) => atom(s.out, x.iter().copied().min().unwrap_or(top(s.out))),
        (Prim::Max, Data::B(x)) => atom(s.out, x.iter().copied().max().unwrap_or(0)),
        (Prim::Min | Prim::Max, Data::H(x)) => atom(s.out, most(p, x, i16::MAX, -i16::MAX)),
        (Prim::Min | Prim::Max, Data::I(x)) => atom(s.out, most(p, x, i32::MAX, -i32::MAX)),
        (Prim::Min | Prim::Max, Data::J(x)) => atom(s.out, most(p, x, i64::MAX, -i64::MAX)),
        // Adding zero makes one of the two zeros, whichever came first.
        (Prim::Min | Prim::Max, Data::E(x)) => {
            atom(s.out, most(p, x, f32::INFINITY, f32::NEG_INFINITY) + 0.0)
        }
        (Prim::Min | Prim::Max, Data::F(x)) => {
            atom(s.out, most(p, x, f64::INFINITY, f64::NEG_INFINITY) + 0.0)
        }
        (Prim::Sum, Data::I(x)) => {
            let sum: i64 = x.iter().filter(|x| !x.is_null()).map(|&x| x as i64).sum();
            atom(s.out, i32::try_from(sum).unwrap_or(i32::MIN))
        }
        (Prim::Sum, Data::J(x)) => {
            atom(s.out, x.iter().filter(|x| !x.is_null()).fold(0i64, |x, &y| x.wrapping_add(y)))
        }
        (Prim::Prd, Data::I(x)) => {
            atom(s.out, x.iter().filter(|x| !x.is_null()).fold(1i32, |x, &y| x.wrapping_mul(y)))
        }
        (Prim::Prd, Data::J(x)) => {
            atom(s.out, x.iter().filter(|x| !x.is_null()).fold(1i64, |x, &y| x.wrapping_mul(y)))
        }
        (Prim::Sum, Data::E(x)) => atom(s.out, sum_order(x.len(), |i| or(x[i] as f64, 0.0)) as f32),
        (Prim::Sum, Data::F(x)) => atom(s.out, sum_order(x.len(), |i| or(x[i], 0.0))),
        (Prim::Prd, Data::E(x)) => {
            atom(s.out, fold_order(x.len(), 1.0, |x, y| x * y, |i| or(x[i] as f64, 1.0)) as f32)
        }
        (Prim::Prd, Data::F(x)) => atom(s.out, fold_order(x.len(), 1.0, |x, y| x * y, |i| or(x[i], 1.0))),
        _ => match &convert(&v, Kind::Float)?.data {
            Data::F(x) => float(match p {
                Prim::Avg => mean(x).0,
                Prim::Med => median(x),
                Prim::Var => deviation(x, 0),
                Prim::Dev => deviation(x, 0).sqrt(),
                Prim::Svar => deviation(x, 1),
                Prim::Sdev => deviation(x, 1).sqrt(),
                _ => return Err(Error::new("nyi").detail(p.row().stem)),
            }),
            _ => type_error(),
        },
    }
}

fn atom<T: Elem>(kind: Kind, x: T) -> Result<Value> {
    Ok(Value::atom(kind, x))
}

/// `x`, or `other` where it is null.
fn or(x: f64, other: f64) -> f64 {
    if x.is_nan() { other } else { x }
}

/// What `min` of nothing is, of kinds without infinities.
fn top(kind: Kind) -> u8 {
    if kind == Kind::Bool { 1 } else { u8::MAX }
}

/// The least or greatest that is not null; the infinity that nothing beats if there is none.
fn most<T: Item>(p: Prim, x: &[T], high: T, low: T) -> T {
    let items = x.iter().copied().filter(|x| !x.is_null());
    match p {
        Prim::Min => items.fold(high, |x, y| if y.before(x) { y } else { x }),
        _ => items.fold(low, |x, y| if x.before(y) { y } else { x }),
    }
}

/// How many items are zero.
fn zeros(data: &Data) -> usize {
    fn count<T: Item>(x: &Buf<T>) -> usize {
        x.iter().filter(|x| x.same(T::zeroed())).count()
    }
    crate::each_data!(data, x => count(x))
}

/// The mean and the count of what is not null.
fn mean(x: &[f64]) -> (f64, usize) {
    let n = x.iter().filter(|x| !x.is_nan()).count();
    (sum_order(x.len(), |i| or(x[i], 0.0)) / n as f64, n)
}

/// The mean squared deviation; `less` is what the count is diminished by (0 population, 1 sample).
fn deviation(x: &[f64], less: usize) -> f64 {
    let (squares, n) = spread(x.len(), |i| (x[i], x[i]));
    squares / over(n, less)
}

/// The count diminished by `less`; null where nothing is left to divide by. That decides what spread is of nothing
/// and of one item, which q's documentation leaves open.
fn over(n: usize, less: usize) -> f64 {
    if n <= less { f64::NAN } else { (n - less) as f64 }
}

/// The mean of the two middle items in sorted order, nulls first: a null in the middle leaves the other one.
fn median(x: &[f64]) -> f64 {
    let n = x.len();
    if n == 0 {
        return f64::NAN;
    }
    let mut sorted = x.to_vec();
    let (_, high, _) = sorted.select_nth_unstable_by_key(n / 2, |x| x.key());
    let high = *high;
    let low = if n % 2 == 1 {
        high
    } else {
        sorted[..n / 2].iter().copied().fold(f64::NAN, |x, y| if x.before(y) { y } else { x })
    };
    mean(&[low, high]).0
}

/// The aggregates of two vectors; a pair with a null in either counts as none. q's documentation shows that for
/// `cor` and `wavg`; that `cov` and `scov` are alike is decided here.
fn vectors(p: Prim, x: &Value, y: &Value) -> Result<Value> {
    let Some(s) = sig2(p, as_vector(x)?.kind, as_vector(y)?.kind) else { return type_error() };
    // Products of times are rounded to their units before they are summed.
    if p == Prim::Wsum && (x.is_atom() || y.is_atom() || s.out.is_temporal()) {
        return agg1(Prim::Sum, &map2(Prim::Mul, x, y)?);
    }
    if !x.is_atom() && !y.is_atom() && x.count() != y.count() {
        return length_error();
    }
    let n = if x.is_atom() { y.count() } else { x.count() };
    if p == Prim::Wsum {
        let side = |v: &Value, kind| super::cast::to_kind(kind, v);
        return agg1(Prim::Sum, &map2(Prim::Mul, &side(x, s.x)?, &side(y, s.y)?)?);
    }
    let (Data::F(x), Data::F(y)) = (convert(&as_vector(x)?, s.x)?.data, convert(&as_vector(y)?, s.y)?.data)
    else {
        return type_error();
    };
    let at = |v: &Buf<f64>, i: usize| if v.len() == 1 { v[0] } else { v[i] };
    // A null in either side turns a pair off.
    let pair = |i: usize| (at(&x, i), at(&y, i));
    let sum = |f: &dyn Fn(f64, f64) -> f64| {
        sum_order(n, |i| match pair(i) {
            (x, y) if x.is_nan() || y.is_nan() => 0.0,
            (x, y) => f(x, y),
        })
    };
    if p == Prim::Wavg {
        return Ok(Value::float(sum(&|x, y| x * y) / sum(&|x, _| x)));
    }
    let (product, count) = spread(n, pair);
    Ok(Value::float(match p {
        Prim::Cov => product / over(count, 0),
        Prim::Scov => product / over(count, 1),
        _ => {
            // A side's squares count only the pairs.
            let both = |x: f64, y: f64| if y.is_nan() { f64::NAN } else { x };
            let left = spread(n, |i| (both(pair(i).0, pair(i).1), pair(i).0)).0;
            let right = spread(n, |i| (both(pair(i).1, pair(i).0), pair(i).1)).0;
            product / (left * right).sqrt()
        }
    }))
}
