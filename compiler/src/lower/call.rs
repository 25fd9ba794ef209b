//! Functions that a tree holds, applied to values: primitives, the user's, derived, composed and projected ones.

use super::Lower;
use super::expr::is_iter;
use crate::error::Result;
use crate::ir::{Dim, Node, Op};
use q::fun::Class;
use q::value::{Func, Iter};
use q::{Prim, Value};

impl Lower<'_> {
    /// Is `head` a function, and not a value that is indexed?
    pub(super) fn is_function(&self, head: &Value) -> bool {
        if self.primitive(head).is_some() || self.derived(head).is_some() || iterated(head).is_some() {
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
        if let Some((iter, f)) = iterated(f) {
            return self.iterate_function(iter, f, args);
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
            (Iter::Prior, &[seed, x]) if p.row().class == Class::Map && p.row().max == 2 => {
                let before = self.before(seed, x)?;
                self.apply_nodes(p, &[x, before])
            }
            (Iter::Each, args) if p.row().class == Class::Map && args.len() == p.row().max as usize => {
                self.item_by_item(&Value::prim(p), args)
            }
            (Iter::Over, [_]) => {
                let p = match p {
                    Prim::Add => Prim::Sum,
                    Prim::Mul => Prim::Prd,
                    Prim::Lesser => Prim::Min,
                    Prim::Greater => Prim::Max,
                    _ => return self.last_step(&Value::prim(p), None, args),
                };
                self.apply_nodes(p, args)
            }
            (Iter::Over, &[seed, x]) => self.last_step(&Value::prim(p), Some(seed), &[x]),
            _ => self.b.not_yet("this derived function"),
        }
    }

    /// A function derived from one that is no primitive.
    pub(super) fn iterate_function(&mut self, iter: Iter, f: &Value, args: &[Node]) -> Result<Node> {
        match (iter, args) {
            // A function of one argument goes to each item.
            (Iter::Prior, &[x]) if matches!(f, Value::Fun(Func::Lambda(f)) if f.params.len() == 1) => {
                self.item_by_item(f, &[x])
            }
            (Iter::Prior, &[x]) if !self.b.is_atom(x) => {
                let ty = self.b.graph.ty(x);
                let none = self.b.null(ty.kind, ty.domain);
                let before = self.before(none, x)?;
                self.item_by_item(f, &[x, before])
            }
            (Iter::Prior, &[seed, x]) => {
                let before = self.before(seed, x)?;
                self.item_by_item(f, &[x, before])
            }
            (Iter::Each, [_, ..]) => self.item_by_item(f, args),
            (Iter::Scan, &[seed, x]) => match self.named_by(f) {
                Some(p) => self.seeded(p, seed, x),
                None => self.steps(f, Some(seed), &[x]),
            },
            (Iter::Scan, &[x]) => self.steps(f, None, &[x]),
            (Iter::Scan, &[seed, ref items @ ..]) => self.steps(f, Some(seed), items),
            (Iter::Over, &[x]) => self.last_step(f, None, &[x]),
            (Iter::Over, &[seed, ref items @ ..]) => self.last_step(f, Some(seed), items),
            _ => self.b.not_yet("this function derived from no primitive"),
        }
    }

    /// The primitive that a function of two arguments applies to them, as `{x+y}` does.
    fn named_by(&self, f: &Value) -> Option<Prim> {
        let Value::Fun(Func::Lambda(f)) = f else { return None };
        let ([x, y], [Value::List(body)]) = (&f.params[..], &f.body[..]) else { return None };
        match &body[..] {
            [p, a, b] if (a.as_sym(), b.as_sym()) == (Some(*x), Some(*y)) => self.primitive(p),
            _ => None,
        }
    }

    /// `f` applied to each item of vectors over the same rows: what it does to them as vectors, if that is to do to each
    /// item the same.
    pub(super) fn item_by_item(&mut self, f: &Value, args: &[Node]) -> Result<Node> {
        let mut args = self.aligned(args)?;
        let dim = self.b.zip(&mut args)?;
        // An atom divides a list by its reciprocal, but not an atom.
        let outer = std::mem::replace(&mut self.b.items, true);
        let node = self.call(f, &args);
        self.b.items = outer;
        let node = node?;
        let mut todo = vec![node];
        while let Some(n) = todo.pop() {
            let def = &self.b.graph.nodes[n];
            let fits = match def.op {
                _ if args.contains(&n) => true,
                Op::Param(_)
                | Op::Null
                | Op::Map(_)
                | Op::Cast
                | Op::Cond
                | Op::Lookup
                | Op::Member
                | Op::Bin
                | Op::Binr
                | Op::Spread => true,
                _ => false,
            };
            if !fits {
                return self.b.not_yet("a function of each item that sees more than that item");
            }
            if !args.contains(&n) {
                todo.extend(&def.args);
            }
        }
        if dim == Dim::ONE { Ok(node) } else { self.spread_over(node, dim) }
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

/// The iterator and the function of a derived function, as a value or as a tree of it.
fn iterated(head: &Value) -> Option<(Iter, &Value)> {
    match head {
        Value::Fun(Func::Derived(iter, f)) => Some((*iter, f)),
        Value::List(parts) => match &parts[..] {
            [Value::Fun(Func::Iter(iter)), f] => Some((*iter, f)),
            _ => None,
        },
        _ => None,
    }
}
