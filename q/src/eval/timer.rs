//! The timer: after `\t n` the console calls `.z.ts` every n milliseconds while it waits for a line.

use super::{Interp, zvar};
use crate::error::{Result, Source};
use crate::sym::Sym;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A running timer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timer {
    every: Duration,
    due: Instant,
}

/// `\t`: the milliseconds between two calls; 0 while the timer is off.
pub(super) fn period(q: &Interp) -> i32 {
    q.timer.map_or(0, |t| t.every.as_millis() as i32)
}

/// `\t n`; 0 stops the timer.
pub(super) fn start(q: &mut Interp, milliseconds: i64) {
    let every = Duration::from_millis(milliseconds.clamp(0, i64::from(i32::MAX)) as u64);
    q.timer = (!every.is_zero()).then(|| Timer { every, due: Instant::now() + every });
}

impl Interp {
    /// When `.z.ts` is to be called next; none while the timer is off.
    pub fn timer_due(&self) -> Option<Instant> {
        self.timer.map(|t| t.due)
    }

    /// Calls `.z.ts`, where there is one, with the local time. Calls that a long one left no time for are not made up.
    ///
    /// # Errors
    /// What it signals; the timer goes on.
    pub fn tick(&mut self) -> Result<()> {
        if let Some(timer) = &mut self.timer {
            timer.due = Instant::now() + timer.every;
        }
        let Some(f) = self.globals.get(Sym::new(".z.ts"), Sym::NULL) else { return Ok(()) };
        let now = zvar::get(self, "P").expect("q knows the time");
        let source = Arc::new(Source { text: Box::default(), file: None, line: 1 });
        self.at_console(&source, |q| q.guard(|q| q.apply(&f, vec![now]))).map(drop)
    }
}
