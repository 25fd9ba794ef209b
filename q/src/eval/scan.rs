//! Running and moving functions: a list to a list of the same count.
//!
//! Running sums and products of floats go from the first row to the last, one operation a row (a real's is
//! kept as a float and rounded for each row). A moving sum adds its window from the oldest row to the newest,
//! starting from 0.0, so that no row outside the window leaves a trace. Nulls count as 0.0 in both.

use super::agg::columns;
use super::cast::{convert, to_kind};
use super::elem;
use super::item::{self, collect, items};
use super::map::{alone, map2, shaped};
use super::same::matches;
use crate::buf::Buf;
use crate::each_data;
use crate::error::{Result, length_error, type_error};
use crate::fun::Prim;
use crate::kind::Kind;
use crate::scalar::Item;
use crate::sig::{sig1, sig2};
use crate::sym::Sym;
use crate::value::{Atom, Data, Elem, Value, Vector};

/// `p\` of `x` for `+ * & |` and `^`: `sums`, `prds`, `mins`, `maxs`, `fills`. In a vector nulls count as the
/// identity, and nulls at the start of `mins` and `maxs` as the infinity that nothing beats; lists of lists
/// fold with the primitive itself. That a leading null gives 0 in `sums` and 1 in `prds` is decided here: q's
/// documentation shows it for `mins` and `maxs` only.
pub fn running(p: Prim, x: &Value) -> Result<Value> {
    match x {
        Value::Atom(a) => match aggregate(p).map_or(Some(()), |p| sig1(p, a.kind).map(|_| ())) {
            Some(()) => Ok(x.clone()),
            None => type_error(),
        },
        Value::Vec(v) => running_vector(p, v).map(Value::Vec),
        Value::List(l) => {
            let mut out: Vec<Value> = Vec::with_capacity(l.len());
            for y in l.iter() {
                out.push(match out.last() {
                    Some(x) => map2(p, x, y)?,
                    None => y.clone(),
                });
            }
            Ok(collect(out))
        }
        Value::Fun(_) => type_error(),
        _ => shaped(x, &|x| running(p, x)),
    }
}

/// The aggregate that a scan of `p` types as.
fn aggregate(p: Prim) -> Option<Prim> {
    match p {
        Prim::Add => Some(Prim::Sum),
        Prim::Mul => Some(Prim::Prd),
        Prim::Lesser => Some(Prim::Min),
        Prim::Greater => Some(Prim::Max),
        _ => None,
    }
}

fn running_vector(p: Prim, v: &Vector) -> Result<Vector> {
    let Some(agg) = aggregate(p) else {
        let null = |x| elem::is_null(v.kind, x);
        let data = each_data!(&v.data, x => Elem::data(fold(x, elem::null_elem(v.kind), |x, y| if null(y.raw()) { x } else { y })));
        return Ok(Vector { attr: Default::default(), data, ..v.clone() });
    };
    let Some(s) = sig1(agg, v.kind) else { return type_error() };
    let v = convert(v, s.arg)?;
    let data = match (p, &v.data) {
        (Prim::Add, Data::I(x)) => {
            Data::I(fold(x, 0, |x, y| if y.is_null() { x } else { x.wrapping_add(y) }))
        }
        (Prim::Add, Data::J(x)) => {
            Data::J(fold(x, 0, |x, y| if y.is_null() { x } else { x.wrapping_add(y) }))
        }
        (Prim::Add, Data::E(x)) => reals(x, 0.0, |x, y| x + y),
        (Prim::Add, Data::F(x)) => Data::F(fold(x, 0.0, |x, y| if y.is_nan() { x } else { x + y })),
        (Prim::Mul, Data::I(x)) => {
            Data::I(fold(x, 1, |x, y| if y.is_null() { x } else { x.wrapping_mul(y) }))
        }
        (Prim::Mul, Data::J(x)) => {
            Data::J(fold(x, 1, |x, y| if y.is_null() { x } else { x.wrapping_mul(y) }))
        }
        (Prim::Mul, Data::E(x)) => reals(x, 1.0, |x, y| x * y),
        (Prim::Mul, Data::F(x)) => Data::F(fold(x, 1.0, |x, y| if y.is_nan() { x } else { x * y })),
        (Prim::Lesser, Data::B(x)) => Data::B(fold(x, u8::MAX, |x, y| x.min(y))),
        (Prim::Greater, Data::B(x)) => Data::B(fold(x, 0, |x, y| x.max(y))),
        (_, Data::H(x)) => Data::H(fold(x, ends(p, -i16::MAX, i16::MAX), most(p))),
        (_, Data::I(x)) => Data::I(fold(x, ends(p, -i32::MAX, i32::MAX), most(p))),
        (_, Data::J(x)) => Data::J(fold(x, ends(p, -i64::MAX, i64::MAX), most(p))),
        (_, Data::E(x)) => Data::E(fold(x, ends(p, f32::NEG_INFINITY, f32::INFINITY), most(p))),
        (_, Data::F(x)) => Data::F(fold(x, ends(p, f64::NEG_INFINITY, f64::INFINITY), most(p))),
        _ => return type_error(),
    };
    Ok(Vector { kind: s.out, attr: Default::default(), data, domain: None })
}

