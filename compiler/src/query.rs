//! The normal form of a query: what `?[t;c;b;a]` and `![t;c;b;a]` say once their arguments are evaluated.

use crate::error::{Code, Error, Result};
use q::path::Path;
use q::value::{Func, Vector};
use q::{Kind, Prim, Sym, Value};
use rustc_hash::FxHashSet;

/// Which statement it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verb {
    /// `select`: a table, or a keyed table with `by`.
    Select,
    /// `exec`: a vector, atom or dictionary.
    Exec,
    /// `update`.
    Update,
    /// `delete` of rows or columns.
    Delete,
}

/// An expression: a parse tree, and where it stands in the functional query.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The tree.
    pub tree: Value,
    /// The indices that lead to it from `(?;t;c;b;a)`.
    pub path: Path,
}

/// The `by` phrase.
#[derive(Clone, Debug)]
pub enum By {
    /// None.
    None,
    /// `select distinct`.
    Distinct,
    /// Named key expressions.
    Keys(Vec<(Sym, Expr)>),
    /// `exec … by` one unnamed key.
    Key(Expr),
}

/// A query over one table. Expressions are parse trees.
#[derive(Clone, Debug)]
pub struct Query {
    /// Which statement.
    pub verb: Verb,
    /// The where clauses, applied in order.
    pub filters: Vec<Expr>,
    /// The by phrase.
    pub by: By,
    /// Named result expressions; empty: all columns (last row a group under `by`; for `delete`, rows). For
    /// `delete` of columns, their names.
    pub columns: Vec<(Sym, Expr)>,
    /// `exec` of one unnamed expression: the result is that vector or atom itself.
    pub single: bool,
}

impl Query {
    /// The query that `?` (`Prim::Query`) or `!` (`Prim::Bang`) makes of its evaluated arguments after the
    /// table: `c`, `b`, `a`.
    ///
    /// # Errors
    /// `Invalid` where the arguments are no query, `NotYet` for limits.
    pub fn from_args(head: Prim, args: &[Value]) -> Result<Query> {
        let places = [2, 3, 4].map(|i| Path(vec![i]));
        Query::parts(head, args, &places)
    }

    /// The query in a parse tree `(?;t;c;b;a)` or `(!;t;c;b;a)`, whose constants are enlisted once more than
    /// in the arguments.
    ///
    /// # Errors
    /// As `from_args`.
    pub fn from_tree(tree: &Value) -> Result<Query> {
        let at = Path::default();
        let invalid = || Error::new(Code::Invalid, &at, "not the tree of a query");
        let Value::List(items) = tree else { return Err(invalid()) };
        let head = items.first().and_then(Value::as_prim).ok_or_else(invalid)?;
        let mut places = [2, 3, 4].map(|i| Path(vec![i]));
        let mut args = vec![];
        for (i, item) in items.iter().enumerate().skip(2) {
            let (arg, quoted) = unquote(item);
            if quoted && i <= 4 {
                places[i - 2] = places[i - 2].child(0);
            }
            args.push(arg);
        }
        Query::parts(head, &args, &places)
    }

    fn parts(head: Prim, args: &[Value], [at_c, at_b, at_a]: &[Path; 3]) -> Result<Query> {
        let [c, b, a, limits @ ..] = args else {
            return Err(Error::new(Code::Invalid, &Path::default(), "a query has a table, c, b and a"));
        };
        if !limits.is_empty() {
            return Err(Error::not_yet(&Path(vec![5]), "limits and orders of a select"));
        }
        let filters = filters(c, at_c)?;
        match head {
            Prim::Query => select(filters, b, a, at_b, at_a),
            Prim::Bang => update(filters, b, a, at_b, at_a),
            _ => Err(Error::new(Code::Invalid, &Path(vec![0]), "a query is ? or ! of a table")),
        }
    }

    /// The names that stand on the left of `$` as constants, kinds and parts of times among them.
    pub fn targets(&self) -> Vec<Sym> {
        fn visit(tree: &Value, found: &mut Vec<Sym>) {
            let Value::List(items) = tree else { return };
            found.extend(crate::key::cast_target(items).and_then(|to| to.as_sym()));
            items.iter().for_each(|item| visit(item, found));
        }
        let mut found = vec![];
        self.trees().for_each(|e| visit(&e.tree, &mut found));
        found
    }

