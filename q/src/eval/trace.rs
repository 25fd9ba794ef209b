//! Where things happen: the places in a signal, and backtraces (`.Q.trp`, `.Q.bt`, `.Q.sbt`).

use super::Interp;
use super::apply::error_text;
use crate::error::{Error, Frame, Result};
use crate::path::Span;
use crate::show;
use crate::value::Value;

impl Interp {
    /// Notes where an error happened, once in each running function.
    pub(super) fn trace(&mut self, e: &mut Error, span: Span) {
        if let Some(frame) = self.frames.last_mut()
            && let Some(source) = &frame.source
            && !frame.traced
        {
            frame.traced = true;
            e.trace.push(Frame { source: source.clone(), span });
        }
    }

    /// `f` applied to `args`, and what it signals as a value; the functions that it left are gone. What ends the
    /// session or the statement is not caught, nor is a return.
    pub(super) fn caught(&mut self, f: &Value, args: Vec<Value>) -> Result<Result<Value, Error>> {
        let depth = self.frames.len();
        match self.apply(f, args) {
            Err(e) if e.ends() || self.returned.is_some() => Err(e),
            Err(e) => {
                self.frames.truncate(depth);
                if let Some(frame) = self.frames.last_mut() {
                    frame.traced = false;
                }
                Ok(Err(e))
            }
            ok => Ok(ok),
        }
    }

    /// The places where each running function is, innermost first, as the console shows them.
    pub(super) fn backtrace(&self) -> Vec<String> {
        let running = self.frames.iter().filter_map(|f| Some((f.source.clone()?, f.at)));
        let mut places: Vec<String> =
            running.enumerate().map(|(i, (source, span))| show::place(i, &Frame { source, span })).collect();
        places.reverse();
        places
    }

    /// `.Q.trp[f;x;g]` and `.Q.trpd[f;args;g]`: as a trap, but the handler also gets the backtrace.
    pub(super) fn trap_traced(
        &mut self,
        f: &Value,
        args: Vec<Value>,
        name: &str,
        g: &Value,
    ) -> Result<Value> {
        let e = match self.caught(f, args)? {
            Ok(value) => return Ok(value),
            Err(e) => e,
        };
        let outer = self.backtrace();
        let inner = e.trace.iter().rev().enumerate();
        let mut places: Vec<String> =
            inner.map(|(i, frame)| show::place(outer.len() + 1 + i, frame)).collect();
        places.reverse();
        places.push(format!("  [{}]  ({name})\n\n", outer.len()));
        places.extend(outer);
        let places = places.iter().map(|p| Value::chars(&super::string::latin(p))).collect();
        self.apply(g, vec![error_text(&e), Value::list(places)])
    }
}
