//! Functions that a tree holds, applied to values: primitives, the user's, derived, composed and projected ones.

use super::Lower;
use super::expr::is_iter;
use crate::error::Result;
use crate::ir::Node;
use q::value::{Func, Iter};
use q::{Prim, Value};

impl Lower<'_> {
    /// Is `head` a function, and not a value that is indexed?
    pub(super) fn is_function(&self, head: &Value) -> bool {
        if self.primitive(head).is_some() || self.derived(head).is_some() {
            return true;
        }
        match head {
            Value::Fun(Func::Lambda(_) | Func::Comp(_)) => true,
            Value::List(parts) if is_iter(parts, Iter::Each) => parts.len() > 2,
            Value::List(_) => self.projection(head).is_some(),
            _ => false,
        }
    }

    /// A function with some of its arguments, which awaits the others: `(f;x)`, `(f;;y)`, and `(@;f)`.
    fn projection<'t>(&self, head: &'t Value) -> Option<&'t [Value]> {
        let Value::List(parts) = head else { return None };
        let f = parts.first().filter(|f| self.is_function(f))?;
        let rank = match (f, self.primitive(f)) {
            (_, Some(p)) => p.row().min as usize,
            (Value::Fun(Func::Lambda(f)), _) => f.params.len(),
            _ => 1,
        };
        let given = parts[1..].iter().filter(|x| x.as_prim() != Some(Prim::Elided)).count();
        (given < rank).then_some(&parts[..])
    }

    /// A function derived by an iterator: as a value, or as a tree of it.
    fn derived(&self, head: &Value) -> Option<(Iter, Prim)> {
        match head {
            Value::Fun(Func::Derived(iter, f)) => Some((*iter, self.primitive(f)?)),
            Value::List(parts) => match &parts[..] {
                [Value::Fun(Func::Iter(iter)), f] => Some((*iter, self.primitive(f)?)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The function `f` applied to values.
    pub(super) fn call(&mut self, f: &Value, args: &[Node]) -> Result<Node> {
        if let Some(p) = self.primitive(f) {
            return self.apply_nodes(p, args);
        }
        if let Some((iter, p)) = self.derived(f) {
            return self.iterate(iter, p, args);
        }
        match f {
            Value::Fun(Func::Lambda(f)) => self.inline(f, args.to_vec()),
            Value::Fun(Func::Comp(parts)) => self.compose(parts, args.to_vec()),
            Value::List(parts) if is_iter(parts, Iter::Each) && parts.len() > 2 => {
                self.compose(&parts[1..], args.to_vec())
            }
            _ => match self.projection(f) {
                Some([at, f]) if at.as_prim() == Some(Prim::At) && self.is_function(f) => self.call(f, args),
                Some(parts) => self.complete(parts, args),
                None => self.b.not_yet("this function"),
            },
        }
    }

    /// A projection with the arguments that it awaits: first those in its holes, then the ones at its end.
    fn complete(&mut self, parts: &[Value], args: &[Node]) -> Result<Node> {
        let mut more = args.iter().copied();
        let mut all = vec![];
        for i in 1..parts.len() {
            all.push(match (parts[i].as_prim(), &mut more) {
                (Some(Prim::Elided), more) => match more.next() {
                    Some(x) => x,
                    None => return self.b.not_yet("a projection"),
                },
                _ => self.arg(parts, i)?,
            });
        }
        all.extend(more);
        self.call(&parts[0], &all)
    }

    /// The function that the iterator derives from a primitive.
    pub(super) fn iterate(&mut self, iter: Iter, p: Prim, args: &[Node]) -> Result<Node> {
        match (iter, args) {
            (Iter::Scan, &[x]) => self.running(p, x),
            (Iter::Scan, &[seed, x]) => self.seeded(p, seed, x),
            (Iter::Prior, &[x]) => self.prior(p, x),
            (Iter::Over, [_]) => {
                let p = match p {
                    Prim::Add => Prim::Sum,
                    Prim::Mul => Prim::Prd,
                    Prim::Lesser => Prim::Min,
                    Prim::Greater => Prim::Max,
                    _ => return self.b.not_yet("this function derived by /"),
                };
                self.apply_nodes(p, args)
            }
            _ => self.b.not_yet("this derived function"),
        }
    }

    /// A composition: the last function takes all arguments, each before it the result.
    pub(super) fn compose(&mut self, parts: &[Value], mut args: Vec<Node>) -> Result<Node> {
        for f in parts.iter().rev() {
            args = vec![self.call(f, &args)?];
        }
        match args.first() {
            Some(&result) => Ok(result),
            None => self.b.internal("a composition has parts"),
        }
    }
}
