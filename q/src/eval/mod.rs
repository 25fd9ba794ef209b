//! The reference interpreter: evaluates parse trees, plainly.

use crate::sym::Sym;
use crate::value::Value;

/// An interpreter: globals, namespaces and console settings.
#[derive(Debug, Default)]
pub struct Interp {}

impl Interp {
    /// The value of the global `name`, seen from the current namespace; none if there is none.
    pub fn global(&self, name: Sym) -> Option<Value> {
        let _ = name;
        None
    }
}
