//! Properties over random cases. The cases are the same at every run, so that a gate that was green stays green;
//! `QFUSE_SEED` in the environment moves on to others.

use arbitrary::{Result, Unstructured};

/// Names the case that a check fails on.
struct Case(u64);

impl Drop for Case {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the property fails on case {}: QFUSE_SEED={} begins with it", self.0, self.0);
        }
    }
}

/// Runs `check` on `cases` inputs of 32 bytes to 16 KB. An input that is too short for what is asked of it is passed
/// over; a panic is a failure, and names the case.
pub fn holds(cases: u64, check: impl Fn(&mut Unstructured) -> Result<()>) {
    let first = std::env::var("QFUSE_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1u64);
    let mut passed_over = 0;
    for seed in first..first + cases {
        let case = Case(seed);
        let mut bytes = vec![0; 32 << (seed % 10)];
        fastrand::Rng::with_seed(seed).fill(&mut bytes);
        passed_over += check(&mut Unstructured::new(&bytes)).is_err() as u64;
        drop(case);
    }
    assert!(passed_over < cases, "every input was too short");
}
