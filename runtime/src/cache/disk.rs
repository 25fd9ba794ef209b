//! Compiled code on disk: a private folder with a file for each key.
//!
//! A file is written under a temporary name, flushed to the disk and renamed, so that no reader and no power cut
//! sees a part of it; that a rename itself may be lost costs a compile. The time of last use is the file's time
//! of modification. Where the files take more than is allowed, those used longest ago leave.

use super::{Counts, Key, Tally, entry};
use crate::device::nvrtc::Compiled;
use crate::error::warn;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

/// How file names end.
const ENDING: &str = "kernel";
/// How names of files begin that are not written yet.
const FRESH: &str = ".fresh-";
/// No entry is larger; what is, is no entry.
const LARGEST: u64 = 64 << 20;
/// What a process allows the folder to hold where `QFUSE_CACHE_MB` does not say.
const MEGABYTES: u64 = 256;

/// A folder of compiled code, or none where the cache is switched off.
#[derive(Debug)]
pub struct Disk {
    folder: Option<PathBuf>,
    most: u64,
    /// Bytes in the folder, once they were counted, with what was written since. Other processes write too.
    held: Mutex<Option<u64>>,
    tally: Tally,
    defect: OnceLock<String>,
}

/// One file of the folder.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Where it is.
    pub path: PathBuf,
    /// Its bytes.
    pub bytes: u64,
    /// When it was last used.
    pub used: SystemTime,
}

/// The folder of this process: `QFUSE_CACHE` if it is set, and none if that is `off`; else `qfuse/kernels` below
/// `XDG_CACHE_HOME` or `~/.cache`, and none for a user without a home.
fn folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    match set("QFUSE_CACHE") {
        Some(named) if named.as_os_str() == "off" => None,
        Some(named) => Some(named),
        None => {
            let caches = set("XDG_CACHE_HOME").filter(|p| p.is_absolute());
            Some(caches.or_else(|| Some(set("HOME")?.join(".cache")))?.join("qfuse/kernels"))
        }
    }
}

impl Disk {
    /// The folder `folder`, which is made when it is first needed, for at most `most` bytes.
    pub fn new(folder: Option<PathBuf>, most: u64) -> Disk {
        Disk { folder, most, held: Mutex::default(), tally: Tally::default(), defect: OnceLock::new() }
    }

    /// The disk that this process uses.
    pub fn process() -> &'static Disk {
        static DISK: OnceLock<Disk> = OnceLock::new();
        DISK.get_or_init(|| {
            let set = std::env::var("QFUSE_CACHE_MB").ok().and_then(|m| m.parse::<u64>().ok());
            Disk::new(folder(), set.unwrap_or(MEGABYTES).saturating_mul(1 << 20))
        })
    }

    /// The code of `key`; where it is not there or not sound, `make` makes it and it is kept. `about` says what it
    /// is, for people who look into the folder.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn get_or<E>(
        &self,
        key: &Key,
        about: &str,
        make: impl FnOnce() -> Result<Compiled, E>,
    ) -> Result<Compiled, E> {
        if let Some(code) = self.get(key) {
            self.tally.hit();
            return Ok(code);
        }
        let code = self.tally.miss(make)?;
        self.put(key, about, &code);
        Ok(code)
    }

    /// The code of `key` if it is there and sound.
    pub fn get(&self, key: &Key) -> Option<Compiled> {
        let folder = self.folder.as_deref()?;
        match is_private(folder) {
            Ok(true) => {}
            Ok(false) => return None,
            Err(what) => {
                self.warn(folder, &what);
                return None;
            }
        }
        let path = path(folder, key);
        read(&path, key).unwrap_or_else(|what| {
            self.warn(&path, &what);
            // Where it stays, it is found again to be no entry.
            let _ = fs::remove_file(&path);
            None
        })
    }

    /// Keeps the code of `key`.
    pub fn put(&self, key: &Key, about: &str, code: &Compiled) {
        let Some(folder) = self.folder.as_deref() else { return };
        let bytes = entry::encode(key, about, code);
        if bytes.len() as u64 > LARGEST.min(self.most) {
            return;
        }
        let written = write(folder, key, |file| file.write_all(&bytes));
        let room = || self.make_room(folder, bytes.len() as u64).map_err(|e| e.to_string());
        if let Err(what) = written.and_then(|()| room()) {
            self.warn(folder, &what);
        }
    }

    /// Counts `size` more bytes, and removes what was used longest ago where they are too many.
    fn make_room(&self, folder: &Path, size: u64) -> io::Result<()> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let now = held.map_or(u64::MAX, |h| h.saturating_add(size));
        if now <= self.most {
            *held = Some(now);
            return Ok(());
        }
        let mut all = self.list()?;
        all.sort_by_key(|k| k.used);
        let mut left: u64 = all.iter().map(|k| k.bytes).sum();
        // Some room to spare, so that not every write has to look again.
        let goal = if left > self.most { self.most / 4 * 3 } else { self.most };
        for kept in all {
            if left <= goal {
                break;
            }
            // Another process may have been faster.
            if fs::remove_file(&kept.path).is_ok() {
                self.tally.evicted(1);
            }
            left -= kept.bytes;
        }
        *held = Some(left);
        remove_abandoned(folder);
        Ok(())
    }

    /// The entries, in no order; none where the folder is not there.
    ///
    /// # Errors
    /// Where the folder cannot be read.
    pub fn list(&self) -> io::Result<Vec<Kept>> {
        let Some(folder) = &self.folder else { return Ok(vec![]) };
        let files = match fs::read_dir(folder) {
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(vec![]),
            files => files?,
        };
        let kept = |path: PathBuf| {
            let about = fs::symlink_metadata(&path).ok()?;
            Some(Kept { path, bytes: about.len(), used: about.modified().ok()? })
        };
        let paths = files.flatten().map(|f| f.path()).filter(|p| p.extension() == Some(OsStr::new(ENDING)));
        Ok(paths.filter_map(kept).collect())
    }

    /// Removes every entry and says how many there were.
    ///
    /// # Errors
    /// Where the folder or an entry resists.
    pub fn clear(&self) -> io::Result<usize> {
        let all = self.list()?;
        all.iter().try_for_each(|k| match fs::remove_file(&k.path) {
            Err(e) if e.kind() != ErrorKind::NotFound => Err(e),
            _ => Ok(()),
        })?;
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(all.len())
    }

    /// The folder.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The bytes that it may hold.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// How it did.
    pub fn counts(&self) -> Counts {
        self.tally.counts()
    }

    /// The first defect that was met, as it was warned of.
    pub fn defect(&self) -> Option<&str> {
        self.defect.get().map(String::as_str)
    }

    /// Tells the first defect.
    fn warn(&self, path: &Path, what: &str) {
        self.defect.get_or_init(|| {
            let defect = format!("{}: {what}", path.display());
            warn(format_args!(
                "kernel cache: {defect}; kernels are compiled anew (QFUSE_CACHE=off goes without)"
            ));
            defect
        });
    }
}

