//! An NVIDIA driver for machines without a GPU, as far as qfuse calls one: the C functions of `libcuda.so`, over
//! simulated devices. Tests load it in the driver's place, so that all of the CUDA engine runs that would run on a
//! GPU, cudarc's loading included, and the simulator checks every access of every kernel.
//!
//! It is as late as a driver may be: work that is given to a stream is done when somebody waits for it, so memory
//! that is given up too early is missed. `LIBCUDA` in the environment sets what the devices are and what fails;
//! `settings.rs` says how.
//!
//! A device's handles are its index and one; there is one stream and one pool for each.

#![allow(unsafe_code)]
#![allow(non_snake_case)]

mod device;
mod settings;

use device::{Gpu, Image, Mark, Op, gpu};
use settings::{fault, settings};
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::{Arc, Mutex, MutexGuard};

const OK: c_int = 0;
const INVALID_VALUE: c_int = 1;
const NOT_INITIALIZED: c_int = 3;
const INVALID_DEVICE: c_int = 101;
const INVALID_CONTEXT: c_int = 201;
const NOT_FOUND: c_int = 500;
const NOT_READY: c_int = 600;

/// The codes that qfuse's tests meet, by name.
const NAMES: &[(c_int, &CStr, &CStr)] = &[
    (1, c"CUDA_ERROR_INVALID_VALUE", c"invalid argument"),
    (2, c"CUDA_ERROR_OUT_OF_MEMORY", c"out of memory"),
    (3, c"CUDA_ERROR_NOT_INITIALIZED", c"initialization error"),
    (100, c"CUDA_ERROR_NO_DEVICE", c"no CUDA-capable device is detected"),
    (101, c"CUDA_ERROR_INVALID_DEVICE", c"invalid device ordinal"),
    (200, c"CUDA_ERROR_INVALID_IMAGE", c"device kernel image is invalid"),
    (201, c"CUDA_ERROR_INVALID_CONTEXT", c"invalid device context"),
    (209, c"CUDA_ERROR_NO_BINARY_FOR_GPU", c"no kernel image is available for execution on the device"),
    (218, c"CUDA_ERROR_INVALID_PTX", c"a PTX JIT compilation failed"),
    (
        222,
        c"CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
        c"the provided PTX was compiled with an unsupported toolchain.",
    ),
    (500, c"CUDA_ERROR_NOT_FOUND", c"named symbol not found"),
    (600, c"CUDA_ERROR_NOT_READY", c"device not ready"),
    (700, c"CUDA_ERROR_ILLEGAL_ADDRESS", c"an illegal memory access was encountered"),
    (701, c"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", c"too many resources requested for launch"),
    (719, c"CUDA_ERROR_LAUNCH_FAILED", c"unspecified launch failure"),
    (801, c"CUDA_ERROR_NOT_SUPPORTED", c"operation not supported"),
];

thread_local! {
    /// The current context of the thread; 0 is none.
    static CURRENT: Cell<usize> = const { Cell::new(0) };
}

/// The device of a handle.
fn at(handle: usize) -> Result<MutexGuard<'static, Gpu>, c_int> {
    gpu(handle.wrapping_sub(1)).ok_or(INVALID_VALUE)
}

/// The device of the thread's context.
fn current() -> Result<MutexGuard<'static, Gpu>, c_int> {
    gpu(CURRENT.get().wrapping_sub(1)).ok_or(INVALID_CONTEXT)
}

/// The code that a call returns: a fault that was asked for, or its own.
fn answer(call: &str, body: impl FnOnce() -> Result<(), c_int>) -> c_int {
    match fault(call) {
        Some(code) => {
            if let (true, Ok(mut gpu)) = (device::ends(code), current()) {
                gpu.lost = Some(code);
            }
            code
        }
        None => body().err().unwrap_or(OK),
    }
}

/// Gives work to the stream of a device.
fn send(call: &str, stream: usize, op: impl FnOnce() -> Op) -> c_int {
    answer(call, || at(stream)?.send(op()))
}

