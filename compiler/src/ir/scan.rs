//! Scans: functions of lists that keep their count, within all rows of a dim or within each of its groups.
//!
//! | scan | arguments | what row k of a list gets |
//! |---|---|---|
//! | `add mul lesser greater` | x | the sum, product, least, greatest of the list's items up to k, nulls left out |
//! | `fill` | x | the last item up to k that is not null |
//! | `avgs` | x | the average up to k |
//! | `ema` | x, share | the exponential moving average |
//! | `xprev` | x, n, none | the item n before; `none` where there is none |
//! | `differ` | x | is it the first, or no equal (with tolerance) of the one before? |
//! | `msum mavg mdev mcount mmin mmax` | x, n | that of the window of the last n items |
//! | `til` | | k |
//! | `rank` | key | the place of the item in the ascending order of keys, the earlier first among equals |
//! | `asc desc` | key, x | the item whose key is k-th in that order |
//! | `iasc idesc` | key, x | the same, by an index, which q does not take for sorted |
//! | `in` | x, set | is it one of the items of set in the list? |
//! | `reverse` | x | the k-th item from the end |
//! | `ident` | the items of a list parameter | item k: the list must have the count of rows that the lists have |
//!
//! Symbols have codes, which are in no order: a key is their rank.

use super::{Build, Dim, DimDef, Graph, Node, NodeDef, Op, Ty};
use crate::error::Result;
use q::sig::{Sig1, sig1, sig2};
use q::{Kind, Prim};

/// Of the sorts: do their keys descend?
pub fn descends(p: Prim) -> Option<bool> {
    match p {
        Prim::Asc | Prim::Iasc => Some(false),
        Prim::Desc | Prim::Idesc => Some(true),
        _ => None,
    }
}

/// The kinds that a scan's first argument is cast to, and of its result; none if it takes no such argument.
pub fn sig(p: Prim, x: Kind) -> Option<Sig1> {
    let same = Some(Sig1 { arg: x, out: x });
    let symbols = matches!(x, Kind::Sym | Kind::Enum);
    match p {
        Prim::Add => sig1(Prim::Sum, x),
        Prim::Mul => sig1(Prim::Prd, x),
        Prim::Lesser => sig1(Prim::Min, x),
        Prim::Greater => sig1(Prim::Max, x),
        Prim::Fill | Prim::Xprev | Prim::Reverse | Prim::Ident => same,
        Prim::Avgs => sig1(p, x).map(|s| Sig1 { arg: Kind::Float, out: s.out }),
        Prim::Ema => sig2(p, Kind::Float, x).map(|s| Sig1 { arg: Kind::Float, out: s.out }),
        Prim::In => Some(Sig1 { arg: x, out: Kind::Bool }),
        Prim::Differ => Some(Sig1 { arg: x, out: Kind::Bool }),
        Prim::Mcount => sig2(p, Kind::Long, x).map(|s| Sig1 { arg: x, out: s.out }),
        Prim::Mmin | Prim::Mmax if !symbols => same,
        Prim::Msum | Prim::Mavg | Prim::Mdev => sig2(p, Kind::Long, x).map(|s| Sig1 { arg: s.y, out: s.out }),
        Prim::Rank if !symbols => Some(Sig1 { arg: x, out: Kind::Long }),
        _ if descends(p).is_some() && !symbols => Some(Sig1 { arg: x, out: Kind::Long }),
        _ => None,
    }
}

/// The rule that a scan breaks, given its arguments' types.
pub(super) fn check(graph: &Graph, p: Prim, lists: Dim, args: &[Ty], ty: Ty) -> Result<(), &'static str> {
    let holds = |holds: bool, rule| if holds { Ok(()) } else { Err(rule) };
    let base = graph.base(graph.rows_of(lists));
    holds(base != Dim::ONE && ty.dim == base, "a scan is over the rows that its lists are kept from")?;
    let given = |x: &Ty| p == Prim::Ident && matches!(graph.dims[x.dim], DimDef::Given(_));
    holds(
        args.iter().all(|x| x.dim == base || x.dim == Dim::ONE || given(x)),
        "its arguments are atoms or over the same rows",
    )?;
    let like = |x: &Ty, y: &Ty| (x.kind, x.domain) == (y.kind, y.domain);
    let typed = |x: &Ty| sig(p, x.kind).is_some_and(|s| s.arg.store() == x.kind.store());
    let out = |x: &Ty| sig(p, x.kind).is_some_and(|s| s.out.store() == ty.kind.store());
    let long = |n: &Ty| n.kind == Kind::Long && n.dim == Dim::ONE;
    let fits = match (p, args) {
        (Prim::Til, []) => ty.kind == Kind::Long,
        (_, [key, x]) if descends(p).is_some() => {
            typed(key) && key.dim == base && x.dim == base && like(x, &ty)
        }
        (Prim::Xprev, [x, n, none]) => x.dim == base && long(n) && like(x, &ty) && none.kind == x.kind,
        (Prim::Ema, [x, share]) => typed(x) && x.dim == base && share.kind == Kind::Float && out(x),
        (Prim::In, [x, set]) => {
            // Codes of a domain mean the same in one that begins with it.
            let (a, b) = (x.domain, set.domain);
            let alike = x.kind == set.kind && (graph.extends(a, b) || graph.extends(b, a));
            x.dim == base && set.dim == base && alike && out(x)
        }
        (Prim::Fill | Prim::Reverse, [x]) => x.dim == base && like(x, &ty),
        (Prim::Ident, [x]) => given(x) && like(x, &ty),
        (
            Prim::Add | Prim::Mul | Prim::Lesser | Prim::Greater | Prim::Avgs | Prim::Differ | Prim::Rank,
            [x],
        ) => x.dim == base && typed(x) && out(x),
        (Prim::Msum | Prim::Mavg | Prim::Mdev | Prim::Mcount | Prim::Mmin | Prim::Mmax, [x, n]) => {
            x.dim == base && typed(x) && out(x) && long(n)
        }
        _ => false,
    };
    holds(fits, "the scan does not take these types")
}