/// The folds of every prefix of `x`.
fn fold<T: Elem>(x: &Buf<T>, start: T, f: impl Fn(T, T) -> T) -> Buf<T> {
    let mut at = start;
    x.iter()
        .map(|&y| {
            at = f(at, y);
            at
        })
        .collect()
}

/// As [`fold`] for reals, kept as floats on the way.
fn reals(x: &Buf<f32>, start: f64, f: impl Fn(f64, f64) -> f64) -> Data {
    let mut at = start;
    let step = |&y: &f32| {
        if !y.is_nan() {
            at = f(at, y as f64);
        }
        at as f32
    };
    Data::E(x.iter().map(step).collect())
}

/// What nothing beats.
fn ends<T>(p: Prim, low: T, high: T) -> T {
    if p == Prim::Lesser { high } else { low }
}

/// The lesser (or greater) of two items where the second may be null.
fn most<T: Item>(p: Prim) -> impl Fn(T, T) -> T {
    move |x, y| {
        let beats = if p == Prim::Lesser { y.before(x) } else { x.before(y) };
        if beats && !y.is_null() { y } else { x }
    }
}

/// `avgs x` and `differ x`.
pub fn scan1(p: Prim, x: &Value) -> Result<Value> {
    match (p, x) {
        (_, Value::Fun(_)) => type_error(),
        (Prim::Avgs, Value::Atom(_)) => to_kind(Kind::Float, x),
        (Prim::Avgs, Value::Vec(v)) => avgs(v).map(Value::Vec),
        (Prim::Avgs, Value::List(l)) => by_columns(l, &|x| scan1(p, x)),
        (Prim::Differ, Value::Atom(_)) => type_error(),
        (Prim::Differ, Value::Vec(v)) => {
            let flags = each_data!(&v.data, x => differ(x));
            Ok(Value::vector(Kind::Bool, flags))
        }
        (Prim::Differ, Value::Dict(d)) => Ok(Value::dict(d.keys.clone(), scan1(p, &d.vals)?)),
        (Prim::Differ, _) => {
            let rows = items(x);
            let change = |i: usize| (i == 0 || !matches(&rows[i - 1], &rows[i])) as u8;
            Ok(Value::vector(Kind::Bool, (0..rows.len()).map(change).collect::<Buf<u8>>()))
        }
        (Prim::Avgs, _) => shaped(x, &|x| scan1(p, x)),
        _ => type_error(),
    }
}

fn avgs(v: &Vector) -> Result<Vector> {
    let Some(s) = sig1(Prim::Avgs, v.kind) else { return type_error() };
    let floats = floats(v)?;
    let (mut sum, mut n) = (0.0, 0u64);
    let step = |&x: &f64| {
        if !x.is_nan() {
            sum += x;
            n += 1;
        }
        shared(sum, n as f64)
    };
    Ok(Vector::new(s.out, floats.iter().map(step).collect()))
}

fn floats(v: &Vector) -> Result<Buf<f64>> {
    match convert(v, Kind::Float)?.data {
        Data::F(x) => Ok(x),
        _ => type_error(),
    }
}

