//! Primitives applied: elementwise maps, aggregates, the vector conditional.

use super::Lower;
use crate::error::Result;
use crate::ir::{Dim, DimDef, Node, Op};
use q::fun::Class;
use q::sig::{sig1, sig2};
use q::value::Iter;
use q::{Kind, Prim, Store, Value};

impl Lower<'_> {
    /// `p` applied to the trees after the head of `items`.
    pub(super) fn apply(&mut self, p: Prim, items: &[Value]) -> Result<Node> {
        match (p, items.len() - 1) {
            (Prim::In, 2) => self.member(items),
            (Prim::Within, 2) => self.within(items),
            (Prim::Inter | Prim::Except, 2) => self.sifted(items, p == Prim::Inter),
            (Prim::Fby, 2) => self.fby(items),
            (Prim::At, 2) if self.is_function(&items[1]) => {
                let x = self.arg(items, 2)?;
                self.call(&items[1], &[x])
            }
            (Prim::EachKw | Prim::Peach, 2) if self.primitive(&items[1]) == Some(Prim::Count) => {
                self.counts(&items[2])
            }
            (Prim::PriorKw | Prim::ScanKw | Prim::OverKw, 2) => {
                let iter = match p {
                    Prim::PriorKw => Iter::Prior,
                    Prim::ScanKw => Iter::Scan,
                    _ => Iter::Over,
                };
                let x = self.arg(items, 2)?;
                match self.primitive(&items[1]) {
                    Some(f) => self.iterate(iter, f, &[x]),
                    None => self.iterate_function(iter, &items[1], &[x]),
                }
            }
            (Prim::EachKw | Prim::Peach, 2) if self.is_function(&items[1]) => {
                let x = self.arg(items, 2)?;
                self.item_by_item(&items[1], &[x])
            }
            // The control form is not allowed in a query; inside a function it is only not here yet.
            (Prim::Dollar, 3..) if self.frames.is_empty() => {
                self.b.signal("rank", "$[c;a;b] is not allowed in a query: use ?[c;a;b]")
            }
            _ => {
                let args = self.args(items)?;
                self.apply_nodes(p, &args)
            }
        }
    }

    /// `p` applied to values.
    pub(super) fn apply_nodes(&mut self, p: Prim, args: &[Node]) -> Result<Node> {
        let zips = (p.row().class == Class::Map && !matches!(p, Prim::In | Prim::Within | Prim::Like))
            || (p.row().class == Class::Agg && args.len() == 2)
            || (p == Prim::Query && args.len() == 3);
        let args = &*if zips { self.aligned(args)? } else { args.to_vec() };
        match (p, args) {
            (Prim::Ident, &[x]) => Ok(x),
            (Prim::Query, &[b, x, y]) => self.b.cond(b, x, y),
            (Prim::Dollar, &[c, x, y]) => self.chosen(c, x, y),
            (Prim::Like, &[x, pattern]) => match self.b.graph.nodes[pattern].op {
                Op::Param(p) => self.b.like(x, p),
                _ => self.b.not_yet("like of a computed pattern"),
            },
            (Prim::In | Prim::Within, _) => self.b.not_yet("this form of in and within"),
            _ if let Some(out) = self.of_lists(p, args)? => Ok(out),
            _ => match (p.row().class, args) {
                (Class::Map, &[x]) if p.row().max == 1 => self.b.map1(p, x),
                (Class::Map, &[x, y]) if p.row().max == 2 => self.b.map2(p, x, y),
                (Class::Agg, &[x]) if p.row().max == 1 => self.aggregate(p, x),
                (Class::Agg, &[x, y]) if p.row().max == 2 => self.aggregate2(p, x, y),
                (_, args) if args.len() > p.row().max as usize => {
                    self.b.signal("rank", format!("{} takes {} arguments", p.row().text, p.row().max))
                }
                _ => self.b.not_yet(p.row().word()),
            },
        }
    }

    /// Where the aggregate of a vector over `dim` goes.
    fn result_dim(&self, dim: Dim) -> Result<Dim> {
        match (self.groups, self.b.graph.dims[dim].clone()) {
            (Some(groups), _) if dim == self.dim => Ok(groups),
            (Some(_), DimDef::Given(_)) => {
                self.b.not_yet("an aggregate of a list that is no column, by group")
            }
            (_, DimDef::Given(_)) => Ok(Dim::ONE),
            (None, _) if self.is_kept(dim) => Ok(Dim::ONE),
            _ => self.b.internal("a vector that is neither over the rows in sight nor a list"),
        }
    }

    pub(super) fn aggregate(&mut self, p: Prim, x: Node) -> Result<Node> {
        if self.b.is_atom(x) {
            return self.aggregate_atom(p, x);
        }
        let dim = self.b.graph.ty(x).dim;
        if p == Prim::Count && matches!(self.b.graph.dims[dim], DimDef::Given(_)) {
            return self.b.not_yet("the count of a list that is no column");
        }
        match self.taken.get(&dim) {
            Some(&n) => self.aggregate_taken(p, x, n),
            None => self.aggregate_part(p, x),
        }
    }

    /// The aggregate of a vector over the rows in sight or some of them.
    pub(super) fn aggregate_part(&mut self, p: Prim, x: Node) -> Result<Node> {
        if p == Prim::Avg && self.schema.compensated {
            return self.avg_by_sums(x);
        }
        let dim = self.b.graph.ty(x).dim;
        if self.groups.is_some() && dim != self.dim && self.is_kept(dim) {
            return self.aggregate_some(p, x);
        }
        let into = self.result_dim(dim)?;
        self.b.agg1(p, x, into)
    }

    /// The aggregate, by group, of some of the rows in sight: of all of them, with what changes nothing at the others.
    fn aggregate_some(&mut self, p: Prim, x: Node) -> Result<Node> {
        let dim = self.b.graph.ty(x).dim;
        let Some(groups) = self.groups else { return self.b.internal("part of no group") };
        match p {
            Prim::Med => return self.b.agg1(p, x, groups),
            Prim::First | Prim::Last => {
                let DimDef::Kept { mask, .. } = self.b.graph.dims[dim] else {
                    return self.b.internal("part of the rows is kept from them");
                };
                let no = self.b.constant(Kind::Bool, 0);
                let some = self.widened(mask, no)?;
                return self.b.edge(p, x, some, groups);
            }
            Prim::Count => {
                let one = self.b.constant(Kind::Long, 1);
                let (x, none) = (self.b.over(one, dim)?, self.b.constant(Kind::Long, 0));
                let x = self.widened(x, none)?;
                return self.b.agg1(Prim::Sum, x, groups);
            }
            _ => {}
        }
        let had = self.b.graph.ty(x).kind;
        let Some(sig) = sig1(p, had) else {
            return self.b.signal("type", format!("{} of {}", p.row().text, had.name()));
        };
        // Bytes have no null that an aggregate would leave out, so the others get what changes nothing.
        let bytes = had.store() == Store::B;
        let (kind, neutral) = match p {
            Prim::All | Prim::Any => (Kind::Bool, Some((p == Prim::All) as i64)),
            Prim::Min if had == Kind::Bool => (had, Some(1)),
            Prim::Min if bytes => (had, Some(255)),
            Prim::Max if bytes => (had, Some(0)),
            Prim::Sum | Prim::Prd if bytes => (sig.out, Some((p == Prim::Prd) as i64)),
            _ if bytes => (Kind::Float, None),
            _ => (had, None),
        };
        let none = match neutral {
            Some(n) if kind == Kind::Char => {
                let byte = self.b.constant(Kind::Byte, n);
                self.b.cast(byte, kind)?
            }
            Some(n) => self.b.constant(kind, n),
            None => self.b.null(kind, None),
        };
        let x = self.b.cast(x, kind)?;
        let x = self.widened(x, none)?;
        self.b.agg1(p, x, groups)
    }

    /// `x`, over some of the rows in sight, on all of them: `none` at the others.
    pub(super) fn widened(&mut self, x: Node, none: Node) -> Result<Node> {
        let (mut x, mut dim) = (x, self.b.graph.ty(x).dim);
        while let DimDef::Kept { of, .. } = self.b.graph.dims[dim]
            && dim != self.dim
        {
            x = self.b.place(x, none)?;
            dim = of;
        }
        Ok(x)
    }

    /// The aggregate of an atom: `+/` and its like leave an atom as it is, in type too; `avg` makes it a float.
    fn aggregate_atom(&mut self, p: Prim, x: Node) -> Result<Node> {
        let kind = self.b.graph.ty(x).kind;
        let Some(sig) = sig1(p, kind) else {
            return self.b.signal("type", format!("{} of {}", p.row().text, kind.name()));
        };
        match p {
            Prim::Count => Ok(self.b.constant(Kind::Long, 1)),
            Prim::First | Prim::Last | Prim::Sum | Prim::Prd | Prim::Min | Prim::Max => Ok(x),
            Prim::Avg | Prim::Med => self.b.cast(x, sig.out),
            // One item has no deviation, and a sample of one has none that is known.
            Prim::Var | Prim::Dev => {
                let x = self.b.cast(x, sig.out)?;
                self.b.map2(Prim::Sub, x, x)
            }
            Prim::Svar | Prim::Sdev => {
                let (x, none) = (self.b.cast(x, sig.out)?, self.b.null(sig.out, None));
                self.b.map2(Prim::Add, x, none)
            }
            Prim::All | Prim::Any => {
                let zero = self.small(kind, 0)?;
                self.b.map2(Prim::Ne, x, zero)
            }
            _ => self.b.not_yet(format!("{} of an atom", p.row().text)),
        }
    }

    fn aggregate2(&mut self, p: Prim, x: Node, y: Node) -> Result<Node> {
        // `wsum` is the sum of the products, but that two lists of integers multiply as floats.
        let floats = |k: &Lower, x, y| {
            let kind = |n| k.b.graph.ty(n).kind;
            sig2(Prim::Wsum, kind(x), kind(y)).is_none_or(|s| s.out == Kind::Float)
        };
        if p == Prim::Wsum && (self.b.is_atom(x) || self.b.is_atom(y) || !floats(self, x, y)) {
            let product = self.b.map2(Prim::Mul, x, y)?;
            return self.aggregate(Prim::Sum, product);
        }
        let vectors: Vec<Dim> =
            [x, y].into_iter().filter(|&n| !self.b.is_atom(n)).map(|n| self.b.graph.ty(n).dim).collect();
        let Some((&dim, rest)) = vectors.split_first() else {
            return self.b.not_yet(format!("{} of two atoms", p.row().text));
        };
        if rest.iter().any(|other| *other != dim) {
            return self.b.not_yet("lists whose lengths only a run can compare");
        }
        if self.taken.contains_key(&dim) {
            return match p {
                Prim::Wsum | Prim::Wavg => self.pairs_by_sums(p, x, y, dim),
                _ => {
                    let (x, y) = (self.b.over(x, dim)?, self.b.over(y, dim)?);
                    if sig2(p, self.b.graph.ty(x).kind, self.b.graph.ty(y).kind).is_none() {
                        return self.b.signal("type", p.row().text);
                    }
                    self.deviations_by_sums(p, x, y)
                }
            };
        }
        self.aggregate2_part(p, x, y)
    }

    /// The aggregate of two vectors over the rows in sight or some of them.
    pub(super) fn aggregate2_part(&mut self, p: Prim, x: Node, y: Node) -> Result<Node> {
        let dim = if self.b.is_atom(x) { self.b.graph.ty(y).dim } else { self.b.graph.ty(x).dim };
        if matches!(p, Prim::Wsum | Prim::Wavg) && self.schema.compensated {
            return self.pairs_by_sums(p, x, y, dim);
        }
        if self.groups.is_some() && dim != self.dim && self.is_kept(dim) {
            return self.aggregate2_some(p, x, y, dim);
        }
        let into = self.result_dim(dim)?;
        self.b.agg2(p, x, y, dim, into)
    }

    /// The aggregate of pairs, by group, of some of the rows in sight: pairs of nulls, which count for nothing, stand at
    /// the others.
    fn aggregate2_some(&mut self, p: Prim, x: Node, y: Node, dim: Dim) -> Result<Node> {
        let Some(sig) = sig2(p, self.b.graph.ty(x).kind, self.b.graph.ty(y).kind) else {
            return self.b.signal("type", p.row().text);
        };
        let mut pair = [(x, sig.x), (y, sig.y)];
        for (x, kind) in &mut pair {
            let none = self.b.null(*kind, None);
            *x = self.b.cast(*x, *kind)?;
            *x = self.b.over(*x, dim)?;
            *x = self.widened(*x, none)?;
        }
        let into = self.result_dim(self.dim)?;
        let n = self.b.agg2(p, pair[0].0, pair[1].0, self.dim, into)?;
        self.b.cast(n, sig.out)
    }
}