/// Writes a result.
///
/// # Safety
/// `to` is null or points to room for a `T`.
unsafe fn put<T>(to: *mut T, x: T) -> Result<(), c_int> {
    if to.is_null() {
        return Err(INVALID_VALUE);
    }
    // SAFETY: the caller vouches for it.
    unsafe { to.write(x) };
    Ok(())
}

/// Declares C functions: their pointers are what the driver's documentation says.
macro_rules! calls {
    ($($name:ident($($arg:ident: $ty:ty),*) => $body:expr;)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "` of the driver.")]
            ///
            /// # Safety
            /// As the driver's documentation says.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($arg: $ty),*) -> c_int {
                answer(stringify!($name), || $body)
            }
        )*
    };
}

calls! {
    cuInit(flags: c_uint) => if flags == 0 { Ok(()) } else { Err(INVALID_VALUE) };
    // SAFETY: see `calls`, here and below.
    cuDriverGetVersion(version: *mut c_int) => unsafe { put(version, settings().cuda) };
    // SAFETY: see `calls`.
    cuDeviceGetCount(count: *mut c_int) => unsafe { put(count, settings().devices as c_int) };
    cuDeviceGet(device: *mut c_int, index: c_int) => {
        if index < 0 || index as usize >= settings().devices {
            return Err(INVALID_DEVICE);
        }
        // SAFETY: see `calls`.
        unsafe { put(device, index) }
    };
    cuDeviceGetName(name: *mut c_char, len: c_int, device: c_int) => {
        let text = format!("Simulated GPU {device}\0");
        if text.len() > len as usize {
            return Err(INVALID_VALUE);
        }
        // SAFETY: there is room for `len` bytes.
        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr().cast(), name, text.len()) };
        Ok(())
    };
    // SAFETY: see `calls`.
    cuDeviceTotalMem_v2(bytes: *mut usize, _device: c_int) => unsafe { put(bytes, settings().memory) };
    cuDeviceGetAttribute(x: *mut c_int, which: c_int, _device: c_int) => {
        let found = match which {
            16 => 4,
            75 => settings().arch / 10,
            76 => settings().arch % 10,
            115 => 1,
            _ => return Err(INVALID_VALUE),
        };
        // SAFETY: see `calls`.
        unsafe { put(x, found) }
    };
    // SAFETY: see `calls`.
    cuDevicePrimaryCtxRetain(context: *mut usize, device: c_int) => unsafe { put(context, device as usize + 1) };
    cuCtxSetCurrent(context: usize) => {
        if context > settings().devices {
            return Err(INVALID_CONTEXT);
        }
        CURRENT.set(context);
        Ok(())
    };
    // SAFETY: see `calls`.
    cuStreamCreate(stream: *mut usize, _flags: c_uint) => { drop(current()?); unsafe { put(stream, CURRENT.get()) } };
    cuStreamSynchronize(stream: usize) => { let mut gpu = at(stream)?; gpu.drain()?; gpu.settle(); Ok(()) };
    cuMemGetInfo_v2(free: *mut usize, total: *mut usize) => {
        let gpu = current()?;
        // SAFETY: see `calls`.
        unsafe { put(free, settings().memory - gpu.reserved)?; put(total, settings().memory) }
    };
    // SAFETY: see `calls`.
    cuMemPoolCreate(pool: *mut usize, _properties: *const c_void) => { drop(current()?); unsafe { put(pool, CURRENT.get()) } };
    cuMemPoolSetAttribute(pool: usize, which: c_int, x: *mut c_void) => {
        if which != 4 {
            return Err(INVALID_VALUE);
        }
        // SAFETY: the attribute is a 64-bit number.
        at(pool)?.threshold = unsafe { x.cast::<u64>().read() };
        Ok(())
    };
    cuMemPoolGetAttribute(pool: usize, which: c_int, x: *mut c_void) => {
        let gpu = at(pool)?;
        let found = match which {
            4 => gpu.threshold,
            5 => gpu.reserved as u64,
            6 => gpu.most as u64,
            7 => gpu.used as u64,
            _ => return Err(INVALID_VALUE),
        };
        // SAFETY: the attributes are 64-bit numbers.
        unsafe { put(x.cast(), found) }
    };
    cuMemPoolTrimTo(pool: usize, keep: usize) => { at(pool)?.trim(keep); Ok(()) };
    cuMemAllocFromPoolAsync(address: *mut u64, bytes: usize, _pool: usize, stream: usize) => {
        let found = at(stream)?.allocate(bytes)?;
        // SAFETY: see `calls`.
        unsafe { put(address, found) }
    };
    cuMemHostAlloc(start: *mut *mut c_void, bytes: usize, _flags: c_uint) => {
        let room: Box<[u64]> = vec![0; bytes.div_ceil(8)].into();
        // SAFETY: see `calls`. The memory is never given back, as the engine keeps it.
        unsafe { put(start, Box::leak(room).as_mut_ptr().cast()) }
    };
    cuEventCreate(event: *mut *mut c_void, _flags: c_uint) => {
        drop(current()?);
        let made = Event { context: CURRENT.get(), mark: Mutex::new(Mark::done()) };
        // SAFETY: see `calls`.
        unsafe { put(event, Box::into_raw(Box::new(made)).cast()) }
    };
    cuEventDestroy_v2(event: *mut c_void) => {
        // SAFETY: `cuEventCreate` made it.
        drop(unsafe { Box::from_raw(event.cast::<Event>()) });
        Ok(())
    };
    cuEventRecord(event: *mut c_void, stream: usize) => {
        // SAFETY: `cuEventCreate` made it.
        let event = unsafe { &*event.cast::<Event>() };
        if event.context != stream {
            return Err(INVALID_CONTEXT);
        }
        let mark = Arc::new(Mark::default());
        *event.mark.lock().map_err(|_| INVALID_VALUE)? = mark.clone();
        at(stream)?.send(Op::Mark(mark))
    };
    cuEventQuery(event: *mut c_void) => {
        // SAFETY: `cuEventCreate` made it.
        let event = unsafe { &*event.cast::<Event>() };
        if event.mark()?.is_done() {
            return Ok(());
        }
        // Time passes: a little is done.
        at(event.context)?.step()?;
        Err(NOT_READY)
    };
    cuEventSynchronize(event: *mut c_void) => {
        // SAFETY: `cuEventCreate` made it.
        let event = unsafe { &*event.cast::<Event>() };
        let (mark, mut gpu) = (event.mark()?, at(event.context)?);
        while !mark.is_done() {
            gpu.step()?;
        }
        Ok(())
    };
    cuEventElapsedTime(ms: *mut f32, from: *mut c_void, to: *mut c_void) => {
        // SAFETY: `cuEventCreate` made them.
        let (from, to) = unsafe { (&*from.cast::<Event>(), &*to.cast::<Event>()) };
        match (from.mark()?.time(), to.mark()?.time()) {
            // SAFETY: see `calls`.
            (Some(a), Some(b)) => unsafe { put(ms, b.saturating_duration_since(a).as_secs_f32() * 1e3) },
            _ => Err(NOT_READY),
        }
    };
    cuModuleLoadData(module: *mut *mut c_void, image: *const c_void) => {
        drop(current()?);
        // SAFETY: the image is whole; PTX ends with a zero, machine code says its length.
        let image = unsafe { Image::read(image.cast()) }?;
        // SAFETY: see `calls`.
        unsafe { put(module, Box::into_raw(Box::new(image)).cast()) }
    };
    cuModuleUnload(module: *mut c_void) => {
        // What is under way keeps its part of the module, but a driver would not: nothing may be.
        if current()?.launches() {
            return Err(INVALID_VALUE);
        }
        // SAFETY: `cuModuleLoadData` made it.
        drop(unsafe { Box::from_raw(module.cast::<Image>()) });
        Ok(())
    };
    cuModuleGetFunction(function: *mut *mut c_void, module: *mut c_void, name: *const c_char) => {
        // SAFETY: `cuModuleLoadData` made it; the name is a C string.
        let (image, name) = unsafe { (&*module.cast::<Image>(), CStr::from_ptr(name)) };
        let name = name.to_str().map_err(|_| NOT_FOUND)?;
        let found = image.function(name).ok_or(NOT_FOUND)?;
        // SAFETY: see `calls`. Functions are small and live as long as the process.
        unsafe { put(function, Box::into_raw(Box::new(found)).cast()) }
    };
    cuProfilerStart() => current().map(drop);
    cuProfilerStop() => current().map(drop);
}

