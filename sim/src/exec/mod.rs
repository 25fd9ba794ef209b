//! What instructions do, a file a family. Each runs for the lanes of one group.

pub mod access;
pub mod atomic;
pub mod carry;
pub mod compare;
pub mod convert;
pub mod float;
pub mod integer;
pub mod together;

use super::machine::{Warp, lanes};
use super::ptx::{CARRY, Op};

/// Runs an operation on registers for the lanes of `mask`; false for one that is none.
pub fn registers(warp: &mut Warp, op: &Op, mask: u32) -> bool {
    let regs = &mut warp.regs;
    match op {
        Op::Move { to, from } => lanes(mask).for_each(|l| regs[*to as usize][l] = regs[*from as usize][l]),
        Op::Integer { f, types, result, to, args } => {
            for l in lanes(mask) {
                let x = std::array::from_fn(|i| match args[i] {
                    super::ptx::NONE => 0,
                    reg => types[i].widen(regs[reg as usize][l]),
                });
                regs[*to as usize][l] = result.narrow(f(&x));
            }
        }
        Op::Double { f, to, args } => {
            for l in lanes(mask) {
                let [x, y, z] = args.map(|r| f64::from_bits(regs[r as usize][l]));
                regs[*to as usize][l] = f(x, y, z).to_bits();
            }
        }
        Op::Single { f, to, args } => {
            for l in lanes(mask) {
                let [x, y, z] = args.map(|r| f32::from_bits(regs[r as usize][l] as u32));
                regs[*to as usize][l] = f(x, y, z).to_bits().into();
            }
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
        Op::Convert { to_ty, from_ty, round, to, from } => {
            for l in lanes(mask) {
                regs[*to as usize][l] = convert::convert(regs[*from as usize][l], *from_ty, *to_ty, *round);
            }
        }
        Op::Compare { how, ty, to, not, args, with } => {
            let [x, y] = args.map(|r| &regs[r as usize]);
            let mut is = lanes(mask).fold(0, |is, l| is | u32::from(how.holds(*ty, x[l], y[l])) << l);
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
            let by = warp.preds[*by as usize];
            for l in lanes(mask) {
                let from = if by >> l & 1 == 1 { x } else { y };
                regs[*to as usize][l] = regs[*from as usize][l];
            }
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
                for (i, &r) in parts.iter().enumerate().filter(|(_, r)| **r != super::ptx::NONE) {
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
