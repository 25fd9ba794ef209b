//! Fusion on small graphs made by hand: how many kernels, in which order, and what each holds.

use super::{Plan, Skeleton, build};
use crate::ir::{Dim, DimDef, Graph, Input, Node, NodeDef, Op, Output, ParamDef, Source, Ty};
use crate::schema::DomainId;
use q::Kind::{self, Bool, Float, Long};
use q::{Prim, Sym};

struct Maker(Graph);

impl Maker {
    fn new() -> Maker {
        let mut graph = Graph::default();
        graph.dims.push(DimDef::Rows);
        Maker(graph)
    }

    fn node(&mut self, op: Op, args: &[Node], kind: Kind, dim: Dim) -> Node {
        let domain = (kind == Kind::Sym).then_some(DomainId(0));
        self.0.nodes.push(NodeDef { op, args: args.to_vec(), ty: Ty { kind, dim, domain } })
    }

    fn col(&mut self, name: &str, kind: Kind) -> Node {
        let domain = (kind == Kind::Sym).then_some(DomainId(0));
        let width = if kind == Kind::Sym { 2 } else { kind.width() as u8 };
        let index = self.0.inputs.len();
        let col =
            self.0.inputs.push(Input { index, name: Sym::new(name), kind, width, domain, counts: false });
        self.node(Op::Col(col), &[], kind, Dim::from_u32(1))
    }

    fn literal(&mut self, kind: Kind) -> Node {
        let i = self.0.params.len() as u32;
        let param = self.0.params.push(ParamDef { kind, source: Source::Literal(i) });
        self.node(Op::Param(param), &[], kind, Dim::ONE)
    }

    fn map(&mut self, prim: Prim, args: &[Node], kind: Kind) -> Node {
        let dim = args.iter().map(|&a| self.0.nodes[a].ty.dim).max().expect("a map has arguments");
        self.node(Op::Map(prim), args, kind, dim)
    }

    fn kept(&mut self, mask: Node) -> Dim {
        let of = self.0.nodes[mask].ty.dim;
        self.0.dims.push(DimDef::Kept { of, mask })
    }

    fn keep(&mut self, x: Node, dim: Dim) -> Node {
        let kind = self.0.nodes[x].ty.kind;
        self.node(Op::Keep, &[x], kind, dim)
    }

    fn groups(&mut self, keys: &[Node]) -> Dim {
        let of = self.0.nodes[keys[0]].ty.dim;
        self.0.dims.push(DimDef::Groups { of, keys: keys.to_vec() })
    }

    fn agg(&mut self, prim: Prim, x: Node, kind: Kind, dim: Dim) -> Node {
        self.node(Op::Agg(prim), &[x], kind, dim)
    }

    fn plan(mut self, outputs: &[Node]) -> Plan {
        let name = Sym::new("x");
        self.0.outputs = outputs.iter().map(|&node| Output::of(name, node)).collect();
        build(self.0, 0).expect("the graph has a plan")
    }
}

fn skeletons(plan: &Plan) -> Vec<Skeleton> {
    plan.kernels.values().map(|k| k.skeleton).collect()
}

#[test]
fn filter_and_whole_column_aggregates_are_one_reduce() {
    // select sum p, n:count i, r:(max p)-min p from t where s>0
    let mut m = Maker::new();
    let (p, s, zero) = (m.col("p", Float), m.col("s", Long), m.literal(Long));
    let mask = m.map(Prim::Gt, &[s, zero], Bool);
    let d = m.kept(mask);
    let kept = m.keep(p, d);
    let sum = m.agg(Prim::Sum, kept, Float, Dim::ONE);
    let count = m.agg(Prim::Count, kept, Long, Dim::ONE);
    let (max, min) = (m.agg(Prim::Max, kept, Float, Dim::ONE), m.agg(Prim::Min, kept, Float, Dim::ONE));
    let range = m.map(Prim::Sub, &[max, min], Float);
    let plan = m.plan(&[sum, count, range]);
    assert_eq!(skeletons(&plan), [Skeleton::Reduce]);
    let k = plan.kernels.values().next().expect("a kernel");
    assert_eq!((&k.masks, &k.loads, &k.body), (&vec![mask], &vec![p, s], &vec![mask, kept]));
    assert_eq!((&k.results, &k.tail), (&vec![sum, count, max, min], &vec![range]));
    assert_eq!(k.writes, [sum, count, range], "max and min stay in registers");
    assert_eq!(
        super::cost::cost(&plan).to_string(),
        "cost: 1 kernel, 2 launches, reads 16 B a row (least 16), writes 0 B a row (least 0)\n"
    );
}