fn path(folder: &Path, key: &Key) -> PathBuf {
    folder.join(format!("{key}.{ENDING}"))
}

/// False where the folder is not there yet.
///
/// # Errors
/// Where others could have written what is in it.
fn is_private(folder: &Path) -> Result<bool, String> {
    let about = match fs::metadata(folder) {
        Ok(about) => about,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(false),
        Err(e) => return Err(e.to_string()),
    };
    match about {
        a if !a.is_dir() => Err("no folder".into()),
        a if a.uid() != me() => Err("the folder is another user's".into()),
        a if a.mode() & 0o77 != 0 => Err("the folder is open to others: chmod 700 closes it".into()),
        _ => Ok(true),
    }
}

/// The user that files must belong to.
fn me() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// The code in the file `path` of `key`; none where there is no file.
///
/// # Errors
/// What is wrong with it.
fn read(path: &Path, key: &Key) -> Result<Option<Compiled>, String> {
    let about = match fs::symlink_metadata(path) {
        Ok(about) => about,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e.to_string()),
    };
    if !about.is_file() || about.uid() != me() || about.len() > LARGEST {
        return Err("no file of this cache".into());
    }
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        // Another process has removed it just now.
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e.to_string()),
    };
    let code = entry::decode(key, &bytes)?.code;
    // Where this fails, the entry only seems older than it is.
    let _ = File::open(path).and_then(|f| f.set_modified(SystemTime::now()));
    Ok(Some(code))
}

/// Writes an entry with `write`, whole or not at all.
fn write(folder: &Path, key: &Key, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), String> {
    let say = |e: io::Error| e.to_string();
    if !is_private(folder)? {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(say)?;
        is_private(folder)?;
    }
    let mut fresh = tempfile::Builder::new().prefix(FRESH).tempfile_in(folder).map_err(say)?;
    write(fresh.as_file_mut()).map_err(say)?;
    fresh.as_file().sync_all().map_err(say)?;
    fresh.persist(path(folder, key)).map(drop).map_err(|e| say(e.error))
}

/// Removes what processes left that ended while they wrote.
fn remove_abandoned(folder: &Path) {
    let hour = Duration::from_secs(3600);
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        let age = || file.metadata().ok()?.modified().ok()?.elapsed().ok();
        let fresh = file.file_name().as_encoded_bytes().starts_with(FRESH.as_bytes());
        if fresh && age().is_some_and(|a| a > hour) {
            let _ = fs::remove_file(file.path());
        }
    }
}
