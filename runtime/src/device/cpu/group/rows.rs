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

/// Some words of groups, one to [`STEP`]: the first of them, how many a group has in all, and all groups'.
pub type Words<'a> = (usize, usize, &'a mut [u64]);

/// Adds the columns' rows to as many words of each row's group. `slots` are the groups. Words about a pivot are in one step.
pub fn add(slots: &[u32], columns: &[&Column], rules: &[Rule], parts: &mut Parts, words: Words) {
    let slots = &slots[..slots.len().min(BLOCK)];
    match columns.len() {
        2 => add_as::<2>(slots, columns, rules, parts, words),
        4 => add_as::<4>(slots, columns, rules, parts, words),
        STEP => add_as::<STEP>(slots, columns, rules, parts, words),
        _ => plain(slots, columns, rules, words),
    }
}

fn add_as<const W: usize>(
    slots: &[u32],
    columns: &[&Column],
    rules: &[Rule],
    parts: &mut Parts,
    words: Words,
) {
    match (columns.first_chunk::<W>(), rules.first_chunk::<W>()) {
        (Some(columns), Some(rules)) if wide::has() => {
            wide::interleave(columns, slots.len(), parts);
            wide::add(slots, parts, rules, words);
        }
        _ => plain(slots, columns, rules, words),
    }
}

