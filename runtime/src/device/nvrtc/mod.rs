//! NVRTC, NVIDIA's run-time compiler: finding it, loading it by path, and compiling units with it.
//!
//! It needs no driver and no GPU. Nothing here panics when it is missing or broken: every such case is an
//! [`NvrtcError`] that says what was tried.

mod calls;
mod find;
mod ptxas;

pub use ptxas::{Resources, resources};

use crate::error::warn;
use calls::{Calls, Get, Program, Size, Status};
use std::ffi::{CStr, CString, c_char, c_int};
use std::path::{Path, PathBuf};
use std::sync::{Once, OnceLock};

/// Why there is no compiled code.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NvrtcError {
    /// There is no library in any of the usual places.
    #[error(
        "NVRTC is not installed: `make nvrtc` fetches it, or set QFUSE_NVRTC to libnvrtc.so or its folder"
    )]
    Missing,
    /// A library is there and does not load, or lacks a function.
    #[error("{path}: {message}")]
    Broken {
        /// Which file.
        path: String,
        /// The loader's words.
        message: String,
    },
    /// NVRTC refused the text or the options.
    #[error("NVRTC: {code}\n{log}")]
    Compile {
        /// Its own name for the error.
        code: String,
        /// Its log.
        log: String,
    },
    /// The GPU is older than anything that this NVRTC compiles for.
    #[error("NVRTC {}.{} compiles for no GPU of compute capability {}.{}", .version.0, .version.1, .arch / 10, .arch % 10)]
    Arch {
        /// The library's version.
        version: (i32, i32),
        /// The GPU's architecture, as `90`.
        arch: u32,
    },
}

/// Leaves out declarations of what no unit uses. `--Ofast-compile=min` would save a quarter more, but kernels then run
/// up to twice as many instructions.
const MINIMAL: &str = "--minimal";
/// Has several threads turn a unit's kernels into machine code. The code may differ from what one thread makes, not in
/// what it computes.
const SPLIT: &str = "--split-compile=4";
/// The first version that is known to have them.
const KNOWN: (i32, i32) = (13, 0);

/// What to compile to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// PTX for a virtual architecture, `90` being `compute_90`.
    Ptx(u32),
    /// The same with the lines of the text.
    LinedPtx(u32),
    /// Machine code for an architecture, `90` being `sm_90`.
    Cubin(u32),
}

impl Target {
    /// The options that every NVRTC gets. `--fmad=false` keeps q's bits: a product and a sum round one by one.
    pub fn options(self) -> Vec<String> {
        let (kind, arch, more) = match self {
            Target::Ptx(arch) => ("compute", arch, None),
            Target::LinedPtx(arch) => ("compute", arch, Some("--generate-line-info")),
            Target::Cubin(arch) => ("sm", arch, Some("--ptxas-options=-v")),
        };
        let arch = format!("--gpu-architecture={kind}_{arch}");
        let common = [arch, "--fmad=false".into(), "--std=c++17".into()];
        common.into_iter().chain(more.map(String::from)).collect()
    }

    /// The architecture.
    pub fn arch(self) -> u32 {
        match self {
            Target::Ptx(arch) | Target::LinedPtx(arch) | Target::Cubin(arch) => arch,
        }
    }

    /// What to compile to for a GPU of architecture `arch` with a library that knows `known`: machine code of its
    /// own, else of an older one of its family, which its hardware runs, else PTX, which its driver compiles.
    fn suited(arch: u32, known: &[u32]) -> Option<Target> {
        let older = known.iter().copied().filter(|&k| k <= arch).max()?;
        Some(if older / 10 == arch / 10 { Target::Cubin(older) } else { Target::Ptx(older) })
    }
}

/// Compiled code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compiled {
    /// PTX text (without its final zero byte) or an ELF image.
    pub image: Vec<u8>,
    /// What NVRTC and ptxas said.
    pub log: String,
}

impl Compiled {
    /// What each kernel takes, where it was compiled to machine code.
    pub fn resources(&self) -> Vec<Resources> {
        resources(&self.log)
    }
}

/// A loaded NVRTC.
#[derive(Debug)]
pub struct Nvrtc {
    /// The library's file, or its bare name where the loader found it.
    pub path: PathBuf,
    /// Major and minor version.
    pub version: (i32, i32),
    /// The architectures that it knows, as `90`.
    pub archs: Vec<u32>,
    /// Bytes of the library's file, which tell builds of one version apart; 0 where only the loader knows the file.
    pub bytes: u64,
    /// Its functions, once it is loaded.
    calls: OnceLock<Result<Calls, NvrtcError>>,
}

