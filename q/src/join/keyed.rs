//! Joins on the key of the right table: lj, ij, pj; and uj.

use super::{Keep, overlay};
use crate::error::{Error, Result, type_error};
use crate::eval::item::{gather, gather_col};
use crate::eval::join::join;
use crate::eval::map::map2;
use crate::eval::{elem, find};
use crate::fun::Prim;
use crate::table::{keyed, rekey, select, unkey};
use crate::value::{Table, Value};
use std::sync::Arc;

/// For each row of `x` the first row of `keys` with equal key columns, or the count of `keys`.
fn lookup(x: &Table, keys: &Table) -> Result<Vec<i64>> {
    let mine = Value::Table(Arc::new(select(x, &keys.names)?));
    Ok(find::find_each(&Value::Table(Arc::new(keys.clone())), &mine)?.to_vec())
}

/// `x lj y` and `x ljf y`: columns of the keyed table `y` for each row of `x`. Columns in common are replaced
/// where the key matches; `ljf` keeps `x`'s where `y`'s is null.
pub fn left(x: &Value, y: &Value, fill: bool) -> Result<Value> {
    if matches!(y, Value::List(l) if l.is_empty()) {
        return Ok(x.clone());
    }
    let (Some(mut flat), Some((keys, vals))) = (unkey(x), keyed(y)) else { return type_error() };
    let at = lookup(&flat, keys)?;
    overlay(&mut flat, vals, &at, Keep { missing: true, null: fill })?;
    rekey(x, flat)
}

/// `x ij y` and `x ijf y`: as lj, without the rows of `x` that have no match.
pub fn inner(x: &Value, y: &Value, fill: bool) -> Result<Value> {
    let (Some(flat), Some((keys, vals))) = (unkey(x), keyed(y)) else { return type_error() };
    let at = lookup(&flat, keys)?;
    let hits: Vec<i64> = (0..at.len() as i64).filter(|&i| at[i as usize] < keys.rows() as i64).collect();
    let mut flat = Table { cols: flat.cols.iter().map(|c| gather_col(c, &hits)).collect(), ..flat };
    let at: Vec<i64> = hits.iter().map(|&i| at[i as usize]).collect();
    overlay(&mut flat, vals, &at, Keep { missing: true, null: fill })?;
    rekey(x, flat)
}

/// `x pj y`: adds the columns of the keyed table `y`; what is missing or null counts as zero.
pub fn plus(x: &Value, y: &Value) -> Result<Value> {
    let (Some(mut flat), Some((keys, vals))) = (unkey(x), keyed(y)) else { return type_error() };
    let at = lookup(&flat, keys)?;
    for (name, col) in vals.names.iter().zip(&vals.cols) {
        let more = map2(Prim::Fill, &Value::int(0), &gather(col, &at))?;
        match flat.names.iter().position(|n| n == name) {
            Some(i) => flat.cols[i] = map2(Prim::Add, &flat.cols[i], &more)?,
            None => {
                flat.names.push(*name);
                flat.cols.push(more);
            }
        }
    }
    rekey(x, flat)
}

/// `x uj y` and `x ujf y`: all columns of both, null where a table lacks them. Tables append; keyed tables
/// upsert, `ujf` keeping what `y` has null.
pub fn union(x: &Value, y: &Value, fill: bool) -> Result<Value> {
    match (x, y, keyed(x), keyed(y)) {
        (Value::Table(a), Value::Table(b), ..) => Ok(Value::Table(Arc::new(append(a, b)?))),
        (_, _, Some((ka, _)), Some((kb, vb))) => {
            if ka.names != kb.names {
                return Err(Error::new("mismatch"));
            }
            let (Some(mut a), Some(b)) = (unkey(x), unkey(y)) else { return type_error() };
            // Only the last of equal keys in `y` counts.
            let mut at = vec![kb.rows() as i64; ka.rows()];
            let mine =
                find::find_each(&Value::Table(Arc::new(ka.clone())), &Value::Table(Arc::new(kb.clone())))?;
            let mut fresh = vec![];
            for (j, &i) in mine.iter().enumerate() {
                match at.get_mut(i as usize) {
                    Some(slot) => *slot = j as i64,
                    None => fresh.push(j as i64),
                }
            }
            overlay(&mut a, vb, &at, Keep { missing: true, null: fill })?;
            let fresh = last_of_equal(kb, &fresh);
            let rest = Table {
                names: b.names.clone(),
                cols: b.cols.iter().map(|c| gather_col(c, &fresh)).collect(),
            };
            rekey(x, append(&a, &rest)?)
        }
        _ => type_error(),
    }
}

/// The rows of `keys` at `at`, one for each key: where it first stands, with the last of its rows.
fn last_of_equal(keys: &Table, at: &[i64]) -> Vec<i64> {
    let cols: Vec<Value> = keys.cols.iter().map(|c| gather_col(c, at)).collect();
    let classes = find::rows(&cols);
    let mut last = vec![0; classes.firsts.len()];
    classes.ids.iter().zip(at).for_each(|(&id, &row)| last[id as usize] = row);
    last
}

/// The rows of `x`, then those of `y`, with all columns of both.
fn append(x: &Table, y: &Table) -> Result<Table> {
    let nulls = |col: &Value, n: usize| match col {
        Value::Vec(v) if v.is_empty() => Value::Vec(elem::filled(v.kind, crate::literal::null(v.kind), n)),
        _ => gather_col(col, &vec![-1; n]),
    };
    let mut out = Table { names: x.names.clone(), cols: vec![] };
    for (name, col) in x.names.iter().zip(&x.cols) {
        let more = y.col(*name).cloned().unwrap_or_else(|| nulls(col, y.rows()));
        out.cols.push(join(col.clone(), &more)?);
    }
    for (name, col) in y.names.iter().zip(&y.cols).filter(|(n, _)| x.col(**n).is_none()) {
        out.names.push(*name);
        out.cols.push(join(nulls(col, x.rows()), col)?);
    }
    Ok(out)
}
