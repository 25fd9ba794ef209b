//! NVRTC for tests: where there is none, a test says that it was skipped, by name, past the capture of output.

use runtime::device::nvrtc::{Compiled, Nvrtc, NvrtcError, Target, nvrtc};
use std::io::Write;

/// The NVRTC of this machine; none, and a line on stderr that names the test, where there is none.
///
/// # Panics
/// Where the library that is there is broken.
pub fn found(test: &str) -> Option<&'static Nvrtc> {
    match nvrtc() {
        Ok(found) => Some(found),
        Err(NvrtcError::Missing) => {
            // The handle, unlike `eprintln!`, is not captured by the harness.
            let _ = writeln!(std::io::stderr(), "skipped: {test}: no NVRTC");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// The text compiled, or found compiled in the cache.
///
/// # Panics
/// With NVRTC's log and the name of the text where it does not compile.
pub fn compile(name: &str, text: &str, target: Target) -> Compiled {
    runtime::cache::compiled(text, target).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"))
}
