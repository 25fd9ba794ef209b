//! Elementwise primitives on values of any shape: atoms extend, lists pair up item by item, dictionaries by
//! key, tables by column.

use super::cast::{convert, convert_atom};
use super::item::{self, collect, items};
use super::same::{Key, same};
use crate::each_data;
use crate::error::{Error, Result, length_error, type_error};
use crate::fun::Prim;
use crate::kind::Kind;
use crate::scalar::{self, Each1, Each2, Item, Num};
use crate::sig::{Sig2, sig_cond, sig1, sig2};
use crate::value::{Atom, Data, Dict, Raw, Table, Value, Vector};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The unary elementwise `p` of `x`. Attributes are dropped.
pub fn map1(p: Prim, x: &Value) -> Result<Value> {
    match x {
        Value::Atom(a) => atom1(p, a).map(Value::Atom),
        Value::Vec(v) => Ok(Value::Vec(vector1(p, v)?)),
        Value::Fun(_) if p == Prim::Null => Ok(Value::bool(x.is_null_fn())),
        Value::Fun(_) => type_error(),
        _ => shaped(x, &|x| map1(p, x)),
    }
}

/// The binary elementwise `p` of `x` and `y`. Lists that meet must have one count. Two dictionaries (or keyed
/// tables) meet by key; a key that only one of them has keeps its value, but in a comparison is compared with
/// a null. A vector divided by an atom is multiplied by the atom's reciprocal, as q does, which may differ in
/// the last bit from the quotient.
pub fn map2(p: Prim, x: &Value, y: &Value) -> Result<Value> {
    if let (Some(z), _) | (None, Some(z)) = (super::enums::resolved(x), super::enums::resolved(y)) {
        return if super::enums::resolved(x).is_some() { map2(p, &z, y) } else { map2(p, x, &z) };
    }
    match p {
        Prim::In => super::sets::member(x, y),
        Prim::Within => within(x, y),
        Prim::Like => super::text::like(x, y),
        _ => pairs(p, x, y),
    }
}

/// As [`map2`], but for `in`, which here is the exact equality of items that pair up.
pub(super) fn pairs(p: Prim, x: &Value, y: &Value) -> Result<Value> {
    match (x, y) {
        (Value::Atom(a), Value::Atom(b)) => atom2(p, a, b).map(Value::Atom),
        (Value::Vec(a), Value::Atom(b)) => Ok(Value::Vec(vector2(p, a, &alone(b), Shape::Left)?)),
        (Value::Atom(a), Value::Vec(b)) => Ok(Value::Vec(vector2(p, &alone(a), b, Shape::Right)?)),
        (Value::Vec(a), Value::Vec(b)) if a.len() != b.len() => length_error(),
        (Value::Vec(a), Value::Vec(b)) => Ok(Value::Vec(vector2(p, a, b, Shape::Both)?)),
        (Value::Fun(_), _) | (_, Value::Fun(_)) => type_error(),
        (Value::Dict(a), Value::Dict(b)) => dicts(p, a, b),
        (Value::Table(a), Value::Table(b)) => tables(p, a, b),
        (Value::Table(t), Value::Dict(d)) if is_row(d) => columns(p, t, d, false),
        (Value::Dict(d), Value::Table(t)) if is_row(d) => columns(p, t, d, true),
        (Value::Dict(_) | Value::Table(_), _) => shaped(x, &|x| pairs(p, x, y)),
        (_, Value::Dict(_) | Value::Table(_)) => shaped(y, &|y| pairs(p, x, y)),
        _ => zip(x, y, &|x, y| pairs(p, x, y)),
    }
}

