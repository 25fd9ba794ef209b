//! Results of a run as q values: columns stay on the engine as objects, atoms come to the host.

use crate::column::{Column, Elements};
use crate::device::{Arg, Output};
use crate::gpu::{Body, Object, Place, Table, slices};
use crate::session::Session;
use compiler::ir::{Graph, Shape};
use q::eval::item::{collect, item};
use q::eval::take::take;
use q::value::{Atom, Attr, Data, Raw, Vector};
use q::{Error, Result, Value};
use std::sync::Arc;

/// What a query answers, before it becomes a q value.
#[derive(Debug)]
pub enum Answer {
    /// A table or keyed table.
    Table(Table),
    /// Anything else: a vector, an atom or a dictionary of them.
    Value(Value),
}

impl Answer {
    /// The q value.
    pub fn value(self, session: &Arc<Session>) -> Value {
        match self {
            Answer::Table(t) => Object::value(session, Body::Table(t)),
            Answer::Value(v) => v,
        }
    }
}

/// The outputs of a run in the graph's shape.
pub fn answer(
    session: &Arc<Session>,
    graph: &Graph,
    outputs: Vec<Output>,
    args: &[Arg],
    columns: &[Column],
) -> Result<Answer> {
    for (out, def) in outputs.iter().zip(&graph.outputs).filter(|(_, def)| def.check) {
        if matches!(out, Output::Atom(Atom { raw: Raw::B(1), .. })) {
            return Err(Error::new(def.name.text()));
        }
    }
    let results: Vec<&compiler::ir::Output> = graph.outputs.iter().filter(|def| !def.check).collect();
    let outputs = outputs.into_iter().zip(&graph.outputs).filter(|(_, def)| !def.check).map(|(out, def)| {
        let out = match def.nested {
            None if graph.ascends(def.node) => sorted(out),
            None if graph.each_ascends(def.node) => each_sorted(out)?,
            _ => out,
        };
        let out = match def.taken.map(|p| &args[p.as_u32() as usize]) {
            Some(Arg::Atom(Atom { raw: Raw::J(n), .. })) => taken(session, out, *n)?,
            _ => out,
        };
        carried(out, def.nested, columns)
    });
    let outputs = outputs.collect::<Result<Vec<_>>>()?;
    let names = || results.iter().map(|o| o.name).collect::<Vec<_>>();
    let table = |outputs: Vec<Output>, keys| {
        // An atom goes to every row; where all are atoms there is one row.
        let mut lengths = outputs.iter().filter_map(length);
        let rows = lengths.next();
        if lengths.any(|n| Some(n) != rows) {
            return Err(Error::new("length").detail("the columns of a table have one length"));
        }
        let place = |o| Ok(Place::Device(column(o, rows.unwrap_or(1))?));
        let cols = outputs.into_iter().map(place).collect::<Result<_>>()?;
        Ok(Answer::Table(Table { names: names(), cols, keys }))
    };
    match graph.shape.unwrap_or(Shape::Table) {
        Shape::Table => table(outputs, 0),
        Shape::Keyed(keys) => table(outputs, keys),
        Shape::Single => {
            let one = outputs.into_iter().next().expect("a single result has one output");
            Ok(Answer::Value(value(session, one)))
        }
        Shape::Map => {
            let lists = outputs.into_iter().map(|o| column(o, 1)?.value()).collect::<Result<Vec<_>>>()?;
            match <[Value; 2]>::try_from(lists) {
                Ok([keys, vals]) => Ok(Answer::Value(Value::dict(keys, vals))),
                Err(_) => q::error::type_error(),
            }
        }
        Shape::Rows => {
            let mut outputs = outputs.into_iter();
            let key = column(outputs.next().expect("a dictionary has keys"), 1)?;
            let rows = key.len();
            let cols = outputs.map(|o| column(o, rows)?.value()).collect::<Result<Vec<_>>>()?;
            let names = names()[1..].to_vec();
            Ok(Answer::Value(Value::dict(key.value()?, Value::table(names, cols))))
        }
        Shape::OfRows(keys) => {
            let rows = outputs.iter().find_map(length);
            let mut cols = outputs
                .into_iter()
                .map(|o| column(o, rows.unwrap_or(0))?.value())
                .collect::<Result<Vec<_>>>()?;
            let vals = cols.split_off(keys).pop().expect("a dictionary has values");
            Ok(Answer::Value(Value::dict(Value::table(names()[..keys].to_vec(), cols), vals)))
        }
        Shape::Dict => {
            let nested = results.iter().map(|def| def.nested.map(|i| &columns[i]));
            let vals = outputs.into_iter().zip(nested).map(|(o, column)| carried_item(session, o, column));
            let vals = collect(vals.collect::<Result<_>>()?);
            let body = Body::Dict { keys: Value::syms(names()), vals };
            Ok(Answer::Value(Object::value(session, body)))
        }
    }
}

