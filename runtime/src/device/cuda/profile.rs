//! Ranges for NVIDIA's profilers, and turning their recording on and off. Where the tools' library is not there,
//! ranges go nowhere.

use super::context::Context;
use cudarc::driver::sys;
use libloading::Library;
use q::Result;
use std::ffi::{CString, c_char};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The functions of NVIDIA's tools extension that we use.
struct Ranges {
    start: unsafe extern "C" fn(*const c_char) -> u64,
    end: unsafe extern "C" fn(u64),
}

/// The library of CUDA 12 and before, and that of CUDA 13.
const LIBRARIES: [&str; 3] = ["libnvToolsExt.so.1", "libnvtx3interop.so.1", "libnvtx3interop.so"];

fn ranges() -> Option<&'static Ranges> {
    static FOUND: OnceLock<Option<Ranges>> = OnceLock::new();
    FOUND.get_or_init(|| LIBRARIES.iter().find_map(|name| open(name))).as_ref()
}

fn open(name: &str) -> Option<Ranges> {
    // SAFETY: the library runs nothing but its own initialisers when it is loaded, and is never unloaded; the
    // functions have the types that NVIDIA's header gives them.
    unsafe {
        let library = Library::new(name).ok()?;
        let start = *library.get::<unsafe extern "C" fn(*const c_char) -> u64>(b"nvtxRangeStartA").ok()?;
        let end = *library.get::<unsafe extern "C" fn(u64)>(b"nvtxRangeEnd").ok()?;
        std::mem::forget(library);
        Some(Ranges { start, end })
    }
}

/// True where ranges go to a profiler's library.
pub fn present() -> bool {
    ranges().is_some()
}

/// Begins a range that a profiler shows by `name`, up to its first zero byte; the range's number.
pub fn start(name: &[u8]) -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let Some(ranges) = ranges() else { return COUNT.fetch_add(1, Relaxed) };
    let name = name.split(|&b| b == 0).next().unwrap_or_default();
    let name = CString::new(name).expect("what is before the first zero has none");
    // SAFETY: the name is a C string, which the library copies.
    unsafe { (ranges.start)(name.as_ptr()) }
}

/// Ends a range. A number that no range has is ignored.
pub fn end(range: u64) {
    if let Some(ranges) = ranges() {
        // SAFETY: the library takes any number.
        unsafe { (ranges.end)(range) }
    }
}

/// Turns a profiler's recording on or off; does nothing where no profiler runs.
///
/// # Errors
/// The driver's.
pub fn record(on: bool) -> Result<()> {
    let context = Context::current()?;
    context.enter()?;
    // SAFETY: a context is current.
    let (call, code) = match on {
        true => ("cuProfilerStart", unsafe { sys::cuProfilerStart() }),
        false => ("cuProfilerStop", unsafe { sys::cuProfilerStop() }),
    };
    context.check(call, code)
}
