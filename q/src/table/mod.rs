//! Table verbs, and what they share: taking keyed tables apart and putting them together again.

mod cols;
mod fby;
pub(crate) mod insert;
mod meta;
pub mod named;
mod nest;
mod order;

use crate::buf::Buf;
use crate::error::{Error, Result, length_error, type_error};
use crate::eval::Interp;
use crate::eval::item::{self, gather_col};
use crate::fun::Prim;
use crate::join;
use crate::kind::Kind;
use crate::sym::Sym;
use crate::value::{Dict, Func, Table, Value, Vector};
use std::sync::Arc;

/// The table verb or join `p` applied to its arguments. A virtual object among them answers first.
pub fn call(q: &mut Interp, p: Prim, args: Vec<Value>) -> Result<Value> {
    use Prim::*;
    if let Some(answer) = virtual_verb(p, &args) {
        return answer;
    }
    match (p, &args[..]) {
        (Cols, [t]) => cols::cols(q, t),
        (Keys, [t]) => cols::keys(q, t),
        (Meta, [t]) => meta::meta(q, t),
        (Fkeys, [t]) => meta::fkeys(q, t),
        (Ungroup, [t]) => nest::ungroup(q, t),
        (Xcol, [x, t]) => cols::xcol(q, x, t),
        (Xcols, [x, t]) => cols::xcols(x, t),
        (Xkey, [x, t]) => cols::xkey(q, x, t),
        (Xasc | Xdesc, [x, t]) => order::sort(q, x, t, p == Xdesc),
        (Xgroup, [x, t]) => nest::xgroup(q, x, t),
        (Fby, [x, g]) => fby::fby(q, x, g),
        (Insert, [t, x]) => insert::insert(q, t, x),
        (Upsert, [t, x]) => insert::upsert(q, t, x),
        _ => join::call(q, p, &args),
    }
}

/// What the first virtual object among `args` says to the verb.
fn virtual_verb(p: Prim, args: &[Value]) -> Option<Result<Value>> {
    let object = args.iter().find_map(|x| match x {
        Value::Fun(Func::Virtual(x)) => Some(x),
        _ => None,
    })?;
    object.verb(p.row().text, args).transpose()
}

/// A table given by name or value: the variable's name, if one was given, and the value. A file handle stands for
/// what the file or folder holds. An unknown name signals itself.
pub fn deref(q: &Interp, t: &Value) -> Result<(Option<Sym>, Value)> {
    match t.as_sym() {
        None => Ok((None, t.clone())),
        Some(file) if file.text().starts_with(':') => {
            Ok((None, crate::eval::splay::get(q, &file.text()[1..])?))
        }
        Some(name) => match q.global(name) {
            Some(v) => Ok((Some(name), v)),
            None => Err(Error::new(name.text())),
        },
    }
}

/// Applies `f` to a table given by name or value; of a name, sets the variable and returns the name.
pub fn amend(
    q: &mut Interp,
    t: &Value,
    f: impl FnOnce(&mut Interp, &Value) -> Result<Value>,
) -> Result<Value> {
    let (name, value) = deref(q, t)?;
    let Some(name) = name else { return f(q, &value) };
    let changed = q.amending(|q| f(q, &value))?;
    q.set_global(name, changed)?;
    Ok(t.clone())
}

/// The key and value columns of a keyed table.
pub fn keyed(t: &Value) -> Option<(&Table, &Table)> {
    match t {
        Value::Dict(d) => match &**d {
            Dict { keys: Value::Table(k), vals: Value::Table(v), .. } => Some((k, v)),
            _ => None,
        },
        _ => None,
    }
}

/// All columns of a table or keyed table, keys first.
pub fn unkey(t: &Value) -> Option<Table> {
    match (t, keyed(t)) {
        (Value::Table(t), _) => Some((**t).clone()),
        (_, Some((k, v))) => {
            Some(Table { names: [&k.names[..], &v.names].concat(), cols: [&k.cols[..], &v.cols].concat() })
        }
        _ => None,
    }
}

