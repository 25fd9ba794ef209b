//! Columns of a table that is given by its name: `` `a`b!`t `` and its flip, the form in which q holds the tables
//! of a database. A folder's columns are read at once; another name stands for a partitioned table.

use crate::buf::Buf;
use crate::error::{Error, Result, nyi, type_error};
use crate::eval::Interp;
use crate::fun::Prim;
use crate::path::Path;
use crate::seam::{Scope, Virtual};
use crate::show::{Settings, one_line};
use crate::sym::Sym;
use crate::value::{Func, Value};
use std::any::Any;
use std::sync::Arc;

/// The columns `names` of the table `table`: as a dictionary, or flipped to a table.
#[derive(Clone, Debug)]
struct Named {
    names: Buf<Sym>,
    table: Sym,
    /// The columns, if `table` is a folder's handle.
    loaded: Option<Value>,
    flipped: bool,
}

/// `` `a`b!`t ``. A handle's folder must have these columns.
pub fn columns(q: &mut Interp, names: Buf<Sym>, table: Sym) -> Result<Value> {
    let loaded = match table.text().starts_with(':') {
        true => {
            let whole = q.apply(&Value::prim(Prim::Get), vec![Value::sym(table)])?;
            Some(q.apply(&Value::prim(Prim::Take), vec![Value::syms(names.iter().copied()), whole])?)
        }
        false => None,
    };
    Ok(wrap(Named { names, table, loaded, flipped: false }))
}

fn wrap(x: Named) -> Value {
    Value::Fun(Func::Virtual(Arc::new(x)))
}

impl Virtual for Named {
    fn q_type(&self) -> i8 {
        if self.flipped { 98 } else { 99 }
    }

    fn count(&self) -> usize {
        if self.flipped { 0 } else { self.names.len() }
    }

    fn rows(&self, _: usize, _: usize) -> Result<Value> {
        Err(Error::new(self.table.text()))
    }

    fn text(&self) -> Option<String> {
        let d = Value::dict(Value::syms(self.names.iter().copied()), Value::sym(self.table));
        let flip = if self.flipped { "+" } else { "" };
        Some(format!("{flip}{}", one_line(&d, &Settings::default())))
    }

    /// A partitioned table that is not loaded signals its name; limits are for tables in memory, as in q.
    fn query(&self, verb: Prim, args: &[Value], scope: &Scope) -> Result<Value> {
        match scope.get(self.table) {
            _ if !self.flipped => type_error(),
            _ if verb == Prim::Query && args.len() > 3 => {
                Err(Error::new("nyi").detail("limits of a partitioned table").at(Path(vec![1])))
            }
            None => Err(Error::new(self.table.text())),
            Some(_) => nyi("the columns of a table in memory by its name"),
        }
    }

    fn verb(&self, name: &str, _: &[Value]) -> Result<Option<Value>> {
        Ok(Some(match (name, self.flipped) {
            ("+:", _) => match &self.loaded {
                Some(t) => t.clone(),
                None => wrap(Named { flipped: !self.flipped, ..self.clone() }),
            },
            ("cols", true) => Value::syms(self.names.iter().copied()),
            ("#:", false) => Value::long(self.names.len() as i64),
            (_, true) => return Err(Error::new(self.table.text())),
            (_, false) => return type_error(),
        }))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
