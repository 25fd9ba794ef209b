//! Functions of the items of general lists, which no plan holds: `max each lists`, `strings like "a*"`, `string syms`.
//! Each item's result is its own, whatever rows pass and however they group; so the host's q finds the results of
//! all rows, and the plan sees a column of them.

use crate::closed::{is_open, rolls};
use crate::column::{Column, Elements};
use crate::gpu::{Place, Table};
use crate::session::on_host;
use compiler::query::{Expr, Query, Verb};
use q::fun::Class;
use q::same::identical;
use q::seam::Scope;
use q::value::{Func, Iter};
use q::{Kind, Prim, Result, Sym, Value};

/// A query over a table with new columns.
pub struct Rewritten {
    /// The query, which names the new columns where the functions were.
    pub query: Query,
    /// The table with the new columns at its end.
    pub table: Table,
    /// q knows the types of all new columns without items.
    pub typed: bool,
}

/// The query over columns that hold what it computes item by item from general lists; none if it computes nothing so,
/// or where q signals for some row, which the query may never look at.
///
/// # Errors
/// Those of reading columns.
pub fn items(query: &Query, table: &Table, scope: &Scope) -> Result<Option<Rewritten>> {
    let lists = |place: &Place| matches!(place, Place::Device(c) if c.nested().is_some());
    // Most queries have nothing of the kind.
    if !table.cols.iter().any(lists) && !query.trees().any(|e| makes_text(&e.tree)) {
        return Ok(None);
    }
    // An exec without expressions answers with all columns, and makes no table that could lose the new ones.
    if query.verb == Verb::Exec && query.columns.is_empty() {
        return Ok(None);
    }
    let table = table.clone();
    let own = table.names.len();
    let nested = table.cols.iter().map(lists).collect();
    let mut found = Items { own, nested, table, scope, trees: vec![], typed: true };
    let query = query.map(|e: &Expr| found.expr(&e.tree))?;
    Ok((!found.trees.is_empty()).then_some(Rewritten { query, table: found.table, typed: found.typed }))
}

/// What was found so far.
struct Items<'a> {
    /// How many columns the table had.
    own: usize,
    /// Which columns are general lists.
    nested: Vec<bool>,
    table: Table,
    scope: &'a Scope<'a>,
    /// What the new columns are of.
    trees: Vec<Value>,
    typed: bool,
}

