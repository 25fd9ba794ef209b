//! Where clauses on columns in order: `sym=x` on a column that ascends names a range of rows, which two binary
//! searches find. The query then runs without that clause on that part of the table, which is not copied.

use crate::column::{Column, Elements, by_key};
use crate::gpu::{Place, Table};
use compiler::query::{Query, Verb};
use q::scalar::Key;
use q::seam::Scope;
use q::value::{Attr, Data, Raw};
use q::{Kind, Prim, Result, Store, Sym, Value};
use std::ops::Range;

/// The query without the first clauses that name ranges of rows, and those rows; none if its first clause does not.
/// Only columns that are said to be in order are asked.
pub fn narrow(query: &Query, table: &Table, scope: &Scope) -> Result<Option<(Query, Table)>> {
    // A query that numbers rows must see them all, and an update keeps them.
    if !matches!(query.verb, Verb::Select | Verb::Exec) || query.names().contains(&Sym::new("i")) {
        return Ok(None);
    }
    let mut rest: Option<Table> = None;
    let mut done = 0;
    for filter in &query.filters {
        let now = rest.as_ref().unwrap_or(table);
        let Some(rows) = range(&filter.tree, now, scope)? else { break };
        let cols = now.cols.iter().map(|c| part(c, rows.clone())).collect();
        rest = Some(Table { names: table.names.clone(), cols, keys: table.keys });
        done += 1;
    }
    let Some(rest) = rest else { return Ok(None) };
    let mut query = query.clone();
    query.filters.drain(..done);
    // What is left is in order still, but a result of chosen rows does not say so.
    let cols = rest.cols.into_iter().map(plain).collect();
    Ok(Some((query, Table { cols, ..rest })))
}

fn part(place: &Place, rows: Range<usize>) -> Place {
    let mut part = place.part(rows.start, rows.end);
    if let Place::Device(c) = &mut part
        && place.attr() == Attr::Parted
    {
        // For the clauses to come: a part of runs is made of runs.
        c.attr = Attr::Parted;
    }
    part
}

fn plain(place: Place) -> Place {
    match place {
        Place::Device(c) => Place::Device(Column { attr: Attr::None, ..c }),
        Place::Host(Value::Vec(v)) => Place::Host(Value::Vec(q::value::Vector { attr: Attr::None, ..v })),
        host => host,
    }
}

/// The rows where the clause holds, if it compares a column in order with values of its own type.
fn range(tree: &Value, table: &Table, scope: &Scope) -> Result<Option<Range<usize>>> {
    let Value::List(items) = tree else { return Ok(None) };
    let [verb, column, bound] = &items[..] else { return Ok(None) };
    let (Some(verb), Some(name)) = (verb.as_prim(), column.as_sym()) else { return Ok(None) };
    let Some(Place::Device(column)) = table.col(name) else { return Ok(None) };
    if !matches!(column.attr, Attr::Sorted | Attr::Parted) || !column.stats()?.sorted {
        return Ok(None);
    }
    let Some(keys) = constant(bound, table, scope).and_then(|bound| keys(column, &bound)) else {
        return Ok(None);
    };
    if column.kind == Kind::Sym && verb != Prim::Eq {
        return Ok(None);
    }
    let len = column.len();
    let to = |key| before(column, key, true);
    let from = |key| before(column, key, false);
    Ok(match (verb, &keys[..]) {
        // A symbol that the domain lacks is nowhere.
        (Prim::Eq, &[None]) => Some(0..0),
        (Prim::Eq, &[Some(x)]) => from(x)?.zip(to(x)?).map(|(from, to)| from..to),
        (Prim::Within, &[Some(low), Some(high)]) => {
            from(low)?.zip(to(high)?).map(|(from, to)| from..to.max(from))
        }
        (Prim::Lt, &[Some(x)]) => from(x)?.map(|to| 0..to),
        (Prim::Le, &[Some(x)]) => to(x)?.map(|to| 0..to),
        (Prim::Gt, &[Some(x)]) => to(x)?.map(|from| from..len),
        (Prim::Ge, &[Some(x)]) => from(x)?.map(|from| from..len),
        _ => None,
    })
}

/// The value of a clause's right side, if it is a constant or a variable.
fn constant(tree: &Value, table: &Table, scope: &Scope) -> Option<Value> {
    match tree {
        Value::Atom(_) => match tree.as_sym() {
            Some(name) if table.col(name).is_some() => None,
            Some(name) => scope.get(name),
            None => Some(tree.clone()),
        },
        // A constant symbol is enlisted.
        Value::Vec(v) if v.kind == Kind::Sym => match v.elems::<Sym>()?[..] {
            [one] => Some(Value::sym(one)),
            _ => None,
        },
        Value::Vec(_) => Some(tree.clone()),
        _ => None,
    }
}

/// The order keys of `bound`, an atom or two items of the column's own type (none for a symbol that its domain
/// lacks). Floats, which q compares with a tolerance, and symbols, of which only `=` follows the codes, are no
/// bounds else.
fn keys(column: &Column, bound: &Value) -> Option<Vec<Option<u64>>> {
    match bound {
        Value::Atom(a) if a.kind != column.kind => None,
        Value::Atom(a) if a.kind == Kind::Sym => {
            let code = column.domain.as_ref()?.codes.get(&bound.as_sym()?);
            Some(vec![code.map(|&c| c as u64)])
        }
        Value::Atom(a) => Some(vec![Some(key(a.raw)?)]),
        Value::Vec(v) if v.kind == column.kind && v.len() == 2 => {
            (0..2).map(|i| key(v.data.raw(i)).map(Some)).collect()
        }
        _ => None,
    }
}

fn key(x: Raw) -> Option<u64> {
    match x {
        Raw::B(x) => Some(x.key()),
        Raw::H(x) => Some(x.key()),
        Raw::I(x) => Some(x.key()),
        Raw::J(x) => Some(x.key()),
        _ => None,
    }
}

/// How many items of an ascending column are less than `key`, or not greater if `equal`; none for elements that have
/// no such key.
fn before(column: &Column, key: u64, equal: bool) -> Result<Option<usize>> {
    fn count<T>(items: &[T], of: impl Fn(&T) -> u64, key: u64, equal: bool) -> Option<usize> {
        Some(items.partition_point(|x| if equal { of(x) <= key } else { of(x) < key }))
    }
    // Floats, which q compares with a tolerance, have no keys here, and an enumeration's codes no order.
    if column.kind == Kind::Enum || matches!(column.kind.store(), Store::E | Store::F) {
        return Ok(None);
    }
    Ok(by_key!(column.elements()?, (v, of) => count(v, of, key, equal), _ => None))
}