/// The NVRTC of this process: the first that is found and loads, or that the cache knows to load. The latter is
/// loaded when it has to compile.
///
/// # Errors
/// [`NvrtcError::Missing`], or why the one that is there does not load.
pub fn nvrtc() -> Result<&'static Nvrtc, NvrtcError> {
    static FOUND: OnceLock<Result<Nvrtc, NvrtcError>> = OnceLock::new();
    let open = |path: &Path| crate::cache::known(path).map_or_else(|| Nvrtc::open(path), Ok);
    FOUND.get_or_init(|| find::find(open)).as_ref().map_err(Clone::clone)
}

impl Nvrtc {
    /// Loads the library `path`: a file, or a bare name that the loader finds.
    ///
    /// # Errors
    /// [`NvrtcError::Broken`] where it does not load or lacks a function.
    pub fn open(path: &Path) -> Result<Nvrtc, NvrtcError> {
        let calls = load(path)?;
        let bytes = std::fs::metadata(path).map_or(0, |m| m.len());
        let (version, archs) = (calls.asked_version(), calls.asked_archs());
        Ok(Nvrtc { path: path.into(), version, archs, bytes, calls: OnceLock::from(Ok(calls)) })
    }

    /// The library `path` of `bytes` bytes, of which all is known: it is loaded when it has to compile.
    pub fn known(path: &Path, version: (i32, i32), archs: Vec<u32>, bytes: u64) -> Nvrtc {
        Nvrtc { path: path.into(), version, archs, bytes, calls: OnceLock::new() }
    }

    /// Is the library loaded?
    pub fn is_loaded(&self) -> bool {
        self.calls.get().is_some()
    }

    /// Loads the library unless it is.
    ///
    /// # Errors
    /// As [`Nvrtc::open`]; and where it is of another version than was known of it.
    pub fn ready(&self) -> Result<(), NvrtcError> {
        self.calls().map(drop)
    }

    fn calls(&self) -> Result<Calls, NvrtcError> {
        let loaded = self.calls.get_or_init(|| {
            let calls = load(&self.path)?;
            if calls.asked_version() == self.version {
                return Ok(calls);
            }
            Err(NvrtcError::Broken {
                path: self.path.display().to_string(),
                message: format!("it was NVRTC {}.{} and is another", self.version.0, self.version.1),
            })
        });
        loaded.clone()
    }

    /// What to compile to for a GPU of architecture `arch`, `90` being compute capability 9.0. Where the library
    /// does not know it, what comes nearest, and one warning in the life of the process.
    ///
    /// # Errors
    /// [`NvrtcError::Arch`] for a GPU older than all that the library knows.
    pub fn target(&self, arch: u32) -> Result<Target, NvrtcError> {
        let suited = Target::suited(arch, &self.archs);
        let target = suited.ok_or(NvrtcError::Arch { version: self.version, arch })?;
        if target != Target::Cubin(arch) {
            static WARNED: Once = Once::new();
            WARNED.call_once(|| {
                let (major, minor) = self.version;
                warn(format_args!(
                    "NVRTC {major}.{minor} does not know architecture {arch}: {target:?} instead"
                ));
            });
        }
        Ok(target)
    }

    /// The newest virtual architecture that the library knows and a GPU of architecture `arch` runs.
    ///
    /// # Errors
    /// As [`Nvrtc::target`].
    pub fn ptx_target(&self, arch: u32) -> Result<Target, NvrtcError> {
        self.target(arch).map(|t| Target::Ptx(t.arch()))
    }

    /// Machine code for `arch` or, where there is none, for the newest that is like it: for looking at, not to run.
    ///
    /// # Errors
    /// As [`Nvrtc::target`].
    pub fn machine_target(&self, arch: u32) -> Result<Target, NvrtcError> {
        self.target(arch).map(|t| Target::Cubin(t.arch()))
    }

    /// All options that the library gets for a target, as far as its version has them.
    pub fn options(&self, target: Target) -> Vec<String> {
        let split = Some(SPLIT).filter(|_| matches!(target, Target::Cubin(_)));
        let more = std::iter::once(MINIMAL).chain(split).filter(|_| self.version >= KNOWN);
        target.options().into_iter().chain(more.map(String::from)).collect()
    }

