//! What a query computes from no column: the host's q evaluates it once, before the rows are read, and the plan
//! sees a variable. Functions that variables name come into the query, and a dictionary that is applied to a
//! column becomes a search among its keys.

use crate::gpu::{Table, moves};
use crate::session::host;
use compiler::query::Query;
use q::parse::quote;
use q::seam::Scope;
use q::value::Func;
use q::{Prim, Result, Sym, Value};

/// The query without such parts, and the values of the variables that stand for them.
///
/// # Errors
/// What the host signals when it evaluates one of them.
pub fn close(query: &Query, table: &Table, scope: &Scope) -> Result<(Query, Vec<(Sym, Value)>)> {
    let mut closing = Closing { table, scope, found: vec![] };
    let closed = query.map(|e| closing.tree(&e.tree))?;
    Ok((closed, closing.found))
}

struct Closing<'a> {
    table: &'a Table,
    scope: &'a Scope<'a>,
    found: Vec<(Sym, Value)>,
}

impl Closing<'_> {
    /// The tree with its closed parts evaluated.
    fn tree(&mut self, tree: &Value) -> Result<Value> {
        match tree {
            Value::Atom(_) => Ok(self.function(tree).unwrap_or_else(|| tree.clone())),
            Value::List(items) if items.len() > 1 => {
                if !is_open(tree, &self.table.names)
                    && let Some(value) = self.value(tree)?
                {
                    return Ok(self.variable(value));
                }
                if let [head, x] = &items[..]
                    && let Some(found) = self.lookup(head, x)?
                {
                    return Ok(found);
                }
                Ok(Value::list(items.iter().map(|item| self.tree(item)).collect::<Result<_>>()?))
            }
            _ => Ok(tree.clone()),
        }
    }

    /// The value of a closed tree, if it is data that a plan can hold. A roll is another one for each group.
    fn value(&self, tree: &Value) -> Result<Option<Value>> {
        if rolls(tree) {
            return Ok(None);
        }
        let value = moves::from(&host(self.scope)?.eval(tree, None)?)?;
        let data = match &value {
            Value::Atom(_) | Value::Vec(_) => true,
            Value::List(items) => items.is_empty(),
            _ => false,
        };
        Ok(data.then_some(value))
    }

    /// A new variable that holds `value`.
    fn variable(&mut self, value: Value) -> Value {
        let name = Sym::new(&format!(".closed.{}", self.found.len()));
        self.found.push((name, value));
        Value::sym(name.text())
    }

    /// The function that the name stands for, as a tree.
    fn function(&self, name: &Value) -> Option<Value> {
        let name = name.as_sym().filter(|n| !n.is_null() && !is_column(*n, &self.table.names))?;
        if Prim::from_keyword(name.text()).is_some() {
            return None;
        }
        let Value::Fun(f) = self.scope.get(name)? else { return None };
        match &f {
            Func::Proj(p) => {
                let arg = |x: &Option<Value>| x.clone().map_or(Value::prim(Prim::Elided), quote);
                let parts = std::iter::once(p.fun.clone()).chain(p.args.iter().map(arg));
                Some(Value::list(parts.collect()))
            }
            Func::Prim(_) | Func::Lambda(_) | Func::Comp(_) | Func::Derived(..) => Some(Value::Fun(f)),
            Func::Iter(_) | Func::Native(_) | Func::Virtual(_) => None,
        }
    }

    /// A dictionary applied to `x`: its values at the places of `x` among its keys. A step dictionary has the
    /// value of the last key that is not greater.
    fn lookup(&mut self, head: &Value, x: &Value) -> Result<Option<Value>> {
        let dict = match head {
            Value::Atom(_) => {
                head.as_sym().filter(|n| !is_column(*n, &self.table.names)).and_then(|n| self.scope.get(n))
            }
            _ => None,
        };
        let Some(Value::Dict(dict)) = dict else { return Ok(None) };
        let (Value::Vec(_), Value::Vec(_)) = (&dict.keys, &dict.vals) else { return Ok(None) };
        let x = self.tree(x)?;
        let (keys, vals) = (self.variable(dict.keys.clone()), self.variable(dict.vals.clone()));
        let search = if dict.step { Prim::Bin } else { Prim::Query };
        Ok(Some(Value::list(vec![vals, Value::list(vec![Value::prim(search), keys, x])])))
    }
}

/// Is it one of the columns `names`, or the virtual `i`, or part of one?
fn is_column(name: Sym, names: &[Sym]) -> bool {
    let column = name.text().split('.').next().unwrap_or_default();
    name.text() == "i" || names.iter().any(|n| *n == name || n.text() == column)
}

/// Does the tree depend on the rows of a table with the columns `names`?
pub fn is_open(tree: &Value, names: &[Sym]) -> bool {
    match tree {
        Value::Atom(_) => tree.as_sym().is_some_and(|name| is_column(name, names)),
        // A query's own columns come first in its phrases.
        Value::List(items) if items.len() > 4 && items[0].as_prim() == Some(Prim::Query) => {
            is_open(&items[1], names)
        }
        Value::List(items) if items.len() > 1 => items.iter().any(|item| is_open(item, names)),
        _ => false,
    }
}

/// Does the tree ask for random items?
pub fn rolls(tree: &Value) -> bool {
    match tree {
        Value::Fun(Func::Prim(Prim::Rand)) => true,
        Value::List(items) if items.len() == 3 && items[0].as_prim() == Some(Prim::Query) => true,
        Value::List(items) if items.len() > 1 => items.iter().any(rolls),
        _ => false,
    }
}
