//! Comparisons: of integers as their types say, and of floats, where a NaN makes an ordered comparison false and
//! an unordered one (`ltu`) true.

use crate::ptx::Ty;
use std::cmp::Ordering;

/// A comparison: in which of the four cases it is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Compare {
    less: bool,
    equal: bool,
    greater: bool,
    /// Of floats: one of them is a NaN.
    unordered: bool,
}

impl Compare {
    /// The comparison that a suffix names, for a type.
    pub fn of(name: &str, ty: Ty) -> Option<Compare> {
        let float = matches!(ty, Ty::Float(_));
        let (name, unordered) = match name {
            "equ" | "neu" | "ltu" | "leu" | "gtu" | "geu" if float => (&name[..2], true),
            _ => (name, false),
        };
        let (less, equal, greater) = match name {
            "eq" => (false, true, false),
            "ne" => (true, false, true),
            "lt" | "lo" => (true, false, false),
            "le" | "ls" => (true, true, false),
            "gt" | "hi" => (false, false, true),
            "ge" | "hs" => (false, true, true),
            "num" if float => (true, true, true),
            "nan" if float => {
                return Some(Compare { less: false, equal: false, greater: false, unordered: true });
            }
            _ => return None,
        };
        Some(Compare { less, equal, greater, unordered })
    }

    /// Is it true of two registers?
    pub fn holds(self, ty: Ty, x: u64, y: u64) -> bool {
        let order = match ty {
            Ty::Float(8) => f64::from_bits(x).partial_cmp(&f64::from_bits(y)),
            Ty::Float(_) => f32::from_bits(x as u32).partial_cmp(&f32::from_bits(y as u32)),
            _ => Some(ty.widen(x).cmp(&ty.widen(y))),
        };
        match order {
            Some(Ordering::Less) => self.less,
            Some(Ordering::Equal) => self.equal,
            Some(Ordering::Greater) => self.greater,
            None => self.unordered,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_nans_decide() {
        let is = |name: &str, ty, x, y| Compare::of(name, ty).expect(name).holds(ty, x, y);
        let nan = f64::NAN.to_bits();
        assert!(is("lt", Ty::Signed(4), 0xffff_ffff, 0) && !is("lt", Ty::Bits(4), 0xffff_ffff, 0));
        assert!(is("eq", Ty::Bits(2), 0x1_0001, 1), "only the type's bits count");
        assert!(!is("ne", Ty::Float(8), nan, nan) && is("neu", Ty::Float(8), nan, nan));
        assert!(is("nan", Ty::Float(8), 0, nan) && !is("num", Ty::Float(8), 0, nan));
        assert!(is("eq", Ty::Float(4), 0, 0x8000_0000), "both zeros are equal");
        assert_eq!(Compare::of("ltu", Ty::Signed(4)), None);
    }
}