/// An event: the mark that it was last recorded at.
struct Event {
    context: usize,
    mark: Mutex<Arc<Mark>>,
}

impl Event {
    fn mark(&self) -> Result<Arc<Mark>, c_int> {
        self.mark.lock().map(|m| m.clone()).map_err(|_| NOT_INITIALIZED)
    }
}

/// `cuMemFreeAsync` of the driver.
///
/// # Safety
/// As the driver's documentation says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFreeAsync(address: u64, stream: usize) -> c_int {
    send("cuMemFreeAsync", stream, || Op::Free(address))
}

/// `cuMemcpyHtoDAsync_v2` of the driver.
///
/// # Safety
/// As the driver's documentation says; the bytes are read later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoDAsync_v2(
    to: u64,
    from: *const u8,
    bytes: usize,
    stream: usize,
) -> c_int {
    send("cuMemcpyHtoDAsync", stream, || Op::Up { to, from, bytes })
}

/// `cuMemcpyDtoHAsync_v2` of the driver.
///
/// # Safety
/// As the driver's documentation says; the bytes are written later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoHAsync_v2(to: *mut u8, from: u64, bytes: usize, stream: usize) -> c_int {
    send("cuMemcpyDtoHAsync", stream, || Op::Down { to, from, bytes })
}

/// `cuMemcpyDtoDAsync_v2` of the driver.
///
/// # Safety
/// As the driver's documentation says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: usize) -> c_int {
    send("cuMemcpyDtoDAsync", stream, || Op::Copy { to, from, bytes })
}

