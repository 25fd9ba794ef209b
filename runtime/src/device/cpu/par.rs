//! Work on all cores: chunks of rows in any order, their results in the order of the rows. `RAYON_NUM_THREADS`
//! sets how many threads there are; no answer depends on it.

use super::tile::CHUNK;
use q::stop::Flag;
use rayon::prelude::*;
use std::ops::Range;

/// Runs `run` on each item, with a state that `init` makes for each thread's share; the results are in the
/// order of the items. Between items an interrupt stops the work.
pub fn each<I: Send, S, T: Send>(
    items: Vec<I>,
    init: impl Fn() -> S + Sync + Send,
    run: impl Fn(&mut S, I) -> T + Sync + Send,
) -> Vec<T> {
    let flag = Flag::current();
    let run = |state: &mut S, item| {
        flag.heed();
        run(state, item)
    };
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

#[cfg(test)]
mod tests {
    use super::*;
    use q::stop::{Stopped, heeding};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

    #[test]
    fn an_interrupt_stops_between_items_and_is_heeded_only_inside() {
        let (flag, seen) = (Arc::new(AtomicBool::new(false)), AtomicUsize::new(0));
        let work = |n: usize| {
            each(
                (0..n).collect(),
                || (),
                |(), i| {
                    seen.fetch_add(1, Relaxed);
                    flag.fetch_or(i == n / 100, Relaxed);
                },
            )
        };
        let stopped = catch_unwind(AssertUnwindSafe(|| heeding(&flag, || work(100_000)))).unwrap_err();
        assert!(stopped.is::<Stopped>() && seen.load(Relaxed) < 100_000);
        assert_eq!(work(100).len(), 100);
    }
}
