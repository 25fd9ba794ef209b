//! Grouping: rows into groups by equal keys, sorted, and phrases evaluated a group at a time.

use super::rows::{Rows, spread};
use crate::error::Result;
use crate::eval::elem::empty;
use crate::eval::item::{self, gather, gather_col};
use crate::eval::sort::{grade_cols, with_attr};
use crate::eval::{Interp, find};
use crate::sym::Sym;
use crate::value::{Attr, Table, Value};

/// Rows in groups. The groups come in ascending order of their keys, nulls first; a group's rows come in the
/// order of the table. Enumerated symbols are ordered as symbols, which q's documentation leaves open. Keys are equal
/// exactly: NaNs are one key, and so are the two zeros; a group's
/// key is that of its first row.
pub struct Groups {
    /// The key columns, one item a group.
    pub keys: Vec<Value>,
    /// For each row its group.
    pub ids: Vec<u32>,
    /// The rows, group after group.
    pub order: Vec<i64>,
    /// Where each group begins in `order`, and the end.
    pub starts: Vec<usize>,
}

impl Groups {
    /// Groups `rows` by the values of trees, the first major.
    pub fn by(q: &mut Interp, rows: &Rows, trees: &[Value]) -> Result<Groups> {
        let columns = rows.columns(trees.iter());
        let mut cols = vec![];
        for tree in trees {
            cols.push(spread(q.eval_with(columns.clone(), tree)?, rows.len())?);
        }
        Ok(Groups::of(&cols, rows.len()))
    }

    /// Groups `n` rows by key columns; by none, all rows are one group, if there are any.
    pub fn of(cols: &[Value], n: usize) -> Groups {
        if cols.is_empty() {
            let order = (0..n as i64).collect();
            let starts = if n == 0 { vec![0] } else { vec![0, n] };
            return Groups { keys: vec![], ids: vec![0; n], order, starts };
        }
        let classes = find::rows(cols);
        let firsts: Vec<Value> = cols.iter().map(|c| gather_col(c, &classes.firsts)).collect();
        let sorted = grade_cols(&firsts, false);
        let mut rank = vec![0u32; sorted.len()];
        sorted.iter().enumerate().for_each(|(r, &class)| rank[class as usize] = r as u32);
        let ids: Vec<u32> = classes.ids.iter().map(|&c| rank[c as usize]).collect();
        // A counting sort: stable, and linear whatever the number of groups.
        let mut starts = vec![0usize; sorted.len() + 1];
        ids.iter().for_each(|&g| starts[g as usize + 1] += 1);
        (1..starts.len()).for_each(|g| starts[g] += starts[g - 1]);
        let mut next = starts.clone();
        let mut order = vec![0i64; n];
        for (i, &g) in ids.iter().enumerate() {
            order[next[g as usize]] = i as i64;
            next[g as usize] += 1;
        }
        let mut keys: Vec<Value> = firsts.iter().map(|c| gather_col(c, &sorted)).collect();
        if let [key] = &mut keys[..] {
            *key = with_attr(key.clone(), Attr::Sorted);
        }
        Groups { keys, ids, order, starts }
    }

    /// How many groups.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The last row of each group.
    pub fn lasts(&self) -> Vec<i64> {
        (0..self.len()).map(|g| self.order[self.starts[g + 1] - 1]).collect()
    }

    /// The key columns as a table.
    pub fn key_table(&self, names: Vec<Sym>) -> Table {
        Table { names, cols: self.keys.clone() }
    }

    /// Columns of `rows` with the rows of each group side by side, so that a group is a slice.
    pub fn columns<'t>(&self, rows: &Rows, trees: impl Iterator<Item = &'t Value>) -> Vec<(Sym, Value)> {
        let columns = rows.columns(trees);
        columns.into_iter().map(|(name, col)| (name, gather_col(&col, &self.order))).collect()
    }

    /// The value of `tree` for each group; `columns` are as [`Groups::columns`] gives them.
    pub fn each(&self, q: &mut Interp, tree: &Value, columns: &[(Sym, Value)]) -> Result<Vec<Value>> {
        let used = used(tree, columns);
        let part = |col: &Value, g: usize| item::slice(col, self.starts[g], self.starts[g + 1]);
        if let Some((_, col)) = used.iter().find(|(name, _)| tree.as_sym() == Some(*name)) {
            return Ok((0..self.len()).map(|g| part(col, g)).collect());
        }
        let mut out = Vec::with_capacity(self.len());
        for g in 0..self.len() {
            let columns: Vec<(Sym, Value)> = used.iter().map(|(name, col)| (*name, part(col, g))).collect();
            out.push(q.eval_with(columns, tree)?);
        }
        Ok(out)
    }

    /// The result column of `tree`: an atom a group makes a vector, anything else a list of lists. Without
    /// groups the type is that of the tree over no rows.
    pub fn column(&self, q: &mut Interp, tree: &Value, columns: &[(Sym, Value)]) -> Result<Value> {
        if self.len() > 0 {
            return Ok(tight(self.each(q, tree, columns)?));
        }
        Ok(match q.eval_with(columns.to_vec(), tree)? {
            Value::Atom(a) => empty(a.kind),
            _ => Value::list(vec![]),
        })
    }
}

/// Values in a list: a vector of atoms of one type, else general.
pub fn tight(items: Vec<Value>) -> Value {
    match items.first() {
        Some(Value::Atom(_) | Value::Dict(_)) => item::collect(items),
        _ => Value::list(items),
    }
}

fn used<'c>(tree: &Value, columns: &'c [(Sym, Value)]) -> Vec<&'c (Sym, Value)> {
    let mut names = vec![];
    super::rows::mentions(tree, &mut names);
    columns.iter().filter(|(name, _)| names.contains(name)).collect()
}

/// One value a row from one value a group: an atom for all rows of its group, a list item by item.
pub fn scatter(groups: &Groups, parts: Vec<Value>) -> Result<Value> {
    if parts.iter().all(Value::is_atom) {
        let ids: Vec<i64> = groups.ids.iter().map(|&g| g as i64).collect();
        return Ok(gather(&tight(parts), &ids));
    }
    let size = |g: usize| groups.starts[g + 1] - groups.starts[g];
    let lists = parts.into_iter().enumerate().map(|(g, x)| spread(x, size(g))).collect::<Result<Vec<_>>>()?;
    let joined = crate::eval::join::raze(&Value::list(lists))?;
    let mut back = vec![0i64; groups.order.len()];
    groups.order.iter().enumerate().for_each(|(at, &row)| back[row as usize] = at as i64);
    Ok(gather_col(&joined, &back))
}
