//! The one vector type: shared, copy-on-write, sliceable in O(1), and fed by pools, files or foreign owners.
//!
//! `Buf<T>` serves the interpreter's values and the runtime's columns alike, so nothing is copied between
//! them. Our own blocks are 64-byte aligned; code that reads a `Buf` may assume only the element's alignment,
//! and must never read past the length. Blocks of a megabyte and more come from anonymous mappings that ask
//! for huge pages and go back to a pool when freed, because touching fresh 4 KB pages costs more than most
//! queries.
#![allow(unsafe_code)]

use crate::memory::Held;
use bytemuck::{Pod, Zeroable};
use memmap2::MmapMut;
use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Bound, Deref, RangeBounds};
use std::ptr::NonNull;
use std::sync::{Arc, Mutex};

/// Blocks at least this large (bytes) are mapped, pooled and ask for huge pages.
const LARGE: usize = 1 << 20;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);
// SAFETY: `Line` is 64 plain bytes without padding; every bit pattern is valid.
unsafe impl Zeroable for Line {}
// SAFETY: as above.
unsafe impl Pod for Line {}

/// Who keeps the bytes alive.
enum Owner {
    /// A small block of our own.
    Small(Box<[Line]>),
    /// A large block of our own, returned to the pool on drop.
    Large(Option<MmapMut>),
    /// Somebody else's memory: a mapped file, pinned memory, a borrowed K object, a `Vec`.
    Foreign(#[allow(dead_code)] Box<dyn Any + Send + Sync>),
}

impl Drop for Owner {
    fn drop(&mut self) {
        if let Owner::Large(map) = self
            && let Some(map) = map.take()
        {
            pool::put(map);
        }
    }
}

/// Freed large blocks by size, so that a query's outputs land on pages that were touched before.
mod pool {
    use super::*;

    static FREE: Mutex<Vec<MmapMut>> = Mutex::new(Vec::new());
    /// Bytes the pool may hold; past that, blocks go back to the system.
    const KEEP: usize = 4 << 30;

    /// Capacity classes are powers of two and their midpoints, so at most a third of a block is slack.
    pub fn class(bytes: usize) -> usize {
        let up = bytes.next_power_of_two();
        if bytes <= up / 4 * 3 { up / 4 * 3 } else { up }
    }

    pub fn get(bytes: usize) -> MmapMut {
        let want = class(bytes);
        let mut free = FREE.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(i) = free.iter().position(|m| m.len() == want) {
            return free.swap_remove(i);
        }
        drop(free);
        let map = MmapMut::map_anon(want).unwrap_or_else(|_| crate::memory::full());
        #[cfg(target_os = "linux")]
        let _advice_is_optional = map.advise(memmap2::Advice::HugePage);
        map
    }

    pub fn put(map: MmapMut) {
        let mut free = FREE.lock().unwrap_or_else(|e| e.into_inner());
        let held: usize = free.iter().map(|m| m.len()).sum();
        if held + map.len() <= KEEP {
            free.push(map);
        }
    }

    pub fn trim() {
        FREE.lock().unwrap_or_else(|e| e.into_inner()).clear();
    }
}

/// Gives the pool's free blocks back to the operating system (q's `.Q.gc`).
pub fn trim_pool() {
    pool::trim();
}

/// A shared, copy-on-write vector of plain elements.
pub struct Buf<T> {
    ptr: NonNull<T>,
    len: usize,
    /// None only for a vector without a block (length and capacity zero).
    owner: Option<Arc<(Owner, Held)>>,
    marker: PhantomData<T>,
}

// SAFETY: the bytes are only written through `&mut Buf` by a unique owner, and `T: Pod` elements are
// themselves `Send + Sync` plain data (see the bounds on every constructor).
unsafe impl<T: Pod + Send> Send for Buf<T> {}
// SAFETY: as above; shared access is read-only.
unsafe impl<T: Pod + Sync> Sync for Buf<T> {}

impl<T> Clone for Buf<T> {
    fn clone(&self) -> Self {
        Buf { ptr: self.ptr, len: self.len, owner: self.owner.clone(), marker: PhantomData }
    }
}

impl<T> Default for Buf<T> {
    fn default() -> Self {
        Buf { ptr: NonNull::dangling(), len: 0, owner: None, marker: PhantomData }
    }
}

impl<T: Pod> Deref for Buf<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        // SAFETY: `ptr..ptr+len` lies inside the owner's initialised block, which lives as long as `self`.
        unsafe { std::slice::from_raw_parts(self.ptr.as_ptr(), self.len) }
    }
}

