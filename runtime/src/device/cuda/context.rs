//! A device in use: its context, its stream and its memory pool; and which device a host thread has chosen.
//!
//! Everything that this engine gives a device goes into one stream, in order: uploads, launches, downloads and the
//! freeing of memory. So nothing here waits for anything but where the host needs bytes.

use super::copies::Copies;
use super::driver::{self, Gpu, driver};
use super::event::Event;
use super::module::Module;
use super::staging::Staging;
use crate::cache::Modules;
use cudarc::driver::sys::{
    self, CUcontext, CUmemPool_attribute as Attribute, CUmemoryPool, CUresult, CUstream,
};
use q::{Error, Result};
use std::any::Any;
use std::cell::Cell;
use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Bytes that a pool keeps for later where nothing else is said.
pub const THRESHOLD: u64 = 4 << 30;
/// Modules that a device keeps loaded.
const MODULES: NonZeroUsize = NonZeroUsize::new(256).expect("not zero");

/// A device in use. There is one for each device of a process, and it is never taken down.
pub struct Context {
    /// Its index among the devices.
    pub ordinal: usize,
    /// What the driver says about it.
    pub gpu: &'static Gpu,
    /// The modules that are loaded.
    pub modules: Modules<Module>,
    /// Bytes that live memory takes.
    pub(super) used: AtomicU64,
    /// Pinned memory that copies go through.
    pub(super) staging: Staging,
    /// Columns that have copies here.
    pub(crate) copies: Copies,
    raw: CUcontext,
    stream: CUstream,
    pool: CUmemoryPool,
    /// What the stream still reads, with the mark after which it does not.
    held: Mutex<VecDeque<(Event, Box<dyn Any + Send>)>>,
    /// What ended it.
    lost: OnceLock<String>,
}

// SAFETY: the driver's handles may be used from any thread that has made the context current, which `enter` does.
unsafe impl Send for Context {}
// SAFETY: as above; the driver locks for itself.
unsafe impl Sync for Context {}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "device {}", self.ordinal)
    }
}

/// An error of this engine: a machine's fault, not a query's.
pub fn fault(what: impl Into<String>) -> Error {
    Error::new("cuda").detail(what)
}

thread_local! {
    /// The device that this thread has chosen.
    static CHOSEN: Cell<usize> = const { Cell::new(0) };
}

/// The index of this thread's device.
pub fn chosen() -> usize {
    CHOSEN.get()
}

/// Makes a device this thread's; its index must be below the count.
pub fn choose(ordinal: usize) {
    CHOSEN.set(ordinal);
}

