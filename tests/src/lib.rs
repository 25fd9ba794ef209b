//! What the tests and the fuzz targets share: generators and judges.

pub mod funs;
pub mod gen_graph;
pub mod gen_program;
pub mod gen_query;
pub mod nvrtc;
pub mod plan;
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
        let graph = compiler::passes::run(graph);
        // A sound graph may still ask for what no kernel does.
        let Ok(plan) = compiler::plan::build(graph, 0) else { return };
        assert_eq!(compiler::plan::verify(&plan), [""; 0], "{shown}\n{plan}");
        let unit = compiler::emit::emit(&plan);
        assert_eq!(unit.code.matches('{').count(), unit.code.matches('}').count(), "{}", unit.code);
    }
}
