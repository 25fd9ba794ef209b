//! Room for results: pages that were touched before the first query writes to them, since the system's making of
//! fresh ones takes longer than most queries.

use super::par;
use q::Buf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The most bytes that are made ready.
const MOST: usize = 256 << 20;
/// Bytes that a thread touches at once.
const PART: usize = 2 << 20;

/// Lets the pool have room for two columns of so many rows, once for the longest; nothing where memory is short.
pub fn make(rows: usize) {
    static READY: AtomicUsize = AtomicUsize::new(0);
    let bytes = rows.saturating_mul(2 * size_of::<i64>()).min(MOST);
    if bytes < PART || READY.fetch_max(bytes, Relaxed) >= bytes || q::memory::room(bytes).is_err() {
        return;
    }
    let mut room = Buf::<u8>::stale(bytes);
    let parts = room.make_mut().chunks_mut(PART).collect();
    par::each(parts, || (), |(), part| part.fill(0));
}
