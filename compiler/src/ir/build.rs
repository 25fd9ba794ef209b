//! The only maker of nodes: it types them, checks what zips, and interns them, so that equal nodes are one.

use super::{Col, Dim, DimDef, Graph, Input, Node, NodeDef, Op, Output, Param, ParamDef, Source, Ty};
use crate::error::{Error, Result};
use crate::schema::DomainId;
use q::path::Path;
use q::sig::{sig1, sig2};
use q::{Kind, Prim, Sym};
use rustc_hash::FxHashMap;

/// A graph in the making.
#[derive(Debug, Default)]
pub struct Build {
    /// What was made so far.
    pub graph: Graph,
    /// The place in the query's tree that the next nodes come from.
    pub at: Path,
    /// Vectors stand for their items, one at a time, as where a function goes to each.
    pub items: bool,
    /// What must not hold when the graph runs, for its outputs.
    pub checks: Vec<Output>,
    /// How many domains the schema has; those made at launch come after.
    domains: u32,
    memo: FxHashMap<NodeDef, Node>,
}

/// Dims, inputs and parameters.
impl Build {
    /// The empty graph of a query over a schema with so many domains.
    pub fn new(domains: u32) -> Build {
        Build { domains, ..Build::default() }
    }

    /// How many domains the schema has.
    pub(super) fn domains(&self) -> u32 {
        self.domains
    }

    /// The dim that `def` says, made if there is none yet.
    pub fn dim(&mut self, def: DimDef) -> Dim {
        if let Some((d, _)) = self.graph.dims.iter().find(|(_, had)| **had == def) {
            return d;
        }
        self.graph.dims.push(def)
    }

    /// The rows of the table.
    pub fn rows(&mut self) -> Dim {
        self.dim(DimDef::Rows)
    }

    /// The rows of `of` where `mask` is true; a mask that is one atom holds for every row.
    pub fn kept(&mut self, of: Dim, mask: Node) -> Result<Dim> {
        let mask = match self.graph.ty(mask).kind {
            Kind::Bool => mask,
            // A whole number is false if it is zero.
            Kind::Byte | Kind::Short | Kind::Int | Kind::Long => self.cast(mask, Kind::Bool)?,
            _ => return self.signal("type", "a where clause must be boolean"),
        };
        let mask = self.over(mask, of)?;
        Ok(self.dim(DimDef::Kept { of, mask }))
    }

    /// The groups of the rows of `of` by `keys`; an atom is a key that all rows share.
    pub fn groups(&mut self, of: Dim, keys: &[Node]) -> Result<Dim> {
        let key = |&k: &Node| match (self.graph.ty(k).kind, self.graph.ty(k).domain) {
            (Kind::Sym, None) => self.named(k).and_then(|k| self.over(k, of)),
            _ => self.over(k, of),
        };
        let keys = keys.iter().map(key).collect::<Result<_>>()?;
        Ok(self.dim(DimDef::Groups { of, keys }))
    }

    /// The input column, made if it is new.
    pub fn input(&mut self, input: Input) -> Col {
        let old = self.graph.inputs.iter().find(|(_, had)| had.index == input.index);
        old.map(|(c, _)| c).unwrap_or_else(|| self.graph.inputs.push(input))
    }

    /// The parameter, made if it is new.
    pub fn param(&mut self, kind: Kind, source: Source) -> Param {
        let def = ParamDef { kind, source };
        let old = self.graph.params.iter().find(|(_, had)| **had == def);
        old.map(|(p, _)| p).unwrap_or_else(|| self.graph.params.push(def))
    }
}

/// Leaves.
impl Build {
    /// The node that does `op` to `args` and is `ty`, found if it was made before. The caller has typed it.
    pub fn add(&mut self, op: Op, args: &[Node], ty: Ty) -> Node {
        let def = NodeDef { op, args: args.to_vec(), ty };
        if let Some(&n) = self.memo.get(&def) {
            return n;
        }
        let n = self.graph.nodes.push(def.clone());
        self.memo.insert(def, n);
        if !self.at.0.is_empty() {
            self.graph.places.insert(n, self.at.clone());
        }
        n
    }

