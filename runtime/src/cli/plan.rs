//! `qfuse plan`: what becomes of a query, stage by stage, without running it.

use super::cost::{self, EntryLine, GpuLine, LaunchLine};
use super::{say, sources};
use crate::cache::compiled;
use crate::device::nvrtc::{Resources, nvrtc};
use crate::engine::Engine;
use crate::error::explain;
use crate::gpu::{Body, Object, Place, Table};
use crate::predict::simulate::{self, Simulated};
use crate::prepare::{Known, known};
use crate::session::Session;
use compiler::emit::emit;
use compiler::plan::Plan;
use compiler::{Query, key, lower};
use q::error::Source;
use q::path::Spans;
use q::seam::Scope;
use q::{Interp, Prim, Value, show};
use serde::Serialize;
use std::process::ExitCode;
use std::sync::Arc;

/// The command line of `qfuse plan`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A table of the query: NAME=col:type,col:type… or NAME=FILE (a CSV with a header, or a q script).
    #[arg(long = "table", value_name = "NAME=SCHEMA|FILE")]
    tables: Vec<String>,
    /// The stages to show; all of them if not given.
    #[arg(long = "stage", value_enum)]
    stages: Vec<Stage>,
    /// One JSON object instead of text.
    #[arg(long)]
    json: bool,
    /// Compute capability of the ptx and resources stages: 90 is an H100 or H200.
    #[arg(long, default_value_t = 90)]
    arch: u32,
    /// Rows of the table that the cost stage predicts times for.
    #[arg(long, default_value_t = 100_000_000)]
    rows: u64,
    /// Runs the query on the simulator, on a table of ROWS rows (the table's own over and over, generated ones for a
    /// schema), so that the cost stage knows sectors, instructions and conflicts.
    #[arg(long, value_name = "ROWS")]
    simulate: Option<usize>,
    /// Float sums carry along what additions round away.
    #[arg(long)]
    compensated: bool,
    /// The query: select, exec or update of one table.
    query: String,
}

/// A stage of compilation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Stage {
    /// The parse tree.
    Tree,
    /// The typed graph as lowered.
    Graph,
    /// The graph after the passes.
    Passes,
    /// The kernels and what each costs.
    Plan,
    /// The CUDA C++ text.
    Cuda,
    /// The PTX that NVRTC makes of it.
    Ptx,
    /// Registers, shared memory and spills that ptxas reports, and how many warps a multiprocessor holds for them.
    Resources,
    /// Bytes that go through the memory against the least possible, and the time that known GPUs need for them.
    Cost,
}

