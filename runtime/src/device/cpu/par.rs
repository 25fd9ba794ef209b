//! Work on all cores: chunks of rows in any order, their results in the order of the rows. `RAYON_NUM_THREADS`
//! sets how many threads there are; no answer depends on it.

use super::place;
use super::tile::CHUNK;
use q::stop::Flag;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicUsize};

/// Whether one thread that asks is in the pool.
static JOINED: AtomicBool = AtomicBool::new(false);

/// Makes a pool of `n` threads, the caller's among them: so its small queries wait for no thread to wake up. Without
/// effect where there is a pool already.
pub fn use_threads(n: usize) {
    let places = place::share(n);
    let own = places.clone();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n.max(1));
    let pool = pool.start_handler(move |index| place::keep(&own, index));
    let pool = if n > 1 { pool.use_current_thread() } else { pool };
    if pool.build_global().is_ok() {
        JOINED.store(n > 1, Relaxed);
        place::settle(places);
    }
}

/// How many threads work for the caller. Those of a `peach` work alone where the one that asked for it is in the pool:
/// they are as many, and it would wait for them.
pub fn threads() -> usize {
    let alone = JOINED.load(Relaxed) && rayon::current_thread_index().is_none();
    if alone { 1 } else { rayon::current_num_threads() }
}

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
    if items.len() <= 1 || threads() == 1 {
        let mut state = init();
        return items.into_iter().map(|item| run(&mut state, item)).collect();
    }
    place::go_home();
    items.into_par_iter().map_init(init, run).collect()
}

/// Runs `count` on each chunk of `rows` rows, and then `write` with where its items go: after those of all chunks
/// before. Returns how many items there are. Threads take chunks in turn, so that the counts of those before come soon;
/// each has a state that `init` makes.
pub fn in_turn<S>(
    rows: usize,
    init: impl Fn() -> S + Sync + Send,
    count: impl Fn(&mut S, Range<usize>) -> usize + Sync + Send,
    write: impl Fn(&mut S, Range<usize>, Range<usize>) + Sync + Send,
) -> usize {
    let (flag, next) = (Flag::current(), AtomicUsize::new(0));
    let chunks = chunks(rows);
    // Where each chunk's items end, plus one: 0 until it is known, `LOST` if it never will be.
    let ends: Vec<AtomicUsize> = chunks.iter().map(|_| AtomicUsize::new(0)).collect();
    let workers = threads().min(chunks.len());
    each((0..workers).collect(), init, |state, _| {
        loop {
            flag.heed();
            let at = next.fetch_add(1, Relaxed);
            let Some(chunk) = chunks.get(at) else { return };
            let mut end = End { end: &ends[at], value: LOST };
            let n = count(state, chunk.clone());
            let Some(from) = at.checked_sub(1).map_or(Some(0), |before| known(&ends[before])) else { return };
            end.value = from + n + 1;
            drop(end);
            write(state, chunk.clone(), from..from + n);
        }
    });
    ends.last().map_or(0, |end| end.load(Acquire) - 1)
}

/// The mark of an end that will never be known, as its thread unwinds.
const LOST: usize = usize::MAX;

/// Tells the end of a chunk's items when it is dropped.
struct End<'a> {
    end: &'a AtomicUsize,
    value: usize,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.end.store(self.value, Release);
    }
}

/// Waits for an end that a running thread is about to tell.
fn known(end: &AtomicUsize) -> Option<usize> {
    for turn in 1usize.. {
        match end.load(Acquire) {
            0 if turn.is_multiple_of(64) => std::thread::yield_now(),
            0 => std::hint::spin_loop(),
            LOST => return None,
            end => return Some(end - 1),
        }
    }
    None
}

/// `0..n` in parts of `size`, the last of what is left.
pub fn ranges(n: usize, size: usize) -> Vec<Range<usize>> {
    (0..n).step_by(size.max(1)).map(|from| from..n.min(from.saturating_add(size))).collect()
}

/// The chunks of `rows` rows.
pub fn chunks(rows: usize) -> Vec<Range<usize>> {
    ranges(rows, CHUNK)
}

/// `0..n` in as many parts as there are threads.
pub fn shares(n: usize) -> Vec<Range<usize>> {
    ranges(n, n.div_ceil(threads()))
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

    #[test]
    fn chunks_in_turn_follow_each_other() {
        let rows = CHUNK * 20 + 7;
        let seen = std::sync::Mutex::new(vec![]);
        let total = in_turn(
            rows,
            || (),
            |(), chunk| chunk.len() / 3,
            |(), chunk, items| seen.lock().unwrap().push((chunk, items)),
        );
        let mut seen = seen.into_inner().unwrap();
        seen.sort_by_key(|s| s.0.start);
        assert_eq!(seen.iter().map(|s| s.0.clone()).collect::<Vec<_>>(), chunks(rows));
        assert!(seen.windows(2).all(|s| s[0].1.end == s[1].1.start));
        assert!(seen.iter().all(|s| s.1.len() == s.0.len() / 3));
        assert_eq!((seen[0].1.start, seen[20].1.end), (0, total));
        assert_eq!(in_turn(0, || (), |(), _| 1, |(), _, _| ()), 0);
        let lost = catch_unwind(|| {
            in_turn(rows, || (), |(), c| if c.start > 0 { panic!() } else { 0 }, |(), _, _| ())
        });
        assert!(lost.is_err());
    }
}
