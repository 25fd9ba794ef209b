//! What a table's columns are: meta and fkeys.

use super::{deref, unkey};
use crate::error::{Result, type_error};
use crate::eval::Interp;
use crate::kind::Kind;
use crate::sym::Sym;
use crate::value::{Table, Value, Vector};
use std::sync::Arc;

/// `meta t`: for each column its type letter (upper case for a list of vectors), foreign key and attribute.
pub fn meta(q: &mut Interp, t: &Value) -> Result<Value> {
    let Some(flat) = unkey(&deref(q, t)?.1) else { return type_error() };
    let types: Vec<u8> = flat.cols.iter().map(letter).collect();
    let foreign: Vec<Sym> = flat.cols.iter().map(|c| foreign(q, c)).collect();
    let attrs = flat.cols.iter().map(|c| match c {
        Value::Vec(v) => Sym::new(v.attr.letter()),
        _ => Sym::NULL,
    });
    let keys = Table { names: vec![Sym::new("c")], cols: vec![Value::syms(flat.names.iter().copied())] };
    let vals = Table {
        names: ["t", "f", "a"].map(Sym::new).to_vec(),
        cols: vec![Value::chars(&types), Value::syms(foreign), Value::syms(attrs)],
    };
    Ok(Value::dict(Value::Table(Arc::new(keys)), Value::Table(Arc::new(vals))))
}

/// `fkeys t`: the columns that are foreign keys, to the names of the tables they index.
pub fn fkeys(q: &mut Interp, t: &Value) -> Result<Value> {
    let Some(flat) = unkey(&deref(q, t)?.1) else { return type_error() };
    let pairs = flat.names.iter().zip(&flat.cols).map(|(n, c)| (*n, foreign(q, c)));
    let (names, tables): (Vec<Sym>, Vec<Sym>) = pairs.filter(|(_, f)| !f.is_null()).unzip();
    Ok(Value::dict(Value::syms(names), Value::syms(tables)))
}

fn letter(col: &Value) -> u8 {
    match col {
        Value::Vec(Vector { kind: Kind::Enum, domain: Some(d), .. }) => d.kind().letter() as u8,
        Value::Vec(v) => v.kind.letter() as u8,
        Value::List(items) => match items.first() {
            Some(Value::Vec(first)) => {
                let alike = |x: &Value| matches!(x, Value::Vec(v) if v.kind == first.kind);
                if items.iter().all(alike) { first.kind.letter().to_ascii_uppercase() as u8 } else { b' ' }
            }
            _ => b' ',
        },
        _ => b' ',
    }
}

/// The table that an enumerated column indexes: a foreign key's or a link's; null for other columns.
fn foreign(q: &Interp, col: &Value) -> Sym {
    match col {
        Value::Vec(Vector { kind: Kind::Enum, domain: Some(d), .. }) => match q.global(d.name) {
            Some(t) if unkey(&t).is_some() => d.name,
            _ => Sym::NULL,
        },
        _ => Sym::NULL,
    }
}
