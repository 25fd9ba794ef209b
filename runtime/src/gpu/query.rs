//! What `select[n;<c]` does to a result: the items to keep, and the order to keep them in.

use super::object::{Body, Table, fetch};
use super::slices;
use crate::column::{Column, Elements};
use q::scalar::Key;
use q::value::Data;
use q::{Error, Prim, Result, Value};
use rayon::prelude::*;

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
            (Some((ascending, _)), Some(by)) => {
                slices::rows_at(&table, &order_of(by, *ascending, self.front())?)?
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

/// The stable order of a column's items, nulls first when ascending; of the first `front` places only, where
/// that is given. Equal items keep their order either way.
pub fn order_of(c: &Column, ascending: bool, front: Option<usize>) -> Result<Vec<i64>> {
    fn of<T: Key>(items: &[T], ascending: bool, front: Option<usize>) -> Vec<i64> {
        // A descending key is an ascending one with its bits flipped.
        let flip = if ascending { 0 } else { u64::MAX };
        least(items.len(), front, |i| items[i].key() ^ flip)
    }
    match (c.elements()?, fetch(c, 0, c.len())?) {
        (Elements::Plain(_), Value::Vec(v)) if c.domain.is_none() => match &v.data {
            Data::B(d) => Ok(of(d, ascending, front)),
            Data::H(d) => Ok(of(d, ascending, front)),
            Data::I(d) => Ok(of(d, ascending, front)),
            Data::J(d) => Ok(of(d, ascending, front)),
            Data::E(d) => Ok(of(d, ascending, front)),
            Data::F(d) => Ok(of(d, ascending, front)),
            Data::G(_) | Data::S(_) => Err(Error::new("type")),
        },
        (_, Value::Vec(v)) => {
            let ranks = ranks(c, &v)?;
            let flip = if ascending { 0 } else { u64::MAX };
            Ok(least(ranks.len(), front, |i| ranks[i] ^ flip))
        }
        _ => Err(Error::new("type")),
    }
}

/// The positions of the least `front` keys (of all, if none), least first, the earlier first where keys are
/// equal. Each thread keeps its best few and looks at a key only if it beats the worst of them.
fn least(len: usize, front: Option<usize>, key: impl Fn(usize) -> u64 + Sync) -> Vec<i64> {
    let want = front.unwrap_or(len).min(len);
    if want == 0 {
        return vec![];
    }
    let chunks = len.div_ceil(CHUNK);
    let best = |chunk: usize| {
        let range = chunk * CHUNK..((chunk + 1) * CHUNK).min(len);
        let mut kept: Vec<(u64, usize)> = vec![];
        let mut bar = u64::MAX;
        for i in range {
            let k = key(i);
            if k > bar {
                continue;
            }
            kept.push((k, i));
            if kept.len() >= 2 * want.max(512) {
                kept.select_nth_unstable(want - 1);
                kept.truncate(want);
                bar = kept[want - 1].0;
            }
        }
        kept
    };
    let mut all: Vec<(u64, usize)> = (0..chunks).into_par_iter().flat_map_iter(best).collect();
    if all.len() > want {
        all.select_nth_unstable(want - 1);
        all.truncate(want);
    }
    all.par_sort_unstable();
    all.into_iter().map(|(_, i)| i as i64).collect()
}

/// Rows that a thread looks at in one go.
const CHUNK: usize = 1 << 18;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_few_are_the_order_s_beginning() {
        // Many ties, and more rows than a chunk has.
        let keys: Vec<u64> = (0..CHUNK as u64 * 2 + 5).map(|i| i.wrapping_mul(0x9e37_79b9) % 1000).collect();
        let mut whole: Vec<i64> = (0..keys.len() as i64).collect();
        whole.sort_by_key(|&i| keys[i as usize]);
        assert_eq!(least(keys.len(), None, |i| keys[i]), whole);
        for n in [0, 1, 7, 600, 5000] {
            assert_eq!(least(keys.len(), Some(n), |i| keys[i]), whole[..n], "{n}");
        }
        assert_eq!(least(3, Some(9), |i| keys[i]).len(), 3);
    }
}
