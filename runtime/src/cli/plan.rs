//! `qfuse plan`: what becomes of a query, stage by stage, without running it.

use super::sources;
use crate::device::nvrtc::{self, Resources, Target, nvrtc};
use crate::error::explain;
use crate::gpu::{Body, Object, Place, Table};
use crate::prepare::{schema, variables};
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
    /// Registers, shared memory and spills that ptxas reports, and each kernel's bytes a row.
    Resources,
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

/// An entry's resources, for tools.
#[derive(Serialize)]
struct EntryLine {
    entry: String,
    registers: u32,
    shared: u32,
    stack: u32,
    spills: u32,
}

#[derive(Serialize)]
struct Report {
    query: String,
    stages: Vec<Shown>,
    kernels: Vec<KernelLine>,
    /// Empty where NVRTC is missing or the resources stage was not asked for.
    entries: Vec<EntryLine>,
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
    crate::gpu::register(&mut q, &Session::new(Default::default()));
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
    let variables = variables(&query, &table, &scope).map_err(|e| signal(e.into()))?;
    let (schema, _) = schema(&table, &columns, &variables);
    let (_, literals) = key::lift(&query, &schema);
    let lowered = lower::lower(&query, &schema, &literals).map_err(refused)?;
    let plan = compiler::compile(&query, &schema).map_err(refused)?;
    Ok(Compiled { tree, lowered, plan })
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
        println!("{}", serde_json::to_string_pretty(&report).expect("a report has only strings and numbers"));
    } else {
        for s in &shown {
            if shown.len() > 1 {
                println!("== {}", s.stage);
            }
            match (&s.text, &s.error) {
                (Some(text), _) => println!("{}", text.trim_end()),
                (None, error) => println!("not available: {}", error.as_deref().unwrap_or("no reason")),
            }
        }
    }
    // A stage that was asked for by name and is not there is a failure; in the list of all it is a finding.
    if failed && !args.stages.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn text(stage: Stage, args: &Args, compiled: &Compiled) -> Result<String, String> {
    match stage {
        Stage::Tree => Ok(show::console(&compiled.tree, &show::Settings::default().whole())),
        Stage::Graph => Ok(compiled.lowered.to_string()),
        Stage::Passes => Ok(compiled.plan.graph.to_string()),
        Stage::Plan => Ok(compiled.plan.to_string()),
        Stage::Cuda => Ok(emit(&compiled.plan).text()),
        Stage::Ptx => {
            let unit = emit(&compiled.plan);
            let made = nvrtc().and_then(|n| n.compile("plan.cu", &unit.text(), Target::Ptx(args.arch)));
            made.map(|c| String::from_utf8_lossy(&c.image).into_owned()).map_err(|e| e.to_string())
        }
        Stage::Resources => Ok(lines(&resources(args, compiled)?)),
    }
}

/// What ptxas says of each entry of the plan's kernels. The library's functions that are entries themselves are
/// not the plan's.
fn resources(args: &Args, compiled: &Compiled) -> Result<Vec<Resources>, String> {
    let unit = emit(&compiled.plan);
    let made = nvrtc().and_then(|n| n.compile("plan.cu", &unit.text(), Target::Cubin(args.arch)));
    Ok(nvrtc::resources(&made.map_err(|e| e.to_string())?.log))
}

fn lines(all: &[Resources]) -> String {
    let width = all.iter().map(|r| r.kernel.len()).max().unwrap_or(0).max("entry".len());
    let mut text = format!("{:width$} registers shared stack spilled", "entry");
    for r in all {
        text +=
            &format!("\n{:width$} {:9} {:6} {:5} {:7}", r.kernel, r.registers, r.shared, r.stack, r.spills);
    }
    text
}

fn report(args: &Args, compiled: &Compiled, stages: Vec<Shown>) -> Report {
    let cost = compiler::plan::cost::cost(&compiled.plan);
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
    let entry = |r: Resources| EntryLine {
        entry: r.kernel,
        registers: r.registers,
        shared: r.shared,
        stack: r.stack,
        spills: r.spills,
    };
    Report {
        entries: entries.into_iter().map(entry).collect(),
        query: args.query.clone(),
        stages,
        launches: cost.launches,
        read: cost.read,
        least_read: cost.least_read,
        written: cost.written,
        least_written: cost.least_written,
        kernels: cost.kernels.into_iter().map(line).collect(),
    }
}
