//! Aggregates as expressions of sums: where float sums are compensated, averages are quotients of such sums (deviations
//! need nothing then: they are taken from a mean that is near each value, whatever rounding did to it), and where
//! items are repeated, as in `n#x`, sums are what knows how often.

use super::Lower;
use crate::error::Result;
use crate::ir::{Dim, Node};
use q::sig::{sig1, sig2};
use q::{Kind, Prim};

impl Lower<'_> {
    /// `avg x` of a vector: the sum of what is not null over how many those are.
    pub(super) fn avg_by_sums(&mut self, x: Node) -> Result<Node> {
        let kind = self.b.graph.ty(x).kind;
        let Some(sig) = sig1(Prim::Avg, kind) else {
            return self.b.signal("type", format!("avg of {}", kind.name()));
        };
        let x = self.b.cast(x, Kind::Float)?;
        let some = self.there(x)?;
        let count = self.b.cast(some, Kind::Long)?;
        let (sum, count) = (self.aggregate(Prim::Sum, x)?, self.aggregate(Prim::Sum, count)?);
        let out = self.b.map2(Prim::Divide, sum, count)?;
        self.b.cast(out, sig.out)
    }

    /// `x wsum y` and `x wavg y` over the vectors of `dim`. A pair with a null counts for nothing.
    pub(super) fn pairs_by_sums(&mut self, p: Prim, x: Node, y: Node, dim: Dim) -> Result<Node> {
        let kinds = [x, y].map(|n| self.b.graph.ty(n).kind);
        let Some(sig) = sig2(p, kinds[0], kinds[1]) else {
            return self.b.signal("type", p.row().text);
        };
        let (x, y) = (self.b.cast(x, sig.x)?, self.b.cast(y, sig.y)?);
        let (x, y) = (self.b.over(x, dim)?, self.b.over(y, dim)?);
        if p == Prim::Wsum {
            let product = self.b.map2(Prim::Mul, x, y)?;
            let sum = self.aggregate(Prim::Sum, product)?;
            return self.b.cast(sum, sig.out);
        }
        let (there, none) = (self.there(y)?, self.b.null(sig.x, None));
        let weight = self.b.cond(there, x, none)?;
        let both = self.there(weight)?;
        let (sum, weight) = (self.products(both, x, y)?, self.aggregate(Prim::Sum, weight)?);
        let out = self.b.map2(Prim::Divide, sum, weight)?;
        self.b.cast(out, sig.out)
    }

    /// Deviations and products of deviations: `var x` is `x cov x`.
    pub(super) fn deviations_by_sums(&mut self, p: Prim, x: Node, y: Node) -> Result<Node> {
        let (x, y) = (self.b.cast(x, Kind::Float)?, self.b.cast(y, Kind::Float)?);
        let (some, other) = (self.there(x)?, self.there(y)?);
        let (both, none) = (self.b.map2(Prim::Lesser, some, other)?, self.b.null(Kind::Float, None));
        let (x, y) = (self.b.cond(both, x, none)?, self.b.cond(both, y, none)?);
        let count = self.b.cast(both, Kind::Long)?;
        let count = self.aggregate(Prim::Sum, count)?;
        let (dx, dy) = (self.deviation(x, count)?, self.deviation(y, count)?);
        let cross = self.products(both, dx, dy)?;
        let over = match p {
            Prim::Cor => {
                let (xx, yy) = (self.products(both, dx, dx)?, self.products(both, dy, dy)?);
                let squares = self.b.map2(Prim::Mul, xx, yy)?;
                self.b.map1(Prim::Sqrt, squares)?
            }
            // A sample of one or none has no deviation.
            Prim::Svar | Prim::Sdev | Prim::Scov => {
                let one = self.b.constant(Kind::Long, 1);
                let (many, less) = (self.b.map2(Prim::Gt, count, one)?, self.b.map2(Prim::Sub, count, one)?);
                let none = self.b.null(Kind::Long, None);
                self.b.cond(many, less, none)?
            }
            _ => count,
        };
        let out = self.b.map2(Prim::Divide, cross, over)?;
        if matches!(p, Prim::Dev | Prim::Sdev) { self.b.map1(Prim::Sqrt, out) } else { Ok(out) }
    }

    /// How far each item is from the mean of the `count` that are no null.
    fn deviation(&mut self, x: Node, count: Node) -> Result<Node> {
        let sum = self.aggregate(Prim::Sum, x)?;
        let mean = self.b.map2(Prim::Divide, sum, count)?;
        let mean = self.b.over(mean, self.b.graph.ty(x).dim)?;
        self.b.map2(Prim::Sub, x, mean)
    }

    /// The sum of the products of `both`, which are no nulls. One that is none, as zero times infinity, makes it none.
    fn products(&mut self, both: Node, x: Node, y: Node) -> Result<Node> {
        let product = self.b.map2(Prim::Mul, x, y)?;
        let made = self.there(product)?;
        let lost = self.b.map2(Prim::Gt, both, made)?;
        let (sum, lost) = (self.aggregate(Prim::Sum, product)?, self.aggregate(Prim::Any, lost)?);
        let none = self.b.null(self.b.graph.ty(sum).kind, None);
        self.b.cond(lost, none, sum)
    }

    /// Is `x` no null?
    fn there(&mut self, x: Node) -> Result<Node> {
        let null = self.b.map1(Prim::Null, x)?;
        self.b.map1(Prim::Not, null)
    }
}