/// `cuMemsetD8Async` of the driver.
///
/// # Safety
/// As the driver's documentation says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemsetD8Async(to: u64, byte: u8, bytes: usize, stream: usize) -> c_int {
    send("cuMemsetD8Async", stream, || Op::Fill { to, byte, bytes })
}

/// `cuLaunchHostFunc` of the driver.
///
/// # Safety
/// As the driver's documentation says; the function is called later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchHostFunc(
    stream: usize,
    call: unsafe extern "C" fn(*mut c_void),
    data: *mut c_void,
) -> c_int {
    send("cuLaunchHostFunc", stream, || Op::Host { call, data })
}

/// `cuLaunchKernel` of the driver, for grids and blocks of one dimension without dynamic shared memory.
///
/// # Safety
/// As the driver's documentation says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchKernel(
    function: *const c_void,
    grid: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared: c_uint,
    stream: usize,
    params: *const *const c_void,
    extra: *const c_void,
) -> c_int {
    answer("cuLaunchKernel", || {
        if [grid_y, grid_z, block_y, block_z] != [1; 4] || shared != 0 || !extra.is_null() || grid == 0 {
            return Err(INVALID_VALUE);
        }
        // SAFETY: `cuModuleGetFunction` made the function; there is a parameter for each that the kernel has, and
        // each has sixteen bytes, as those of qfuse do.
        let launch = unsafe { (*function.cast::<device::Function>()).launch(grid, block, params.cast()) }?;
        at(stream)?.send(launch)
    })
}

/// `cuGetErrorName` of the driver.
///
/// # Safety
/// As the driver's documentation says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorName(code: c_int, text: *mut *const c_char) -> c_int {
    match NAMES.iter().find(|n| n.0 == code) {
        // SAFETY: `text` points to room for a pointer.
        Some((_, name, _)) => unsafe { put(text, name.as_ptr()).err().unwrap_or(OK) },
        None => INVALID_VALUE,
    }
}

/// `cuGetErrorString` of the driver.
///
/// # Safety
/// As the driver's documentation says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorString(code: c_int, text: *mut *const c_char) -> c_int {
    match NAMES.iter().find(|n| n.0 == code) {
        // SAFETY: `text` points to room for a pointer.
        Some((_, _, words)) => unsafe { put(text, words.as_ptr()).err().unwrap_or(OK) },
        None => INVALID_VALUE,
    }
}
