//! Modules that an engine has loaded, the most recently used ones. A module is unloaded, by its own `drop`, when
//! nobody has it any more: not this cache, no plan, and no launch that still runs.

use super::{Counts, Key, Tally, found};
use crate::device::nvrtc::{Compiled, NvrtcError, Target, nvrtc};
use lru::LruCache;
use q::{Error, Result};
use rustc_hash::FxBuildHasher;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

/// Loaded modules by key, and those that launches hold.
pub struct Modules<M> {
    kept: Mutex<LruCache<Key, Arc<M>, FxBuildHasher>>,
    launched: Mutex<Vec<Launched<M>>>,
    tally: Tally,
}

/// A module and the question whether its launch is done.
struct Launched<M> {
    _module: Arc<M>,
    done: Box<dyn Fn() -> bool + Send>,
}

impl<M> std::fmt::Debug for Modules<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} modules", self.len())
    }
}

impl<M> Modules<M> {
    /// Keeps at most `most` modules that nobody else uses.
    pub fn new(most: NonZeroUsize) -> Modules<M> {
        let kept = Mutex::new(LruCache::with_hasher(most, FxBuildHasher));
        Modules { kept, launched: Mutex::default(), tally: Tally::default() }
    }

    /// The module of the unit `text` for `target`; `load` makes one of compiled code. The code is looked for on
    /// disk and kept there.
    ///
    /// # Errors
    /// NVRTC's as `nvrtc`, and those of `load`; nothing is kept then.
    pub fn get(
        &self,
        text: &str,
        target: Target,
        load: impl FnOnce(&Compiled) -> Result<M>,
    ) -> Result<Arc<M>> {
        let failed = |e: NvrtcError| Error::new("nvrtc").detail(e.to_string());
        let nvrtc = nvrtc().map_err(failed)?;
        let key = Key::of(nvrtc, text, target);
        self.get_or(&key, || load(&found(nvrtc, &key, text, target).map_err(failed)?))
    }

    /// The module of `key`; where there is none `make` makes it, without a lock, so that two threads may both
    /// make one, of which the first to be done is kept.
    pub fn get_or<E>(
        &self,
        key: &Key,
        make: impl FnOnce() -> std::result::Result<M, E>,
    ) -> std::result::Result<Arc<M>, E> {
        if let Some(module) = lock(&self.kept).get(key) {
            self.tally.hit();
            return Ok(module.clone());
        }
        let made = Arc::new(self.tally.miss(make)?);
        self.sweep();
        let mut kept = lock(&self.kept);
        if let Some(first) = kept.get(key) {
            return Ok(first.clone());
        }
        let left = kept.push(*key, made.clone());
        drop(kept);
        self.tally.evicted(usize::from(left.is_some()));
        Ok(made)
    }

    /// Holds `module` until `done` says that the launch is over, which is asked when modules are loaded and
    /// launched.
    pub fn launched(&self, module: Arc<M>, done: impl Fn() -> bool + Send + 'static) {
        self.sweep();
        lock(&self.launched).push(Launched { _module: module, done: Box::new(done) });
    }

    /// Lets go of the modules whose launches are done.
    pub fn sweep(&self) {
        let mut launched = lock(&self.launched);
        let (done, runs) = launched.drain(..).partition(|l| (l.done)());
        *launched = runs;
        drop(launched);
        // Unloading may take its time, so it happens without the lock.
        drop::<Vec<_>>(done);
    }

    /// How many modules are kept.
    pub fn len(&self) -> usize {
        lock(&self.kept).len()
    }

    /// True where none is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How it did.
    pub fn counts(&self) -> Counts {
        self.tally.counts()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

    /// Counts how many of its kind are alive.
    struct Module(Arc<AtomicUsize>);

    impl Drop for Module {
        fn drop(&mut self) {
            self.0.fetch_sub(1, SeqCst);
        }
    }

    fn made(alive: &Arc<AtomicUsize>) -> std::result::Result<Module, Infallible> {
        alive.fetch_add(1, SeqCst);
        Ok(Module(alive.clone()))
    }

    fn key(n: usize) -> Key {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&(n as u64).to_le_bytes());
        Key(key)
    }

    #[test]
    fn a_thousand_modules_leave_as_many_as_are_kept() {
        let alive = Arc::new(AtomicUsize::new(0));
        let modules = Modules::new(NonZeroUsize::new(16).expect("not zero"));
        for n in 0..1000 {
            modules.get_or(&key(n), || made(&alive)).expect("it is made");
            assert!(alive.load(SeqCst) <= 16);
            modules
                .get_or(&key(n), || -> std::result::Result<Module, Infallible> { panic!("it is there") })
                .expect("there");
        }
        assert_eq!((modules.len(), alive.load(SeqCst)), (16, 16));
        let counts = modules.counts();
        assert_eq!((counts.hits, counts.misses, counts.evictions), (1000, 1000, 984));
    }

    #[test]
    fn a_module_outlives_its_last_launch() {
        let alive = Arc::new(AtomicUsize::new(0));
        let modules = Modules::new(NonZeroUsize::MIN);
        let module = modules.get_or(&key(0), || made(&alive)).expect("it is made");
        let flags: Vec<Arc<AtomicBool>> = (0..2).map(|_| Arc::default()).collect();
        for flag in &flags {
            let flag = flag.clone();
            modules.launched(module.clone(), move || flag.load(SeqCst));
        }
        drop(module);
        modules.get_or(&key(1), || made(&alive)).expect("it is made");
        assert_eq!(alive.load(SeqCst), 2, "evicted, and two launches still run");
        flags[1].store(true, SeqCst);
        modules.sweep();
        assert_eq!(alive.load(SeqCst), 2, "one launch still runs");
        flags[0].store(true, SeqCst);
        modules.get_or(&key(2), || made(&alive)).expect("it is made");
        assert_eq!(alive.load(SeqCst), 1, "the others are gone");
    }

    #[test]
    fn what_cannot_be_made_is_not_kept() {
        let modules = Modules::<()>::new(NonZeroUsize::MIN);
        assert_eq!(modules.get_or(&key(0), || Err("no")), Err("no"));
        assert!(modules.is_empty());
        assert_eq!(modules.get_or(&key(0), || Ok::<(), &str>(())), Ok(Arc::new(())));
    }
}
