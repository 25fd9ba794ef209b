//! Dictionaries and keyed tables: making, looking up, upserting, key and value.

use super::item::{self, gather};
use super::{find, join, sets};
use crate::buf::Buf;
use crate::error::{Error, Result, length_error, type_error};
use crate::kind::Kind;
use crate::sym::Sym;
use crate::value::{Data, Dict, Func, Table, Value, Vector};
use std::sync::Arc;

/// The symbols of a symbol vector (or of the empty list, none).
pub fn sym_keys(keys: &Value) -> Option<Buf<Sym>> {
    match keys {
        Value::Vec(Vector { kind: Kind::Sym, data: Data::S(s), .. }) => Some(s.clone()),
        Value::List(l) if l.is_empty() => Some(Buf::new()),
        _ => None,
    }
}

/// The value of the symbol `key` in a dictionary, or the column of a table.
pub fn member(x: &Value, key: Sym) -> Option<Value> {
    match x {
        Value::Dict(d) => {
            let keys = match &d.keys {
                Value::Table(_) => return None,
                keys => sym_keys(keys)?,
            };
            keys.iter().position(|k| *k == key).map(|i| item::item(&d.vals, i))
        }
        Value::Table(t) => t.col(key).cloned(),
        _ => None,
    }
}

/// `x!y` on lists: a dictionary; on tables of one count, a keyed table.
pub fn make(x: &Value, y: &Value) -> Result<Value> {
    if x.is_atom() && y.is_atom() {
        return type_error();
    }
    let (x, y) = (sets::listed(x), sets::listed(y));
    let (n, m) = (x.count(), y.count());
    let y = match m {
        _ if n == m => y,
        // An atom on the right is for every key.
        1 if n > 0 => item::gather_col(&y, &vec![0; n]),
        // So is an empty list.
        0 if matches!(&y, Value::List(_)) => Value::list(vec![y; n]),
        _ => return length_error(),
    };
    Ok(Value::dict(x, y))
}

/// The positions of keys in a dictionary; -1 where there is none. `keys` is one key or a list of keys, and
/// the answer an atom or a list to match.
pub fn find_keys(d: &Dict, keys: &Value) -> Result<Value> {
    if d.step && !matches!(d.keys, Value::Table(_)) {
        return super::sort::bin(&d.keys, keys, false);
    }
    let keys = match (&d.keys, keys) {
        (Value::Table(t), _) => key_rows(t, keys)?,
        _ => keys.clone(),
    };
    if d.step {
        return super::sort::bin(&d.keys, &keys, false);
    }
    let at = find::find(&d.keys, &keys)?;
    Ok(missing(at, d.keys.count() as i64))
}

/// Positions at the end as -1.
fn missing(at: Value, n: i64) -> Value {
    match &at {
        Value::Atom(_) => Value::long(at.as_long().filter(|&i| i < n).unwrap_or(-1)),
        Value::Vec(v) => match v.elems::<i64>() {
            Some(e) => Value::longs(e.iter().map(|&i| if i < n { i } else { -1 })),
            None => at,
        },
        Value::List(l) => item::collect(l.iter().map(|a| missing(a.clone(), n)).collect()),
        _ => at,
    }
}

/// What indexes a keyed table, as rows of its key: a row or table as it is, an atom for a single key column,
/// a list of atoms as one row or (single key column) as many, a list of lists as rows.
fn key_rows(t: &Table, keys: &Value) -> Result<Value> {
    let row = |l: &Value| {
        if l.count() == t.names.len() {
            Ok(Value::dict(Value::syms(t.names.iter().copied()), l.clone()))
        } else {
            length_error()
        }
    };
    match keys {
        Value::Table(_) | Value::Dict(_) => Ok(keys.clone()),
        Value::Atom(_) => row(&item::enlist(keys.clone())),
        Value::Vec(_) if t.names.len() == 1 => Ok(Value::table(t.names.clone(), vec![keys.clone()])),
        Value::Vec(_) => row(keys),
        Value::List(l) if l.iter().all(Value::is_atom) => {
            if t.names.len() == 1 {
                return Ok(Value::table(t.names.clone(), vec![keys.clone()]));
            }
            row(keys)
        }
        Value::List(l) => {
            let n = t.names.len();
            if l.iter().any(|r| r.count() != n) {
                return length_error();
            }
            let col = |j: usize| item::collect(l.iter().map(|r| item::item(r, j)).collect());
            Ok(Value::table(t.names.clone(), (0..n).map(col).collect()))
        }
        Value::Fun(_) => type_error(),
    }
}

