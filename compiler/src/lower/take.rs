//! Parts of lists by place: `n#x`, `n sublist x`, `n _ x`, `n rotate x`, and `x i`.
//!
//! A part is rows kept from a list. `n#x` is the part of at most so many items, which the host repeats where a list has
//! fewer: `Lower::taken` names the dims that stand for such lists.

use super::Lower;
use crate::error::Result;
use crate::ir::{Dim, DimDef, Node, Op, Param, Source};
use q::{Kind, Prim, Store};

impl Lower<'_> {
    /// `n sublist x`: the first `n` items, the last `-n`, or with a pair so many from a place on.
    pub(super) fn sublist(&mut self, n: Node, x: Node) -> Result<Node> {
        let (from, to) = match (self.b.graph.dims[self.b.graph.ty(n).dim].clone(), self.b.graph.nodes[n].op) {
            (DimDef::Given(_), Op::Param(p)) => {
                let kind = self.b.graph.ty(n).kind;
                let mut end = |i| {
                    let p = self.b.param(kind, Source::Item(p, i));
                    self.b.atom(p)
                };
                let (from, count) = (end(0), end(1));
                let (from, count) = (self.count(from)?, self.count(count)?);
                let zero = self.b.constant(Kind::Long, 0);
                let from = self.b.map2(Prim::Greater, from, zero)?;
                let count = self.b.map2(Prim::Greater, count, zero)?;
                (from, self.b.map2(Prim::Add, from, count)?)
            }
            _ => {
                let n = self.count(n)?;
                self.ends(n, x)?
            }
        };
        let [after, before] = self.between(from, to, x)?;
        let mask = self.b.map2(Prim::Lesser, after, before)?;
        self.those(x, mask)
    }

    /// The places from which and before which the first `n` items lie, or the last `-n`.
    fn ends(&mut self, n: Node, x: Node) -> Result<(Node, Node)> {
        let (zero, size) = (self.b.constant(Kind::Long, 0), self.size(x)?);
        let negative = self.b.map2(Prim::Lt, n, zero)?;
        let last = self.b.map2(Prim::Add, size, n)?;
        let from = self.b.cond(negative, last, zero)?;
        Ok((from, self.b.cond(negative, size, n)?))
    }

    /// Is the place of each item at `from` or after, and is it before `to`?
    fn between(&mut self, from: Node, to: Node, x: Node) -> Result<[Node; 2]> {
        let at = self.places(x)?;
        Ok([self.b.map2(Prim::Ge, at, from)?, self.b.map2(Prim::Lt, at, to)?])
    }

    /// The items of `x` where `mask` holds.
    pub(super) fn those(&mut self, x: Node, mask: Node) -> Result<Node> {
        let kept = self.b.kept(self.b.graph.ty(x).dim, mask)?;
        self.b.over(x, kept)
    }

    /// `n#x`.
    pub(super) fn take(&mut self, n: Node, x: Node) -> Result<Node> {
        if self.b.is_atom(x) || self.given(x).is_some() || self.is_taken(x) {
            return self.b.not_yet("# of what is no list over the rows");
        }
        let n = self.count(n)?;
        let count = match (self.b.graph.nodes[n].op, &self.b.graph.nodes[n].args[..]) {
            (Op::Param(p), _) => p,
            (Op::Cast, &[n]) if let Op::Param(p) = self.b.graph.nodes[n].op => {
                self.b.param(Kind::Long, Source::Cast(p, Kind::Long))
            }
            _ => return self.b.not_yet("# by a count that the rows decide"),
        };
        let n = self.b.atom(count);
        let (from, to) = self.ends(n, x)?;
        let [after, before] = self.between(from, to, x)?;
        // The two stand the other way about in `sublist`, whose part is another dim by that.
        let mask = self.b.map2(Prim::Lesser, before, after)?;
        let part = self.those(x, mask)?;
        self.taken.insert(self.b.graph.ty(part).dim, count);
        Ok(part)
    }

    /// Is it a list whose items the host may repeat?
    pub(super) fn is_taken(&self, x: Node) -> bool {
        self.taken.contains_key(&self.b.graph.ty(x).dim)
    }

    /// An aggregate of the list `n#y` whose items, once each, are `x`.
    pub(super) fn aggregate_taken(&mut self, p: Prim, x: Node, n: Param) -> Result<Node> {
        let n = self.b.atom(n);
        let DimDef::Kept { of, .. } = self.b.graph.dims[self.b.graph.ty(x).dim] else {
            return self.b.internal("what is taken is kept from a list");
        };
        let some = self.taken_of_some(p, x, n, of)?;
        // Of no items come nulls, which count for nothing; but what has no null has zeros.
        let alike = matches!(p, Prim::Count | Prim::Sum | Prim::Any | Prim::Max | Prim::First | Prim::Last);
        if alike || self.b.graph.ty(x).kind.store() != Store::B || self.has_items(of) {
            return Ok(some);
        }
        let all = self.b.unkept_to(x, of)?;
        let (size, zero) = (self.aggregate_part(Prim::Count, all)?, self.b.constant(Kind::Long, 0));
        let (none, asked) = (self.b.map2(Prim::Eq, size, zero)?, self.b.map2(Prim::Ne, n, zero)?);
        let zeros = self.b.map2(Prim::Lesser, none, asked)?;
        let zero = self.b.cast(zero, self.b.graph.ty(some).kind)?;
        self.b.cond(zeros, zero, some)
    }

    /// Has each list of the rows `dim` items? Those of groups have.
    pub(super) fn has_items(&self, dim: Dim) -> bool {
        self.groups.is_some() && dim == self.dim
    }

    /// As `aggregate_taken`, of a list that has items.
    fn taken_of_some(&mut self, p: Prim, x: Node, n: Node, of: Dim) -> Result<Node> {
        let all = self.b.unkept_to(x, of)?;
        let (at, size) = (self.places(all)?, self.size(all)?);
        // The first item is that at `n mod size` of a list that is filled from its end, the last that before it.
        let (zero, one) = (self.b.constant(Kind::Long, 0), self.b.constant(Kind::Long, 1));
        let negative = self.b.map2(Prim::Lt, n, zero)?;
        let turned = self.b.map2(Prim::Mod, n, size)?;
        let first = self.b.cond(negative, turned, zero)?;
        let many = self.b.map1(Prim::Abs, n)?;
        match p {
            Prim::Count => Ok(many),
            Prim::Min | Prim::Max | Prim::All | Prim::Any => self.aggregate_part(p, x),
            Prim::Var | Prim::Dev | Prim::Svar | Prim::Sdev => {
                let Some(sig) = q::sig::sig1(p, self.b.graph.ty(x).kind) else {
                    return self.b.signal("type", p.row().text);
                };
                let out = self.deviations_by_sums(p, x, x)?;
                self.b.cast(out, sig.out)
            }
            Prim::First | Prim::Last => {
                let place = match p {
                    Prim::First => first,
                    _ => {
                        let last = self.b.map2(Prim::Add, first, many)?;
                        let last = self.b.map2(Prim::Sub, last, one)?;
                        self.b.map2(Prim::Mod, last, size)?
                    }
                };
                let mask = self.b.map2(Prim::Eq, at, place)?;
                let some = self.b.map2(Prim::Gt, many, zero)?;
                let mask = self.b.map2(Prim::Lesser, mask, some)?;
                let item = self.those(all, mask)?;
                self.aggregate_part(p, item)
            }
            Prim::Sum | Prim::Avg => {
                // How often each item is there.
                let since = self.b.map2(Prim::Sub, at, first)?;
                let since = self.b.map2(Prim::Mod, since, size)?;
                let left = self.b.map2(Prim::Sub, many, one)?;
                let left = self.b.map2(Prim::Sub, left, since)?;
                let times = self.b.map2(Prim::Div, left, size)?;
                let times = self.b.map2(Prim::Add, times, one)?;
                let times = self.b.over(times, self.b.graph.ty(x).dim)?;
                if p == Prim::Avg {
                    return self.aggregate2_part(Prim::Wavg, times, x);
                }
                let kind = self.b.graph.ty(x).kind;
                let times = if kind == Kind::Real { self.b.cast(times, kind)? } else { times };
                let product = self.b.map2(Prim::Mul, x, times)?;
                let sum = self.aggregate_part(p, product)?;
                match q::sig::sig1(p, kind) {
                    Some(sig) if sig.out.store() == Store::I => {
                        // A sum that its type has no room for is null; a cast would make it the greatest there is.
                        let (out, most) = (sig.out, self.b.constant(Kind::Long, i64::from(i32::MAX)));
                        let size = self.b.map1(Prim::Abs, sum)?;
                        let (fits, sum) = (self.b.map2(Prim::Le, size, most)?, self.b.cast(sum, out)?);
                        let none = self.b.null(out, None);
                        self.b.cond(fits, sum, none)
                    }
                    Some(sig) => self.b.cast(sum, sig.out),
                    None => self.b.signal("type", format!("{} of {}", p.row().text, kind.name())),
                }
            }
            _ => self.b.not_yet(format!("{} of n#x", p.row().text)),
        }
    }

    /// `n _ x`: without the first `n` items, or the last `-n`.
    pub(super) fn drop(&mut self, n: Node, x: Node) -> Result<Node> {
        if self.b.is_atom(x) || self.given(x).is_some() || self.is_taken(x) {
            return self.b.not_yet("_ of what is no list over the rows");
        }
        let n = self.count(n)?;
        let (size, at) = (self.size(x)?, self.places(x)?);
        let zero = self.b.constant(Kind::Long, 0);
        // The null count leaves nothing, as the greatest does.
        let after = self.b.map2(Prim::Ge, at, n)?;
        let negative = self.b.map2(Prim::Lt, n, zero)?;
        let to = self.b.map2(Prim::Add, size, n)?;
        let before = self.b.map2(Prim::Lt, at, to)?;
        let mask = self.b.cond(negative, before, after)?;
        self.those(x, mask)
    }

    /// `n rotate x`: the items in the order of their places, but for the first `n`, which come last.
    pub(super) fn rotate(&mut self, n: Node, x: Node) -> Result<Node> {
        if self.b.is_atom(x) {
            return self.b.signal("type", "rotate of an atom");
        }
        let n = self.count(n)?;
        let (size, at) = (self.size(x)?, self.places(x)?);
        let place = self.b.map2(Prim::Sub, at, n)?;
        let place = self.b.map2(Prim::Mod, place, size)?;
        self.scan(Prim::Iasc, place, &[x])
    }

    /// The item of the list `x` at the place `i`, an atom or one for each group; null where there is none.
    pub(super) fn item_at(&mut self, x: Node, i: Node) -> Result<Node> {
        if !matches!(self.b.graph.ty(i).kind, Kind::Long | Kind::Int | Kind::Short | Kind::Bool) {
            return self.b.signal("type", "a position is a whole number");
        }
        let (i, at) = (self.b.cast(i, Kind::Long)?, self.places(x)?);
        let mask = self.b.map2(Prim::Eq, at, i)?;
        let item = self.those(x, mask)?;
        self.aggregate(Prim::First, item)
    }

    /// `list?x` of a list over the rows and an atom or a value for each group: the first place of it, or the count.
    pub(super) fn place_of(&mut self, list: Node, x: Node) -> Result<Node> {
        let hit = self.hits(x, list)?;
        let (at, size) = (self.places(list)?, self.size(list)?);
        let at = self.those(at, hit)?;
        let first = self.aggregate(Prim::First, at)?;
        self.b.map2(Prim::Fill, size, first)
    }

    /// How many items the list of `x` has.
    pub(super) fn size(&mut self, x: Node) -> Result<Node> {
        let into = match self.lists(x)? {
            d if matches!(self.b.graph.dims[d], DimDef::Groups { .. }) => d,
            _ => Dim::ONE,
        };
        self.b.agg1(Prim::Count, x, into)
    }
}
