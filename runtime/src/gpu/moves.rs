//! `.gpu.to`, `.gpu.xto` and `.gpu.from`: data to the engine and back.

use super::object::{Body, Object, Place, Table};
use crate::session::Session;
use q::error::type_error;
use q::value::{Dict, Func};
use q::{Result, Sym, Value};
use std::sync::Arc;

/// A copy of `x` with everything but atoms on the engine. Atoms and functions stay what they are.
pub fn to(session: &Arc<Session>, x: &Value) -> Result<Value> {
    session.ready()?;
    match x {
        Value::Atom(_) => Ok(x.clone()),
        Value::Fun(_) => match Object::of(x) {
            Some(Object { body: Body::Table(t), .. }) => {
                Ok(Object::value(session, Body::Table(moved(session, t, |_| true)?)))
            }
            Some(_) => Ok(x.clone()),
            // Another's virtual table, a Parquet file say, is read whole.
            None if matches!(x, Value::Fun(Func::Virtual(_))) => to(session, &from(x)?),
            None => Ok(x.clone()),
        },
        Value::List(items) if items.iter().any(keeps_apart) => {
            Ok(Value::list(items.iter().map(|i| to(session, i)).collect::<Result<_>>()?))
        }
        Value::Vec(_) | Value::List(_) => Ok(Object::value(session, Body::Vector(session.admit(x)?))),
        Value::Table(_) => table(session, x, |_| true),
        Value::Dict(d) if matches!(d.keys, Value::Table(_)) => match d.vals {
            Value::Table(_) => table(session, x, |_| true),
            // Rows that name items of a list: no table of columns.
            _ => Ok(x.clone()),
        },
        Value::Dict(d) => {
            let vals = match &d.vals {
                Value::List(items) => {
                    Value::list(items.iter().map(|i| to(session, i)).collect::<Result<_>>()?)
                }
                vals => to(session, vals)?,
            };
            Ok(Object::value(session, Body::Dict { keys: d.keys.clone(), vals }))
        }
    }
}

/// Items of a list that cannot lie in one nested column.
fn keeps_apart(item: &Value) -> bool {
    matches!(item, Value::Fun(_) | Value::Table(_) | Value::Dict(_))
}

fn table(session: &Arc<Session>, x: &Value, chosen: impl Fn(Sym) -> bool) -> Result<Value> {
    let Some(t) = Table::of(x) else { return type_error() };
    Ok(Object::value(session, Body::Table(moved(session, &t, chosen)?)))
}

/// The table with the chosen columns on the engine.
fn moved(session: &Session, t: &Table, chosen: impl Fn(Sym) -> bool) -> Result<Table> {
    let mut names = t.names.iter();
    t.map(|place| {
        let name = names.next().expect("a table has a name for each column");
        match place {
            Place::Host(v) if chosen(*name) => Ok(Place::Device(session.admit(v)?)),
            _ => Ok(place.clone()),
        }
    })
}

/// `y` with the columns or entries named by `x` on the engine; names that `y` lacks are ignored.
pub fn xto(session: &Arc<Session>, x: &Value, y: &Value) -> Result<Value> {
    session.ready()?;
    let Some(names) = names(x) else { return type_error() };
    let chosen = |n: Sym| names.contains(&n);
    match (y, Object::of(y)) {
        (_, Some(Object { body: Body::Table(t), .. })) => {
            Ok(Object::value(session, Body::Table(moved(session, t, chosen)?)))
        }
        (_, Some(Object { body: Body::Dict { keys, vals }, .. })) => entries(session, keys, vals, chosen),
        (Value::Dict(d), _) if !matches!(d.keys, Value::Table(_)) => {
            entries(session, &d.keys, &d.vals, chosen)
        }
        (Value::Table(_) | Value::Dict(_), _) => table(session, y, chosen),
        _ => type_error(),
    }
}

fn entries(
    session: &Arc<Session>,
    keys: &Value,
    vals: &Value,
    chosen: impl Fn(Sym) -> bool,
) -> Result<Value> {
    let (Some(names), Value::List(items)) = (names(keys), vals) else {
        // The values are one vector: it moves as a whole or not at all.
        let any = names(keys).is_some_and(|n| n.into_iter().any(chosen));
        let vals = if any { to(session, vals)? } else { vals.clone() };
        return Ok(Object::value(session, Body::Dict { keys: keys.clone(), vals }));
    };
    let one = |(n, v): (&Sym, &Value)| if chosen(*n) { to(session, v) } else { Ok(v.clone()) };
    let vals = names.iter().zip(items.iter()).map(one).collect::<Result<Vec<_>>>()?;
    Ok(Object::value(session, Body::Dict { keys: keys.clone(), vals: Value::list(vals) }))
}

/// `x` as plain q data: every object in it fetched.
pub fn from(x: &Value) -> Result<Value> {
    match x {
        Value::Fun(Func::Virtual(v)) => v.rows(0, v.count()),
        Value::List(items) => Ok(Value::list(items.iter().map(from).collect::<Result<_>>()?)),
        Value::Dict(d) => {
            let (keys, vals) = (from(&d.keys)?, from(&d.vals)?);
            Ok(Value::Dict(Arc::new(Dict { keys, vals, step: d.step })))
        }
        Value::Table(t) => Ok(Value::table(t.names.clone(), t.cols.iter().map(from).collect::<Result<_>>()?)),
        Value::Atom(_) | Value::Vec(_) | Value::Fun(_) => Ok(x.clone()),
    }
}

/// The names in a symbol atom or vector.
pub fn names(x: &Value) -> Option<Vec<Sym>> {
    match x {
        Value::Vec(v) => Some(v.elems::<Sym>()?.to_vec()),
        Value::List(l) if l.is_empty() => Some(vec![]),
        _ => x.as_sym().map(|s| vec![s]),
    }
}
