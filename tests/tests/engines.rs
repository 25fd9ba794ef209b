//! Properties of the engines: whatever the query, the CPU engine answers as the interpreter does, to the bit.

use arbitrary::Unstructured;
use tests::gen_query::{Verdict, case, judge, judge_again};

/// Cases tried. Each is made from the bytes of a seeded generator, so a failure comes again.
const CASES: u64 = 400;
/// At least this share of them, in percent, must be answered and not refused.
const ANSWERED: usize = 95;

#[test]
fn the_cpu_engine_agrees_with_the_interpreter() {
    let mut answered = 0;
    for seed in 0..CASES {
        let bytes = bytes(seed);
        let case = case(&mut Unstructured::new(&bytes)).expect("there are bytes enough");
        answered += (judge(&case) == Verdict::Agrees) as usize;
    }
    let share = answered * 100 / CASES as usize;
    assert!(share >= ANSWERED, "only {share} % of the queries were answered by the CPU engine itself");
}

/// Literals are parameters: a plan from the cache must answer as a fresh one would.
#[test]
fn a_cached_plan_serves_other_literals() {
    for seed in 0..CASES {
        let bytes = bytes(seed ^ 1 << 40);
        let case = case(&mut Unstructured::new(&bytes)).expect("there are bytes enough");
        judge_again(&case);
    }
}

/// Random bytes by SplitMix64.
fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let word = |_| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)).to_le_bytes()
    };
    (0..1024).flat_map(word).collect()
}
