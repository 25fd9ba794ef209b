//! What compiled code depends on, as one digest.

use crate::device::nvrtc::{Nvrtc, Target};
use sha2::{Digest, Sha256};
use std::fmt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The digest of a unit's text, NVRTC's options and version, and this program's version. Two units with one key
/// are the same for all purposes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Key(pub [u8; 32]);

impl Key {
    /// The key of `text` compiled by `nvrtc` for `target`.
    pub fn of(nvrtc: &Nvrtc, text: &str, target: Target) -> Key {
        let version = format!("{:?} {}", nvrtc.version, nvrtc.bytes);
        let options = nvrtc.options(target);
        let parts = [env!("CARGO_PKG_VERSION"), &version].into_iter();
        Key::digest(parts.chain(options.iter().map(String::as_str)).chain([text]))
    }

    /// The key of what is known of the library `path`: whatever changes the file changes it too. None where there is
    /// no file of that name.
    pub fn of_library(path: &Path) -> Option<Key> {
        let about = std::fs::metadata(path).ok().filter(|a| a.is_file())?;
        let times = [about.mtime(), about.mtime_nsec(), about.ctime(), about.ctime_nsec()];
        let identity = format!("{} {} {} {times:?}", about.dev(), about.ino(), about.len());
        let named = format!("{path:?}");
        Some(Key::digest([env!("CARGO_PKG_VERSION"), "library", &named, &identity].into_iter()))
    }

    /// The digest of the parts, each with its length, so that no two lists of parts are one.
    fn digest<'a>(parts: impl Iterator<Item = &'a str>) -> Key {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Key(hash.finalize().into())
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_counts() {
        let key = |parts: &[&'static str]| Key::digest(parts.iter().copied());
        assert_eq!(key(&["a", "b"]), key(&["a", "b"]));
        assert_ne!(key(&["a", "b"]), key(&["ab", ""]));
        assert_ne!(key(&["a", "b"]), key(&["b", "a"]));
        assert_ne!(key(&[]), key(&[""]));
        assert_eq!(key(&[]).to_string(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