impl Context {
    /// This thread's device.
    ///
    /// # Errors
    /// As [`Context::of`].
    pub fn current() -> Result<&'static Context> {
        Context::of(chosen())
    }

    /// The device with an index.
    ///
    /// # Errors
    /// Where there is no driver, no such device, or it cannot be used.
    pub fn of(ordinal: usize) -> Result<&'static Context> {
        static ALL: Mutex<Vec<Option<&'static Context>>> = Mutex::new(Vec::new());
        let driver = driver().map_err(fault)?;
        let Some(gpu) = driver.gpus.get(ordinal) else {
            return Err(fault(format!("there is no device {ordinal}: the driver has {}", driver.gpus.len())));
        };
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.resize(driver.gpus.len(), None);
        match all[ordinal] {
            Some(context) => Ok(context),
            None => {
                let context: &'static Context = Box::leak(Box::new(Context::open(ordinal, gpu)?));
                all[ordinal] = Some(context);
                Ok(context)
            }
        }
    }

    fn open(ordinal: usize, gpu: &'static Gpu) -> Result<Context> {
        let check = |call: &str, code| {
            driver::ok(code).map_err(|e| fault(format!("device {ordinal}: {call}: {}", driver::words(e))))
        };
        if !gpu.pools {
            return Err(fault(format!(
                "device {ordinal} ({}) has no memory pools in stream order",
                gpu.name
            )));
        }
        let (mut device, mut raw) = (0, std::ptr::null_mut());
        let (mut stream, mut pool) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the driver has started and `ordinal` is one of its devices. All other handles come from the call
        // before. The properties are plain numbers and pointers, for which zeros mean the driver's defaults.
        unsafe {
            check("cuDeviceGet", sys::cuDeviceGet(&mut device, ordinal as i32))?;
            check("cuDevicePrimaryCtxRetain", sys::cuDevicePrimaryCtxRetain(&mut raw, device))?;
            check("cuCtxSetCurrent", sys::cuCtxSetCurrent(raw))?;
            let flags = sys::CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
            check("cuStreamCreate", sys::cuStreamCreate(&mut stream, flags))?;
            let place = sys::CUmemLocation {
                type_: sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
                id: ordinal as i32,
            };
            let properties = sys::CUmemPoolProps {
                allocType: sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
                handleTypes: sys::CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE,
                location: place,
                win32SecurityAttributes: std::ptr::null_mut(),
                maxSize: 0,
                usage: 0,
                reserved: [0; 54],
            };
            check("cuMemPoolCreate", sys::cuMemPoolCreate(&mut pool, &properties))?;
        }
        let context = Context {
            ordinal,
            gpu,
            modules: Modules::new(MODULES),
            used: AtomicU64::new(0),
            staging: Staging::default(),
            copies: Copies::default(),
            raw,
            stream,
            pool,
            held: Mutex::default(),
            lost: OnceLock::new(),
        };
        context.set_threshold(THRESHOLD)?;
        Ok(context)
    }

    /// Makes the context this thread's. Every call of the driver comes after one of this.
    ///
    /// # Errors
    /// Where the device is lost.
    pub fn enter(&self) -> Result<()> {
        if let Some(why) = self.lost.get() {
            return Err(fault(format!("device {} is lost, until this process ends: {why}", self.ordinal)));
        }
        // SAFETY: the context is alive for as long as the process.
        self.check("cuCtxSetCurrent", unsafe { sys::cuCtxSetCurrent(self.raw) })
    }

    /// The answer to a call of the driver. Notes that the device is lost where that is what it means.
    ///
    /// # Errors
    /// The driver's words.
    pub fn check(&self, call: &str, code: CUresult) -> Result<()> {
        driver::ok(code).map_err(|e| {
            let what = format!("{call}: {}", driver::words(e));
            if driver::lost(e) {
                self.lost.get_or_init(|| what.clone());
            }
            fault(format!("device {} ({}): {what}", self.ordinal, self.gpu.name))
        })
    }

    /// The stream that everything goes into.
    pub(super) fn stream(&self) -> CUstream {
        self.stream
    }

    /// The pool that memory comes from.
    pub(super) fn pool(&self) -> CUmemoryPool {
        self.pool
    }

    /// Waits for all work, and lets go of what it needed.
    ///
    /// # Errors
    /// Those of the work.
    pub fn sync(&self) -> Result<()> {
        self.wait()?;
        self.sweep();
        Ok(())
    }

    /// Waits for all work.
    ///
    /// # Errors
    /// Those of the work.
    pub(super) fn wait(&self) -> Result<()> {
        self.enter()?;
        // SAFETY: the stream is alive.
        self.check("cuStreamSynchronize", unsafe { sys::cuStreamSynchronize(self.stream) })
    }

    /// Keeps `what` until all work so far is done.
    ///
    /// # Errors
    /// Where no mark can be set; all work is done then.
    pub(super) fn hold(&'static self, what: impl Any + Send) -> Result<()> {
        match Event::record(self) {
            Ok(event) => {
                self.held.lock().unwrap_or_else(PoisonError::into_inner).push_back((event, Box::new(what)));
                Ok(())
            }
            Err(e) => {
                // Without a mark the only way to know is to wait; a lost device reads nothing any more.
                let _ = self.wait();
                Err(e)
            }
        }
    }

    /// Lets go of what the stream does not need any more, without waiting.
    pub fn sweep(&self) {
        let mut gone = vec![];
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        while held.front().is_some_and(|(event, _)| event.done()) {
            gone.extend(held.pop_front());
        }
        drop(held);
        // What is dropped may call the driver, so it is without the lock.
        drop(gone);
        self.modules.sweep();
    }

    /// How many bytes the pool keeps for later at most, beyond those in use.
    ///
    /// # Errors
    /// The driver's.
    pub fn threshold(&self) -> Result<u64> {
        self.pool_attribute(Attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
    }

    /// Sets [`Context::threshold`].
    ///
    /// # Errors
    /// The driver's.
    pub fn set_threshold(&self, bytes: u64) -> Result<()> {
        self.enter()?;
        let mut bytes = bytes;
        // SAFETY: the attribute is a 64-bit number, read before the call returns.
        let code = unsafe {
            let which = Attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
            sys::cuMemPoolSetAttribute(self.pool, which, (&raw mut bytes).cast())
        };
        self.check("cuMemPoolSetAttribute", code)
    }

    pub(super) fn pool_attribute(&self, which: Attribute) -> Result<u64> {
        self.enter()?;
        let mut x = 0u64;
        // SAFETY: all attributes that this engine asks for are 64-bit numbers.
        let code = unsafe { sys::cuMemPoolGetAttribute(self.pool, which, (&raw mut x).cast()) };
        self.check("cuMemPoolGetAttribute", code)?;
        Ok(x)
    }
}
