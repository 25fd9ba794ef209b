//! What instructions do, a file a family. Each runs for the lanes of one group.

pub mod access;
pub mod atomic;
pub mod carry;
pub mod compare;
pub mod convert;
pub mod float;
pub mod integer;
pub mod lanes;
pub mod together;

use crate::machine::Warp;
use crate::ptx::{CARRY, NONE, Op};
use lanes::{lanes, put};

/// Runs an operation on registers for the lanes of `mask`; false for one that is none.
pub fn registers(warp: &mut Warp, op: &Op, mask: u32) -> bool {
    let regs = &mut warp.regs;
    match op {
        Op::Move { to, from } => {
            let row = regs[*from as usize];
            put(&mut regs[*to as usize], &row, mask);
        }
        Op::Compute { f, to, args, .. } => {
            let out = f.run(args.map(|r| &regs[r as usize]));
            put(&mut regs[*to as usize], &out, mask);
        }
        Op::Carry { how, ty, reads, writes, to, args } => {
            for l in lanes(mask) {
                let flag = *reads && warp.preds[CARRY as usize] >> l & 1 == 1;
                let (x, out) = how.run(*ty, args.map(|r| regs[r as usize][l]), flag);
                regs[*to as usize][l] = x;
                if *writes {
                    let old = warp.preds[CARRY as usize] & !(1 << l);
                    warp.preds[CARRY as usize] = old | u32::from(out) << l;
                }
            }
        }
        Op::Compare { test, to, not, args: [x, y], with } => {
            let mut is = test.run(&regs[*x as usize], &regs[*y as usize]);
            let mut is_not = !is;
            if let Some((f, pred, negated)) = with {
                let other = warp.preds[*pred as usize] ^ if *negated { u32::MAX } else { 0 };
                (is, is_not) = (f(is, other), f(is_not, other));
            }
            set(&mut warp.preds[*to as usize], is, mask);
            if let Some(not) = not {
                set(&mut warp.preds[*not as usize], is_not, mask);
            }
        }
        Op::Select { to, args: [x, y], by } => {
            let (mut row, by) = (regs[*y as usize], warp.preds[*by as usize]);
            put(&mut row, &regs[*x as usize], by);
            put(&mut regs[*to as usize], &row, mask);
        }
        Op::Logic { f, to, args: [x, y] } => {
            let value = f(warp.preds[*x as usize], warp.preds[*y as usize]);
            set(&mut warp.preds[*to as usize], value, mask);
        }
        Op::Pack { to, parts, bits } => {
            let part = u64::MAX >> (64 - bits);
            for l in lanes(mask) {
                let join = |x: u64, r: &u32| x << (bits % 64) | (regs[*r as usize][l] & part);
                regs[*to as usize][l] = parts.iter().rev().fold(0, join);
            }
        }
        Op::Unpack { parts, from, bits } => {
            let part = u64::MAX >> (64 - bits);
            for l in lanes(mask) {
                let whole = regs[*from as usize][l];
                for (i, &r) in parts.iter().enumerate().filter(|(_, r)| **r != NONE) {
                    regs[r as usize][l] = whole >> (bits * i as u32) & part;
                }
            }
        }
        Op::ActiveMask { to } => lanes(mask).for_each(|l| regs[*to as usize][l] = mask.into()),
        Op::Nothing => {}
        _ => return false,
    }
    true
}

/// Sets a predicate's bits of the lanes of `mask`.
fn set(pred: &mut u32, value: u32, mask: u32) {
    *pred = (*pred & !mask) | (value & mask);
}
