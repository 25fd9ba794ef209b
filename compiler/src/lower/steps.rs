//! Recurrences `f\x` and `seed f\x` by any function of atoms, and their last results.

use super::Lower;
use crate::error::{Code, Result};
use crate::ir::{Dim, Node};
use q::value::Func;
use q::{Kind, Prim, Value};

impl Lower<'_> {
    /// `f\[seed;x;…]`, or without a seed `f\x`: the function of the result before and the items of a row, which a list's
    /// first row has of the seed, or is.
    pub(super) fn steps(&mut self, f: &Value, seed: Option<Node>, items: &[Node]) -> Result<Node> {
        let items = self.aligned(items)?;
        let Some(&x) = items.iter().find(|&&x| !self.b.is_atom(x)) else {
            return self.b.not_yet("a recurrence but of a list");
        };
        let rank = match f {
            Value::Fun(Func::Lambda(f)) => Some(f.params.len()),
            _ => None,
        };
        if rank.is_some_and(|rank| rank != items.len() + 1) {
            return self.b.not_yet("a function that is applied until its results are alike");
        }
        let (dim, lists) = (self.b.graph.ty(x).dim, self.lists(x)?);
        let first = match seed {
            Some(seed) if !self.b.is_atom(seed) => {
                return self.b.not_yet("a recurrence whose seed is no atom");
            }
            Some(seed) => {
                let seed = self.spread_over(seed, dim)?;
                self.item_by_item(f, &[&[seed], &items[..]].concat())?
            }
            None => x,
        };
        let first = self.b.over(first, dim)?;
        let kind = self.b.graph.ty(first).kind;
        if matches!(kind, Kind::Sym | Kind::Enum | Kind::Guid) {
            return self.b.not_yet(format!("a recurrence of {}", kind.name()));
        }
        let mut args = vec![self.b.argument(0, kind)];
        for (&x, i) in items.iter().zip(1..) {
            args.push(self.b.argument(i, self.b.graph.ty(x).kind));
        }
        // Lists of one item have no second step.
        let next = match self.call(f, &args) {
            Err(e) if e.code != Code::NotYet => {
                return self.b.not_yet(format!("a recurrence whose second step signals '{e}"));
            }
            next => next?,
        };
        if self.b.graph.ty(next).kind != kind {
            return self.b.not_yet("a recurrence whose results are of several types");
        }
        self.b.steps(lists, first, &items, next)
    }

    /// `f/[seed;x;…]` or `f/x`: the last result; of no items the seed.
    pub(super) fn last_step(&mut self, f: &Value, seed: Option<Node>, items: &[Node]) -> Result<Node> {
        let results = self.steps(f, seed, items)?;
        // A group has items.
        if seed.is_none() && !self.has_items(self.b.graph.ty(results).dim) {
            return self.b.not_yet("a fold, without a seed, of what may have no items");
        }
        let last = self.aggregate(Prim::Last, results)?;
        let Some(seed) = seed else { return Ok(last) };
        let (size, zero) = (self.aggregate(Prim::Count, results)?, self.b.constant(Kind::Long, 0));
        let none = self.b.map2(Prim::Eq, size, zero)?;
        self.b.cond(none, seed, last)
    }

    /// `$[c;x;y]` of atoms, or of items one at a time.
    pub(super) fn chosen(&mut self, c: Node, x: Node, y: Node) -> Result<Node> {
        let atoms = [c, x, y].iter().all(|&n| self.b.graph.ty(n).dim == Dim::ONE);
        if self.b.graph.ty(x).kind != self.b.graph.ty(y).kind || !(atoms || self.b.items) {
            return self.b.not_yet("$[c;x;y] but of atoms of one type");
        }
        let c = match self.b.graph.ty(c).kind {
            Kind::Bool => c,
            _ => {
                let zero = self.small(self.b.graph.ty(c).kind, 0)?;
                self.b.map2(Prim::Ne, c, zero)?
            }
        };
        self.b.cond(c, x, y)
    }
}
