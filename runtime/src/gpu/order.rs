//! Sorted objects: `asc`, `iasc`, `idesc`, `xasc`, `xdesc`; columns with the grouped attribute; `ungroup`.

use super::moves::{self, names};
use super::object::{Body, Object, Place};
use super::slices;
use crate::column::{Column, Elements};
use crate::session::Session;
use q::error::type_error;
use q::value::{Attr, Data};
use q::{Buf, Error, Interp, Kind, Prim, Result, Sym, Value};

/// The vector in an argument; none if it is no object of a vector.
fn vector(x: &Value) -> Option<(&Object, &Column)> {
    match Object::of(x) {
        Some(o @ Object { body: Body::Vector(c), .. }) => Some((o, c)),
        _ => None,
    }
}

/// The items in ascending (or descending) order, sorted as an attribute says if ascending.
pub fn sorted(q: &mut Interp, p: Prim, x: &Value) -> Result<Value> {
    let Some((o, c)) = vector(x) else { return q.apply(&Value::prim(p), vec![x.clone()]) };
    if p == Prim::Asc && c.attr == Attr::Sorted {
        return Ok(x.clone());
    }
    let order = grade(&o.session, &[c], p == Prim::Desc)?;
    let mut out = slices::gathered(&o.session, c, &order)?;
    if p == Prim::Asc {
        out.attr = Attr::Sorted;
    }
    Ok(Object::value(&o.session, Body::Vector(out)))
}

/// The places of the items in ascending or descending order, of a vector or of a table's rows.
pub fn graded(q: &mut Interp, p: Prim, x: &Value) -> Result<Value> {
    let down = p == Prim::Idesc;
    let (session, order) = match Object::of(x) {
        Some(o @ Object { body: Body::Vector(c), .. }) if c.attr == Attr::Sorted && !down => {
            let all: Buf<i64> = (0..c.len() as i64).collect();
            (&o.session, Column::new(Kind::Long, Elements::Plain(Data::J(all)), None))
        }
        Some(o @ Object { body: Body::Vector(c), .. }) => (&o.session, grade(&o.session, &[c], down)?),
        Some(o @ Object { body: Body::Table(t), .. }) => {
            let columns = t.cols.iter().map(Place::column).collect::<Result<Vec<_>>>()?;
            (&o.session, grade(&o.session, &columns.iter().collect::<Vec<_>>(), down)?)
        }
        _ => return q.apply(&Value::prim(p), vec![x.clone()]),
    };
    Ok(Object::value(session, Body::Vector(order)))
}

/// The table sorted by the columns `x`, the first major; going up that column is then sorted. `.gpu.xasc` refuses
/// plain symbols, `symbols` says so.
pub fn table(q: &mut Interp, p: Prim, args: &[Value], symbols: bool) -> Result<Value> {
    let Some(o @ Object { body: Body::Table(t), .. }) = Object::of(&args[1]) else {
        return match Object::of(&args[1]) {
            Some(_) => type_error(),
            None => q.apply(&Value::prim(p), args.to_vec()),
        };
    };
    let Some(by) = names(&args[0]) else { return type_error() };
    let find = |n: &Sym| t.names.iter().position(|had| had == n).ok_or_else(|| Error::new(n.text()));
    let at = by.iter().map(find).collect::<Result<Vec<_>>>()?;
    let Some(&first) = at.first() else { return Ok(args[1].clone()) };
    let columns = at.iter().map(|&i| t.cols[i].column()).collect::<Result<Vec<_>>>()?;
    if p == Prim::Xasc && columns.len() == 1 && columns[0].attr == Attr::Sorted {
        return Ok(args[1].clone());
    }
    if !symbols && columns.iter().any(|c| c.kind == Kind::Sym) {
        let what = "plain symbols; enumerate them first, or use q's own verb";
        return Err(Error::new("GPU_SYMBOL_SORTING_NOT_IMPLEMENTED").detail(what));
    }
    let order = grade(&o.session, &columns.iter().collect::<Vec<_>>(), p == Prim::Xdesc)?;
    let mut out = slices::rows_at(&o.session, t, &order)?;
    if p == Prim::Xasc
        && let Place::Device(c) = &mut out.cols[first]
    {
        c.attr = Attr::Sorted;
    }
    Ok(Object::value(&o.session, Body::Table(out)))
}

/// The rows in the order of columns, the first major, equal rows as they stand.
fn grade(session: &Session, columns: &[&Column], down: bool) -> Result<Column> {
    session.order(&columns.iter().map(|&c| (c, !down)).collect::<Vec<_>>(), None)
}

/// `x` with the grouped attribute.
pub fn group(x: &Value) -> Result<Value> {
    match vector(x) {
        Some((o, c)) => Ok(Object::value(&o.session, Body::Vector(grouped(c)))),
        None => type_error(),
    }
}

fn grouped(c: &Column) -> Column {
    Column { attr: Attr::Grouped, ..c.clone() }
}

/// The table with the grouped attribute on the columns `x`.
pub fn xgroup(x: &Value, y: &Value) -> Result<Value> {
    let (Some(o @ Object { body: Body::Table(t), .. }), Some(by)) = (Object::of(y), names(x)) else {
        return type_error();
    };
    if let Some(unknown) = by.iter().find(|n| !t.names.contains(n)) {
        return Err(Error::new(unknown.text()));
    }
    let mut all = t.names.iter();
    let out = t.map(|place| {
        let name = all.next().expect("a table has a name for each column");
        Ok(if by.contains(name) { Place::Device(grouped(&place.column()?)) } else { place.clone() })
    })?;
    Ok(Object::value(&o.session, Body::Table(out)))
}

/// The table with a row for each item of its lists.
pub fn ungroup(q: &mut Interp, x: &Value) -> Result<Value> {
    let host = moves::from(x)?;
    if let Some(Object { body: Body::Table(t), .. }) = Object::of(x)
        && !t.cols.iter().any(|c| c.column().is_ok_and(|c| matches!(c.elements(), Ok(Elements::Nested(_)))))
    {
        return Err(Error::new("rank").detail("no column holds lists"));
    }
    let out = q.apply(&Value::prim(Prim::Ungroup), vec![host])?;
    match Object::of(x) {
        Some(o) => moves::to(&o.session, &out),
        None => Ok(out),
    }
}