#[test]
fn where_by_and_aggregates_are_one_group() {
    // select v:s wavg p, n:count i by sym from t where s>0, p<s
    let mut m = Maker::new();
    let (sym, p, s, zero) = (m.col("sym", Kind::Sym), m.col("p", Float), m.col("s", Float), m.literal(Float));
    let first = m.map(Prim::Gt, &[s, zero], Bool);
    let d = m.kept(first);
    let (p1, s1) = (m.keep(p, d), m.keep(s, d));
    let second = m.map(Prim::Lt, &[p1, s1], Bool);
    let d = m.kept(second);
    let (sym2, p2, s2) = (m.keep(sym, d), m.keep(p1, d), m.keep(s1, d));
    let _ = sym2;
    let sym1 = m.keep(sym, d);
    let g = m.groups(&[sym1]);
    let key = m.node(Op::Key(0), &[], Kind::Sym, g);
    let vwap = m.node(Op::Agg(Prim::Wavg), &[s2, p2], Float, g);
    let count = m.agg(Prim::Count, p2, Long, g);
    let plan = m.plan(&[key, vwap, count]);
    assert_eq!(skeletons(&plan), [Skeleton::Group]);
    let k = plan.kernels.values().next().expect("a kernel");
    assert_eq!((&k.masks, &k.keys), (&vec![first, second], &vec![sym1]));
    assert_eq!(k.loads, [sym, p, s]);
    assert!(k.ranks[0].is_some() && !k.group_ids);
    let cost = super::cost::cost(&plan);
    assert_eq!((cost.read, cost.written, cost.least_written), (18, 18, 18), "codes keep their width");
}

#[test]
fn columns_are_shared_and_filters_compact_once() {
    let mut m = Maker::new();
    let (p, s) = (m.col("p", Float), m.col("s", Long));
    let plan = m.plan(&[p, s]);
    assert_eq!(plan.kernels.len(), 0);

    // select p, 2*p from t where p > avg p: the average ends a kernel.
    let mut m = Maker::new();
    let (p, two) = (m.col("p", Float), m.literal(Float));
    let avg = m.agg(Prim::Avg, p, Float, Dim::ONE);
    let mask = m.map(Prim::Gt, &[p, avg], Bool);
    let d = m.kept(mask);
    let kept = m.keep(p, d);
    let twice = m.map(Prim::Mul, &[two, kept], Float);
    let plan = m.plan(&[kept, twice]);
    assert_eq!(skeletons(&plan), [Skeleton::Reduce, Skeleton::Compact]);
    let k = plan.kernels.values().next_back().expect("a kernel");
    assert_eq!((&k.atoms, &k.writes), (&vec![two, avg], &vec![kept, twice]));
    assert_eq!(k.reason, format!("{avg} is known only when k0 has ended"));
    assert_eq!(plan.dead_after(plan.kernels.keys().next().expect("a kernel")), []);
    assert_eq!(plan.dead_after(plan.kernels.keys().next_back().expect("a kernel")), [avg]);
}

#[test]
fn update_by_spreads_a_tail_over_the_rows() {
    // update r:p-1+avg p by sym from t
    let mut m = Maker::new();
    let (sym, p, one) = (m.col("sym", Kind::Sym), m.col("p", Float), m.literal(Float));
    let g = m.groups(&[sym]);
    let avg = m.agg(Prim::Avg, p, Float, g);
    let more = m.map(Prim::Add, &[one, avg], Float);
    let row = m.node(Op::Spread, &[more], Float, Dim::from_u32(1));
    let r = m.map(Prim::Sub, &[p, row], Float);
    let plan = m.plan(&[sym, p, r]);
    assert_eq!(skeletons(&plan), [Skeleton::Group, Skeleton::Map]);
    let (first, last) = (
        plan.kernels.values().next().expect("a kernel"),
        plan.kernels.values().next_back().expect("a kernel"),
    );
    assert!(first.group_ids);
    assert_eq!((&first.tail, &first.writes), (&vec![more], &vec![more]));
    assert_eq!((&last.gathers, &last.loads, &last.writes), (&vec![more], &vec![p], &vec![r]));
    assert_eq!(super::cost::cost(&plan).shared, 2);
}

#[test]
fn an_aggregate_waits_where_that_saves_a_pass() {
    // exec (max p; sum p>(avg;p) fby sym): both reductions of the rows run after the grouping.
    let mut m = Maker::new();
    let (sym, p) = (m.col("sym", Kind::Sym), m.col("p", Float));
    let max = m.agg(Prim::Max, p, Float, Dim::ONE);
    let g = m.groups(&[sym]);
    let avg = m.agg(Prim::Avg, p, Float, g);
    let row = m.node(Op::Spread, &[avg], Float, Dim::from_u32(1));
    let above = m.map(Prim::Gt, &[p, row], Bool);
    let sum = m.agg(Prim::Sum, above, Long, Dim::ONE);
    let plan = m.plan(&[max, sum]);
    assert_eq!(skeletons(&plan), [Skeleton::Group, Skeleton::Reduce]);
}

