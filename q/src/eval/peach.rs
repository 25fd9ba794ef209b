//! `peach`: each item on some thread. A worker sees the globals as they were; setting one signals `'noupdate`.

use super::{Interp, env, item, random, run};
use crate::error::{Error, Result};
use crate::memory;
use crate::value::Value;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Threads at most, however many `\s` asks for: each has a stack as deep as the caller's.
const MOST: usize = 64;

/// What a worker prints, kept until its turn comes.
#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Page {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The result for one item, and what it printed.
type Done = (usize, Result<Value>, Vec<u8>);

/// The results of `f` for the items of `x`, on the threads that `\s` names. Which thread takes an item changes
/// nothing: what is printed comes in the items' order, each item has its own random numbers, and of several
/// signals the first item's is signalled.
pub(super) fn items(q: &mut Interp, f: &Value, x: &Value) -> Result<Vec<Value>> {
    let n = x.count();
    q.touch();
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let workers: Vec<(Interp, Page)> = (0..q.threads.min(n).min(MOST)).map(|_| worker(q)).collect();
    let seed = q.random.seed();
    let work = |(mut q, page): (Interp, Page)| {
        let mut done: Vec<Done> = vec![];
        while !failed.load(Relaxed) {
            let i = next.fetch_add(1, Relaxed);
            if i >= n {
                break;
            }
            q.random = random::Random::new(seed.wrapping_add(1 + i as i32));
            let result = q.apply(f, vec![item::item(x, i)]);
            failed.fetch_or(result.is_err(), Relaxed);
            done.push((i, result, page.take()));
        }
        done
    };
    let stack = q.stack_bytes / 3 * 4;
    let mut done: Vec<Done> = run::on_threads(stack, workers, work).into_iter().flatten().collect();
    q.interrupt.store(false, Relaxed);
    done.sort_by_key(|(i, ..)| *i);
    let mut out = memory::values(n)?;
    for (_, result, page) in done {
        if !page.is_empty() {
            q.print(&page);
        }
        out.push(result?);
    }
    if out.len() < n { Err(Error::new("stop").detail("interrupted")) } else { Ok(out) }
}

/// An interpreter with the same names and settings, which may not set globals and works alone.
fn worker(q: &Interp) -> (Interp, Page) {
    let page = Page::default();
    let mut globals = q.globals.clone();
    globals.frozen = true;
    let frame = env::Frame { space: q.globals.current, ..Default::default() };
    let worker = Interp {
        globals,
        settings: q.settings,
        interrupt: q.interrupt.clone(),
        stack_bytes: q.stack_bytes,
        views: q.views.clone(),
        day_first: q.day_first,
        args: q.args.clone(),
        offset: q.offset,
        script: q.script,
        env: q.env.clone(),
        frames: vec![frame],
        out: Box::new(page.clone()),
        ..Interp::default()
    };
    (worker, page)
}
