//! Parquet files as q tables: what `` use`kx.pq `` returns.
//!
//! Strings whose pages refer to a dictionary become symbols, other strings char vectors; a column of a type that
//! q does not have signals when it is read. Nulls become q's nulls.

mod column;
mod file;
mod mapped;
mod types;

use file::File;
use mapped::Mapped;
use q::error::type_error;
use q::seam::Native;
use q::value::Func;
use q::{Error, Interp, Result, Sym, Value};
use std::sync::Arc;

/// What hears of a long load: bytes done and in all.
pub type Progress = Box<dyn FnMut(u64, u64) + Send>;

/// What a function of the module does.
type Call = fn(&Function, &[Value]) -> Result<Value>;

/// Name, rank, what it does.
const FUNCTIONS: &[(&str, usize, Call)] = &[
    // The file as a virtual table.
    ("pq", 1, |f, a| f.open(&a[0])),
    // The file for `rd`.
    ("op", 1, |f, a| f.open(&a[0])),
    // The column `z` of the row group `y` of an open file `x`, by their numbers.
    ("rd", 3, |_, a| {
        let Some(Mapped { file }) = Mapped::of(&a[0]) else { return type_error() };
        let at = |x: &Value| x.as_long().and_then(|i| usize::try_from(i).ok());
        let missing = || Error::new("index");
        let spans = at(&a[1]).and_then(|group| file.group(group)).ok_or_else(missing)?;
        let name = at(&a[2]).and_then(|column| file.names().nth(column)).ok_or_else(missing)?;
        match file.table(&[name], &spans)? {
            Value::Table(t) => Ok(t.cols[0].clone()),
            _ => type_error(),
        }
    }),
];

/// One function of the module.
#[derive(Debug)]
struct Function {
    name: &'static str,
    rank: usize,
    call: Call,
    progress: fn() -> Option<Progress>,
}

impl Function {
    /// The file that `x` names: a handle, or a path as a symbol or text.
    fn open(&self, x: &Value) -> Result<Value> {
        let path = match (x.as_sym(), x.as_chars()) {
            (Some(path), _) => path.text().to_string(),
            (None, Some(text)) => String::from_utf8_lossy(text).into_owned(),
            _ => return type_error(),
        };
        let path = path.strip_prefix(':').unwrap_or(&path);
        Ok(Mapped::value(File::open(path, self.progress)?))
    }
}

impl Native for Function {
    fn name(&self) -> &str {
        self.name
    }

    fn rank(&self) -> usize {
        self.rank
    }

    fn call(&self, _: &mut Interp, args: &[Value]) -> Result<Value> {
        (self.call)(self, args)
    }
}

/// Gives an interpreter `` use`kx.pq ``. `progress` makes what hears of each long load, if anything does.
pub fn register(q: &mut Interp, progress: fn() -> Option<Progress>) {
    q.loaders.push(Box::new(move |_, module| {
        let function = |&(name, rank, call): &(&'static str, _, _)| {
            Value::Fun(Func::Native(Arc::new(Function { name, rank, call, progress })))
        };
        let module_of = || {
            let names = FUNCTIONS.iter().map(|f| Sym::new(f.0));
            Value::dict(Value::syms(names), Value::list(FUNCTIONS.iter().map(function).collect()))
        };
        (module == "kx.pq").then(|| Ok(module_of()))
    }));
}
