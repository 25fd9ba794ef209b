//! update and delete.

use super::group::{Groups, scatter};
use super::phrase;
use super::rows::{Rows, distinct_names, spread};
use crate::error::{Error, Result, length_error, type_error};
use crate::eval::item::{self, gather, gather_col};
use crate::eval::join::join;
use crate::eval::{Interp, find};
use crate::kind::Kind;
use crate::sym::Sym;
use crate::table;
use crate::value::{Dict, Table, Value};
use std::sync::Arc;

/// `update a by b from t where c`: rows keep their order. All phrases see the table as it was.
pub fn update(q: &mut Interp, t: &Value, c: &Value, b: &Value, a: &[(Sym, Value)]) -> Result<Value> {
    let Some(flat) = table::unkey(t) else { return type_error() };
    distinct_names(&a.iter().map(|(n, _)| *n).collect::<Vec<_>>())?;
    let rows = Rows::filter(&flat, q, c)?;
    let groups = match b {
        Value::Dict(_) => {
            let trees: Vec<Value> = phrase(b)?.into_iter().map(|(_, t)| t).collect();
            Some(Groups::by(q, &rows, &trees)?)
        }
        Value::Atom(_) => None,
        Value::List(l) if l.is_empty() => None,
        _ => return type_error(),
    };
    let columns = match &groups {
        None => rows.columns(a.iter().map(|(_, t)| t)),
        Some(g) => g.columns(&rows, a.iter().map(|(_, t)| t)),
    };
    let mut out = flat.clone();
    for (name, tree) in a {
        let val = match &groups {
            Some(g) if g.len() > 0 => scatter(g, g.each(q, tree, &columns)?)?,
            _ => spread(q.eval_with(columns.clone(), tree)?, rows.len())?,
        };
        let col = match flat.col(*name) {
            // Without where and by a column is replaced, whatever its type was.
            _ if c.count() == 0 && groups.is_none() => val,
            None => {
                let nulls = gather_col(&val, &vec![-1; flat.rows()]);
                put(nulls, &rows, val)?
            }
            Some(old) => put(old.clone(), &rows, like(old, val)?)?,
        };
        match out.names.iter().position(|n| n == name) {
            Some(i) => out.cols[i] = col,
            None => {
                out.names.push(*name);
                out.cols.push(col);
            }
        }
    }
    table::rekey(t, out)
}

/// `col` with the items of `val` at the rows.
fn put(col: Value, rows: &Rows, val: Value) -> Result<Value> {
    let n = col.count();
    let mut from: Vec<i64> = (0..n as i64).collect();
    rows.positions().iter().enumerate().for_each(|(k, &row)| from[row as usize] = (n + k) as i64);
    let kind = col.type_code();
    let both = join(item::bare(col), &val)?;
    // A symbol outside an enumeration's domain would make the column general.
    if n > 0 && kind != both.type_code() {
        return Err(Error::new("cast"));
    }
    Ok(gather_col(&both, &from))
}

/// `val` as it can be stored in a column like `old`: of the same type, or an integer of another width.
fn like(old: &Value, val: Value) -> Result<Value> {
    let (Value::Vec(o), Value::Vec(v)) = (old, &val) else {
        return if matches!(old, Value::List(_)) || val.count() == 0 { Ok(val) } else { type_error() };
    };
    let whole = |k: Kind| matches!(k, Kind::Short | Kind::Int | Kind::Long);
    match (o.kind, v.kind) {
        (a, b) if a == b => Ok(val),
        (a, b) if whole(a) && whole(b) => table::narrow(v, a),
        // The join that follows looks a symbol up in the enumeration's domain.
        _ if o.domain.as_ref().is_some_and(|d| d.kind() == v.kind) => Ok(val),
        _ => type_error(),
    }
}

/// `delete from t where c`, or `delete names from t`.
pub fn delete(q: &mut Interp, t: &Value, c: &Value, names: &[Sym]) -> Result<Value> {
    let Some(flat) = table::unkey(t) else { return type_error() };
    if names.is_empty() {
        let rows = Rows::filter(&flat, q, c)?;
        let mut stays = vec![true; flat.rows()];
        rows.positions().iter().for_each(|&i| stays[i as usize] = false);
        let kept = find::keep(&Value::Table(Arc::new(flat)), |i| stays[i]);
        return match table::keyed(t) {
            Some((keys, _)) => table::key_by(keys.names.len(), kept),
            None => Ok(kept),
        };
    }
    if c.count() > 0 {
        return Err(Error::new("nyi").detail("delete takes rows or columns, not both"));
    }
    if let Some(name) = names.iter().find(|n| flat.col(**n).is_none()) {
        return Err(Error::new(name.text()));
    }
    if let Some((keys, _)) = table::keyed(t)
        && keys.names.iter().any(|n| names.contains(n))
    {
        return type_error();
    }
    let rest = flat.names.iter().zip(&flat.cols).filter(|(n, _)| !names.contains(n));
    let (names, cols): (Vec<Sym>, Vec<Value>) = rest.map(|(n, c)| (*n, c.clone())).unzip();
    if cols.is_empty() {
        return length_error();
    }
    table::rekey(t, Table { names, cols })
}

/// `delete names from d` of a dictionary: without those entries.
pub fn delete_entries(d: &Arc<Dict>, names: &[Sym]) -> Result<Value> {
    let at = find::find_each(&Value::syms(names.iter().copied()), &d.keys)?;
    let stays: Vec<i64> =
        (0..d.keys.count() as i64).filter(|&i| at[i as usize] == names.len() as i64).collect();
    Ok(gather(&Value::Dict(d.clone()), &stays))
}

/// `` delete names from `.ns``: no names delete all.
pub fn delete_globals(q: &mut Interp, space: Sym, names: &[Sym]) -> Result<()> {
    let all: Vec<Sym> = q.globals.vars(space).iter().map(|(n, _)| *n).collect();
    for name in all.into_iter().filter(|n| names.is_empty() || names.contains(n)) {
        q.globals.delete(name, space)?;
    }
    Ok(())
}
