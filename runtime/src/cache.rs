//! Plans that were compiled, by the plan key. The key is compared whole on a hit, since a hash can collide.

use crate::device::Module;
use compiler::plan::Plan;
use lru::LruCache;
use rustc_hash::FxBuildHasher;
use std::hash::Hash;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

/// A plan and what the engine made of it.
pub struct Loaded {
    /// The plan.
    pub plan: Plan,
    /// The engine's form of it.
    pub module: Module,
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
}

impl<K: Hash + Eq> PlanCache<K> {
    /// A cache of at most `most` plans.
    pub fn new(most: NonZeroUsize) -> Self {
        PlanCache { plans: Mutex::new(LruCache::with_hasher(most, FxBuildHasher)) }
    }

    /// The plan of `key`.
    pub fn get(&self, key: &K) -> Option<Arc<Loaded>> {
        self.plans.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    /// Keeps a plan; the one used longest ago makes room.
    pub fn put(&self, key: K, loaded: Arc<Loaded>) {
        self.plans.lock().unwrap_or_else(PoisonError::into_inner).put(key, loaded);
    }

    /// How many plans are kept.
    pub fn len(&self) -> usize {
        self.plans.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// True without plans.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
