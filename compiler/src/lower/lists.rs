//! Functions of lists that keep their count or take some of their items: scans, windows, shifts, sorts, subsets.
//!
//! A list here is all rows in sight or, under `by`, the rows of a group. What keeps the count stays over the rows
//! in sight; what takes some items is over rows that are kept from them.

use super::Lower;
use crate::error::Result;
use crate::ir::{Dim, DimDef, Node, Op, Param, Source, Ty};
use crate::schema::Length;
use q::fun::Class;
use q::sig::sig2;
use q::{Kind, Prim, Value};

impl Lower<'_> {
    /// `p` of lists; none if it is no such function.
    pub(super) fn of_lists(&mut self, p: Prim, args: &[Node]) -> Result<Option<Node>> {
        let windows =
            matches!(p, Prim::Msum | Prim::Mavg | Prim::Mdev | Prim::Mcount | Prim::Mmin | Prim::Mmax);
        let out = match (p, args) {
            (Prim::Avgs | Prim::Differ | Prim::Reverse, &[x]) => self.scan(p, x, &[])?,
            (Prim::Next, &[x]) => {
                let back = self.b.constant(Kind::Long, -1);
                self.shift(x, back)?
            }
            (Prim::Xprev, &[n, x]) => self.shift(x, n)?,
            (_, &[n, x]) if windows => self.window(p, n, x)?,
            (Prim::Ema, &[share, x]) => {
                let share = self.b.cast(share, Kind::Float)?;
                self.scan(p, x, &[share])?
            }
            (Prim::Asc | Prim::Desc, &[x]) => self.sort(p, x, x)?,
            (Prim::Iasc | Prim::GradeUp, &[x]) => self.grade(Prim::Asc, x)?,
            (Prim::Idesc | Prim::GradeDown, &[x]) => self.grade(Prim::Desc, x)?,
            (Prim::Rank, &[x]) => self.rank(x)?,
            (Prim::Xrank, &[n, x]) => self.xrank(n, x)?,
            (Prim::Distinct, &[x]) => self.distinct(x)?,
            (Prim::Sublist, &[n, x]) => self.sublist(n, x)?,
            // The numbers below the count of a list are its places.
            (Prim::Til, &[n]) if self.b.graph.nodes[n].op == Op::Agg(Prim::Count) => {
                let rows = self.b.graph.nodes[n].args[0];
                if self.groups.is_some_and(|groups| groups != self.b.graph.ty(n).dim) {
                    return Ok(None);
                }
                self.places(rows)?
            }
            (Prim::Where, &[mask]) => self.selected(mask)?,
            (Prim::Match, &[x, y]) => self.alike(x, y)?,
            (Prim::Take, &[n, x]) => self.take(n, x)?,
            (Prim::Drop, &[n, x]) => self.drop(n, x)?,
            (Prim::Rotate, &[n, x]) => self.rotate(n, x)?,
            (Prim::Bin | Prim::Binr | Prim::Query, &[list, x]) => self.search(p, list, x)?,
            _ => return Ok(None),
        };
        Ok(Some(out))
    }

    /// The lists that a function of `x` sees.
    pub(super) fn lists(&mut self, x: Node) -> Result<Dim> {
        if self.b.is_atom(x) {
            return self.b.not_yet("a function of lists of an atom");
        }
        if self.is_taken(x) {
            return self.b.not_yet("a function of n#x");
        }
        let dim = self.b.graph.ty(x).dim;
        let Some(groups) = self.groups else { return Ok(dim) };
        if dim == self.dim {
            return Ok(groups);
        }
        match self.b.graph.dims[groups].clone() {
            DimDef::Groups { keys, .. } if self.is_kept(dim) => self.b.groups(dim, &keys),
            _ => self.b.not_yet("a function of a list that is no column, by group"),
        }
    }

    /// Are the rows of `dim` kept from those in sight?
    pub(super) fn is_kept(&self, mut dim: Dim) -> bool {
        while dim != self.dim {
            match self.b.graph.dims[dim] {
                DimDef::Kept { of, .. } => dim = of,
                _ => return false,
            }
        }
        true
    }

    /// A scan of `x` with further arguments.
    pub(super) fn scan(&mut self, p: Prim, x: Node, more: &[Node]) -> Result<Node> {
        let lists = self.lists(x)?;
        self.b.scan(p, lists, &[&[x], more].concat())
    }

    /// `p\x` for the primitives that leave nulls out: `sums`, `prds`, `mins`, `maxs`, `fills`.
    pub(super) fn running(&mut self, p: Prim, x: Node) -> Result<Node> {
        match p {
            Prim::Add | Prim::Mul | Prim::Lesser | Prim::Greater | Prim::Fill if self.b.is_atom(x) => Ok(x),
            Prim::Add | Prim::Mul | Prim::Lesser | Prim::Greater | Prim::Fill => self.scan(p, x, &[]),
            _ if p.row().class == Class::Map && p.row().max == 2 => self.steps(&Value::prim(p), None, &[x]),
            _ => self.b.not_yet(format!("{}\\", p.row().text)),
        }
    }

    /// `seed f':x`: as `prior`, with the seed before the first.
    pub(super) fn before(&mut self, seed: Node, x: Node) -> Result<Node> {
        let (ts, tx) = (self.b.graph.ty(seed), self.b.graph.ty(x));
        if self.b.is_atom(x) || ts.dim != Dim::ONE || (ts.kind, ts.domain) != (tx.kind, tx.domain) {
            return self.b.not_yet("a prior whose seed is no atom of the list's type");
        }
        let one = self.b.constant(Kind::Long, 1);
        self.scan(Prim::Xprev, x, &[one, seed])
    }

    /// `p':x`: each item with the one before. Before the first stands what leaves it as it is, or a null.
    pub(super) fn prior(&mut self, p: Prim, x: Node) -> Result<Node> {
        if self.b.is_atom(x) {
            return Ok(x);
        }
        let ty = self.b.graph.ty(x);
        let one = self.b.constant(Kind::Long, 1);
        let first = match p {
            Prim::Assign | Prim::Ident => return self.shift(x, one),
            Prim::Sub => self.small(ty.kind, 0)?,
            Prim::Divide => self.small(ty.kind, 1)?,
            // q puts a long before the first, which may make that item of another type.
            Prim::Add | Prim::Mul => {
                let out = |kind| sig2(p, ty.kind, kind).map(|sig| sig.out);
                if out(Kind::Long) != out(ty.kind) {
                    return self.b.not_yet(format!("{} prior of {}", p.row().text, ty.kind.name()));
                }
                self.small(ty.kind, (p == Prim::Mul) as i64)?
            }
            // The null before the first has no place among the symbols of an enumeration.
            Prim::Lt | Prim::Gt | Prim::Le | Prim::Ge if ty.kind == Kind::Enum => {
                let x = self.b.plain(x)?;
                return self.prior(p, x);
            }
            Prim::In | Prim::Within | Prim::Like => {
                return self.b.not_yet(format!("{} prior", p.row().text));
            }
            _ if p.row().class == Class::Map && p.row().max == 2 => self.b.null(ty.kind, ty.domain),
            _ => return self.b.not_yet(format!("{} prior", p.row().text)),
        };
        let before = self.scan(Prim::Xprev, x, &[one, first])?;
        let pairs = self.b.map2(p, x, before)?;
        if !matches!(p, Prim::Lesser | Prim::Greater) {
            return Ok(pairs);
        }
        // The first goes with itself.
        let (place, zero) = (self.places(x)?, self.b.constant(Kind::Long, 0));
        let (first, alone) = (self.b.map2(Prim::Eq, place, zero)?, self.b.map2(p, x, x)?);
        self.b.cond(first, alone, pairs)
    }

    /// A small number as an atom of a kind.
    pub(super) fn small(&mut self, kind: Kind, n: i64) -> Result<Node> {
        if q::scalar::cast::cast(Kind::Long, kind).is_none() {
            return self.b.signal("type", format!("a number as {}", kind.name()));
        }
        let n = self.b.constant(Kind::Long, n);
        self.b.cast(n, kind)
    }

    /// `n xprev x`.
    fn shift(&mut self, x: Node, n: Node) -> Result<Node> {
        if self.b.is_atom(x) {
            return self.b.signal("type", "a function of lists of an atom");
        }
        let ty = self.b.graph.ty(x);
        let n = self.count(n)?;
        let none = self.b.null(ty.kind, ty.domain);
        self.scan(Prim::Xprev, x, &[n, none])
    }

    /// A count as an atom that is known before the rows are read.
    pub(super) fn count(&mut self, n: Node) -> Result<Node> {
        let ty = self.b.graph.ty(n);
        if !matches!(ty.kind, Kind::Long | Kind::Int | Kind::Short | Kind::Bool | Kind::Byte) {
            return self.b.signal("type", "a count is a whole number");
        }
        if ty.dim != Dim::ONE {
            return self.b.not_yet("a count that is no atom");
        }
        self.b.cast(n, Kind::Long)
    }

    fn window(&mut self, p: Prim, n: Node, x: Node) -> Result<Node> {
        let n = self.count(n)?;
        if matches!(self.b.graph.ty(x).kind, Kind::Sym | Kind::Enum | Kind::Guid) {
            match p {
                Prim::Mcount => {}
                Prim::Mmin | Prim::Mmax if self.b.graph.ty(x).kind != Kind::Guid => {
                    return self.symbol_window(p, n, x);
                }
                Prim::Mmin | Prim::Mmax => return self.b.not_yet("windows of guids"),
                _ => {
                    return self
                        .b
                        .signal("type", format!("{} of {}", p.row().text, self.b.graph.ty(x).kind.name()));
                }
            }
            let none = self.b.map1(Prim::Null, x)?;
            let some = self.b.map1(Prim::Not, none)?;
            let some = self.b.cast(some, Kind::Int)?;
            return self.scan(Prim::Msum, some, &[n]);
        }
        self.scan(p, x, &[n])
    }

    /// `n mmin x` of symbols: that of their ranks, and the symbols of those.
    fn symbol_window(&mut self, p: Prim, n: Node, x: Node) -> Result<Node> {
        let key = self.order_key(x)?;
        let Ty { kind, domain: Some(domain), .. } = self.b.graph.ty(x) else {
            return self.b.not_yet("windows of symbols that are no column");
        };
        let rank = self.scan(p, key, &[n])?;
        let rank = self.b.cast(rank, Kind::Long)?;
        let sorted = self.b.param(kind, Source::Sorted(domain));
        Ok(self.b.lookup(rank, sorted))
    }

    /// What orders the items of `x`.
    fn order_key(&mut self, x: Node) -> Result<Node> {
        let ty = self.b.graph.ty(x);
        match (ty.kind, ty.domain) {
            (Kind::Sym | Kind::Enum, Some(domain)) => {
                let ranks = self.b.param(Kind::Int, Source::Ranks(domain));
                Ok(self.b.lookup(x, ranks))
            }
            (Kind::Sym | Kind::Enum, _) => self.b.not_yet("a sort of literal symbols"),
            _ => Ok(x),
        }
    }

    /// The items of `x` in the order of the items of `by`.
    fn sort(&mut self, p: Prim, by: Node, x: Node) -> Result<Node> {
        let key = self.order_key(by)?;
        self.scan(p, key, &[x])
    }

    fn grade(&mut self, p: Prim, x: Node) -> Result<Node> {
        let places = self.places(x)?;
        self.sort(p, x, places)
    }

    /// The place of each item in its list.
    pub(super) fn places(&mut self, x: Node) -> Result<Node> {
        let lists = self.lists(x)?;
        self.b.scan(Prim::Til, lists, &[])
    }

    fn rank(&mut self, x: Node) -> Result<Node> {
        let key = self.order_key(x)?;
        self.scan(Prim::Rank, key, &[])
    }

    /// `n xrank x`: the rank times `n` by the count.
    fn xrank(&mut self, n: Node, x: Node) -> Result<Node> {
        let n = self.count(n)?;
        let rank = self.rank(x)?;
        let count = self.size(x)?;
        let scaled = self.b.map2(Prim::Mul, n, rank)?;
        self.b.map2(Prim::Div, scaled, count)
    }

    /// The first of each of the distinct items.
    fn distinct(&mut self, x: Node) -> Result<Node> {
        if self.is_taken(x) {
            // The first of its items may be one from the middle of x.
            return self.b.not_yet("distinct of n#x");
        }
        let dim = self.b.graph.ty(x).dim;
        let lists = self.lists(x)?;
        let mut keys = match &self.b.graph.dims[lists] {
            DimDef::Groups { keys, .. } => keys.clone(),
            _ => vec![],
        };
        keys.push(x);
        let firsts = self.firsts(dim, &keys)?;
        self.b.over(x, firsts)
    }

    /// The rows of `dim` that are the first with their keys.
    pub(super) fn firsts(&mut self, dim: Dim, keys: &[Node]) -> Result<Dim> {
        let groups = self.b.groups(dim, keys)?;
        let row = self.b.row();
        let row = self.b.over(row, dim)?;
        let first = self.b.agg1(Prim::First, row, groups)?;
        let is_first = self.b.map2(Prim::Eq, row, first)?;
        self.b.kept(dim, is_first)
    }

    /// `where mask`: the places at which it holds.
    fn selected(&mut self, mask: Node) -> Result<Node> {
        if self.b.graph.ty(mask).kind != Kind::Bool {
            return self.b.not_yet("where of what is not boolean");
        }
        let places = self.places(mask)?;
        let kept = self.b.kept(self.b.graph.ty(mask).dim, mask)?;
        self.b.over(places, kept)
    }

    /// `x~y` of lists over the same rows, or of atoms: are their types the same, and all their items equal?
    fn alike(&mut self, x: Node, y: Node) -> Result<Node> {
        let (tx, ty) = (self.b.graph.ty(x), self.b.graph.ty(y));
        if tx.kind != ty.kind || self.b.is_atom(x) != self.b.is_atom(y) {
            return Ok(self.b.constant(Kind::Bool, 0));
        }
        let named = tx.kind == Kind::Enum && tx.domain != ty.domain;
        if named || (!self.b.is_atom(x) && tx.dim != ty.dim) || self.is_taken(x) {
            return self.b.not_yet("~ of these");
        }
        let equal = self.b.map2(Prim::Eq, x, y)?;
        if self.b.is_atom(x) { Ok(equal) } else { self.aggregate(Prim::All, equal) }
    }

    /// The list parameter that `x` is.
    pub(super) fn given(&self, x: Node) -> Option<Node> {
        let is_list = matches!(self.b.graph.dims[self.b.graph.ty(x).dim], DimDef::Given(_));
        (is_list && matches!(self.b.graph.nodes[x].op, Op::Param(_))).then_some(x)
    }

    /// The items of a list parameter at the positions `i`; null outside.
    fn item(&mut self, list: Node, i: Node) -> Result<Node> {
        let ty = self.b.graph.ty(i);
        if !matches!(ty.kind, Kind::Long | Kind::Int | Kind::Short | Kind::Bool) {
            return self.b.signal("type", "a position is a whole number");
        }
        let i = self.b.cast(i, Kind::Long)?;
        let list = match self.b.graph.ty(list).kind {
            Kind::Sym => self.b.named(list)?,
            _ => list,
        };
        match self.b.graph.nodes[list].op {
            Op::Param(p) => Ok(self.b.lookup(i, p)),
            _ => self.b.not_yet("an index into a computed list"),
        }
    }

    /// The length class of a parameter that is the query's literal or a variable.
    pub(super) fn length(&self, p: Param) -> Option<Length> {
        match self.b.graph.params[p].source {
            Source::Literal(i) => crate::key::length(self.literals.0.get(i as usize)?),
            Source::Variable(name) => self.schema.variables.get(&name).map(|v| v.length),
            _ => None,
        }
    }

    /// `list bin x`, `list binr x` and `list?x` of a list that is known before the rows are read.
    fn search(&mut self, p: Prim, list: Node, x: Node) -> Result<Node> {
        let (tl, tx) = (self.b.graph.ty(list), self.b.graph.ty(x));
        let Op::Param(param) = self.b.graph.nodes[list].op else {
            return match p {
                Prim::Query if self.b.is_atom(x) && !self.b.is_atom(list) => self.place_of(list, x),
                _ => self.b.not_yet("a search in a computed list"),
            };
        };
        if self.given(list).is_none() {
            return self.b.not_yet("a search in an atom");
        }
        // An enumeration's items are looked for as the symbols that they stand for.
        if tx.kind == Kind::Enum && tl.kind == Kind::Sym {
            let x = self.b.plain(x)?;
            return self.search(p, list, x);
        }
        let symbols = tl.kind == Kind::Sym && tx.kind == Kind::Sym && tx.domain.is_some();
        if tl.kind != tx.kind
            && tl.kind != Kind::Enum
            && self.length(param).is_some_and(|n| n != Length::Zero)
        {
            return self.b.signal("type", format!("a search for {} in {}", tx.kind.name(), tl.kind.name()));
        }
        if tl.kind != tx.kind || tl.kind == Kind::Guid || tl.kind == Kind::Enum {
            return self.b.not_yet(format!("a search for {} in {}", tx.kind.name(), tl.kind.name()));
        }
        match p {
            Prim::Query if symbols || tl.kind != Kind::Sym => {
                let at = self.b.find_in(param, x)?;
                let count = self.b.param(Kind::Long, Source::Count(param));
                let count = self.b.atom(count);
                self.b.map2(Prim::Fill, count, at)
            }
            Prim::Bin if tl.kind != Kind::Sym => Ok(self.b.bin(Op::Bin, param, x)),
            Prim::Binr if tl.kind != Kind::Sym => Ok(self.b.bin(Op::Binr, param, x)),
            Prim::Bin | Prim::Binr if let (true, Some(domain)) = (symbols, tx.domain) => {
                let bounds = self.b.param(Kind::Long, Source::Bounds(param, domain, p == Prim::Binr));
                Ok(self.b.lookup(x, bounds))
            }
            _ => self.b.not_yet(format!("{} of symbols that are no column", p.row().text)),
        }
    }

    /// Lists that are no columns beside vectors over the rows: item k goes with row k.
    pub(super) fn aligned(&mut self, args: &[Node]) -> Result<Vec<Node>> {
        let vector = args.iter().copied().find(|&x| !self.b.is_atom(x) && self.given(x).is_none());
        let mut args = args.to_vec();
        let Some(vector) = vector.filter(|_| args.iter().any(|&x| self.given(x).is_some())) else {
            return Ok(args);
        };
        let lists = self.lists(vector)?;
        for x in &mut args {
            if self.given(*x).is_some() {
                *x = self.align(*x, lists)?;
            }
        }
        Ok(args)
    }

    /// A list parameter over the rows of `lists`.
    pub(super) fn align(&mut self, list: Node, lists: Dim) -> Result<Node> {
        let list = match self.b.graph.ty(list) {
            ty if ty.kind == Kind::Sym && ty.domain.is_none() => self.b.named(list)?,
            _ => list,
        };
        self.b.scan(Prim::Ident, lists, &[list])
    }

    /// `x` at the places `i` of its list.
    pub(super) fn index(&mut self, x: Node, i: Node) -> Result<Node> {
        if let Some(list) = self.given(x) {
            return self.item(list, i);
        }
        let (mut at, dim) = (i, self.b.graph.ty(i).dim);
        while self.b.graph.nodes[at].op == Op::Keep {
            at = self.b.graph.nodes[at].args[0];
        }
        let seen = self.lists(x)?;
        match self.b.graph.nodes[at].op {
            // The places of some of its items are these items.
            Op::Scan(Prim::Til, lists) if lists == seen => self.b.over(x, dim),
            // A list by the grade of another is sorted by it.
            Op::Scan(p @ (Prim::Asc | Prim::Desc), lists) if lists == seen => {
                let [key, places] = self.b.graph.nodes[at].args[..] else {
                    return self.b.internal("a sort has a key and items");
                };
                if self.b.graph.nodes[places].op != Op::Scan(Prim::Til, lists) {
                    return self.b.not_yet("an index that is computed");
                }
                let p = if p == Prim::Asc { Prim::Iasc } else { Prim::Idesc };
                let sorted = self.b.scan(p, lists, &[key, x])?;
                self.b.over(sorted, dim)
            }
            _ if self.b.is_atom(i) => self.item_at(x, i),
            _ => self.b.not_yet("an index that is computed"),
        }
    }
}
