//! What must hold of a graph. Nothing after the verifier panics on a graph that it accepts.

use super::{
    Dim, DimDef, Graph, Input, Node, NodeDef, Op, Param, ParamDef, Part, Shape, Source, Ty, scan, steps,
};
use crate::schema::DomainId;
use q::fun::Class;
use q::scalar::cast::cast;
use q::scalar::{Each1, Each2, Item, with1, with2};
use q::sig::{sig_cond, sig1, sig2};
use q::{Kind, Prim, Store};
use std::fmt::Display;

/// Every rule that the graph breaks, each as a sentence that begins with the entity. Empty: the graph is sound.
pub fn verify(graph: &Graph) -> Vec<String> {
    let mut check = Check { graph, errors: vec![] };
    for (c, input) in &graph.inputs {
        check.input(c, input);
    }
    for (p, def) in &graph.params {
        check.param(p, def);
    }
    for (d, parts) in &graph.domains {
        check.domain(*d, parts);
    }
    for (d, def) in &graph.dims {
        check.dim(d, def);
    }
    // What follows looks through dims and nodes, so these must be there.
    for (n, def) in &graph.nodes {
        check.order(n, def);
    }
    if check.errors.is_empty() {
        for (n, def) in &graph.nodes {
            check.node(n, def);
        }
        check.keys();
        check.outputs();
    }
    check.errors
}

struct Check<'a> {
    graph: &'a Graph,
    errors: Vec<String>,
}

/// Are items of the kind codes of a domain?
pub(crate) fn has_domain(kind: Kind) -> bool {
    matches!(kind, Kind::Sym | Kind::Enum)
}

/// Has the kind order keys of 64 bits?
pub(super) fn has_keys(kind: Kind) -> bool {
    !has_domain(kind) && kind != Kind::Guid
}

