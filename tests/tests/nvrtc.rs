//! NVRTC on what the compiler emits: every plan's unit compiles to PTX and to machine code without a spill, and
//! what goes wrong is told, not suffered.

use compiler::emit::{Unit, emit};
use compiler::plan::Plan;
use runtime::device::cpu::Cpu;
use runtime::device::launcher::BLOCK;
use runtime::device::nvrtc::{Nvrtc, NvrtcError, Target};
use runtime::device::{Device, Launch, Module, Output};
use runtime::engine::Engine;
use runtime::predict::gpus::sm;
use runtime::predict::occupancy::occupancy;
use runtime::session::Session;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use tests::nvrtc::{compile, found};
use tests::plan::{QUERIES, plan};
use tests::transcript;

/// The plan's units compile to PTX and to machine code, each of their entries is there, and each fits a
/// multiprocessor. The kernels that spill, with the plan's code.
fn spilling(name: &str, unit: &Unit) -> Vec<String> {
    let mut all = spilling_of(name, &unit.text(), &unit.names(false));
    if !unit.rare.is_empty() {
        all.extend(spilling_of(name, &unit.rare_text(), &unit.names(true)));
    }
    all.iter().map(|r| format!("{r}\n{}", unit.code)).collect()
}

fn spilling_of(name: &str, text: &str, entries: &[String]) -> Vec<String> {
    // With lines, as the simulator asks for it, so that it is compiled for both at once.
    let ptx = compile(name, text, Target::LinedPtx(90));
    let ptx = String::from_utf8(ptx.image).expect("PTX is text");
    let used = compile(name, text, Target::Cubin(90)).resources();
    assert_eq!(used.len(), entries.len(), "{name}");
    for entry in entries {
        assert!(ptx.contains(&format!(".visible .entry {entry}(")), "{name}: {entry}");
        assert!(used.iter().any(|r| r.kernel == *entry), "{name}: no report on {entry}");
    }
    for r in &used {
        assert!(r.registers > 0 && r.registers <= 255, "{name}: {r:?}");
        let held = occupancy(r, BLOCK, sm(90));
        assert!(held.blocks > 0, "{name}: {r:?} does not fit a multiprocessor: {held:?}");
    }
    let spill = used.iter().filter(|r| (r.spills, r.stack) != (0, 0));
    spill.map(|r| format!("{name}: {r:?}")).collect()
}

