//! Adding rows: insert and upsert.

use super::{deref, keyed, select, unkey};
use crate::error::{Error, Result, length_error, type_error};
use crate::eval::item::{self, gather_col};
use crate::eval::join::{grow_all, join};
use crate::eval::{Interp, find};
use crate::sym::Sym;
use crate::value::{Dict, Table, Value};
use std::sync::Arc;

/// `` `t insert x``: appends rows to the table named and returns their positions. Types must be those of the
/// columns; a key that is already there signals.
pub fn insert(q: &mut Interp, t: &Value, x: &Value) -> Result<Value> {
    let Some(name) = t.as_sym() else { return type_error() };
    q.may_amend()?;
    if let Some(rows) = found(q, t, x)? {
        return Ok(Value::longs(0..rows as i64));
    }
    let old = deref(q, t)?.1;
    let Some(flat) = unkey(&old) else { return type_error() };
    let more = fitting(&flat, rows_like(&flat, x, false)?)?;
    if let Some((keys, _)) = keyed(&old) {
        let new = select(&more, &keys.names)?;
        let at = find::find_each(&table(keys.clone()), &table(new.clone()))?;
        let twice = find::rows(&new.cols).firsts.len() < new.rows();
        if twice || at.iter().any(|&i| (i as usize) < keys.rows()) {
            return Err(Error::new("insert"));
        }
    }
    let (from, to) = (flat.rows() as i64, (flat.rows() + more.rows()) as i64);
    drop((old, flat));
    append_global(q, name, &more)?;
    Ok(Value::longs(from..to))
}

/// `t upsert x`: appends rows, or for a keyed table replaces those whose key is there. `t` is a table or a
/// name, which is set and returned.
pub fn upsert(q: &mut Interp, t: &Value, x: &Value) -> Result<Value> {
    if t.as_sym().is_some() {
        q.may_amend()?;
    }
    if found(q, t, x)?.is_some() {
        return Ok(t.clone());
    }
    let (name, old) = deref(q, t)?;
    if let (Value::Dict(d), None) = (&old, unkey(&old)) {
        let changed = crate::eval::dict::upsert(Value::Dict(d.clone()), x)?;
        return named(q, name, t, changed);
    }
    let Some(flat) = unkey(&old) else { return type_error() };
    let more = fitting(&flat, rows_like(&flat, x, true)?)?;
    drop(flat);
    if let (None, Some(name)) = (keyed(&old), name) {
        drop(old);
        append_global(q, name, &more)?;
        return Ok(t.clone());
    }
    let mut changed = old;
    add(&mut changed, more)?;
    named(q, name, t, changed)
}

/// `t,:x` where `t` holds a table and `x` is a list: a record, or several. False, with nothing done, for rows that
/// have names, and where `t` is no table.
pub fn append_list(t: &mut Value, x: &Value) -> Result<bool> {
    let (Some(flat), false) = (unkey(t), matches!(x, Value::Table(_) | Value::Dict(_))) else {
        return Ok(false);
    };
    let more = fitting(&flat, rows_like(&flat, x, true)?)?;
    drop(flat);
    add(t, more).map(|()| true)
}

/// Rows that fit, added to a table, or to a keyed table in place of those whose key is there.
fn add(t: &mut Value, more: Table) -> Result<()> {
    let Some(keys) = keyed(t).map(|(keys, _)| keys.names.len()) else { return append_in_place(t, &more) };
    *t = crate::eval::dict::upsert(t.clone(), &super::key_by(keys, table(more))?)?;
    Ok(())
}

/// Makes the table `x` the variable `t` if there is none of that name, and counts its rows.
fn found(q: &mut Interp, t: &Value, x: &Value) -> Result<Option<usize>> {
    let (Some(name), Some(rows)) = (t.as_sym(), unkey(x).map(|x| x.rows())) else { return Ok(None) };
    if q.global(name).is_some() {
        return Ok(None);
    }
    q.set_global(name, x.clone()).map(|()| Some(rows))
}

/// `changed` itself, or the name `t` of the variable that now holds it.
fn named(q: &mut Interp, name: Option<Sym>, t: &Value, changed: Value) -> Result<Value> {
    match name {
        None => Ok(changed),
        Some(name) => {
            q.set_global(name, changed)?;
            Ok(t.clone())
        }
    }
}

fn table(t: Table) -> Value {
    Value::Table(Arc::new(t))
}

/// Appends rows that fit to a global table. It is taken out meanwhile, so that its columns grow in place.
fn append_global(q: &mut Interp, name: Sym, more: &Table) -> Result<()> {
    let Some(mut t) = q.take_global(name)? else { return Err(Error::new(name.text())) };
    let done = q.guard(|_| append_in_place(&mut t, more));
    q.set_global(name, t)?;
    done
}

/// [`append`] in place where it can be; keeps the table as it was on an error.
fn append_in_place(t: &mut Value, more: &Table) -> Result<()> {
    let cols: Vec<&mut Value> = match t {
        Value::Table(t) => Arc::make_mut(t).cols.iter_mut().collect(),
        Value::Dict(d) => match Arc::make_mut(d) {
            Dict { keys: Value::Table(k), vals: Value::Table(v), .. } => {
                Arc::make_mut(k).cols.iter_mut().chain(&mut Arc::make_mut(v).cols).collect()
            }
            _ => return type_error(),
        },
        _ => return type_error(),
    };
    if !grow_all(cols, &more.cols.iter().collect::<Vec<_>>()) {
        *t = append(t.clone(), more)?;
    }
    Ok(())
}

