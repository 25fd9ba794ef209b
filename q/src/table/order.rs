//! Sorting tables by columns: xasc and xdesc.

use super::{amend, names, rekey, select, unkey};
use crate::error::{Error, Result, type_error};
use crate::eval::Interp;
use crate::eval::item::gather_col;
use crate::eval::sort::{grade_cols, with_attr};
use crate::value::{Attr, Value};

/// `names xasc t` and `names xdesc t`: rows in the order of the columns, the first major. Going up, that column
/// is then sorted. Of a name, in place.
pub fn sort(q: &mut Interp, x: &Value, t: &Value, down: bool) -> Result<Value> {
    let by = names(x)?;
    amend(q, t, |_, t| {
        let Some(mut flat) = unkey(t) else { return type_error() };
        if (1..flat.names.len()).any(|i| flat.names[..i].contains(&flat.names[i])) {
            return Err(Error::new("dup"));
        }
        let at = grade_cols(&select(&flat, &by)?.cols, down);
        if by.is_empty() {
            return Ok(t.clone());
        }
        flat.cols = flat.cols.iter().map(|c| gather_col(c, &at)).collect();
        if !down {
            let first = flat.names.iter().position(|n| *n == by[0]).expect("select found the column");
            flat.cols[first] = with_attr(flat.cols[first].clone(), Attr::Sorted);
        }
        rekey(t, flat)
    })
}
