//! The driver for tests of the CUDA engine: the simulated one of `tests/libcuda`, or the machine's own.

use std::path::PathBuf;

/// Where cargo puts the simulated driver: beside the tests that depend on it.
pub fn path() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its file");
    test.parent().expect("it lies in a folder").join("liblibcuda.so")
}

/// Makes this process use the simulated driver, unless `QFUSE_GPU` asks for the machine's own. To be called before
/// anything asks for an engine.
///
/// # Panics
/// Where the simulated driver cannot be loaded.
pub fn load() {
    if std::env::var_os("QFUSE_GPU").is_none() {
        let path = path();
        runtime::device::cuda::driver::open(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
}
