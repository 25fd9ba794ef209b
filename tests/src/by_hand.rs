//! Runs kernels that are written by hand on the simulator.

use runtime::device::sim::{Schedule, Simulator, compile};

/// Schedules that each kernel runs under.
pub const SEEDS: u64 = 20;

/// Runs `kernel`, whose parameters are pointers to buffers of `sizes` zero bytes; none of them passes memory that
/// nobody wrote. The contents afterwards, or the fault.
///
/// # Errors
/// What the simulator reports.
pub fn run(kernel: &str, grid: u32, sizes: &[usize], seed: u64) -> Result<Vec<Vec<u8>>, String> {
    let ptx = compile(&format!("#define K extern \"C\" __global__ void __launch_bounds__(256) k\n{kernel}"));
    let ptx = ptx.map_err(|e| e.detail.unwrap_or_default().to_string())?;
    let mut device = Simulator::new(ptx, Schedule { seed, resident: 3, ..Schedule::default() });
    let mut blocks = vec![];
    let mut args = vec![];
    for (i, &bytes) in sizes.iter().enumerate() {
        let address = device.allocate(&format!("b{i}"), bytes);
        device.write(address, &vec![0; bytes])?;
        let mut word = [0; 16];
        word[..8].copy_from_slice(&address.to_le_bytes());
        args.push(word);
        blocks.push((address, bytes));
    }
    device.launch("k", grid, 256, &args)?;
    let mut out = vec![];
    for (address, bytes) in blocks {
        let mut contents = vec![0; bytes];
        device.read(address, &mut contents)?;
        device.free(address)?;
        out.push(contents);
    }
    Ok(out)
}

/// The kernel runs under every schedule, and `b0` holds `want` in its first long.
///
/// # Panics
/// Where it does not.
pub fn passes(what: &str, kernel: &str, grid: u32, sizes: &[usize], want: u64) {
    for seed in 0..SEEDS {
        let out = run(kernel, grid, sizes, seed).unwrap_or_else(|e| panic!("{what}, seed {seed}: {e}"));
        assert_eq!(u64::from_le_bytes(out[0][..8].try_into().expect("8 bytes")), want, "{what}, seed {seed}");
    }
}

/// The kernel is reported under every schedule, in words that hold each of `parts`.
///
/// # Panics
/// Where it is not.
pub fn reported(what: &str, kernel: &str, grid: u32, sizes: &[usize], parts: &[&str]) {
    for seed in 0..SEEDS {
        let told = run(kernel, grid, sizes, seed).expect_err(what);
        assert!(parts.iter().all(|p| told.contains(p)), "{what}, seed {seed}: {told}");
    }
}

/// What the kernel leaves in the first word of `b0` under each of `seeds` schedules.
///
/// # Panics
/// Where it is reported.
pub fn seen(what: &str, kernel: &str, grid: u32, sizes: &[usize], seeds: u64) -> Vec<u32> {
    let first = |seed| {
        let out = run(kernel, grid, sizes, seed).unwrap_or_else(|e| panic!("{what}, seed {seed}: {e}"));
        u32::from_le_bytes(out[0][..4].try_into().expect("4 bytes"))
    };
    (0..seeds).map(first).collect()
}
