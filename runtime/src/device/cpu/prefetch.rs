//! Asking for memory before it is read.

/// Asks for the cache lines that lie `ahead` bytes after `line`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn line<T>(line: &T, ahead: usize) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    let start = std::ptr::from_ref(line).cast::<i8>().wrapping_add(ahead);
    for at in (0..size_of::<T>()).step_by(64) {
        // SAFETY: SSE is part of x86-64, and a prefetch reads nothing: any address will do.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(at)) };
    }
}

/// Asks for the cache line at an address.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn place<T>(at: *const T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: SSE is part of x86-64, and a prefetch reads nothing: any address will do.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
}

/// Asks for nothing where the processor is not known.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub fn place<T>(_at: *const T) {}

/// Asks for nothing where the processor is not known.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub fn line<T>(_line: &T, _ahead: usize) {}
