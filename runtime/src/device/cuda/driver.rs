//! The NVIDIA driver: finding it, asking what GPUs there are, and its errors in words.
//!
//! cudarc opens the library when a function is first called, and panics where it or the function is missing. So
//! [`driver`] asks for all of that first, and every other file of this engine has a `&'static Driver` or a context
//! made from one before it calls anything.

use cudarc::driver::sys::{self, CUdevice_attribute as Attribute, CUresult};
use std::error::Error;
use std::ffi::{CStr, c_char};
use std::path::{Path, PathBuf};
use std::sync::{Once, OnceLock};

/// The functions of the driver that this engine calls; CUDA 11.4 has them all.
const FUNCTIONS: &[&str] = &[
    "cuCtxSetCurrent",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDeviceGetCount",
    "cuDeviceGetName",
    "cuDevicePrimaryCtxRetain",
    "cuDeviceTotalMem_v2",
    "cuDriverGetVersion",
    "cuEventCreate",
    "cuEventDestroy_v2",
    "cuEventElapsedTime",
    "cuEventQuery",
    "cuEventRecord",
    "cuEventSynchronize",
    "cuGetErrorName",
    "cuGetErrorString",
    "cuInit",
    "cuLaunchHostFunc",
    "cuLaunchKernel",
    "cuMemAllocFromPoolAsync",
    "cuMemFreeAsync",
    "cuMemGetInfo_v2",
    "cuMemHostAlloc",
    "cuMemPoolCreate",
    "cuMemPoolGetAttribute",
    "cuMemPoolSetAttribute",
    "cuMemPoolTrimTo",
    "cuMemcpyDtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemsetD8Async",
    "cuModuleGetFunction",
    "cuModuleLoadData",
    "cuModuleUnload",
    "cuProfilerStart",
    "cuProfilerStop",
    "cuStreamCreate",
    "cuStreamSynchronize",
];

/// A driver that is there and has started.
#[derive(Debug)]
pub struct Driver {
    /// The newest CUDA that it speaks, major and minor.
    pub version: (i32, i32),
    /// The GPUs, in the order of their indices.
    pub gpus: Vec<Gpu>,
}

/// A GPU that the driver reports.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// Its product name.
    pub name: String,
    /// Its compute capability, `(9, 0)`.
    pub capability: (i32, i32),
    /// Its memory in bytes.
    pub bytes: usize,
    /// Its multiprocessors.
    pub processors: u32,
    /// It has memory pools in stream order, which this engine needs.
    pub pools: bool,
}

impl Gpu {
    /// The compute capability as NVRTC's options have it: `90`.
    pub fn arch(&self) -> u32 {
        (self.capability.0 * 10 + self.capability.1).unsigned_abs()
    }
}

/// The driver of this process, or why there is none; looked for once.
pub fn driver() -> Result<&'static Driver, &'static str> {
    static DRIVER: OnceLock<Result<Driver, String>> = OnceLock::new();
    DRIVER.get_or_init(find).as_ref().map_err(String::as_str)
}

/// True if the driver's library can be loaded.
fn present() -> bool {
    // SAFETY: the call only tries to open the driver's shared library by its fixed names.
    unsafe { sys::is_culib_present() }
}

/// Makes `path` the driver's library of this process, wherever the loader would find another. It must have a name
/// that cudarc asks for, such as `libcuda.so`, in its header. Of no effect once the driver is in use.
///
/// # Errors
/// The loader's words.
pub fn open(path: &Path) -> Result<(), String> {
    // SAFETY: the caller names a driver's library, which runs nothing but its own initialisers when it is loaded.
    let library = unsafe { libloading::Library::new(path) }
        .map_err(|e| e.source().map_or_else(|| e.to_string(), |why| why.to_string()))?;
    // The loader answers later requests for the name with the library that is loaded already.
    std::mem::forget(library);
    Ok(())
}

