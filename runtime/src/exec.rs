//! Results of a run as q values: columns stay on the engine as objects, atoms come to the host.

use crate::column::Column;
use crate::device::Output;
use crate::gpu::{Body, Object, Place, Table};
use crate::session::Session;
use compiler::ir::{Graph, Shape};
use q::{Result, Value};
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
pub fn answer(session: &Arc<Session>, graph: &Graph, outputs: Vec<Output>) -> Result<Answer> {
    let names = || graph.outputs.iter().map(|o| o.name).collect::<Vec<_>>();
    let table = |outputs: Vec<Output>, keys| {
        // An atom goes to every row; where all are atoms there is one row.
        let rows = outputs.iter().find_map(|o| if let Output::Column(c) = o { Some(c.len()) } else { None });
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
        Shape::Dict => {
            let vals = Value::list(outputs.into_iter().map(|o| value(session, o)).collect());
            let body = Body::Dict { keys: Value::syms(names()), vals };
            Ok(Answer::Value(Object::value(session, body)))
        }
    }
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
