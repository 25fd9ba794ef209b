//! Properties of graphs: the builder makes sound ones, the textual form round-trips, passes keep them sound.

use compiler::ir::parse_text::parse_graph;
use compiler::ir::verify::verify;
use tests::gen_graph;

const NONE: [String; 0] = [];
/// Milliseconds that each property is tried for.
const BUDGET: u64 = 1000;

#[test]
fn graphs_round_trip_through_text() {
    arbtest::arbtest(|u| {
        let graph = gen_graph::graph(u)?;
        let text = graph.to_string();
        assert_eq!(parse_graph(&text).as_ref(), Ok(&graph), "{text}");
        Ok(())
    })
    .budget_ms(BUDGET);
}

#[test]
fn the_builder_makes_sound_graphs_and_passes_keep_them_sound() {
    arbtest::arbtest(|u| {
        let graph = gen_graph::graph(u)?;
        assert_eq!(verify(&graph), NONE, "{graph}");
        for (name, pass) in compiler::passes::PASSES {
            let after = pass(&graph);
            assert_eq!(verify(&after), NONE, "{name} of\n{graph}made\n{after}");
        }
        let all = compiler::passes::run(graph.clone());
        let names = |g: &compiler::ir::Graph| {
            g.outputs.iter().map(|o| (o.name, g.ty(o.node).kind)).collect::<Vec<_>>()
        };
        assert_eq!(names(&all), names(&graph));
        Ok(())
    })
    .budget_ms(BUDGET);
}

/// Any text at all is a graph or an error, and a graph that the verifier accepts has a plan or an error.
#[test]
fn damaged_texts_do_no_harm() {
    arbtest::arbtest(|u| {
        let mut text = gen_graph::graph(u)?.to_string().into_bytes();
        for _ in 0..u.int_in_range(1..=3)? {
            let at = u.choose_index(text.len())?;
            match u.int_in_range(0..=2)? {
                0 => text[at] = *u.choose(b"0123456789ndpcs=,[]<>;: -")?,
                1 => drop(text.remove(at)),
                _ => text.truncate(at.max(1)),
            }
        }
        tests::judge_text(&String::from_utf8_lossy(&text));
        Ok(())
    })
    .budget_ms(BUDGET);
}
