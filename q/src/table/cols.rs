//! Columns and keys by name: cols, keys, xcol, xcols, xkey.

use super::{deref, keyed, names, rekey, select, unkey, without};
use crate::error::{Error, Result, length_error, type_error};
use crate::eval::Interp;
use crate::sym::Sym;
use crate::value::{Table, Value};
use std::sync::Arc;

/// `cols t`: the names of all columns, keys first.
pub fn cols(q: &mut Interp, t: &Value) -> Result<Value> {
    match unkey(&deref(q, t)?.1) {
        Some(flat) => Ok(Value::syms(flat.names)),
        None => type_error(),
    }
}

/// `keys t`: the names of the key columns.
pub fn keys(q: &mut Interp, t: &Value) -> Result<Value> {
    match deref(q, t)?.1 {
        Value::Table(_) => Ok(Value::syms([])),
        t => match keyed(&t) {
            Some((k, _)) => Ok(Value::syms(k.names.iter().copied())),
            None => type_error(),
        },
    }
}

/// `names xcol t`: renames the first columns; a dictionary renames by name.
pub fn xcol(q: &mut Interp, x: &Value, t: &Value) -> Result<Value> {
    let t = deref(q, t)?.1;
    let Some(mut flat) = unkey(&t) else { return type_error() };
    if let Value::Dict(d) = x {
        for (old, new) in names(&d.keys)?.iter().zip(names(&d.vals)?) {
            match flat.names.iter().position(|n| n == old) {
                Some(i) => flat.names[i] = new,
                None => return length_error(),
            }
        }
        return rekey(&t, flat);
    }
    let new = names(x)?;
    if new.len() > flat.names.len() {
        return length_error();
    }
    flat.names[..new.len()].copy_from_slice(&new);
    rekey(&t, flat)
}

/// `names xcols t`: those columns first.
pub fn xcols(x: &Value, t: &Value) -> Result<Value> {
    let Value::Table(t) = t else { return type_error() };
    let first = names(x)?;
    Ok(Value::Table(Arc::new(front(t, &first)?)))
}

/// The table with the columns `first` before the others.
fn front(t: &Table, first: &[Sym]) -> Result<Table> {
    let mut out = select(t, first)?;
    let rest = without(t, first);
    out.names.extend(rest.names);
    out.cols.extend(rest.cols);
    Ok(out)
}

/// `names xkey t`: those columns as the key; of a name, in place.
pub fn xkey(q: &mut Interp, x: &Value, t: &Value) -> Result<Value> {
    let key = names(x)?;
    if key.iter().enumerate().any(|(i, n)| key[..i].contains(n)) {
        return Err(Error::new("dup"));
    }
    super::amend(q, t, |_, t| {
        let Some(flat) = unkey(t) else { return type_error() };
        super::key_by(key.len(), Value::Table(Arc::new(front(&flat, &key)?)))
    })
}
