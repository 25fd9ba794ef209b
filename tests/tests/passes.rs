//! A property of the passes: any of them, in any order, leave a query's answer as it is.

use arbitrary::Unstructured;
use compiler::ir::{Graph, Input};
use compiler::passes::PASSES;
use compiler::{Code, Query, key, lower, plan};
use q::{Sym, Value};
use runtime::column::{Column, Domain};
use runtime::device::{Launch, Output};
use runtime::engine::{Engine, device};
use runtime::gpu::{Place, Table};
use runtime::{launch, prepare};
use std::sync::Arc;
use tests::gen_query::{Case, case};

/// Queries tried, and orders of passes for each.
const CASES: u64 = 600;
const ORDERS: usize = 3;

/// A query as lowered, and what a run of it takes.
struct Lowered {
    graph: Graph,
    literals: key::Literals,
    columns: Vec<Column>,
    domains: Vec<Arc<Domain>>,
    rows: usize,
}

#[test]
fn passes_in_any_order_leave_the_answer() {
    let mut judged = 0;
    for seed in 0..CASES {
        let mut random = fastrand::Rng::with_seed(seed);
        let bytes: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(8000).collect();
        let case = case(&mut Unstructured::new(&bytes)).expect("there are bytes enough");
        let Some(lowered) = lowered(&case) else { continue };
        let want = run(&lowered, lowered.graph.clone());
        for _ in 0..ORDERS {
            let order: Vec<_> =
                (0..random.usize(1..=5)).map(|_| PASSES[random.usize(..PASSES.len())]).collect();
            let graph = order.iter().fold(lowered.graph.clone(), |graph, (_, pass)| pass(&graph));
            let names: Vec<&str> = order.iter().map(|(name, _)| *name).collect();
            assert_eq!(run(&lowered, graph), want, "{names:?} of {}\n{}", case.query, lowered.graph);
        }
        judged += usize::from(want.is_some());
    }
    assert!(judged > CASES as usize * 2 / 5, "only {judged} queries were run");
}

/// The graph of a case; none where the query is refused.
fn lowered(case: &Case) -> Option<Lowered> {
    let source = q::error::Source { text: case.query.as_bytes().into(), file: None, line: 1 };
    let (tree, _) = q::parse::expression(&Arc::new(source), Sym::NULL).expect("the generator writes q");
    let query = Query::from_tree(&tree).ok()?;
    let Value::Table(t) = &case.table else { return None };
    let columns: Vec<Column> = t.cols.iter().map(|c| Column::of(c).expect("the columns are flat")).collect();
    let cols = columns.iter().cloned().map(Place::Device).collect();
    let table = Table { names: t.names.clone(), cols, keys: 0 };
    let (schema, domains) = prepare::schema(&table, &columns, &[], &[]);
    let literals = key::literals(&query);
    let graph = lower::lower(&query, &schema, &literals).ok()?;
    Some(Lowered { graph, literals, columns, domains, rows: t.rows() })
}

/// The outputs of a graph on the CPU engine, every kind and value in them; none where it has no plan yet.
fn run(lowered: &Lowered, graph: Graph) -> Option<Vec<String>> {
    let plan = match plan::build(graph, lowered.literals.0.len()) {
        Ok(plan) => plan,
        Err(e) => {
            assert_eq!(e.code, Code::NotYet, "{e}");
            return None;
        }
    };
    let no_variable = |_| None;
    let given =
        launch::Given { literals: &lowered.literals.0, variable: &no_variable, domains: &lowered.domains };
    let (args, domains) = launch::args(&plan.graph, &given).expect("the parameters can be made");
    let input = |input: &Input| match input.counts {
        true => lowered.columns[input.index].counts().expect("the lists are on the host"),
        false => lowered.columns[input.index].clone(),
    };
    let inputs: Vec<Column> = plan.graph.inputs.values().map(input).collect();
    let cpu = device(Engine::Cpu).expect("the CPU engine is always there");
    let module = cpu.load(&plan).expect("a plan loads");
    let launch = Launch { inputs: &inputs, args: &args, domains: &domains, rows: lowered.rows };
    let outputs = cpu.run(&plan, &module, &launch).expect("a plan runs");
    let text = |output: &Output| match output {
        Output::Column(c) => format!("{:?}", c.value().expect("the elements are on the host")),
        Output::Atom(a) => format!("{a:?}"),
    };
    Some(outputs.iter().map(text).collect())
}
