//! NVRTC on what the compiler emits: every plan's unit compiles to PTX and to machine code without a spill, and
//! what goes wrong is told, not suffered.

use runtime::device::nvrtc::{Nvrtc, NvrtcError, Target, resources};
use std::path::Path;
use tests::nvrtc::{compile, found};
use tests::plan::{QUERIES, plan};

#[test]
fn every_unit_compiles_without_spills() {
    let Some(nvrtc) = found("every_unit_compiles_without_spills") else { return };
    let mut spilled = vec![];
    for (name, text) in QUERIES {
        let plan = plan(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let unit = compiler::emit::emit(&plan);
        let ptx = compile(nvrtc, name, &unit.text(), Target::Ptx(90));
        let ptx = String::from_utf8(ptx.image).expect("PTX is text");
        let cubin = compile(nvrtc, name, &unit.text(), Target::Cubin(90));
        let used = resources(&cubin.log);
        assert_eq!(used.is_empty(), unit.entries.is_empty(), "{name}");
        for entry in &unit.entries {
            assert!(ptx.contains(&format!(".visible .entry {}(", entry.name)), "{name}: {}", entry.name);
            let r = used.iter().find(|r| r.kernel == entry.name);
            let r = r.unwrap_or_else(|| panic!("{name}: no report on {}", entry.name));
            assert!(r.registers > 0 && r.registers <= 255, "{name}: {r:?}");
            if (r.spills, r.stack) != (0, 0) {
                spilled.push(format!("{name}: {r:?}"));
            }
        }
    }
    assert!(spilled.is_empty(), "{}", spilled.join("\n"));
}

#[test]
fn units_of_random_graphs_compile() {
    let Some(nvrtc) = found("units_of_random_graphs_compile") else { return };
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
        let text = compiler::emit::emit(&plan).text();
        if let Err(e) = nvrtc.compile("random.cu", &text, Target::Ptx(90)) {
            panic!("{}\n{plan}\n{e}", plan.graph);
        }
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
