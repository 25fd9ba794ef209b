//! What compiling leaves behind, so that it is done once.
//!
//! | level | from | to | lives |
//! |---|---|---|---|
//! | [`PlanCache`] | a plan's key | the plan and the engine's module | in a session |
//! | [`Modules`] | a [`Key`] | what an engine made of the code | in a process |
//! | [`Disk`] | a [`Key`] | [`Compiled`] code | in a folder of the user's |
//!
//! A key of the lower levels is a digest of all that the code depends on. Whatever is wrong with a file is a miss
//! and one warning, never a failed query; there are no locks between processes, since entries are written whole
//! and never changed.

mod disk;
pub mod entry;
mod key;
mod known;
mod modules;
mod plans;
mod tally;

pub use disk::{Disk, Kept};
pub use key::Key;
pub use known::known;
pub use modules::Modules;
pub use plans::{Loaded, PlanCache};
pub use tally::{Counts, Tally};

use crate::device::nvrtc::{Compiled, Nvrtc, NvrtcError, Target, nvrtc};

/// The unit `text` compiled for `target`: from disk if it is there, else by NVRTC, and then it is.
///
/// # Errors
/// NVRTC's, which has to be there even for code that is on disk, since its version is part of the key.
pub fn compiled(text: &str, target: Target) -> Result<Compiled, NvrtcError> {
    let nvrtc = nvrtc()?;
    let key = Key::of(nvrtc, text, target);
    found(nvrtc, &key, text, target)
}

/// As [`compiled`], with the key at hand.
fn found(nvrtc: &Nvrtc, key: &Key, text: &str, target: Target) -> Result<Compiled, NvrtcError> {
    let about = format!("NVRTC {}.{} {}", nvrtc.version.0, nvrtc.version.1, nvrtc.options(target).join(" "));
    Disk::process().get_or(key, &about, || {
        let code = nvrtc.compile("plan.cu", text, target)?;
        known::remember(nvrtc);
        Ok(code)
    })
}