impl<T: Pod> Buf<T> {
    /// The empty vector; allocates nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// A vector of `len` elements with unspecified (but initialised) contents, for outputs that are
    /// written in full before they are read.
    pub fn stale(len: usize) -> Self {
        let mut buf = Self::with_capacity(len);
        buf.len = len;
        buf
    }

    /// `len` elements of zero bytes.
    pub fn zeroed(len: usize) -> Self {
        Self::filled(len, T::zeroed())
    }

    /// `len` copies of `value`.
    pub fn filled(len: usize, value: T) -> Self {
        let mut buf = Self::stale(len);
        buf.make_mut().fill(value);
        buf
    }

    /// The empty vector with room for `cap` elements.
    pub fn with_capacity(cap: usize) -> Self {
        assert!(align_of::<T>() <= 64, "element alignment is at most a cache line");
        let bytes = cap.saturating_mul(size_of::<T>());
        if bytes == 0 {
            return Self::default();
        }
        crate::memory::count(bytes);
        let mut owner = if bytes >= LARGE {
            Owner::Large(Some(pool::get(bytes)))
        } else {
            Owner::Small(vec![Line([0; 64]); bytes.div_ceil(64)].into_boxed_slice())
        };
        let ptr = match &mut owner {
            Owner::Small(lines) => lines.as_mut_ptr().cast::<T>(),
            Owner::Large(Some(map)) => map.as_mut_ptr().cast::<T>(),
            _ => unreachable!("the owner was made just above"),
        };
        let ptr = NonNull::new(ptr).expect("an allocation is not null");
        Buf { ptr, len: 0, owner: Some(Arc::new((owner, Held::new(bytes)))), marker: PhantomData }
    }

    /// A copy of `items`.
    pub fn from_slice(items: &[T]) -> Self {
        let mut buf = Self::stale(items.len());
        buf.make_mut().copy_from_slice(items);
        buf
    }

    /// A view of memory that `owner` keeps alive; never written in place.
    ///
    /// # Safety
    /// `ptr` must be aligned for `T` and point to `len` initialised elements that nobody writes while
    /// `owner` lives.
    pub unsafe fn foreign(ptr: *const T, len: usize, owner: Box<dyn Any + Send + Sync>) -> Self {
        match NonNull::new(ptr.cast_mut()) {
            Some(ptr) if len > 0 => Buf {
                ptr,
                len,
                owner: Some(Arc::new((Owner::Foreign(owner), Held::default()))),
                marker: PhantomData,
            },
            _ => Self::default(),
        }
    }

