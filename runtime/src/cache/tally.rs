//! How a level of the cache did: what was found, what was made, what had to leave.

use std::iter::Sum;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A level's counters, which threads share.
#[derive(Default, Debug)]
pub struct Tally {
    hits: AtomicU64,
    misses: AtomicU64,
    evictions: AtomicU64,
    nanos: AtomicU64,
}

/// What a tally says at a moment.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// What was asked for and there.
    pub hits: u64,
    /// What was asked for and had to be made.
    pub misses: u64,
    /// What left to make room.
    pub evictions: u64,
    /// The time that making took.
    pub spent: Duration,
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Counts>>(all: I) -> Counts {
        all.fold(Counts::default(), |a, b| Counts {
            hits: a.hits + b.hits,
            misses: a.misses + b.misses,
            evictions: a.evictions + b.evictions,
            spent: a.spent + b.spent,
        })
    }
}

impl Tally {
    /// One that was there.
    pub fn hit(&self) {
        self.hits.fetch_add(1, Relaxed);
    }

    /// One that was not there; `make` makes it.
    pub fn miss<T>(&self, make: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let made = make();
        self.misses.fetch_add(1, Relaxed);
        self.nanos.fetch_add(started.elapsed().as_nanos() as u64, Relaxed);
        made
    }

    /// `n` that left to make room.
    pub fn evicted(&self, n: usize) {
        self.evictions.fetch_add(n as u64, Relaxed);
    }

    /// The counts so far.
    pub fn counts(&self) -> Counts {
        Counts {
            hits: self.hits.load(Relaxed),
            misses: self.misses.load(Relaxed),
            evictions: self.evictions.load(Relaxed),
            spent: Duration::from_nanos(self.nanos.load(Relaxed)),
        }
    }
}
