//! What is known of an NVRTC that compiled for us before, beside the code that it made: where all code is on disk,
//! the library itself need not be loaded, which takes longer than to load the code.

use super::{Disk, Key};
use crate::device::nvrtc::{Compiled, Nvrtc};
use std::path::Path;
use std::sync::Once;

/// The library `path`, if its file is the one that compiled for us before.
pub fn known(path: &Path) -> Option<Nvrtc> {
    let told = Disk::process().get(&Key::of_library(path)?)?;
    let bytes = std::fs::metadata(path).ok()?.len();
    let told = std::str::from_utf8(&told.image).ok()?;
    let numbers = told.split(' ').map(|n| n.parse::<i32>().ok()).collect::<Option<Vec<_>>>()?;
    let [major, minor, archs @ ..] = &numbers[..] else { return None };
    let archs = archs.iter().filter_map(|&a| u32::try_from(a).ok()).collect();
    Some(Nvrtc::known(path, (*major, *minor), archs, bytes))
}

/// Keeps what is known of a library, once in the life of the process.
pub fn remember(nvrtc: &Nvrtc) {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        let Some(key) = Key::of_library(&nvrtc.path) else { return };
        let (major, minor) = nvrtc.version;
        let archs = nvrtc.archs.iter().map(|&a| a as i32);
        let numbers: Vec<String> = [major, minor].into_iter().chain(archs).map(|n| n.to_string()).collect();
        let about = format!("what NVRTC {major}.{minor} compiles for, at {}", nvrtc.path.display());
        let told = Compiled { image: numbers.join(" ").into_bytes(), log: String::new() };
        Disk::process().put(&key, &about, &told);
    });
}