    /// The elements in `range`, sharing this vector's memory.
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Self {
        let start = match range.start_bound() {
            Bound::Included(&s) => s,
            Bound::Excluded(&s) => s + 1,
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&e) => e + 1,
            Bound::Excluded(&e) => e,
            Bound::Unbounded => self.len,
        };
        let part = &self[start..end];
        let ptr = NonNull::new(part.as_ptr().cast_mut()).expect("a slice's pointer is not null");
        Buf { ptr, len: part.len(), owner: self.owner.clone(), marker: PhantomData }
    }

    /// How many elements fit from this vector's start to the end of its block, if the block is ours and
    /// nobody else holds it.
    fn room(&mut self) -> Option<usize> {
        let start = self.ptr.as_ptr() as usize;
        let owner = self.owner.as_ref()?;
        // Nobody makes weak references, so this is `Arc::get_mut` without its lock, which every push would
        // take. The fence sees what the holders that are gone wrote.
        if Arc::strong_count(owner) != 1 {
            return None;
        }
        std::sync::atomic::fence(std::sync::atomic::Ordering::Acquire);
        let (base, bytes) = match &owner.0 {
            Owner::Small(lines) => (lines.as_ptr() as usize, lines.len() * 64),
            Owner::Large(Some(map)) => (map.as_ptr() as usize, map.len()),
            _ => return None,
        };
        Some((base + bytes - start) / size_of::<T>())
    }

    /// True if a write needs no copy.
    pub fn is_unique(&mut self) -> bool {
        self.len == 0 || self.room().is_some()
    }

    /// The elements for writing; copies first if anyone else can see them.
    pub fn make_mut(&mut self) -> &mut [T] {
        if self.len == 0 {
            return &mut [];
        }
        if self.room().is_none() {
            let mut own = Self::with_capacity(self.len);
            // SAFETY: the new block has room for `len` elements and does not overlap the old one.
            unsafe { std::ptr::copy_nonoverlapping(self.ptr.as_ptr(), own.ptr.as_ptr(), self.len) };
            own.len = self.len;
            *self = own;
        }
        // SAFETY: `room` said that the block is ours alone, so no other reference sees these elements.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.as_ptr(), self.len) }
    }

    /// Makes room for `more` elements after the last, so that appending them needs no memory; amortised, as for
    /// `Vec`. Unwinds with the vector as it was.
    pub fn reserve(&mut self, more: usize) {
        let need = self.len + more;
        if self.room().is_some_and(|room| room >= need) {
            return;
        }
        let mut own = Self::with_capacity(need.max(self.len * 2).max(8));
        // SAFETY: the new block has room for `len` elements and does not overlap the old one.
        unsafe { std::ptr::copy_nonoverlapping(self.ptr.as_ptr(), own.ptr.as_ptr(), self.len) };
        own.len = self.len;
        *self = own;
    }

    /// Appends one element; in place when this is the only holder of the block.
    pub fn push(&mut self, value: T) {
        self.extend_from_slice(&[value]);
    }

    /// Appends `items`; in place when this is the only holder of the block.
    pub fn extend_from_slice(&mut self, items: &[T]) {
        if items.is_empty() {
            return;
        }
        self.reserve(items.len());
        // SAFETY: `reserve` left a block that is ours alone with room past `len`; `items` is a live borrow,
        // so it cannot lie in that block's tail.
        unsafe {
            std::ptr::copy_nonoverlapping(items.as_ptr(), self.ptr.as_ptr().add(self.len), items.len());
        }
        self.len += items.len();
    }

    /// The same memory as elements of another plain type; the bytes must be whole, aligned elements, as they
    /// always are in a block of our own.
    pub fn cast<U: Pod>(self) -> Buf<U> {
        let bytes = self.len * size_of::<T>();
        let ptr = if bytes > 0 { self.ptr.cast() } else { NonNull::<U>::dangling() };
        assert!(
            ptr.is_aligned() && bytes.is_multiple_of(size_of::<U>()),
            "the bytes are whole, aligned elements"
        );
        Buf { ptr, len: bytes / size_of::<U>(), owner: self.owner, marker: PhantomData }
    }

    /// Keeps the first `len` elements.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}

impl<T: Pod + Send + Sync> From<Vec<T>> for Buf<T> {
    /// Takes over a `Vec`'s memory without a copy.
    fn from(items: Vec<T>) -> Self {
        let (ptr, len) = (items.as_ptr(), items.len());
        let held = Held::new(items.capacity() * size_of::<T>());
        // SAFETY: moving a `Vec` into a box does not move its elements, and nobody can reach it any more.
        unsafe { Buf::foreign(ptr, len, Box::new((items, held))) }
    }
}

impl<T: Pod + Send + Sync> FromIterator<T> for Buf<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
        let iter = iter.into_iter();
        crate::memory::count(iter.size_hint().0.saturating_mul(size_of::<T>()));
        iter.collect::<Vec<T>>().into()
    }
}

impl<T: Pod + PartialEq> PartialEq for Buf<T> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T: Pod + fmt::Debug> fmt::Debug for Buf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_share_and_writes_copy() {
        let mut a: Buf<i64> = (0..10).collect();
        let b = a.slice(2..5);
        assert_eq!(&b[..], &[2, 3, 4]);
        a.make_mut()[2] = 99;
        assert_eq!(b[0], 2);
        assert_eq!(a[2], 99);
    }

    #[test]
    fn push_is_in_place_when_unique() {
        let mut a = Buf::<i64>::new();
        for i in 0..1000 {
            a.push(i);
        }
        let at = a.as_ptr();
        a.truncate(500);
        a.push(1);
        assert_eq!(a.as_ptr(), at);
        let b = a.clone();
        a.push(2);
        assert_eq!((a.len(), b.len()), (502, 501));
    }

    #[test]
    fn large_blocks_come_back_aligned() {
        let a = Buf::<f64>::zeroed(1 << 20);
        assert_eq!(a.as_ptr() as usize % 64, 0);
        assert!(a.iter().all(|&x| x == 0.0));
    }
}
