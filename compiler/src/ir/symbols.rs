//! Symbols in two arguments: equality by code, order by rank, literals through the other side's domain.

use super::{Build, Dim, Node, Op, Param, Part, Source, Ty};
use crate::error::Result;
use crate::schema::DomainId;
use q::{Kind, Prim};

impl Build {
    /// The binary map `p` where a side is a symbol or an enum; `q::sig` has accepted the kinds.
    pub(super) fn symbols2(&mut self, p: Prim, x: Node, y: Node) -> Result<Node> {
        use Prim::*;
        match p {
            Eq | Ne => {
                let (x, y) = self.same_domain(x, y)?;
                self.apply(p, &[x, y], Kind::Bool)
            }
            Lt | Gt | Le | Ge => self.symbol_order(p, x, y),
            Fill => {
                let (x, y, domain) = self.one_domain(x, y)?;
                let mut args = [x, y];
                let dim = self.zip(&mut args)?;
                let kind = self.graph.ty(x).kind;
                Ok(self.add(Op::Map(p), &args, Ty { kind, dim, domain: Some(domain) }))
            }
            _ => self.not_yet(format!("{} of symbols", p.row().text)),
        }
    }

    /// Both arguments as codes of one domain: a literal by its code, a column of another domain by a remap.
    fn same_domain(&mut self, x: Node, y: Node) -> Result<(Node, Node)> {
        let (tx, ty) = (self.graph.ty(x), self.graph.ty(y));
        match (tx.domain, ty.domain) {
            (Some(a), Some(b)) if a == b => Ok((x, y)),
            (Some(a), None) => Ok((x, self.code(y, a, tx.kind)?)),
            (None, Some(b)) => Ok((self.code(x, b, ty.kind)?, y)),
            (Some(a), Some(_)) if tx.kind == Kind::Sym => Ok((x, self.remap(y, a))),
            (Some(_), Some(b)) if ty.kind == Kind::Sym => Ok((self.remap(x, b), y)),
            (Some(_), Some(_)) => self.one_domain(x, y).map(|(x, y, _)| (x, y)),
            (None, None) => Ok((x, y)),
        }
    }

    /// `x` and `y` as codes of one domain that holds the symbols of both, for results that mix them. Where no
    /// column's domain does, it is made at launch; codes of a column then keep their meaning.
    pub fn one_domain(&mut self, x: Node, y: Node) -> Result<(Node, Node, DomainId)> {
        let (tx, ty) = (self.graph.ty(x), self.graph.ty(y));
        match (tx.domain, ty.domain) {
            (Some(a), b) if tx.kind == ty.kind && self.graph.extends(Some(a), b) => return Ok((x, y, a)),
            (a, Some(b)) if tx.kind == ty.kind && self.graph.extends(Some(b), a) => return Ok((x, y, b)),
            _ => {}
        }
        // Columns of symbols come first, so that their codes stay; an enumeration's indices are translated.
        let mut parts = vec![];
        for kind in [Kind::Sym, Kind::Enum] {
            parts.extend(
                [tx, ty].iter().filter(|t| t.kind == kind).filter_map(|t| t.domain).map(Part::Domain),
            );
        }
        for n in [x, y].into_iter().filter(|&n| self.graph.ty(n).domain.is_none() && !self.is_null(n)) {
            parts.push(Part::Symbol(self.symbol_param(n)?));
        }
        if parts.is_empty() {
            return self.not_yet("symbols that are all null");
        }
        let domain = self.made_domain(parts);
        Ok((self.codes(x, domain)?, self.codes(y, domain)?, domain))
    }

    fn is_null(&self, x: Node) -> bool {
        self.graph.nodes[x].op == Op::Null
    }

    /// The codes `x` as codes of the domain `to`.
    fn remap(&mut self, x: Node, to: DomainId) -> Node {
        match self.graph.ty(x).domain {
            Some(from) => {
                let table = self.param(Kind::Sym, Source::Remap(from, to));
                self.lookup(x, table)
            }
            None => x,
        }
    }

