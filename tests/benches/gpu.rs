//! What queries take on a GPU, by the device's own clock: bytes a second as a share of a copy on the same device,
//! rows and keys a second, and the first query of a process with an empty and with a filled kernel cache.
//!
//! `tests/gpu/run.sh` runs it and sets the environment: `OUT` is the file for the JSON, `ROWS` the rows, `CORPUS` what
//! the transcripts gave. Without `QFUSE_GPU` the devices are simulated, which shows that it runs and nothing else. It
//! fails where a figure is missing.

use q::error::Source;
use q::seam::Scope;
use q::{Error, Interp, Result, Value};
use runtime::device::cuda::{Context, driver, measure};
use runtime::device::nvrtc::nvrtc;
use runtime::engine::Engine;
use runtime::gpu::{Body, Object};
use runtime::predict::counted;
use runtime::session::Session;
use serde_json::{Value as Json, json};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

/// Timed runs of each query.
const RUNS: usize = 7;
/// Bytes of the copy that speeds are a share of.
const COPY: usize = 1 << 30;

/// Name, query, and what is counted a second.
const QUERIES: &[(&str, &str, &str)] = &[
    ("map", "select x:p*n,y:i+n from T", "rows"),
    ("reduce", "exec sum p from T", "rows"),
    ("where-reduce", "exec sum p from T where n<500", "rows"),
    ("compact", "select p,n from T where i<50i", "rows"),
    ("group by 1000 symbols", "select sum p,avg n by s from T", "rows"),
    ("group by 1000 longs", "select sum p by n from T", "rows"),
    ("group by 1e6 longs", "select sum p by k from T", "rows"),
    ("order of floats", ".gpu.iasc P", "keys"),
    ("sort longs", ".gpu.asc K", "keys"),
    ("sort a table by a long", ".gpu.xasc[`k;T]", "keys"),
];

fn main() {
    tests::driver::load();
    if let Ok(query) = std::env::var("FIRST") {
        return first(&query);
    }
    let ready = Session::new(Engine::Cuda).ready();
    if let Err(e) = ready {
        return println!("gpu: skipped: {}", e.detail.unwrap_or_default());
    }
    match report() {
        Ok(report) => {
            let text = serde_json::to_string_pretty(&report).expect("it is plain JSON");
            match std::env::var_os("OUT") {
                Some(path) => std::fs::write(path, text + "\n").expect("OUT can be written"),
                None => println!("{text}"),
            }
            let missing = missing(&report);
            if !missing.is_empty() {
                eprintln!("gpu: without a figure: {}", missing.join(", "));
                std::process::exit(1);
            }
        }
        Err(e) => {
            eprintln!("gpu: {e}");
            std::process::exit(1);
        }
    }
}

fn report() -> Result<Json> {
    let simulated = std::env::var_os("QFUSE_GPU").is_none();
    let usual = if simulated { 1e4 } else { 1e8 };
    let rows = std::env::var("ROWS").ok().and_then(|r| r.parse::<f64>().ok()).unwrap_or(usual) as usize;
    let context = Context::current()?;
    let copy = measure::copy_speed(context, if simulated { 1 << 20 } else { COPY }, RUNS)?;
    let session = Session::new(Engine::Cuda);
    let mut q = Interp::new();
    runtime::gpu::register(&mut q, &session);
    q.eval_text(
        format!(
            "N:{rows};T:.gpu.to ([]s:N?`$\"s\",/:string til 1000;p:N?1e3;n:N?1000;i:N?100i;k:N?1000000);\
             P:.gpu.to N?1e3;K:.gpu.to N?0j;.gpu.sync[]"
        )
        .as_bytes(),
    )?;
    let queries: Vec<Json> = QUERIES
        .iter()
        .map(|&(name, text, unit)| {
            let base = json!({"name": name, "q": text});
            let more = measured(&mut q, &session, context, text, unit, rows, copy)
                .unwrap_or_else(|e| json!({"refused": e.to_string()}));
            joined(base, more)
        })
        .collect();
    let driver = driver::driver().map_err(Error::new)?;
    let nvrtc = nvrtc().map_err(|e| Error::new(e.to_string()))?;
    let (major, minor) = context.gpu.capability;
    Ok(json!({
        "qfuse": env!("CARGO_PKG_VERSION"),
        "simulated": simulated,
        "device": context.gpu.name,
        "compute": format!("{major}.{minor}"),
        "multiprocessors": context.gpu.processors,
        "bytes": context.gpu.bytes,
        "driver": format!("CUDA {}.{}", driver.version.0, driver.version.1),
        "nvrtc": format!("{}.{} {}", nvrtc.version.0, nvrtc.version.1, nvrtc.path.display()),
        "corpus": std::env::var("CORPUS").unwrap_or_default(),
        "rows": rows,
        "copy_gb_s": copy / 1e9,
        "queries": queries,
        "first_query_ms": cold_and_warm(),
    }))
}

