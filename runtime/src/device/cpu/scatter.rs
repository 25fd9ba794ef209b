//! Writes from several threads to places of one array that never meet.

use super::prefetch;
use bytemuck::Pod;
use std::marker::PhantomData;

/// How many places ahead memory is asked for.
pub const AHEAD: usize = 24;

/// An array whose elements several threads write, each its own.
#[derive(Clone, Copy)]
pub struct Sink<'a, T> {
    start: *mut T,
    len: usize,
    array: PhantomData<&'a mut [T]>,
}

// SAFETY: a sink only writes plain elements, and its users write each place once, from one thread.
unsafe impl<T: Pod + Send> Send for Sink<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Pod + Send> Sync for Sink<'_, T> {}

impl<'a, T: Pod> Sink<'a, T> {
    /// A sink that fills `array`.
    pub fn new(array: &'a mut [T]) -> Sink<'a, T> {
        Sink { start: array.as_mut_ptr(), len: array.len(), array: PhantomData }
    }

    /// The same memory as elements of another plain type.
    pub fn cast<U: Pod>(&self) -> Sink<'a, U> {
        let start = self.start.cast::<U>();
        assert!(start.is_aligned(), "our own blocks are aligned for every element");
        Sink { start, len: self.len * size_of::<T>() / size_of::<U>(), array: PhantomData }
    }

    /// Writes `item` at `place`. No two calls may name one place.
    #[inline(always)]
    pub fn put(&self, place: usize, item: T) {
        assert!(place < self.len, "a place lies in the array");
        // SAFETY: the place was just checked; the array outlives `'a`, and nobody else reads or writes this
        // element until the sink is gone.
        unsafe { self.start.add(place).write(item) };
    }

    /// The `len` places from `from` on, for writing. No two parts may overlap, nor have a place that `put` writes.
    #[allow(clippy::mut_from_ref)]
    pub fn part(&self, from: usize, len: usize) -> &'a mut [T] {
        assert!(from <= self.len && len <= self.len - from, "a part lies in the array");
        // SAFETY: the part was just checked; the array outlives `'a`, and nobody else reads or writes these elements
        // until the sink and its parts are gone.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(from), len) }
    }

    /// Asks for the memory of `place`: a processor waits for the line that it writes to, one after the other, if they are
    /// not near by then.
    #[inline(always)]
    pub fn ask(&self, place: usize) {
        prefetch::place(self.start.wrapping_add(place));
    }

    /// Writes `items[i]` at `places[i]`. No two calls may name one place.
    pub fn scatter(&self, places: &[u32], items: &[T]) {
        for (i, (&place, &item)) in places.iter().zip(items).enumerate() {
            if let Some(&next) = places.get(i + AHEAD) {
                self.ask(next as usize);
            }
            self.put(place as usize, item);
        }
    }
}
