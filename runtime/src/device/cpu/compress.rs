//! The rows that pass a filter, as bits and as places; and the elements at them, side by side and in order.

use super::loops;
use super::prefetch;
use super::tile::{LINE, Line, Src};
use bytemuck::Pod;

/// Lines with fewer elements that pass are gone through bit by bit.
const FEW: usize = 5;

/// A bit for each byte of the mask, whose bytes are 0 or 1, the lowest first.
pub fn bits(mask: Src<u8>, out: &mut [u64]) {
    if wide::has::<u8>() { wide::bits(mask, out) } else { loops::bits(mask, out) }
}

/// Writes the elements whose bits are on to the front of `out`, which has room for them all, and returns how many
/// there are. Elements of `out` after them may be overwritten too.
pub fn compress<T: Pod>(bits: &[u64], x: Src<T>, out: &mut [T]) -> usize {
    let wide = wide::has::<T>();
    let mut done = 0;
    for (i, &word) in bits.iter().enumerate() {
        let n = word.count_ones() as usize;
        match n {
            0 => continue,
            LINE => out[done..done + LINE].copy_from_slice(x.line(i)),
            FEW.. if wide && done + LINE <= out.len() => {
                if let Some(out) = out[done..].first_chunk_mut::<LINE>() {
                    wide::line(word, x.line(i), out);
                }
            }
            _ => {
                let (mut left, line) = (word, x.line(i));
                for out in &mut out[done..done + n] {
                    *out = line[left.trailing_zeros() as usize];
                    left &= left - 1;
                }
            }
        }
        done += n;
    }
    done
}

/// The places of the bits that are on, into `out`.
pub fn list(bits: &[u64], out: &mut Vec<u32>) {
    out.clear();
    for (i, &word) in bits.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            out.push((i * LINE) as u32 + left.trailing_zeros());
            left &= left - 1;
        }
    }
}

/// Writes the elements of `x` at the places to `out`, which has as many.
pub fn gather<T: Pod>(places: &[u32], x: &[T], out: &mut [T]) {
    for (i, (out, &place)) in out.iter_mut().zip(places).enumerate() {
        if let Some(&next) = places.get(i + AHEAD) {
            prefetch::line(&x[next as usize], 0);
        }
        *out = x[place as usize];
    }
}