/// One stage's text, or why it is not there.
#[derive(Serialize)]
struct Shown {
    stage: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A kernel's cost, for tools.
#[derive(Serialize)]
struct KernelLine {
    kernel: String,
    skeleton: &'static str,
    launches: usize,
    read: usize,
    gathered: usize,
    written: usize,
    reason: String,
}

#[derive(Serialize)]
struct Report {
    query: String,
    stages: Vec<Shown>,
    kernels: Vec<KernelLine>,
    /// Empty where NVRTC is missing or the resources stage was not asked for.
    entries: Vec<EntryLine>,
    /// Rows that the times are for.
    rows: u64,
    /// Bytes that go through the memory for them, and the least.
    bytes: f64,
    least_bytes: f64,
    gpus: Vec<GpuLine>,
    /// Empty without `--simulate`.
    simulated: Vec<LaunchLine>,
    launches: usize,
    read: usize,
    least_read: usize,
    written: usize,
    least_written: usize,
}

/// Everything that the stages are printed from.
struct Compiled {
    tree: Value,
    lowered: compiler::ir::Graph,
    plan: Plan,
    simulated: Option<Simulated>,
}

/// Shows the stages asked for.
pub fn main(args: &Args) -> ExitCode {
    match compile(args) {
        Ok(compiled) => show_all(args, &compiled),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn compile(args: &Args) -> Result<Compiled, String> {
    let mut q = Interp::new();
    let session = Session::new(Engine::Cpu);
    session.compensate(args.compensated);
    crate::gpu::register(&mut q, &session);
    for spec in &args.tables {
        sources::define(&mut q, spec)?;
    }
    let signal = |e: q::Error| {
        let detail = e.detail.as_deref().map_or(String::new(), |d| format!("\n{d}"));
        format!("{}{detail}", show::error(&e).trim_end())
    };
    let source = Arc::new(Source { text: args.query.as_bytes().into(), file: None, line: 1 });
    let (tree, spans) = q::parse::expression(&source, q.globals.current).map_err(signal)?;
    let table = table(&mut q, &tree, &spans).map_err(signal)?;
    let refused = |e: compiler::Error| explain(&e, &args.query, &spans);
    let query = Query::from_tree(&tree).map_err(refused)?;
    let columns = table.cols.iter().map(Place::column).collect::<q::Result<Vec<_>>>().map_err(signal)?;
    let scope = Scope { locals: &[], interp: &q };
    let known =
        known(&query, &table, &columns, &scope, session.compensated()).map_err(|e| signal(e.into()))?;
    let Known { query, schema, .. } = known;
    let (_, literals) = key::lift(&query, &schema);
    let lowered = lower::lower(&query, &schema, &literals).map_err(refused)?;
    let plan = compiler::compile(&query, &schema).map_err(refused)?;
    let simulate = |rows: usize| simulate::run(&tree, &simulate::stretched(&table, rows)?, &session, &mut q);
    let simulated = args.simulate.map(simulate).transpose().map_err(signal)?;
    Ok(Compiled { tree, lowered, plan, simulated })
}

/// The value of the query's table expression.
fn table(q: &mut Interp, tree: &Value, spans: &Spans) -> q::Result<Table> {
    let wanted = || q::Error::new("type").detail("the query must be a select, exec or update of a table");
    let Value::List(items) = tree else { return Err(wanted()) };
    let (Some(Prim::Query | Prim::Bang), Some(t)) = (items.first().and_then(Value::as_prim), items.get(1))
    else {
        return Err(wanted());
    };
    let value = q.eval(t, spans.kids.get(1)).map_err(|e| match t.as_sym() {
        Some(name) if *e.name == *name.text() => {
            e.detail(format!("no such table; give it: --table {name}=col:type,…"))
        }
        _ => e,
    })?;
    match Object::of(&value).map(|o| &o.body) {
        Some(Body::Table(t)) => Ok(t.clone()),
        _ => Table::of(&value).ok_or_else(wanted),
    }
}

fn show_all(args: &Args, compiled: &Compiled) -> ExitCode {
    let all = <Stage as clap::ValueEnum>::value_variants();
    let stages = if args.stages.is_empty() { all } else { &args.stages };
    let shown: Vec<Shown> = stages
        .iter()
        .map(|&stage| {
            let (text, error) = match text(stage, args, compiled) {
                Ok(text) => (Some(text), None),
                Err(e) => (None, Some(e)),
            };
            Shown { stage: format!("{stage:?}").to_lowercase(), text, error }
        })
        .collect();
    let failed = shown.iter().any(|s| s.error.is_some());
    if args.json {
        let report = report(args, compiled, shown);
        say(&serde_json::to_string_pretty(&report).expect("a report has only strings and numbers"));
    } else {
        for s in &shown {
            if shown.len() > 1 {
                say(&format!("== {}", s.stage));
            }
            match (&s.text, &s.error) {
                (Some(text), _) => say(text.trim_end()),
                (None, error) => say(&format!("not available: {}", error.as_deref().unwrap_or("no reason"))),
            }
        }
    }
    // A stage that was asked for by name and is not there is a failure; in the list of all it is a finding.
    if failed && !args.stages.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn text(stage: Stage, args: &Args, plan: &Compiled) -> Result<String, String> {
    match stage {
        Stage::Tree => Ok(show::console(&plan.tree, &show::Settings::default().whole())),
        Stage::Graph => Ok(plan.lowered.to_string()),
        Stage::Passes => Ok(plan.plan.graph.to_string()),
        Stage::Plan => Ok(plan.plan.to_string()),
        Stage::Cuda => Ok(emit(&plan.plan).text()),
        Stage::Ptx => {
            let unit = emit(&plan.plan);
            let made = nvrtc().and_then(|n| compiled(&unit.text(), n.ptx_target(args.arch)?));
            made.map(|c| String::from_utf8_lossy(&c.image).into_owned()).map_err(|e| e.to_string())
        }
        Stage::Resources => Ok(cost::resources(&resources(args, plan)?, args.arch)),
        Stage::Cost => Ok(cost::text(&plan.plan, plan.simulated.as_ref(), args.rows)),
    }
}

/// What ptxas says of each entry of the plan's kernels. The library's functions that are entries themselves are
/// not the plan's.
fn resources(args: &Args, plan: &Compiled) -> Result<Vec<Resources>, String> {
    let unit = emit(&plan.plan);
    let of = |text: &str| {
        let made = nvrtc().and_then(|n| compiled(text, n.machine_target(args.arch)?));
        made.map(|c| c.resources()).map_err(|e| e.to_string())
    };
    let mut all = of(&unit.text())?;
    if !unit.rare.is_empty() {
        all.extend(of(&unit.rare_text())?);
    }
    Ok(all)
}

fn report(args: &Args, compiled: &Compiled, stages: Vec<Shown>) -> Report {
    let sums = compiler::plan::cost::cost(&compiled.plan);
    let line = |k: compiler::plan::cost::KernelCost| KernelLine {
        kernel: k.kernel.to_string(),
        skeleton: k.skeleton.name(),
        launches: k.launches,
        read: k.read,
        gathered: k.gathered,
        written: k.written,
        reason: k.reason,
    };
    let wanted = args.stages.is_empty() || args.stages.contains(&Stage::Resources);
    let entries = if wanted { resources(args, compiled).unwrap_or_default() } else { vec![] };
    let simulated = compiled.simulated.as_ref();
    let work = cost::work(&compiled.plan, simulated, args.rows);
    Report {
        entries: cost::entries(&entries, args.arch),
        rows: args.rows,
        bytes: work.bytes,
        least_bytes: work.least,
        gpus: cost::gpus(&work),
        simulated: simulated.map(cost::launches).unwrap_or_default(),
        query: args.query.clone(),
        stages,
        launches: sums.launches,
        read: sums.read,
        least_read: sums.least_read,
        written: sums.written,
        least_written: sums.least_written,
        kernels: sums.kernels.into_iter().map(line).collect(),
    }
}
