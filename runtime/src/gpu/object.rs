//! The objects that q holds for what lives on an engine: vectors, dictionaries, tables and keyed tables, all
//! of type 112h.

use crate::column::Column;
use crate::session::Session;
use crate::transfer::slice;
use q::seam::{Scope, Virtual};
use q::value::{Attr, Func};
use q::{Error, Prim, Result, Sym, Value};
use std::any::Any;
use std::sync::Arc;

/// A virtual object and the session that made it.
#[derive(Debug)]
pub struct Object {
    /// Answers the queries on it.
    pub session: Arc<Session>,
    /// What it stands for.
    pub body: Body,
}

/// What a virtual object stands for.
#[derive(Clone, Debug)]
pub enum Body {
    /// A vector or a nested list.
    Vector(Column),
    /// A dictionary. Its values are a list whose vectors are objects themselves, or one vector object.
    Dict {
        /// The keys, on the host.
        keys: Value,
        /// The values.
        vals: Value,
    },
    /// A table; keyed if `keys` is not 0.
    Table(Table),
}

/// Named columns of one length.
#[derive(Clone, Debug)]
pub struct Table {
    /// The names.
    pub names: Vec<Sym>,
    /// The columns.
    pub cols: Vec<Place>,
    /// How many columns, from the first, are keys.
    pub keys: usize,
}

/// Where a column is.
#[derive(Clone, Debug)]
pub enum Place {
    /// On the engine.
    Device(Column),
    /// On the host still (`.gpu.xto` moves only the columns it is told).
    Host(Value),
}

impl Object {
    /// The object as a q value.
    pub fn value(session: &Arc<Session>, body: Body) -> Value {
        Value::Fun(Func::Virtual(Arc::new(Object { session: session.clone(), body })))
    }

    /// The object in a q value, if it is one of ours.
    pub fn of(value: &Value) -> Option<&Object> {
        match value {
            Value::Fun(Func::Virtual(v)) => v.as_any().downcast_ref(),
            _ => None,
        }
    }
}

impl Place {
    /// Items.
    pub fn len(&self) -> usize {
        match self {
            Place::Device(c) => c.len(),
            Place::Host(v) => v.count(),
        }
    }

    /// True without items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The column on the engine; moves it there if it is not.
    pub fn column(&self) -> Result<Column> {
        match self {
            Place::Device(c) => Ok(c.clone()),
            Place::Host(v) => Column::of(v),
        }
    }

    /// Items `from..to` as q data, without attributes but the sorted one.
    pub fn host(&self, from: usize, to: usize) -> Result<Value> {
        match self {
            Place::Device(c) => fetch(c, from, to),
            Place::Host(v) => Ok(slice(v, from, to)),
        }
    }

    /// The attribute.
    pub fn attr(&self) -> Attr {
        match self {
            Place::Device(c) => c.attr,
            Place::Host(Value::Vec(v)) => v.attr,
            Place::Host(_) => Attr::None,
        }
    }

    /// Items `from..to`, where they are.
    pub fn part(&self, from: usize, to: usize) -> Place {
        match self {
            Place::Device(c) => Place::Device(c.slice(from, to)),
            Place::Host(v) => Place::Host(slice(v, from, to)),
        }
    }

    /// The type letter as `meta` shows it: upper case for a list of such vectors, blank for a mixed one.
    pub fn letter(&self) -> u8 {
        match self {
            Place::Device(c) => c.nested().map_or(c.kind.letter() as u8, nested_letter),
            Place::Host(Value::Vec(v)) => v.kind.letter() as u8,
            Place::Host(v) => nested_letter(v),
        }
    }
}

/// The upper-case letter of a list whose items are vectors of one kind, judged by its first item as q does.
fn nested_letter(v: &Value) -> u8 {
    match v {
        Value::List(items) => match items.first() {
            Some(Value::Vec(v)) => v.kind.letter().to_ascii_uppercase() as u8,
            _ => b' ',
        },
        _ => b' ',
    }
}

/// Items `from..to` of a column as q data: `.gpu.from` keeps the sorted attribute only.
pub fn fetch(c: &Column, from: usize, to: usize) -> Result<Value> {
    let mut v = if from == 0 && to == c.len() { c.value()? } else { c.slice(from, to).value()? };
    if let Value::Vec(v) = &mut v
        && v.attr != Attr::Sorted
    {
        v.attr = Attr::None;
    }
    Ok(v)
}