/// `?[b;x;y]`: items of `x` where `b`, else of `y`; atoms extend. Vectors must be of one kind.
pub fn cond(b: &Value, x: &Value, y: &Value) -> Result<Value> {
    let Value::Vec(Vector { kind: Kind::Bool, data: Data::B(mask), .. }) = b else { return type_error() };
    let conforms = |v: &Value| v.is_atom() || v.count() == mask.len();
    if !conforms(x) || !conforms(y) {
        return length_error();
    }
    if let (Value::Vec(_) | Value::Atom(_), Value::Vec(_) | Value::Atom(_)) = (x, y) {
        let (x, y) = (as_vector(x)?, as_vector(y)?);
        let same_domain = item::same_domain(&x.domain, &y.domain);
        let Some(kind) = sig_cond(x.kind, y.kind) else { return type_error() };
        let kind = if kind == Kind::Enum && !same_domain { Kind::Sym } else { kind };
        let domain = if kind == Kind::Enum { longer(&x, &y) } else { None };
        let (x, y) = (convert(&x, kind)?, convert(&y, kind)?);
        let data = each_data!(&x.data, x => pick(mask, x, &y.data));
        let Some(data) = data else { return type_error() };
        return Ok(Value::Vec(Vector { domain, ..relabel(kind, data) }));
    }
    let at = |v: &Value, i: usize| if v.is_atom() { v.clone() } else { item::item(v, i) };
    Ok(collect(mask.iter().enumerate().map(|(i, &b)| at(if b != 0 { x } else { y }, i)).collect()))
}

/// Items of `x` where `mask`, else of `y`; one item stands for all.
fn pick<T: Item>(mask: &[u8], x: &[T], y: &Data) -> Option<Data> {
    let y: &[T] = T::of_data(y)?;
    let at = |v: &[T], i: usize| v[if v.len() == 1 { 0 } else { i }];
    let rows = mask.iter().enumerate().map(|(i, &b)| if b != 0 { at(x, i) } else { at(y, i) });
    Some(T::data(rows.collect()))
}

/// The domain with more symbols, of two vectors over one variable.
fn longer(x: &Vector, y: &Vector) -> Option<Arc<crate::value::Domain>> {
    x.domain.iter().chain(&y.domain).max_by_key(|d| d.len()).cloned()
}

/// Which sides are vectors; the other side holds one element for all rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Left,
    Right,
    Both,
}

/// A one-element vector.
pub(super) fn alone(a: &Atom) -> Vector {
    let mut v = super::elem::filled(a.kind, a.raw, 1);
    v.domain = a.domain.clone();
    v
}

/// An atom as a one-element vector, a vector as itself.
pub(super) fn as_vector(x: &Value) -> Result<Vector> {
    match x {
        Value::Atom(a) => Ok(alone(a)),
        Value::Vec(v) => Ok(v.clone()),
        _ => type_error(),
    }
}

fn relabel(kind: Kind, data: Data) -> Vector {
    Vector { kind, attr: Default::default(), data, domain: None }
}

struct Over1<'a>(&'a Data);

impl Each1 for Over1<'_> {
    type Out = Option<Data>;
    fn run<A: Item, R: Item>(self, f: impl Fn(A) -> R + Copy + Send + Sync + 'static) -> Option<Data> {
        Some(R::data(A::of_data(self.0)?.iter().map(|&x| f(x)).collect()))
    }
}

/// An element's function on one element, or on two.
pub(super) struct Once<T>(pub T);

impl Each1 for Once<Raw> {
    type Out = Option<Raw>;
    fn run<A: Item, R: Item>(self, f: impl Fn(A) -> R + Copy + Send + Sync + 'static) -> Option<Raw> {
        Some(f(A::of_raw(self.0)?).raw())
    }
}

impl Each2 for Once<(Raw, Raw)> {
    type Out = Option<Raw>;
    fn run<A: Item, R: Item>(self, f: impl Fn(A, A) -> R + Copy + Send + Sync + 'static) -> Option<Raw> {
        Some(f(A::of_raw(self.0.0)?, A::of_raw(self.0.1)?).raw())
    }
}

/// Runs a cast's function over a vector's elements.
pub(super) fn cast_data(from: Kind, to: Kind, data: &Data) -> Option<Data> {
    scalar::with_cast(from, to, Over1(data)).flatten()
}

fn atom1(p: Prim, x: &Atom) -> Result<Atom> {
    if p == Prim::Null && x.kind == Kind::Enum {
        return Ok(Atom::new(Kind::Bool, 0u8));
    }
    let Some(s) = sig1(p, x.kind) else { return type_error() };
    let raw = scalar::with1(p, s.arg, Once(convert_atom(x, s.arg)?.raw)).flatten();
    raw.map_or_else(type_error, |raw| Ok(Atom { kind: s.out, raw, domain: None }))
}