/// True where an item does not equal (with tolerance) the one before it, and at the first.
fn differ<T: Item>(x: &Buf<T>) -> Buf<u8> {
    (0..x.len()).map(|i| (i == 0 || !x[i - 1].equal(x[i])) as u8).collect()
}

/// A list of rows, through `f` by column.
fn by_columns(l: &[Value], f: &dyn Fn(&Value) -> Result<Value>) -> Result<Value> {
    if l.iter().all(Value::is_atom) {
        return f(&to_kind(Kind::Float, &Value::list(l.to_vec()))?);
    }
    let cols = columns(l)?.iter().map(f).collect::<Result<Vec<_>>>()?;
    let row = |i: usize| collect(cols.iter().map(|c| item::item(c, i)).collect());
    Ok(collect((0..l.len()).map(row).collect()))
}

/// `n msum y` and its like, and `x ema y`. The window of a row is that row and the `n-1` before it; near the
/// start it is shorter. Where `n` is not positive the window is empty.
pub fn scan2(p: Prim, n: &Value, y: &Value) -> Result<Value> {
    match y {
        Value::Fun(_) => type_error(),
        Value::Atom(a) => Ok(item::item(&scan2(p, n, &Value::Vec(alone(a)))?, 0)),
        Value::Vec(v) if p == Prim::Ema => ema(n, v),
        Value::Vec(v) => {
            let Value::Atom(a) = n else { return type_error() };
            if sig2(p, a.kind, v.kind).is_none() {
                return type_error();
            }
            let Some(width) = n.as_long() else { return type_error() };
            moving(p, width.max(0) as usize, v).map(Value::Vec)
        }
        Value::List(l) => by_columns(l, &|y| scan2(p, n, y)),
        _ => shaped(y, &|y| scan2(p, n, y)),
    }
}

fn moving(p: Prim, n: usize, v: &Vector) -> Result<Vector> {
    let Some(s) = sig2(p, Kind::Long, v.kind) else { return type_error() };
    if matches!(p, Prim::Mmin | Prim::Mmax) {
        if n == 0 {
            return Ok(v.clone());
        }
        let data = match &v.data {
            Data::B(x) => Data::B(extremes(p, n, x, 0)),
            Data::G(x) => Data::G(extremes(p, n, x, Item::NULL)),
            Data::H(x) => Data::H(extremes(p, n, x, -i16::MAX)),
            Data::I(x) => Data::I(extremes(p, n, x, -i32::MAX)),
            Data::J(x) => match v.domain.as_ref().map(|d| d.values(x).data) {
                Some(Data::S(names)) => Data::J(named_extremes(p, n, x, &names)),
                _ => Data::J(extremes(p, n, x, -i64::MAX)),
            },
            Data::E(x) => Data::E(extremes(p, n, x, f32::NEG_INFINITY)),
            Data::F(x) => Data::F(extremes(p, n, x, f64::NEG_INFINITY)),
            Data::S(x) => Data::S(extremes(p, n, x, Item::NULL)),
        };
        return Ok(Vector { attr: Default::default(), data, ..v.clone() });
    }
    if p == Prim::Mcount {
        let there = |i| !elem::is_null(v.kind, v.data.raw(i)) as i32;
        return Ok(Vector::new(
            s.out,
            (0..v.len()).map(|i| window(i, n).map(there).sum()).collect::<Buf<i32>>(),
        ));
    }
    let v = convert(v, s.y)?;
    let data = match (p, &v.data) {
        (Prim::Msum, Data::I(x)) => {
            Data::I(sums(n, x, |x| if x.is_null() { 0 } else { x }, i32::wrapping_add, i32::wrapping_sub))
        }
        (Prim::Msum, Data::J(x)) => {
            Data::J(sums(n, x, |x| if x.is_null() { 0 } else { x }, i64::wrapping_add, i64::wrapping_sub))
        }
        (Prim::Msum, Data::E(x)) => {
            Data::E((0..x.len()).map(|i| total(i, n, |j| x[j] as f64) as f32).collect())
        }
        (Prim::Msum, Data::F(x)) => Data::F((0..x.len()).map(|i| total(i, n, |j| x[j])).collect()),
        (Prim::Mavg, Data::F(x)) => Data::F((0..x.len()).map(|i| mean(i, n, x)).collect()),
        (_, Data::F(x)) => {
            let deviation = |i| {
                let mean = mean(i, n, x);
                shared(total(i, n, |j| (x[j] - mean) * (x[j] - mean)), present(i, n, x)).sqrt()
            };
            Data::F((0..x.len()).map(deviation).collect())
        }
        _ => return type_error(),
    };
    Ok(Vector { kind: s.out, attr: Default::default(), data, domain: None })
}

