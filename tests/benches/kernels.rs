//! The corpus's kernels without a GPU: what NVRTC takes for each plan, what the cache saves, and what the kernels
//! move, counted by the simulator. Prints a table; `ROWS` sets the rows of the simulated runs, and arguments choose
//! plans by name; `LAUNCHES=1` prints what each launch moves of each buffer.

use compiler::emit::emit;
use q::{Interp, Kind, Sym, Value};
use runtime::cache::{Disk, Key, Modules};
use runtime::device::nvrtc::{Compiled, Nvrtc, Target, nvrtc};
use runtime::device::sim::{Launched, Traffic};
use runtime::engine::Engine;
use runtime::gpu::{Place, Table};
use runtime::predict::{counted, sample, simulate};
use runtime::session::Session;
use std::num::NonZeroUsize;
use std::time::Instant;
use tests::plan::{QUERIES, plan, trades};

/// The architecture of the machine code.
const ARCH: u32 = 90;

/// What was measured of a plan.
struct Line {
    name: &'static str,
    kernels: usize,
    /// Milliseconds to machine code, the least of several runs, since a busy machine only adds: as they pass, and as
    /// the processors count them for all threads; NVRTC may have several turn PTX to machine code.
    compile: f64,
    processor: f64,
    /// Microseconds for a kernel that is on disk, and for one that is loaded.
    disk: f64,
    memory: f64,
    /// Bytes a row as planned and as the least, all rows passing.
    planned: f64,
    least: f64,
    /// What the simulator counted, or why it did not.
    counted: Result<Counted, String>,
}

/// Bytes a row through the memory of a GPU, and as the least of the same run; what its caches are asked for again; and
/// the sectors of columns and results that multiprocessors ask for, against those that hold anything which a launch
/// needs.
struct Counted {
    moved: f64,
    needed: f64,
    again: f64,
    sectors: u64,
    ideal: u64,
    /// How many groups it has, where it groups.
    groups: usize,
}

/// Up to so many groups are few.
const FEW: usize = 4096;

/// Bytes of the second-level cache of the GPU whose memory's traffic is told: an H100's.
const CACHE: f64 = 50.0 * 1024.0 * 1024.0;

fn main() {
    let nvrtc = match nvrtc() {
        Ok(nvrtc) => nvrtc,
        Err(e) => return println!("kernels: skipped: {e}"),
    };
    let rows = std::env::var("ROWS").ok().and_then(|r| r.parse::<f64>().ok()).unwrap_or(3e5) as usize;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let disk = Disk::new(Some(folder.path().join("kernels")), 1 << 30);
    let mut q = Interp::new();
    let table = table(&mut q, rows);
    println!("NVRTC {:?}, sm_{ARCH}; {rows} rows simulated", nvrtc.version);
    println!(
        "{:16} kernels compile ms  cpu ms  disk us mem us | planned  least ratio |   moved   least ratio   again | sectors/ideal",
        "query"
    );
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let chosen = QUERIES.iter().filter(|query| wanted.is_empty() || wanted.iter().any(|w| w == query.0));
    let lines: Vec<Line> = chosen.map(|&query| measure(nvrtc, &disk, &mut q, &table, query)).collect();
    for l in &lines {
        let counted = match &l.counted {
            Ok(c) => {
                let sectors = ratio(c.sectors as f64, c.ideal as f64);
                let share = ratio(c.moved, c.needed);
                format!("{:7.2} {:7.2} {share:5.2} {:7.2} | {sectors:5.2}", c.moved, c.needed, c.again)
            }
            Err(what) => format!("not counted: {}", what.lines().next().unwrap_or("")),
        };
        let planned = ratio(l.planned, l.least);
        println!(
            "{:16} {:7} {:10.1} {:7.1} {:8.1} {:6.1} | {:7.2} {:6.2} {planned:5.2} | {counted}",
            l.name, l.kernels, l.compile, l.processor, l.disk, l.memory, l.planned, l.least
        );
    }
    for (l, c) in
        lines.iter().filter_map(|l| Some((l, l.counted.as_ref().ok()?))).filter(|l| l.1.groups > FEW)
    {
        let of = |bytes: f64| bytes * rows as f64 / c.groups as f64;
        println!(
            "{} has {} groups: {:.2} B a row (least {:.2}), {:.2} B a group (least {:.2})",
            l.name,
            c.groups,
            c.moved,
            c.needed,
            of(c.moved),
            of(c.needed)
        );
    }
    let kernels = |f: fn(&Line) -> f64| {
        let one = median(lines.iter().filter(|l| l.kernels == 1).map(f).collect());
        let more = lines.iter().filter(|l| l.kernels > 1).map(|l| (f(l) - one) / (l.kernels - 1) as f64);
        format!("{one:.1} ms, and of a further kernel {:.1} ms", median(more.collect()))
    };
    println!("median of plans of one kernel: {}", kernels(|l| l.compile));
    println!("by all threads' processor time: {}", kernels(|l| l.processor));
    let hits = |f: fn(&Line) -> f64| median(lines.iter().filter(|l| l.kernels > 0).map(f).collect());
    println!(
        "median of a cache hit: {:.1} us from disk, {:.1} us from memory",
        hits(|l| l.disk),
        hits(|l| l.memory)
    );
}