fn vector1(p: Prim, v: &Vector) -> Result<Vector> {
    // An enumerated null is not null to q: it is an index like any other.
    if p == Prim::Null && v.kind == Kind::Enum {
        return Ok(super::elem::filled(Kind::Bool, Raw::B(0), v.len()));
    }
    let Some(s) = sig1(p, v.kind) else { return type_error() };
    let arg = convert(v, s.arg)?;
    match scalar::with1(p, s.arg, Over1(&arg.data)).flatten() {
        Some(data) => Ok(relabel(s.out, data)),
        None => type_error(),
    }
}

struct Over2<'a>(&'a Data, &'a Data, Shape);

impl Each2 for Over2<'_> {
    type Out = Option<Data>;
    fn run<A: Item, R: Item>(self, f: impl Fn(A, A) -> R + Copy + Send + Sync + 'static) -> Option<Data> {
        let (x, y) = (A::of_data(self.0)?, A::of_data(self.1)?);
        Some(R::data(match self.2 {
            Shape::Left => x.iter().map(|&a| f(a, y[0])).collect(),
            Shape::Right => y.iter().map(|&b| f(x[0], b)).collect(),
            Shape::Both => x.iter().zip(y.iter()).map(|(&a, &b)| f(a, b)).collect(),
        }))
    }
}

fn atom2(p: Prim, x: &Atom, y: &Atom) -> Result<Atom> {
    if x.kind == Kind::Enum && y.kind == Kind::Enum {
        return Ok(vector2(p, &alone(x), &alone(y), Shape::Both)?.get(0));
    }
    let Some(s) = sig2(p, x.kind, y.kind) else { return type_error() };
    let (x, y) = (convert_atom(x, s.x)?, convert_atom(y, s.y)?);
    match scalar::with2(p, s.x, Once((x.raw, y.raw))).flatten() {
        Some(raw) if s.via != s.out => convert_atom(&Atom { kind: s.via, raw, domain: None }, s.out),
        Some(raw) => Ok(Atom { kind: s.out, raw, domain: None }),
        None => type_error(),
    }
}

fn vector2(p: Prim, x: &Vector, y: &Vector, shape: Shape) -> Result<Vector> {
    // Items of one domain are equal if their indices are, and what is no index is filled.
    if x.kind == Kind::Enum
        && y.kind == Kind::Enum
        && item::same_domain(&x.domain, &y.domain)
        && matches!(p, Prim::Eq | Prim::Ne | Prim::Fill)
    {
        let indices = |v: &Vector| relabel(Kind::Long, v.data.clone());
        let out = vector2(p, &indices(x), &indices(y), shape)?;
        return Ok(match p {
            Prim::Fill => Vector { domain: longer(x, y), ..relabel(Kind::Enum, out.data) },
            _ => out,
        });
    }
    let Some(Sig2 { x: kx, y: ky, via, out }) = sig2(p, x.kind, y.kind) else { return type_error() };
    let (x, y) = (convert(x, kx)?, convert(y, ky)?);
    if p == Prim::Divide
        && shape == Shape::Left
        && let (Data::F(x), Data::F(y)) = (&x.data, &y.data)
    {
        let by = scalar::num::recip(y[0]);
        return Ok(relabel(out, Data::F(x.iter().map(|&x| x.mul(by)).collect())));
    }
    match scalar::with2(p, kx, Over2(&x.data, &y.data, shape)).flatten() {
        Some(data) if via != out => convert(&relabel(via, data), out),
        Some(data) => Ok(relabel(out, data)),
        None => type_error(),
    }
}

/// Applies `f` to the items of a general list, to the values of a dictionary, to the columns of a table.
pub(super) fn shaped(x: &Value, f: &dyn Fn(&Value) -> Result<Value>) -> Result<Value> {
    match x {
        Value::Dict(d) => Ok(Value::dict(d.keys.clone(), f(&d.vals)?)),
        Value::Table(t) => Ok(Value::table(t.names.clone(), t.cols.iter().map(f).collect::<Result<_>>()?)),
        _ => Ok(collect(items(x).iter().map(f).collect::<Result<_>>()?)),
    }
}

