//! Places: where in a parse tree, and where in the text that it came from.

use std::fmt;

/// A place in a parse tree: the indices that lead to it, as q's `tree . path` takes them.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Path(pub Vec<u16>);

impl Path {
    /// The path to item `i` below this one.
    pub fn child(&self, i: usize) -> Path {
        let mut at = self.0.clone();
        at.push(i as u16);
        Path(at)
    }
}

impl fmt::Display for Path {
    /// Prints as q's index list: `2 0 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, at) in self.0.iter().enumerate() {
            write!(f, "{}{at}", if i > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

/// Bytes `from..to` of a text, and the byte `at` that a caret points to (an infix verb, say).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Span {
    pub from: u32,
    pub to: u32,
    pub at: u32,
}

/// The spans of a parse tree, shaped as the tree: `kids[i]` belongs to item `i` of a general list.
/// A leaf, or a node made by rewriting, has no kids.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Spans {
    /// The whole of this node.
    pub span: Span,
    /// Its items.
    pub kids: Vec<Spans>,
}

impl Spans {
    /// The span of the node at `path`, or of its nearest known ancestor.
    pub fn find(&self, path: &Path) -> Span {
        let mut at = self;
        for &i in &path.0 {
            match at.kids.get(i as usize) {
                Some(kid) => at = kid,
                None => break,
            }
        }
        at.span
    }
}
