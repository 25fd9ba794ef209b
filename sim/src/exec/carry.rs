//! Arithmetic with the carry flag, of which long multiplication is made.

use crate::ptx::Ty;

/// The operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carry {
    /// Addition.
    Add,
    /// Subtraction; the flag is the borrow.
    Sub,
    /// The lower half of a product, added.
    Low,
    /// The upper half of a product, added.
    High,
}

impl Carry {
    /// The operation of an opcode that reads or writes the flag, and whether it reads it.
    pub fn of(stem: &str, modifiers: &[&str]) -> Option<(Carry, bool)> {
        let has = |m: &str| modifiers.contains(&m);
        let product = if has("hi") { Carry::High } else { Carry::Low };
        match stem {
            "addc" => Some((Carry::Add, true)),
            "subc" => Some((Carry::Sub, true)),
            "madc" => Some((product, true)),
            "add" if has("cc") => Some((Carry::Add, false)),
            "sub" if has("cc") => Some((Carry::Sub, false)),
            "mad" if has("cc") => Some((product, false)),
            _ => None,
        }
    }

    /// How many operands it takes.
    pub fn arguments(self) -> usize {
        match self {
            Carry::Add | Carry::Sub => 2,
            Carry::Low | Carry::High => 3,
        }
    }

    /// The result and the flag.
    pub fn run(self, ty: Ty, [x, y, z]: [u64; 3], flag: bool) -> (u64, bool) {
        let bits = 8 * u32::from(ty.bytes());
        // The halves of a product are those of the type's own, signed or not.
        let product = || (ty.widen(x).wrapping_mul(ty.widen(y))) as u128;
        let plain = Ty::Bits(ty.bytes());
        let wide = |x: u64| plain.widen(x);
        let sum = match self {
            Carry::Add => wide(x) + wide(y) + i128::from(flag),
            Carry::Sub => wide(x) - wide(y) - i128::from(flag),
            Carry::Low => wide(product() as u64) + wide(z) + i128::from(flag),
            Carry::High => wide((product() >> bits) as u64) + wide(z) + i128::from(flag),
        };
        (plain.narrow(sum), sum >> bits & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_product_is_made_of_halves() {
        let word = Ty::Bits(4);
        let (x, y) = (0xffff_ffffu64, 0xffff_fffe);
        let (low, flag) = Carry::Low.run(word, [x, y, 5], false);
        let (high, _) = Carry::High.run(word, [x, y, 0], flag);
        assert_eq!((u128::from(high) << 32) | u128::from(low), u128::from(x) * u128::from(y) + 5);
        assert_eq!(Carry::Sub.run(word, [0, 1, 0], false), (0xffff_ffff, true));
        assert_eq!(Carry::Add.run(Ty::Bits(8), [u64::MAX, 0, 0], true), (0, true));
    }
}
