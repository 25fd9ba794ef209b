//! Scans with a seed: `s p\x`, each item by `p` with the result before it, and the first with the seed.
//!
//! They are the scans without a seed of items whose first has met it. Those leave nulls out, and `p` does not: what a
//! null spoils, all from it on, is told by a scan of where there is one, in the items or, since sums wrap, in the
//! results.

use super::Lower;
use crate::error::Result;
use crate::ir::{Dim, Node, scan};
use q::sig::sig2;
use q::{Kind, Prim, Value};

impl Lower<'_> {
    /// `seed p\x`.
    pub(super) fn seeded(&mut self, p: Prim, seed: Node, x: Node) -> Result<Node> {
        // To take away is to add the negative, to the last bit; but times differ by their own rules.
        let plain = |n: Node| {
            let kind = self.b.graph.ty(n).kind;
            !kind.is_temporal() && !matches!(kind, Kind::Char | Kind::Sym | Kind::Enum | Kind::Guid)
        };
        if p == Prim::Sub && plain(seed) && plain(x) {
            let x = self.b.map1(Prim::Neg, x)?;
            return self.seeded(Prim::Add, seed, x);
        }
        if !matches!(p, Prim::Add | Prim::Mul | Prim::Lesser | Prim::Greater | Prim::Fill) {
            return self.steps(&Value::prim(p), Some(seed), &[x]);
        }
        if self.b.is_atom(x) || self.b.graph.ty(seed).dim != Dim::ONE {
            return self.b.not_yet("a seeded scan but of a list, by an atom");
        }
        let first = self.b.map2(p, seed, x)?;
        let (kind, of) = (self.b.graph.ty(first).kind, self.b.graph.ty(x).kind);
        if sig2(p, kind, of).is_none_or(|s| s.out != kind) {
            return self.steps(&Value::prim(p), Some(seed), &[x]);
        }
        let places = self.places(x)?;
        let zero = self.b.constant(Kind::Long, 0);
        let begins = self.b.map2(Prim::Eq, places, zero)?;
        let symbols = matches!(kind, Kind::Sym | Kind::Enum);
        let rest = if symbols { x } else { self.b.cast(x, kind)? };
        let items = self.b.cond(begins, first, rest)?;
        if p == Prim::Fill {
            return self.scan(p, items, &[]);
        }
        // A running sum of reals is rounded once a row, a seeded one at each step.
        let rounded = kind == Kind::Real && matches!(p, Prim::Add | Prim::Mul);
        if rounded || scan::sig(p, kind).is_none_or(|s| (s.arg, s.out) != (kind, kind)) {
            return self.steps(&Value::prim(p), Some(seed), &[x]);
        }
        let results = self.scan(p, items, &[])?;
        // Bytes have no null that is less than all others, and none spoils what follows.
        if kind.store() == q::Store::B && matches!(p, Prim::Lesser | Prim::Greater) {
            return Ok(results);
        }
        let mut missing = self.b.map1(Prim::Null, items)?;
        if !matches!(p, Prim::Lesser | Prim::Greater) {
            let lost = self.b.map1(Prim::Null, results)?;
            missing = self.b.map2(Prim::Greater, missing, lost)?;
        }
        // The greater of a null and an item is the item, so it takes nulls from the first on to leave one.
        let spoilt =
            self.scan(if p == Prim::Greater { Prim::Lesser } else { Prim::Greater }, missing, &[])?;
        let none = self.b.null(kind, None);
        self.b.cond(spoilt, none, results)
    }
}
