//! Work on all cores: chunks of rows in any order, their results in the order of the rows. `RAYON_NUM_THREADS`
//! sets how many threads there are; no answer depends on it.

use super::tile::CHUNK;
use rayon::prelude::*;
use std::ops::Range;

/// Runs `run` on each item, with a state that `init` makes for each thread's share; the results are in the
/// order of the items.
pub fn each<I: Send, S, T: Send>(
    items: Vec<I>,
    init: impl Fn() -> S + Sync + Send,
    run: impl Fn(&mut S, I) -> T + Sync + Send,
) -> Vec<T> {
    if items.len() <= 1 || rayon::current_num_threads() == 1 {
        let mut state = init();
        return items.into_iter().map(|item| run(&mut state, item)).collect();
    }
    items.into_par_iter().map_init(init, run).collect()
}

/// The chunks of `rows` rows.
pub fn chunks(rows: usize) -> Vec<Range<usize>> {
    (0..rows).step_by(CHUNK).map(|from| from..rows.min(from + CHUNK)).collect()
}

/// Cuts `bytes` into consecutive parts of the given lengths, which add up to all of it.
pub fn split(mut bytes: &mut [u8], lengths: impl Iterator<Item = usize>) -> Vec<&mut [u8]> {
    lengths
        .map(|n| {
            let (head, tail) = std::mem::take(&mut bytes).split_at_mut(n);
            bytes = tail;
            head
        })
        .collect()
}
