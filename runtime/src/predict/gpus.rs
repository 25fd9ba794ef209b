//! What NVIDIA's GPUs have: limits of a multiprocessor by architecture, and the sizes of the GPUs that times are
//! predicted for.
//!
//! Sources: the limits are those of "Technical Specifications per Compute Capability" and the doubles a clock those
//! of "Throughput of Native Arithmetic Instructions", both in NVIDIA's CUDA C++ Programming Guide 13.0; how
//! registers and shared memory are cut is told by the occupancy calculator of Nsight Compute and by "Shared Memory"
//! of the tuning guides (a block has 1 KB reserved from compute capability 8.0 on). The GPUs' figures stand with
//! each row.

/// A multiprocessor.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sm {
    /// The architecture, `90` being compute capability 9.0.
    pub arch: u32,
    /// The most warps that reside at once.
    pub warps: u32,
    /// The most blocks that reside at once.
    pub blocks: u32,
    /// Bytes of shared memory for all resident blocks.
    pub shared: u32,
    /// Bytes of shared memory that each block takes besides its own.
    pub reserved: u32,
    /// Operations on doubles a clock.
    pub doubles: u32,
}

/// 32-bit registers of a multiprocessor, of every architecture here.
pub const REGISTERS: u32 = 65_536;
/// Registers that a warp gets at a time.
pub const REGISTERS_AT_A_TIME: u32 = 256;
/// Bytes of shared memory that a block gets at a time.
pub const SHARED_AT_A_TIME: u32 = 128;
/// Warp schedulers of a multiprocessor, each of which issues an instruction a clock; warps are spread evenly.
pub const SCHEDULERS: u32 = 4;
/// Threads of a warp.
pub const WARP: u32 = 32;

const KB: u32 = 1024;

/// The architectures, ascending.
pub const SMS: &[Sm] = &[
    Sm { arch: 75, warps: 32, blocks: 16, shared: 64 * KB, reserved: 0, doubles: 2 },
    Sm { arch: 80, warps: 64, blocks: 32, shared: 164 * KB, reserved: KB, doubles: 32 },
    Sm { arch: 86, warps: 48, blocks: 16, shared: 100 * KB, reserved: KB, doubles: 2 },
    Sm { arch: 87, warps: 48, blocks: 16, shared: 164 * KB, reserved: KB, doubles: 2 },
    Sm { arch: 89, warps: 48, blocks: 24, shared: 100 * KB, reserved: KB, doubles: 2 },
    Sm { arch: 90, warps: 64, blocks: 32, shared: 228 * KB, reserved: KB, doubles: 64 },
    Sm { arch: 100, warps: 64, blocks: 32, shared: 228 * KB, reserved: KB, doubles: 64 },
    Sm { arch: 103, warps: 64, blocks: 32, shared: 228 * KB, reserved: KB, doubles: 2 },
    Sm { arch: 110, warps: 48, blocks: 24, shared: 228 * KB, reserved: KB, doubles: 2 },
    Sm { arch: 120, warps: 48, blocks: 24, shared: 100 * KB, reserved: KB, doubles: 2 },
];

/// The multiprocessor of an architecture; of one that has no row, the newest before it, or the oldest.
pub fn sm(arch: u32) -> &'static Sm {
    SMS.iter().rev().find(|sm| sm.arch <= arch).unwrap_or(&SMS[0])
}

/// A GPU.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gpu {
    /// Its name.
    pub name: &'static str,
    /// Its architecture.
    pub arch: u32,
    /// Its multiprocessors.
    pub sms: u32,
    /// Its boost clock in MHz.
    pub clock: u32,
    /// Its memory's bandwidth in GB/s, a GB being 1e9 bytes.
    pub bandwidth: u32,
    /// What its second-level cache holds, in MB of two to the power of 20 bytes.
    pub cache: u32,
}

/// The GPUs that times are predicted for.
pub const GPUS: &[Gpu] = &[
    // NVIDIA L4 datasheet: 300 GB/s, 30.3 TFLOPS of float32 at 2,040 MHz, which are 7,424 lanes; Ada's white paper:
    // a cache of 48 MB for the AD104 that it is.
    Gpu { name: "L4", arch: 89, sms: 58, clock: 2040, bandwidth: 300, cache: 48 },
    // NVIDIA A100 80GB SXM datasheet and the GA100 white paper: 2,039 GB/s, 108 multiprocessors, 1,410 MHz, 40 MB.
    Gpu { name: "A100", arch: 80, sms: 108, clock: 1410, bandwidth: 2039, cache: 40 },
    // NVIDIA H100 SXM datasheet and the GH100 white paper: 3.35 TB/s, 132 multiprocessors, 50 MB; its 34 TFLOPS of
    // float64 are 1,980 MHz.
    Gpu { name: "H100", arch: 90, sms: 132, clock: 1980, bandwidth: 3350, cache: 50 },
    // NVIDIA H200 SXM datasheet: 4.8 TB/s, and the H100's 34 TFLOPS of float64; the same GH100 and cache.
    Gpu { name: "H200", arch: 90, sms: 132, clock: 1980, bandwidth: 4800, cache: 50 },
    // NVIDIA HGX and DGX B200 datasheets: 296 TFLOPS of float64 for eight. What its driver tells of a B200 (quoted in
    // pytorch/ao's pull request 4002): 148 multiprocessors, 126.5 MB, and a memory 7,680 bits wide at 3,996 MHz, whose
    // 7.67 TB/s are less than the 64 TB/s for eight that the DGX's datasheet rounds to.
    Gpu { name: "B200", arch: 100, sms: 148, clock: 1965, bandwidth: 7672, cache: 126 },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Operations on doubles a second, in units of 1e12; a multiply-add counts two.
    fn teraflops(gpu: &Gpu) -> f64 {
        f64::from(gpu.sms * sm(gpu.arch).doubles * 2) * f64::from(gpu.clock) / 1e6
    }

    #[test]
    fn the_datasheets_peaks_follow() {
        let peaks = [("L4", 0.47), ("A100", 9.7), ("H100", 34.0), ("H200", 34.0), ("B200", 37.0)];
        for (gpu, (name, peak)) in GPUS.iter().zip(peaks) {
            assert_eq!(gpu.name, name);
            assert!((teraflops(gpu) / peak - 1.0).abs() < 0.02, "{name}: {}", teraflops(gpu));
        }
    }

    #[test]
    fn unknown_architectures_have_a_neighbours_limits() {
        assert_eq!(sm(90).arch, 90);
        assert_eq!(sm(121).arch, 120);
        assert_eq!(sm(88).arch, 87);
        assert_eq!(sm(50).arch, 75);
        assert!(SMS.is_sorted_by(|a, b| a.arch < b.arch));
    }
}
