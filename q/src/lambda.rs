//! A user's function: its text, its parameters and its body as a parse tree.

use crate::error::Source;
use crate::path::Spans;
use crate::sym::Sym;
use crate::value::Value;
use std::sync::Arc;

/// `{[a;b] …}`.
#[derive(Debug)]
pub struct Lambda {
    /// The text from `{` to `}`, as typed; q prints a function by it.
    pub text: Box<[u8]>,
    /// Parameters: as declared, or the implicit `x y z` that the body uses.
    pub params: Vec<Sym>,
    /// Names assigned in the body with `:` that are not parameters.
    pub locals: Vec<Sym>,
    /// The body: one tree a statement. A function returns its last statement's value, or `::` after a `;`.
    pub body: Vec<Value>,
    /// The spans of `body`, in `source`.
    pub spans: Vec<Spans>,
    /// The text that the spans count in.
    pub source: Arc<Source>,
    /// The namespace it was defined in, without the leading dot; null for the root.
    pub space: Sym,
}