/// `n#` of a vector, or of each list.
fn taken(session: &Session, output: Output, n: i64) -> Result<Output> {
    if n == i64::MIN {
        return Err(Error::new("domain").detail("a list is taken by a null count"));
    }
    let Output::Column(c) = output else { return Ok(output) };
    let Some(Value::List(lists)) = c.nested() else {
        return match slices::repeating(session, &Body::Vector(c), n)? {
            Body::Vector(c) => Ok(Output::Column(c)),
            _ => q::error::type_error(),
        };
    };
    let n = Value::long(n);
    let lists = lists.iter().map(|list| take(&n, list)).collect::<Result<_>>()?;
    Ok(Output::Column(Column::new(c.kind, Elements::Nested(Value::list(lists)), None)))
}

/// With `s#`.
fn sorted(output: Output) -> Output {
    match output {
        Output::Column(c) => Output::Column(Column { attr: Attr::Sorted, ..c }),
        atom => atom,
    }
}

/// Lists, each with `s#`.
fn each_sorted(output: Output) -> Result<Output> {
    let Output::Column(c) = &output else { return Ok(output) };
    let Elements::Nested(Value::List(lists)) = c.elements()? else { return Ok(output) };
    let sorted = |list: &Value| match list {
        Value::Vec(v) => Value::Vec(Vector { attr: Attr::Sorted, ..v.clone() }),
        other => other.clone(),
    };
    let lists = Value::list(lists.iter().map(sorted).collect());
    Ok(Output::Column(Column::new(c.kind, Elements::Nested(lists), None)))
}

/// The items of a nested column, where the output numbers its rows.
fn carried(output: Output, nested: Option<usize>, columns: &[Column]) -> Result<Output> {
    let Some(column) = nested.map(|i| &columns[i]) else { return Ok(output) };
    let Output::Column(rows) = &output else { return Ok(output) };
    match rows.value()? {
        Value::Vec(Vector { data: Data::J(rows), .. }) => Ok(Output::Column(column.gather(&rows)?)),
        Value::List(lists) => {
            let items = lists.iter().map(|rows| match rows {
                Value::Vec(Vector { data: Data::J(rows), .. }) => column.gather(rows)?.value(),
                _ => q::error::type_error(),
            });
            let items = Value::list(items.collect::<Result<_>>()?);
            Ok(Output::Column(Column::new(column.kind, Elements::Nested(items), None)))
        }
        _ => q::error::type_error(),
    }
}

/// The item of a nested column, where the output numbers its row; an empty list where there is no row.
fn carried_item(session: &Arc<Session>, output: Output, nested: Option<&Column>) -> Result<Value> {
    match (output, nested) {
        (Output::Atom(Atom { raw: Raw::J(row), .. }), Some(column)) => match row {
            i64::MIN => Ok(Value::list(vec![])),
            row => Ok(item(&column.gather(&[row])?.value()?, 0)),
        },
        (output, _) => Ok(value(session, output)),
    }
}

/// How many rows an output has that is no atom.
fn length(output: &Output) -> Option<usize> {
    if let Output::Column(c) = output { Some(c.len()) } else { None }
}

/// An output as a table's column of `rows` rows.
fn column(output: Output, rows: usize) -> Result<Column> {
    match output {
        Output::Column(c) => Ok(c),
        Output::Atom(a) => Column::of(&Value::Atom(a))?.gather(&vec![0; rows]),
    }
}

fn value(session: &Arc<Session>, output: Output) -> Value {
    match output {
        Output::Column(c) => Object::value(session, Body::Vector(c)),
        Output::Atom(a) => Value::Atom(a),
    }
}
