//! What the tests and the fuzz targets share: generators and judges. A judge takes any input and panics where a
//! promise is broken.
//!
//! ```
//! tests::judge_text("this is no graph, which is no fault");
//! tests::gen_program::check_parse(b"select sum size by sym from trade where price>50");
//! ```

pub mod by_hand;
pub mod driver;
pub mod exact_sum;
pub mod funs;
pub mod gen_entry;
pub mod gen_graph;
pub mod gen_nest;
pub mod gen_program;
pub mod gen_query;
pub mod kernels;
pub mod nvrtc;
pub mod plan;
pub mod property;
pub mod transcript;

use compiler::ir::parse_text::parse_graph;
use compiler::ir::verify::verify;

/// Reads `text` as a graph; if it is one, it prints as itself, and if it is sound, passes, plan and emitter take
/// it, and the plan is sound.
/// Panics where that does not hold.
pub fn judge_text(text: &str) {
    let Ok(graph) = parse_graph(text) else { return };
    let shown = graph.to_string();
    if verify(&graph).is_empty() {
        assert_eq!(parse_graph(&shown).as_ref(), Ok(&graph), "{shown}");
        judge_plan(compiler::passes::run(graph));
    }
}

/// Cuts a sound graph into kernels and prints them as CUDA C++. Panics where the plan is unsound, or where there
/// is none for another reason than that an operation has no kernel yet.
pub fn judge_plan(graph: compiler::ir::Graph) {
    let shown = graph.to_string();
    let plan = match compiler::plan::build(graph, 0) {
        Ok(plan) => plan,
        Err(e) => return assert_eq!(e.code, compiler::Code::NotYet, "{e}\n{shown}"),
    };
    assert_eq!(compiler::plan::verify(&plan), [""; 0], "{shown}\n{plan}");
    let code = compiler::emit::emit(&plan).code;
    assert_eq!(code.matches('{').count(), code.matches('}').count(), "{code}");
}
