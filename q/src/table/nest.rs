//! Nesting rows into lists and back: xgroup and ungroup.

use super::{names, select, unkey, without};
use crate::error::{Result, length_error, type_error};
use crate::eval::item::{self, gather_col};
use crate::eval::join::raze;
use crate::eval::{Interp, find};
use crate::value::{Table, Value};
use std::sync::Arc;

/// `names xgroup t`: a row for each key, in the order of first occurrence (q's documentation shows only keys
/// that were in order); the other columns as lists.
pub fn xgroup(q: &mut Interp, x: &Value, t: &Value) -> Result<Value> {
    let t = super::deref(q, t)?.1;
    let Some(flat) = unkey(&t) else { return type_error() };
    let by = names(x)?;
    let keys = select(&flat, &by)?;
    let rest = without(&flat, &by);
    if keys.names.is_empty() || rest.names.is_empty() {
        return length_error();
    }
    let classes = find::rows(&keys.cols);
    let members = find::members(&classes);
    let nested = |c: &Value| Value::list(members.iter().map(|at| gather_col(c, at)).collect());
    let first = |c: &Value| gather_col(c, &classes.firsts);
    let keys = Table { names: keys.names, cols: keys.cols.iter().map(first).collect() };
    let vals = Table { names: rest.names, cols: rest.cols.iter().map(nested).collect() };
    Ok(Value::dict(Value::Table(Arc::new(keys)), Value::Table(Arc::new(vals))))
}

/// `ungroup t`: a row for each item of the nested columns, atoms repeated. All lists of a row have one count.
pub fn ungroup(q: &mut Interp, t: &Value) -> Result<Value> {
    let t = super::deref(q, t)?.1;
    let Some(mut flat) = unkey(&t) else { return type_error() };
    let nested = |c: &Value| matches!(c, Value::List(items) if items.iter().any(|x| !x.is_atom()));
    if !flat.cols.iter().any(nested) {
        return Ok(Value::Table(Arc::new(flat)));
    }
    let mut counts: Vec<Option<usize>> = vec![None; flat.rows()];
    for col in flat.cols.iter().filter(|c| nested(c)) {
        for (count, item) in counts.iter_mut().zip(item::items(col)) {
            match (item.is_atom(), *count) {
                (true, _) => {}
                (false, None) => *count = Some(item.count()),
                (false, Some(n)) if n != item.count() => return length_error(),
                _ => {}
            }
        }
    }
    let mut rows = vec![];
    for (i, count) in counts.iter().enumerate() {
        rows.extend(std::iter::repeat_n(i as i64, count.unwrap_or(1)));
    }
    for col in &mut flat.cols {
        *col = match nested(col) {
            false => gather_col(col, &rows),
            true => {
                let spread = |(x, n): (Value, &Option<usize>)| match x.is_atom() {
                    true => item::gather(&item::enlist(x), &vec![0; n.unwrap_or(1)]),
                    false => x,
                };
                raze(&Value::list(item::items(col).into_iter().zip(&counts).map(spread).collect()))?
            }
        };
    }
    Ok(Value::Table(Arc::new(flat)))
}
