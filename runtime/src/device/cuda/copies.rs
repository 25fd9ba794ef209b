//! Copies of columns on a device, and which of them make room where there is none left: those that the host has
//! too, the least recently used first, and none that a run or anything else uses.

use super::memory::Memory;
use crate::held::Held;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// As many columns are noted before the dead ones among them are looked for.
const FEW: usize = 64;

/// Columns that have, or had, a copy on one device.
#[derive(Debug, Default)]
pub(crate) struct Copies(Mutex<Noted>);

#[derive(Debug, Default)]
struct Noted {
    /// Columns by their place in the host's memory, which a weak reference keeps, with the time of the last use.
    columns: FxHashMap<usize, (Weak<Held>, u64)>,
    /// Uses so far.
    now: u64,
    /// How many columns were alive when that was last looked at.
    alive: usize,
}

/// Memory of the device, and the columns whose copies lie in it.
struct Copy {
    memory: Arc<Memory>,
    columns: Vec<Arc<Held>>,
    /// The time of the last use of any.
    used: u64,
}

impl Copies {
    fn noted(&self) -> MutexGuard<'_, Noted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a column's copy is used now.
    pub fn used(&self, column: &Arc<Held>) {
        let mut noted = self.noted();
        noted.now += 1;
        let use_ = (Arc::downgrade(column), noted.now);
        noted.columns.insert(Arc::as_ptr(column).addr(), use_);
        if noted.columns.len() > FEW.max(2 * noted.alive) {
            noted.columns.retain(|_, (column, _)| column.strong_count() > 0);
            noted.alive = noted.columns.len();
        }
    }

    /// Gives up copies on device `ordinal` that take `bytes` or more, one at least. Gives up none, and is false,
    /// where all that could go take less.
    pub fn evict(&self, ordinal: usize, bytes: u64) -> bool {
        // Held to the end: of two threads that both look, each would take the other's references for uses.
        let noted = self.noted();
        let mut copies: Vec<Copy> = noted.copies(ordinal).into_values().filter(Copy::idle).collect();
        if copies.is_empty() || copies.iter().map(Copy::bytes).sum::<u64>() < bytes {
            return false;
        }
        copies.sort_unstable_by_key(|copy| copy.used);
        let mut freed = 0;
        for copy in copies {
            copy.columns.iter().for_each(|column| column.leave(ordinal));
            freed += copy.bytes();
            if freed >= bytes {
                break;
            }
        }
        true
    }
}

impl Noted {
    /// The memory on device `ordinal` of columns that the host has too, by address.
    fn copies(&self, ordinal: usize) -> FxHashMap<u64, Copy> {
        let mut copies: FxHashMap<u64, Copy> = FxHashMap::default();
        for (column, used) in self.columns.values() {
            let Some(column) = column.upgrade().filter(|c| c.here().is_some()) else { continue };
            let Some(view) = column.on_device(ordinal) else { continue };
            let memory = view.into_memory();
            let new = |memory| Copy { memory, columns: vec![], used: 0 };
            let copy = copies.entry(memory.address()).or_insert_with(|| new(memory));
            copy.columns.push(column);
            copy.used = copy.used.max(*used);
        }
        copies
    }
}

impl Copy {
    fn bytes(&self) -> u64 {
        self.memory.bytes() as u64
    }

    /// True where nobody has the memory but these columns and this.
    fn idle(&self) -> bool {
        Arc::strong_count(&self.memory) == self.columns.len() + 1
    }
}
