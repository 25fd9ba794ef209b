//! The normal form of a query: what `?[t;c;b;a]` and `![t;c;b;a]` say once their arguments are evaluated.

use q::{Sym, Value};

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

/// The `by` phrase.
#[derive(Clone, Debug)]
pub enum By {
    /// None.
    None,
    /// `select distinct`.
    Distinct,
    /// Named key expressions.
    Keys(Vec<(Sym, Value)>),
}

/// A query over one table. Expressions are parse trees.
#[derive(Clone, Debug)]
pub struct Query {
    /// Which statement.
    pub verb: Verb,
    /// The where clauses, applied in order.
    pub filters: Vec<Value>,
    /// The by phrase.
    pub by: By,
    /// Named result expressions; empty: all columns (last row a group under `by`).
    pub columns: Vec<(Sym, Value)>,
    /// `exec` of one unnamed expression: the result is that vector or atom itself.
    pub single: bool,
}
