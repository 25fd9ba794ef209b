//! Properties of the engines: whatever the query, the CPU engine answers as the interpreter does, to the bit.

use arbitrary::Unstructured;
use tests::gen_query::{Verdict, case, judge, judge_again};
use tests::property::{bytes, seeds};

/// Cases tried. Each is made from the bytes of a seeded generator, so a failure comes again.
const CASES: u64 = 400;
/// At least this share of them, in percent, must be answered and not refused.
const ANSWERED: usize = 95;

#[test]
fn the_cpu_engine_agrees_with_the_interpreter() {
    let answered = each(|seed| {
        let bytes = bytes(seed);
        judge(&case(&mut Unstructured::new(&bytes)).expect("there are bytes enough"))
    });
    let share = answered * 100 / seeds(CASES).count();
    assert!(share >= ANSWERED, "only {share} % of the queries were answered by the CPU engine itself");
}

/// Literals are parameters: a plan from the cache must answer as a fresh one would.
#[test]
fn a_cached_plan_serves_other_literals() {
    each(|seed| {
        let bytes = bytes(seed ^ 1 << 40);
        judge_again(&case(&mut Unstructured::new(&bytes)).expect("there are bytes enough"))
    });
}

/// Tries every seed, and tells of all that fail; how many the engine answered itself.
fn each(judge: impl Fn(u64) -> Verdict + std::panic::RefUnwindSafe) -> usize {
    let verdicts: Vec<_> = seeds(CASES).map(|seed| std::panic::catch_unwind(|| judge(seed))).collect();
    let failed = verdicts.iter().filter(|v| v.is_err()).count();
    assert_eq!(failed, 0, "cases that fail, as told above");
    verdicts.iter().filter(|v| matches!(v, Ok(Verdict::Agrees))).count()
}
