//! ej: every pair of rows that are equal in some columns.

use crate::error::{Result, type_error};
use crate::eval::find;
use crate::eval::item::gather_col;
use crate::eval::join::join;
use crate::table::{names, select, unkey, without};
use crate::value::{Table, Value};
use std::sync::Arc;

/// `ej[c;x;y]`: for each row of `y`, in order, its columns after those of every row of `x` that is equal in the
/// columns `c`. A column in common is `y`'s.
pub fn equi(c: &Value, x: &Value, y: &Value) -> Result<Value> {
    let (Some(x), Some(y)) = (unkey(x), unkey(y)) else { return type_error() };
    let by = names(c)?;
    let (kx, ky) = (select(&x, &by)?, select(&y, &by)?);
    let ids = common_classes(&kx, &ky)?;
    let (left, right) = ids.split_at(x.rows());
    let classes = ids.iter().max().map_or(0, |&m| m as usize + 1);
    let mut members: Vec<Vec<i64>> = vec![vec![]; classes];
    left.iter().enumerate().for_each(|(i, &id)| members[id as usize].push(i as i64));
    let (mut at_x, mut at_y) = (vec![], vec![]);
    for (j, &id) in right.iter().enumerate() {
        at_x.extend_from_slice(&members[id as usize]);
        at_y.resize(at_x.len(), j as i64);
    }
    let mut out =
        Table { names: x.names.clone(), cols: x.cols.iter().map(|c| gather_col(c, &at_x)).collect() };
    let rest = without(&y, &by);
    for (name, col) in rest.names.iter().zip(&rest.cols) {
        let col = gather_col(col, &at_y);
        match out.names.iter().position(|n| n == name) {
            Some(i) => out.cols[i] = col,
            None => {
                out.names.push(*name);
                out.cols.push(col);
            }
        }
    }
    Ok(Value::Table(Arc::new(out)))
}

/// Numbers the rows of `x` and then those of `y` so that equal rows have equal numbers. Columns pair by place
/// and must be of one type.
pub fn common_classes(x: &Table, y: &Table) -> Result<Vec<u32>> {
    if x.cols.is_empty() {
        return Ok(vec![0; x.rows() + y.rows()]);
    }
    let mut both = vec![];
    for (a, b) in x.cols.iter().zip(&y.cols) {
        let (a, b) = (find::plain(a), find::plain(b));
        if a.type_code() != b.type_code() {
            return type_error();
        }
        both.push(join(a, &b)?);
    }
    Ok(find::rows(&both).ids)
}
