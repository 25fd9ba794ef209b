//! Comparisons: of integers as their types say, and of floats, where a NaN makes an ordered comparison false and
//! an unordered one (`ltu`) true.

use super::lanes::Test;
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

    /// The comparison of registers of a type.
    pub fn test(self, ty: Ty) -> Test {
        match ty {
            Ty::Signed(8) => self.of_values(|x| x as i64),
            Ty::Signed(4) => self.of_values(|x| x as i32),
            Ty::Signed(2) => self.of_values(|x| x as i16),
            Ty::Signed(_) => self.of_values(|x| x as i8),
            Ty::Float(8) => self.of_values(f64::from_bits),
            Ty::Float(_) => self.of_values(|x| f32::from_bits(x as u32)),
            Ty::Bits(8) => self.of_values(|x| x),
            Ty::Bits(4) => self.of_values(|x| x as u32),
            Ty::Bits(2) => self.of_values(|x| x as u16),
            _ => self.of_values(|x| x as u8),
        }
    }

    fn of_values<T: PartialOrd>(self, value: impl Fn(u64) -> T + Copy + Send + Sync + 'static) -> Test {
        match (self.less, self.equal, self.greater, self.unordered) {
            (true, false, false, false) => Test::of(move |x, y| value(x) < value(y)),
            (true, true, false, false) => Test::of(move |x, y| value(x) <= value(y)),
            (false, false, true, false) => Test::of(move |x, y| value(x) > value(y)),
            (false, true, true, false) => Test::of(move |x, y| value(x) >= value(y)),
            (false, true, false, false) => Test::of(move |x, y| value(x) == value(y)),
            _ => Test::of(move |x, y| match value(x).partial_cmp(&value(y)) {
                Some(Ordering::Less) => self.less,
                Some(Ordering::Equal) => self.equal,
                Some(Ordering::Greater) => self.greater,
                None => self.unordered,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lanes::LANES;
    use super::*;

    #[test]
    fn types_and_nans_decide() {
        let is = |name: &str, ty, x, y| {
            let test = Compare::of(name, ty).expect(name).test(ty);
            test.run(&[x; LANES], &[y; LANES]) == u32::MAX
        };
        let nan = f64::NAN.to_bits();
        assert!(is("lt", Ty::Signed(4), 0xffff_ffff, 0) && !is("lt", Ty::Bits(4), 0xffff_ffff, 0));
        assert!(is("eq", Ty::Bits(2), 0x1_0001, 1), "only the type's bits count");
        assert!(!is("ne", Ty::Float(8), nan, nan) && is("neu", Ty::Float(8), nan, nan));
        assert!(is("nan", Ty::Float(8), 0, nan) && !is("num", Ty::Float(8), 0, nan));
        assert!(is("eq", Ty::Float(4), 0, 0x8000_0000), "both zeros are equal");
        assert_eq!(Compare::of("ltu", Ty::Signed(4)), None);
    }
}