#[test]
fn plans_of_the_snapshots_do_not_spill() {
    if found("plans_of_the_snapshots_do_not_spill").is_none() {
        return;
    }
    let mut all = vec![];
    for (name, text) in QUERIES {
        let plan = plan(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        all.extend(spilling(name, &emit(&plan)));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// `n` columns, each the text that `column` gives of its number.
fn columns(n: usize, column: impl Fn(usize) -> String) -> String {
    (0..n).map(|i| format!("c{i}: {}", column(i))).collect::<Vec<_>>().join(", ")
}

#[test]
fn wide_plans_do_not_spill() {
    if found("wide_plans_do_not_spill").is_none() {
        return;
    }
    let of = |names: &[&str], i: usize| names[i % names.len()].to_string();
    let number = |i: usize| of(&["price", "size", "qty", "lot", "ratio"], i + i / 10);
    let aggregates = ["sum", "avg", "max", "min", "dev", "var", "last", "first", "prd", "count"];
    let scans = ["sums", "maxs", "mins", "prds", "avgs", "fills", "differ", "prev", "deltas"];
    let windows = ["mavg", "msum", "mmax", "mmin", "mdev", "mcount"];
    let aggregated = columns(50, |i| format!("{} {}", of(&aggregates, i), number(i)));
    let pairs = columns(12, |i| format!("price cor {i}+ratio"));
    let running = columns(20, |i| format!("{} {}", of(&scans, i), number(i)));
    let seeded = columns(12, |i| format!("{i}+\\{}+{i}", of(&["price", "size"], i)));
    let moving = columns(12, |i| format!("{} {} {}", i + 2, of(&windows, i), of(&["price", "ratio"], i)));
    let projected = columns(80, |i| format!("price+{i}*size"));
    let powers = columns(40, |i| format!("(price+{i}) xexp log ratio+{i}"));
    let keys = columns(16, |i| format!("size+{i}"));
    for (name, text) in [
        ("aggregates", format!("select {aggregated} from t where price>1")),
        ("aggregates by group", format!("select {aggregated} by sym from t")),
        ("pairs by group", format!("select {pairs} by sym from t")),
        ("scans", format!("select {running} from t where ok")),
        ("scans by group", format!("update {running} by ex from t")),
        ("seeded scans", format!("update {seeded} by ex from t")),
        ("windows", format!("update {moving} by ex from t")),
        ("projection", format!("select {projected} from t")),
        ("angles", "select s:sin price, c:cos ratio, t:tan size from t where ok".into()),
        ("powers", format!("select {powers} from t")),
        ("keys", format!("select sum price by {keys} from t")),
    ] {
        let all = spilling(name, &emit(&plan(&text).unwrap_or_else(|e| panic!("{text}: {e}"))));
        assert!(all.is_empty(), "{}", all.join("\n"));
    }
}

#[test]
fn kernels_of_no_plan_do_not_spill() {
    if found("kernels_of_no_plan_do_not_spill").is_none() {
        return;
    }
    let heads = compiler::emit::templates().iter().flat_map(|(_, text)| text.split("\nENTRY ").skip(1));
    let names: Vec<&str> = heads.filter_map(|head| head.split('(').next()).collect();
    assert!(names.len() > 20, "{names:?}");
    let spilling = |name: &&str| {
        let text = compiler::emit::common(name).expect("an entry of that name");
        spilling_of(name, &text, &[name.to_string()])
    };
    let all: Vec<String> = names.iter().flat_map(spilling).collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// The CPU engine, which also keeps the CUDA text of the plans that it is given.
#[derive(Default)]
struct Recorder {
    units: Mutex<BTreeMap<String, Unit>>,
}

impl Device for Recorder {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn load(&self, plan: &Plan) -> q::Result<Module> {
        let unit = emit(plan);
        self.units.lock().expect("no thread panics").insert(unit.text(), unit);
        Cpu.load(plan)
    }

    fn run(&self, plan: &Plan, module: &Module, launch: &Launch) -> q::Result<Vec<Output>> {
        Cpu.run(plan, module, launch)
    }
}

#[test]
fn plans_of_the_transcripts_do_not_spill() {
    if found("plans_of_the_transcripts_do_not_spill").is_none() {
        return;
    }
    let (mut units, mut all) = (0, vec![]);
    for file in transcript::files("queries") {
        let recorder = Arc::new(Recorder::default());
        let mut q = q::Interp::new();
        runtime::gpu::register(&mut q, &Session::on(Engine::Cpu, vec![recorder.clone()]));
        transcript::replay(&file, q).unwrap_or_else(|e| panic!("{e}"));
        for unit in recorder.units.lock().expect("no thread panics").values() {
            all.extend(spilling(&transcript::stem(&file), unit));
            units += 1;
        }
    }
    assert!(units > 100, "{units} units");
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn units_of_random_graphs_compile() {
    if found("units_of_random_graphs_compile").is_none() {
        return;
    }
    let (mut state, mut units) = (0x9e37_79b9_7f4a_7c15u64, 0);
    while units < 40 {
        let bytes: Vec<u8> = (0..2000)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 56) as u8
            })
            .collect();
        let graph = tests::gen_graph::graph(&mut arbitrary::Unstructured::new(&bytes)).expect("enough bytes");
        let Ok(plan) = compiler::plan::build(compiler::passes::run(graph), 0) else { continue };
        compile(&format!("{}\n{plan}", plan.graph), &emit(&plan).text(), Target::Ptx(90));
        units += 1;
    }
}

#[test]
fn the_version_and_architectures_are_known() {
    let Some(nvrtc) = found("the_version_and_architectures_are_known") else { return };
    assert!(nvrtc.version >= (12, 0), "{:?}", nvrtc.version);
    assert!(nvrtc.archs.contains(&90), "{:?}", nvrtc.archs);
}

#[test]
fn a_text_that_does_not_compile_gives_the_log() {
    let Some(nvrtc) = found("a_text_that_does_not_compile_gives_the_log") else { return };
    let error = nvrtc.compile("bad.cu", "__global__ void k() { undefined(); }", Target::Ptx(90)).unwrap_err();
    let NvrtcError::Compile { code, log } = &error else { panic!("{error}") };
    assert_eq!(code, "NVRTC_ERROR_COMPILATION");
    assert!(log.contains("bad.cu") && log.contains("undefined"), "{log}");
    let error = nvrtc.compile("none.cu", "", Target::Cubin(1)).unwrap_err();
    assert!(matches!(error, NvrtcError::Compile { .. }), "{error}");
    let error = nvrtc.compile("zero.cu", "\0", Target::Ptx(90)).unwrap_err();
    assert!(error.to_string().contains("zero byte"), "{error}");
}

#[test]
fn a_broken_library_is_an_error() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let path = dir.path().join("libnvrtc.so.13");
    std::fs::write(&path, [0x7f, b'E', b'L', b'F', 2, 1, 1, 0]).expect("a file can be written");
    let error = Nvrtc::open(&path).unwrap_err();
    assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
    // A library that is sound and is not NVRTC.
    if let Ok(error) = Nvrtc::open(Path::new("libc.so.6")).map(|_| ()).map_err(|e| e.to_string()) {
        panic!("libc is no NVRTC: {error:?}");
    }
}
