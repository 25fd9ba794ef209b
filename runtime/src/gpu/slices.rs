//! `.gpu.take`, `.gpu.drop`, `.gpu.sublist` and `.gpu.gather`: parts of objects, made on the engine.

use super::moves::names;
use super::object::{Body, Object, Place, Table};
use crate::column::{Column, Elements};
use crate::session::Session;
use crate::transfer::slice;
use q::error::{nyi, type_error};
use q::eval::item;
use q::value::Data;
use q::{Result, Sym, Value};

/// `x#y`: items by count (beyond the end they repeat), columns or entries by name.
pub fn take(x: &Value, y: &Object) -> Result<Value> {
    let body = match (x.as_long(), names(x), &y.body) {
        (Some(n), _, body) => repeating(&y.session, body, n)?,
        (None, Some(names), Body::Table(t)) if t.keys == 0 => Body::Table(t.pick(&names)?),
        (None, Some(names), Body::Dict { keys, vals }) => entries(keys, vals, &names)?,
        _ => return type_error(),
    };
    Ok(Object::value(&y.session, body))
}

/// `y` without the columns or entries named by `x`; names that `y` lacks are ignored.
pub fn drop(x: &Value, y: &Object) -> Result<Value> {
    let Some(gone) = names(x) else { return type_error() };
    let body = match &y.body {
        Body::Table(t) => {
            if t.names[..t.keys].iter().any(|n| gone.contains(n)) {
                return type_error();
            }
            let stays = |n: &&Sym| !gone.contains(*n);
            let left: Vec<Sym> = t.names.iter().filter(stays).copied().collect();
            if left.len() == t.keys {
                return type_error();
            }
            Body::Table(Table { keys: t.keys, ..t.pick(&left)? })
        }
        Body::Dict { keys, vals } => {
            let Some(all) = names(keys) else { return type_error() };
            let left: Vec<Sym> = all.into_iter().filter(|n| !gone.contains(n)).collect();
            entries(keys, vals, &left)?
        }
        Body::Vector(_) => return type_error(),
    };
    Ok(Object::value(&y.session, body))
}

fn entries(keys: &Value, vals: &Value, wanted: &[Sym]) -> Result<Body> {
    let Some(all) = names(keys).filter(|_| Object::of(vals).is_none()) else {
        return nyi("entries by name of a dictionary whose values are one vector on a device");
    };
    let items = item::items(vals);
    let find =
        |n: &Sym| all.iter().position(|k| k == n).map_or_else(|| Value::list(vec![]), |i| items[i].clone());
    let vals = item::collect(wanted.iter().map(find).collect());
    Ok(Body::Dict { keys: Value::syms(wanted.iter().copied()), vals })
}

/// `x sublist y`: the first or last items, no more than there are; or `x[1]` items from item `x[0]`.
pub fn sublist(x: &Value, y: &Object) -> Result<Value> {
    Ok(Object::value(&y.session, sublist_of(x, &y.body)?))
}

/// As `sublist`, on what an object stands for.
pub fn sublist_of(x: &Value, y: &Body) -> Result<Body> {
    match x {
        Value::Atom(_) => match x.as_long() {
            Some(n) => ends(y, n),
            None => type_error(),
        },
        Value::Vec(v) if v.len() == 2 => {
            let (Some(from), Some(n)) = (Value::Atom(v.get(0)).as_long(), Value::Atom(v.get(1)).as_long())
            else {
                return type_error();
            };
            if from < 0 || n < 0 {
                return nyi("a slice that starts before the first item");
            }
            let all = size(y);
            let from = (from as usize).min(all);
            Ok(part(y, from, from.saturating_add(n as usize).min(all)))
        }
        _ => type_error(),
    }
}

/// Items, rows or entries.
fn size(body: &Body) -> usize {
    match body {
        Body::Vector(c) => c.len(),
        Body::Table(t) => t.rows(),
        Body::Dict { keys, .. } => keys.count(),
    }
}