/// Applies `f` to the items of two lists in step; an atom goes with every item.
pub(super) fn zip(x: &Value, y: &Value, f: &dyn Fn(&Value, &Value) -> Result<Value>) -> Result<Value> {
    let pairs = match (x.is_atom(), y.is_atom()) {
        (true, _) => items(y).iter().map(|y| f(x, y)).collect::<Result<Vec<_>>>()?,
        (_, true) => items(x).iter().map(|x| f(x, y)).collect::<Result<_>>()?,
        _ if x.count() != y.count() => return length_error(),
        _ => items(x).iter().zip(&items(y)).map(|(x, y)| f(x, y)).collect::<Result<_>>()?,
    };
    Ok(collect(pairs))
}

fn dicts(p: Prim, x: &Dict, y: &Dict) -> Result<Value> {
    if same(&x.keys, &y.keys) {
        return Ok(Value::dict(x.keys.clone(), map2(p, &x.vals, &y.vals)?));
    }
    let compares = matches!(p, Prim::Eq | Prim::Ne | Prim::Lt | Prim::Gt | Prim::Le | Prim::Ge);
    let mut keys = items(&x.keys);
    let mut vals = items(&x.vals);
    let mut met = vec![false; vals.len()];
    let (new_keys, new_vals) = (items(&y.keys), items(&y.vals));
    let at: FxHashMap<Key, usize> = keys.iter().enumerate().rev().map(|(i, k)| (Key(k), i)).collect();
    let at: Vec<Option<usize>> = new_keys.iter().map(|k| at.get(&Key(k)).copied()).collect();
    for ((key, val), at) in new_keys.iter().zip(&new_vals).zip(at) {
        match at {
            Some(i) => {
                vals[i] = map2(p, &vals[i], val)?;
                met[i] = true;
            }
            None => {
                keys.push(key.clone());
                vals.push(if compares { map2(p, &item::null_like(val), val)? } else { val.clone() });
            }
        }
    }
    if compares {
        for (val, _) in vals.iter_mut().zip(met).filter(|(_, met)| !met) {
            *val = map2(p, val, &item::null_like(val))?;
        }
    }
    Ok(Value::dict(collect(keys), collect(vals)))
}

/// True for a dictionary of names: what a row of a table is.
fn is_row(d: &Dict) -> bool {
    matches!(&d.keys, Value::Vec(v) if v.kind == Kind::Sym)
}

/// Each column with the entry of its name in `d`, which stands on the left if `left`; others stay.
fn columns(p: Prim, t: &Table, d: &Dict, left: bool) -> Result<Value> {
    let mut cols = t.cols.clone();
    for (i, key) in items(&d.keys).iter().enumerate() {
        let name = key.as_sym().unwrap_or_default();
        let Some(at) = t.names.iter().position(|&n| n == name) else { return Err(Error::new(name.text())) };
        let val = item::item(&d.vals, i);
        cols[at] = if left { map2(p, &val, &cols[at])? } else { map2(p, &cols[at], &val)? };
    }
    Ok(Value::table(t.names.clone(), cols))
}

fn tables(p: Prim, x: &Table, y: &Table) -> Result<Value> {
    if x.rows() != y.rows() {
        return length_error();
    }
    let (mut names, mut cols) = (x.names.clone(), x.cols.clone());
    for (&name, col) in y.names.iter().zip(&y.cols) {
        match names.iter().position(|&n| n == name) {
            Some(i) => cols[i] = map2(p, &cols[i], col)?,
            None => {
                names.push(name);
                cols.push(col.clone());
            }
        }
    }
    Ok(Value::table(names, cols))
}

/// `x within (low;high)`, both ends included; the ends may be lists.
fn within(x: &Value, y: &Value) -> Result<Value> {
    let ends = if y.is_atom() { return type_error() } else { items(y) };
    let [low, high] = &ends[..] else { return length_error() };
    map2(Prim::Lesser, &map2(Prim::Ge, x, low)?, &map2(Prim::Le, x, high)?)
}