    /// The node that is `def`, if it was made before.
    pub fn find(&self, def: &NodeDef) -> Option<Node> {
        self.memo.get(def).copied()
    }

    /// An input column over `rows`.
    pub fn col(&mut self, c: Col) -> Node {
        let dim = self.rows();
        let Input { kind, domain, .. } = self.graph.inputs[c];
        self.add(Op::Col(c), &[], Ty { kind, dim, domain })
    }

    /// A parameter that holds an atom.
    pub fn atom(&mut self, p: Param) -> Node {
        self.param_node(p, Dim::ONE)
    }

    /// A parameter that holds a list.
    pub fn list(&mut self, p: Param) -> Node {
        let dim = self.dim(DimDef::Given(p));
        self.param_node(p, dim)
    }

    fn param_node(&mut self, p: Param, dim: Dim) -> Node {
        let ParamDef { kind, ref source } = self.graph.params[p];
        let domain = match *source {
            Source::Code(_, domain)
            | Source::Codes(_, domain)
            | Source::Remap(_, domain)
            | Source::Sorted(domain)
            | Source::Like(_, domain) => Some(domain),
            Source::Set(_, domain) => domain,
            _ => None,
        };
        self.add(Op::Param(p), &[], Ty { kind, dim, domain })
    }

    /// The integer `x` as an atom of `kind`.
    pub fn constant(&mut self, kind: Kind, x: i64) -> Node {
        let p = self.param(kind, Source::Constant(x));
        self.atom(p)
    }

    /// The null of a type.
    pub fn null(&mut self, kind: Kind, domain: Option<DomainId>) -> Node {
        self.add(Op::Null, &[], Ty { kind, dim: Dim::ONE, domain })
    }

    /// q's virtual column `i`.
    pub fn row(&mut self) -> Node {
        let dim = self.rows();
        self.add(Op::Row, &[], Ty { kind: Kind::Long, dim, domain: None })
    }

    /// A named result: the items of the nested column `index` at the rows that `node` numbers.
    pub fn nested(&mut self, name: Sym, node: Node, index: usize) {
        self.graph.outputs.push(Output { nested: Some(index), ..Output::of(name, node) });
    }

    /// Refuses the query with the signal `name` where the boolean atom `wrong` is true, which only a run knows.
    pub fn check(&mut self, name: &str, wrong: Node) {
        let name = Sym::new(name);
        if self.checks.iter().all(|out| (out.name, out.node) != (name, wrong)) {
            self.checks.push(Output { check: true, ..Output::of(name, wrong) });
        }
    }

    /// A named result.
    pub fn output(&mut self, name: Sym, node: Node) {
        self.graph.outputs.push(Output::of(name, node));
    }
}

/// What changes the dim.
impl Build {
    /// `x` on the rows of `d`: atoms and values of its groups are spread, rows of a dim that it is kept from are
    /// kept; anything else is q's `'length`.
    pub fn over(&mut self, x: Node, d: Dim) -> Result<Node> {
        let ty = self.graph.ty(x);
        if ty.dim == d {
            return Ok(x);
        }
        match self.graph.dims[ty.dim] {
            DimDef::One => return Ok(self.spread(x, d)),
            DimDef::Groups { of, .. } if of == d => return Ok(self.spread(x, d)),
            _ => {}
        }
        match self.graph.dims[d] {
            DimDef::Kept { of, .. } => {
                let x = self.over(x, of)?;
                Ok(self.keep(x, d))
            }
            _ => self.signal("length", "the vectors come from lists of different lengths"),
        }
    }

    /// `x`, over the dim that `d` filters, on the rows of `d`.
    pub fn keep(&mut self, x: Node, d: Dim) -> Node {
        self.add(Op::Keep, &[x], Ty { dim: d, ..self.graph.ty(x) })
    }

    /// An atom or a group's value at every item of `d`.
    pub fn spread(&mut self, x: Node, d: Dim) -> Node {
        self.add(Op::Spread, &[x], Ty { dim: d, ..self.graph.ty(x) })
    }

