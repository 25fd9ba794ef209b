//! What atomic operations make of the old value.

use crate::ptx::Ty;

/// What becomes of an old value and the operands.
type Change = fn(Ty, u64, u64, u64) -> u64;

/// The function of a name and how many operands it takes.
pub fn find(name: &str) -> Option<(Change, usize)> {
    Some(match name {
        "add" => (add, 1),
        "min" => (|ty, old, x, _| ty.narrow(ty.widen(old).min(ty.widen(x))), 1),
        "max" => (|ty, old, x, _| ty.narrow(ty.widen(old).max(ty.widen(x))), 1),
        "and" => (|_, old, x, _| old & x, 1),
        "or" => (|_, old, x, _| old | x, 1),
        "xor" => (|_, old, x, _| old ^ x, 1),
        "exch" => (|_, _, x, _| x, 1),
        "cas" => (|ty, old, x, y| if ty.narrow(old.into()) == ty.narrow(x.into()) { y } else { old }, 2),
        _ => return None,
    })
}

fn add(ty: Ty, old: u64, x: u64, _: u64) -> u64 {
    match ty {
        Ty::Float(8) => (f64::from_bits(old) + f64::from_bits(x)).to_bits(),
        Ty::Float(_) => u64::from((f32::from_bits(old as u32) + f32::from_bits(x as u32)).to_bits()),
        _ => ty.narrow(ty.widen(old) + ty.widen(x)),
    }
}
