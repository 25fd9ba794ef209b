//! The two seams through which a host program extends q: functions and objects. `q` knows nothing of who
//! fills them.

use crate::error::Result;
use crate::eval::Interp;
use crate::fun::Prim;
use crate::sym::Sym;
use crate::value::Value;
use std::any::Any;
use std::fmt::Debug;

/// A function of the host program (112h).
pub trait Native: Send + Sync + Debug {
    /// Its full name, `.gpu.to`.
    fn name(&self) -> &str;
    /// How many arguments complete it; fewer make a projection, more signal `'rank`.
    fn rank(&self) -> usize;
    /// The result for `rank` arguments (`f[]` passes `::`).
    fn call(&self, q: &mut Interp, args: &[Value]) -> Result<Value>;
}

/// An object of the host program (112h): a table or vector that lives elsewhere.
pub trait Virtual: Send + Sync + Debug {
    /// The q type of what it stands for: 98 for a table, 99 for a keyed table or dictionary, or a vector's.
    fn q_type(&self) -> i8;
    /// Rows or items of what it stands for.
    fn count(&self) -> usize;
    /// Rows (or items) `from..to` as q data, for display.
    fn rows(&self, from: usize, to: usize) -> Result<Value>;
    /// How it shows if its rows are nowhere to be had; most show their rows.
    fn text(&self) -> Option<String> {
        None
    }
    /// Answers a functional query on this object: `args` are those of `?[t;c;b;a;…]` (`verb` is `Prim::Query`)
    /// or `![t;c;b;a]` (`Prim::Bang`) after the table, not evaluated; `scope` resolves names that are not
    /// columns.
    fn query(&self, verb: Prim, args: &[Value], scope: &Scope) -> Result<Value>;
    /// Answers q's verb `name` (`sublist`, `meta`, `cols`, `xasc`, `lj` …) applied to `args`, of which at
    /// least one is this object; `None` if the object leaves the verb to q, which then sees the wrapper.
    fn verb(&self, name: &str, args: &[Value]) -> Result<Option<Value>>;
    /// For the host program to find its own object again.
    fn as_any(&self) -> &dyn Any;
}

/// The names that a query can see besides columns: the enclosing function's variables, then the globals.
pub struct Scope<'a> {
    /// Parameters and locals of the enclosing function, innermost first.
    pub locals: &'a [(Sym, Value)],
    /// The interpreter whose globals come next.
    pub interp: &'a Interp,
}

impl Scope<'_> {
    /// The value of `name`: a local, else a global of the current namespace or by its full name.
    pub fn get(&self, name: Sym) -> Option<Value> {
        match self.locals.iter().find(|(n, _)| *n == name) {
            Some((_, v)) => Some(v.clone()),
            None => self.interp.global(name),
        }
    }
}
