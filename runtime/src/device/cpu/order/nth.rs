//! The item at a place of a sorted list, and the one before it, without a sort: numbers are parted about a pivot again
//! and again, by vectors of them where the processor has such.

use q::Buf;

/// Numbers below which parting gains nothing.
const FEW: usize = 48;
/// How many numbers are looked at for a pivot.
const SAMPLE: usize = 15;
/// So many partings have no reason but bad pivots.
const TURNS: usize = 40;

/// Room for numbers and for what is left of them.
#[derive(Default)]
pub struct Room {
    /// The numbers, and both parts of them. Vectors are written whole, so there is room for one more.
    parts: [Buf<u64>; 3],
}

impl Room {
    /// Room for `n` numbers, for writing.
    pub fn numbers(&mut self, n: usize) -> &mut [u64] {
        let room = n + wide::LANES;
        self.parts.iter_mut().filter(|part| part.len() < room).for_each(|part| *part = Buf::stale(room));
        &mut self.parts[0].make_mut()[..n]
    }

    /// The numbers before place `k` and at it, if the `n` are sorted; 0 before the first. `k` is below `n`, and the
    /// numbers are lost.
    pub fn pair(&mut self, mut n: usize, mut k: usize) -> [u64; 2] {
        let [numbers, low, high] = &mut self.parts;
        let mut before = 0;
        for _ in 0..TURNS {
            if n < FEW || !wide::has() {
                break;
            }
            let pivot = pivot(&numbers[..n], k);
            let mut parted = wide::part(&numbers[..n], pivot, low.make_mut(), high.make_mut());
            if parted.0 == 0 {
                // The pivot is the least number, of which all go now.
                let Some(next) = pivot.checked_add(1) else { break };
                parted = wide::part(&numbers[..n], next, low.make_mut(), high.make_mut());
            }
            let (below, greatest) = parted;
            if k < below {
                std::mem::swap(numbers, low);
                n = below;
            } else {
                std::mem::swap(numbers, high);
                (n, k, before) = (n - below, k - below, greatest);
            }
        }
        let (left, &mut at, _) = numbers.make_mut()[..n].select_nth_unstable(k);
        [left.iter().copied().max().unwrap_or(before), at]
    }
}

/// A number that about `k` of all are below.
fn pivot(numbers: &[u64], k: usize) -> u64 {
    let n = numbers.len();
    let mut some: [u64; SAMPLE] = std::array::from_fn(|i| numbers[(2 * i + 1) * n / (2 * SAMPLE)]);
    some.sort_unstable();
    some[k * SAMPLE / n]
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;

    /// Numbers of a vector.
    pub const LANES: usize = 8;

    /// True if the processor has such vectors.
    #[inline(always)]
    pub fn has() -> bool {
        is_x86_feature_detected!("avx512f")
    }

    /// Writes the numbers below the pivot to `low` and the others to `high`, which both have room for all of them and a
    /// vector more; how many are below, and the greatest of those.
    pub fn part(numbers: &[u64], pivot: u64, low: &mut [u64], high: &mut [u64]) -> (usize, u64) {
        assert!(has() && low.len().min(high.len()) >= numbers.len() + LANES, "each part has room for all");
        // SAFETY: the processor has the instructions, and the parts have the room.
        unsafe { cut(numbers, pivot, low, high) }
    }

    /// # Safety
    /// `low` and `high` are longer than `numbers` by a vector.
    #[target_feature(enable = "avx512f,popcnt")]
    unsafe fn cut(numbers: &[u64], pivot: u64, low: &mut [u64], high: &mut [u64]) -> (usize, u64) {
        let (vectors, rest) = numbers.as_chunks::<LANES>();
        let (mut below, mut above) = (0, 0);
        let mut most = _mm512_setzero_si512();
        let limit = _mm512_set1_epi64(pivot as i64);
        for vector in vectors {
            // SAFETY: a vector has eight numbers; no more than all before it were written to either part.
            unsafe {
                let x = _mm512_loadu_si512(vector.as_ptr().cast());
                let less = _mm512_cmplt_epu64_mask(x, limit);
                most = _mm512_mask_max_epu64(most, less, most, x);
                _mm512_storeu_si512(low.as_mut_ptr().add(below).cast(), _mm512_maskz_compress_epi64(less, x));
                _mm512_storeu_si512(
                    high.as_mut_ptr().add(above).cast(),
                    _mm512_maskz_compress_epi64(!less, x),
                );
                let n = less.count_ones() as usize;
                (below, above) = (below + n, above + LANES - n);
            }
        }
        let mut most = _mm512_reduce_max_epu64(most);
        for &x in rest {
            if x < pivot {
                low[below] = x;
                (below, most) = (below + 1, most.max(x));
            } else {
                high[above] = x;
                above += 1;
            }
        }
        (below, most)
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod wide {
    /// No vectors.
    pub const LANES: usize = 0;

    /// Other processors select number by number.
    pub fn has() -> bool {
        false
    }

    /// Never called: see [`has`].
    pub fn part(_: &[u64], _: u64, _: &mut [u64], _: &mut [u64]) -> (usize, u64) {
        (0, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cpu::tests::Random;

    #[test]
    fn any_place_of_any_numbers() {
        let mut random = Random(3);
        let mut room = Room::default();
        for n in [1, 2, 47, 48, 49, 100, 1000, 5000] {
            for kind in 0..6 {
                let x: Vec<u64> = (0..n as u64)
                    .map(|i| match kind {
                        0 => random.word(),
                        1 => i,
                        2 => n as u64 - i,
                        3 => random.below(3),
                        4 => u64::MAX - random.below(2),
                        _ => 7,
                    })
                    .collect();
                for k in [0, 1, n / 3, n / 2, n - 1] {
                    let k = k.min(n - 1);
                    room.numbers(n).copy_from_slice(&x);
                    let got = room.pair(n, k);
                    let mut sorted = x.clone();
                    sorted.sort_unstable();
                    let before = k.checked_sub(1).map_or(0, |k| sorted[k]);
                    assert_eq!(got, [before, sorted[k]], "{k} of {n}, kind {kind}");
                }
            }
        }
    }
}
