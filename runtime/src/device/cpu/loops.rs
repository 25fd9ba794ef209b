//! The loops over a tile's lines, each compiled for x86-64-v4, for x86-64-v3 and for any machine, and chosen by
//! what the processor has. The element functions are inlined into them and vectorised by the compiler.

use super::tile::{LINE, Line, Src};
use multiversion::multiversion;

/// `out = f(x)`.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt+fma",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt+fma"
))]
pub fn map1<A: Copy, R>(f: impl Fn(A) -> R, x: Src<A>, out: &mut [Line<R>]) {
    for (i, o) in out.iter_mut().enumerate() {
        let x = x.line(i);
        for k in 0..LINE {
            o[k] = f(x[k]);
        }
    }
}

/// `out = f(x, y)`.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt+fma",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt+fma"
))]
pub fn map2<A: Copy, B: Copy, R>(f: impl Fn(A, B) -> R, x: Src<A>, y: Src<B>, out: &mut [Line<R>]) {
    for (i, o) in out.iter_mut().enumerate() {
        let (x, y) = (x.line(i), y.line(i));
        for k in 0..LINE {
            o[k] = f(x[k], y[k]);
        }
    }
}

/// `out = f(x, y, z)`.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt+fma",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt+fma"
))]
pub fn map3<A: Copy, B: Copy, C: Copy, R>(
    f: impl Fn(A, B, C) -> R,
    x: Src<A>,
    y: Src<B>,
    z: Src<C>,
    out: &mut [Line<R>],
) {
    for (i, o) in out.iter_mut().enumerate() {
        let (x, y, z) = (x.line(i), y.line(i), z.line(i));
        for k in 0..LINE {
            o[k] = f(x[k], y[k], z[k]);
        }
    }
}

/// `out[i] = f(x[i])`, where both have elements.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt+fma",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt+fma"
))]
pub fn fill1<A: Copy, R>(f: impl Fn(A) -> R, x: &[A], out: &mut [R]) {
    for (o, &x) in out.iter_mut().zip(x) {
        *o = f(x);
    }
}

/// `out[i] = f(x[i], y[i])`, where all have elements.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt+fma",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt+fma"
))]
pub fn fill2<A: Copy, B: Copy, R>(f: impl Fn(A, B) -> R, x: &[A], y: &[B], out: &mut [R]) {
    for ((o, &x), &y) in out.iter_mut().zip(x).zip(y) {
        *o = f(x, y);
    }
}

/// A bit for each element that is not 0, lowest first; elements are 0 or 1.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt+fma",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt+fma"
))]
pub fn bits(mask: Src<u8>, out: &mut [u64]) {
    for (i, o) in out.iter_mut().enumerate() {
        // Multiplying eight 0/1 bytes by this constant gathers them in the top byte, the first one lowest.
        let gather = |b: &[u8; 8]| (u64::from_le_bytes(*b).wrapping_mul(0x0102_0408_1020_4080)) >> 56;
        let (bytes, _) = mask.line(i).as_chunks::<8>();
        *o = bytes.iter().enumerate().fold(0, |acc, (k, b)| acc | gather(b) << (8 * k));
    }
}

/// A byte, 0 or 1, for each bit, the lowest first.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt+fma",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt+fma"
))]
pub fn unpack(bits: &[u64], out: &mut [Line<u8>]) {
    for (out, bits) in out.iter_mut().zip(bits) {
        for (k, out) in out.iter_mut().enumerate() {
            *out = (bits >> k & 1) as u8;
        }
    }
}

/// `out = f(out, x)`.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt+fma",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt+fma"
))]
pub fn add<A: Copy>(f: impl Fn(A, A) -> A, x: Src<A>, out: &mut [Line<A>]) {
    for (i, o) in out.iter_mut().enumerate() {
        let x = x.line(i);
        for k in 0..LINE {
            o[k] = f(o[k], x[k]);
        }
    }
}

/// Adds to each of `counts` how many of `x` are its number.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt+fma",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt+fma"
))]
pub fn tally(x: &[u8], counts: &mut [u64]) {
    let (lines, rest) = x.as_chunks::<LINE>();
    let (blocks, lines) = lines.as_chunks::<8>();
    for (number, count) in (0u8..).zip(counts) {
        // A lane counts up to 255.
        for blocks in blocks.chunks(31) {
            let mut lanes = [0u8; LINE];
            for block in blocks {
                for k in 0..LINE {
                    lanes[k] += (0..8).map(|i| (block[i][k] == number) as u8).sum::<u8>();
                }
            }
            *count += lanes.iter().map(|&n| n as u64).sum::<u64>();
        }
        *count += lines.as_flattened().iter().chain(rest).filter(|x| **x == number).count() as u64;
    }
}

/// The least and greatest of the elements whose bits are on; the greatest and least number if none is.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+lzcnt+popcnt+fma",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt+fma"
))]
pub fn range(x: &[Line<u64>], bits: &[u64]) -> (u64, u64) {
    let (mut low, mut high) = (u64::MAX, 0);
    for (x, &word) in x.iter().zip(bits) {
        for (k, &x) in x.iter().enumerate() {
            let on = (word >> k & 1).wrapping_neg();
            low = low.min(x | !on);
            high = high.max(x & on);
        }
    }
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cpu::tests::Random;
    use crate::device::cpu::tile::{At, Frame, Slot, TILE};

    #[test]
    fn every_number_is_tallied() {
        let x: Vec<u8> = (0..40_000u32).map(|i| (i.wrapping_mul(2654435761) >> 24) as u8 % 41).collect();
        for n in [0, 1, 63, 64, 1000, 40_000] {
            let (mut counts, mut want) = ([5u64; 17], [5u64; 17]);
            tally(&x[..n], &mut counts);
            x[..n].iter().filter(|x| **x < 17).for_each(|&x| want[x as usize] += 1);
            assert_eq!(counts, want, "{n}");
        }
        let mut counts = [0; 3];
        tally(&[1; 70_000], &mut counts);
        assert_eq!(counts, [0, 70_000, 0]);
    }

    #[test]
    fn bits_are_in_row_order() {
        let mut frame = Frame::new(&[1], &[], &[], &[], &[]);
        frame.seek(0, TILE);
        let mut slot = Slot::new(TILE, 1);
        let mut random = Random(7);
        let wanted: Vec<u64> = (0..TILE / LINE).map(|_| random.word()).collect();
        for (line, word) in slot.lines_mut::<u8>().iter_mut().zip(&wanted) {
            for (k, b) in line.iter_mut().enumerate() {
                *b = (word >> k & 1) as u8;
            }
        }
        frame.put(0, slot);
        let mut got = vec![0; wanted.len()];
        bits(frame.src(At::Slot(0)), &mut got);
        assert_eq!(got, wanted);
    }
}
