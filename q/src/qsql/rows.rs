//! The rows that a query works on, and the evaluation of its trees over their columns.

use crate::buf::Buf;
use crate::error::{Error, Result, length_error, rank_error, type_error};
use crate::eval::Interp;
use crate::eval::item::{self, gather_col};
use crate::fun::Prim;
use crate::kind::{Kind, Store};
use crate::sym::Sym;
use crate::value::{Data, Table, Value, Vector};

/// Some rows of a table, in the table's order.
pub struct Rows<'a> {
    /// The table.
    pub table: &'a Table,
    /// The positions of the rows; none for all.
    pub at: Option<Buf<i64>>,
}

impl<'a> Rows<'a> {
    /// All rows.
    pub fn all(table: &'a Table) -> Rows<'a> {
        Rows { table, at: None }
    }

    /// The rows at `at`, which must exist.
    pub fn some(table: &'a Table, at: Buf<i64>) -> Rows<'a> {
        Rows { table, at: Some(at) }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.at.as_ref().map_or_else(|| self.table.rows(), |at| at.len())
    }

    /// The positions in the table.
    pub fn positions(&self) -> Buf<i64> {
        self.at.clone().unwrap_or_else(|| (0..self.table.rows() as i64).collect())
    }

    /// A column of these rows. It keeps its attribute only where all rows are taken, which q's documentation leaves
    /// open.
    pub fn col(&self, col: &Value) -> Value {
        match &self.at {
            None => col.clone(),
            Some(at) => gather_col(col, at),
        }
    }

    /// What `name` means in a phrase: a column, or the virtual column `i`.
    pub fn named(&self, name: Sym) -> Option<Value> {
        match self.table.col(name) {
            Some(col) => Some(self.col(col)),
            None if name.text() == "i" => Some(Value::vector(Kind::Long, self.positions())),
            None => None,
        }
    }

    /// The columns that any of `trees` names.
    pub fn columns<'t>(&self, trees: impl Iterator<Item = &'t Value>) -> Vec<(Sym, Value)> {
        let mut names = vec![];
        trees.for_each(|t| mentions(t, &mut names));
        names.into_iter().filter_map(|name| Some((name, self.named(name)?))).collect()
    }

    /// The value of `tree` over these rows.
    pub fn eval(&self, q: &mut Interp, tree: &Value) -> Result<Value> {
        check(tree)?;
        let columns = self.columns(std::iter::once(tree));
        q.eval_with(columns, tree)
    }

    /// The rows that pass the where phrase `c`: each clause sees only what the clauses before it left.
    pub fn filter(table: &'a Table, q: &mut Interp, c: &Value) -> Result<Rows<'a>> {
        let mut rows = Rows::all(table);
        for clause in item::items(c) {
            let kept = match rows.eval(q, &clause)? {
                Value::Atom(a) => match Value::Atom(a).as_long() {
                    Some(0) => vec![],
                    Some(_) => (0..rows.len() as i64).collect(),
                    None => return type_error(),
                },
                Value::Vec(v) if v.len() != rows.len() => return length_error(),
                Value::Vec(v) => passing(&v)?,
                Value::List(l) if l.is_empty() && rows.len() == 0 => vec![],
                _ => return type_error(),
            };
            let at = match &rows.at {
                None => kept.into(),
                Some(at) => kept.into_iter().map(|i| at[i as usize]).collect(),
            };
            rows.at = Some(at);
        }
        Ok(rows)
    }
}

/// The positions where a boolean or integer vector is not zero.
fn passing(v: &Vector) -> Result<Vec<i64>> {
    if v.kind.is_temporal() || matches!(v.kind, Kind::Char | Kind::Enum) || v.kind.store() == Store::S {
        return type_error();
    }
    fn of<T: PartialEq + Default>(v: &[T]) -> Vec<i64> {
        let zero = T::default();
        (0..v.len() as i64).filter(|&i| v[i as usize] != zero).collect()
    }
    match &v.data {
        Data::B(v) => Ok(of(v)),
        Data::H(v) => Ok(of(v)),
        Data::I(v) => Ok(of(v)),
        Data::J(v) => Ok(of(v)),
        _ => type_error(),
    }
}

/// Adds the names that a tree looks up: symbol atoms outside constants, of a dotted name its first part.
pub fn mentions(tree: &Value, out: &mut Vec<Sym>) {
    match tree {
        Value::List(items) if items.len() > 1 => items.iter().for_each(|t| mentions(t, out)),
        _ => {
            let Some(name) = tree.as_sym() else { return };
            let head = match name.text().split_once('.') {
                Some((head, _)) if !head.is_empty() => Sym::new(head),
                _ => name,
            };
            if !out.contains(&head) {
                out.push(head);
            }
        }
    }
}

/// A phrase holds no conditional `$[c;a;b]`, which would see a whole column as its test: `'rank`.
pub fn check(tree: &Value) -> Result<()> {
    match tree {
        Value::List(items) if items.len() > 3 && items[0].as_prim() == Some(Prim::Dollar) => rank_error(),
        Value::List(items) if items.len() > 1 => items.iter().try_for_each(check),
        _ => Ok(()),
    }
}

/// `x` as a list of `n` items: an atom repeated, a list as it is.
pub fn spread(x: Value, n: usize) -> Result<Value> {
    match x.is_atom() {
        true => Ok(item::gather(&item::enlist(x), &vec![0; n])),
        false if x.count() == n => Ok(x),
        false => length_error(),
    }
}

/// The names must differ.
pub fn distinct_names(names: &[Sym]) -> Result<()> {
    match names.iter().enumerate().find(|(i, n)| names[..*i].contains(n)) {
        None => Ok(()),
        Some((_, n)) => Err(Error::new(format!("dup names for cols/groups {n}"))),
    }
}
