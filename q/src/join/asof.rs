//! As-of joins: for each row of one table the latest row of another with equal keys.

use super::equi::common_classes;
use super::{Keep, choose, overlay};
use crate::error::{Result, length_error, type_error};
use crate::eval::elem::order_raw;
use crate::eval::item::{self, gather_col};
use crate::table::{names, rekey, select, unkey, without};
use crate::value::{Raw, Table, Value, Vector};
use std::sync::Arc;

/// The rows of a table by key, each key's rows in the table's order, which must be that of their times.
pub struct Timeline {
    /// The rows of each key.
    members: Vec<Vec<i64>>,
    /// For each row of the other table its key in `members`.
    pub keys: Vec<u32>,
    /// The times of the rows.
    times: Vector,
}

impl Timeline {
    /// `y`'s rows by all columns but the last, and the keys of `x`'s rows. The columns pair by place; types
    /// must agree.
    pub fn new(x: &Table, y: &Table) -> Result<Timeline> {
        let (Some(tx), Some(Value::Vec(ty))) = (x.cols.last(), y.cols.last()) else { return type_error() };
        if tx.type_code() != ty.kind.code() {
            return type_error();
        }
        let n = y.rows();
        let head = |t: &Table| Table { names: vec![], cols: t.cols[..t.cols.len() - 1].to_vec() };
        let ids = match x.cols.len() {
            1 => vec![0; n + x.rows()],
            _ => common_classes(&head(y), &head(x))?,
        };
        let mut members = vec![vec![]; ids.iter().max().map_or(0, |&m| m as usize + 1)];
        ids[..n].iter().enumerate().for_each(|(i, &id)| members[id as usize].push(i as i64));
        Ok(Timeline { members, keys: ids[n..].to_vec(), times: ty.clone() })
    }

    /// The rows of a key.
    pub fn rows(&self, key: u32) -> &[i64] {
        &self.members[key as usize]
    }

    /// How many rows of a key are not after `time`.
    pub fn through(&self, key: u32, time: Raw) -> usize {
        self.rows(key).partition_point(|&i| order_raw(self.times.data.raw(i as usize), time).is_le())
    }

    /// How many rows of a key are before `time`.
    pub fn before(&self, key: u32, time: Raw) -> usize {
        self.rows(key).partition_point(|&i| order_raw(self.times.data.raw(i as usize), time).is_lt())
    }

    /// For each time the last row of its key that is not after it, or -1.
    fn latest(&self, times: &Vector) -> Vec<i64> {
        let last = |(i, &key): (usize, &u32)| match self.through(key, times.data.raw(i)) {
            0 => -1,
            n => self.rows(key)[n - 1],
        };
        self.keys.iter().enumerate().map(last).collect()
    }
}

/// `aj[c;x;y]`: the columns of `y`'s latest row for each row of `x`: equal in all columns `c` but the last, not
/// after in the last. `zero` shows `y`'s time where there is a row, and
/// `x`'s where there is none, which q's documentation leaves open; `fill` keeps `x`'s items where `y` has
/// none or null.
pub fn aj(c: &Value, x: &Value, y: &Value, zero: bool, fill: bool) -> Result<Value> {
    let (Some(mut flat), Some(y)) = (unkey(x), unkey(y)) else { return type_error() };
    let by = names(c)?;
    let Some(time) = by.last() else { return length_error() };
    let (kx, ky) = (select(&flat, &by)?, select(&y, &by)?);
    let line = Timeline::new(&kx, &ky)?;
    let Some(Value::Vec(times)) = kx.cols.last() else { return type_error() };
    let at = line.latest(times);
    overlay(&mut flat, &without(&y, &by), &at, Keep { missing: fill, null: fill })?;
    if zero && let Some(i) = flat.names.iter().position(|n| n == time) {
        let theirs = ky.cols.last().expect("there is a time column");
        flat.cols[i] = choose(&flat.cols[i], theirs, &at, Keep { missing: true, null: false })?;
    }
    rekey(x, flat)
}

/// `t asof d`: of the table `t` the latest row for each row of `d` (a dictionary for one), without `d`'s
/// columns.
pub fn asof(t: &Value, d: &Value) -> Result<Value> {
    let row = match d {
        Value::Dict(_) => item::enlist(d.clone()),
        _ => d.clone(),
    };
    let (Some(y), Value::Table(x)) = (unkey(t), &row) else { return type_error() };
    let line = Timeline::new(x, &select(&y, &x.names)?)?;
    let Some(Value::Vec(times)) = x.cols.last() else { return type_error() };
    let at = line.latest(times);
    let rest = without(&y, &x.names);
    if rest.cols.is_empty() {
        return length_error();
    }
    let out = Table { cols: rest.cols.iter().map(|c| gather_col(c, &at)).collect(), ..rest };
    let out = Value::Table(Arc::new(out));
    Ok(if matches!(d, Value::Dict(_)) { item::item(&out, 0) } else { out })
}