impl Check<'_> {
    fn expect(&mut self, holds: bool, entity: impl Display, rule: &str) {
        if !holds {
            self.errors.push(format!("{entity}: {rule}"));
        }
    }

    fn input(&mut self, c: super::Col, input: &Input) {
        self.expect(
            input.domain.is_some() == has_domain(input.kind),
            c,
            "symbols and enums have a domain, nothing else",
        );
        let again = self.graph.inputs.iter().any(|(had, i)| had < c && i.index == input.index);
        self.expect(!again, c, "the column is an input already");
        let width = input.width as usize;
        let fits =
            if input.kind == Kind::Sym { matches!(width, 1 | 2 | 4) } else { width == input.kind.width() };
        self.expect(fits, c, "the width is not one of the kind's");
    }

    fn param(&mut self, p: Param, def: &ParamDef) {
        let kind = |q: Param| self.graph.params.get(q).filter(|_| q < p).map(|def| def.kind);
        let domains = match def.source {
            Source::Remap(a, b) => vec![a, b],
            Source::Code(_, d) | Source::Below(_, d) | Source::NotAbove(_, d) | Source::Like(_, d) => vec![d],
            Source::Set(_, Some(d)) | Source::Places(_, Some(d)) | Source::Codes(_, d) => vec![d],
            Source::Ranks(d) | Source::Sorted(d) | Source::Bounds(_, d, _) => vec![d],
            _ => vec![],
        };
        let ready = domains.iter().all(|d| self.ready(*d, p));
        self.expect(ready, p, "its domain is made of a later parameter");
        let symbol = |q| kind(q) == Some(Kind::Sym);
        let sound = match def.source {
            Source::Literal(_) | Source::Variable(_) => def.kind != Kind::Enum,
            Source::Constant(_) => {
                matches!(def.kind, Kind::Bool | Kind::Byte | Kind::Short | Kind::Int | Kind::Long)
            }
            Source::Item(q, _) => kind(q) == Some(def.kind),
            Source::Cast(q, to) => to == def.kind && kind(q).is_some_and(|from| cast(from, to).is_some()),
            Source::Code(q, _) => symbol(q) && has_domain(def.kind),
            Source::Below(q, _) | Source::NotAbove(q, _) => symbol(q) && def.kind == Kind::Int,
            Source::Ranks(_) => def.kind == Kind::Int,
            Source::Remap(..) | Source::Sorted(_) => has_domain(def.kind),
            Source::Set(q, None) => kind(q) == Some(def.kind) && !has_domain(def.kind),
            Source::Like(q, _) => kind(q) == Some(Kind::Char) && has_domain(def.kind),
            Source::Set(q, Some(_)) => symbol(q) && has_domain(def.kind),
            Source::Keys(q) => kind(q) == Some(def.kind) && has_keys(def.kind),
            Source::Places(q, None) => kind(q).is_some_and(has_keys) && def.kind == Kind::Long,
            Source::Places(q, Some(_)) | Source::Bounds(q, ..) => symbol(q) && def.kind == Kind::Long,
            Source::Count(q) => kind(q).is_some() && def.kind == Kind::Long,
            Source::Codes(q, _) => symbol(q) && has_domain(def.kind),
        };
        self.expect(sound, p, "the source is of another kind, or comes later");
    }

    /// Is the domain made of what comes before the parameter?
    fn ready(&self, d: DomainId, p: Param) -> bool {
        let Some(parts) = self.graph.domains.get(&d) else { return true };
        parts.iter().all(|part| match *part {
            Part::Symbol(q) => q < p,
            Part::Domain(of) => of < d && self.ready(of, p),
        })
    }

    fn domain(&mut self, d: DomainId, parts: &[Part]) {
        let of_column = self.graph.inputs.values().any(|input| input.domain == Some(d));
        self.expect(!of_column && !parts.is_empty(), d, "a made domain has parts and is no column's");
        for part in parts {
            let fits = match *part {
                Part::Domain(of) => of < d,
                Part::Symbol(p) => self.graph.params.get(p).is_some_and(|def| def.kind == Kind::Sym),
            };
            self.expect(fits, d, &format!("{part} is no symbol and no domain before it"));
        }
    }

    fn dim(&mut self, d: Dim, def: &DimDef) {
        self.expect((d == Dim::ONE) == (*def == DimDef::One), d, "d0, and d0 only, is the dim of atoms");
        match def {
            DimDef::One => {}
            DimDef::Rows => {
                let again = self.graph.dims.iter().any(|(had, def)| had < d && *def == DimDef::Rows);
                self.expect(!again, d, "there is one dim of rows");
            }
            DimDef::Kept { of, mask } => {
                self.expect(
                    *of < d && *of != Dim::ONE,
                    d,
                    "what is filtered must be a vector's dim, made before",
                );
                let ty = self.graph.nodes.get(*mask).map(|n| n.ty);
                let fits = ty.is_some_and(|ty| ty.kind == Kind::Bool && ty.dim == *of);
                self.expect(fits, d, "the mask is no boolean over the dim that is filtered");
            }
            DimDef::Groups { of, keys } => {
                self.expect(
                    *of < d && *of != Dim::ONE,
                    d,
                    "what is grouped must be a vector's dim, made before",
                );
                self.expect(!keys.is_empty(), d, "groups have keys");
                for &key in keys {
                    let ty = self.graph.nodes.get(key).map(|n| n.ty);
                    let fits =
                        ty.is_some_and(|ty| ty.dim == *of && ty.domain.is_some() == has_domain(ty.kind));
                    self.expect(fits, d, "a key is no vector over the dim that is grouped");
                }
            }
            DimDef::Lists { groups, of } => {
                let rows = match self.graph.dims.get(*groups) {
                    Some(DimDef::One) => Some(*of),
                    Some(DimDef::Groups { of, .. }) if *groups < d => Some(*of),
                    _ => None,
                };
                let mut kept = *of;
                while let Some(DimDef::Kept { of, .. }) = self.graph.dims.get(kept).filter(|_| kept < d)
                    && rows != Some(kept)
                {
                    kept = *of;
                }
                self.expect(
                    *of < d && rows == Some(kept),
                    d,
                    "lists are of groups before, and hold their rows",
                );
            }
            DimDef::Given(p) => self.expect(self.graph.params.is_valid(*p), d, "no such parameter"),
        }
    }

    /// Everything that the node mentions is there, and its arguments come first.
    fn order(&mut self, n: Node, def: &NodeDef) {
        self.expect(self.graph.dims.is_valid(def.ty.dim), n, "no such dim");
        for &arg in &def.args {
            self.expect(arg < n, n, &format!("{arg} does not come before"));
        }
        match def.op {
            Op::Col(c) => self.expect(self.graph.inputs.is_valid(c), n, "no such input"),
            Op::Param(p) => self.expect(self.graph.params.is_valid(p), n, "no such parameter"),
            op => match op.lists() {
                Some(lists) if self.graph.dims.is_valid(lists) => self.made(n, lists),
                Some(_) => self.expect(false, n, "no such dim"),
                None => {}
            },
        }
        self.made(n, def.ty.dim);
    }

    /// What decides the rows of `dim` comes before `n`.
    fn made(&mut self, n: Node, dim: Dim) {
        match self.graph.dims.get(dim) {
            Some(DimDef::Kept { mask, .. }) => {
                self.expect(*mask < n, n, "the mask of its dim does not come before")
            }
            Some(DimDef::Groups { keys, .. }) => {
                self.expect(keys.iter().all(|key| *key < n), n, "the keys of its dim do not come before");
            }
            Some(DimDef::Lists { groups, of }) => {
                let (groups, of) = (*groups, *of);
                if groups < dim && of < dim {
                    self.made(n, groups);
                    self.made(n, of);
                }
            }
            _ => {}
        }
    }

    fn node(&mut self, n: Node, def: &NodeDef) {
        let args: Vec<Ty> = def.args.iter().map(|&a| self.graph.ty(a)).collect();
        let domains = def.ty.domain.is_none() || has_domain(def.ty.kind);
        self.expect(domains, n, "only symbols and enums have a domain");
        match self.rule(def, &args) {
            Ok(()) => {}
            Err(rule) => self.errors.push(format!("{n}: {rule}")),
        }
    }

    /// The rule that the node breaks, given its arguments' types.
    fn rule(&self, def: &NodeDef, args: &[Ty]) -> Result<(), &'static str> {
        let ty = def.ty;
        let like = |x: Ty| (x.kind, x.domain) == (ty.kind, ty.domain);
        // Codes of a domain that the result's extends may stand beside the result's.
        let codes = |x: Ty| x.kind == ty.kind && self.graph.extends(ty.domain, x.domain);
        let elementwise =
            || args.iter().all(|x| x.dim == ty.dim || x.dim == Dim::ONE) && self.widest(args) == ty.dim;
        let dim = |d: Dim| &self.graph.dims[d];
        let holds = |holds: bool, rule| if holds { Ok(()) } else { Err(rule) };
        match (def.op, args) {
            (Op::Col(c), []) => {
                let input = &self.graph.inputs[c];
                holds((input.kind, input.domain) == (ty.kind, ty.domain), "its input is of another type")?;
                holds(*dim(ty.dim) == DimDef::Rows, "a column is over the rows")
            }
            (Op::Param(p), []) => {
                holds(self.graph.params[p].kind == ty.kind, "its parameter is of another kind")?;
                holds(
                    ty.dim == Dim::ONE || *dim(ty.dim) == DimDef::Given(p),
                    "a parameter is an atom or its own list",
                )
            }
            (Op::Null, []) => holds(ty.dim == Dim::ONE, "a null is an atom"),
            (Op::Row, []) => holds(
                ty.kind == Kind::Long && *dim(ty.dim) == DimDef::Rows,
                "row numbers are longs over the rows",
            ),
            (Op::Map(p), _) => {
                holds(elementwise(), "the arguments are over other dims")?;
                let fills = p == Prim::Fill && has_domain(ty.kind) && args.len() == 2;
                let sound = if fills { args.iter().all(|x| codes(*x)) } else { maps(p, args, ty) };
                holds(p.row().class == Class::Map && sound, "the function does not take these types")
            }
            (Op::Cast, [x]) => {
                holds(x.dim == ty.dim, "the argument is over another dim")?;
                holds(cast(x.kind, ty.kind).is_some(), "there is no such cast")
            }
            (Op::Cond, [b, x, y]) => {
                holds(elementwise(), "the arguments are over other dims")?;
                let kinds = sig_cond(x.kind, y.kind) == Some(ty.kind) && x.kind == y.kind;
                holds(b.kind == Kind::Bool && kinds && codes(*x) && codes(*y), "the arms are of other types")
            }
            (Op::Keep, [x]) => {
                let fits = matches!(dim(ty.dim), DimDef::Kept { of, .. } if *of == x.dim);
                holds(fits && like(*x), "its dim does not filter the argument's, or it changes the type")
            }
            (Op::Agg(p), [first, ..]) => {
                if p == Prim::Med {
                    let of = matches!(dim(first.dim), DimDef::Lists { groups, .. } if *groups == ty.dim);
                    return holds(of && aggregates(p, args, ty), "a median is of lists");
                }
                holds(
                    first.dim != Dim::ONE && args.iter().all(|x| x.dim == first.dim),
                    "it takes vectors of one dim",
                )?;
                let into = ty.dim == Dim::ONE
                    || matches!(dim(ty.dim), DimDef::Groups { of, .. } if *of == first.dim);
                holds(into, "it goes into an atom or into groups of the argument's dim")?;
                if let (Prim::First | Prim::Last, [x, some]) = (p, args) {
                    return holds(
                        like(*x) && some.kind == Kind::Bool,
                        "it takes items, and which of them count",
                    );
                }
                holds(
                    p.row().class == Class::Agg && aggregates(p, args, ty),
                    "the function does not take these types",
                )
            }
            (Op::Key(i), []) => match dim(ty.dim) {
                DimDef::Groups { keys, .. } => {
                    let fits = keys.get(i as usize).is_some_and(|&key| like(self.graph.ty(key)));
                    holds(fits, "its groups have no such key")
                }
                _ => Err("a key is over groups"),
            },
            (Op::Argument(_), []) => holds(ty.dim == Dim::ONE, "an argument is an atom"),
            (Op::Steps(step, lists), _) => steps::check(self.graph, step, lists, args, ty),
            (Op::Scan(p, lists), _) => scan::check(self.graph, p, lists, args, ty),
            (Op::List, [x]) => {
                let fits = matches!(dim(ty.dim), DimDef::Lists { of, .. } if *of == x.dim);
                holds(fits && like(*x), "its dim does not list the argument's, or it changes the type")
            }
            (Op::Spread, [x]) => {
                holds(like(*x), "a spread changes no type")?;
                holds(
                    ty.dim != Dim::ONE && self.spreads(x.dim, ty.dim),
                    "the argument is no atom or group of its dim",
                )
            }
            (Op::Place, [new, old]) => {
                holds(codes(*new) && codes(*old), "the new, the old and the result are of one type")?;
                let fits =
                    matches!(dim(new.dim), DimDef::Kept { of, .. } if *of == ty.dim) && old.dim == ty.dim;
                holds(fits, "the new must be over rows kept of the old")
            }
            (Op::Member, [x, set]) => {
                holds(x.dim == ty.dim && ty.kind == Kind::Bool, "it gives a boolean for each item")?;
                let fits = (x.kind, x.domain) == (set.kind, set.domain);
                holds(
                    fits && self.is_source(def.args[1], |s| matches!(s, Source::Set(..) | Source::Like(..))),
                    "it needs a set of its kind",
                )
            }
            (Op::Lookup, [x, table]) => {
                holds(x.dim == ty.dim && like(*table), "it gives an item of the table for each code")?;
                let fits = |s: &Source| match s {
                    Source::Ranks(d) => self.graph.extends(Some(*d), x.domain),
                    Source::Remap(d, _) | Source::Places(_, Some(d)) | Source::Bounds(_, d, _) => {
                        x.domain == Some(*d)
                    }
                    Source::Literal(_)
                    | Source::Variable(_)
                    | Source::Cast(..)
                    | Source::Codes(..)
                    | Source::Sorted(_)
                    | Source::Places(_, None) => x.kind == Kind::Long && table.dim != Dim::ONE,
                    _ => false,
                };
                holds(self.is_source(def.args[1], fits), "it needs a table by the codes of its domain")
            }
            (Op::Bin | Op::Binr, [x, keys]) => {
                holds(x.dim == ty.dim && ty.kind == Kind::Long, "it gives a position for each item")?;
                let fits = |s: &Source| matches!(s, Source::Keys(_) | Source::Set(_, None));
                holds(
                    x.kind == keys.kind && self.is_source(def.args[1], fits),
                    "it needs order keys of its kind",
                )
            }
            _ => Err("wrong number of arguments"),
        }
    }

    /// The dim of an elementwise node over these arguments.
    fn widest(&self, args: &[Ty]) -> Dim {
        args.iter().map(|x| x.dim).find(|d| *d != Dim::ONE).unwrap_or(Dim::ONE)
    }

    fn spreads(&self, from: Dim, to: Dim) -> bool {
        match &self.graph.dims[from] {
            DimDef::One => true,
            DimDef::Groups { of, .. } => *of == to || self.graph.base(*of) == to,
            _ => false,
        }
    }

    fn is_source(&self, n: Node, fits: impl Fn(&Source) -> bool) -> bool {
        matches!(self.graph.nodes[n].op, Op::Param(p) if fits(&self.graph.params[p].source))
    }

    /// Masks and keys are made of nodes over dims that come before theirs; with `order` that leaves no cycle.
    fn keys(&mut self) {
        for (n, def) in &self.graph.nodes {
            for &arg in &def.args {
                let DimDef::Kept { mask, .. } = self.graph.dims[self.graph.ty(arg).dim] else { continue };
                self.expect(mask < n, n, "an argument's mask does not come before");
            }
        }
    }

    fn outputs(&mut self) {
        let (checks, outputs): (Vec<_>, Vec<_>) = self.graph.outputs.iter().partition(|out| out.check);
        let Some(shape) = self.graph.shape else {
            return self.expect(outputs.is_empty(), "out", "outputs have a shape");
        };
        for out in checks.iter().chain(&outputs) {
            let there = self.graph.nodes.is_valid(out.node);
            self.expect(there, "out", &format!("no such node {}", out.node));
            if !there {
                return;
            }
        }
        for out in &checks {
            let ty = self.graph.ty(out.node);
            self.expect((ty.kind, ty.dim) == (Kind::Bool, Dim::ONE), "out", "a check is a boolean atom");
        }
        for out in outputs.iter().filter(|out| out.nested.is_some()) {
            let rows = self.graph.ty(out.node).kind == Kind::Long;
            self.expect(rows, "out", "a nested column's rows are longs");
        }
        for count in outputs.iter().filter_map(|out| out.taken) {
            let long = self.graph.params.get(count).is_some_and(|p| p.kind == Kind::Long);
            self.expect(long, "out", "so many items are a long");
        }
        // Of lists there is one a group.
        let items = |d: Dim| if let DimDef::Lists { groups, .. } = self.graph.dims[d] { groups } else { d };
        let dims = || outputs.iter().map(|out| items(self.graph.ty(out.node).dim)).filter(|d| *d != Dim::ONE);
        let one_length = dims().all(|d| Some(d) == dims().next());
        match shape {
            // Only a run knows the lengths of parts.
            Shape::Table => {
                let groups = dims().any(|d| matches!(self.graph.dims[d], DimDef::Groups { .. }));
                self.expect((one_length || !groups) && !outputs.is_empty(), "out", "columns of one length");
            }
            Shape::Keyed(n) => {
                self.expect(
                    one_length && n > 0 && n <= outputs.len(),
                    "out",
                    "keys and columns of one length",
                );
            }
            Shape::Single => self.expect(outputs.len() == 1, "out", "a single result is one"),
            Shape::Rows => {
                let fits = outputs.len() > 1 && self.graph.ty(outputs[0].node).dim != Dim::ONE;
                self.expect(one_length && fits, "out", "a key and columns of one length");
            }
            Shape::OfRows(n) => {
                let fits = n > 0 && n + 1 == outputs.len();
                self.expect(one_length && fits, "out", "keys and one column of one length");
            }
            Shape::Map => {
                let vectors = dims().count() == 2 && outputs.len() == 2;
                self.expect(one_length && vectors, "out", "a map is of two vectors of one length");
            }
            Shape::Dict => {}
        }
    }
}

