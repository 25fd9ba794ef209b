//! What `select[n;<c]` does to a result: the items to keep, and the order to keep them in.

use super::object::{Body, Table};
use super::slices;
use crate::column::Column;
use crate::session::Session;
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
        // As many as there are, from either end.
        let all = |n: &Value| matches!(n.as_long(), Some(i64::MAX | i64::MIN));
        let count = |n: &Value| (!all(n)).then(|| n.clone());
        match args {
            [] => Ok(Limit::default()),
            [n] => Ok(Limit { count: count(n), order: None }),
            [n, o] => Ok(Limit { count: count(n), order: Some(order(o)?) }),
            _ => Err(Error::new("rank")),
        }
    }

    /// The rows of `table` that are kept, in order. `by` is the expression's value, an item a row.
    pub fn apply(&self, session: &Session, table: Table, by: Option<&Column>) -> Result<Table> {
        let ordered = match (&self.order, by) {
            (Some((ascending, _)), Some(by)) => {
                slices::rows_at(session, &table, &session.order(&[(by, *ascending)], self.front())?)?
            }
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

impl Limit {
    /// How many rows from the first are enough to answer; none if the last count too.
    fn front(&self) -> Option<usize> {
        match self.count.as_ref()? {
            Value::Vec(v) if v.len() == 2 => {
                let (from, n) = (Value::Atom(v.get(0)).as_long()?, Value::Atom(v.get(1)).as_long()?);
                usize::try_from(from.checked_add(n)?).ok()
            }
            n => usize::try_from(n.as_long()?).ok(),
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
