//! A tree with its spans while it is being built.

use crate::kind::Kind;
use crate::path::{Span, Spans};
use crate::sym::Sym;
use crate::value::Value;

/// A tree, where it came from, and how deep it is.
pub struct Node {
    pub tree: Value,
    pub spans: Spans,
    pub depth: u32,
}

impl Node {
    /// A tree without parts.
    pub fn leaf(tree: Value, span: Span) -> Node {
        Node { tree, spans: Spans { span, kids: vec![] }, depth: 1 }
    }

    /// A general list of `items`, whose caret is at `at`.
    pub fn list(items: Vec<Node>, at: u32) -> Node {
        let depth = 1 + items.iter().map(|n| n.depth).max().unwrap_or(0);
        let (trees, kids): (Vec<Value>, Vec<Spans>) = items.into_iter().map(|n| (n.tree, n.spans)).unzip();
        let span = cover(&kids, at);
        Node { tree: Value::list(trees), spans: Spans { span, kids }, depth }
    }

    /// A dictionary of names to trees, as a query holds it: the values are a symbol vector if all are names.
    pub fn dict(entries: Vec<(Sym, Node)>) -> Node {
        let depth = 1 + entries.iter().map(|(_, n)| n.depth).max().unwrap_or(0);
        let keys = Value::syms(entries.iter().map(|(name, _)| *name));
        let bare: Option<Vec<Sym>> = entries.iter().map(|(_, n)| n.tree.as_sym()).collect();
        let (trees, kids): (Vec<Value>, Vec<Spans>) =
            entries.into_iter().map(|(_, n)| (n.tree, n.spans)).unzip();
        let at = kids.first().map_or(0, |k| k.span.at);
        let span = cover(&kids, at);
        let values = bare.map_or_else(|| Value::list(trees), Value::syms);
        Node { tree: Value::dict(keys, values), spans: Spans { span, kids }, depth }
    }

    /// The same as a constant: enlisted, so that evaluation gives it back.
    pub fn quoted(self) -> Node {
        let span = self.spans.span;
        let depth = self.depth + 1;
        Node { tree: quote(self.tree), spans: Spans { span, kids: vec![self.spans] }, depth }
    }

    /// The same, known to reach over `span`.
    pub fn within(mut self, from: u32, to: u32) -> Node {
        self.spans.span.from = from;
        self.spans.span.to = to;
        self
    }

    /// Its place.
    pub fn span(&self) -> Span {
        self.spans.span
    }
}

/// `x` enlisted: a symbol as a one-item vector, all else as a one-item general list.
pub fn quote(x: Value) -> Value {
    match x.as_sym() {
        Some(name) => Value::syms([name]),
        None => Value::list(vec![x]),
    }
}

/// The tree of a constant symbol, or of a constant vector of symbols.
pub fn constant(names: Vec<Sym>) -> Value {
    match names[..] {
        [name] => Value::syms([name]),
        _ => Value::list(vec![Value::syms(names)]),
    }
}

/// The tree of the constant vector of `names`, also of one or none.
pub fn names_constant(names: impl IntoIterator<Item = Sym>) -> Value {
    Value::list(vec![Value::syms(names)])
}

/// An empty symbol vector.
pub fn no_syms() -> Value {
    Value::vector::<Sym>(Kind::Sym, vec![])
}

/// The bytes from the first to the last of `kids`.
fn cover(kids: &[Spans], at: u32) -> Span {
    let from = kids.iter().map(|k| k.span.from).min().unwrap_or(at);
    let to = kids.iter().map(|k| k.span.to).max().unwrap_or(at);
    Span { from, to, at }
}
