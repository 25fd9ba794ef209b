//! Amend: changing parts of a value, in place where nobody else holds it.

use super::item::{self, collect};
use super::{Interp, dict, index, join, prim};
use crate::buf::Buf;
use crate::error::{Error, Result, length_error, type_error};
use crate::kind::Kind;
use crate::sym::Sym;
use crate::value::{Attr, Elem, Value, Vector};
use std::sync::Arc;

/// What happens to each part that a path leads to.
pub enum Change<'a> {
    /// The part becomes the value.
    Set(&'a Value),
    /// The part becomes `f[part]`.
    Call1(&'a Value),
    /// The part becomes `f[part;value]`.
    Call2(&'a Value, &'a Value),
}

impl Change<'_> {
    fn apply(&self, q: &mut Interp, old: Value) -> Result<Value> {
        match self {
            Change::Set(v) => Ok((*v).clone()),
            Change::Call1(f) => q.apply(f, vec![old]),
            Change::Call2(f, v) => q.apply(f, vec![old, (*v).clone()]),
        }
    }

    fn value(&self) -> Option<&Value> {
        match self {
            Change::Set(v) | Change::Call2(_, v) => Some(v),
            Change::Call1(_) => None,
        }
    }

    fn with<'b>(&'b self, value: &'b Value) -> Change<'b> {
        match self {
            Change::Set(_) => Change::Set(value),
            Change::Call1(f) => Change::Call1(f),
            Change::Call2(f, _) => Change::Call2(f, value),
        }
    }
}

/// Changes the parts of `x` at `path`. On an error the parts before the one that signals are changed, as in q; each part
/// is whole.
pub fn amend(q: &mut Interp, x: &mut Value, path: &[Value], change: &Change) -> Result<()> {
    let Some((i, rest)) = path.split_first() else {
        if let Change::Call2(f, v) = change
            && f.as_prim() == Some(crate::Prim::Join)
            && (join::grow(x, v) || crate::table::insert::append_list(x, v)?)
        {
            return Ok(());
        }
        // `x` stays where it is, since a function that signals takes its arguments with it.
        *x = change.apply(q, x.clone())?;
        return Ok(());
    };
    if i.is_null_fn() {
        return amend_all(q, x, rest, change);
    }
    match x {
        Value::Table(_) => return amend_table(q, x, i, rest, change),
        Value::Fun(_) | Value::Atom(_) => return type_error(),
        _ => {}
    }
    if is_single(x, i) {
        return amend_one(q, x, i, rest, change);
    }
    if rest.is_empty() && fast_scatter(x, i, change)? {
        return Ok(());
    }
    // Many: one after the other, so that an index that comes twice is amended twice.
    let n = i.count();
    let Some(value) = change.value().filter(|v| !v.is_atom()) else {
        for k in 0..n {
            amend(q, x, &prepend(&item::item(i, k), rest), change)?;
        }
        return Ok(());
    };
    if value.count() != n {
        return length_error();
    }
    for k in 0..n {
        let part = item::item(value, k);
        amend(q, x, &prepend(&item::item(i, k), rest), &change.with(&part))?;
    }
    Ok(())
}

fn prepend(i: &Value, rest: &[Value]) -> Vec<Value> {
    std::iter::once(i).chain(rest).cloned().collect()
}

/// True if `i` leads to one part of `x`.
fn is_single(x: &Value, i: &Value) -> bool {
    match x {
        Value::Dict(d) => match (&d.keys, i) {
            (Value::Table(_), Value::Dict(_)) => true,
            (Value::Table(k), Value::Vec(_)) => k.names.len() > 1,
            (Value::Table(k), Value::List(l)) => k.names.len() > 1 && l.iter().all(Value::is_atom),
            (Value::List(k), Value::Vec(_)) => k.first().is_some_and(|k| !k.is_atom()),
            _ => i.is_atom(),
        },
        _ => i.is_atom(),
    }
}

