//! Functions of all lanes of a warp at once. One is chosen and specialised when an instruction is decoded, so that
//! a run makes one call a warp and its loop over the lanes has no branches.

use crate::ptx::Ty;
use std::fmt;
use std::sync::Arc;

/// Lanes of a warp.
pub const LANES: usize = 32;

/// A register of a warp: 64 bits a lane, of which an instruction uses what its type has.
pub type Row = [u64; LANES];

type Rows = dyn Fn([&Row; 4]) -> Row + Send + Sync;
type Bits = dyn Fn(&Row, &Row) -> u32 + Send + Sync;

/// What an instruction makes of its operands, of which there are at most four.
#[derive(Clone)]
pub struct Lanes(Arc<Rows>);

impl fmt::Debug for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lanes")
    }
}

impl Lanes {
    /// A function of one lane, for all of them.
    pub fn of(f: impl Fn([u64; 4]) -> u64 + Send + Sync + 'static) -> Lanes {
        Lanes(Arc::new(move |[w, x, y, z]: [&Row; 4]| std::array::from_fn(|l| f([w[l], x[l], y[l], z[l]]))))
    }

    /// A function that only the low bits of its operands matter to, and whose result has as many.
    pub fn bits(ty: Ty, f: impl Fn([u64; 4]) -> u64 + Send + Sync + 'static) -> Lanes {
        let mask = ty.narrow(-1);
        Lanes::of(move |a| f(a) & mask)
    }

    /// A function of integers that are extended as their type says, and whose result has that type.
    pub fn typed(
        ty: Ty,
        signed: impl Fn([i64; 4]) -> i64 + Send + Sync + 'static,
        unsigned: impl Fn([u64; 4]) -> u64 + Send + Sync + 'static,
    ) -> Lanes {
        match ty {
            Ty::Signed(8) => Lanes::of(move |a| signed(a.map(|x| x as i64)) as u64),
            Ty::Signed(4) => Lanes::of(move |a| u64::from(signed(a.map(|x| i64::from(x as i32))) as u32)),
            Ty::Signed(2) => Lanes::of(move |a| u64::from(signed(a.map(|x| i64::from(x as i16))) as u16)),
            Ty::Signed(_) => Lanes::of(move |a| u64::from(signed(a.map(|x| i64::from(x as i8))) as u8)),
            Ty::Bits(4) => Lanes::of(move |a| u64::from(unsigned(a.map(|x| u64::from(x as u32))) as u32)),
            Ty::Bits(2) => Lanes::of(move |a| u64::from(unsigned(a.map(|x| u64::from(x as u16))) as u16)),
            Ty::Bits(1) | Ty::Pred => {
                Lanes::of(move |a| u64::from(unsigned(a.map(|x| u64::from(x as u8))) as u8))
            }
            _ => Lanes::of(unsigned),
        }
    }

    /// A function of doubles.
    pub fn doubles(f: impl Fn(f64, f64, f64) -> f64 + Send + Sync + 'static) -> Lanes {
        Lanes::of(move |[x, y, z, _]| f(f64::from_bits(x), f64::from_bits(y), f64::from_bits(z)).to_bits())
    }

    /// A function of singles.
    pub fn singles(f: impl Fn(f32, f32, f32) -> f32 + Send + Sync + 'static) -> Lanes {
        Lanes::of(move |[x, y, z, _]| {
            let [x, y, z] = [x, y, z].map(|x| f32::from_bits(x as u32));
            u64::from(f(x, y, z).to_bits())
        })
    }

    /// Runs it.
    pub fn run(&self, args: [&Row; 4]) -> Row {
        (self.0)(args)
    }

    /// Runs it for one lane.
    #[cfg(test)]
    pub fn one(&self, args: &[u64]) -> u64 {
        let row = |i: usize| [args.get(i).copied().unwrap_or(0); LANES];
        self.run([&row(0), &row(1), &row(2), &row(3)])[7]
    }
}

/// A comparison of two registers: a bit a lane.
#[derive(Clone)]
pub struct Test(Arc<Bits>);

impl fmt::Debug for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Test")
    }
}

impl Test {
    /// A comparison of one lane, for all of them.
    pub fn of(f: impl Fn(u64, u64) -> bool + Send + Sync + 'static) -> Test {
        Test(Arc::new(move |x, y| (0..LANES).fold(0, |bits, l| bits | u32::from(f(x[l], y[l])) << l)))
    }

    /// Runs it.
    pub fn run(&self, x: &Row, y: &Row) -> u32 {
        (self.0)(x, y)
    }
}

/// Puts the lanes of `mask` of a result into a register.
pub fn put(to: &mut Row, from: &Row, mask: u32) {
    if mask == u32::MAX {
        *to = *from;
        return;
    }
    for l in 0..LANES {
        to[l] = if mask >> l & 1 == 1 { from[l] } else { to[l] };
    }
}

/// The lanes of a mask, ascending.
pub fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = (rest != 0).then(|| rest.trailing_zeros() as usize);
        rest &= rest.wrapping_sub(1);
        lane
    })
}
