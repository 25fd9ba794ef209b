//! What unwinds out of a primitive, a host's function or an engine becomes a signal, and the session goes on.

use super::Interp;
use crate::error::{Error, Result};
use crate::memory::Full;
use crate::stop::Stopped;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

impl Interp {
    /// Runs `f`. Memory that cannot be had signals `'wsfull`; a bug signals `'internal` with what it said.
    pub fn guard<T>(&mut self, f: impl FnOnce(&mut Interp) -> Result<T>) -> Result<T> {
        let depth = self.frames.len();
        let columns = self.frames.last().map_or(0, |frame| frame.columns.len());
        match catch_unwind(AssertUnwindSafe(|| f(self))) {
            Ok(done) => done,
            Err(cause) => {
                self.frames.truncate(depth);
                if let Some(frame) = self.frames.last_mut() {
                    frame.columns.truncate(columns);
                    frame.traced = false;
                }
                if cause.is::<Stopped>() {
                    return Err(self.stopped());
                }
                Err(unwound(&*cause))
            }
        }
    }
}

/// The signal for what unwound.
fn unwound(cause: &(dyn Any + Send)) -> Error {
    if cause.is::<Full>() {
        return Error::new("wsfull");
    }
    let text = cause.downcast_ref::<&str>().copied();
    let text = text.or_else(|| cause.downcast_ref::<String>().map(String::as_str));
    Error::new("internal").detail(text.unwrap_or("a bug in qfuse"))
}
