//! select and exec.

use super::group::{Groups, tight};
use super::rows::{Rows, check, distinct_names, spread};
use super::{keyed, phrase, sym_list};
use crate::error::{Error, Result, type_error};
use crate::eval::item::{self, gather, gather_col};
use crate::eval::{Interp, find, sort, take};
use crate::kind::Kind;
use crate::sym::Sym;
use crate::table;
use crate::value::{Table, Value};
use std::sync::Arc;

/// How a query groups: the kinds that its third argument can be.
enum By {
    /// `0b`: a table; `1b`: of distinct rows.
    Flat { distinct: bool },
    /// `()`: exec.
    Exec,
    /// One tree without a name: exec makes a dictionary.
    One(Value),
    /// Named trees.
    Named(Vec<(Sym, Value)>),
}

fn by(b: &Value) -> Result<By> {
    match b {
        Value::Atom(a) if a.kind == Kind::Bool => Ok(By::Flat { distinct: b.as_long() == Some(1) }),
        Value::List(l) if l.is_empty() => Ok(By::Exec),
        Value::Dict(_) => Ok(By::Named(phrase(b)?)),
        Value::List(_) => Ok(By::One(b.clone())),
        _ => match sym_list(b) {
            Some(names) if b.is_atom() => Ok(By::One(Value::sym(names[0]))),
            Some(names) => Ok(By::Named(names.into_iter().map(|n| (n, Value::sym(n))).collect())),
            None => type_error(),
        },
    }
}

/// `?[t;c;b;a…]` on a table or keyed table.
pub fn query(q: &mut Interp, t: &Value, args: &[Value]) -> Result<Value> {
    let Some(flat) = table::unkey(t) else { return type_error() };
    let (c, b, a) = (&args[0], by(&args[1])?, &args[2]);
    let rows = Rows::filter(&flat, q, c)?;
    let none = matches!(a, Value::List(l) if l.is_empty());
    let out = match &b {
        By::Flat { distinct } => {
            let plain = match a {
                _ if none => whole(&rows),
                Value::Dict(_) => columns(q, &rows, &phrase(a)?)?,
                _ => return type_error(),
            };
            let plain = match distinct {
                true => find::distinct(&Value::Table(Arc::new(plain)))?,
                false => Value::Table(Arc::new(plain)),
            };
            match table::keyed(t) {
                Some((keys, _)) if none && !distinct => table::key_by(keys.names.len(), plain)?,
                _ => plain,
            }
        }
        By::Exec if none => last_row(&rows),
        By::Exec => match a {
            Value::Dict(_) => named(q, &rows, &phrase(a)?)?,
            _ => rows.eval(q, a)?,
        },
        By::One(tree) => {
            check(tree)?;
            let groups = Groups::by(q, &rows, std::slice::from_ref(tree))?;
            let name = tree.as_sym().unwrap_or(Sym::NULL);
            let keys = groups.keys[0].clone();
            // The key has no name of its own, so a result may have the same name.
            let vals = if none { lasts(&rows, &groups, &[name])? } else { grouped(q, &rows, &groups, a)? };
            Value::dict(keys, vals)
        }
        By::Named(by) => {
            let (names, trees): (Vec<Sym>, Vec<Value>) = by.iter().cloned().unzip();
            distinct_names(&names)?;
            let groups = Groups::by(q, &rows, &trees)?;
            if let Value::Dict(_) = a {
                let results = phrase(a)?.into_iter().map(|(n, _)| n);
                distinct_names(&names.iter().copied().chain(results).collect::<Vec<_>>())?;
            }
            let vals = if none { lasts(&rows, &groups, &names)? } else { grouped(q, &rows, &groups, a)? };
            match vals {
                Value::Table(vals) if names.is_empty() => Value::Table(vals),
                Value::Table(vals) => keyed(groups.key_table(names), (*vals).clone()),
                vals => Value::dict(Value::Table(Arc::new(groups.key_table(names))), vals),
            }
        }
    };
    let sorted = match args.get(4) {
        None => out,
        Some(order) => {
            // Rows that stand for source rows sort by any of the source's columns, all others by their own.
            let at = match &b {
                By::Flat { distinct: false } if out.count() == rows.len() => permutation(q, &rows, order)?,
                _ => match table::unkey(&out) {
                    Some(t) => permutation(q, &Rows::all(&t), order)?,
                    None => return type_error(),
                },
            };
            gather(&out, &at)
        }
    };
    match args.get(3) {
        None => Ok(sorted),
        Some(n) => limit(sorted, n),
    }
}