/// `n!t`: the first `n` columns of a table or keyed table as its key; none for 0.
pub fn key_by(n: usize, t: Value) -> Result<Value> {
    let Some(mut flat) = unkey(&t) else { return type_error() };
    if n == 0 {
        return Ok(Value::Table(Arc::new(flat)));
    }
    if n >= flat.names.len() {
        return length_error();
    }
    let vals = Table { names: flat.names.split_off(n), cols: flat.cols.split_off(n) };
    Ok(Value::dict(Value::Table(Arc::new(flat)), Value::Table(Arc::new(vals))))
}

/// The column `name` of the table that an enumerated value indexes, at its positions; none if `x` is no
/// foreign key and no link, or the table has no such column.
pub fn foreign_col(q: &Interp, x: &Value, name: Sym) -> Option<Value> {
    let (domain, at) = match x {
        Value::Vec(v) => (v.domain.as_ref()?, v.elems::<i64>()?.clone()),
        Value::Atom(a) => (a.domain.as_ref()?, Buf::filled(1, a.elem::<i64>()?)),
        _ => return None,
    };
    let col = unkey(&q.global(domain.name)?)?.col(name)?.clone();
    Some(if x.is_atom() { item::item(&gather_col(&col, &at), 0) } else { gather_col(&col, &at) })
}

/// `flat` with as many key columns as `like` has.
pub fn rekey(like: &Value, flat: Table) -> Result<Value> {
    key_by(keyed(like).map_or(0, |(k, _)| k.names.len()), Value::Table(Arc::new(flat)))
}

/// The columns `names` of a table; an unknown name signals itself.
pub fn select(t: &Table, names: &[Sym]) -> Result<Table> {
    let col = |n: &Sym| t.col(*n).cloned().ok_or_else(|| Error::new(n.text()));
    Ok(Table { names: names.to_vec(), cols: names.iter().map(col).collect::<Result<_>>()? })
}

/// The columns of a table that are not in `names`; there may be none.
pub fn without(t: &Table, names: &[Sym]) -> Table {
    let rest = t.names.iter().zip(&t.cols).filter(|(n, _)| !names.contains(n));
    let (names, cols) = rest.map(|(n, c)| (*n, c.clone())).unzip();
    Table { names, cols }
}

/// Column names: a symbol, a symbol vector, or an empty list.
pub fn names(x: &Value) -> Result<Vec<Sym>> {
    match x {
        Value::Vec(v) if v.kind == Kind::Sym => Ok(v.elems::<Sym>().map_or(vec![], |s| s.to_vec())),
        Value::List(l) if l.is_empty() => Ok(vec![]),
        _ => x.as_sym().map(|s| vec![s]).ok_or_else(|| Error::new("type")),
    }
}

/// A vector of short, int or long items as another of these kinds. Nulls stay null; what does not fit becomes
/// the infinity of its sign.
pub fn narrow(v: &Vector, to: Kind) -> Result<Value> {
    let items = (0..v.len()).map(|i| Value::Atom(v.get(i)).as_long().unwrap_or(i64::MIN));
    match to {
        Kind::Long => Ok(Value::longs(items)),
        Kind::Int => {
            let fit = |x: i64| {
                if x == i64::MIN { i32::MIN } else { x.clamp(-(i32::MAX as i64), i32::MAX as i64) as i32 }
            };
            Ok(Value::vector(to, items.map(fit).collect::<Buf<i32>>()))
        }
        Kind::Short => {
            let fit = |x: i64| {
                if x == i64::MIN { i16::MIN } else { x.clamp(-(i16::MAX as i64), i16::MAX as i64) as i16 }
            };
            Ok(Value::vector(to, items.map(fit).collect::<Buf<i16>>()))
        }
        _ => type_error(),
    }
}
