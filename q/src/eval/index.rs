//! Indexing: `x[i]`, at depth, by keys, rows and columns.

use super::item::{self, collect, gather};
use super::{Interp, dict};
use crate::error::{Error, Result, type_error};
use crate::kind::Kind;
use crate::sym::Sym;
use crate::value::{Raw, Value};

/// `x[i]`: an atom takes one item, a list many, a nested list at each of its atoms; `::` takes all.
pub fn index1(x: &Value, i: &Value) -> Result<Value> {
    if i.is_null_fn() {
        return Ok(x.clone());
    }
    match x {
        Value::Dict(d) => dict::lookup(d, i),
        Value::Vec(_) | Value::List(_) => at(x, i),
        Value::Table(t) => match i {
            Value::Atom(a) if a.kind == Kind::Sym => column(t, i.as_sym().unwrap_or_default()),
            Value::Vec(v) if v.kind == Kind::Sym => {
                let names = dict::sym_keys(i).unwrap_or_default();
                Ok(collect(names.iter().map(|n| column(t, *n)).collect::<Result<_>>()?))
            }
            _ => at(x, i),
        },
        Value::Atom(_) | Value::Fun(_) => type_error(),
    }
}

fn column(t: &crate::value::Table, name: Sym) -> Result<Value> {
    // A table answers a name it does not have as a dictionary of columns would.
    Ok(t.col(name).cloned().unwrap_or_else(|| item::null_like(&t.cols[0])))
}

fn at(x: &Value, i: &Value) -> Result<Value> {
    match i {
        Value::Atom(a) => {
            let Some(at) = i.as_long().filter(|_| a.kind != Kind::Byte) else { return type_error() };
            let inside = usize::try_from(at).is_ok_and(|at| at < x.count());
            Ok(if inside { item::item(x, at as usize) } else { item::null_item(x) })
        }
        Value::Vec(v) => match item::positions(i).filter(|_| v.kind != Kind::Byte) {
            Some(at) => Ok(gather(x, &at)),
            None => type_error(),
        },
        Value::List(l) => {
            let items = l.iter().map(|i| index1(x, i)).collect::<Result<Vec<_>>>()?;
            if items.is_empty() { Ok(item::slice(x, 0, 0)) } else { Ok(collect(items)) }
        }
        Value::Dict(d) => Ok(Value::dict(d.keys.clone(), index1(x, &d.vals)?)),
        _ => type_error(),
    }
}

/// `x[i;j;…]`: each index applies one level deeper; `::` (or an elided index) takes all of its level.
/// Functions on the way are applied.
pub fn index(q: &mut Interp, x: &Value, path: &[Value]) -> Result<Value> {
    let [i, rest @ ..] = path else { return Ok(x.clone()) };
    if rest.is_empty() {
        return match x {
            Value::Fun(_) | Value::Atom(_) => q.apply(x, vec![i.clone()]),
            _ => index1(x, i),
        };
    }
    match x {
        Value::Fun(_) | Value::Atom(_) => return q.apply(x, path.to_vec()),
        // A column of a table, then rows of it.
        Value::Table(t) => {
            if let ([Value::Atom(c)], false) = (rest, matches!(i, Value::Atom(a) if a.kind == Kind::Sym))
                && c.kind == Kind::Sym
            {
                let col = column(t, rest[0].as_sym().unwrap_or_default())?;
                return index1(&col, i);
            }
        }
        _ => {}
    }
    let level = index1(x, i)?;
    let single = i.is_atom() && !i.is_null_fn()
        || matches!((x, i), (Value::Dict(d), Value::Dict(_)) if d.keys_table().is_some());
    if single || is_row_key(x, i) {
        return index(q, &level, rest);
    }
    if let Value::Dict(d) = &level {
        return Ok(Value::dict(d.keys.clone(), each_index(q, &d.vals, rest)?));
    }
    each_index(q, &level, rest)
}

/// A list that is one row of a keyed table's key.
fn is_row_key(x: &Value, i: &Value) -> bool {
    match (x, i) {
        (Value::Dict(d), Value::Vec(_)) => d.keys_table().is_some_and(|k| k.names.len() > 1),
        (Value::Dict(d), Value::List(l)) => {
            d.keys_table().is_some_and(|k| k.names.len() > 1) && l.iter().all(Value::is_atom)
        }
        _ => false,
    }
}

fn each_index(q: &mut Interp, x: &Value, rest: &[Value]) -> Result<Value> {
    let items = item::items(x).iter().map(|x| index(q, x, rest)).collect::<Result<Vec<_>>>()?;
    Ok(collect(items))
}

/// `x.name`: a dictionary's entry, a table's column, or a part of a date or time (`t.minute`).
///
/// A foreign key's name is a column of the table that it indexes.
pub fn dotted(q: &Interp, x: &Value, name: Sym) -> Result<Value> {
    if let Some(v) = dict::member(x, name).or_else(|| crate::table::foreign_col(q, x, name)) {
        return Ok(v);
    }
    match x {
        Value::Atom(_) | Value::Vec(_) => super::cast::part(x, name.text()),
        _ => Err(Error::new(name.text())),
    }
}

/// True for a boolean or number that is not zero; q's condition. Anything but an atom is `'type`.
pub fn truth(x: &Value) -> Result<bool> {
    match x {
        Value::Atom(a) => match a.raw {
            Raw::B(x) => Ok(x != 0),
            Raw::H(x) => Ok(x != 0),
            Raw::I(x) => Ok(x != 0),
            Raw::J(x) => Ok(x != 0),
            Raw::E(x) => Ok(x != 0.0),
            Raw::F(x) => Ok(x != 0.0),
            Raw::G(_) | Raw::S(_) => type_error(),
        },
        _ => type_error(),
    }
}
