//! Writes of results too large for the caches: streaming stores send full lines to memory without reading them
//! first, which saves a third of the traffic of a copy.

use super::tile::Slot;

/// Results at least this large (bytes) are streamed: smaller ones may still be in the cache when they are read.
pub const LARGE: usize = 16 << 20;

/// Copies `from` to `out`, which are of one length. Other threads see it after this one's [`fence`].
#[cfg(target_arch = "x86_64")]
pub fn copy(from: &[u8], out: &mut [u8]) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
    assert_eq!(from.len(), out.len(), "a copy has the length of its source");
    // SAFETY: any sixteen bytes are a vector, and writing one leaves plain bytes.
    let (head, body, tail) = unsafe { out.align_to_mut::<__m128i>() };
    let (first, rest) = from.split_at(head.len());
    let (middle, last) = rest.split_at(size_of_val(body));
    head.copy_from_slice(first);
    tail.copy_from_slice(last);
    for (to, from) in body.iter_mut().zip(middle.as_chunks::<16>().0) {
        // SAFETY: SSE2 is part of x86-64; `from` is sixteen readable bytes, `to` an aligned vector of ours.
        unsafe { _mm_stream_si128(to, _mm_loadu_si128(from.as_ptr().cast())) };
    }
}

/// Puts streamed copies before all that comes after.
#[cfg(target_arch = "x86_64")]
pub fn fence() {
    // SAFETY: SSE is part of x86-64. Streaming stores are ordered by a fence only.
    unsafe { std::arch::x86_64::_mm_sfence() };
}

/// Copies `from` to `out`, which are of one length.
#[cfg(not(target_arch = "x86_64"))]
pub fn copy(from: &[u8], out: &mut [u8]) {
    out.copy_from_slice(from);
}

/// Nothing: copies are ordered by themselves.
#[cfg(not(target_arch = "x86_64"))]
pub fn fence() {}

/// Appends to a part of a result: whole cache lines are streamed, what is left waits for more.
pub struct Writer<'a> {
    out: &'a mut [u8],
    /// What waits, as far from the start of a line as it will lie in memory.
    lines: Slot,
    from: usize,
    to: usize,
}

impl<'a> Writer<'a> {
    /// A writer that fills `out`, which gets no more than `most` bytes at once.
    pub fn new(out: &'a mut [u8], most: usize) -> Writer<'a> {
        let from = out.as_ptr() as usize % 64;
        Writer { out, lines: Slot::new(most + 128, 1), from, to: from }
    }

    /// Where the next bytes go; [`Writer::push`] says how many came.
    pub fn room(&mut self) -> &mut [u8] {
        &mut self.lines.bytes_mut()[self.to..]
    }

    /// Takes the first `n` bytes of the room.
    pub fn push(&mut self, n: usize) {
        self.to += n;
        let whole = self.to & !63;
        if whole > self.from {
            self.write(whole);
            self.lines.bytes_mut().copy_within(whole..self.to, 0);
            (self.from, self.to) = (0, self.to - whole);
        }
    }

    /// Writes what waits. Other threads see it after this one's [`fence`].
    pub fn finish(mut self) {
        self.write(self.to);
    }

    fn write(&mut self, to: usize) {
        let (part, rest) = std::mem::take(&mut self.out).split_at_mut(to - self.from);
        copy(&self.lines.bytes()[self.from..to], part);
        self.out = rest;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn copies_every_alignment() {
        let from: Vec<u8> = (0..300u32).map(|i| i as u8).collect();
        for (start, len) in [(0, 300), (1, 0), (3, 5), (7, 64), (16, 200), (5, 290)] {
            let mut out = vec![0u8; 320];
            super::copy(&from[..len], &mut out[start..start + len]);
            assert_eq!(&out[start..start + len], &from[..len]);
            assert!(out[..start].iter().chain(&out[start + len..]).all(|&b| b == 0));
        }
    }

    #[test]
    fn a_writer_s_parts_lie_side_by_side() {
        let from: Vec<u8> = (0..3000u32).map(|i| (i * 7) as u8).collect();
        for start in [0, 1, 8, 63] {
            let mut out = vec![0u8; 3200];
            let mut writer = super::Writer::new(&mut out[start..start + from.len()], 300);
            let mut rest = &from[..];
            for n in [0, 1, 63, 64, 65, 300, 8, 300, 300].into_iter().cycle() {
                let n = rest.len().min(n);
                writer.room()[..n].copy_from_slice(&rest[..n]);
                writer.push(n);
                rest = &rest[n..];
                if rest.is_empty() {
                    break;
                }
            }
            writer.finish();
            super::fence();
            assert_eq!(&out[start..start + from.len()], &from[..]);
            assert!(out[..start].iter().chain(&out[start + from.len()..]).all(|&b| b == 0));
        }
    }
}