    /// All names that the query's expressions mention, columns among them, in order of appearance.
    pub fn names(&self) -> Vec<Sym> {
        let mut seen = Names::default();
        self.trees().for_each(|e| seen.visit(&e.tree));
        seen.order
    }

    /// The query with each expression's tree put through `f`, in the order where, by, columns.
    ///
    /// # Errors
    /// Those of `f`.
    pub fn map<E>(
        &self,
        mut f: impl FnMut(&Expr) -> std::result::Result<Value, E>,
    ) -> std::result::Result<Query, E> {
        let mut expr = |e: &Expr| Ok(Expr { tree: f(e)?, path: e.path.clone() });
        let filters = self.filters.iter().map(&mut expr).collect::<std::result::Result<_, E>>()?;
        let mut named = |list: &[(Sym, Expr)]| {
            list.iter().map(|(name, e)| Ok((*name, expr(e)?))).collect::<std::result::Result<Vec<_>, E>>()
        };
        let by = match &self.by {
            By::Keys(keys) => By::Keys(named(keys)?),
            By::Key(key) => By::Key(named(&[(Sym::default(), key.clone())])?.remove(0).1),
            other => other.clone(),
        };
        let columns = named(&self.columns)?;
        Ok(Query { verb: self.verb, filters, by, columns, single: self.single })
    }

    /// The expressions in order: where, by, columns.
    pub fn trees(&self) -> impl Iterator<Item = &Expr> {
        let keys: &[(Sym, Expr)] = if let By::Keys(keys) = &self.by { keys } else { &[] };
        let key = if let By::Key(key) = &self.by { Some(key) } else { None };
        self.filters
            .iter()
            .chain(key)
            .chain(keys.iter().map(|(_, e)| e))
            .chain(self.columns.iter().map(|(_, e)| e))
    }
}

/// What `eval` makes of an argument that is a constant: a one-item list or symbol vector stands for its item.
fn unquote(tree: &Value) -> (Value, bool) {
    match tree {
        Value::List(items) if items.len() == 1 => (items[0].clone(), true),
        Value::Vec(v) if v.kind == Kind::Sym && v.len() == 1 => (Value::Atom(v.get(0)), true),
        _ => (tree.clone(), false),
    }
}

/// The items of a list of trees: a vector's items are names or constants.
fn items(list: &Value) -> Option<Vec<Value>> {
    match list {
        Value::List(items) => Some(items.to_vec()),
        Value::Vec(v) => Some((0..v.len()).map(|i| Value::Atom(v.get(i))).collect()),
        _ => None,
    }
}

fn filters(c: &Value, at: &Path) -> Result<Vec<Expr>> {
    let clauses = items(c).filter(|clauses| !matches!(clauses.first(), Some(Value::Fun(_))));
    let Some(clauses) = clauses else {
        return Err(Error::new(Code::Invalid, at, "a where phrase is a list of clauses"));
    };
    Ok(clauses.into_iter().enumerate().map(|(i, tree)| Expr { tree, path: at.child(i) }).collect())
}

/// The names and trees of a dictionary phrase; none if `phrase` is no dictionary.
fn named(phrase: &Value, at: &Path) -> Result<Option<Vec<(Sym, Expr)>>> {
    let Value::Dict(dict) = phrase else { return Ok(None) };
    let invalid = || Error::new(Code::Invalid, at, "a phrase maps names to expressions");
    let names: Vec<Sym> = match &dict.keys {
        Value::Vec(Vector { kind: Kind::Sym, data: q::value::Data::S(names), .. }) => names.to_vec(),
        Value::List(none) if none.is_empty() => vec![],
        _ => return Err(invalid()),
    };
    let trees = items(&dict.vals).filter(|trees| trees.len() == names.len()).ok_or_else(invalid)?;
    let expr = |(i, tree)| Expr { tree, path: at.child(i) };
    Ok(Some(names.into_iter().zip(trees.into_iter().enumerate().map(expr)).collect()))
}

/// A result has each of its names once.
fn distinct(names: impl Iterator<Item = Sym>, at: &Path) -> Result<()> {
    let mut seen = FxHashSet::default();
    match { names }.find(|name| !seen.insert(*name)) {
        Some(name) => Err(Error::signal(&format!("dup names for cols/groups {name}"), at, "")),
        None => Ok(()),
    }
}

