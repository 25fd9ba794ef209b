//! Joins: what they share. A join finds for each row of one table its row in another, and lays columns over.

mod asof;
mod equi;
mod keyed;
mod window;

use crate::error::{Result, nyi};
use crate::eval::Interp;
use crate::eval::elem::is_null;
use crate::eval::item::{self, gather, gather_col};
use crate::eval::join::join;
use crate::fun::Prim;
use crate::value::{Table, Value};

/// The join `p` applied to its arguments.
pub fn call(q: &mut Interp, p: Prim, args: &[Value]) -> Result<Value> {
    use Prim::*;
    match (p, args) {
        (Lj | Ljf, [x, y]) => keyed::left(x, y, p == Ljf),
        (Ij | Ijf, [x, y]) => keyed::inner(x, y, p == Ijf),
        (Uj | Ujf, [x, y]) => keyed::union(x, y, p == Ujf),
        (Pj, [x, y]) => keyed::plus(x, y),
        (Ej, [c, x, y]) => equi::equi(c, x, y),
        (Aj | Aj0 | Ajf | Ajf0, [c, x, y]) => {
            asof::aj(c, x, y, matches!(p, Aj0 | Ajf0), matches!(p, Ajf | Ajf0))
        }
        (Asof, [t, d]) => asof::asof(t, d),
        (Wj | Wj1, [w, c, t, spec]) => window::wj(q, w, c, t, spec, p == Wj),
        _ => nyi(p.row().text),
    }
}

/// When a column that both tables have keeps the left table's item.
#[derive(Clone, Copy)]
struct Keep {
    /// For rows without a match; otherwise they become null.
    missing: bool,
    /// Where the right table's item is null; otherwise the null replaces.
    null: bool,
}

/// Lays the columns of `over` on `x`: row `i` gets row `at[i]`, which is outside `over` where there is no
/// match. New columns are null there.
fn overlay(x: &mut Table, over: &Table, at: &[i64], keep: Keep) -> Result<()> {
    for (name, col) in over.names.iter().zip(&over.cols) {
        match x.names.iter().position(|n| n == name) {
            Some(i) => x.cols[i] = choose(&x.cols[i], col, at, keep)?,
            None => {
                x.names.push(*name);
                x.cols.push(gather_col(col, at));
            }
        }
    }
    Ok(())
}

/// Item `i` is `y[at[i]]`, or `x[i]` where `keep` says so.
fn choose(x: &Value, y: &Value, at: &[i64], keep: Keep) -> Result<Value> {
    let (n, m) = (x.count() as i64, y.count() as i64);
    let from: Vec<i64> = at
        .iter()
        .enumerate()
        .map(|(i, &j)| match (0..m).contains(&j) {
            true if keep.null && null_at(y, j as usize) => i as i64,
            true => n + j,
            false if keep.missing => i as i64,
            false => -1,
        })
        .collect();
    if from.iter().enumerate().all(|(i, &f)| f == i as i64) {
        return Ok(x.clone());
    }
    let both = join(item::bare(x.clone()), y)?;
    // Vectors of two types meet in a general list; what is chosen may be of one type again.
    let mixed = matches!((x, y, &both), (Value::Vec(_), Value::Vec(_), Value::List(_)));
    Ok(if mixed { gather(&both, &from) } else { gather_col(&both, &from) })
}

fn null_at(x: &Value, i: usize) -> bool {
    match item::item(x, i) {
        Value::Atom(a) => is_null(a.kind, a.raw),
        _ => false,
    }
}
