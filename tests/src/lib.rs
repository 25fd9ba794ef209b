//! What the tests and the fuzz targets share: generators and judges.

pub mod funs;
pub mod gen_graph;
pub mod gen_query;
pub mod transcript;

use compiler::ir::parse_text::parse_graph;
use compiler::ir::verify::verify;

/// Reads `text` as a graph; if it is one, it prints as itself, and if it is sound, passes and plan take it.
/// Panics where that does not hold.
pub fn judge_text(text: &str) {
    let Ok(graph) = parse_graph(text) else { return };
    let shown = graph.to_string();
    if verify(&graph).is_empty() {
        assert_eq!(parse_graph(&shown).as_ref(), Ok(&graph), "{shown}");
        let graph = compiler::passes::run(graph);
        // A sound graph may still ask for what no kernel does.
        let _refusal = compiler::plan::build(graph, 0).err();
    }
}
pub mod plan;
