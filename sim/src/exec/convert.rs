//! Conversions between integers and floats.

use super::lanes::Lanes;
use crate::ptx::Ty;

/// How a conversion rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Round {
    /// To the nearest value of the type, or not at all.
    Nearest,
    /// To an integer towards zero.
    Zero,
    /// To the nearest integer, even of two.
    Even,
    /// To an integer below.
    Down,
    /// To an integer above.
    Up,
}

impl Round {
    /// The rounding of a conversion's modifiers; none where there is one that is not known.
    pub fn of(modifiers: &[&str]) -> Option<Round> {
        match modifiers {
            [] | ["rn"] | ["ftz"] | ["rn", "ftz"] => Some(Round::Nearest),
            ["rzi"] | ["rzi", "ftz"] => Some(Round::Zero),
            ["rni"] | ["rni", "ftz"] => Some(Round::Even),
            ["rmi"] | ["rmi", "ftz"] => Some(Round::Down),
            ["rpi"] | ["rpi", "ftz"] => Some(Round::Up),
            _ => None,
        }
    }

    fn round(self, x: f64) -> f64 {
        match self {
            Round::Nearest => x,
            Round::Zero => x.trunc(),
            Round::Even => x.round_ties_even(),
            Round::Down => x.floor(),
            Round::Up => x.ceil(),
        }
    }
}

/// The conversion of all lanes.
pub fn lanes(from: Ty, to: Ty, round: Round) -> Lanes {
    // Integers to integers: extended as the one type says, cut as the other does.
    let unused = 64 - 8 * u32::from(from.bytes());
    let mask = to.narrow(-1);
    let left = 64 - 8 * u32::from(to.bytes());
    match (from, to) {
        (Ty::Signed(_), Ty::Bits(_)) => {
            Lanes::of(move |[x, ..]| ((x << unused) as i64 >> unused) as u64 & mask)
        }
        (Ty::Bits(_), Ty::Bits(_)) => Lanes::of(move |[x, ..]| x << unused >> unused & mask),
        (Ty::Signed(_), Ty::Signed(_)) => {
            Lanes::of(move |[x, ..]| ((x << unused) as i64 >> unused << left >> left) as u64)
        }
        (Ty::Bits(_), Ty::Signed(_)) => {
            Lanes::of(move |[x, ..]| ((x << unused >> unused << left) as i64 >> left) as u64)
        }
        (Ty::Signed(8), Ty::Float(8)) => Lanes::of(|[x, ..]| (x as i64 as f64).to_bits()),
        (Ty::Signed(4), Ty::Float(8)) => Lanes::of(|[x, ..]| f64::from(x as i32).to_bits()),
        (Ty::Float(4), Ty::Float(8)) if round == Round::Nearest => {
            Lanes::of(|[x, ..]| f64::from(f32::from_bits(x as u32)).to_bits())
        }
        _ => Lanes::of(move |[x, ..]| convert(x, from, to, round)),
    }
}

/// A register of one type as one of another. Floats beyond an integer's range become its nearest bound.
fn convert(x: u64, from: Ty, to: Ty, round: Round) -> u64 {
    let float = match from {
        Ty::Float(8) => f64::from_bits(x),
        Ty::Float(_) => f64::from(f32::from_bits(x as u32)),
        _ => {
            let x = from.widen(x);
            return match to {
                Ty::Float(8) => (x as f64).to_bits(),
                Ty::Float(_) => u64::from((x as f32).to_bits()),
                // A signed result fills its register's upper bits, as a load's does.
                Ty::Signed(_) => to.widen(to.narrow(x)) as u64,
                _ => to.narrow(x),
            };
        }
    };
    let float = round.round(float);
    let bits = 8 * u32::from(to.bytes());
    match to {
        Ty::Float(8) => float.to_bits(),
        Ty::Float(_) => u64::from((float as f32).to_bits()),
        // The hardware's answer to a NaN: 0 where both types are narrow.
        _ if float.is_nan() && (from == Ty::Float(8) || bits == 64) => 1 << (bits - 1),
        Ty::Signed(_) => {
            let most = (1i128 << (bits - 1)) - 1;
            to.narrow((float as i128).clamp(-most - 1, most))
        }
        _ => to.narrow((float as i128).clamp(0, (1i128 << bits) - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_become_integers_within_bounds() {
        let long = |x: f64, round| convert(x.to_bits(), Ty::Float(8), Ty::Signed(8), round) as i64;
        assert_eq!(long(-2.5, Round::Zero), -2);
        assert_eq!(long(-2.5, Round::Down), -3);
        assert_eq!(long(2.5, Round::Even), 2);
        assert_eq!(long(1e300, Round::Zero), i64::MAX);
        assert_eq!(long(f64::NEG_INFINITY, Round::Zero), i64::MIN);
        assert_eq!(long(f64::NAN, Round::Zero), i64::MIN);
        assert_eq!(convert(f32::NAN.to_bits().into(), Ty::Float(4), Ty::Signed(4), Round::Zero), 0);
    }

    #[test]
    fn integers_keep_their_sign() {
        assert_eq!(convert(0xff, Ty::Signed(1), Ty::Signed(8), Round::Nearest), u64::MAX);
        assert_eq!(convert(0xffff_ffff, Ty::Bits(4), Ty::Bits(8), Round::Nearest), 0xffff_ffff);
        assert_eq!(convert(u64::MAX, Ty::Signed(8), Ty::Float(8), Round::Nearest), (-1f64).to_bits());
        assert_eq!(
            convert(0.1f64.to_bits(), Ty::Float(8), Ty::Float(4), Round::Nearest),
            u64::from(0.1f32.to_bits())
        );
        assert_eq!(Round::of(&["rz"]), None);
    }
}
