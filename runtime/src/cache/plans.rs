//! Plans that were compiled, by the plan key. The key is compared whole on a hit, since a hash can collide.

use super::{Counts, Tally};
use crate::device::Module;
use compiler::plan::Plan;
use lru::LruCache;
use rustc_hash::FxBuildHasher;
use std::hash::Hash;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A plan and what the engine made of it.
pub struct Loaded {
    /// The plan.
    pub plan: Plan,
    /// The engine's form of it.
    pub module: Module,
    /// Bytes that the plan reads and writes for a row.
    pub bytes: usize,
}

impl std::fmt::Debug for Loaded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "plan of {} kernels", self.plan.kernels.len())
    }
}

/// The most recently used plans. Shared by threads; the lock is held for the look-up only.
#[derive(Debug)]
pub struct PlanCache<K: Hash + Eq> {
    plans: Mutex<LruCache<K, Arc<Loaded>, FxBuildHasher>>,
    tally: Tally,
}

impl<K: Hash + Eq> PlanCache<K> {
    /// A cache of at most `most` plans.
    pub fn new(most: NonZeroUsize) -> Self {
        PlanCache { plans: Mutex::new(LruCache::with_hasher(most, FxBuildHasher)), tally: Tally::default() }
    }

    /// The plan of `key`, and whether it was there; where it was not, `make` makes it, and the plan used longest
    /// ago makes room. Two threads may both make one.
    ///
    /// # Errors
    /// Those of `make`; nothing is kept then.
    pub fn get_or<E>(
        &self,
        key: K,
        make: impl FnOnce() -> Result<Loaded, E>,
    ) -> Result<(Arc<Loaded>, bool), E> {
        let found = self.plans().get(&key).cloned();
        if let Some(loaded) = found {
            self.tally.hit();
            return Ok((loaded, true));
        }
        let loaded = Arc::new(self.tally.miss(make)?);
        let before = self.plans().push(key, loaded.clone());
        self.tally.evicted(usize::from(before.is_some()));
        Ok((loaded, false))
    }

    fn plans(&self) -> MutexGuard<'_, LruCache<K, Arc<Loaded>, FxBuildHasher>> {
        self.plans.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How it did.
    pub fn counts(&self) -> Counts {
        self.tally.counts()
    }

    /// The plans that are kept, the most recently used first.
    pub fn loaded(&self) -> Vec<Arc<Loaded>> {
        self.plans().iter().map(|(_, loaded)| loaded.clone()).collect()
    }

    /// How many plans are kept.
    pub fn len(&self) -> usize {
        self.plans().len()
    }

    /// True without plans.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