/// Every part of one level.
fn amend_all(q: &mut Interp, x: &mut Value, rest: &[Value], change: &Change) -> Result<()> {
    let all = match x {
        Value::Dict(d) => d.keys.clone(),
        Value::Vec(_) | Value::List(_) | Value::Table(_) => Value::longs(0..x.count() as i64),
        _ => return type_error(),
    };
    amend(q, x, &prepend(&all, rest), change)
}

fn amend_one(q: &mut Interp, x: &mut Value, i: &Value, rest: &[Value], change: &Change) -> Result<()> {
    let at = match &*x {
        Value::Dict(d) => {
            let found = if d.keys.count() == 0 { Value::long(-1) } else { exact_key(d, i)? };
            match found.as_long() {
                Some(at) if at >= 0 => at as usize,
                _ => return insert_key(q, x, i, rest, change),
            }
        }
        _ => match i.as_long() {
            Some(at) if at >= 0 && (at as usize) < x.count() => at as usize,
            Some(_) => return length_error(),
            None => return type_error(),
        },
    };
    if let Value::Dict(d) = x {
        let d = Arc::make_mut(d);
        if let (Value::Vec(_), [], Change::Set(v)) = (&d.vals, rest, change) {
            // A dictionary's values become general where a vector may not.
            return if is_type_fit(&d.vals, v) {
                set_item(&mut d.vals, at, (*v).clone())
            } else {
                type_error()
            };
        }
        return amend(q, &mut d.vals, &prepend(&Value::long(at as i64), rest), change);
    }
    if rest.is_empty() {
        if let Change::Set(v) = change {
            return set_item(x, at, (*v).clone());
        }
        let old = item::item(x, at);
        let new = change.apply(q, old)?;
        return set_item(x, at, new);
    }
    let Value::List(l) = x else { return Err(Error::new("rank")) };
    Arc::make_mut(l).change(at, |slot| amend(q, slot, rest, change))
}

/// The position of one key: never a step dictionary's neighbour.
fn exact_key(d: &crate::value::Dict, i: &Value) -> Result<Value> {
    if d.step {
        let plain = crate::value::Dict { step: false, ..d.clone() };
        return dict::find_keys(&plain, i);
    }
    dict::find_keys(d, i)
}

fn is_type_fit(list: &Value, v: &Value) -> bool {
    match list {
        Value::Vec(l) => v.type_code() == -l.kind.code() || (l.kind == Kind::Enum && v.type_code() == -11),
        _ => true,
    }
}

/// A key that is not there: it is added, with the change made to its null value.
fn insert_key(q: &mut Interp, x: &mut Value, i: &Value, rest: &[Value], change: &Change) -> Result<()> {
    let Value::Dict(d) = x else { return type_error() };
    if d.step {
        return Err(Error::new("step"));
    }
    let mut value = match (&d.vals, change, rest) {
        (Value::Table(t), Change::Set(v), []) => {
            let cols = t.cols.iter().map(|c| item::gather_col(c, &[-1])).collect();
            let mut row = Arc::new(crate::value::Table { names: t.names.clone(), cols });
            set_row(&mut row, 0, v)?;
            item::item(&Value::Table(row), 0)
        }
        (_, Change::Set(v), []) => (*v).clone(),
        (vals, _, _) => item::null_item(vals),
    };
    if !matches!((change, rest), (Change::Set(_), [])) {
        amend(q, &mut value, rest, change)?;
    }
    if d.keys.count() > 0 && !is_type_fit(&d.vals, &value) && matches!(d.vals, Value::Vec(_)) {
        return type_error();
    }
    let key = match (&d.keys, i) {
        (Value::Table(k), i) if !matches!(i, Value::Dict(_)) => {
            let row = if i.is_atom() { item::enlist(i.clone()) } else { i.clone() };
            Value::dict(Value::syms(k.names.iter().copied()), row)
        }
        _ => i.clone(),
    };
    if let (Value::Vec(k), Value::Atom(a)) = (&d.keys, &key)
        && k.kind != a.kind
        && !k.is_empty()
    {
        return type_error();
    }
    let d = Arc::make_mut(d);
    let (one, part) = (item::enlist(key.clone()), item::enlist(value.clone()));
    if !join::grow_all(vec![&mut d.keys, &mut d.vals], &[&one, &part]) {
        (d.keys, d.vals) = (push(d.keys.clone(), key)?, push(d.vals.clone(), value)?);
    }
    Ok(())
}