/// The corpus's table with generated columns; its enumeration is of symbols here.
fn table(q: &mut Interp, rows: usize) -> Table {
    let (mut names, mut cols) = (vec![], vec![]);
    for (i, column) in trades().columns.iter().enumerate() {
        let compiler::schema::ColumnType::Flat { kind, .. } = column.ty else { panic!("it is flat") };
        names.push(column.name);
        cols.push(Place::Host(sample::column(kind, rows, i as u64)));
    }
    let table = Table { names, cols, keys: 0 };
    q.set_global(Sym::new("limit"), Value::atom(Kind::Float, 500f64)).expect("a global");
    q.set_global(Sym::new("names"), Value::syms(["s01", "s02"].map(Sym::new))).expect("a global");
    table
}

fn measure(
    nvrtc: &Nvrtc,
    disk: &Disk,
    q: &mut Interp,
    table: &Table,
    (name, text): (&'static str, &str),
) -> Line {
    let plan = plan(text).unwrap_or_else(|e| panic!("{name}: {e}"));
    let unit = emit(&plan).text();
    let target = Target::Cubin(ARCH);
    let compile = || nvrtc.compile("plan.cu", &unit, target).expect("it compiles");
    let code = compile();
    // For so many rows that what is there once does not count.
    let many = 1 << 40;
    let planned = counted(&plan, many);
    let key = Key::of(nvrtc, &unit, target);
    disk.put(&key, "", &code);
    let modules = Modules::<Compiled>::new(NonZeroUsize::MIN);
    let load = |c: &Compiled| Ok(c.clone());
    let compiles: Vec<(f64, f64)> = (0..5)
        .map(|_| {
            let before = processors();
            (seconds(|| drop(compile())), processors() - before)
        })
        .collect();
    modules.get(&unit, target, load).expect("it loads");
    Line {
        name,
        kernels: plan.kernels.len(),
        compile: least(compiles.iter().map(|c| c.0)) * 1e3,
        processor: least(compiles.iter().map(|c| c.1)) * 1e3,
        disk: timed(50, || assert_eq!(disk.get(&Key::of(nvrtc, &unit, target)).as_ref(), Some(&code))) * 1e6,
        memory: timed(50, || drop(modules.get(&unit, target, |_| panic!("it is loaded")))) * 1e6,
        planned: planned.bytes / many as f64,
        least: planned.least / many as f64,
        counted: simulated(q, table, text).map_err(|e| e.detail.map_or(e.name.to_string(), String::from)),
    }
}

fn simulated(q: &mut Interp, table: &Table, text: &str) -> q::Result<Counted> {
    let tree = q.eval_text(format!("parse {}", quoted(text)).as_bytes())?;
    let run = simulate::run(&tree, table, &Session::new(Engine::Cpu), q)?;
    let rows = run.ready.rows.max(1);
    if std::env::var_os("LAUNCHES").is_some() {
        run.launches.iter().for_each(|launch| tell(launch, rows));
    }
    let (work, columns) = (run.work(rows as u64), run.columns());
    let moved = work.through(CACHE);
    let all: f64 = work.bytes + work.again.iter().map(|a| a.bytes).sum::<f64>();
    Ok(Counted {
        moved: moved / rows as f64,
        needed: work.least / rows as f64,
        again: (all - moved) / rows as f64,
        sectors: columns.sectors - columns.near,
        ideal: columns.fresh,
        groups: run.groups,
    })
}

/// Prints the bytes a row of a launch and of each buffer: through the memory, in all sectors, and of those the ones
/// that a multiprocessor's own cache has.
fn tell(launch: &Launched, rows: usize) {
    let line = |name: &str, t: &Traffic| {
        let of = |sectors: u64| sectors as f64 * 32.0 / rows as f64;
        println!("    {name:20} {:8.2} {:8.2} {:8.2}", of(t.fresh), of(t.sectors), of(t.near));
    };
    println!("  {}", launch.kernel);
    launch.buffers.iter().for_each(|(name, t)| line(name, t));
    line("all", &launch.counters.global);
}

/// A text as a q string.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The median of the seconds that `n` runs take.
fn timed(n: usize, mut run: impl FnMut()) -> f64 {
    median((0..n).map(|_| seconds(&mut run)).collect())
}

fn seconds(run: impl FnOnce()) -> f64 {
    let started = Instant::now();
    run();
    started.elapsed().as_secs_f64()
}

/// Seconds that the process has had of all processors.
fn processors() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn least(all: impl Iterator<Item = f64>) -> f64 {
    all.fold(f64::INFINITY, f64::min)
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
}

fn ratio(a: f64, b: f64) -> f64 {
    if b == 0.0 { 1.0 } else { a / b }
}
