//! Random graphs, made through the builder and so sound, out of a string of bytes: for properties and fuzzing.

use arbitrary::{Result, Unstructured};
use compiler::ir::parse_text::parse_graph;
use compiler::ir::verify::verify;
use compiler::ir::{Build, Dim, DimDef, Graph, Input, Node, Shape, Source, Ty};
use compiler::schema::DomainId;
use q::fun::{Class, FUNS};
use q::{Kind, Prim, Sym};

/// Holds the builder, the textual form, the passes, the planner and the emitter to their promises on one random graph. Panics where they
/// break one; bytes that are too few for a graph say nothing.
pub fn judge(u: &mut Unstructured) {
    let Ok(graph) = graph(u) else { return };
    let none: [String; 0] = [];
    let text = graph.to_string();
    assert_eq!(parse_graph(&text).as_ref(), Ok(&graph), "{text}");
    assert_eq!(verify(&graph), none, "{graph}");
    for (name, pass) in compiler::passes::PASSES {
        let after = pass(&graph);
        assert_eq!(verify(&after), none, "{name} of\n{graph}made\n{after}");
    }
    let after = compiler::passes::run(graph.clone());
    let outputs = |g: &Graph| g.outputs.iter().map(|o| (o.name, g.ty(o.node).kind)).collect::<Vec<_>>();
    assert_eq!(outputs(&after), outputs(&graph), "{graph}");
    crate::judge_plan(after);
}

/// A graph with up to a few dozen nodes; every kind, dim and operation can be in it.
pub fn graph(u: &mut Unstructured) -> Result<Graph> {
    let mut b = Build::new(3);
    b.graph.compensated = u.ratio(1, 4)?;
    let mut nodes = vec![];
    for index in 0..u.int_in_range(1..=5)? {
        nodes.push(column(&mut b, u, index)?);
    }
    for _ in 0..u.int_in_range(1..=40)? {
        b.at = q::path::Path((0..u.int_in_range(0..=3)?).map(|_| u.arbitrary()).collect::<Result<_>>()?);
        // What the builder refuses (`'type`, `'length`) is left out.
        if let Some(n) = step(&mut b, u, &nodes)? {
            nodes.push(n);
        }
    }
    outputs(&mut b, u, &nodes)?;
    Ok(b.graph)
}

fn kind(u: &mut Unstructured) -> Result<Kind> {
    Ok(*u.choose(&Kind::ALL)?)
}

/// A name of any bytes, which the textual form must quote where it is no word.
fn name(u: &mut Unstructured) -> Result<Sym> {
    let bytes: Vec<u8> = (0..u.int_in_range(0..=4)?).map(|_| u.arbitrary()).collect::<Result<_>>()?;
    Ok(if u.arbitrary()? { Sym::new("price") } else { Sym::from_bytes(&bytes) })
}

fn column(b: &mut Build, u: &mut Unstructured, index: usize) -> Result<Node> {
    let kind = kind(u)?;
    let domain = match kind {
        Kind::Sym => Some(DomainId(u.int_in_range(0..=1)?)),
        Kind::Enum => Some(DomainId(2)),
        _ => None,
    };
    let width = if kind == Kind::Sym { *u.choose(&[1, 2, 4])? } else { kind.width() as u8 };
    let c = b.input(Input { index, name: name(u)?, kind, width, domain, counts: false });
    Ok(b.col(c))
}

fn primitive(u: &mut Unstructured, class: Class, args: u8) -> Result<Prim> {
    let fits: Vec<Prim> = FUNS.iter().filter(|f| f.class == class && f.max == args).map(|f| f.prim).collect();
    Ok(*u.choose(&fits)?)
}

/// Where an aggregate of `x` may go.
fn into(b: &Build, u: &mut Unstructured, x: Node) -> Result<Dim> {
    let of = b.graph.ty(x).dim;
    let groups = b.graph.dims.iter().filter(|(_, d)| matches!(d, DimDef::Groups { of: o, .. } if *o == of));
    let dims: Vec<Dim> = [Dim::ONE].into_iter().chain(groups.map(|(d, _)| d)).collect();
    Ok(*u.choose(&dims)?)
}

fn is_vector(b: &Build, n: Node) -> bool {
    b.graph.ty(n).dim != Dim::ONE
}

