//! Sums of any floats: within the documented bound of the interpreter's on every engine, and the same bits on the
//! CPU engine whatever the number of threads.

use arbitrary::Unstructured;
use runtime::engine::Engine;
use tests::gen_query::float_case;
use tests::nvrtc::found;
use tests::property::{bytes, seeds};

/// Cases tried on each engine.
const CASES: u64 = 200;
/// Of simulated kernels, which take longer.
const SIM_CASES: u64 = 40;
/// Cases that are run on several numbers of threads, and how many rows they have: more than two chunks of the sum order.
const THREAD_CASES: u64 = 6;
const MANY: usize = 140_000;

#[test]
fn any_floats_are_within_the_bound() {
    assert_eq!(within_the_bound(Engine::Cpu, seeds(CASES)), seeds(CASES).count(), "some were refused");
}

#[test]
fn any_floats_are_within_the_bound_on_the_simulator() {
    let Some(_) = found("any_floats_are_within_the_bound_on_the_simulator") else { return };
    let judged = within_the_bound(Engine::Sim, seeds(SIM_CASES));
    assert!(judged * 10 >= seeds(SIM_CASES).count() * 8, "only {judged} were answered");
}

/// How many the engine answered.
fn within_the_bound(engine: Engine, seeds: std::ops::Range<u64>) -> usize {
    let judge = |seed: u64| {
        let bytes = bytes(seed ^ 1 << 43);
        let rows = [0, 1, 2, 7, 100, 1000][seed as usize % 6];
        float_case(&mut Unstructured::new(&bytes), rows).expect("there are bytes enough").judge(engine)
    };
    seeds.filter(|&seed| judge(seed)).count()
}

#[test]
fn no_number_of_threads_changes_a_bit() {
    for seed in seeds(THREAD_CASES) {
        let bytes = bytes(seed ^ 1 << 44);
        let case = float_case(&mut Unstructured::new(&bytes), MANY).expect("there are bytes enough");
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
            pool.install(|| case.bits(Engine::Cpu)).expect("the engine answers")
        };
        let one = on(1);
        for threads in [2, 3, 7] {
            assert_eq!(on(threads), one, "seed {seed} on {threads} threads");
        }
    }
}