impl Items<'_> {
    /// The tree over the columns with the new ones.
    fn expr(&mut self, tree: &Value) -> Result<Value> {
        let Value::List(items) = tree else { return Ok(tree.clone()) };
        // The columns of a query inside are its own.
        if items.len() < 2 || (items.len() > 4 && items[0].as_prim() == Some(Prim::Query)) {
            return Ok(tree.clone());
        }
        let items = items.iter().map(|item| self.expr(item)).collect::<Result<Vec<_>>>()?;
        let column = if self.by_items(&items) { self.column(&Value::list(items.clone()))? } else { None };
        Ok(column.map_or_else(|| Value::list(items), |name| Value::sym(name.text())))
    }

    /// Does the call find each row's result from that row's items alone, of which one is a list?
    fn by_items(&self, items: &[Value]) -> bool {
        let [head, args @ ..] = items else { return false };
        let lists = args.iter().any(|x| self.is_nested(x));
        let rows = |x: &Value| x.as_sym().is_some_and(|name| self.table.col(name).is_some());
        match (head.as_prim(), args) {
            // Plans count lists themselves.
            (Some(Prim::EachKw | Prim::Peach), [f, _]) if f.as_prim() == Some(Prim::Count) => false,
            (Some(Prim::EachKw | Prim::Peach), [f, _]) => lists && self.is_closed(f),
            (Some(Prim::String), [x]) => rows(x),
            (Some(Prim::Lower | Prim::Upper | Prim::Trim | Prim::Ltrim | Prim::Rtrim), [_]) => lists,
            (Some(Prim::Like), [x, pattern]) => self.is_nested(x) && self.is_closed(pattern),
            (Some(Prim::Dollar), [to, x]) => self.is_nested(x) && (self.is_atom(to) || is_symbol(to)),
            (Some(Prim::In | Prim::Within), _) => false,
            (Some(p), _) if p.row().class == Class::Map => {
                lists && args.iter().all(|x| rows(x) || self.is_atom(x))
            }
            (None, _) => match head {
                Value::List(parts) => match (&parts[..], args) {
                    ([Value::Fun(Func::Iter(Iter::Each)), f], _) => {
                        lists && self.is_closed(f) && args.iter().all(rows)
                    }
                    ([Value::Fun(Func::Iter(Iter::Left)), f], [x, y]) => {
                        self.is_nested(x) && self.is_closed(f) && self.is_closed(y)
                    }
                    ([Value::Fun(Func::Iter(Iter::Right)), f], [x, y]) => {
                        self.is_nested(y) && self.is_closed(f) && self.is_closed(x)
                    }
                    _ => false,
                },
                // `lists[;n]`
                _ => match args {
                    [rows, n] => {
                        rows.as_prim() == Some(Prim::Elided) && self.is_nested(head) && self.is_closed(n)
                    }
                    _ => false,
                },
            },
            _ => false,
        }
    }

    fn is_nested(&self, tree: &Value) -> bool {
        let at = tree.as_sym().and_then(|name| self.table.names.iter().position(|n| *n == name));
        at.is_some_and(|i| self.nested[i])
    }

    fn is_closed(&self, tree: &Value) -> bool {
        !is_open(tree, &self.table.names) && !rolls(tree)
    }

    /// Is it an atom, or a variable that holds one?
    fn is_atom(&self, tree: &Value) -> bool {
        match tree.as_sym() {
            Some(name) => self.is_closed(tree) && matches!(self.scope.get(name), Some(Value::Atom(_))),
            None => matches!(tree, Value::Atom(_)),
        }
    }

    /// The new column of what the tree says; none where q signals, or not every item is like the others.
    fn column(&mut self, tree: &Value) -> Result<Option<Sym>> {
        if let Some(i) = self.trees.iter().position(|had| identical(had, tree)) {
            return Ok(Some(self.table.names[self.own + i]));
        }
        let rows = self.table.rows();
        let Ok(values) = self.values(tree, rows) else { return Ok(None) };
        // Some of these may be of one type, and no list of lists then.
        let mixed = matches!(&values, Value::List(l) if l.iter().any(|x| matches!(x, Value::Atom(_))));
        if values.count() != rows || mixed || !matches!(values, Value::Vec(_) | Value::List(_)) {
            return Ok(None);
        }
        self.typed &= match (&values, self.values(tree, 0)) {
            (Value::Vec(all), Ok(Value::Vec(none))) => all.kind == none.kind,
            (Value::List(_), Ok(Value::List(_))) => true,
            _ => false,
        };
        // No name in a query has a blank.
        let name = Sym::new(&format!("items {}", self.trees.len()));
        let nested = matches!(values, Value::List(_));
        self.trees.push(tree.clone());
        self.nested.push(nested);
        self.table.names.push(name);
        self.table.cols.push(Place::Device(match nested {
            true => Column::new(Kind::Long, Elements::Nested(values), None),
            false => Column::of(&values)?,
        }));
        Ok(Some(name))
    }

    /// What q finds for the first `rows` rows.
    fn values(&self, tree: &Value, rows: usize) -> Result<Value> {
        let mut named = vec![];
        names(tree, &self.table, &mut named);
        let table = self.table.pick(&named)?.host(0, rows)?;
        on_host(Prim::Query, table, &[Value::list(vec![]), Value::list(vec![]), tree.clone()], self.scope)
    }
}

/// Is it a constant symbol?
fn is_symbol(tree: &Value) -> bool {
    matches!(tree, Value::Vec(v) if v.kind == Kind::Sym && v.len() == 1)
}

/// Does the tree turn anything into text?
fn makes_text(tree: &Value) -> bool {
    match tree {
        Value::List(items) => items.iter().any(makes_text),
        _ => tree.as_prim() == Some(Prim::String),
    }
}

/// The columns that the tree names.
fn names(tree: &Value, table: &Table, found: &mut Vec<Sym>) {
    match tree {
        Value::Atom(_) => {
            found.extend(tree.as_sym().filter(|n| table.col(*n).is_some() && !found.contains(n)));
        }
        Value::List(items) if items.len() > 1 => items.iter().for_each(|x| names(x, table, found)),
        _ => {}
    }
}
