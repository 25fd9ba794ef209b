//! Properties of the engines: whatever the query, the CPU engine answers as the interpreter does, to the bit.

use arbitrary::Unstructured;
use std::collections::BTreeMap;
use std::panic::{RefUnwindSafe, catch_unwind};
use tests::gen_query::{Verdict, case, judge, judge_again};
use tests::property::{bytes, seeds};

/// Cases tried. Each is made from the bytes of a seeded generator, so a failure comes again.
const CASES: u64 = 400;
/// At least this share of them, in percent, must be answered and not refused.
const ANSWERED: usize = 85;

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

/// Tries every seed, and tells of all that fail and of what was refused; how many the engine answered itself.
fn each(judge: impl Fn(u64) -> Verdict + RefUnwindSafe) -> usize {
    let (mut answered, mut failed) = (0, vec![]);
    let mut others: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for seed in seeds(CASES) {
        match catch_unwind(|| judge(seed)) {
            Ok(verdict) => {
                answered += usize::from(verdict.answered());
                if let Verdict::Refused(what, query) | Verdict::Signals(what, query) = verdict {
                    others.entry(what).or_insert((0, query)).0 += 1;
                }
            }
            Err(_) => failed.push(seed),
        }
    }
    for (what, (times, query)) in others {
        println!("{times} times {what}: {query}");
    }
    println!("{answered} of {} answered", seeds(CASES).count());
    assert_eq!(failed, [0; 0], "seeds that fail, as told above");
    answered
}
