//! `qfuse bench`: times queries over raw column files, one JSON object a line on standard output.

use super::{sums, tables};
use crate::engine::Engine;
use crate::gpu::moves;
use crate::session::Session;
use q::error::Source;
use q::lambda::Lambda;
use q::memory::status;
use q::value::Func;
use q::{Buf, Error, Interp, Prim, Sym, Value};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// The command line of `qfuse bench`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Folder with schema.json and the column files.
    #[arg(long)]
    data: PathBuf,
    /// JSON list of the queries to run, in order.
    #[arg(long)]
    queries: PathBuf,
    /// Threads a query may use.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Timed runs of each query.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Untimed runs before them; the first is reported as `first`.
    #[arg(long, default_value_t = 1)]
    warmup: usize,
    /// Engine: cpu, cuda or interp.
    #[arg(long, default_value_t = Engine::Cpu)]
    engine: Engine,
}

/// One query of the list.
#[derive(Deserialize)]
struct Query {
    id: String,
    data: String,
    q: String,
    ord: Option<usize>,
    /// q text that is run once, when the tables are there.
    #[serde(default)]
    prelude: String,
}

/// What a line says. Fields without a value are left out.
#[derive(Serialize, Default)]
struct Line {
    #[serde(skip_serializing_if = "Option::is_none")]
    load: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skip: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    timing: Option<Timing>,
}

#[derive(Serialize)]
struct Timing {
    first: f64,
    times: Vec<f64>,
    rows: usize,
    names: Vec<&'static str>,
    sums: Vec<Option<sums::Sums>>,
    engine: &'static str,
    /// Queries that plans answered in the last run, the kernels of those plans, and the bytes that these read and write
    /// for each row, all summed up.
    queries: usize,
    kernels: usize,
    row_bytes: usize,
    /// Bytes that the process grew by, at most, in a run of its own on an empty pool.
    peak_bytes: Option<u64>,
    /// Bytes of the result, which no way of answering can do without.
    least_bytes: u64,
}

impl Line {
    /// Prints the line and flushes it, so that a reader knows at once where a crash was.
    fn print(&self) {
        let line = serde_json::to_string(self).expect("a line has only strings and numbers");
        let mut out = io::stdout().lock();
        // A reader that has gone away ends the bench at its next read; there is nobody left to tell.
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    }
}

/// The tables that a query's `data` names.
fn tables_of(data: &str) -> &'static [&'static str] {
    match data {
        "tick" => &["trades", "quotes", "inst", "orders"],
        "h2o" => &["x"],
        "taq" => &["quote", "trade", "master"],
        _ => &[],
    }
}