#[test]
fn nested_aggregates_join_the_groups_of_two_kernels() {
    // select d:(sum abs p-avg p)%count i by sym from t
    let mut m = Maker::new();
    let (sym, p) = (m.col("sym", Kind::Sym), m.col("p", Float));
    let g = m.groups(&[sym]);
    let (key, avg) = (m.node(Op::Key(0), &[], Kind::Sym, g), m.agg(Prim::Avg, p, Float, g));
    let count = m.agg(Prim::Count, p, Long, g);
    let row = m.node(Op::Spread, &[avg], Float, Dim::from_u32(1));
    let off = m.map(Prim::Sub, &[p, row], Float);
    let sum = m.agg(Prim::Sum, off, Float, g);
    let as_float = m.node(Op::Cast, &[count], Float, g);
    let mean = m.map(Prim::Divide, &[sum, as_float], Float);
    let plan = m.plan(&[key, mean]);
    assert_eq!(skeletons(&plan), [Skeleton::Group, Skeleton::Group]);
    let last = plan.kernels.values().next_back().expect("a kernel");
    assert_eq!((&last.joins, &last.tail, &last.gathers), (&vec![count], &vec![as_float, mean], &vec![avg]));
    assert!(plan.kernels.values().next().expect("a kernel").group_ids && !last.group_ids);
}

#[test]
fn groups_that_need_a_later_atom_get_a_map() {
    // The maximum of a group over the greatest sum of all groups.
    let mut m = Maker::new();
    let (sym, p) = (m.col("sym", Kind::Sym), m.col("p", Float));
    let g = m.groups(&[sym]);
    let (max, sum) = (m.agg(Prim::Max, p, Float, g), m.agg(Prim::Sum, p, Float, g));
    let top = m.agg(Prim::Max, sum, Float, Dim::ONE);
    let share = m.map(Prim::Divide, &[max, top], Float);
    let plan = m.plan(&[share]);
    assert_eq!(skeletons(&plan), [Skeleton::Group, Skeleton::Reduce, Skeleton::Map]);
    assert_eq!(plan.kernels.values().next_back().expect("a kernel").loads, [max]);
}

#[test]
fn update_where_places_in_one_map_and_constants_take_one_turn() {
    // update p:2*p from t where s>0
    let mut m = Maker::new();
    let (p, s, two, zero) = (m.col("p", Float), m.col("s", Long), m.literal(Float), m.literal(Long));
    let mask = m.map(Prim::Gt, &[s, zero], Bool);
    let d = m.kept(mask);
    let kept = m.keep(p, d);
    let twice = m.map(Prim::Mul, &[two, kept], Float);
    let placed = m.node(Op::Place, &[twice, p], Float, Dim::from_u32(1));
    let sum = m.map(Prim::Add, &[two, two], Float);
    let plan = m.plan(&[placed, sum]);
    assert_eq!(skeletons(&plan), [Skeleton::Map, Skeleton::Map]);
    let (one, rows) = (
        plan.kernels.values().next().expect("a kernel"),
        plan.kernels.values().next_back().expect("a kernel"),
    );
    assert_eq!((one.over, &one.body), (Dim::ONE, &vec![sum]));
    assert_eq!((&rows.body, rows.masks.len()), (&vec![mask, kept, twice, placed], 0));
}

#[test]
fn a_broken_plan_is_told_apart() {
    let mut m = Maker::new();
    let p = m.col("p", Float);
    let neg = m.map(Prim::Neg, &[p], Float);
    let mut plan = m.plan(&[neg]);
    assert_eq!(super::verify(&plan), Vec::<String>::new());
    let k = plan.kernels.keys().next().expect("a kernel");
    plan.kernels[k].loads.clear();
    assert_eq!(super::verify(&plan), [format!("k0: {neg} needs {p}")]);
    plan.kernels[k].writes.clear();
    let errors = super::verify(&plan);
    assert!(errors.iter().any(|e| e.contains("written by no kernel")), "{errors:?}");
}

#[test]
fn groups_of_groups_are_refused() {
    let mut m = Maker::new();
    let p = m.col("p", Long);
    let groups = m.groups(&[p]);
    let key = m.node(Op::Key(0), &[], Long, groups);
    let again = m.groups(&[key]);
    let twice = m.node(Op::Key(0), &[], Long, again);
    let spread = m.node(Op::Spread, &[twice], Long, groups);
    m.0.outputs.push(Output::of(Sym::new("x"), spread));
    assert_eq!(build(m.0, 0).map(|_| ()).map_err(|e| e.code), Err(crate::Code::NotYet));
}
