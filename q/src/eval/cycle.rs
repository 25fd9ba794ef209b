//! Loops that can never end. A step that depends on its value alone gives the same results from the same value:
//! once a value comes back, to the bit, the steps after it go round for ever.

use super::Interp;
use crate::error::{Error, Result};
use crate::fun::Prim;
use crate::same::identical;
use crate::value::Value;

impl Interp {
    /// Notes that evaluation read or changed something besides its values: a variable set, a text printed, the
    /// clock, a random number, a file.
    pub(super) fn touch(&mut self) {
        self.touched += 1;
    }

    /// Changes whenever evaluation touches the world or a global variable.
    fn stamp(&self) -> (u64, u64) {
        (self.touched, self.globals.changes())
    }
}

/// True for primitives whose result depends on more than their arguments, or that do more than give one.
pub(super) fn worldly(p: Prim) -> bool {
    matches!(
        p,
        Prim::Read0
            | Prim::Read1
            | Prim::Exit
            | Prim::Getenv
            | Prim::Setenv
            | Prim::Hopen
            | Prim::Hcount
            | Prim::Text0
            | Prim::Bytes1
            | Prim::Dynload
            | Prim::System
            | Prim::Rand
            | Prim::Use
            | Prim::Save
            | Prim::Load
            | Prim::Rsave
            | Prim::Rload
            | Prim::Dsave
            | Prim::Set
    )
}

/// Watches a loop for a value that comes back, after Brent: a mark is moved to the present value at each power of
/// two, so a cycle is found within about three times the steps before it and in it. One value is kept.
pub(super) struct Watch {
    mark: Value,
    stamp: (u64, u64),
    turns: u64,
    power: u64,
}

impl Watch {
    /// Watches from `x` on.
    pub fn new(q: &Interp, x: &Value) -> Watch {
        Watch { mark: x.clone(), stamp: q.stamp(), turns: 0, power: 1 }
    }

    /// The loop's value is now `x`. Signals `'limit` if it is the mark again, and nothing was touched since.
    pub fn turn(&mut self, q: &Interp, x: &Value) -> Result<()> {
        if self.stamp == q.stamp() && identical(&self.mark, x) {
            return Err(Error::new("limit"));
        }
        self.turns += 1;
        if self.turns == self.power {
            *self =
                Watch { mark: x.clone(), stamp: q.stamp(), turns: 0, power: self.power.saturating_mul(2) };
        }
        Ok(())
    }
}