/// `d[keys]`: values, nulls of the first value's type where a key is missing.
pub fn lookup(d: &Dict, keys: &Value) -> Result<Value> {
    at_positions(&d.vals, &find_keys(d, keys)?)
}

fn at_positions(vals: &Value, at: &Value) -> Result<Value> {
    match at {
        Value::Atom(_) => {
            let i = at.as_long().unwrap_or(-1);
            Ok(if i >= 0 && (i as usize) < vals.count() {
                item::item(vals, i as usize)
            } else {
                item::null_item(vals)
            })
        }
        Value::Vec(_) => Ok(gather(vals, &item::positions(at).unwrap_or_default())),
        Value::List(l) => Ok(item::collect(l.iter().map(|a| at_positions(vals, a)).collect::<Result<_>>()?)),
        Value::Dict(d) => Ok(Value::dict(d.keys.clone(), at_positions(vals, &d.vals)?)),
        _ => type_error(),
    }
}

/// `x,y` on dictionaries: `y`'s entries replace `x`'s or follow them. Of keyed tables the same by key; `y`
/// may have its columns in another order, and may lack none.
pub fn upsert(x: Value, y: &Value) -> Result<Value> {
    let (Value::Dict(d), Value::Dict(e)) = (x, y) else { return type_error() };
    if let (Value::Table(_), Value::Table(_)) = (&d.keys, &e.keys) {
        return upsert_keyed(d, e);
    }
    if d.step {
        return Err(Error::new("step"));
    }
    let mut d = Arc::unwrap_or_clone(d);
    if d.keys.count() == 0 {
        return Ok(Value::Dict(e.clone()));
    }
    let at = if e.keys.count() == 0 { Buf::new() } else { positions(&d.keys, &e.keys)? };
    let n = d.keys.count();
    for (j, &i) in at.iter().enumerate() {
        let value = item::item(&e.vals, j);
        if (i as usize) < n {
            set_general(&mut d.vals, i as usize, value);
        }
    }
    let fresh: Vec<i64> = (0..at.len()).filter(|&j| at[j] as usize >= n).map(|j| j as i64).collect();
    if !fresh.is_empty() {
        let (keys, vals) = (gather(&e.keys, &fresh), gather(&e.vals, &fresh));
        // A new key that comes twice keeps its place and takes the last value.
        let c = find::classes(&keys);
        let lasts: Vec<i64> = {
            let mut lasts = vec![0; c.firsts.len()];
            c.ids.iter().enumerate().for_each(|(i, &id)| lasts[id as usize] = i as i64);
            lasts
        };
        d.keys = join::join(item::bare(d.keys), &gather(&keys, &c.firsts))?;
        d.vals = append_items(item::bare(d.vals), &gather(&vals, &lasts))?;
    }
    Ok(Value::Dict(Arc::new(d)))
}

/// Positions of keys of any type: different types do not meet.
fn positions(x: &Value, y: &Value) -> Result<Buf<i64>> {
    if x.type_code() == y.type_code() {
        return find::find_each(x, y);
    }
    find::find_each(&Value::list(item::items(x)), &Value::list(item::items(y)))
}

/// Appends items one by one: nested values stay single values.
fn append_items(x: Value, y: &Value) -> Result<Value> {
    match (x, y) {
        (Value::Table(t), Value::Table(u)) => join::append_table(t, u),
        (x @ Value::Vec(_), Value::Vec(_)) => join::join(x, y),
        (x, _) => {
            let mut all = item::items(&x);
            all.extend(item::items(y));
            Ok(item::collect(all))
        }
    }
}

/// Sets item `i` of a list, which becomes general if it must.
pub fn set_general(x: &mut Value, i: usize, value: Value) {
    let fits = match (&*x, &value) {
        (Value::Vec(v), Value::Atom(a)) => v.kind == a.kind && item::same_domain(&v.domain, &a.domain),
        (Value::List(_), _) => true,
        _ => false,
    };
    if !fits {
        let mut all = item::items(x);
        all[i] = value;
        *x = item::collect(all);
        return;
    }
    super::amend::set_item(x, i, value).expect("the item fits the list");
}