impl Graph {
    /// The rows that a dim's lists hold: those that it groups, or its own.
    pub fn rows_of(&self, lists: Dim) -> Dim {
        match self.dims[lists] {
            DimDef::Groups { of, .. } => of,
            _ => lists,
        }
    }
}

impl Build {
    /// The scan `p` within `lists`, on the rows of those lists. The first of `args` is over those rows and is
    /// cast as `sig` says; so are, or are atoms, the others.
    pub fn scan(&mut self, p: Prim, lists: Dim, args: &[Node]) -> Result<Node> {
        let rows = self.graph.rows_of(lists);
        let base = self.graph.base(rows);
        let mut args = args.to_vec();
        let mut ty = Ty { kind: Kind::Long, dim: base, domain: None };
        if let Some(first) = args.first_mut() {
            let had = self.graph.ty(*first);
            let Some(sig) = sig(p, had.kind) else {
                return self.signal("type", format!("{} of {}", p.row().text, had.kind.name()));
            };
            *first = self.cast(*first, sig.arg)?;
            let sorts = descends(p).is_some();
            let of = if sorts { args[1] } else { args[0] };
            let moved = sorts || matches!(p, Prim::Fill | Prim::Xprev | Prim::Reverse | Prim::Ident);
            let of = self.graph.ty(of);
            (ty.kind, ty.domain) = if moved { (of.kind, of.domain) } else { (sig.out, None) };
        }
        for x in &mut args {
            if self.graph.ty(*x).dim != Dim::ONE && p != Prim::Ident {
                *x = self.over(*x, rows)?;
            }
            *x = self.unkept(*x)?;
        }
        let n = self.add(Op::Scan(p, lists), &args, ty);
        self.over(n, rows)
    }

    /// `x` group after group: a list for each of `groups`, or for `one` a single list.
    pub fn listed(&mut self, x: Node, groups: Dim) -> Node {
        let ty = self.graph.ty(x);
        let dim = self.dim(DimDef::Lists { groups, of: ty.dim });
        self.add(Op::List, &[x], Ty { dim, ..ty })
    }

    /// What `x`, over rows that were kept, is on all the rows that they were kept from. On the others it means
    /// nothing.
    pub(super) fn unkept(&mut self, x: Node) -> Result<Node> {
        let base = self.graph.base(self.graph.ty(x).dim);
        self.unkept_to(x, base)
    }

    /// What `x`, over rows that were kept, is on the rows `to` that they were kept from. On the others it means
    /// nothing.
    pub(crate) fn unkept_to(&mut self, x: Node, to: Dim) -> Result<Node> {
        let NodeDef { op, args, ty } = self.graph.nodes[x].clone();
        if ty.dim == to || ty.dim == Dim::ONE || matches!(self.graph.dims[ty.dim], DimDef::Given(_)) {
            return Ok(x);
        }
        match op {
            Op::Keep => self.unkept_to(args[0], to),
            Op::Spread => Ok(self.spread(args[0], to)),
            Op::Map(_) | Op::Cast | Op::Cond | Op::Member | Op::Lookup | Op::Bin | Op::Binr => {
                let args = args.into_iter().map(|a| self.unkept_to(a, to)).collect::<Result<Vec<_>>>()?;
                Ok(self.add(op, &args, Ty { dim: to, ..ty }))
            }
            Op::Place if let DimDef::Kept { mask, .. } = self.graph.dims[self.graph.ty(args[0]).dim] => {
                let mask = self.unkept_to(mask, to)?;
                let (new, old) = (self.unkept_to(args[0], to)?, self.unkept_to(args[1], to)?);
                Ok(self.add(Op::Cond, &[mask, new, old], Ty { dim: to, ..ty }))
            }
            _ => self.internal("a value of kept rows that cannot be computed for all rows"),
        }
    }
}