/// The figures that the report lacks.
fn missing(report: &Json) -> Vec<String> {
    let there = |at: &Json, name: &str| at[name].as_f64().is_some_and(|x| x > 0.0);
    let lacking = |at: &Json, what: &str, names: &[&str]| {
        let lacking = names.iter().filter(|name| !there(at, name));
        lacking.map(|name| format!("{name} of {what}")).collect::<Vec<_>>()
    };
    let mut all = lacking(report, "the device", &["copy_gb_s", "rows", "multiprocessors"]);
    all.extend(lacking(&report["first_query_ms"], "the first query", &["cold", "warm"]));
    for (query, &(name, _, unit)) in report["queries"].as_array().into_iter().flatten().zip(QUERIES) {
        let counted = format!("{unit}_s");
        all.extend(lacking(query, name, &["device_ms", "wall_ms", &counted]));
        // A sort has no plan whose bytes are known.
        if unit == "rows" {
            all.extend(lacking(query, name, &["gb_s", "share_of_copy", "planned_bytes", "least_bytes"]));
        }
    }
    all
}

fn joined(mut a: Json, b: Json) -> Json {
    if let (Json::Object(a), Json::Object(b)) = (&mut a, b) {
        a.extend(b);
    }
    a
}

/// Runs a query as often as asked, after once unmeasured.
fn measured(
    q: &mut Interp,
    session: &Arc<Session>,
    context: &'static Context,
    text: &str,
    unit: &str,
    rows: usize,
    copy: f64,
) -> Result<Json> {
    let source = Arc::new(Source { text: text.as_bytes().into(), file: None, line: 1 });
    let (tree, _) = q::parse::expression(&source, q.globals.current)?;
    let table = q.global("T".into()).ok_or_else(|| Error::new("T"))?;
    let Some(Object { body: Body::Table(table), .. }) = Object::of(&table) else {
        return q::error::type_error();
    };
    // A sort is no query, and has no plan.
    let plan = session.explain(&tree, table, &Scope { locals: &[], interp: q }).ok();
    drop(q.eval(&tree, None)?);
    let (mut device, mut wall) = (vec![], vec![]);
    for _ in 0..RUNS {
        context.sync()?;
        let begun = Instant::now();
        let (result, ms) = measure::timed(context, || q.eval(&tree, None))?;
        wall.push(begun.elapsed().as_secs_f64() * 1e3);
        device.push(f64::from(ms));
        drop::<Value>(result);
    }
    device.sort_by(f64::total_cmp);
    wall.sort_by(f64::total_cmp);
    let ms = device[RUNS / 2];
    let moved = plan.map(|plan| {
        let work = counted(&plan, rows as u64);
        let speed = work.bytes / ms * 1e3;
        json!({
            "kernels": plan.kernels.len(),
            "planned_bytes": work.bytes,
            "least_bytes": work.least,
            "gb_s": speed / 1e9,
            "share_of_copy": speed / copy,
        })
    });
    let times = json!({
        "device_ms": ms,
        "device_ms_all": device,
        "wall_ms": wall[RUNS / 2],
        format!("{unit}_s"): rows as f64 / ms * 1e3,
    });
    Ok(joined(times, moved.unwrap_or_default()))
}

/// Milliseconds of the first query of a process, with a kernel cache that is empty and with one that is filled.
fn cold_and_warm() -> Json {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = || {
        let mut child = Command::new(std::env::current_exe().expect("a bench knows its file"));
        child
            .env("FIRST", "select sum a by b from T where a>5")
            .env("QFUSE_CACHE", folder.path().join("kernels"));
        let out = child.output().expect("the bench starts again");
        String::from_utf8_lossy(&out.stdout).trim().parse::<f64>().ok()
    };
    json!({"cold": run(), "warm": run()})
}

/// Runs one query in a process that has run none, and prints the milliseconds until its result is there.
fn first(text: &str) {
    let session = Session::new(Engine::Cuda);
    let mut q = Interp::new();
    runtime::gpu::register(&mut q, &session);
    let go = |q: &mut Interp| -> Result<f64> {
        q.eval_text(b"T:.gpu.to ([]a:til 1000;b:1000#til 7);.gpu.sync[]")?;
        let begun = Instant::now();
        q.eval_text(format!(".gpu.from {text}").as_bytes())?;
        Ok(begun.elapsed().as_secs_f64() * 1e3)
    };
    match go(&mut q) {
        Ok(ms) => println!("{ms}"),
        Err(e) => eprintln!("{e}"),
    }
}
