//! Room for results: pages that were touched before the first query writes to them, since the system's making of
//! fresh ones takes longer than most queries.

use super::par;
use q::Buf;

/// The most bytes that are made ready.
const MOST: usize = 256 << 20;
/// Bytes that a thread touches at once.
const PART: usize = 2 << 20;

/// Lets the pool have room for two columns of so many rows: columns that came since may have taken what it had. Nothing
/// where memory is short.
pub fn make(rows: usize) {
    let bytes = rows.saturating_mul(2 * size_of::<i64>()).min(MOST);
    if bytes < PART || q::buf::pooled() >= bytes || q::memory::room(bytes).is_err() {
        return;
    }
    let mut room = Buf::<u8>::stale(bytes);
    let parts = room.make_mut().chunks_mut(PART).collect();
    par::each(parts, || (), |(), part| part.fill(0));
}
