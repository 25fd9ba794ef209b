//! The bound on how deep a value may nest. Dropping, showing and comparing a value walk it natively, so one that
//! a loop wraps again on every turn would exhaust the stack.

use super::Interp;
use crate::error::{Error, Result};
use crate::parse::DEPTH;
use crate::value::{Func, Value};

/// One nested result in about this many is looked at, a power of two. A loop's value is wrapped once a turn, so
/// when it is found it is not much deeper than the bound.
const EVERY: u64 = 64;
/// Parts that one look visits at most, so that a wide value costs little.
const BUDGET: usize = 4096;

impl Interp {
    /// Signals `'limit` for a value that nests deeper than a tree or a message may. Now and then it looks;
    /// what it lets through is not much deeper.
    pub(super) fn bound(&mut self, x: &Value) -> Result<()> {
        if matches!(x, Value::Atom(_) | Value::Vec(_) | Value::Fun(Func::Prim(_) | Func::Lambda(_))) {
            return Ok(());
        }
        // Which results are looked at must not fall in step with a loop's body: Knuth's generator chooses.
        self.nested =
            self.nested.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let dice = self.nested >> 32;
        if !dice.is_multiple_of(EVERY) {
            return Ok(());
        }
        // What grows may be the first part or the last, beside wide ones: look from either end in turn.
        let last_first = (dice / EVERY).is_multiple_of(2);
        let mut budget = BUDGET;
        if fits(x, DEPTH as usize, last_first, &mut budget) { Ok(()) } else { Err(Error::new("limit")) }
    }
}

/// False if a path of more than `left` parts was found in `x`.
fn fits(x: &Value, left: usize, last_first: bool, budget: &mut usize) -> bool {
    if *budget == 0 {
        return true;
    }
    *budget -= 1;
    let one = |x: &Value, budget: &mut usize| left > 0 && fits(x, left - 1, last_first, budget);
    let all = |xs: &[Value], budget: &mut usize| {
        let few = xs.len().min(*budget);
        if last_first {
            xs.iter().rev().take(few).all(|x| one(x, budget))
        } else {
            xs.iter().take(few).all(|x| one(x, budget))
        }
    };
    match x {
        Value::List(l) => all(l, budget),
        Value::Table(t) => all(&t.cols, budget),
        Value::Dict(d) => one(&d.vals, budget) && one(&d.keys, budget),
        Value::Fun(Func::Comp(fs)) => all(fs, budget),
        Value::Fun(Func::Derived(_, f)) => one(f, budget),
        Value::Fun(Func::Proj(p)) => one(&p.fun, budget) && p.args.iter().flatten().all(|x| one(x, budget)),
        _ => true,
    }
}
