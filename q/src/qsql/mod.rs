//! qSQL as functions: `?[t;c;b;a]` (select, exec), `![t;c;b;a]` (update, delete) and `?[t;i;p]`.
//!
//! The phases are q's: from, where, by, select, limit. `rows` narrows, `group` groups, `select` and
//! `update` make the results.

mod group;
mod rows;
mod select;
mod update;

use crate::error::{Error, Result, rank_error, type_error};
use crate::eval::Interp;
use crate::fun::Prim;
use crate::kind::Kind;
use crate::seam::Scope;
use crate::sym::Sym;
use crate::table;
use crate::value::{Dict, Func, Table, Value};
use std::sync::Arc;

/// `?[t;c;b;a]` with up to two more arguments: how many rows, and by what to sort them. `t` is a table, a
/// keyed table, the name of one, or a virtual object, which answers for itself.
pub fn query(q: &mut Interp, args: Vec<Value>) -> Result<Value> {
    let (t, rest) = match &args[..] {
        [t, rest @ ..] if (3..=5).contains(&rest.len()) => (table::deref(q, t)?.1, rest),
        _ => return rank_error(),
    };
    if let Value::Fun(Func::Virtual(x)) = &t {
        let locals = q.locals();
        return x.query(Prim::Query, rest, &Scope { locals: &locals, interp: q });
    }
    select::query(q, &t, rest)
}

/// `?[t;i;p]`: the tree `p` over the rows `i` of the table `t`.
pub fn pick(q: &mut Interp, t: &Value, i: &Value, p: &Value) -> Result<Value> {
    let Some(t) = table::unkey(t) else { return type_error() };
    let Some(at) = crate::eval::item::positions(i) else { return type_error() };
    let n = t.rows() as i64;
    if at.iter().any(|&i| i < 0 || i >= n) {
        return Err(Error::new("index"));
    }
    rows::Rows::some(&t, at).eval(q, p)
}

/// `![t;c;b;a]`: update where `a` is a dictionary, delete where it names columns or nothing. Of a name, the
/// variable is changed and the name returned.
pub fn change(q: &mut Interp, args: Vec<Value>) -> Result<Value> {
    let [t, c, b, a] = &args[..] else { return rank_error() };
    let names = match a {
        Value::Dict(_) => None,
        _ => Some(sym_list(a).ok_or_else(|| Error::new("type"))?),
    };
    if let (Some(space), Some(names)) = (t.as_sym().and_then(namespace), &names) {
        return update::delete_globals(q, space, names).map(|()| t.clone());
    }
    if t.as_sym().is_some_and(|name| name.text().starts_with(':')) {
        return Err(Error::new("splay"));
    }
    table::amend(q, t, |q, value| match (value, &names) {
        (Value::Fun(Func::Virtual(x)), _) => {
            let locals = q.locals();
            x.query(Prim::Bang, &args[1..], &Scope { locals: &locals, interp: q })
        }
        (Value::Dict(d), Some(names)) if table::keyed(value).is_none() => update::delete_entries(d, names),
        (_, Some(names)) => update::delete(q, value, c, names),
        (_, None) => update::update(q, value, c, b, &phrase(a)?),
    })
}

/// The namespace that a name like `.` or `.ns` stands for, without its dot.
fn namespace(name: Sym) -> Option<Sym> {
    let rest = name.text().strip_prefix('.')?;
    (!rest.contains('.')).then(|| Sym::new(rest))
}

/// The symbols of a symbol atom, a symbol vector or an empty list.
fn sym_list(v: &Value) -> Option<Vec<Sym>> {
    match v {
        Value::Vec(v) if v.kind == Kind::Sym => v.elems::<Sym>().map(|s| s.to_vec()),
        Value::List(l) if l.is_empty() => Some(vec![]),
        _ => v.as_sym().map(|s| vec![s]),
    }
}

/// The names and trees of a by or select phrase.
fn phrase(d: &Value) -> Result<Vec<(Sym, Value)>> {
    let Value::Dict(d) = d else { return type_error() };
    let Dict { keys, vals, .. } = &**d;
    match sym_list(keys) {
        Some(names) => {
            let trees = crate::eval::item::items(vals);
            trees.iter().try_for_each(rows::check)?;
            Ok(names.into_iter().zip(trees).collect())
        }
        None if keys.count() == 0 => Ok(vec![]),
        None => type_error(),
    }
}

/// A keyed table.
fn keyed(keys: Table, vals: Table) -> Value {
    Value::dict(Value::Table(Arc::new(keys)), Value::Table(Arc::new(vals)))
}