    /// Compiles a unit. `name` is what messages call the text.
    ///
    /// # Errors
    /// [`NvrtcError::Compile`] with NVRTC's log.
    pub fn compile(&self, name: &str, text: &str, target: Target) -> Result<Compiled, NvrtcError> {
        let calls = self.calls()?;
        let text = c_string(text)?;
        let name = c_string(name)?;
        let options = self.options(target);
        let options = options.iter().map(|o| c_string(o)).collect::<Result<Vec<_>, _>>()?;
        let pointers: Vec<*const c_char> = options.iter().map(|o| o.as_ptr()).collect();
        let mut program = std::ptr::null_mut();
        // SAFETY: text, name and options are C strings that outlive the calls; there are no headers, so those
        // arrays may be null; the program is destroyed once, below.
        let status = unsafe {
            (calls.create)(&mut program, text.as_ptr(), name.as_ptr(), 0, std::ptr::null(), std::ptr::null())
        };
        if status != 0 {
            return Err(failed(calls, status, String::new()));
        }
        // SAFETY: as above; `pointers` has as many options as it is said to have.
        let status = unsafe { (calls.compile)(program, pointers.len() as c_int, pointers.as_ptr()) };
        let log = bytes(program, calls.log).unwrap_or_default();
        let log = String::from_utf8_lossy(&log).trim_end_matches(['\0', '\n']).to_string();
        let machine = matches!(target, Target::Cubin(_));
        let image = bytes(program, if machine { calls.cubin } else { calls.ptx });
        // SAFETY: `program` was created above and is not used again.
        unsafe { (calls.destroy)(&mut program) };
        if status != 0 {
            return Err(failed(calls, status, log));
        }
        let mut image = image.map_err(|status| failed(calls, status, log.clone()))?;
        if !machine && image.last() == Some(&0) {
            image.pop();
        }
        Ok(Compiled { image, log })
    }
}

/// The functions of the library `path`.
fn load(path: &Path) -> Result<Calls, NvrtcError> {
    let broken = |e: String| NvrtcError::Broken { path: path.display().to_string(), message: e };
    // NVRTC opens its builtins by bare name: loaded before, they are found wherever they lie.
    if let Some(folder) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
        for builtins in find::builtins_in(folder) {
            std::mem::forget(calls::load(&builtins).map_err(&broken)?);
        }
    }
    let library = calls::load(path).map_err(&broken)?;
    let calls = Calls::of(&library).map_err(&broken)?;
    std::mem::forget(library);
    Ok(calls)
}

/// One of the program's byte strings.
fn bytes(program: Program, (size, get): (Size, Get)) -> Result<Vec<u8>, Status> {
    let mut len = 0;
    // SAFETY: `program` is alive; the buffer has the length that the library asks for.
    unsafe {
        match size(program, &mut len) {
            0 => {}
            status => return Err(status),
        }
        let mut bytes = vec![0u8; len];
        match get(program, bytes.as_mut_ptr().cast()) {
            0 => Ok(bytes),
            status => Err(status),
        }
    }
}

fn failed(calls: Calls, status: Status, log: String) -> NvrtcError {
    // SAFETY: the library returns a static C string for every status.
    let code = unsafe { CStr::from_ptr((calls.error)(status)) };
    NvrtcError::Compile { code: code.to_string_lossy().into_owned(), log }
}

fn c_string(text: &str) -> Result<CString, NvrtcError> {
    CString::new(text)
        .map_err(|_| NvrtcError::Compile { code: "a zero byte in the text".into(), log: String::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn architectures_are_clamped_to_what_runs() {
        let known = [75, 80, 86, 90, 100, 120];
        let suited = |arch| Target::suited(arch, &known);
        assert_eq!(suited(90), Some(Target::Cubin(90)));
        assert_eq!(suited(89), Some(Target::Cubin(86)), "an older machine code of the family runs");
        assert_eq!(suited(103), Some(Target::Cubin(100)));
        assert_eq!(suited(110), Some(Target::Ptx(100)), "of another family only PTX does");
        assert_eq!(suited(200), Some(Target::Ptx(120)));
        assert_eq!(suited(70), None);
        assert_eq!(Target::suited(90, &[]), None);
        let error = NvrtcError::Arch { version: (13, 0), arch: 70 };
        assert!(error.to_string().ends_with("no GPU of compute capability 7.0"), "{error}");
    }

    #[test]
    fn every_target_keeps_the_bits() {
        for target in [Target::Ptx(90), Target::LinedPtx(90), Target::Cubin(90)] {
            assert!(target.options().contains(&"--fmad=false".to_string()));
        }
        assert_eq!(Target::Cubin(75).options()[0], "--gpu-architecture=sm_75");
        assert_eq!(Target::Ptx(75).options()[0], "--gpu-architecture=compute_75");
    }
}