    /// The domain of these parts, made if there is none yet.
    fn made_domain(&mut self, parts: Vec<Part>) -> DomainId {
        if let Some((d, _)) = self.graph.domains.iter().find(|(_, had)| **had == parts) {
            return *d;
        }
        let last = self.graph.domains.last_key_value().map(|(d, _)| d.0 + 1);
        let d = DomainId(last.unwrap_or(self.domains()));
        self.graph.domains.insert(d, parts);
        d
    }

    /// `x` as codes of `domain`, which holds its symbols.
    fn codes(&mut self, x: Node, domain: DomainId) -> Result<Node> {
        let Ty { kind, domain: had, .. } = self.graph.ty(x);
        match had {
            _ if kind == Kind::Sym && self.graph.extends(Some(domain), had) => Ok(x),
            Some(_) => Ok(self.remap(x, domain)),
            None if self.is_null(x) => Ok(self.null(Kind::Sym, Some(domain))),
            None => self.code(x, domain, Kind::Sym),
        }
    }

    /// The parameter that a symbol without a domain is.
    fn symbol_param(&self, x: Node) -> Result<Param> {
        match self.graph.nodes[x].op {
            Op::Param(p) if self.graph.ty(x).dim == Dim::ONE => Ok(p),
            _ => self.not_yet("a comparison with a list of symbols that is no column"),
        }
    }

    /// The code of a literal in a domain.
    fn code(&mut self, x: Node, domain: DomainId, kind: Kind) -> Result<Node> {
        let p = self.symbol_param(x)?;
        let code = self.param(kind, Source::Code(p, domain));
        Ok(self.atom(code))
    }

    /// The items of `table` at the codes or positions `x`.
    pub fn lookup(&mut self, x: Node, table: Param) -> Node {
        let list = self.list(table);
        let Ty { kind, domain, .. } = self.graph.ty(list);
        let dim = self.graph.ty(x).dim;
        self.add(Op::Lookup, &[x, list], Ty { kind, dim, domain })
    }

    /// Symbols as indices of the enumeration `to`, and, where there may be any, which of them it lacks: theirs is -1, but
    /// the null symbol's is the null index.
    pub fn enumerated(&mut self, x: Node, to: DomainId) -> Result<Node> {
        let ty = self.graph.ty(x);
        match (ty.kind, ty.domain, self.graph.nodes[x].op) {
            (_, Some(had), _) if had == to => Ok(x),
            (Kind::Sym | Kind::Enum, Some(from), _) => {
                let table = self.param(Kind::Enum, Source::Remap(from, to));
                Ok(self.lookup(x, table))
            }
            (Kind::Sym, None, Op::Param(p)) if ty.dim == Dim::ONE => {
                let code = self.param(Kind::Enum, Source::Code(p, to));
                Ok(self.atom(code))
            }
            (Kind::Sym, None, Op::Param(p)) => {
                let codes = self.param(Kind::Enum, Source::Codes(p, to));
                Ok(self.list(codes))
            }
            _ => self.signal("type", format!("{} as an enumeration", ty.kind.name())),
        }
    }

    /// An enumeration as plain symbols.
    pub fn plain(&mut self, x: Node) -> Result<Node> {
        let Some(of) = self.graph.ty(x).domain else {
            return self.not_yet("an enumeration that is no column's");
        };
        let domain = self.made_domain(vec![Part::Domain(of)]);
        Ok(self.remap(x, domain))
    }

    /// Symbols outside any domain as codes of one that is made of them.
    pub fn named(&mut self, x: Node) -> Result<Node> {
        let ty = self.graph.ty(x);
        let Op::Param(p) = self.graph.nodes[x].op else {
            return self.not_yet("a null symbol that is no column's");
        };
        let domain = self.made_domain(vec![Part::Symbol(p)]);
        if ty.dim == Dim::ONE {
            return self.code(x, domain, Kind::Sym);
        }
        let codes = self.param(Kind::Sym, Source::Codes(p, domain));
        Ok(self.list(codes))
    }