/// Is there an element function of `p` from what is stored like `args` to what is stored like `out`? Symbols
/// are codes, which only functions of equality and null understand.
fn maps(p: Prim, args: &[Ty], out: Ty) -> bool {
    let codes = args.iter().any(|x| has_domain(x.kind));
    if codes && !matches!(p, Prim::Null | Prim::Eq | Prim::Ne | Prim::Fill) {
        return false;
    }
    let stores = match *args {
        [x] => with1(p, x.kind, Stores),
        [x, y] if x.kind.store() == y.kind.store() && x.domain == y.domain => with2(p, x.kind, Stores),
        _ => None,
    };
    stores.is_some() && stores == args.first().map(|x| (x.kind.store(), out.kind.store()))
}

/// Asks an element function for the storages of its arguments and of its result.
struct Stores;

impl Each1 for Stores {
    type Out = (Store, Store);
    fn run<A: Item, R: Item>(self, _: impl Fn(A) -> R + Copy + Send + Sync + 'static) -> Self::Out {
        (A::STORE, R::STORE)
    }
}

impl Each2 for Stores {
    type Out = (Store, Store);
    fn run<A: Item, R: Item>(self, _: impl Fn(A, A) -> R + Copy + Send + Sync + 'static) -> Self::Out {
        (A::STORE, R::STORE)
    }
}

fn aggregates(p: Prim, args: &[Ty], out: Ty) -> bool {
    match *args {
        [x] => sig1(p, x.kind).is_some_and(|s| s.out.store() == out.kind.store()),
        [x, y] => sig2(p, x.kind, y.kind).is_some_and(|s| s.via.store() == out.kind.store()),
        _ => false,
    }
}