/// A list with one more item, which stays one item even if it is a list.
pub fn push(list: Value, value: Value) -> Result<Value> {
    match (list, value) {
        (Value::List(mut l), v) if !l.is_empty() => {
            Arc::make_mut(&mut l).push(v);
            Ok(Value::List(l))
        }
        (list, v) if list.count() == 0 && !matches!(list, Value::Table(_)) => Ok(item::enlist(v)),
        (list @ Value::Vec(_), v) if !v.is_atom() => {
            let mut all = item::items(&list);
            all.push(v);
            Ok(Value::list(all))
        }
        (list, v) => join::join(list, &v),
    }
}

/// Rows or columns of a table.
fn amend_table(q: &mut Interp, x: &mut Value, i: &Value, rest: &[Value], change: &Change) -> Result<()> {
    let Value::Table(t) = x else { return type_error() };
    if let Some(names) = dict::sym_keys(&super::sets::listed(i)).filter(|n| !n.is_empty()) {
        for (k, name) in names.iter().enumerate() {
            let part = match change.value() {
                Some(v) if i.is_atom() || v.is_atom() => Some(v.clone()),
                Some(v) => Some(nth(v, k)?),
                None => None,
            };
            let change = part.as_ref().map_or(change.with(i), |p| change.with(p));
            amend_column(q, t, *name, rest, &change)?;
        }
        return Ok(());
    }
    match rest {
        // t[rows;columns]
        [cols, deeper @ ..] if dict::sym_keys(&super::sets::listed(cols)).is_some() || cols.is_null_fn() => {
            let names: Vec<Sym> = match dict::sym_keys(&super::sets::listed(cols)) {
                Some(names) if !cols.is_null_fn() => names.to_vec(),
                _ => t.names.clone(),
            };
            let single = cols.is_atom() && !cols.is_null_fn();
            for (k, name) in names.into_iter().enumerate() {
                let part = match change.value() {
                    Some(v) if single || v.is_atom() => Some(v.clone()),
                    Some(v) if i.is_atom() => Some(nth(v, k)?),
                    Some(v) => {
                        Some(collect(item::items(v).iter().map(|r| nth(r, k)).collect::<Result<_>>()?))
                    }
                    None => None,
                };
                let change = part.as_ref().map_or(change.with(i), |p| change.with(p));
                amend_column(q, t, name, &prepend(i, deeper), &change)?;
            }
            Ok(())
        }
        // t[rows]
        _ => {
            let rows: Vec<i64> = match i {
                Value::Atom(_) => vec![i.as_long().ok_or_else(|| Error::new("type"))?],
                _ => item::positions(i).ok_or_else(|| Error::new("type"))?.to_vec(),
            };
            for (k, row) in rows.iter().enumerate() {
                if *row < 0 || *row as usize >= t.rows() {
                    return length_error();
                }
                let part = match change.value() {
                    Some(v @ Value::Table(_)) => Some(nth(v, k)?),
                    Some(v @ Value::List(_)) if !i.is_atom() => Some(nth(v, k)?),
                    v => v.cloned(),
                };
                let change = part.as_ref().map_or(change.with(i), |p| change.with(p));
                let new = change.apply(q, item::item(&Value::Table(t.clone()), *row as usize))?;
                set_row(t, *row as usize, &new)?;
            }
            Ok(())
        }
    }
}

/// Item `k` of a list of values to set, `'length` if it has too few.
fn nth(values: &Value, k: usize) -> Result<Value> {
    if k < values.count() { Ok(item::item(values, k)) } else { length_error() }
}