/// A table or keyed table followed by rows that fit.
fn append(old: Value, more: &Table) -> Result<Value> {
    let mut rest = &more.cols[..];
    let mut grow = |t: Table| -> Result<Arc<Table>> {
        let (mine, others) = rest.split_at(t.cols.len());
        rest = others;
        let cols = t.cols.into_iter().zip(mine).map(|(old, new)| extend(old, new)).collect::<Result<_>>()?;
        Ok(Arc::new(Table { names: t.names, cols }))
    };
    match old {
        Value::Table(t) => Ok(Value::Table(grow(Arc::unwrap_or_clone(t))?)),
        Value::Dict(d) => match Arc::unwrap_or_clone(d) {
            Dict { keys: Value::Table(k), vals: Value::Table(v), step } => {
                let keys = Value::Table(grow(Arc::unwrap_or_clone(k))?);
                let vals = Value::Table(grow(Arc::unwrap_or_clone(v))?);
                Ok(Value::Dict(Arc::new(Dict { keys, vals, step })))
            }
            _ => type_error(),
        },
        _ => type_error(),
    }
}

/// The rows `more` as the columns of `like` would hold them, or a signal if they cannot.
fn fitting(like: &Table, more: Table) -> Result<Table> {
    let fit = |(old, new): (&Value, Value)| match old {
        Value::Vec(_) => extend(item::slice(old, 0, 0), &new),
        _ => Ok(new),
    };
    let cols = like.cols.iter().zip(more.cols).map(fit).collect::<Result<_>>()?;
    Ok(Table { names: more.names, cols })
}

/// A column with more rows: a typed column takes items of its type only, an empty general one takes the type
/// of the first rows.
fn extend(old: Value, new: &Value) -> Result<Value> {
    match (&old, new) {
        (Value::List(l), _) if l.is_empty() => return Ok(new.clone()),
        (Value::List(l), _) => {
            return Ok(Value::list(l.iter().cloned().chain(item::items(new)).collect()));
        }
        (_, x) if x.count() == 0 => return Ok(old),
        (Value::Vec(a), Value::Vec(b)) if a.kind == b.kind => {}
        (Value::Vec(a), Value::Vec(b)) if a.domain.as_ref().is_some_and(|d| d.kind() == b.kind) => {}
        _ => return type_error(),
    }
    let was = old.type_code();
    let out = join(old, new)?;
    // A symbol outside an enumeration's domain would make the column general.
    if out.type_code() == was { Ok(out) } else { Err(Error::new("cast")) }
}

/// `x` as rows for the table `like`: a table or keyed table, a dictionary (a row, or columns), a row of atoms,
/// a list of columns, or, for upsert, a list of rows.
fn rows_like(like: &Table, x: &Value, upsert: bool) -> Result<Table> {
    if let Some(t) = unkey(x) {
        return by_name(like, &t);
    }
    match x {
        Value::Dict(d) => {
            let cols = item::items(&d.vals);
            let n = cols.iter().find(|c| !c.is_atom()).map_or(1, Value::count);
            let row = cols.iter().any(Value::is_atom);
            let col = |c: Value| if row { item::enlist(c) } else { c };
            let t = Table { names: super::names(&d.keys)?, cols: cols.into_iter().map(col).collect() };
            if t.cols.iter().any(|c| c.count() != if row { 1 } else { n }) {
                return length_error();
            }
            by_name(like, &t)
        }
        Value::Vec(_) | Value::List(_) => {
            let items = item::items(x);
            let width = like.names.len();
            if items.is_empty() {
                let none = like.cols.iter().map(|c| item::slice(c, 0, 0)).collect();
                return Ok(Table { names: like.names.clone(), cols: none });
            }
            let is_row = |r: &Value| matches!(r, Value::List(_) | Value::Vec(_)) && r.count() == width;
            if upsert && !items.is_empty() && items.iter().all(is_row) {
                let col = |j| item::collect(items.iter().map(|r| item::item(r, j)).collect());
                return Ok(Table { names: like.names.clone(), cols: (0..width).map(col).collect() });
            }
            if items.len() != width {
                return length_error();
            }
            let row = items.first().is_some_and(Value::is_atom);
            let n = if row { 1 } else { items[0].count() };
            let col = |c: Value| match (row, c.is_atom()) {
                (true, _) => item::enlist(c),
                (false, true) => item::gather(&item::enlist(c), &vec![0; n]),
                (false, false) => c,
            };
            let cols: Vec<Value> = items.into_iter().map(col).collect();
            if cols.iter().any(|c| c.count() != n) {
                return length_error();
            }
            Ok(Table { names: like.names.clone(), cols })
        }
        _ => type_error(),
    }
}

/// The rows of `t` with the columns of `like`, in its order; columns that `t` lacks are null.
fn by_name(like: &Table, t: &Table) -> Result<Table> {
    if let Some(name) = t.names.iter().find(|n| like.col(**n).is_none()) {
        return Err(Error::new("mismatch").detail(format!("no column {name}")));
    }
    let nulls = vec![-1; t.rows()];
    let col = |(n, c): (&Sym, &Value)| t.col(*n).cloned().unwrap_or_else(|| gather_col(c, &nulls));
    Ok(Table { names: like.names.clone(), cols: like.names.iter().zip(&like.cols).map(col).collect() })
}
