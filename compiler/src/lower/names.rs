//! Names: a function's parameters, then columns, the virtual `i`, dotted parts of a column, then variables.

use super::Lower;
use crate::error::Result;
use crate::ir::{Node, Source};
use crate::schema::{Length, Variable};
use q::{Kind, Sym};

impl Lower<'_> {
    /// The value of `name` where the expression stands. Inside a function columns are out of sight.
    pub(super) fn name(&mut self, name: Sym) -> Result<Node> {
        match self.frames.last() {
            Some(frame) => {
                if let Some(&(_, node)) = frame.iter().rev().find(|(had, _)| *had == name) {
                    return Ok(node);
                }
            }
            None => {
                if let Some(i) = self.schema.find(name) {
                    return self.column(i);
                }
                if name.text() == "i" {
                    let row = self.b.row();
                    return self.b.over(row, self.dim);
                }
                if let Some((column, part)) = name.text().rsplit_once('.')
                    && let Some(i) = self.schema.find(Sym::new(column))
                {
                    let x = self.column(i)?;
                    return self.dotted(x, part);
                }
            }
        }
        let Some(&Variable { kind, length, domain }) = self.schema.variables.get(&name) else {
            return self.b.signal(name.text(), "no such column or variable");
        };
        if kind == Kind::Enum {
            let Some(domain) = domain else {
                return self.b.not_yet(format!("the variable {name}, an enumeration of no symbols"));
            };
            let p = self.b.param(Kind::Sym, Source::Variable(name));
            let x = if length == Length::Atom { self.b.atom(p) } else { self.b.list(p) };
            return self.b.enumerated(x, domain);
        }
        let p = self.b.param(kind, Source::Variable(name));
        Ok(if length == Length::Atom { self.b.atom(p) } else { self.b.list(p) })
    }
}
