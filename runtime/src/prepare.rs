//! From a query and a table to a launch: what the compiler may know, and what it takes to run the plan.

use crate::cache::Loaded;
use crate::closed;
use crate::column::{Column, Domain};
use crate::device::Arg;
use crate::error;
use crate::gpu::{Table, moves};
use compiler::query::Query;
use compiler::schema::{self, ColumnType, DomainId, Schema, Variable};
use compiler::{Code, key};
use q::path::Path;
use q::seam::Scope;
use q::{Error, Kind, Sym, Value, value};
use std::sync::Arc;

/// A plan with all that a run of it takes.
#[derive(Debug)]
pub struct Ready {
    /// The plan and the engine's form of it.
    pub loaded: Arc<Loaded>,
    /// It was in the cache.
    pub hit: bool,
    /// A column for each of the graph's inputs.
    pub inputs: Vec<Column>,
    /// An argument for each of the graph's parameters.
    pub args: Vec<Arg>,
    /// The domains by the schema's ids.
    pub domains: Vec<Arc<Domain>>,
    /// Rows of the table.
    pub rows: usize,
}

/// Why the compiled path did not answer.
pub enum Refused {
    /// A documented limit: another engine may answer.
    NotYet(Error),
    /// The query's or the machine's fault, which no engine mends.
    Final(Error),
}

impl From<Refused> for Error {
    fn from(e: Refused) -> Error {
        match e {
            Refused::NotYet(e) | Refused::Final(e) => e,
        }
    }
}

impl From<Error> for Refused {
    fn from(e: Error) -> Refused {
        Refused::Final(e)
    }
}

impl From<compiler::Error> for Refused {
    fn from(e: compiler::Error) -> Refused {
        match e.code {
            Code::NotYet => Refused::NotYet(error::signal(&e)),
            _ => Refused::Final(error::signal(&e)),
        }
    }
}

/// What the compiler may know of a query, and what it stands for.
pub struct Known {
    /// The query without what depends on no column.
    pub query: Query,
    /// The variables that it names, no columns, and their values.
    pub variables: Vec<(Sym, Value)>,
    /// The types of the columns and variables.
    pub schema: Schema,
    /// The domains by the schema's ids.
    pub domains: Vec<Arc<Domain>>,
}

/// What the compiler may know of the query over the table, whose columns are at hand.
pub fn known(
    query: &Query,
    table: &Table,
    columns: &[Column],
    scope: &Scope,
    compensated: bool,
) -> std::result::Result<Known, Refused> {
    let named = enumerations(query, scope);
    let (query, variables) = variables(query, table, scope)?;
    let (schema, domains) = schema(table, columns, &variables, &named);
    let schema = Schema { compensated, ..schema };
    Ok(Known { query, variables, schema, domains })
}

/// The query without what depends on no column, and the values of the variables that it names, no columns; names without a value are left
/// to the compiler, which knows what is wrong with them.
fn variables(
    query: &Query,
    table: &Table,
    scope: &Scope,
) -> std::result::Result<(Query, Vec<(Sym, Value)>), Refused> {
    let (query, mut found) = closed::close(query, table, scope)?;
    for name in query.names() {
        if table.names.contains(&name) || found.iter().any(|(had, _)| *had == name) {
            continue;
        }
        let Some(value) = scope.get(name) else { continue };
        match moves::from(&value)? {
            value @ (Value::Atom(_) | Value::Vec(_)) => found.push((name, value)),
            Value::List(l) if l.is_empty() => found.push((name, Value::longs([]))),
            _ => {
                let what = format!("the variable {name}, which is neither an atom nor a list of one type");
                return Err(compiler::Error::not_yet(&Path::default(), what).into());
            }
        }
    }
    Ok((query, found))
}

/// What a plan may know: the columns' types and the variables'. Columns that share a domain share its id.
///
/// `named` are the enumerations that the query's casts name.
pub fn schema(
    table: &Table,
    columns: &[Column],
    variables: &[(Sym, Value)],
    named: &[(Sym, Arc<value::Domain>)],
) -> (Schema, Vec<Arc<Domain>>) {
    let mut domains: Vec<Arc<Domain>> = vec![];
    let mut domain_id = |domain: &Arc<Domain>| {
        let at = domains.iter().position(|d| d.is(domain)).unwrap_or_else(|| {
            domains.push(domain.clone());
            domains.len() - 1
        });
        DomainId(at as u32)
    };
    let columns = table.names.iter().zip(columns).map(|(&name, c)| {
        let ty = match c.width() {
            Some(width) => ColumnType::Flat {
                kind: c.kind,
                width: width as u8,
                domain: c.domain.as_ref().map(&mut domain_id),
            },
            None => ColumnType::Nested,
        };
        schema::Column { name, ty, attr: c.attr }
    });
    let columns = columns.collect();
    // An enumeration of the same symbols under the same name is the same.
    let mut enum_id = |of: &Arc<value::Domain>| {
        let same = |d: &Arc<Domain>| d.enumeration.as_ref().is_some_and(|e| Arc::ptr_eq(e, of) || e.is(of));
        let at = domains.iter().position(same).unwrap_or_else(|| {
            domains.push(Arc::new(Domain::new(of.syms.to_vec(), Some(of.clone()))));
            domains.len() - 1
        });
        DomainId(at as u32)
    };
    let enums = named.iter().map(|(name, of)| (*name, enum_id(of))).collect();
    let kind = |v: &Value| match v {
        Value::Atom(a) => Some(a.kind),
        Value::Vec(v) => Some(v.kind),
        _ => None,
    };
    let of = |v: &Value| match v {
        Value::Atom(a) => a.domain.clone(),
        Value::Vec(v) => v.domain.clone(),
        _ => None,
    };
    let typed = |(name, value): &(Sym, Value)| {
        let domain = of(value).filter(|d| d.keys.is_none()).map(|d| enum_id(&d));
        Some((*name, Variable { kind: kind(value)?, length: key::length(value)?, domain }))
    };
    let variables = variables.iter().filter_map(typed).collect();
    (Schema { columns, keys: table.keys, variables, enums, compensated: false }, domains)
}

/// The enumerations that casts of the query name: variables that hold symbols.
fn enumerations(query: &Query, scope: &Scope) -> Vec<(Sym, Arc<value::Domain>)> {
    let mut found: Vec<(Sym, Arc<value::Domain>)> = vec![];
    for name in query.targets() {
        if found.iter().any(|(had, _)| *had == name) || Kind::from_name(name.text()).is_some() {
            continue;
        }
        if let Some(Value::Vec(value::Vector { data: value::Data::S(syms), .. })) = scope.get(name) {
            found.push((name, Arc::new(value::Domain { name, syms, keys: None })));
        }
    }
    found
}