/// As [`add`], word by word.
fn plain(slots: &[u32], columns: &[&Column], rules: &[Rule], (first, stride, words): Words) {
    for (i, &slot) in slots.iter().enumerate() {
        let at = slot as usize * stride + first;
        let Some(words) = words.get_mut(at..at + columns.len()) else { continue };
        let part = |k: usize| f64::from_bits(columns[k][i]);
        for (k, &rule) in rules.iter().enumerate().take(columns.len()) {
            let word = f64::from_bits(words[k]);
            match rule {
                Rule::Pivot if word.is_nan() => words[k] = columns[k][i],
                Rule::Distance { .. } if part(k).is_nan() => {}
                Rule::Distance { pivot, by } => {
                    let d = part(k) - f64::from_bits(words[k - pivot]);
                    let times = by.map_or(1.0, |by| {
                        let Rule::Distance { pivot, .. } = rules[k - by] else { return 1.0 };
                        part(k - by) - f64::from_bits(words[k - by - pivot])
                    });
                    words[k] = (word + d * times).to_bits();
                }
                rule => rule.join(&mut words[k], columns[k][i]),
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{BLOCK, Column, Parts, Rule, STEP, Words};
    use std::arch::x86_64::*;

    /// True if the processor has vectors of eight words, and parts of them.
    #[inline(always)]
    pub fn has() -> bool {
        is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl")
    }

    /// Puts the parts of each of the first `rows` rows side by side, of some more rows too.
    pub fn interleave<const W: usize>(columns: &[&Column; W], rows: usize, out: &mut Parts) {
        // SAFETY: `has` saw the instructions.
        unsafe { shuffle(columns, rows.min(BLOCK), out) }
    }

    #[target_feature(enable = "avx512f")]
    fn shuffle<const W: usize>(columns: &[&Column; W], rows: usize, out: &mut Parts) {
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

    /// What is done to which words of a step.
    struct Masks {
        long: u8,
        float: u8,
        most: u8,
        pivot: u8,
        distance: u8,
        product: u8,
        /// Of each distance: its pivot, and the distance that it is multiplied by.
        pivots: [i64; STEP],
        by: [i64; STEP],
    }

    impl Masks {
        fn of(rules: &[Rule]) -> Masks {
            let mask = |is: fn(Rule) -> bool| {
                rules.iter().enumerate().fold(0, |mask, (k, &rule)| mask | u8::from(is(rule)) << k)
            };
            let mut masks = Masks {
                long: mask(|rule| rule == Rule::Long),
                float: mask(|rule| rule == Rule::Float),
                most: mask(|rule| rule == Rule::Most),
                pivot: mask(|rule| rule == Rule::Pivot),
                distance: mask(|rule| matches!(rule, Rule::Distance { .. })),
                product: mask(|rule| matches!(rule, Rule::Distance { by: Some(_), .. })),
                pivots: [0; STEP],
                by: [0; STEP],
            };
            for (k, rule) in rules.iter().enumerate() {
                if let &Rule::Distance { pivot, by } = rule {
                    (masks.pivots[k], masks.by[k]) = ((k - pivot) as i64, (k - by.unwrap_or(0)) as i64);
                }
            }
            masks
        }
    }

    /// Adds interleaved parts to `W` words of each row's group.
    pub fn add<const W: usize>(slots: &[u32], parts: &Parts, rules: &[Rule; W], words: Words) {
        let masks = Masks::of(rules);
        // SAFETY: `has` saw the instructions.
        match masks.pivot {
            0 => unsafe { join::<W, false>(slots, parts, &masks, words) },
            _ => unsafe { join::<W, true>(slots, parts, &masks, words) },
        }
    }

    #[target_feature(enable = "avx512f,avx512vl")]
    fn join<const W: usize, const PIVOTS: bool>(
        slots: &[u32],
        parts: &Parts,
        masks: &Masks,
        (first, stride, words): Words,
    ) {
        const { assert!(W == 2 || W == 4 || W == STEP) };
        let &Masks { long, float, most, .. } = masks;
        let parts = parts.0.as_ptr().cast::<u64>();
        for (i, &slot) in slots.iter().enumerate().take(BLOCK) {
            let at = slot as usize * stride + first;
            let Some(words) = words.get_mut(at..at.wrapping_add(W)) else { continue };
            // SAFETY: the slice has `W` words, and the parts of a block's row are `W` words of the block of lines.
            unsafe {
                let (to, from) = (words.as_mut_ptr(), parts.add(i * W));
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
                        let (mut w, x) = (_mm256_loadu_si256(to), _mm256_loadu_si256(from));
                        let xf = _mm256_castsi256_pd(x);
                        let (mut add, mut part) = (float, xf);
                        if PIVOTS {
                            let wf = _mm256_castsi256_pd(w);
                            let new = _mm256_mask_cmp_pd_mask::<_CMP_UNORD_Q>(masks.pivot, wf, wf);
                            w = _mm256_mask_mov_epi64(w, new, x);
                            let [pivots, by] =
                                [&masks.pivots, &masks.by].map(|p| _mm256_loadu_epi64(p.as_ptr()));
                            let pivot = _mm256_castsi256_pd(_mm256_permutexvar_epi64(pivots, w));
                            let d = _mm256_sub_pd(xf, pivot);
                            let d = _mm256_mask_mul_pd(d, masks.product, d, _mm256_permutexvar_pd(by, d));
                            part = _mm256_mask_mov_pd(xf, masks.distance, d);
                            add |= _mm256_mask_cmp_pd_mask::<_CMP_ORD_Q>(masks.distance, xf, xf);
                        }
                        let sum = _mm256_castsi256_pd(_mm256_mask_add_epi64(w, long, w, x));
                        let sum = _mm256_mask_add_pd(sum, add, _mm256_castsi256_pd(w), part);
                        _mm256_storeu_si256(to, _mm256_mask_max_epu64(_mm256_castpd_si256(sum), most, w, x));
                    }
                    _ => {
                        let (to, from) = (to.cast::<__m512i>(), from.cast::<__m512i>());
                        let (mut w, x) = (_mm512_loadu_si512(to), _mm512_loadu_si512(from));
                        let xf = _mm512_castsi512_pd(x);
                        let (mut add, mut part) = (float, xf);
                        if PIVOTS {
                            let wf = _mm512_castsi512_pd(w);
                            let new = _mm512_mask_cmp_pd_mask::<_CMP_UNORD_Q>(masks.pivot, wf, wf);
                            w = _mm512_mask_mov_epi64(w, new, x);
                            let [pivots, by] =
                                [&masks.pivots, &masks.by].map(|p| _mm512_loadu_epi64(p.as_ptr()));
                            let pivot = _mm512_castsi512_pd(_mm512_permutexvar_epi64(pivots, w));
                            let d = _mm512_sub_pd(xf, pivot);
                            let d = _mm512_mask_mul_pd(d, masks.product, d, _mm512_permutexvar_pd(by, d));
                            part = _mm512_mask_mov_pd(xf, masks.distance, d);
                            add |= _mm512_mask_cmp_pd_mask::<_CMP_ORD_Q>(masks.distance, xf, xf);
                        }
                        let sum = _mm512_castsi512_pd(_mm512_mask_add_epi64(w, long, w, x));
                        let sum = _mm512_mask_add_pd(sum, add, _mm512_castsi512_pd(w), part);
                        _mm512_storeu_si512(to, _mm512_mask_max_epu64(_mm512_castpd_si512(sum), most, w, x));
                    }
                }
            }
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod wide {
    use super::{Column, Parts, Rule, Words};

    /// Other processors go word by word.
    pub fn has() -> bool {
        false
    }

    /// Never called: see [`has`].
    pub fn interleave<const W: usize>(_: &[&Column; W], _: usize, _: &mut Parts) {}

    /// Never called: see [`has`].
    pub fn add<const W: usize>(_: &[u32], _: &Parts, _: &[Rule; W], _: Words) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cpu::tests::Random;

    #[test]
    fn vectors_and_words_give_the_same_bits() {
        use Rule::{Distance, Float, Keep, Long, Most, Pivot};
        let mut random = Random(5);
        let distance = |pivot, by| Distance { pivot, by };
        let plain_rules = [Float, Long, Most, Keep, Float, Most, Long, Long];
        let square = [Long, Pivot, distance(1, None), distance(2, Some(1))];
        let about =
            [Most, Pivot, Pivot, distance(1, None), distance(3, None), distance(3, Some(1)), Float, Long];
        for (rules, stride, first) in [
            (&plain_rules[..1], 1, 0),
            (&plain_rules[..2], 2, 0),
            (&plain_rules[..4], 4, 0),
            (&plain_rules, 8, 0),
            (&plain_rules, 24, 16),
            (&square, 4, 0),
            (&about, 16, 8),
        ] {
            for rows in [0, 1, 7, 8, 9, BLOCK] {
                let long = |k: usize| matches!(rules[k], Long | Most | Keep);
                let mut word = |k: usize| match random.below(8) {
                    0 if !long(k) => f64::NAN.to_bits(),
                    _ if long(k) => random.word(),
                    _ => (random.word() as i64 as f64 / 7.0).to_bits(),
                };
                let columns: Vec<Column> =
                    (0..rules.len()).map(|k| std::array::from_fn(|_| word(k))).collect();
                let columns: Vec<&Column> = columns.iter().collect();
                let start: Vec<u64> = (0..6 * stride).map(|i| word(i % stride % rules.len())).collect();
                // Neighbours share groups, and one slot lies outside.
                let slots: Vec<u32> =
                    (0..rows).map(|_| random.below(4) as u32 * random.below(3) as u32).collect();
                let (mut got, mut want) = (start.clone(), start);
                add(&slots, &columns, rules, &mut Parts::new(), (first, stride, &mut got));
                plain(&slots, &columns, rules, (first, stride, &mut want));
                // Which of two nulls a sum is depends on the order of its terms.
                let bits = |words: &[u64]| {
                    let is_null = |word: &u64| f64::from_bits(*word).is_nan();
                    words.iter().map(|word| if is_null(word) { 0 } else { *word }).collect::<Vec<_>>()
                };
                assert_eq!(bits(&got), bits(&want), "{rules:?}, {rows} rows");
            }
        }
    }
}