/// How many places ahead elements are asked for.
const AHEAD: usize = 32;

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{LINE, Line, Pod, Src};
    use std::arch::x86_64::*;

    /// True if the processor compresses vectors of elements as wide as `T`.
    #[inline(always)]
    pub fn has<T>() -> bool {
        matches!(size_of::<T>(), 1 | 2 | 4 | 8)
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi2")
    }

    /// A bit for each byte that is not 0.
    pub fn bits(mask: Src<u8>, out: &mut [u64]) {
        // SAFETY: `has` saw the instructions.
        unsafe { tests(mask, out) }
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    fn tests(mask: Src<u8>, out: &mut [u64]) {
        for (i, out) in out.iter_mut().enumerate() {
            // SAFETY: a line has the 64 bytes that are read.
            let line = unsafe { _mm512_loadu_epi8(mask.line(i).as_ptr().cast()) };
            *out = _mm512_test_epi8_mask(line, line);
        }
    }

    /// The elements of a line whose bits are on, at the front of `out`.
    #[inline(always)]
    pub fn line<T: Pod>(bits: u64, x: &Line<T>, out: &mut Line<T>) {
        let (x, out) = (x.as_ptr(), out.as_mut_ptr());
        // SAFETY: `has` saw the instructions; each function reads 64 elements of its width, which `x` has, and writes
        // no further than 64 elements from the start of `out`.
        unsafe {
            match size_of::<T>() {
                1 => bytes(bits, x.cast(), out.cast()),
                2 => halves(bits, x.cast(), out.cast()),
                4 => words(bits, x.cast(), out.cast()),
                _ => doubles(bits, x.cast(), out.cast()),
            }
        }
    }

    /// # Safety
    /// `x` has 64 elements to read and `out` 64 to write.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
    unsafe fn bytes(bits: u64, x: *const i8, out: *mut i8) {
        // SAFETY: the caller's promise.
        unsafe { _mm512_storeu_epi8(out, _mm512_maskz_compress_epi8(bits, _mm512_loadu_epi8(x))) }
    }

    /// # Safety
    /// As for [`bytes`].
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
    unsafe fn halves(bits: u64, x: *const i16, out: *mut i16) {
        let mut done = 0;
        for i in 0..LINE / 32 {
            let mask = (bits >> (32 * i)) as u32;
            // SAFETY: `done` is at most 32 for each vector before, so 32 more elements lie in the line.
            unsafe {
                let x = _mm512_loadu_epi16(x.add(32 * i));
                _mm512_storeu_epi16(out.add(done), _mm512_maskz_compress_epi16(mask, x));
            }
            done += mask.count_ones() as usize;
        }
    }

    /// # Safety
    /// As for [`bytes`].
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
    unsafe fn words(bits: u64, x: *const i32, out: *mut i32) {
        let mut done = 0;
        for i in 0..LINE / 16 {
            let mask = (bits >> (16 * i)) as u16;
            // SAFETY: as above, with 16 elements.
            unsafe {
                let x = _mm512_loadu_epi32(x.add(16 * i));
                _mm512_storeu_epi32(out.add(done), _mm512_maskz_compress_epi32(mask, x));
            }
            done += mask.count_ones() as usize;
        }
    }

    /// # Safety
    /// As for [`bytes`].
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
    unsafe fn doubles(bits: u64, x: *const i64, out: *mut i64) {
        let mut done = 0;
        for i in 0..LINE / 8 {
            let mask = (bits >> (8 * i)) as u8;
            // SAFETY: as above, with 8 elements.
            unsafe {
                let x = _mm512_loadu_epi64(x.add(8 * i));
                _mm512_storeu_epi64(out.add(done), _mm512_maskz_compress_epi64(mask, x));
            }
            done += mask.count_ones() as usize;
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod wide {
    use super::{Line, Pod, Src};

    /// Other processors go bit by bit.
    pub fn has<T>() -> bool {
        false
    }

    /// Never called: see [`has`].
    pub fn bits(_: Src<u8>, _: &mut [u64]) {}

    /// Never called: see [`has`].
    pub fn line<T: Pod>(_: u64, _: &Line<T>, _: &mut Line<T>) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cpu::tests::Random;
    use crate::device::cpu::tile::LINES;
    use q::value::Guid;

    fn check<T: Pod + PartialEq + std::fmt::Debug>(make: impl Fn(u64) -> T) {
        let mut random = Random(11);
        let mut lines = vec![[make(0); LINE]; LINES];
        lines.as_flattened_mut().iter_mut().for_each(|x| *x = make(random.word()));
        for round in 0..200 {
            // Words with no bit, one, few, many and all.
            let mut word = || match random.below(6) {
                0 => 0,
                1 => 1 << random.below(64),
                2 => random.word() & random.word() & random.word(),
                3 => random.word(),
                4 => random.word() | random.word() | random.word(),
                _ => !0,
            };
            let bits: Vec<u64> = (0..LINES).map(|_| word()).collect();
            let on = |i: &usize| bits[i / LINE] >> (i % LINE) & 1 == 1;
            let want: Vec<T> = (0..LINES * LINE).filter(on).map(|i| lines[i / LINE][i % LINE]).collect();
            // Room for just those elements, or for more.
            let mut out = vec![make(7); want.len() + round % 3 * 100];
            assert_eq!(compress(&bits, Src::vector(&lines), &mut out), want.len());
            assert_eq!(out[..want.len()], want);
            let (mut places, mut out) = (vec![3], vec![make(7); want.len()]);
            list(&bits, &mut places);
            gather(&places, lines.as_flattened(), &mut out);
            assert_eq!(out, want);
        }
    }

    #[test]
    fn elements_of_every_width_keep_their_order() {
        check(|x| x as u8);
        check(|x| x as u16);
        check(|x| x as u32);
        check(|x| x);
        check(|x| Guid([x as u8; 16]));
    }
}
