//! `in` and `within`.

use super::Lower;
use crate::error::Result;
use crate::ir::verify::has_domain;
use crate::ir::{Dim, DimDef, Node, Op, Source};
use crate::schema::Length;
use q::{Kind, Prim, Value};

impl Lower<'_> {
    /// `x in y`, with `y` a literal or a variable. `in` is exact, where `=` is tolerant.
    ///
    /// Where the types differ, q compares an atom or one item in the common type of `=`; of longer lists it takes only those of
    /// ints and longs for each other, and searches in the list's type.
    pub(super) fn member(&mut self, items: &[Value]) -> Result<Node> {
        let x = self.arg(items, 1)?;
        // Nothing is in the empty list.
        if matches!(&items[2], Value::List(none) if none.is_empty()) {
            let no = self.b.constant(Kind::Bool, 0);
            let dim = self.b.graph.ty(x).dim;
            return if dim == Dim::ONE { Ok(no) } else { self.b.over(no, dim) };
        }
        // `enlist c` is a set of one item, which is what an atom is.
        let set = match &items[2] {
            Value::List(one) if one.len() == 2 && one[0].as_prim() == Some(Prim::Enlist) => {
                let here = self.b.at.clone();
                self.b.at = here.child(2);
                let item = self.arg(one, 1)?;
                self.b.at = here;
                item
            }
            _ => self.arg(items, 2)?,
        };
        let (tx, ts) = (self.b.graph.ty(x), self.b.graph.ty(set));
        let (Op::Param(p), DimDef::One | DimDef::Given(_)) =
            (self.b.graph.nodes[set].op, &self.b.graph.dims[ts.dim])
        else {
            return self.in_list(x, set);
        };
        // An enumeration's symbols are those of the variable that holds it.
        let p = match self.b.graph.params[p].source {
            Source::Code(of, _) | Source::Codes(of, _) => of,
            _ => p,
        };
        if has_domain(tx.kind) && has_domain(ts.kind) {
            if tx.domain.is_none() {
                return self.b.not_yet("membership of a literal symbol");
            }
            return Ok(self.b.member(x, p));
        }
        if tx.kind == ts.kind {
            return Ok(self.b.member(x, p));
        }
        if ts.dim == Dim::ONE {
            return self.b.map2(Prim::In, x, set);
        }
        match (self.length(p), tx.kind, ts.kind) {
            (Some(Length::One), ..) => {
                let item = self.b.param(ts.kind, Source::Item(p, 0));
                let item = self.b.atom(item);
                self.b.map2(Prim::In, x, item)
            }
            (_, Kind::Int, Kind::Long) | (_, Kind::Long, Kind::Int) => {
                let x = self.b.cast(x, ts.kind)?;
                Ok(self.b.member(x, p))
            }
            (Some(Length::Two | Length::Many), ..) => {
                self.b.signal("type", format!("{} in {}", tx.kind.name(), ts.kind.name()))
            }
            _ => self.b.not_yet(format!("{} in an empty list of another type", tx.kind.name())),
        }
    }

    /// `x in y` of two vectors over the same rows: the set is all of y in the list at hand.
    fn in_list(&mut self, x: Node, set: Node) -> Result<Node> {
        let (tx, ts) = (self.b.graph.ty(x), self.b.graph.ty(set));
        if self.b.is_atom(x) || self.b.is_atom(set) {
            return match self.b.is_atom(set) {
                // Symbols are equal or not, with no tolerance.
                true if tx.domain.is_some() && ts.domain.is_some() => self.b.map2(Prim::Eq, x, set),
                true => self.b.map2(Prim::In, x, set),
                false => self.in_items(x, set),
            };
        }
        if (tx.kind, ts.kind) == (Kind::Long, Kind::Int) {
            // A set of one is compared with; among others a long is looked for as an int.
            let (narrow, wide) = (self.b.cast(x, Kind::Int)?, self.b.cast(set, Kind::Long)?);
            let one = self.in_list(x, wide)?;
            return self.unless_alone(set, one, |l| l.in_list(narrow, set));
        }
        let (x, set) = match (tx.kind, ts.kind) {
            (a, b) if has_domain(a) && has_domain(b) => {
                let (x, set, _) = self.b.one_domain(x, set)?;
                (x, set)
            }
            (a, b) if a == b => (x, set),
            (Kind::Int, Kind::Long) => (self.b.cast(x, Kind::Long)?, set),
            // A set of one item is compared with.
            _ => {
                let item = self.only(set)?;
                return self.b.map2(Prim::In, x, item);
            }
        };
        if tx.dim == ts.dim {
            return self.scan(Prim::In, x, &[set]);
        }
        if !self.is_kept(tx.dim) || !self.is_kept(ts.dim) || self.is_taken(x) {
            return self.b.not_yet("membership in a list of other rows");
        }
        // In place of the items that are no part of the set stands one that is; and where none is, nothing is in it.
        let (mut all, mut some) = (set, None);
        if ts.dim != self.dim {
            let first = self.aggregate_part(Prim::First, set)?;
            let count = self.aggregate_part(Prim::Count, set)?;
            let zero = self.b.constant(Kind::Long, 0);
            some = Some(self.b.map2(Prim::Gt, count, zero)?);
            let first = self.b.over(first, self.dim)?;
            all = self.widened(set, first)?;
        }
        let x = self.b.unkept_to(x, self.dim)?;
        let mut found = self.scan(Prim::In, x, &[all])?;
        if let Some(some) = some {
            found = self.b.map2(Prim::Lesser, found, some)?;
        }
        self.b.over(found, tx.dim)
    }

    /// `one` where the list `set` has one item alone, and else what `many` makes.
    fn unless_alone(
        &mut self,
        set: Node,
        one: Node,
        many: impl FnOnce(&mut Self) -> Result<Node>,
    ) -> Result<Node> {
        let many = many(self)?;
        let (count, single) = (self.aggregate(Prim::Count, set)?, self.b.constant(Kind::Long, 1));
        let alone = self.b.map2(Prim::Eq, count, single)?;
        let dim = self.b.graph.ty(one).dim;
        let alone = if self.b.is_atom(one) { alone } else { self.b.over(alone, dim)? };
        self.b.cond(alone, one, many)
    }

    /// The item of the list `x`, which a run refuses where it has not one alone.
    fn only(&mut self, x: Node) -> Result<Node> {
        let (count, one) = (self.aggregate(Prim::Count, x)?, self.b.constant(Kind::Long, 1));
        let wrong = self.b.map2(Prim::Ne, count, one)?;
        self.refuse_where("type", wrong)?;
        // Where there is no group, q asks what would become of no items.
        let (all, zero) = (self.b.agg1(Prim::Count, x, Dim::ONE)?, self.b.constant(Kind::Long, 0));
        let none = self.b.map2(Prim::Eq, all, zero)?;
        self.refuse_where("type", none)?;
        self.aggregate(Prim::First, x)
    }

    /// `x in y` of an atom and a vector over the rows: is it any of the items of the list at hand?
    fn in_items(&mut self, x: Node, list: Node) -> Result<Node> {
        let (tx, tl) = (self.b.graph.ty(x).kind, self.b.graph.ty(list).kind);
        let x = match (tx, tl) {
            (Kind::Int, Kind::Long) => self.b.cast(x, tl)?,
            (Kind::Long, Kind::Int) => {
                let wide = self.b.cast(list, tx)?;
                let (narrow, one) = (self.b.cast(x, tl)?, self.in_items(x, wide)?);
                return self.unless_alone(list, one, |l| l.in_items(narrow, list));
            }
            _ if tx != tl && !(has_domain(tx) && has_domain(tl)) => {
                let item = self.only(list)?;
                return self.b.map2(Prim::In, x, item);
            }
            _ => x,
        };
        let hit = self.hits(x, list)?;
        self.aggregate(Prim::Any, hit)
    }

    /// `x inter y` if `wanted`, else `x except y`: the items of x that are in y, or are not. Nothing is in a list of
    /// another type.
    pub(super) fn sifted(&mut self, items: &[Value], wanted: bool) -> Result<Node> {
        let (x, set) = (self.arg(items, 1)?, self.arg(items, 2)?);
        if self.b.is_atom(x) || self.given(x).is_some() || self.is_taken(x) {
            return self.b.not_yet("items of what is no list over the rows");
        }
        let (kx, ks) = (self.b.graph.ty(x).kind, self.b.graph.ty(set).kind);
        let found = match self.b.graph.nodes[set].op {
            _ if kx != ks && kx != Kind::Enum && ks != Kind::Enum => self.b.constant(Kind::Bool, 0),
            Op::Param(p) if kx == ks => self.b.member(x, p),
            op if kx != ks && (matches!(op, Op::Param(_)) || !has_domain(kx) || !has_domain(ks)) => {
                return self.b.not_yet("items of an enumeration among others");
            }
            _ => self.in_list(x, set)?,
        };
        let found = if wanted { found } else { self.b.map1(Prim::Not, found)? };
        self.those(x, found)
    }

    /// Which items of `list` are exactly the atom `x`.
    pub(super) fn hits(&mut self, x: Node, list: Node) -> Result<Node> {
        let (tx, tl) = (self.b.graph.ty(x), self.b.graph.ty(list));
        match (self.b.graph.nodes[x].op, tx.kind == tl.kind) {
            (Op::Param(p), true) if tx.kind == Kind::Sym && tl.domain.is_some() => Ok(self.b.member(list, p)),
            (_, true) if !matches!(tx.kind, Kind::Sym | Kind::Enum) => self.b.map2(Prim::In, list, x),
            _ if tx.domain.is_some() && tl.domain.is_some() => self.b.map2(Prim::Eq, list, x),
            _ => self.b.not_yet("membership of an atom in a column of another type"),
        }
    }

    /// `x within (low;high)`: both ends belong to it, and each comparison is as tolerant as `>=` and `<=`.
    pub(super) fn within(&mut self, items: &[Value]) -> Result<Node> {
        let x = self.arg(items, 1)?;
        let (low, high) = self.pair(items)?;
        let above = self.b.map2(Prim::Ge, x, low)?;
        let below = self.b.map2(Prim::Le, x, high)?;
        self.b.map2(Prim::Lesser, above, below)
    }

    /// The two ends: `(enlist;low;high)`, or the items of a list of two.
    fn pair(&mut self, items: &[Value]) -> Result<(Node, Node)> {
        let here = self.b.at.clone();
        self.b.at = here.child(2);
        if let Value::List(ends) = &items[2]
            && let [head, _, _] = &ends[..]
            && head.as_prim() == Some(Prim::Enlist)
        {
            let (low, high) = (self.arg(ends, 1)?, self.arg(ends, 2)?);
            self.b.at = here;
            return Ok((low, high));
        }
        let list = self.expr(&items[2])?;
        let ty = self.b.graph.ty(list);
        let (Op::Param(p), DimDef::Given(_)) = (self.b.graph.nodes[list].op, &self.b.graph.dims[ty.dim])
        else {
            return self.b.not_yet("a range that is no pair");
        };
        if self.length(p) != Some(Length::Two) {
            return self.b.signal("length", "a range is a pair");
        }
        let mut end = |i| {
            let p = self.b.param(ty.kind, Source::Item(p, i));
            self.b.atom(p)
        };
        let (low, high) = (end(0), end(1));
        self.b.at = here;
        Ok((low, high))
    }
}