/// The first `n` items, or the last if `n` is negative, and no more than there are.
fn ends(body: &Body, n: i64) -> Result<Body> {
    if n == i64::MIN {
        return type_error();
    }
    let (all, back) = (size(body), n < 0);
    let n = (n.unsigned_abs() as usize).min(all);
    Ok(if back { part(body, all - n, all) } else { part(body, 0, n) })
}

/// As `ends`, and more than there are repeat.
pub(crate) fn repeating(session: &Session, body: &Body, n: i64) -> Result<Body> {
    let (all, back) = (size(body), n < 0);
    if n == i64::MIN || n.unsigned_abs() as usize <= all {
        return ends(body, n);
    }
    let n = n.unsigned_abs() as usize;
    // q fills from the items over and over, so that the last item taken by a negative count is the last item.
    let start = if back && all > 0 { (all - n % all) % all } else { 0 };
    match body {
        Body::Vector(c) => Ok(Body::Vector(only(session.take(&[c], start, n)?)?)),
        Body::Table(t) => on_columns(t, |columns| session.take(columns, start, n)).map(Body::Table),
        Body::Dict { .. } => nyi("more entries than a dictionary has"),
    }
}

fn part(body: &Body, from: usize, to: usize) -> Body {
    match body {
        Body::Vector(c) => Body::Vector(c.slice(from, to)),
        Body::Table(t) => {
            let cols = t.cols.iter().map(|p| p.part(from, to)).collect();
            Body::Table(Table { names: t.names.clone(), cols, keys: t.keys })
        }
        Body::Dict { keys, vals } => {
            let vals = match Object::of(vals) {
                Some(o) => Object::value(&o.session, part(&o.body, from, to)),
                None => slice(vals, from, to),
            };
            Body::Dict { keys: slice(keys, from, to), vals }
        }
    }
}

/// Rows `at` of a table; a row that does not exist is null.
pub fn rows_at(session: &Session, t: &Table, at: &Column) -> Result<Table> {
    on_columns(t, |columns| session.gather(columns, at))
}

/// A table with other columns in the place of its own.
fn on_columns(t: &Table, f: impl FnOnce(&[&Column]) -> Result<Vec<Column>>) -> Result<Table> {
    let columns = t.cols.iter().map(Place::column).collect::<Result<Vec<_>>>()?;
    let made = f(&columns.iter().collect::<Vec<_>>())?;
    Ok(Table { names: t.names.clone(), cols: made.into_iter().map(Place::Device).collect(), keys: t.keys })
}

/// The items of a column at the rows `at`.
pub fn gathered(session: &Session, x: &Column, at: &Column) -> Result<Column> {
    only(session.gather(&[x], at)?)
}

fn only(columns: Vec<Column>) -> Result<Column> {
    columns.into_iter().next().ok_or_else(|| q::Error::new("internal").detail("a column is missing"))
}

/// The items of `x` at the indices `y`; null where there is no such item.
pub fn gather(session: &Session, x: &Column, y: &Value) -> Result<Column> {
    let host;
    let indices = match Object::of(y).map(|o| &o.body) {
        Some(Body::Vector(c)) => {
            host = c.value()?;
            &host
        }
        Some(_) => return type_error(),
        None => y,
    };
    let at: Vec<i64> = match indices {
        Value::Vec(v) => match &v.data {
            Data::J(d) if v.kind == q::Kind::Long => d.to_vec(),
            Data::I(d) if v.kind == q::Kind::Int => d.iter().map(|&i| i as i64).collect(),
            Data::H(d) => d.iter().map(|&i| i as i64).collect(),
            _ => return type_error(),
        },
        _ => return type_error(),
    };
    let at = Column::new(q::Kind::Long, Elements::Plain(Data::J(at.into())), None);
    gathered(session, x, &at)
}