fn step(b: &mut Build, u: &mut Unstructured, nodes: &[Node]) -> Result<Option<Node>> {
    let (x, y, z) = (*u.choose(nodes)?, *u.choose(nodes)?, *u.choose(nodes)?);
    let Ty { kind: of, dim, domain } = b.graph.ty(x);
    Ok(match u.int_in_range(0..=18)? {
        0 => {
            let source = if u.arbitrary()? {
                Source::Literal(u.int_in_range(0..=3)?)
            } else {
                Source::Variable(name(u)?)
            };
            let kind =
                *u.choose(&[Kind::Bool, Kind::Int, Kind::Long, Kind::Float, Kind::Sym, Kind::Date, of])?;
            if kind == Kind::Enum {
                return Ok(None);
            }
            let p = b.param(kind, source);
            Some(if u.arbitrary()? { b.atom(p) } else { b.list(p) })
        }
        1 => Some(b.constant(*u.choose(&[Kind::Int, Kind::Long])?, u.arbitrary()?)),
        2 => Some(b.null(of, domain)),
        3 => Some(b.row()),
        4 => b.map1(primitive(u, Class::Map, 1)?, x).ok(),
        5..=7 => b.map2(primitive(u, Class::Map, 2)?, x, y).ok(),
        8 => b.cast(x, kind(u)?).ok(),
        9 => b.cond(x, y, z).ok(),
        10 if is_vector(b, x) => match b.kept(dim, y) {
            Ok(d) => b.over(x, d).ok(),
            Err(_) => None,
        },
        11 if is_vector(b, x) => match b.groups(dim, &[x, y]) {
            Ok(d) => b.key(0, d).ok(),
            Err(_) => None,
        },
        12 if is_vector(b, x) => {
            let into = into(b, u, x)?;
            b.agg1(primitive(u, Class::Agg, 1)?, x, into).ok()
        }
        13 if is_vector(b, x) => {
            let into = into(b, u, x)?;
            b.agg2(primitive(u, Class::Agg, 2)?, x, y, dim, into).ok()
        }
        14 => match b.graph.dims[dim].clone() {
            DimDef::Kept { .. } => b.place(x, y).ok(),
            DimDef::Groups { of, .. } => Some(b.spread(x, of)),
            _ => None,
        },
        15 if of != Kind::Enum && (of != Kind::Sym || domain.is_some()) => {
            let set = b.param(of, Source::Literal(9));
            Some(b.member(x, set))
        }
        16 | 17 if is_vector(b, x) => {
            let lists = match into(b, u, x)? {
                Dim::ONE => dim,
                groups => groups,
            };
            scan(b, u, lists, x, y)?
        }
        18 if is_vector(b, x) => {
            let groups = into(b, u, x)?;
            Some(b.listed(x, groups))
        }
        _ => None,
    })
}

/// A scan of `x`, of any primitive that has one.
fn scan(b: &mut Build, u: &mut Unstructured, lists: Dim, x: Node, y: Node) -> Result<Option<Node>> {
    use Prim::*;
    let one = [Add, Mul, Lesser, Greater, Fill, Avgs, Differ, Reverse, Rank, Asc, Desc, Xprev, Til];
    let n = b.constant(Kind::Long, u.int_in_range(-3..=3)?);
    let Ty { kind, domain, .. } = b.graph.ty(x);
    let args = match *u.choose(&[&one[..], &[Msum, Mavg, Mdev, Mcount, Mmin, Mmax]].concat())? {
        p @ (Asc | Desc) if b.graph.ty(x).dim == b.graph.ty(y).dim => (p, vec![x, y]),
        Asc | Desc => return Ok(None),
        Xprev => (Xprev, vec![x, n, b.null(kind, domain)]),
        Til => (Til, vec![]),
        p if one.contains(&p) => (p, vec![x]),
        p => (p, vec![x, n]),
    };
    Ok(b.scan(args.0, lists, &args.1).ok())
}

fn outputs(b: &mut Build, u: &mut Unstructured, nodes: &[Node]) -> Result<()> {
    let first = *u.choose(nodes)?;
    b.output(name(u)?, first);
    let shape = *u.choose(&[Shape::Table, Shape::Keyed(1), Shape::Single, Shape::Dict])?;
    b.graph.shape = Some(shape);
    if shape == Shape::Single {
        return Ok(());
    }
    for _ in 0..u.int_in_range(0..=4)? {
        let n = *u.choose(nodes)?;
        let (d, dim) = (b.graph.ty(n).dim, b.graph.ty(first).dim);
        if shape == Shape::Dict || d == dim || d == Dim::ONE {
            b.output(name(u)?, n);
        }
    }
    Ok(())
}
