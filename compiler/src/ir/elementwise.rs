//! Elementwise nodes: casts, maps and conditionals, typed by `q::sig`.

use super::{Build, Dim, DimDef, Node, Op, Ty};
use crate::error::Result;
use q::scalar::cast::cast;
use q::sig::{sig_cond, sig1, sig2};
use q::{Kind, Prim};

impl Build {
    /// `x` as `kind`. `q::scalar::cast` says which pairs q allows.
    pub fn cast(&mut self, x: Node, kind: Kind) -> Result<Node> {
        let ty = self.graph.ty(x);
        if ty.kind == kind {
            return Ok(x);
        }
        if ty.kind == Kind::Enum && kind != Kind::Long {
            // An enumeration's indices are longs.
            let at = self.cast(x, Kind::Long)?;
            return self.cast(at, kind);
        }
        if cast(ty.kind, kind).is_none() {
            return self.signal("type", format!("{} cannot be cast to {}", ty.kind.name(), kind.name()));
        }
        let domain = ty.domain.filter(|_| ty.kind != Kind::Enum);
        Ok(self.add(Op::Cast, &[x], Ty { kind, domain, ..ty }))
    }

    /// Brings `args` to one dim: atoms stay, values of groups are spread over the rows of the groups.
    pub fn zip(&mut self, args: &mut [Node]) -> Result<Dim> {
        let dims: Vec<Dim> = args.iter().map(|&x| self.graph.ty(x).dim).collect();
        let reaches = |from: Dim, to: Dim| match self.graph.dims[from] {
            DimDef::One => true,
            DimDef::Groups { of, .. } => from == to || of == to,
            _ => from == to,
        };
        let Some(dim) = dims.iter().copied().find(|&to| dims.iter().all(|&from| reaches(from, to))) else {
            if dims.iter().any(|&d| matches!(self.graph.dims[d], DimDef::Given(_))) {
                return self.not_yet("lists whose lengths only a run can compare");
            }
            return self.signal("length", "the vectors come from lists of different lengths");
        };
        for x in args {
            let d = self.graph.ty(*x).dim;
            if d != Dim::ONE && d != dim {
                *x = self.spread(*x, dim);
            }
        }
        Ok(dim)
    }

    /// True for what q sees as an atom where the query's expressions are evaluated: an atom, or a group's.
    pub fn is_atom(&self, x: Node) -> bool {
        matches!(self.graph.dims[self.graph.ty(x).dim], DimDef::One | DimDef::Groups { .. })
    }

    /// The unary elementwise `p`.
    pub fn map1(&mut self, p: Prim, x: Node) -> Result<Node> {
        let ty = self.graph.ty(x);
        let Some(sig) = sig1(p, ty.kind) else {
            return self.signal("type", format!("{} of {}", p.row().text, ty.kind.name()));
        };
        let symbols = matches!(ty.kind, Kind::Sym | Kind::Enum);
        // q calls no enumerated symbol null, though its index may be.
        if ty.kind == Kind::Enum && p == Prim::Null {
            return self.apply(Prim::Ne, &[x, x], Kind::Bool);
        }
        // Codes know no names.
        if symbols && (ty.kind == Kind::Enum || p != Prim::Null || ty.domain.is_none()) {
            return self.not_yet(format!("{} of symbols", p.row().text));
        }
        let x = if sig.arg.store() == ty.kind.store() { x } else { self.cast(x, sig.arg)? };
        Ok(self.add(Op::Map(p), &[x], Ty { kind: sig.out, dim: ty.dim, domain: None }))
    }

    /// The binary elementwise `p`.
    ///
    /// A list % atom multiplies by the reciprocal, as q does: 41%10 and (enlist 41)%10 differ in the last bit.
    pub fn map2(&mut self, p: Prim, x: Node, y: Node) -> Result<Node> {
        let (tx, ty) = (self.graph.ty(x), self.graph.ty(y));
        let Some(sig) = sig2(p, tx.kind, ty.kind) else {
            return self
                .signal("type", format!("{} of {} and {}", p.row().text, tx.kind.name(), ty.kind.name()));
        };
        // Beside an atom `in` is exact equality; a set of many is no map.
        if matches!(p, Prim::Within | Prim::Like) || p == Prim::In && !self.is_atom(y) {
            return self.not_yet(format!("{} between two vectors", p.row().text));
        }
        let symbols = [tx.kind, ty.kind].iter().any(|k| matches!(k, Kind::Sym | Kind::Enum));
        if symbols {
            return self.symbols2(p, x, y);
        }
        let (x, y) = (self.cast(x, sig.x)?, self.cast(y, sig.y)?);
        if p == Prim::Divide && !self.is_atom(x) && self.is_atom(y) && !self.items {
            let y = self.map1(Prim::Recip, y)?;
            return self.apply(Prim::Mul, &[x, y], Kind::Float);
        }
        let n = self.apply(p, &[x, y], sig.via)?;
        self.cast(n, sig.out)
    }

    /// The map `p` of arguments that are typed already.
    pub(super) fn apply(&mut self, p: Prim, args: &[Node], kind: Kind) -> Result<Node> {
        let mut args = args.to_vec();
        let dim = self.zip(&mut args)?;
        let domain = if kind == Kind::Sym || kind == Kind::Enum {
            args.iter().find_map(|&a| self.graph.ty(a).domain)
        } else {
            None
        };
        Ok(self.add(Op::Map(p), &args, Ty { kind, dim, domain }))
    }

    /// `?[b;x;y]`.
    pub fn cond(&mut self, b: Node, x: Node, y: Node) -> Result<Node> {
        let (tb, tx, ty) = (self.graph.ty(b), self.graph.ty(x), self.graph.ty(y));
        let kind = sig_cond(tx.kind, ty.kind);
        let alike = tx.kind == ty.kind && self.is_atom(x) == self.is_atom(y);
        if tb.kind == Kind::Bool && self.is_atom(b) && !alike {
            // Only a run knows which of the two it takes whole.
            return self.not_yet("an atom that chooses between two types, or between an atom and a list");
        }
        let (Kind::Bool, Some(kind)) = (tb.kind, kind) else {
            return self.signal("type", "a vector conditional takes booleans and two values of one type");
        };
        let (x, y, domain) = match kind {
            Kind::Sym | Kind::Enum => self.one_domain(x, y).map(|(x, y, d)| (x, y, Some(d)))?,
            _ => (x, y, None),
        };
        // Enumerations over two domains have become plain symbols.
        let kind = if domain.is_some() { self.graph.ty(x).kind } else { kind };
        let mut args = [b, x, y];
        let dim = self.zip(&mut args)?;
        Ok(self.add(Op::Cond, &args, Ty { kind, dim, domain }))
    }
}
