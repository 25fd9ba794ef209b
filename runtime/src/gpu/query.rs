//! What `select[n;<c]` does to a result: the items to keep, and the order to keep them in.

use super::object::{Body, Table, fetch};
use super::slices;
use crate::column::Column;
use q::value::Data;
use q::{Error, Prim, Result, Value};

/// `n` and `<c` of `select[n;<c]`.
#[derive(Default)]
pub struct Limit {
    /// The items to keep, as `sublist` takes them; none for all.
    pub count: Option<Value>,
    /// Ascending or not, and the expression to order by.
    pub order: Option<(bool, Value)>,
}

impl Limit {
    /// The limit in the arguments after `c;b;a`.
    pub fn of(args: &[Value]) -> Result<Limit> {
        let count = |n: &Value| (n.as_long() != Some(i64::MAX)).then(|| n.clone());
        match args {
            [] => Ok(Limit::default()),
            [n] => Ok(Limit { count: count(n), order: None }),
            [n, o] => Ok(Limit { count: count(n), order: Some(order(o)?) }),
            _ => Err(Error::new("rank")),
        }
    }

    /// The rows of `table` that are kept, in order. `by` is the expression's value, an item a row.
    pub fn apply(&self, table: Table, by: Option<&Column>) -> Result<Table> {
        let ordered = match (&self.order, by) {
            (Some((ascending, _)), Some(by)) => slices::rows_at(&table, &grade(by, *ascending)?)?,
            _ => table,
        };
        match &self.count {
            None => Ok(ordered),
            Some(n) => slices::sublist_of(n, &Body::Table(ordered)).map(|body| match body {
                Body::Table(t) => t,
                _ => unreachable!("a part of a table is a table"),
            }),
        }
    }
}

/// `(<:;c)` or `(>:;c)`, perhaps enlisted.
fn order(o: &Value) -> Result<(bool, Value)> {
    let invalid = || Err(Error::new("GPU_INVALID_STATEMENT").detail("an order is <column or >column"));
    let Value::List(items) = o else { return invalid() };
    match items.as_slice() {
        [one] => order(one),
        [f, c] => match f.as_prim() {
            Some(Prim::GradeUp | Prim::Iasc) => Ok((true, c.clone())),
            Some(Prim::GradeDown | Prim::Idesc) => Ok((false, c.clone())),
            _ => invalid(),
        },
        _ => invalid(),
    }
}

/// The stable order of a column's items, nulls first when ascending. Equal items keep their order either way.
fn grade(c: &Column, ascending: bool) -> Result<Vec<i64>> {
    use q::scalar::Key;
    fn keys<T: Key>(items: &[T]) -> Vec<u64> {
        items.iter().map(|x| x.key()).collect()
    }
    let keys = match (&c.elements, fetch(c, 0, c.len())) {
        (crate::column::Elements::Plain(_), Value::Vec(v)) if c.domain.is_none() => match &v.data {
            Data::B(d) => keys(d),
            Data::H(d) => keys(d),
            Data::I(d) => keys(d),
            Data::J(d) => keys(d),
            Data::E(d) => keys(d),
            Data::F(d) => keys(d),
            Data::G(_) | Data::S(_) => return Err(Error::new("type")),
        },
        (_, Value::Vec(v)) => ranks(c, &v)?,
        _ => return Err(Error::new("type")),
    };
    let mut at: Vec<i64> = (0..keys.len() as i64).collect();
    match ascending {
        true => at.sort_by_key(|&i| keys[i as usize]),
        false => at.sort_by_key(|&i| std::cmp::Reverse(keys[i as usize])),
    }
    Ok(at)
}

/// The rank by text of each symbol; an enumeration's null is first.
fn ranks(c: &Column, v: &q::value::Vector) -> Result<Vec<u64>> {
    let domain = c.domain.as_ref().ok_or_else(|| Error::new("type"))?;
    let rank = |code: usize| domain.ranks.get(code).map_or(0, |&r| r as u64 + 1);
    Ok(match &v.data {
        Data::S(d) => d.iter().map(|s| domain.codes.get(s).map_or(0, |&c| rank(c as usize))).collect(),
        Data::J(d) => d.iter().map(|&i| usize::try_from(i).map_or(0, rank)).collect(),
        _ => return Err(Error::new("type")),
    })
}
