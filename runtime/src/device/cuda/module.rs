//! Compiled code on a device: loading it, finding its kernels, launching them.

use super::context::{Context, fault};
use super::driver::{self, driver};
use crate::device::launcher::{BLOCK, Word};
use crate::device::nvrtc::{Compiled, Target};
use cudarc::driver::sys::{self, CUfunction, CUmodule, CUresult};
use q::Result;
use rustc_hash::FxHashMap;
use std::ffi::{CString, c_void};

/// A module that is loaded, and unloaded when it is dropped, which nobody may do before its launches are over.
pub struct Module {
    context: &'static Context,
    raw: CUmodule,
    kernels: FxHashMap<String, CUfunction>,
}

// SAFETY: the driver's handles may be used from any thread that has made the context current.
unsafe impl Send for Module {}
// SAFETY: as above; the driver locks for itself.
unsafe impl Sync for Module {}

impl Module {
    /// Loads code and finds its kernels `names`.
    ///
    /// # Errors
    /// Where the code is not for this device or this driver.
    pub fn load<'a>(
        context: &'static Context,
        code: &Compiled,
        target: Target,
        names: impl Iterator<Item = &'a str>,
    ) -> Result<Module> {
        context.enter()?;
        let mut image = code.image.clone();
        // PTX is a C string; after machine code a zero does no harm.
        image.push(0);
        let mut raw = std::ptr::null_mut();
        // SAFETY: the image is whole and ends with a zero; the handle is written to a place that is there.
        let loaded = unsafe { sys::cuModuleLoadData(&mut raw, image.as_ptr().cast()) };
        if let Some(why) = unsuited(context, loaded, target) {
            return Err(fault(format!("device {} ({}): {why}", context.ordinal, context.gpu.name)));
        }
        context.check("cuModuleLoadData", loaded)?;
        let mut module = Module { context, raw, kernels: FxHashMap::default() };
        for name in names {
            let text = CString::new(name).map_err(|_| fault(format!("a kernel is named {name:?}")))?;
            let mut kernel = std::ptr::null_mut();
            // SAFETY: the module is loaded; the name is a C string.
            let code = unsafe { sys::cuModuleGetFunction(&mut kernel, raw, text.as_ptr()) };
            context.check(&format!("cuModuleGetFunction of {name}"), code)?;
            module.kernels.insert(name.to_string(), kernel);
        }
        Ok(module)
    }

    /// Has it the kernel `name`?
    pub fn has(&self, name: &str) -> bool {
        self.kernels.contains_key(name)
    }

    /// Puts the launch of a kernel into the stream. `args` must be as many as its parameters.
    ///
    /// # Errors
    /// The driver's.
    pub fn launch(&self, name: &str, grid: u32, args: &[Word]) -> Result<()> {
        self.context.enter()?;
        let Some(&kernel) = self.kernels.get(name) else {
            return Err(fault(format!("the module has no kernel {name}")));
        };
        let mut args: Vec<*mut c_void> = args.iter().map(|w| w.as_ptr().cast_mut().cast()).collect();
        // SAFETY: the kernel is of this module. The driver copies each argument before it returns, as many bytes
        // as the parameter has, which are at most those of a word; the launcher makes one for each parameter.
        let code = unsafe {
            let stream = self.context.stream();
            let (block, none) = (BLOCK, std::ptr::null_mut());
            sys::cuLaunchKernel(kernel, grid, 1, 1, block, 1, 1, 0, stream, args.as_mut_ptr(), none)
        };
        self.context.check(&format!("launch of {name}"), code)
    }
}

/// What an answer to loading means for a person, where it is about what the code was compiled for.
fn unsuited(context: &Context, code: CUresult, target: Target) -> Option<String> {
    let (major, minor) = driver().map_or((0, 0), |d| d.version);
    let nvrtc = crate::device::nvrtc::nvrtc().map_or((0, 0), |n| n.version);
    let ends = format!("({})", driver::words(code));
    match code {
        CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION => Some(format!(
            "the driver, of CUDA {major}.{minor}, is older than NVRTC {}.{} and does not take its PTX; update the \
             driver, or set QFUSE_NVRTC to an older NVRTC {ends}",
            nvrtc.0, nvrtc.1
        )),
        CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU
        | CUresult::CUDA_ERROR_INVALID_IMAGE
        | CUresult::CUDA_ERROR_INVALID_PTX => Some(format!(
            "kernels compiled by NVRTC {}.{} with {} do not suit a device of architecture {} and the driver, of \
             CUDA {major}.{minor} {ends}",
            nvrtc.0,
            nvrtc.1,
            target.options().first().map_or("", String::as_str),
            context.gpu.arch()
        )),
        _ => None,
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        if self.context.enter().is_ok() {
            // SAFETY: the module is loaded and its launches are over. An error is met again by the next call.
            let code = unsafe { sys::cuModuleUnload(self.raw) };
            let _ = self.context.check("cuModuleUnload", code);
        }
    }
}
