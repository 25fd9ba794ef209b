//! Keeps each thread of the pool on a processor of its own, where the pool has as many threads as the process has
//! processors. Queries of a millisecond are over before the system's scheduler notices that two threads share one
//! processor while another is idle, and then each of many takes twice as long.

use std::sync::OnceLock;

/// The processors of the pool's threads, that of the asking thread first; empty where threads go where the system puts
/// them.
static PLACES: OnceLock<Vec<usize>> = OnceLock::new();

/// A processor for each of `n` threads, if there are as many; else none.
pub fn share(n: usize) -> Vec<usize> {
    let places = system::allowed();
    if n > 1 && places.len() == n { places } else { vec![] }
}

/// Keeps the thread that calls, the pool's `index`th, on its processor from now on.
pub fn keep(places: &[usize], index: usize) {
    if let Some(&place) = places.get(index) {
        system::stay(&[place]);
    }
}

/// Says where the threads of the pool are, once there is one.
pub fn settle(places: Vec<usize>) {
    PLACES.get_or_init(|| places);
}

/// Moves the asking thread to its processor if it is on another's. It is not kept there, since threads that it starts
/// would be kept there too.
pub fn go_home() {
    let Some(places) = PLACES.get().filter(|p| !p.is_empty()) else { return };
    if rayon::current_thread_index() == Some(0) && system::here() != places[0] {
        system::stay(&places[..1]);
        system::stay(places);
    }
}

#[cfg(target_os = "linux")]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

    /// The processors that the calling thread may run on.
    pub fn allowed() -> Vec<usize> {
        let Ok(set) = sched_getaffinity(None) else { return vec![] };
        (0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect()
    }

    /// Lets the calling thread run on these only. Where the system does not allow that, it goes on as it was.
    pub fn stay(places: &[usize]) {
        let mut set = CpuSet::new();
        places.iter().for_each(|&cpu| set.set(cpu));
        let _slower_where_it_may_not = sched_setaffinity(None, &set);
    }

    /// The processor that runs the calling thread.
    pub fn here() -> usize {
        sched_getcpu()
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub fn allowed() -> Vec<usize> {
        vec![]
    }

    pub fn stay(_: &[usize]) {}

    pub fn here() -> usize {
        0
    }
}
