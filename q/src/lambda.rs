//! A user's function: its text, its parameters and its body as a parse tree.

use crate::error::Source;
use crate::fun::Prim;
use crate::path::Spans;
use crate::same::{self, Mode};
use crate::sym::Sym;
use crate::value::Value;
use rustc_hash::FxHashSet;
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

/// Locals, globals and constants at most, each by the name of the signal.
const MOST: [(&str, usize); 3] = [("locals", 110), ("globals", 110), ("limit", 240)];

/// The byte codes that a branch may skip.
const FARTHEST: usize = 65_025;

impl Lambda {
    /// The names that the body mentions and that are not its own, each once.
    pub fn globals(&self) -> Vec<Sym> {
        let mut out = names(&self.body);
        let own: FxHashSet<Sym> = self.params.iter().chain(&self.locals).copied().collect();
        out.retain(|n| !own.contains(n));
        out
    }

    /// The signal of a function that has more of something than q lets a function have.
    pub fn excess(&self) -> Option<&'static str> {
        // Each name and constant takes a byte and one that ends it, so most texts need no count.
        if self.text.len() < 2 * 110 {
            return None;
        }
        let mut all = vec![];
        self.body.iter().for_each(|t| constants(t, &mut all));
        let counts = [self.locals.len(), self.globals().len(), all.len()];
        let many = MOST.iter().zip(counts).find(|((_, most), n)| n > most).map(|((name, _), _)| *name);
        // A byte code takes at least a byte of text.
        let branch = || self.text.len() > FARTHEST && self.body.iter().any(far);
        many.or_else(|| branch().then_some("branch"))
    }
}

/// The byte codes of an expression: one a name, a constant and a primitive.
fn codes(tree: &Value) -> usize {
    match tree {
        Value::List(l) => l.iter().map(codes).sum(),
        _ => 1,
    }
}

/// Whether a control word or a conditional of the tree skips more than a branch may.
fn far(tree: &Value) -> bool {
    let Value::List(l) = tree else { return false };
    let word = l.first().and_then(Value::as_sym);
    let skipped = match l.first().and_then(Value::as_prim) {
        // The value of each statement is dropped.
        _ if word.is_some_and(|w| matches!(w.text(), "if" | "do" | "while")) => {
            l[1..].iter().map(|statement| codes(statement) + 1).sum()
        }
        Some(Prim::Dollar) if l.len() > 3 => l[2..].iter().map(codes).max().unwrap_or(0),
        _ => 0,
    };
    skipped > FARTHEST || l.iter().any(far)
}

/// The names that trees mention, each once. The clauses of a query are data: their names may be columns.
pub fn names(trees: &[Value]) -> Vec<Sym> {
    fn walk(tree: &Value, out: &mut Vec<Sym>) {
        match tree {
            Value::List(l) if l.len() > 3 && matches!(l[0].as_prim(), Some(Prim::Query | Prim::Bang)) => {
                walk(&l[1], out);
            }
            Value::List(l) => l.iter().for_each(|t| walk(t, out)),
            _ => out.extend(tree.as_sym().filter(|s| !s.is_null())),
        }
    }
    let mut out = vec![];
    trees.iter().for_each(|t| walk(t, &mut out));
    let mut seen = FxHashSet::default();
    out.retain(|n| seen.insert(*n));
    out
}

/// The constants of a tree, each once.
fn constants<'a>(tree: &'a Value, out: &mut Vec<&'a Value>) {
    match tree {
        Value::List(l) => l.iter().for_each(|t| constants(t, out)),
        Value::Atom(_) if tree.as_sym().is_some() => {}
        // A hundred thousand would be compared each with each.
        Value::Atom(_) | Value::Vec(_)
            if out.len() <= MOST[2].1 && !out.iter().any(|seen| same::equal(seen, tree, Mode::Identical)) =>
        {
            out.push(tree);
        }
        _ => {}
    }
}