    /// `new` on the rows that its dim keeps, `old` on the others.
    pub fn place(&mut self, new: Node, old: Node) -> Result<Node> {
        let (new_ty, old_ty) = (self.graph.ty(new), self.graph.ty(old));
        let DimDef::Kept { of, .. } = self.graph.dims[new_ty.dim] else {
            return self.internal("only rows that were kept can be placed");
        };
        if new_ty.kind != old_ty.kind {
            return self.signal("type", "the new values must have the type of the old");
        }
        let (new, old, domain) = match new_ty.domain {
            domain if domain == old_ty.domain => (new, old, domain),
            _ => self.one_domain(new, old).map(|(new, old, d)| (new, old, Some(d)))?,
        };
        let (new, old) = (self.over(new, new_ty.dim)?, self.over(old, of)?);
        Ok(self.add(Op::Place, &[new, old], Ty { dim: of, domain, ..new_ty }))
    }

    /// Key `i` of the groups `d`.
    pub fn key(&mut self, i: usize, d: Dim) -> Result<Node> {
        let ty = match &self.graph.dims[d] {
            DimDef::Groups { keys, .. } if i < keys.len() => Ty { dim: d, ..self.graph.ty(keys[i]) },
            _ => return self.internal("a key of something that is no group"),
        };
        Ok(self.add(Op::Key(i as u32), &[], ty))
    }

    /// The aggregate `p` of a vector, into an atom or its dim's groups. `count` counts rows, whatever is in
    /// them.
    pub fn agg1(&mut self, p: Prim, x: Node, into: Dim) -> Result<Node> {
        let ty = self.graph.ty(x);
        let Some(sig) = sig1(p, ty.kind) else {
            return self.signal("type", format!("{} of {}", p.row().text, ty.kind.name()));
        };
        let x = if p == Prim::Count {
            let row = self.row();
            self.over(row, ty.dim)?
        } else {
            self.cast(x, sig.arg)?
        };
        // Medians are of lists.
        let x = if p == Prim::Med { self.listed(x, into) } else { x };
        let domain = if sig.out == ty.kind { ty.domain } else { None };
        Ok(self.add(Op::Agg(p), &[x], Ty { kind: sig.out, dim: into, domain }))
    }

    /// The first (or last, if that is `p`) item of `x` at whose row `some` holds, in each of `groups`; a null where none
    /// does.
    pub fn edge(&mut self, p: Prim, x: Node, some: Node, groups: Dim) -> Result<Node> {
        let x = self.unkept_to(x, self.graph.ty(some).dim)?;
        Ok(self.add(Op::Agg(p), &[x, some], Ty { dim: groups, ..self.graph.ty(x) }))
    }

    /// The aggregate `p` of two vectors over `dim`; an atom stands at every row.
    pub fn agg2(&mut self, p: Prim, x: Node, y: Node, dim: Dim, into: Dim) -> Result<Node> {
        let (kx, ky) = (self.graph.ty(x).kind, self.graph.ty(y).kind);
        let Some(sig) = sig2(p, kx, ky) else {
            return self.signal("type", format!("{} of {} and {}", p.row().text, kx.name(), ky.name()));
        };
        let (x, y) = (self.over(x, dim)?, self.over(y, dim)?);
        let (x, y) = (self.cast(x, sig.x)?, self.cast(y, sig.y)?);
        let n = self.add(Op::Agg(p), &[x, y], Ty { kind: sig.via, dim: into, domain: None });
        self.cast(n, sig.out)
    }

    /// The error that q itself would signal, here.
    pub fn signal<T>(&self, name: &str, message: impl Into<String>) -> Result<T> {
        Err(Error::signal(name, &self.at, message))
    }

    /// Legal q without a plan, here.
    pub fn not_yet<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(Error::not_yet(&self.at, message))
    }

    /// A broken invariant of the compiler, here.
    pub fn internal<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(Error::new(crate::error::Code::Internal, &self.at, message))
    }
}
