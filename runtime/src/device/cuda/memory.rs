//! A device's memory: allocation in stream order from its pool, what is done where there is none left, and how
//! much there is.

use super::context::Context;
use super::driver;
use super::staging::{self, Source};
use crate::column::Elements;
use cudarc::driver::sys::{self, CUmemPool_attribute as Attribute, CUresult};
use q::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// True where vectors reserve no more than they need; else a power of two.
static TIGHT: AtomicBool = AtomicBool::new(false);

/// How vectors reserve memory from now on: exactly what they need, or the next power of two.
pub fn set_tight(tight: bool) {
    TIGHT.store(tight, Relaxed);
}

/// True if vectors reserve exactly what they need.
pub fn tight() -> bool {
    TIGHT.load(Relaxed)
}

/// What a vector of `bytes` reserves.
fn reserved(bytes: usize) -> usize {
    if tight() { bytes } else { bytes.checked_next_power_of_two().unwrap_or(bytes) }
}

/// Memory of a device, given back when it is dropped, after all work that was given to the device before.
#[derive(Debug)]
pub struct Memory {
    context: &'static Context,
    address: u64,
    bytes: usize,
}

impl Memory {
    /// Memory whose contents are not defined. Where the pool has none left, what it keeps for later goes back to
    /// the device, and it is asked once more; then copies of columns that the host has too make room.
    ///
    /// # Errors
    /// `wsfull`, which names the bytes that are wanted and those that are free; the driver's.
    pub fn new(context: &'static Context, bytes: usize) -> Result<Memory> {
        context.enter()?;
        let mut address = 0;
        // SAFETY: the stream and the pool are the context's; the address is written to a place that is there.
        // The driver refuses to allocate nothing.
        let mut allocate = || unsafe {
            sys::cuMemAllocFromPoolAsync(&mut address, bytes.max(1), context.pool(), context.stream())
        };
        let mut code = allocate();
        while code == CUresult::CUDA_ERROR_OUT_OF_MEMORY {
            // What was freed is there once the stream has come to it.
            context.sync()?;
            // SAFETY: the pool is the context's.
            context.check("cuMemPoolTrimTo", unsafe { sys::cuMemPoolTrimTo(context.pool(), 0) })?;
            code = allocate();
            if code != CUresult::CUDA_ERROR_OUT_OF_MEMORY {
                break;
            }
            let usage = Usage::of(context)?;
            let room = usage.free + usage.heap.saturating_sub(usage.used);
            if context.copies.evict(context.ordinal, (bytes as u64).saturating_sub(room)) {
                continue;
            }
            return Err(Error::new("wsfull").detail(format!(
                "device {} ({}): {bytes} bytes are wanted, and {} of {} are free",
                context.ordinal, context.gpu.name, usage.free, usage.physical
            )));
        }
        context.check("cuMemAllocFromPoolAsync", code)?;
        context.used.fetch_add(bytes as u64, Relaxed);
        Ok(Memory { context, address, bytes })
    }

    /// Where it begins; a multiple of 256.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// How many bytes it has.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Sets every byte.
    ///
    /// # Errors
    /// The driver's.
    pub fn fill(&self, byte: u8) -> Result<()> {
        self.context.enter()?;
        if self.bytes == 0 {
            return Ok(());
        }
        // SAFETY: the memory is alive and has that many bytes.
        let code = unsafe { sys::cuMemsetD8Async(self.address, byte, self.bytes, self.context.stream()) };
        self.context.check("cuMemsetD8Async", code)
    }

    /// Copies the first bytes from elsewhere on the device.
    ///
    /// # Errors
    /// The driver's.
    pub(super) fn copy(&self, from: u64, bytes: usize) -> Result<()> {
        debug_assert!(bytes <= self.bytes);
        self.context.enter()?;
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: both are alive until the stream has copied, since they are freed in its order.
        let code = unsafe { sys::cuMemcpyDtoDAsync_v2(self.address, from, bytes, self.context.stream()) };
        self.context.check("cuMemcpyDtoDAsync", code)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.context.used.fetch_sub(self.bytes as u64, Relaxed);
        if self.context.enter().is_ok() {
            // SAFETY: the memory is alive and not used by anything that is given to the stream later. An error
            // is met again by the next call.
            let code = unsafe { sys::cuMemFreeAsync(self.address, self.context.stream()) };
            let _ = self.context.check("cuMemFreeAsync", code);
        }
    }
}

/// A part of a device's memory that a vector's elements lie in. It keeps the whole alive.
#[derive(Clone, Debug)]
pub struct View {
    memory: Arc<Memory>,
    offset: usize,
}

