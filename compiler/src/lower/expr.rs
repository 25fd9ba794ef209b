//! Expressions: constants, names and applications, by the shape of the tree.

use super::Lower;
use crate::error::Result;
use crate::ir::{Node, Source};
use crate::key::{cast_target, constant, length};
use crate::schema::Length;
use q::value::{Func, Iter};
use q::{Kind, Prim, Value};

impl Lower<'_> {
    /// The value of `tree`, whose place is `self.b.at`.
    pub(super) fn expr(&mut self, tree: &Value) -> Result<Node> {
        if let Some(x) = constant(tree) {
            return self.literal(&x);
        }
        match tree {
            Value::Atom(_) => self.name(tree.as_sym().unwrap_or_default()),
            Value::List(items) if items.len() > 1 => self.application(items),
            _ => self.b.not_yet("a value that is neither atom nor vector"),
        }
    }

    /// Item `i` of the application at hand.
    pub(super) fn arg(&mut self, items: &[Value], i: usize) -> Result<Node> {
        let here = self.b.at.clone();
        self.b.at = here.child(i);
        let node = self.expr(&items[i])?;
        self.b.at = here;
        Ok(node)
    }

    /// The parameter of the constant `x`.
    fn literal(&mut self, x: &Value) -> Result<Node> {
        let kind = match x {
            Value::Atom(a) => a.kind,
            Value::Vec(v) => v.kind,
            _ => return self.b.internal("a constant is an atom or a vector"),
        };
        if kind == Kind::Enum {
            return self.b.not_yet("a literal enumeration");
        }
        let Some(i) = self.literals.find(x) else {
            return self.b.internal("every constant of the query was lifted");
        };
        let p = self.b.param(kind, Source::Literal(i));
        Ok(if length(x) == Some(Length::Atom) { self.b.atom(p) } else { self.b.list(p) })
    }

    fn application(&mut self, items: &[Value]) -> Result<Node> {
        if items.iter().any(|item| item.as_prim() == Some(Prim::Elided)) {
            return self.b.not_yet("a projection");
        }
        if let Some(target) = cast_target(items) {
            let x = self.arg(items, 2)?;
            return self.cast(&target, x);
        }
        if let Some(p) = self.primitive(&items[0]) {
            return self.apply(p, items);
        }
        if self.is_function(&items[0]) {
            let args = self.args(items)?;
            return self.call(&items[0], &args);
        }
        match &items[0] {
            Value::List(_) | Value::Atom(_) if items.len() == 2 => {
                let here = self.b.at.clone();
                self.b.at = here.child(0);
                let x = self.expr(&items[0])?;
                self.b.at = here;
                let i = self.arg(items, 1)?;
                self.index(x, i)
            }
            _ => self.b.not_yet("an application of this"),
        }
    }

    pub(super) fn args(&mut self, items: &[Value]) -> Result<Vec<Node>> {
        (1..items.len()).map(|i| self.arg(items, i)).collect()
    }

    /// The primitive that `head` is: itself, a reserved word as a name, or a comparison as q composes it.
    pub(super) fn primitive(&self, head: &Value) -> Option<Prim> {
        let comparison = |parts: &[Value]| match parts {
            [f, g] if f.as_prim() == Some(Prim::Not) => match g.as_prim()? {
                Prim::Eq => Some(Prim::Ne),
                Prim::Lt => Some(Prim::Ge),
                Prim::Gt => Some(Prim::Le),
                _ => None,
            },
            _ => None,
        };
        match head {
            Value::Fun(Func::Prim(p)) => Some(*p),
            Value::Fun(Func::Comp(parts)) => comparison(parts),
            Value::List(parts) if is_iter(parts, Iter::Each) => comparison(&parts[1..]),
            Value::Atom(_) => {
                let name = head.as_sym()?;
                let shadowed = self.schema.find(name).is_some() || self.schema.variables.contains_key(&name);
                if shadowed { None } else { Prim::from_keyword(name.text()) }
            }
            _ => None,
        }
    }
}

pub(super) fn is_iter(parts: &[Value], iter: Iter) -> bool {
    matches!(parts.first(), Some(Value::Fun(Func::Iter(i))) if *i == iter)
}
