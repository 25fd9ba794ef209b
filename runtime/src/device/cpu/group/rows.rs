//! Adds a block of rows to their groups' words: a vector of parts to a vector of words each, where the processor has
//! such vectors.

use super::word::{BLOCK, Column, Rule};

/// Words that are added in one step.
pub const STEP: usize = 8;

/// A cache line of words.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u64; STEP]);

/// The parts of a block's rows, those of a row side by side.
pub struct Parts(Box<[Line; BLOCK]>);

impl Parts {
    /// Room for a block's.
    pub fn new() -> Parts {
        Parts(Box::new([Line([0; STEP]); BLOCK]))
    }
}

/// Adds the columns' rows to `W` words of each row's group: those that begin at `at` of its `stride` words. `slots` are
/// the groups.
pub fn add(
    slots: &[u32],
    columns: &[Column],
    rules: &[Rule],
    parts: &mut Parts,
    (words, stride, at): (&mut [u64], usize, usize),
) {
    let slots = &slots[..slots.len().min(BLOCK)];
    match columns.len() {
        2 => add_as::<2>(slots, columns, rules, parts, (words, stride, at)),
        4 => add_as::<4>(slots, columns, rules, parts, (words, stride, at)),
        STEP => add_as::<STEP>(slots, columns, rules, parts, (words, stride, at)),
        _ => plain(slots, columns, rules, (words, stride, at)),
    }
}

fn add_as<const W: usize>(
    slots: &[u32],
    columns: &[Column],
    rules: &[Rule],
    parts: &mut Parts,
    (words, stride, at): (&mut [u64], usize, usize),
) {
    let (Some(columns), Some(rules)) = (columns.first_chunk::<W>(), rules.first_chunk::<W>()) else { return };
    if wide::has() {
        wide::interleave(columns, slots.len(), parts);
        wide::add(slots, parts, rules, (words, stride, at));
    } else {
        plain(slots, columns, rules, (words, stride, at));
    }
}