impl View {
    /// The memory from its first byte.
    pub fn new(memory: Arc<Memory>) -> View {
        View { memory, offset: 0 }
    }

    /// A copy of a column's elements on a device, which the device makes on its own time; none of a general list.
    ///
    /// # Errors
    /// As [`Memory::new`].
    pub fn upload(context: &'static Context, elements: &Elements) -> Result<Option<View>> {
        let Some(source) = Source::elements(elements) else { return Ok(None) };
        let memory = Memory::new(context, reserved(source.len()))?;
        staging::upload(context, memory.address, source)?;
        Ok(Some(View::new(Arc::new(memory))))
    }

    /// The part that begins `bytes` later.
    pub fn from(&self, bytes: usize) -> View {
        View { memory: self.memory.clone(), offset: self.offset + bytes }
    }

    /// Where it begins.
    pub fn address(&self) -> u64 {
        self.memory.address + self.offset as u64
    }

    /// The device's index.
    pub fn ordinal(&self) -> usize {
        self.memory.context.ordinal
    }

    /// The device.
    pub(crate) fn context(&self) -> &'static Context {
        self.memory.context
    }

    /// The whole that it is part of.
    pub(super) fn into_memory(self) -> Arc<Memory> {
        self.memory
    }

    /// The same bytes where a kernel may read sixteen at once: these, or a copy.
    ///
    /// # Errors
    /// As [`Memory::new`].
    pub fn aligned(&self, bytes: usize) -> Result<View> {
        if self.offset.is_multiple_of(16) { Ok(self.clone()) } else { self.copied(bytes) }
    }

    /// The first `bytes`, in memory that is no larger than a vector of them reserves.
    ///
    /// # Errors
    /// As [`Memory::new`].
    pub fn fitted(&self, bytes: usize) -> Result<View> {
        if self.memory.bytes <= reserved(bytes) { Ok(self.clone()) } else { self.copied(bytes) }
    }

    fn copied(&self, bytes: usize) -> Result<View> {
        let memory = Memory::new(self.memory.context, reserved(bytes))?;
        memory.copy(self.address(), bytes)?;
        Ok(View::new(Arc::new(memory)))
    }

    /// Copies the first `out.len()` bytes to the host, after all work so far.
    ///
    /// # Errors
    /// Those of the work.
    pub fn read(&self, out: &mut [u8]) -> Result<()> {
        staging::download(self.memory.context, self.address(), out)
    }
}

/// How much memory a device has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Usage {
    /// Bytes that vectors and running queries reserve.
    pub used: u64,
    /// Bytes that the pool has from the device.
    pub heap: u64,
    /// The most that it ever had.
    pub peak: u64,
    /// Bytes of the device.
    pub physical: u64,
    /// Bytes that nobody has.
    pub free: u64,
}

impl Usage {
    /// What a device says now.
    ///
    /// # Errors
    /// The driver's.
    pub fn of(context: &Context) -> Result<Usage> {
        context.enter()?;
        let (mut free, mut physical) = (0, 0);
        // SAFETY: the context is current; two numbers are written.
        let code = unsafe { sys::cuMemGetInfo_v2(&mut free, &mut physical) };
        context.check("cuMemGetInfo", code)?;
        Ok(Usage {
            used: context.used.load(Relaxed),
            heap: context.pool_attribute(Attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)?,
            peak: context.pool_attribute(Attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH)?,
            physical: physical as u64,
            free: free as u64,
        })
    }
}

/// Host memory that the device reads and writes by itself.
#[derive(Debug)]
pub(super) struct Pinned {
    start: *mut u8,
    bytes: usize,
}

// SAFETY: it is plain memory, which nobody else has.
unsafe impl Send for Pinned {}

impl Pinned {
    /// Pinned memory, kept for as long as the process; none where the system gives none.
    pub fn new(bytes: usize) -> Option<Pinned> {
        let mut start = std::ptr::null_mut();
        // SAFETY: a context is current; the address is written to a place that is there.
        let code = unsafe { sys::cuMemHostAlloc(&mut start, bytes, sys::CU_MEMHOSTALLOC_PORTABLE) };
        driver::ok(code).ok()?;
        Some(Pinned { start: start.cast(), bytes })
    }

    /// Where it begins.
    pub fn start(&self) -> *mut u8 {
        self.start
    }

    /// Its first bytes, which the device does not write at present.
    pub fn bytes(&self, len: usize) -> &[u8] {
        assert!(len <= self.bytes, "no more than there is");
        // SAFETY: it was allocated with as many bytes, and a copy from the device has written them.
        unsafe { std::slice::from_raw_parts(self.start, len) }
    }
}