fn set_row(t: &mut Arc<crate::value::Table>, row: usize, new: &Value) -> Result<()> {
    let t = Arc::make_mut(t);
    let value = |k: usize, name: Sym| match new {
        Value::Dict(_) => dict::member(new, name).ok_or(Error::new("mismatch")),
        Value::Vec(_) | Value::List(_) if new.count() == t.names.len() => Ok(item::item(new, k)),
        Value::Vec(_) | Value::List(_) => length_error(),
        v => Ok(v.clone()),
    };
    let values = t.names.iter().enumerate().map(|(k, n)| value(k, *n)).collect::<Result<Vec<_>>>()?;
    for (col, v) in t.cols.iter_mut().zip(values) {
        set_item(col, row, v)?;
    }
    Ok(())
}

/// Changes a column, or parts of it; a new column needs all its rows.
fn amend_column(
    q: &mut Interp,
    t: &mut Arc<crate::value::Table>,
    name: Sym,
    rest: &[Value],
    change: &Change,
) -> Result<()> {
    let rows = t.rows();
    let t = Arc::make_mut(t);
    let known = t.names.iter().position(|n| *n == name);
    if let (Some(at), false) = (known, rest.is_empty()) {
        return amend(q, &mut t.cols[at], rest, change);
    }
    let mut col = known.map_or(Value::list(vec![]), |at| t.cols[at].clone());
    amend(q, &mut col, rest, change)?;
    // A whole column that does not fit leaves the old one.
    if rest.is_empty() && col.is_atom() {
        col = item::gather(&item::enlist(col), &vec![0; rows]);
    }
    if rest.is_empty() && col.count() != rows {
        return length_error();
    }
    match known {
        Some(at) => t.cols[at] = col,
        None => {
            t.names.push(name);
            t.cols.push(col);
        }
    }
    Ok(())
}

/// Sets item `i` (which must exist) of a list. A vector takes elements of its own type only; a general list
/// whose items all become atoms of one type becomes a vector. The attribute goes, unless it still holds.
pub fn set_item(x: &mut Value, i: usize, value: Value) -> Result<()> {
    match x {
        Value::Vec(v) => {
            let Value::Atom(a) = prim::reenum(v, &value)? else { return type_error() };
            if a.kind != v.kind {
                return type_error();
            }
            fn put<T: Elem>(buf: &mut Buf<T>, i: usize, raw: crate::value::Raw) {
                if let (Some(slot), Some(x)) = (buf.make_mut().get_mut(i), T::of_raw(raw)) {
                    *slot = x;
                }
            }
            crate::each_data!(&mut v.data, buf => put(buf, i, a.raw));
            if let (Some(d), Some(old)) = (&a.domain, &v.domain)
                && d.len() > old.len()
            {
                v.domain = Some(d.clone());
            }
            if v.attr != Attr::Grouped {
                v.attr = Attr::None;
            }
            Ok(())
        }
        Value::List(l) => {
            let items = Arc::make_mut(l);
            let tight = match (&value, items.iter().enumerate().find(|(j, _)| *j != i)) {
                (Value::Atom(a), Some((_, Value::Atom(b)))) => a.kind == b.kind,
                (Value::Atom(_), None) => true,
                _ => false,
            };
            items.change(i, |slot| *slot = value);
            if tight {
                let code = items[i].type_code();
                if items.iter().all(|v| v.type_code() == code) {
                    *x = collect(items.take());
                }
            }
            Ok(())
        }
        Value::Table(t) => set_row(t, i, &value),
        Value::Dict(d) => set_item(&mut Arc::make_mut(d).vals, i, value),
        _ => type_error(),
    }
}

