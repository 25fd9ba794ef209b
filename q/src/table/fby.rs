//! fby: a function of each group's items, given back to the group's rows.

use crate::error::{Result, length_error, type_error};
use crate::eval::item::{self, gather, gather_col};
use crate::eval::{Interp, find};
use crate::value::Value;

/// `(f;x) fby g`: `f` of the items of `x` in each group of `g` (a list, or a table for several keys). An atom
/// goes to every row of its group, a list item by item.
pub fn fby(q: &mut Interp, x: &Value, g: &Value) -> Result<Value> {
    let Value::List(pair) = x else { return type_error() };
    let [f, x] = &pair[..] else { return length_error() };
    if x.is_atom() || g.is_atom() || x.count() != g.count() {
        return length_error();
    }
    let classes = find::classes(g);
    let members = find::members(&classes);
    if members.is_empty() {
        let empty = q.apply(f, vec![x.clone()])?;
        return Ok(item::slice(&if empty.is_atom() { item::enlist(empty) } else { empty }, 0, 0));
    }
    let mut parts = Vec::with_capacity(members.len());
    for at in &members {
        parts.push(q.apply(f, vec![gather_col(x, at)])?);
    }
    if parts.iter().all(Value::is_atom) {
        let ids: Vec<i64> = classes.ids.iter().map(|&id| id as i64).collect();
        return Ok(gather(&item::collect(parts), &ids));
    }
    let mut from = vec![0i64; g.count()];
    let mut next = 0;
    for (at, part) in members.iter().zip(&mut parts) {
        if part.is_atom() {
            *part = gather(&item::enlist(part.clone()), &vec![0; at.len()]);
        }
        if part.count() != at.len() {
            return length_error();
        }
        for &row in at {
            from[row as usize] = next;
            next += 1;
        }
    }
    Ok(gather_col(&crate::eval::join::raze(&Value::list(parts))?, &from))
}