/// As [`add`], word by word.
fn plain(slots: &[u32], columns: &[Column], rules: &[Rule], (words, stride, at): (&mut [u64], usize, usize)) {
    for (i, &slot) in slots.iter().enumerate().take(BLOCK) {
        let at = slot as usize * stride + at;
        let Some(words) = words.get_mut(at..at + columns.len()) else { continue };
        for ((word, column), rule) in words.iter_mut().zip(columns).zip(rules) {
            rule.join(word, column[i]);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{BLOCK, Column, Parts, Rule, STEP};
    use std::arch::x86_64::*;

    /// True if the processor has vectors of eight words, and parts of them.
    #[inline(always)]
    pub fn has() -> bool {
        is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl")
    }

    /// Puts the parts of each of the first `rows` rows side by side, of some more rows too.
    pub fn interleave<const W: usize>(columns: &[Column; W], rows: usize, out: &mut Parts) {
        // SAFETY: `has` saw the instructions.
        unsafe { shuffle(columns, rows.min(BLOCK), out) }
    }

    #[target_feature(enable = "avx512f")]
    fn shuffle<const W: usize>(columns: &[Column; W], rows: usize, out: &mut Parts) {
        const { assert!(W <= STEP && W.is_power_of_two() && BLOCK.is_multiple_of(STEP)) };
        let low = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
        let high = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
        let out = out.0.as_mut_ptr().cast::<__m512i>();
        for i in (0..rows).step_by(STEP) {
            // SAFETY: `i + STEP` is at most a block, so eight elements are there.
            let mut v: [__m512i; W] =
                std::array::from_fn(|k| unsafe { _mm512_loadu_si512(columns[k].as_ptr().add(i).cast()) });
            // Each turn interleaves the first half of the vectors with the second one.
            for _ in 0..W.trailing_zeros() {
                let from = v;
                for k in 0..W / 2 {
                    v[2 * k] = _mm512_permutex2var_epi64(from[k], low, from[k + W / 2]);
                    v[2 * k + 1] = _mm512_permutex2var_epi64(from[k], high, from[k + W / 2]);
                }
            }
            for (k, v) in v.into_iter().enumerate() {
                // SAFETY: `W` vectors for eight rows, each row with at most a line, lie in the block of lines.
                unsafe { _mm512_store_si512(out.add(i / STEP * W + k), v) };
            }
        }
    }

    /// Adds interleaved parts to `W` words of each row's group.
    pub fn add<const W: usize>(
        slots: &[u32],
        parts: &Parts,
        rules: &[Rule; W],
        (words, stride, at): (&mut [u64], usize, usize),
    ) {
        let mask = |rule| (0..W).fold(0, |mask, k| mask | u8::from(rules[k] == rule) << k);
        let masks = [Rule::Long, Rule::Float, Rule::Most].map(mask);
        // SAFETY: `has` saw the instructions.
        unsafe { join::<W>(slots, parts, masks, (words, stride, at)) }
    }

    #[target_feature(enable = "avx512f,avx512vl")]
    fn join<const W: usize>(
        slots: &[u32],
        parts: &Parts,
        [long, float, most]: [u8; 3],
        (words, stride, at): (&mut [u64], usize, usize),
    ) {
        let parts = parts.0.as_ptr().cast::<u64>();
        let last = words.len().wrapping_sub(W);
        for (i, &slot) in slots.iter().enumerate().take(BLOCK) {
            let at = slot as usize * stride + at;
            if at > last || words.len() < W {
                continue;
            }
            // SAFETY: `W` words from `at` on were just checked to lie in the table; the parts of a block's row are `W`
            // words of the block of lines.
            unsafe {
                let (to, from) = (words.as_mut_ptr().add(at), parts.add(i * W));
                match W {
                    2 => {
                        let (to, from) = (to.cast::<__m128i>(), from.cast::<__m128i>());
                        let (w, x) = (_mm_loadu_si128(to), _mm_loadu_si128(from));
                        let sum = _mm_mask_add_epi64(w, long, w, x);
                        let (f, wf, xf) = (_mm_castsi128_pd(sum), _mm_castsi128_pd(w), _mm_castsi128_pd(x));
                        let sum = _mm_castpd_si128(_mm_mask_add_pd(f, float, wf, xf));
                        _mm_storeu_si128(to, _mm_mask_max_epu64(sum, most, w, x));
                    }
                    4 => {
                        let (to, from) = (to.cast::<__m256i>(), from.cast::<__m256i>());
                        let (w, x) = (_mm256_loadu_si256(to), _mm256_loadu_si256(from));
                        let sum = _mm256_mask_add_epi64(w, long, w, x);
                        let (f, wf, xf) =
                            (_mm256_castsi256_pd(sum), _mm256_castsi256_pd(w), _mm256_castsi256_pd(x));
                        let sum = _mm256_castpd_si256(_mm256_mask_add_pd(f, float, wf, xf));
                        _mm256_storeu_si256(to, _mm256_mask_max_epu64(sum, most, w, x));
                    }
                    _ => {
                        let (to, from) = (to.cast::<__m512i>(), from.cast::<__m512i>());
                        let (w, x) = (_mm512_loadu_si512(to), _mm512_loadu_si512(from));
                        let sum = _mm512_mask_add_epi64(w, long, w, x);
                        let (f, wf, xf) =
                            (_mm512_castsi512_pd(sum), _mm512_castsi512_pd(w), _mm512_castsi512_pd(x));
                        let sum = _mm512_castpd_si512(_mm512_mask_add_pd(f, float, wf, xf));
                        _mm512_storeu_si512(to, _mm512_mask_max_epu64(sum, most, w, x));
                    }
                }
            }
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod wide {
    use super::{Column, Parts, Rule};

    /// Other processors go word by word.
    pub fn has() -> bool {
        false
    }

    /// Never called: see [`has`].
    pub fn interleave<const W: usize>(_: &[Column; W], _: usize, _: &mut Parts) {}

    /// Never called: see [`has`].
    pub fn add<const W: usize>(_: &[u32], _: &Parts, _: &[Rule; W], _: (&mut [u64], usize, usize)) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_and_words_give_the_same_bits() {
        use Rule::{Float, Keep, Long, Most};
        let mut seed = 5u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            seed ^ seed >> 29
        };
        let rules = [Float, Long, Most, Keep, Float, Most, Long, Long];
        for (width, stride, at) in [(1, 1, 0), (2, 2, 0), (4, 4, 0), (8, 8, 0), (8, 24, 16)] {
            for rows in [0, 1, 7, 8, 9, BLOCK] {
                let columns: Vec<Column> = (0..width)
                    .map(|k| {
                        std::array::from_fn(|_| match rules[k] {
                            Float => (random() as i64 as f64 / 7.0).to_bits(),
                            _ => random(),
                        })
                    })
                    .collect();
                // Neighbours share groups, and one slot lies outside.
                let slots: Vec<u32> =
                    (0..rows).map(|_| (random() % 4) as u32 * (random() % 3) as u32).collect();
                let start: Vec<u64> = (0..6 * stride).map(|_| (random() as i64 as f64).to_bits()).collect();
                let (mut got, mut want) = (start.clone(), start);
                add(&slots, &columns, &rules[..width], &mut Parts::new(), (&mut got, stride, at));
                plain(&slots, &columns, &rules[..width], (&mut want, stride, at));
                assert_eq!(got, want, "{width} words of {stride}, {rows} rows");
            }
        }
    }
}
