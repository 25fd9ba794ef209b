//! The memory that values may take: one budget, which every block of elements and every list is counted against.
//!
//! A list that cannot be had signals `'wsfull` instead of ending the process. Where a result's size is known
//! before it is made, [`room`] is asked first. Blocks that are already being made have no way to signal:
//! [`count`] unwinds with [`Full`], which the interpreter turns into the signal where it applies primitives.

use crate::error::{Error, Result};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Bytes allocated between two looks at the machine, which cost some microseconds each.
const LOOK: usize = 64 << 20;

/// The longest list.
const MOST_ITEMS: usize = (1 << 40) - 1;

/// Bytes that are left to the rest of the machine.
const RESERVE: usize = 128 << 20;

/// Bytes allocated since the last look.
static SINCE: AtomicUsize = AtomicUsize::new(0);

/// Bytes that the process may hold; `usize::MAX` if only the machine bounds it.
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// What [`count`] unwinds with.
#[derive(Debug)]
pub struct Full;

/// Bounds what the process may hold, in bytes: q's `-w`.
pub fn set_limit(bytes: usize) {
    LIMIT.store(bytes, Relaxed);
}

/// The bound, if there is one.
pub fn limit() -> Option<usize> {
    Some(LIMIT.load(Relaxed)).filter(|&bytes| bytes < usize::MAX)
}

/// `'wsfull` unless `bytes` more can be had. Small requests are not looked at.
pub fn room(bytes: usize) -> Result<()> {
    if bytes < LOOK || bytes <= free() {
        return Ok(());
    }
    crate::buf::trim_pool();
    if bytes <= free() { Ok(()) } else { Err(Error::new("wsfull")) }
}

/// [`room`] for `n` elements or positions of eight bytes; `'limit` for a list longer than q lets one be.
pub fn room_for(n: usize) -> Result<()> {
    if n > MOST_ITEMS { Err(Error::new("limit")) } else { room(n.saturating_mul(8)) }
}

/// An empty list with room for `n` values.
pub fn values<T>(n: usize) -> Result<Vec<T>> {
    room(n.saturating_mul(size_of::<T>()))?;
    Ok(Vec::with_capacity(n))
}

/// Adds an item to a list that grows as long as its program likes.
pub fn push<T>(list: &mut Vec<T>, item: T) -> Result<()> {
    if list.len() == list.capacity() {
        room(list.len() * size_of::<T>())?;
    }
    list.push(item);
    Ok(())
}

/// `'wsfull` if memory is short as it is.
pub fn look() -> Result<()> {
    room(LOOK)
}

/// Counts a block of `bytes` that is being made; unwinds with [`Full`] if it cannot be had.
pub fn count(bytes: usize) {
    if bytes < LOOK && SINCE.fetch_add(bytes, Relaxed) + bytes < LOOK {
        return;
    }
    SINCE.store(0, Relaxed);
    if room(bytes.max(LOOK)).is_err() {
        full();
    }
}

thread_local! {
    /// Bytes that this thread took less those that it gave back, and the most since the measure was set.
    static TAKEN: Cell<(i64, i64)> = const { Cell::new((0, 0)) };
}

/// Bytes of a block or list, counted for [`most`] from when it is made until it is dropped.
#[derive(Debug, Default)]
pub struct Held(usize);

impl Held {
    /// Counts `bytes`.
    pub fn new(bytes: usize) -> Held {
        take(bytes as i64);
        Held(bytes)
    }
}

impl Clone for Held {
    fn clone(&self) -> Held {
        Held::new(self.0)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        take(-(self.0 as i64));
    }
}

fn take(bytes: i64) {
    let (now, most) = TAKEN.get();
    TAKEN.set((now + bytes, most.max(now + bytes)));
}

/// What `f` gives, and the most bytes that this thread held meanwhile above what it held before: values that
/// `peach` and the engines make on threads of their own are not among them.
pub fn most<T>(f: impl FnOnce() -> T) -> (T, usize) {
    let (start, before) = TAKEN.get();
    TAKEN.set((start, start));
    let out = f();
    let (now, most) = TAKEN.get();
    // A measure around this one goes on.
    TAKEN.set((now, most.max(before)));
    (out, (most - start) as usize)
}

/// Unwinds with [`Full`].
pub fn full() -> ! {
    std::panic::resume_unwind(Box::new(Full))
}

/// Bytes that can still be had.
fn free() -> usize {
    let machine = available().saturating_sub(RESERVE);
    limit().map_or(machine, |limit| limit.saturating_sub(used()).min(machine))
}

/// Bytes that the process holds, and the size of its address space; zero where the system does not say.
pub fn sizes() -> (usize, usize) {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = |i: usize| status.split_whitespace().nth(i).and_then(|n| n.parse().ok()).unwrap_or(0usize);
    (pages(1) * 4096, pages(0) * 4096)
}

/// The most bytes that the process held so far.
pub fn peak() -> usize {
    status("VmHWM:").unwrap_or(0)
}

/// A figure that the system keeps of the process by `name`, such as `VmHWM:`, in bytes.
pub fn status(name: &str) -> Option<usize> {
    kilobytes(&std::fs::read_to_string("/proc/self/status").ok()?, name)
}

/// Bytes that the process holds.
fn used() -> usize {
    sizes().0
}

/// The machine's memory in bytes; zero where the system does not say.
pub fn physical() -> usize {
    meminfo("MemTotal:").unwrap_or(0)
}

/// Bytes that the machine can still give, and the container that the process runs in.
fn available() -> usize {
    // Without that file (on other systems) a terabyte is surely too much.
    let machine = meminfo("MemAvailable:").unwrap_or(1 << 40);
    let number = |file| std::fs::read_to_string(file).ok()?.trim().parse::<usize>().ok();
    match (number("/sys/fs/cgroup/memory.max"), number("/sys/fs/cgroup/memory.current")) {
        (Some(max), Some(now)) => machine.min(max.saturating_sub(now)),
        _ => machine,
    }
}

fn meminfo(name: &str) -> Option<usize> {
    kilobytes(&std::fs::read_to_string("/proc/meminfo").ok()?, name)
}

/// The number of kilobytes that a line of `text` gives for `name`, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<usize> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().trim_end_matches(" kB").parse::<usize>().ok().map(|kb| kb << 10)
}
