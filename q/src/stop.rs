//! Stopping work outside the interpreter: an engine's threads look, between chunks, at the flag that the interrupt
//! key sets, and unwind. The interpreter turns that into `'stop`.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What [`Flag::heed`] unwinds with.
#[derive(Debug)]
pub struct Stopped;

/// The flag that work on this thread heeds, which it hands to the threads that it starts.
#[derive(Clone, Debug, Default)]
pub struct Flag(Option<Arc<AtomicBool>>);

thread_local! {
    static CURRENT: RefCell<Flag> = RefCell::default();
}

/// Runs `f`, whose work heeds `flag`.
pub fn heeding<T>(flag: &Arc<AtomicBool>, f: impl FnOnce() -> T) -> T {
    /// Puts the former flag back, also when `f` unwinds.
    struct Held(Flag);
    impl Drop for Held {
        fn drop(&mut self) {
            CURRENT.replace(std::mem::take(&mut self.0));
        }
    }
    let _held = Held(CURRENT.replace(Flag(Some(flag.clone()))));
    f()
}

impl Flag {
    /// The flag of this thread's work.
    pub fn current() -> Flag {
        CURRENT.with_borrow(Flag::clone)
    }

    /// Unwinds if the flag is set.
    pub fn heed(&self) {
        if self.0.as_ref().is_some_and(|flag| flag.load(Relaxed)) {
            std::panic::resume_unwind(Box::new(Stopped));
        }
    }
}