fn find() -> Result<Driver, String> {
    static NAMED: Once = Once::new();
    let mut broken = None;
    NAMED.call_once(|| {
        if let Some(path) = std::env::var_os("QFUSE_LIBCUDA").filter(|p| !p.is_empty()).map(PathBuf::from) {
            broken = open(&path).err();
        }
    });
    match broken {
        Some(why) => return Err(why),
        None if !present() => return Err("no NVIDIA driver: libcuda could not be loaded".into()),
        None => {}
    }
    // SAFETY: the library is there, so this does not panic, and it is never unloaded. The functions are only
    // looked for; nothing is called by the type that they are given here.
    let lacks = FUNCTIONS
        .iter()
        .find(|name| unsafe { sys::culib().get::<unsafe extern "C" fn()>(name.as_bytes()) }.is_err());
    if let Some(name) = lacks {
        return Err(format!("the NVIDIA driver has no {name}: it is older than CUDA 11.4"));
    }
    let say = |e: CUresult| format!("the NVIDIA driver answers {}", words(e));
    let mut version = 0;
    let mut count = 0;
    // SAFETY: each call writes one int to a place that is there.
    unsafe {
        ok(sys::cuInit(0)).map_err(say)?;
        ok(sys::cuDriverGetVersion(&mut version)).map_err(say)?;
        ok(sys::cuDeviceGetCount(&mut count)).map_err(say)?;
    }
    let gpus = (0..count).map(|i| gpu(i).map_err(say)).collect::<Result<_, _>>()?;
    Ok(Driver { version: (version / 1000, version % 1000 / 10), gpus })
}

fn gpu(index: i32) -> Result<Gpu, CUresult> {
    let mut device = 0;
    let mut name = [0u8; 128];
    let mut bytes = 0;
    // SAFETY: `index` is below the driver's count; every call writes to places that are there, the name no more
    // than its length, with a zero at the end.
    unsafe {
        ok(sys::cuDeviceGet(&mut device, index))?;
        ok(sys::cuDeviceGetName(name.as_mut_ptr().cast::<c_char>(), name.len() as i32 - 1, device))?;
        ok(sys::cuDeviceTotalMem_v2(&mut bytes, device))?;
    }
    let attribute = |which| {
        let mut x = 0;
        // SAFETY: `device` is a handle that the driver just gave; one int is written.
        ok(unsafe { sys::cuDeviceGetAttribute(&mut x, which, device) }).map(|()| x)
    };
    let name = CStr::from_bytes_until_nul(&name).unwrap_or_default().to_string_lossy().into_owned();
    Ok(Gpu {
        name,
        capability: (
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        ),
        bytes,
        processors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?.unsigned_abs(),
        pools: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)? != 0,
    })
}

/// The driver's answer to a call.
pub fn ok(code: CUresult) -> Result<(), CUresult> {
    if code == CUresult::CUDA_SUCCESS { Ok(()) } else { Err(code) }
}

/// The driver's name and words for an error. Only to be called where the driver is there.
pub fn words(code: CUresult) -> String {
    let of = |call: unsafe fn(CUresult, *mut *const c_char) -> CUresult| {
        let mut text = std::ptr::null();
        // SAFETY: the driver points `text` to a static C string, or leaves it null where it has none.
        let found = unsafe { call(code, &mut text) };
        // SAFETY: as above.
        (ok(found).is_ok() && !text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy())
    };
    let name = of(sys::cuGetErrorName).unwrap_or_else(|| "an error without a name".into());
    match of(sys::cuGetErrorString) {
        Some(text) => format!("{name} ({text})"),
        None => name.into_owned(),
    }
}

/// True of an error after which the driver answers nothing but errors for the device until the process ends.
pub fn lost(code: CUresult) -> bool {
    use CUresult::*;
    matches!(
        code,
        CUDA_ERROR_DEINITIALIZED
            | CUDA_ERROR_DEVICE_UNAVAILABLE
            | CUDA_ERROR_ECC_UNCORRECTABLE
            | CUDA_ERROR_NVLINK_UNCORRECTABLE
            | CUDA_ERROR_ILLEGAL_ADDRESS
            | CUDA_ERROR_LAUNCH_TIMEOUT
            | CUDA_ERROR_CONTEXT_IS_DESTROYED
            | CUDA_ERROR_ASSERT
            | CUDA_ERROR_HARDWARE_STACK_ERROR
            | CUDA_ERROR_ILLEGAL_INSTRUCTION
            | CUDA_ERROR_MISALIGNED_ADDRESS
            | CUDA_ERROR_INVALID_ADDRESS_SPACE
            | CUDA_ERROR_INVALID_PC
            | CUDA_ERROR_LAUNCH_FAILED
            | CUDA_ERROR_EXTERNAL_DEVICE
            | CUDA_ERROR_UNKNOWN
    )
}
