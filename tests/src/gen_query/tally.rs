//! What came of many cases, for a person to read.

use super::Verdict;
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::panic::{RefUnwindSafe, catch_unwind};

/// What came of many cases.
#[derive(Default, Debug)]
pub struct Tally {
    /// How many there were.
    pub cases: usize,
    /// How many the engine answered itself, if only by a signal.
    pub answered: usize,
    /// The seeds of those on which it fails.
    pub failed: Vec<u64>,
    /// The hashes of the plans that it ran.
    pub plans: HashSet<u64>,
    /// How often it refused for which reason, or signalled other than the interpreter, and the first such query.
    others: BTreeMap<String, (usize, String)>,
}

/// Judges the case of every seed, on and on after failures.
pub fn tally(seeds: Range<u64>, judge: impl Fn(u64) -> Verdict + RefUnwindSafe) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        tally.cases += 1;
        match catch_unwind(|| judge(seed)) {
            Ok(verdict) => tally.add(verdict),
            Err(_) => tally.failed.push(seed),
        }
        // A long run can be watched, and stopped.
        if tally.cases % 500 == 0 {
            println!("{}", tally.line());
        }
    }
    tally
}

impl Tally {
    fn add(&mut self, verdict: Verdict) {
        self.answered += usize::from(verdict.answered());
        match verdict {
            Verdict::Agrees(plans) => self.plans.extend(plans.iter().map(|plan| {
                let mut hasher = DefaultHasher::new();
                plan.hash(&mut hasher);
                hasher.finish()
            })),
            Verdict::Refused(what, query) | Verdict::Signals(what, query) => {
                self.others.entry(what).or_insert((0, query)).0 += 1;
            }
        }
    }

    fn line(&self) -> String {
        let Tally { cases, answered, failed, plans, .. } = self;
        format!("{answered} of {cases} answered by {} distinct plans, {} failed", plans.len(), failed.len())
    }

    /// Tells what was refused and how many were answered.
    ///
    /// # Panics
    /// Where a case fails, or less than `percent` of them were answered.
    pub fn check(&self, percent: usize) {
        for (what, (times, query)) in &self.others {
            println!("{times} times {what}: {query}");
        }
        println!("{}", self.line());
        let Tally { cases, answered, failed, .. } = self;
        assert_eq!(*failed, [0; 0], "seeds that fail, as told above");
        assert!(
            answered * 100 >= cases * percent,
            "only {answered} of {cases} were answered by the engine itself"
        );
    }
}
