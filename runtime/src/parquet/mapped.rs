//! A Parquet file as a virtual table: a query reads the columns that it names, and no others.

use super::file::{File, GROUP};
use crate::session::on_host;
use q::eval::prim::keyword;
use q::seam::{Scope, Virtual};
use q::value::Func;
use q::{Error, Interp, Prim, Result, Sym, Value};
use std::any::Any;
use std::sync::Arc;

/// The virtual table.
#[derive(Debug)]
pub struct Mapped {
    /// The file that has its rows.
    pub file: File,
}

impl Mapped {
    /// The table as a q value.
    pub fn value(file: File) -> Value {
        Value::Fun(Func::Virtual(Arc::new(Mapped { file })))
    }

    /// The table in a q value, if it is one of ours.
    pub fn of(value: &Value) -> Option<&Mapped> {
        match value {
            Value::Fun(Func::Virtual(v)) => v.as_any().downcast_ref(),
            _ => None,
        }
    }

    /// The columns that the expressions of a query name. A name may go on, as in `time.minute`.
    fn named(&self, args: &[Value]) -> Vec<Sym> {
        let mut found = vec![];
        args.iter().for_each(|tree| names(tree, &mut found));
        let is = |column: &str, name: &Sym| {
            let rest = name.text().strip_prefix(column);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let all = self.file.names().chain([Sym::new(GROUP)]);
        all.filter(|column| found.iter().any(|name| is(column.text(), name))).collect()
    }

    fn table(&self, names: &[Sym], from: usize, to: usize) -> Result<Value> {
        self.file.table(names, &self.file.spans(from, to))
    }

    fn whole(&self) -> Result<Value> {
        self.rows(0, self.count())
    }
}

/// The symbols in a parse tree, constants too.
fn names(tree: &Value, found: &mut Vec<Sym>) {
    match tree {
        Value::List(items) => items.iter().for_each(|item| names(item, found)),
        Value::Dict(d) => [&d.keys, &d.vals].into_iter().for_each(|part| names(part, found)),
        Value::Vec(v) => found.extend(v.elems::<Sym>().into_iter().flat_map(|syms| syms.iter())),
        _ => found.extend(tree.as_sym()),
    }
}

/// A result of all columns, without the virtual one that a clause named.
fn without_group(result: Value) -> Value {
    match result {
        Value::Table(t) => {
            let kept = t.names.iter().zip(&t.cols).filter(|(name, _)| name.text() != GROUP);
            let (names, cols) = kept.map(|(name, column)| (*name, column.clone())).unzip();
            Value::table(names, cols)
        }
        Value::Dict(d) if matches!(d.vals, Value::Table(_)) => {
            Value::dict(d.keys.clone(), without_group(d.vals.clone()))
        }
        other => other,
    }
}

impl Virtual for Mapped {
    fn q_type(&self) -> i8 {
        98
    }

    fn count(&self) -> usize {
        self.file.rows()
    }

    fn rows(&self, from: usize, to: usize) -> Result<Value> {
        self.table(&self.file.names().collect::<Vec<_>>(), from, to)
    }

    fn query(&self, verb: Prim, args: &[Value], scope: &Scope) -> Result<Value> {
        let [_, _, columns, ..] = args else { return Err(Error::new("rank")) };
        // Without expressions, and in what an update leaves, every column is in the result.
        let all = verb == Prim::Bang || columns.count() == 0;
        let named = self.named(args);
        let hidden = all && named.contains(&Sym::new(GROUP));
        let mut names = if all { self.file.names().collect() } else { named };
        if hidden || names.is_empty() {
            names.push(Sym::new(GROUP));
        }
        let out = on_host(verb, self.table(&names, 0, self.count())?, args, scope)?;
        Ok(if hidden { without_group(out) } else { out })
    }

    fn verb(&self, name: &str, args: &[Value]) -> Result<Option<Value>> {
        match name {
            "cols" => return Ok(Some(Value::syms(self.file.names()))),
            // `count`, by its older name.
            "#:" => return Ok(Some(Value::long(self.count() as i64))),
            _ => {}
        }
        let verb = Prim::from_text(name).map(Value::prim).or_else(|| keyword(name));
        let Some(verb) = verb else { return Ok(None) };
        let host = |x: &Value| match Mapped::of(x) {
            // The types show in the first row, and a column that q has no type for has none.
            Some(m) if name == "meta" => m.table(&m.file.readable().collect::<Vec<_>>(), 0, 1),
            Some(m) => m.whole(),
            None => Ok(x.clone()),
        };
        let args = args.iter().map(host).collect::<Result<Vec<_>>>()?;
        Interp::new().apply(&verb, args).map(Some)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
