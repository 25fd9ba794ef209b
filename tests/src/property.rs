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

/// The seeds of `cases` cases; `QFUSE_CASES=20000..30000` asks for others.
pub fn seeds(cases: u64) -> std::ops::Range<u64> {
    let asked = std::env::var("QFUSE_CASES").ok();
    let range = asked.and_then(|text| {
        let (from, to) = text.split_once("..")?;
        Some(from.parse().ok()?..to.parse().ok()?)
    });
    range.unwrap_or(0..cases)
}

/// The kilobyte that case `seed` is made of, by SplitMix64.
pub fn bytes(seed: u64) -> Vec<u8> {
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
