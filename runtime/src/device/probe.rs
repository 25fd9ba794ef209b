//! What this machine has: the NVIDIA driver and its GPUs. Never fails and never panics when they are missing.

use cudarc::driver::{result, sys};

/// A GPU that the driver reports.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// Its product name.
    pub name: String,
    /// Its compute capability, `9.0`.
    pub capability: (i32, i32),
    /// Its memory in bytes.
    pub bytes: usize,
}

/// True if the driver's library can be loaded.
pub fn driver_present() -> bool {
    // SAFETY: the call only tries to open the driver's shared library by its fixed names.
    unsafe { sys::is_culib_present() }
}

/// The GPUs, or why there are none.
pub fn gpus() -> Result<Vec<Gpu>, String> {
    if !driver_present() {
        return Err("no NVIDIA driver: libcuda could not be loaded".into());
    }
    let say = |e: cudarc::driver::DriverError| format!("the NVIDIA driver answers {e:?}");
    result::init().map_err(say)?;
    let count = result::device::get_count().map_err(say)?;
    (0..count).map(|i| gpu(i).map_err(say)).collect()
}

fn gpu(index: i32) -> Result<Gpu, cudarc::driver::DriverError> {
    use sys::CUdevice_attribute::{
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR as MAJOR,
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR as MINOR,
    };
    let device = result::device::get(index)?;
    let name = result::device::get_name(device)?;
    // SAFETY: `device` is a handle that the driver just returned for an index below its count.
    let (major, minor, bytes) = unsafe {
        (
            result::device::get_attribute(device, MAJOR)?,
            result::device::get_attribute(device, MINOR)?,
            result::device::total_mem(device)?,
        )
    };
    Ok(Gpu { name, capability: (major, minor), bytes })
}
