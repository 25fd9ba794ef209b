//! Properties of graphs: the builder makes sound ones, the textual form round-trips, passes keep them sound.

use tests::gen_graph;
use tests::property::holds;

/// Cases that each property is tried on.
const CASES: u64 = 3_000;

#[test]
fn graphs_are_sound_and_round_trip_and_passes_keep_them_sound() {
    holds(CASES, |u| {
        gen_graph::judge(u);
        Ok(())
    });
}

/// Any text at all is a graph or an error, and a graph that the verifier accepts has a plan or an error.
#[test]
fn damaged_texts_do_no_harm() {
    holds(CASES, |u| {
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
    });
}