fn upsert_keyed(d: Arc<Dict>, e: &Dict) -> Result<Value> {
    let mut d = Arc::unwrap_or_clone(d);
    let at = find::find_each(&d.keys, &e.keys)?;
    let n = d.keys.count();
    let (Value::Table(vals), Value::Table(new)) = (&mut d.vals, &e.vals) else { return type_error() };
    if new.names.iter().any(|c| vals.col(*c).is_none()) {
        return Err(Error::new("mismatch"));
    }
    let into = Arc::make_mut(vals);
    for (name, col) in new.names.iter().zip(&new.cols) {
        let target = into.names.iter().position(|c| c == name).expect("every new column is known");
        let slot = &mut into.cols[target];
        for (j, &i) in at.iter().enumerate().filter(|(_, i)| (**i as usize) < n) {
            let value = item::item(col, j);
            match slot {
                Value::Vec(_) => super::amend::set_item(slot, i as usize, value)?,
                _ => set_general(slot, i as usize, value),
            }
        }
        if at.iter().any(|&i| (i as usize) < n) {
            *slot = item::bare(std::mem::replace(slot, Value::null()));
        }
    }
    let fresh: Vec<i64> = (0..at.len()).filter(|&j| at[j] as usize >= n).map(|j| j as i64).collect();
    if !fresh.is_empty() {
        let keys = gather(&e.keys, &fresh);
        let c = find::classes(&keys);
        let mut lasts = vec![0; c.firsts.len()];
        c.ids.iter().enumerate().for_each(|(i, &id)| lasts[id as usize] = fresh[i]);
        d.keys = join::join(d.keys, &gather(&keys, &c.firsts))?;
        let Value::Table(vals) = &d.vals else { return type_error() };
        let tail = |name: &Sym| match new.col(*name) {
            Some(col) => item::gather_col(col, &lasts),
            None => item::gather_col(vals.col(*name).unwrap_or(&Value::null()), &vec![-1; lasts.len()]),
        };
        let tail = Table { names: vals.names.clone(), cols: vals.names.iter().map(tail).collect() };
        let Value::Table(vals) = std::mem::replace(&mut d.vals, Value::null()) else { return type_error() };
        d.vals = join::append_table(vals, &tail)?;
    }
    d.step = false;
    Ok(Value::Dict(Arc::new(d)))
}

/// `key x`: a dictionary's keys, a keyed table's key columns.
pub fn key(q: &mut super::Interp, x: &Value) -> Result<Value> {
    match x {
        Value::Dict(d) => Ok(d.keys.clone()),
        Value::Vec(v) => match &v.domain {
            Some(d) => Ok(Value::sym(d.name)),
            None => Ok(Value::sym(v.kind.name())),
        },
        Value::Atom(a) if a.kind == Kind::Sym => key_of_name(q, x.as_sym().unwrap_or_default()),
        Value::Atom(a) => match &a.domain {
            Some(d) => Ok(Value::sym(d.name)),
            None if x.as_long().is_some() && a.kind != Kind::Bool => super::list::til(x),
            None => Ok(Value::sym(a.kind.name())),
        },
        Value::Fun(Func::Virtual(_)) => Ok(Value::sym("T")),
        _ => type_error(),
    }
}

/// `key` of a symbol: a namespace's names, a folder's or file's existence, or a variable's name if it is set.
fn key_of_name(q: &mut super::Interp, name: Sym) -> Result<Value> {
    let text = name.text();
    if let Some(path) = text.strip_prefix(':') {
        return Ok(super::files::key(path));
    }
    if name.is_null() {
        return Ok(Value::syms(std::iter::once(Sym::new("q")).chain(q.globals.spaces())));
    }
    if text == "." {
        return Ok(Value::syms(q.globals.vars(Sym::NULL).iter().map(|v| v.0)));
    }
    match q.global(name) {
        Some(Value::Dict(d)) => Ok(d.keys.clone()),
        Some(_) => Ok(Value::sym(name)),
        None if text == ".q" => key(q, &crate::parse::defined()),
        None => Ok(Value::list(vec![])),
    }
}
