//! The one vector type: shared, copy-on-write, sliceable in O(1), and fed by pools, files or foreign owners.
//!
//! `Buf<T>` serves the interpreter's values and the runtime's columns alike, so nothing is copied between
//! them. Our own blocks are 64-byte aligned; code that reads a `Buf` may assume only the element's alignment,
//! and must never read past the length. Blocks of a megabyte and more are parts of anonymous mappings that ask
//! for huge pages and go back to a pool when freed, because touching fresh pages costs more than most queries.
#![allow(unsafe_code)]

use crate::memory::Held;
use bytemuck::{Pod, Zeroable};
use memmap2::MmapMut;
use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Bound, Deref, RangeBounds};
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
    Large(Option<pool::Block>),
    /// Somebody else's memory: a mapped file, pinned memory, a borrowed K object, a `Vec`.
    Foreign(#[allow(dead_code)] Box<dyn Any + Send + Sync>),
}

impl Drop for Owner {
    fn drop(&mut self) {
        if let Owner::Large(block) = self
            && let Some(block) = block.take()
        {
            pool::POOL.put(block);
        }
    }
}

/// The free parts of large mappings, so that a query's outputs land on pages that were touched before, whatever the
/// sizes of those that are gone.
mod pool {
    use super::*;

    /// Free parts by their addresses. Neighbours of one mapping are one part.
    pub struct Pool(Mutex<BTreeMap<usize, Block>>);

    /// The one that all vectors share.
    pub static POOL: Pool = Pool::new();

    /// Bytes that the pool may hold; past that, memory goes back to the system.
    const KEEP: usize = 4 << 30;
    /// Blocks are whole pieces of so many bytes, which keeps the parts few.
    const PIECE: usize = 64 << 10;
    /// Mappings are whole huge pages.
    const HUGE: usize = 2 << 20;
    /// A part so many times as large as a block is not broken for it, since small blocks may live long.
    const LARGER: usize = 256;

    /// Bytes of a mapping that nobody else uses.
    pub struct Block {
        map: Arc<MmapMut>,
        from: usize,
        len: usize,
    }

    impl Block {
        pub fn as_ptr(&self) -> *mut u8 {
            // A part of a mapping begins in it, so the address does not wrap.
            self.map.as_ptr().cast_mut().wrapping_add(self.from)
        }

        pub fn len(&self) -> usize {
            self.len
        }

        fn at(&self) -> usize {
            self.as_ptr() as usize
        }

        /// Whether the block is its whole mapping.
        pub fn whole(&self) -> bool {
            self.len == self.map.len()
        }

        /// Does `next` begin where this one ends, in the same mapping?
        fn meets(&self, next: &Block) -> bool {
            Arc::ptr_eq(&self.map, &next.map) && self.from + self.len == next.from
        }

        /// Gives the pages back to the system, and leaves the addresses.
        fn cool(&self) {
            #[cfg(target_os = "linux")]
            {
                let advice = memmap2::UncheckedAdvice::DontNeed;
                // SAFETY: the block is free, so no reference sees its bytes become zeros.
                let _advice_is_optional =
                    unsafe { self.map.unchecked_advise_range(advice, self.from, self.len) };
            }
        }
    }

    impl Pool {
        pub const fn new() -> Pool {
            Pool(Mutex::new(BTreeMap::new()))
        }

        /// A block of at least so many bytes: of the smallest free part that has them, or of a new mapping.
        pub fn get(&self, bytes: usize) -> Block {
            let want = bytes.next_multiple_of(PIECE);
            let mut free = self.free();
            let fits = free.iter().filter(|(_, b)| b.len >= want && b.len / LARGER <= want);
            let best = fits.min_by_key(|(_, b)| b.len).map(|(&at, _)| at);
            let mut block = best.and_then(|at| free.remove(&at)).unwrap_or_else(|| mapping(want));
            if block.len > want {
                let rest = Block { map: block.map.clone(), from: block.from + want, len: block.len - want };
                free.insert(rest.at(), rest);
                block.len = want;
            }
            block
        }

