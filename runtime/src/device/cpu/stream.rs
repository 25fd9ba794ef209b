//! Writes of results too large for the caches: streaming stores send full lines to memory without reading them
//! first, which saves a third of the traffic of a copy.

/// Results at least this large (bytes) are streamed: smaller ones may still be in the cache when they are read.
pub const LARGE: usize = 16 << 20;

/// Copies `from` to `out`, which are of one length.
#[cfg(target_arch = "x86_64")]
pub fn copy(from: &[u8], out: &mut [u8]) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128};
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
    // SAFETY: SSE is part of x86-64. Streaming stores are ordered by a fence only; threads that read the result
    // come after it.
    unsafe { _mm_sfence() };
}

/// Copies `from` to `out`, which are of one length.
#[cfg(not(target_arch = "x86_64"))]
pub fn copy(from: &[u8], out: &mut [u8]) {
    out.copy_from_slice(from);
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
}
