//! NVRTC's functions, looked up in the library by name, so that a missing one is an error and no panic.

use libloading::Library;
use std::error::Error;
use std::ffi::{c_char, c_int};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

pub(super) type Program = *mut std::ffi::c_void;
pub(super) type Status = c_int;

/// The functions of the library that we use. They stay valid, since libraries are never unloaded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calls {
    pub error: unsafe extern "C" fn(Status) -> *const c_char,
    pub version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> Status,
    pub arch_count: unsafe extern "C" fn(*mut c_int) -> Status,
    pub archs: unsafe extern "C" fn(*mut c_int) -> Status,
    pub create: unsafe extern "C" fn(
        *mut Program,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> Status,
    pub destroy: unsafe extern "C" fn(*mut Program) -> Status,
    pub compile: unsafe extern "C" fn(Program, c_int, *const *const c_char) -> Status,
    pub log: (Size, Get),
    pub ptx: (Size, Get),
    pub cubin: (Size, Get),
}

pub(super) type Size = unsafe extern "C" fn(Program, *mut usize) -> Status;
pub(super) type Get = unsafe extern "C" fn(Program, *mut c_char) -> Status;

/// Loads a library: a file, or a bare name that the loader finds.
pub(super) fn load(path: &Path) -> Result<Library, String> {
    if path.components().count() > 1 {
        whole(path)?;
    }
    // SAFETY: NVRTC and its builtins run nothing but their own initialisers when they are loaded.
    unsafe { Library::new(path) }.map_err(words)
}

/// An error unless the file has all the bytes that its ELF headers speak of. The loader does not look, and a
/// process that touches the missing end of a mapped library is killed.
fn whole(path: &Path) -> Result<(), String> {
    let file = File::open(path).map_err(|e| e.to_string())?;
    let length = file.metadata().map_err(|e| e.to_string())?.len();
    let read = |at: u64, bytes: &mut [u8]| file.read_exact_at(bytes, at).map_err(|_| "cut off".to_string());
    let mut head = [0; 64];
    read(0, &mut head)?;
    if head[..6] != *b"\x7fELF\x02\x01" {
        return Err("no ELF library of 64 bits".into());
    }
    let half = |at: usize| u64::from(u16::from_le_bytes([head[at], head[at + 1]]));
    let (programs, sections) = (word(&head[32..]), word(&head[40..]));
    let mut end = sections.saturating_add(half(58) * half(60));
    for i in 0..half(56) {
        let mut program = [0; 56];
        read(programs.saturating_add(i * half(54)), &mut program)?;
        end = end.max(word(&program[8..]).saturating_add(word(&program[32..])));
    }
    if length < end { Err(format!("cut off: {length} bytes of {end}")) } else { Ok(()) }
}

/// The first eight bytes as a little-endian number.
fn word(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |x, &b| x << 8 | u64::from(b))
}

impl Calls {
    pub fn of(library: &Library) -> Result<Calls, String> {
        // SAFETY: each name is given the type that NVRTC's documentation gives it.
        unsafe {
            Ok(Calls {
                error: symbol(library, "nvrtcGetErrorString")?,
                version: symbol(library, "nvrtcVersion")?,
                arch_count: symbol(library, "nvrtcGetNumSupportedArchs")?,
                archs: symbol(library, "nvrtcGetSupportedArchs")?,
                create: symbol(library, "nvrtcCreateProgram")?,
                destroy: symbol(library, "nvrtcDestroyProgram")?,
                compile: symbol(library, "nvrtcCompileProgram")?,
                log: (symbol(library, "nvrtcGetProgramLogSize")?, symbol(library, "nvrtcGetProgramLog")?),
                ptx: (symbol(library, "nvrtcGetPTXSize")?, symbol(library, "nvrtcGetPTX")?),
                cubin: (symbol(library, "nvrtcGetCUBINSize")?, symbol(library, "nvrtcGetCUBIN")?),
            })
        }
    }

    /// The library's major and minor version.
    pub fn asked_version(&self) -> (i32, i32) {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: the function has NVRTC's documented signature and writes one int each.
        unsafe { (self.version)(&mut major, &mut minor) };
        (major, minor)
    }

    /// The architectures that the library knows.
    pub fn asked_archs(&self) -> Vec<u32> {
        let mut count = 0;
        // SAFETY: the functions have NVRTC's documented signatures; `archs` has room for the count that the library
        // gave.
        let archs = unsafe {
            (self.arch_count)(&mut count);
            let mut archs = vec![0; usize::try_from(count).unwrap_or(0)];
            (self.archs)(archs.as_mut_ptr());
            archs
        };
        archs.into_iter().filter_map(|a| u32::try_from(a).ok()).collect()
    }
}

/// A function of the library.
///
/// # Safety
/// `F` must be the function's type.
unsafe fn symbol<F: Copy>(library: &Library, name: &str) -> Result<F, String> {
    // SAFETY: the caller vouches for the type.
    unsafe { library.get::<F>(name.as_bytes()) }.map(|s| *s).map_err(words)
}

/// What failed, and the loader's own words for it.
fn words(error: libloading::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