        /// Takes a block back.
        pub fn put(&self, mut block: Block) {
            let mut free = self.free();
            let full = free.values().map(|b| b.len).sum::<usize>() + block.len > KEEP;
            if full {
                block.cool();
            }
            let before = free.range(..block.at()).next_back().filter(|(_, b)| b.meets(&block));
            if let Some(before) = before.map(|(&at, _)| at).and_then(|at| free.remove(&at)) {
                block = Block { len: before.len + block.len, ..before };
            }
            let end = block.at() + block.len;
            if free.get(&end).is_some_and(|next| block.meets(next)) {
                block.len += free.remove(&end).map_or(0, |next| next.len);
            }
            if !(full && block.whole()) {
                free.insert(block.at(), block);
            }
        }

        /// Gives all free memory back to the system.
        pub fn trim(&self) {
            let mut free = self.free();
            free.retain(|_, b| !b.whole());
            free.values().for_each(Block::cool);
        }

        /// The free parts, in the order of their addresses.
        pub fn free(&self) -> MutexGuard<'_, BTreeMap<usize, Block>> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }

    /// A mapping of its own.
    fn mapping(bytes: usize) -> Block {
        let len = bytes.next_multiple_of(HUGE);
        let map = MmapMut::map_anon(len).unwrap_or_else(|_| crate::memory::full());
        #[cfg(target_os = "linux")]
        let _advice_is_optional = map.advise(memmap2::Advice::HugePage);
        Block { map: Arc::new(map), from: 0, len }
    }
}

/// Bytes that the pool has for blocks to come.
pub fn pooled() -> usize {
    pool::POOL.free().values().map(|b| b.len()).sum()
}

/// Gives the pool's free blocks back to the operating system (q's `.Q.gc`).
pub fn trim_pool() {
    pool::POOL.trim();
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
            Owner::Large(Some(pool::POOL.get(bytes)))
        } else {
            Owner::Small(vec![Line([0; 64]); bytes.div_ceil(64)].into_boxed_slice())
        };
        let ptr = match &mut owner {
            Owner::Small(lines) => lines.as_mut_ptr().cast::<T>(),
            Owner::Large(Some(block)) => block.as_ptr().cast::<T>(),
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
            Owner::Large(Some(block)) => (block.as_ptr() as usize, block.len()),
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
    fn blocks_of_the_pool_never_meet_and_join_again() {
        let pool = pool::Pool::new();
        let mut held = vec![];
        for step in 0..2000usize {
            let random = step.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
            if held.len() < 20 && random % 2 == 0 {
                let bytes = LARGE + random % (6 * LARGE);
                let block = pool.get(bytes);
                assert!(block.len() >= bytes && (block.as_ptr() as usize).is_multiple_of(64));
                let ends =
                    [block.as_ptr(), block.as_ptr().wrapping_add(block.len() - 8)].map(|p| p.cast::<usize>());
                // SAFETY: both places lie in the block, which is ours alone.
                ends.iter().for_each(|p| unsafe { p.write(step) });
                held.push((block, ends, step));
            } else if !held.is_empty() {
                let (block, ends, step) = held.swap_remove(random % held.len());
                // SAFETY: as above.
                ends.iter().for_each(|p| assert_eq!(unsafe { p.read() }, step));
                pool.put(block);
            }
        }
        held.into_iter().for_each(|(block, ..)| pool.put(block));
        let mappings = pool.free().len();
        assert!(pool.free().values().all(|b| b.whole()), "what is all free is in one part a mapping");
        // A block that fits takes no other mapping; a small one breaks no large part.
        let large = pool.free().values().map(|b| b.len()).max().expect("there is one");
        let (block, rest) = (pool.get(large / 2), pool.get(large / 4));
        assert!(pool.free().values().filter(|b| !b.whole()).count() <= 2);
        [block, rest].into_iter().for_each(|b| pool.put(b));
        assert_eq!(pool.free().len(), mappings);
        pool.trim();
        assert!(pool.free().is_empty());
    }

    #[test]
    fn large_blocks_come_back_aligned() {
        let a = Buf::<f64>::zeroed(1 << 20);
        assert_eq!(a.as_ptr() as usize % 64, 0);
        assert!(a.iter().all(|&x| x == 0.0));
    }
}