/// `x[i]:v` with integer positions into a vector and elements of its kind, without boxing. False if the case
/// is another.
fn fast_scatter(x: &mut Value, i: &Value, change: &Change) -> Result<bool> {
    let (Value::Vec(v), Change::Set(y)) = (&mut *x, change) else { return Ok(false) };
    let Some(at) = item::positions(i) else { return Ok(false) };
    let n = v.len();
    let same_kind = match y {
        Value::Vec(w) => w.kind == v.kind && item::same_domain(&w.domain, &v.domain),
        Value::Atom(a) => a.kind == v.kind && item::same_domain(&a.domain, &v.domain),
        _ => false,
    };
    if !same_kind {
        return Ok(false);
    }
    if matches!(y, Value::Vec(w) if w.len() != at.len()) {
        return length_error();
    }
    if at.iter().any(|&i| i < 0 || i as usize >= n) {
        return length_error();
    }
    fn scatter<T: Elem>(v: &mut Buf<T>, at: &[i64], y: &Value) {
        let v = v.make_mut();
        match y {
            Value::Vec(Vector { data, .. }) => {
                if let Some(y) = T::of_data(data) {
                    at.iter().zip(y.iter()).for_each(|(&i, &y)| v[i as usize] = y);
                }
            }
            Value::Atom(a) => {
                if let Some(y) = a.elem::<T>() {
                    at.iter().for_each(|&i| v[i as usize] = y);
                }
            }
            _ => {}
        }
    }
    crate::each_data!(&mut v.data, buf => scatter(buf, &at, y));
    if v.attr != Attr::Grouped && !at.is_empty() {
        v.attr = Attr::None;
    }
    Ok(true)
}

/// Sets one key of a dictionary, which becomes general where it must: for namespaces.
pub fn put(x: &mut Value, key: &Value, value: Value) -> Result<()> {
    let Value::Dict(d) = x else { return type_error() };
    let at = dict::find_keys(d, key)?.as_long().unwrap_or(-1);
    let d = Arc::make_mut(d);
    if at >= 0 {
        dict::set_general(&mut d.vals, at as usize, value);
        return Ok(());
    }
    let keys = std::mem::replace(&mut d.keys, Value::null());
    d.keys = push(keys, key.clone())?;
    let mut vals = item::items(&d.vals);
    vals.push(value);
    d.vals = collect(vals);
    Ok(())
}

/// `@[x;i;f;y]`, `@[x;i;f]`, `.[x;path;f;y]`, `.[x;path;f]`: by value, or of a global by its name.
pub fn amend_call(q: &mut Interp, x: Value, path: &[Value], f: &Value, y: Option<&Value>) -> Result<Value> {
    let change = match (y, f.as_prim()) {
        (Some(y), Some(crate::Prim::Assign)) => Change::Set(y),
        (Some(y), _) => Change::Call2(f, y),
        (None, _) => Change::Call1(f),
    };
    let Some(name) = x.as_sym() else {
        let mut x = x;
        amend(q, &mut x, path, &change)?;
        return Ok(x);
    };
    if name.text().starts_with(':') {
        return super::splay::amend(q, name, path, f, y);
    }
    // A whole new value needs no old one, and appending to nothing makes a list.
    let anew = path.is_empty()
        && matches!(f.as_prim(), Some(crate::Prim::Assign | crate::Prim::Join))
        && y.is_some();
    let mut value = match q.take_global(name)? {
        Some(value) => value,
        None if anew => Value::list(vec![]),
        None => return Err(Error::new(name.text())),
    };
    let done = q.amending(|q| amend(q, &mut value, path, &change));
    q.set_global(name, value)?;
    done.map(|()| x)
}

impl Interp {
    /// Takes a global's value out of its variable, so that it can be changed in place; the caller puts it
    /// back whatever happens. `'noamend` within an amend by name.
    pub fn take_global(&mut self, name: Sym) -> Result<Option<Value>> {
        self.may_amend()?;
        let from = self.globals.current;
        Ok(match self.globals.slot(name, from) {
            Some(slot) => Some(std::mem::replace(slot, Value::null())),
            None => self.global(name),
        })
    }
}

/// `x . path` for data and functions: indexing at depth, or application to a list of arguments.
pub fn dot(q: &mut Interp, x: &Value, path: &Value) -> Result<Value> {
    let args = item::items(path);
    match x {
        Value::Fun(_) => q.apply(x, if args.is_empty() { vec![Value::null()] } else { args }),
        Value::Atom(a) if a.kind == Kind::Sym => {
            let value = q.resolve_name(x.as_sym().unwrap_or_default())?;
            dot(q, &value, path)
        }
        _ if path.is_atom() => index::index1(x, path),
        _ => index::index(q, x, &args),
    }
}