    /// `list bin x`, or from the right `list binr x`.
    pub fn bin(&mut self, op: Op, list: Param, x: Node) -> Node {
        let ty = self.graph.ty(x);
        let keys = self.param(ty.kind, Source::Keys(list));
        self.search(op, keys, x)
    }

    fn search(&mut self, op: Op, keys: Param, x: Node) -> Node {
        let (dim, keys) = (self.graph.ty(x).dim, self.list(keys));
        self.add(op, &[x, keys], Ty { kind: Kind::Long, dim, domain: None })
    }

    /// `list?x`, but the null long where `x` is not in the list.
    pub fn find_in(&mut self, list: Param, x: Node) -> Result<Node> {
        let ty = self.graph.ty(x);
        if let Some(domain) = ty.domain {
            let places = self.param(Kind::Long, Source::Places(list, Some(domain)));
            return Ok(self.lookup(x, places));
        }
        let there = self.member(x, list);
        let set = self.param(ty.kind, Source::Set(list, None));
        let at = self.search(Op::Binr, set, x);
        let places = self.param(Kind::Long, Source::Places(list, None));
        let at = self.lookup(at, places);
        let none = self.null(Kind::Long, None);
        self.cond(there, at, none)
    }

    /// `x<y` and its like. A column's rank is less than a literal's if it is less than the number of symbols
    /// below the literal, which need not be in the domain; the null symbol has the least rank.
    fn symbol_order(&mut self, p: Prim, x: Node, y: Node) -> Result<Node> {
        let (tx, ty) = (self.graph.ty(x), self.graph.ty(y));
        let ranks = |b: &mut Build, n: Node, d: DomainId| {
            let table = b.param(Kind::Int, Source::Ranks(d));
            b.lookup(n, table)
        };
        match (tx.domain, ty.domain) {
            (Some(_), Some(_)) => {
                let (x, y, both) = self.one_domain(x, y)?;
                let (x, y) = (ranks(self, x, both), ranks(self, y, both));
                self.apply(p, &[x, y], Kind::Bool)
            }
            (Some(a), None) => {
                let lit = self.symbol_param(y)?;
                let rank = ranks(self, x, a);
                // x<lit: rank<below; x>=lit: rank>=below; x<=lit: rank<notabove; x>lit: rank>=notabove.
                let (p, source) = match p {
                    Prim::Lt => (Prim::Lt, Source::Below(lit, a)),
                    Prim::Ge => (Prim::Ge, Source::Below(lit, a)),
                    Prim::Le => (Prim::Lt, Source::NotAbove(lit, a)),
                    _ => (Prim::Ge, Source::NotAbove(lit, a)),
                };
                let bound = self.param(Kind::Int, source);
                let bound = self.atom(bound);
                self.apply(p, &[rank, bound], Kind::Bool)
            }
            (None, Some(_)) => {
                let flipped = match p {
                    Prim::Lt => Prim::Gt,
                    Prim::Gt => Prim::Lt,
                    Prim::Le => Prim::Ge,
                    _ => Prim::Le,
                };
                self.symbol_order(flipped, y, x)
            }
            _ => self.not_yet("an order between literal symbols"),
        }
    }

    /// Is `x` in the list (or atom) that `p` holds? Exact, whatever the kind; symbols by code.
    pub fn member(&mut self, x: Node, p: Param) -> Node {
        let Ty { kind, dim, domain } = self.graph.ty(x);
        let set = self.param(kind, Source::Set(p, domain));
        let set = self.list(set);
        self.add(Op::Member, &[x, set], Ty { kind: Kind::Bool, dim, domain: None })
    }

    /// `x like p` for a column of symbols: the pattern meets each symbol of the domain once, not each row.
    pub fn like(&mut self, x: Node, p: Param) -> Result<Node> {
        let Ty { kind, dim, domain } = self.graph.ty(x);
        let Some(domain) = domain.filter(|_| self.graph.params[p].kind == Kind::Char) else {
            return self.not_yet("like of this");
        };
        let set = self.param(kind, Source::Like(p, domain));
        let set = self.list(set);
        Ok(self.add(Op::Member, &[x, set], Ty { kind: Kind::Bool, dim, domain: None }))
    }
}