/// Loads the data and runs the list.
pub fn main(args: &Args) -> ExitCode {
    super::use_threads(Some(args.threads));
    match run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("qfuse bench: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<(), String> {
    let file = std::fs::File::open(&args.queries).map_err(|e| format!("{}: {e}", args.queries.display()))?;
    let queries: Vec<Query> = serde_json::from_reader(io::BufReader::new(file))
        .map_err(|e| format!("{}: {e}", args.queries.display()))?;
    let begun = Instant::now();
    let session = Session::new(args.engine);
    let mut q = Interp::new();
    q.threads = args.threads;
    crate::gpu::register(&mut q, &session);
    let schema = tables::schema(&args.data).map_err(|e| e.to_string())?;
    let mut wanted: Vec<&str> = queries.iter().flat_map(|x| tables_of(&x.data)).copied().collect();
    wanted.sort_unstable();
    wanted.dedup();
    for name in wanted {
        let host = tables::load(&args.data, &schema, name).map_err(|e| e.to_string())?;
        let table = moves::to(&session, &host).map_err(|e| e.to_string())?;
        q.set_global(Sym::new(name), table).map_err(|e| e.to_string())?;
    }
    if let Some(query) = queries.first() {
        prelude(&mut q, &query.prelude).map_err(|e| format!("the prelude: {e}"))?;
    }
    session.sync().map_err(|e| e.to_string())?;
    let load = Some(begun.elapsed().as_secs_f64());
    Line { load, version: Some(env!("CARGO_PKG_VERSION")), ..Default::default() }.print();
    for query in &queries {
        Line { start: Some(query.id.clone()), ..Default::default() }.print();
        time(&session, &mut q, query, args).print();
    }
    Ok(())
}

/// Runs the statements of `text`, one a line.
fn prelude(q: &mut Interp, text: &str) -> q::Result<()> {
    q.run_script(Source { text: text.as_bytes().into(), file: None, line: 1 })
}

/// Runs one query as often as asked and sums up its result.
fn time(session: &Session, q: &mut Interp, query: &Query, args: &Args) -> Line {
    let id = Some(query.id.clone());
    let failed = |e: &Error| {
        let said = e.to_string();
        match &*e.name {
            "GPU_NOT_IMPLEMENTED" | "nyi" => Line { id: id.clone(), skip: Some(said), ..Default::default() },
            _ => Line { id: id.clone(), error: Some(said), ..Default::default() },
        }
    };
    let (mut took, mut result) = (vec![], Value::null());
    for _ in 0..args.warmup + args.runs.max(1) {
        match run_once(session, q, &query.q, &mut result) {
            Ok(seconds) => took.push(seconds),
            Err(e) => return failed(&e),
        }
    }
    Line { timed: id.clone(), ..Default::default() }.print();
    // One more run, for what it needs: blocks that the pool has would hide that.
    drop(std::mem::replace(&mut result, Value::null()));
    let pooled = q::buf::pooled();
    q::buf::trim_pool();
    let meter = Meter::start();
    if let Err(e) = run_once(session, q, &query.q, &mut result) {
        return failed(&e);
    }
    let peak = meter.and_then(|m| m.grown());
    let work = session.work();
    let host = match moves::from(&result) {
        Ok(host) => host,
        Err(e) => return failed(&e),
    };
    let Some(columns) = sums::columns(&host) else {
        return Line { id, error: Some("the result has no columns to sum".into()), ..Default::default() };
    };
    let each = columns.iter().enumerate();
    // In the ticks `ex` is a number to the other programs; in TAQ it is text.
    let text = query.data == "taq";
    let sums = each.map(|(i, (_, c))| sums::column(c, query.ord == Some(i), text)).collect();
    let timing = Timing {
        first: took[0],
        times: took.split_off(args.warmup),
        rows: sums::rows(&columns),
        names: columns.iter().map(|(name, _)| name.text()).collect(),
        sums,
        engine: args.engine.name(),
        queries: work.queries,
        kernels: work.kernels,
        row_bytes: work.bytes,
        peak_bytes: peak,
        least_bytes: columns.iter().map(|(_, c)| bytes(c)).sum(),
    };
    // The next query finds a pool as warm as this one did.
    drop(result);
    drop(Buf::<u8>::filled(pooled.min(WARM), 0));
    Line { id, timing: Some(timing), ..Default::default() }
}

/// Runs a query, and tells how many seconds that took. The last result's memory is free before, as for any caller who drops
/// it; and a device's results are there when it says so.
fn run_once(session: &Session, q: &mut Interp, text: &str, result: &mut Value) -> q::Result<f64> {
    drop(std::mem::replace(result, Value::null()));
    session.work();
    let begun = Instant::now();
    *result = answer(q, text)?;
    session.sync()?;
    Ok(begun.elapsed().as_secs_f64())
}

/// The value of a query's text, parsing included.
fn answer(q: &mut Interp, text: &str) -> q::Result<Value> {
    let source = Arc::new(Source { text: text.as_bytes().into(), file: None, line: 1 });
    let (tree, _) = q::parse::expression(&source, q.globals.current)?;
    let from = q.global(Sym::new(".gpu.from")).ok_or_else(|| Error::new(".gpu.from"))?;
    let tree = if is_query(&tree) { tree } else { fetched(&tree, &from) };
    q.eval(&tree, None)
}

fn is_query(tree: &Value) -> bool {
    let Value::List(items) = tree else { return false };
    let head = items.first().and_then(Value::as_prim);
    items.len() > 4 && matches!(head, Some(Prim::Query | Prim::Bang))
}

/// The tree where what queries answer goes back to the host, for q's own verbs to go on with it. A query of a query
/// stays where it is.
fn fetched(tree: &Value, from: &Value) -> Value {
    match tree {
        _ if is_query(tree) => Value::list(vec![from.clone(), tree.clone()]),
        Value::List(items) => Value::list(items.iter().map(|item| fetched(item, from)).collect()),
        Value::Fun(Func::Derived(by, f)) => Value::Fun(Func::Derived(*by, Arc::new(fetched(f, from)))),
        Value::Fun(Func::Lambda(f)) => {
            let body = f.body.iter().map(|tree| fetched(tree, from)).collect();
            let Lambda { text, params, locals, spans, source, space, .. } = &**f;
            Value::Fun(Func::Lambda(Arc::new(Lambda {
                text: text.clone(),
                params: params.clone(),
                locals: locals.clone(),
                body,
                spans: spans.clone(),
                source: source.clone(),
                space: *space,
            })))
        }
        _ => tree.clone(),
    }
}

/// The most bytes that the pool is given back between queries.
const WARM: usize = 256 << 20;

/// Bytes of a column's elements; of a general list, of its items.
fn bytes(column: &Value) -> u64 {
    match column {
        Value::Vec(v) => (v.len() * v.kind.width()) as u64,
        Value::List(items) => items.iter().map(bytes).sum(),
        _ => 8,
    }
}

/// Measures by how much the process grows at most: the system's high-water mark of resident memory, reset at
/// the start. Only Linux has one that can be reset.
struct Meter {
    before: usize,
}

impl Meter {
    fn start() -> Option<Meter> {
        std::fs::write("/proc/self/clear_refs", "5").ok()?;
        Some(Meter { before: status("VmRSS:")? })
    }

    fn grown(&self) -> Option<u64> {
        Some(status("VmHWM:")?.saturating_sub(self.before) as u64)
    }
}
