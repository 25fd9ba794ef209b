//! Window joins: functions of the rows that fall in a time window around each row.

use super::asof::Timeline;
use crate::error::{Result, length_error, type_error};
use crate::eval::Interp;
use crate::eval::item::{self, gather_col};
use crate::sym::Sym;
use crate::table::{names, rekey, select, unkey};
use crate::value::{Value, Vector};

/// `wj[w;c;t;(y;(f;col)…)]`: for each row of `t`, `f` of the columns of `y`'s rows that are equal in all of `c`
/// but the last and in the window `w` by the last, ends included. `prevailing` adds the last row at or before
/// the window's begin. A result is named as its last column.
pub fn wj(q: &mut Interp, w: &Value, c: &Value, t: &Value, spec: &Value, prevailing: bool) -> Result<Value> {
    let Value::List(spec) = spec else { return type_error() };
    let Some((y, phrases)) = spec.split_first() else { return length_error() };
    let (Some(mut flat), Some(y)) = (unkey(t), unkey(y)) else { return type_error() };
    let by = names(c)?;
    let line = Timeline::new(&select(&flat, &by)?, &select(&y, &by)?)?;
    let (begin, end) = window(w, flat.rows(), select(&flat, &by)?.cols.last())?;
    let mut picks = Vec::with_capacity(flat.rows());
    for (i, &key) in line.keys.iter().enumerate() {
        let from = match prevailing {
            true => line.through(key, begin.data.raw(i)).saturating_sub(1),
            false => line.before(key, begin.data.raw(i)),
        };
        let to = line.through(key, end.data.raw(i));
        picks.push(&line.rows(key)[from.min(to)..to]);
    }
    for phrase in phrases {
        let Value::List(phrase) = phrase else { return type_error() };
        let Some((f, cols)) = phrase.split_first() else { return length_error() };
        let cols: Vec<Sym> = cols.iter().map(names).collect::<Result<Vec<_>>>()?.concat();
        let Some(&name) = cols.last() else { return length_error() };
        let cols = select(&y, &cols)?.cols;
        let mut out = Vec::with_capacity(picks.len());
        for at in &picks {
            let args: Vec<Value> = cols.iter().map(|c| gather_col(c, at)).collect();
            out.push(q.apply(f, args)?);
        }
        let col = match out.is_empty() {
            true => {
                let none = q.apply(f, cols.iter().map(|c| item::slice(c, 0, 0)).collect())?;
                item::slice(&item::enlist(none), 0, 0)
            }
            false => item::collect(out),
        };
        match flat.names.iter().position(|n| *n == name) {
            Some(i) => flat.cols[i] = col,
            None => {
                flat.names.push(name);
                flat.cols.push(col);
            }
        }
    }
    rekey(t, flat)
}

/// The begins and ends of `n` windows, which must be of the times' type.
fn window(w: &Value, n: usize, times: Option<&Value>) -> Result<(Vector, Vector)> {
    let Value::List(w) = w else { return type_error() };
    let ([Value::Vec(begin), Value::Vec(end)], Some(times)) = (&w[..], times) else { return type_error() };
    if begin.len() != n || end.len() != n {
        return length_error();
    }
    if begin.kind.code() != times.type_code() || end.kind != begin.kind {
        return type_error();
    }
    Ok((begin.clone(), end.clone()))
}