/// All columns of the rows.
fn whole(rows: &Rows) -> Table {
    Table { names: rows.table.names.clone(), cols: rows.table.cols.iter().map(|c| rows.col(c)).collect() }
}

/// A select phrase without by. Atoms extend to the length of the other columns; where all are atoms the
/// result has one row.
fn columns(q: &mut Interp, rows: &Rows, a: &[(Sym, Value)]) -> Result<Table> {
    let names: Vec<Sym> = a.iter().map(|(n, _)| *n).collect();
    distinct_names(&names)?;
    let vals = values(q, rows, a)?;
    let n = vals.iter().find(|v| !v.is_atom()).map_or(1, Value::count);
    let cols = vals.into_iter().map(|v| spread(v, n)).collect::<Result<Vec<_>>>()?;
    match cols.is_empty() {
        true => type_error(),
        false => Ok(Table { names, cols }),
    }
}

fn values(q: &mut Interp, rows: &Rows, a: &[(Sym, Value)]) -> Result<Vec<Value>> {
    let columns = rows.columns(a.iter().map(|(_, t)| t));
    a.iter().map(|(_, tree)| q.eval_with(columns.clone(), tree)).collect()
}

/// exec of several: a dictionary, whose values may differ in length.
fn named(q: &mut Interp, rows: &Rows, a: &[(Sym, Value)]) -> Result<Value> {
    let vals = values(q, rows, a)?;
    Ok(Value::dict(Value::syms(a.iter().map(|(n, _)| *n)), tight(vals)))
}

/// exec without a phrase: the last row, as a dictionary; of no rows, nulls.
fn last_row(rows: &Rows) -> Value {
    let t = Value::Table(Arc::new(whole(rows)));
    item::item(&gather(&t, &[rows.len() as i64 - 1]), 0)
}

/// A grouped query without a phrase: the last row of each group, without the columns named as keys.
fn lasts(rows: &Rows, groups: &Groups, keys: &[Sym]) -> Result<Value> {
    let at = groups.lasts();
    let rest = rows.table.names.iter().zip(&rows.table.cols).filter(|(n, _)| !keys.contains(n));
    let (names, cols): (Vec<Sym>, Vec<Value>) =
        rest.map(|(n, c)| (*n, gather_col(&rows.col(c), &at))).unzip();
    if cols.is_empty() { type_error() } else { Ok(Value::table(names, cols)) }
}

/// The values of a grouped query: a table for a dictionary of phrases, one list for a single phrase.
fn grouped(q: &mut Interp, rows: &Rows, groups: &Groups, a: &Value) -> Result<Value> {
    let Value::Dict(_) = a else {
        check(a)?;
        let columns = groups.columns(rows, std::iter::once(a));
        return groups.column(q, a, &columns);
    };
    let a = phrase(a)?;
    let out: Vec<Sym> = a.iter().map(|(n, _)| *n).collect();
    distinct_names(&out)?;
    let columns = groups.columns(rows, a.iter().map(|(_, t)| t));
    let mut cols = vec![];
    for (_, tree) in &a {
        cols.push(groups.column(q, tree, &columns)?);
    }
    Ok(Value::table(out, cols))
}

/// Takes rows: `n` is a count from the front, from the back if negative, or (first row; count).
fn limit(x: Value, n: &Value) -> Result<Value> {
    let count = x.count() as i64;
    let (from, to) = match n {
        Value::Vec(v) if v.len() == 2 => {
            let at = |i| Value::Atom(v.get(i)).as_long().ok_or_else(|| Error::new("type"));
            let from = at(0)?.clamp(0, count);
            (from, from.saturating_add(at(1)?.max(0)).min(count))
        }
        _ => match n.as_long() {
            None => return type_error(),
            Some(n) if n < 0 => (count.saturating_add(n).max(0), count),
            Some(n) => (0, n.min(count)),
        },
    };
    Ok(if from == 0 && to == count { x } else { take::range(&x, from as usize, to as usize) })
}

/// The order of rows by `(<:;tree)` up or `(>:;tree)` down.
fn permutation(q: &mut Interp, rows: &Rows, order: &Value) -> Result<Vec<i64>> {
    let Value::List(l) = order else { return type_error() };
    let [f, tree] = &l[..] else { return type_error() };
    let by = rows.eval(q, tree)?;
    match f.as_prim() {
        Some(crate::Prim::GradeUp | crate::Prim::Iasc) => sort::grade(&by, false),
        Some(crate::Prim::GradeDown | crate::Prim::Idesc) => sort::grade(&by, true),
        _ => type_error(),
    }
}