impl Table {
    /// The columns of a table or keyed table, on the host.
    pub fn of(value: &Value) -> Option<Table> {
        let host = |t: &q::value::Table| t.cols.iter().cloned().map(Place::Host).collect::<Vec<_>>();
        match value {
            Value::Table(t) => Some(Table { names: t.names.clone(), cols: host(t), keys: 0 }),
            Value::Dict(d) => match (&d.keys, &d.vals) {
                (Value::Table(k), Value::Table(v)) => Some(Table {
                    names: k.names.iter().chain(&v.names).copied().collect(),
                    cols: host(k).into_iter().chain(host(v)).collect(),
                    keys: k.names.len(),
                }),
                _ => None,
            },
            _ => None,
        }
    }

    /// Rows.
    pub fn rows(&self) -> usize {
        self.cols.first().map_or(0, Place::len)
    }

    /// The column `name`.
    pub fn col(&self, name: Sym) -> Option<&Place> {
        self.names.iter().position(|&n| n == name).map(|i| &self.cols[i])
    }

    /// Rows `from..to` as a q table, or as a keyed one.
    pub fn host(&self, from: usize, to: usize) -> Result<Value> {
        self.q_table(|place| place.host(from, to))
    }

    /// The whole as a q table, attributes and all.
    pub fn exact(&self) -> Result<Value> {
        self.q_table(|place| match place {
            Place::Device(c) => c.value(),
            Place::Host(v) => Ok(v.clone()),
        })
    }

    fn q_table(&self, column: impl Fn(&Place) -> Result<Value>) -> Result<Value> {
        let part = |range: std::ops::Range<usize>| {
            let cols = self.cols[range.clone()].iter().map(&column).collect::<Result<_>>()?;
            Ok(Value::table(self.names[range].to_vec(), cols))
        };
        let all = self.cols.len();
        match self.keys {
            0 => part(0..all),
            n => Ok(Value::dict(part(0..n)?, part(n..all)?)),
        }
    }

    /// The same table with each column made anew.
    pub fn map(&self, f: impl FnMut(&Place) -> Result<Place>) -> Result<Table> {
        let cols = self.cols.iter().map(f).collect::<Result<_>>()?;
        Ok(Table { names: self.names.clone(), cols, keys: self.keys })
    }

    /// Takes away the columns named.
    pub fn drop_named(&mut self, names: &[Sym]) {
        let mut kept = self.names.iter().map(|n| !names.contains(n)).collect::<Vec<_>>().into_iter();
        self.cols.retain(|_| kept.next().unwrap_or(true));
        self.names.retain(|n| !names.contains(n));
    }

    /// The columns named, in that order, unkeyed.
    pub fn pick(&self, names: &[Sym]) -> Result<Table> {
        let find = |&n: &Sym| self.col(n).cloned().ok_or_else(|| Error::new(n.text()));
        let cols = names.iter().map(find).collect::<Result<_>>()?;
        Ok(Table { names: names.to_vec(), cols, keys: 0 })
    }
}

impl Virtual for Object {
    fn q_type(&self) -> i8 {
        match &self.body {
            Body::Vector(c) if c.nested().is_some() => 0,
            Body::Vector(c) => c.kind.code(),
            Body::Table(t) if t.keys == 0 => 98,
            Body::Table(_) | Body::Dict { .. } => 99,
        }
    }

    fn count(&self) -> usize {
        match &self.body {
            Body::Vector(c) => c.len(),
            Body::Dict { keys, .. } => keys.count(),
            Body::Table(t) => t.rows(),
        }
    }

    fn rows(&self, from: usize, to: usize) -> Result<Value> {
        Ok(match &self.body {
            Body::Vector(c) => fetch(c, from, to)?,
            Body::Table(t) => t.host(from, to)?,
            Body::Dict { keys, vals } => {
                let vals = match Object::of(vals) {
                    Some(o) => o.rows(from, to)?,
                    None => super::moves::from(&slice(vals, from, to))?,
                };
                Value::dict(slice(keys, from, to), vals)
            }
        })
    }

    fn query(&self, verb: Prim, args: &[Value], scope: &Scope) -> Result<Value> {
        match &self.body {
            Body::Table(t) => self.session.query(verb, t, args, scope),
            _ => Err(Error::new("type").detail("only a table can be queried")),
        }
    }

    fn verb(&self, name: &str, args: &[Value]) -> Result<Option<Value>> {
        super::verbs::answer(name, args)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