/// The rows in the window of row `i`.
fn window(i: usize, n: usize) -> std::ops::Range<usize> {
    (i + 1).saturating_sub(n)..i + 1
}

/// The sum of a window of floats, nulls as 0.0.
fn total(i: usize, n: usize, at: impl Fn(usize) -> f64) -> f64 {
    window(i, n).map(at).fold(0.0, |x, y| if y.is_nan() { x } else { x + y })
}

/// How many items of a window are not null.
fn present(i: usize, n: usize, x: &[f64]) -> f64 {
    window(i, n).filter(|&j| !x[j].is_nan()).count() as f64
}

fn mean(i: usize, n: usize, x: &[f64]) -> f64 {
    shared(total(i, n, |j| x[j]), present(i, n, x))
}

/// A sum over its count; of no items the null, whose bits a division would leave to the machine.
fn shared(sum: f64, n: f64) -> f64 {
    if n == 0.0 { f64::NAN } else { sum / n }
}

/// Moving sums of integers, which wrap, so what leaves the window can be taken off again.
fn sums<T: Elem>(
    n: usize,
    x: &[T],
    value: impl Fn(T) -> T,
    add: impl Fn(T, T) -> T,
    sub: impl Fn(T, T) -> T,
) -> Buf<T> {
    let mut at = T::zeroed();
    let step = |i: usize| {
        at = add(at, value(x[i]));
        if i >= n {
            at = sub(at, value(x[i - n]));
        }
        at
    };
    (0..x.len()).map(step).collect()
}

/// Moving least and greatest items. A null is the least item of a window; the greatest skips nulls, and is
/// `low` where there is nothing else.
fn extremes<T: Item>(p: Prim, n: usize, x: &[T], low: T) -> Buf<T> {
    let least =
        |i: usize| window(i, n).map(|j| x[j]).reduce(|x, y| if y.before(x) { y } else { x }).unwrap_or(low);
    let greatest = |i: usize| window(i, n).map(|j| x[j]).fold(low, |x, y| if x.before(y) { y } else { x });
    (0..x.len()).map(|i| if p == Prim::Mmin { least(i) } else { greatest(i) }).collect()
}

/// Of an enumeration's items `x`, the symbols `names`, the least or greatest of each window by text.
fn named_extremes(p: Prim, n: usize, x: &[i64], names: &[Sym]) -> Buf<i64> {
    let better = |i: usize, j: usize| match p {
        Prim::Mmin => names[j].before(names[i]),
        _ => names[i].before(names[j]),
    };
    let extreme = |i: usize| window(i, n).reduce(|i, j| if better(i, j) { j } else { i }).unwrap_or(i);
    (0..x.len()).map(|i| x[extreme(i)]).collect()
}

/// `x ema y`: each item moves the average towards itself by the share `x`. A null stays in all that follow;
/// q's documentation leaves it open.
fn ema(x: &Value, y: &Vector) -> Result<Value> {
    let share = match to_kind(Kind::Float, x)? {
        Value::Atom(Atom { raw: crate::value::Raw::F(x), .. }) => Buf::filled(y.len(), x),
        Value::Vec(Vector { data: Data::F(x), .. }) => x,
        _ => return type_error(),
    };
    if sig2(Prim::Ema, Kind::Float, y.kind).is_none() {
        return type_error();
    }
    if share.len() != y.len() {
        return length_error();
    }
    let y = floats(y)?;
    let mut at = None;
    let step = |(&x, &y): (&f64, &f64)| {
        let now = at.map_or(y, |at| at + x * (y - at));
        at = Some(now);
        now
    };
    Ok(Value::vector(Kind::Float, share.iter().zip(y.iter()).map(step).collect::<Buf<f64>>()))
}