/// The keys of a by phrase that is a list of column names.
fn columns_of(b: &Value, at: &Path) -> Option<Vec<(Sym, Expr)>> {
    let Value::Vec(Vector { kind: Kind::Sym, .. }) = b else { return None };
    let names = items(b)?.into_iter().enumerate();
    names.map(|(i, name)| Some((name.as_sym()?, Expr { tree: name, path: at.child(i) }))).collect()
}

fn is_bool(x: &Value, wanted: bool) -> bool {
    matches!(x, Value::Atom(a) if a.kind == Kind::Bool && a.elem::<u8>() == Some(wanted as u8))
}

fn is_empty(x: &Value) -> bool {
    matches!(x, Value::List(_) | Value::Vec(_)) && x.count() == 0
}

fn select(filters: Vec<Expr>, b: &Value, a: &Value, at_b: &Path, at_a: &Path) -> Result<Query> {
    let by = match named(b, at_b)? {
        Some(keys) => By::Keys(keys),
        None if is_bool(b, false) || is_empty(b) => By::None,
        None if is_bool(b, true) => By::Distinct,
        None if let Some(keys) = columns_of(b, at_b) => By::Keys(keys),
        None => By::Key(Expr { tree: b.clone(), path: at_b.clone() }),
    };
    let columns = named(a, at_a)?;
    if let (By::Keys(_) | By::Distinct, Some(columns)) = (&by, &columns) {
        let keys: &[_] = if let By::Keys(keys) = &by { keys } else { &[] };
        distinct(keys.iter().chain(columns).map(|(name, _)| *name), at_a)?;
    }
    if matches!(by, By::Distinct) && columns.is_none() && !is_empty(a) {
        return Err(Error::signal("type", at_a, "distinct rows have names"));
    }
    let exec = is_empty(b) || matches!(by, By::Key(_));
    let single = columns.is_none() && !is_empty(a);
    let columns = match columns {
        Some(columns) => columns,
        None if single => vec![(Sym::NULL, Expr { tree: a.clone(), path: at_a.clone() })],
        None => vec![],
    };
    let verb = if exec || single { Verb::Exec } else { Verb::Select };
    Ok(Query { verb, filters, by, columns, single })
}

fn update(filters: Vec<Expr>, b: &Value, a: &Value, at_b: &Path, at_a: &Path) -> Result<Query> {
    let by = match named(b, at_b)? {
        Some(keys) => By::Keys(keys),
        None if is_bool(b, false) || is_empty(b) => By::None,
        None => {
            return Err(Error::new(Code::Invalid, at_b, "the by phrase of an update is 0b or a dictionary"));
        }
    };
    if let Some(columns) = named(a, at_a)? {
        return Ok(Query { verb: Verb::Update, filters, by, columns, single: false });
    }
    let names = match a {
        Value::Vec(v) if v.kind == Kind::Sym => items(a).unwrap_or_default(),
        _ if is_empty(a) => vec![],
        _ => return Err(Error::new(Code::Invalid, at_a, "a delete takes a list of column names")),
    };
    if !matches!(by, By::None) || (!names.is_empty() && !filters.is_empty()) {
        return Err(Error::new(Code::Invalid, at_a, "a delete takes rows or columns, not both"));
    }
    let name = |(i, tree): (usize, Value)| Some((tree.as_sym()?, Expr { tree, path: at_a.child(i) }));
    let columns = names.into_iter().enumerate().filter_map(name).collect();
    Ok(Query { verb: Verb::Delete, filters, by, columns, single: false })
}

/// Collects names; a function's own parameters and locals are not free.
#[derive(Default)]
struct Names {
    order: Vec<Sym>,
    seen: FxHashSet<Sym>,
    bound: Vec<Sym>,
}

impl Names {
    fn visit(&mut self, tree: &Value) {
        match tree {
            Value::Atom(_) => {
                if let Some(name) = tree.as_sym()
                    && !name.is_null()
                    && !self.bound.contains(&name)
                    && self.seen.insert(name)
                {
                    self.order.push(name);
                }
            }
            Value::List(items) if items.len() > 1 => items.iter().for_each(|item| self.visit(item)),
            Value::Fun(Func::Lambda(f)) => {
                let outer = std::mem::replace(&mut self.bound, [&f.params[..], &f.locals[..]].concat());
                f.body.iter().for_each(|statement| self.visit(statement));
                self.bound = outer;
            }
            _ => {}
        }
    }
}
