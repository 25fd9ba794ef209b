//! Snapshots of what the compiler makes of real queries: the graph, the plan with its cost lines, the CUDA text.
//! The cost line is the performance test that needs no GPU: a lost fusion shows as a changed line.

use compiler::plan::verify;
use insta::{Settings, assert_snapshot};
use tests::plan::{QUERIES, plan};

#[test]
fn graph_plan_and_cuda_of_real_queries() {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("../plans");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for (name, text) in QUERIES {
        let plan = plan(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(verify(&plan), [""; 0], "{text}");
        let unit = compiler::emit::emit(&plan);
        let entries: Vec<&str> = unit.entries.iter().map(|e| e.name.as_str()).collect();
        let shown =
            format!("{text}\n\n{}\n{plan}\n{}entries: {}\n", plan.graph, unit.code, entries.join(" "));
        settings.bind(|| assert_snapshot!(*name, shown));
    }
}
