//! Properties of the engines: whatever the query, the CPU engine answers as the interpreter does, to the bit.

use arbitrary::Unstructured;
use tests::gen_query::{case, judge, judge_again, tally};
use tests::property::{bytes, seeds};

/// Cases tried. Each is made from the bytes of a seeded generator, so a failure comes again.
const CASES: u64 = 400;
/// At least this share of them, in percent, must be answered and not refused.
const ANSWERED: usize = 90;

#[test]
fn the_cpu_engine_agrees_with_the_interpreter() {
    let judged = tally(seeds(CASES), |seed| {
        let bytes = bytes(seed);
        judge(&case(&mut Unstructured::new(&bytes)).expect("there are bytes enough"))
    });
    judged.check(ANSWERED);
}

/// Literals are parameters: a plan from the cache must answer as a fresh one would.
#[test]
fn a_cached_plan_serves_other_literals() {
    let judged = tally(seeds(CASES), |seed| {
        let bytes = bytes(seed ^ 1 << 40);
        judge_again(&case(&mut Unstructured::new(&bytes)).expect("there are bytes enough"))
    });
    judged.check(ANSWERED);
}
