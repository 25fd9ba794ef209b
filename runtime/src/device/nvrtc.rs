//! NVRTC, NVIDIA's run-time compiler: finding it, loading it by path, and compiling units with it.
//!
//! It needs no driver and no GPU. Nothing here panics when it is missing or broken: every such case is an
//! [`NvrtcError`] that says what was tried.

use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_int};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

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
}

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

/// Compiled code.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// PTX text (without its final zero byte) or an ELF image.
    pub image: Vec<u8>,
    /// What NVRTC and ptxas said.
    pub log: String,
}

/// What ptxas says that a kernel takes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Resources {
    /// The entry's name.
    pub kernel: String,
    /// Registers a thread.
    pub registers: u32,
    /// Bytes of static shared memory a block.
    pub shared: u32,
    /// Bytes of stack a thread.
    pub stack: u32,
    /// Bytes that registers are spilled to a thread's memory with, stores and loads.
    pub spills: u32,
}

type Program = *mut std::ffi::c_void;
type Status = c_int;

/// A loaded NVRTC.
#[derive(Debug)]
pub struct Nvrtc {
    /// The library's file, or its bare name where the loader found it.
    pub path: PathBuf,
    /// Major and minor version.
    pub version: (i32, i32),
    /// The architectures that it knows, as `90`.
    pub archs: Vec<u32>,
    calls: Calls,
}

/// The functions of the library that we use. They stay valid, since libraries are never unloaded.
#[derive(Clone, Copy, Debug)]
struct Calls {
    error: unsafe extern "C" fn(Status) -> *const c_char,
    version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> Status,
    arch_count: unsafe extern "C" fn(*mut c_int) -> Status,
    archs: unsafe extern "C" fn(*mut c_int) -> Status,
    create: unsafe extern "C" fn(
        *mut Program,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> Status,
    destroy: unsafe extern "C" fn(*mut Program) -> Status,
    compile: unsafe extern "C" fn(Program, c_int, *const *const c_char) -> Status,
    log: (Size, Get),
    ptx: (Size, Get),
    cubin: (Size, Get),
}

type Size = unsafe extern "C" fn(Program, *mut usize) -> Status;
type Get = unsafe extern "C" fn(Program, *mut c_char) -> Status;

/// The NVRTC of this process: the first that is found and loads.
///
/// # Errors
/// [`NvrtcError::Missing`], or why the one that is there does not load.
pub fn nvrtc() -> Result<&'static Nvrtc, NvrtcError> {
    static FOUND: OnceLock<Result<Nvrtc, NvrtcError>> = OnceLock::new();
    FOUND.get_or_init(find).as_ref().map_err(Clone::clone)
}

fn find() -> Result<Nvrtc, NvrtcError> {
    if let Some(named) = std::env::var_os("QFUSE_NVRTC").filter(|v| !v.is_empty()) {
        let named = PathBuf::from(named);
        return Nvrtc::open(&library_in(&named).unwrap_or(named));
    }
    let mut broken = None;
    for path in folders().iter().filter_map(|folder| library_in(folder)) {
        match Nvrtc::open(&path) {
            Ok(found) => return Ok(found),
            Err(error) => broken = broken.or(Some(error)),
        }
    }
    // What the loader itself finds. That there is none is no defect of a file.
    for name in ["libnvrtc.so.13", "libnvrtc.so", "libnvrtc.so.12"] {
        if let Ok(found) = Nvrtc::open(Path::new(name)) {
            return Ok(found);
        }
    }
    Err(broken.unwrap_or(NvrtcError::Missing))
}

/// The folders to look in, best first: the project's own, CUDA's, and the wheels of Python installations.
fn folders() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    let here = [std::env::current_dir().ok(), std::env::current_exe().ok()];
    for dir in here.iter().flatten().flat_map(|p| p.ancestors()) {
        folders.extend(wheels(&dir.join(".nvrtc")));
    }
    let cuda = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    for dir in cuda.chain(["/usr/local/cuda".into(), "/opt/cuda".into()]) {
        folders.extend(
            ["lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"].map(|l| dir.join(l)),
        );
    }
    let home = std::env::var_os("HOME").map(|h| PathBuf::from(h).join(".local"));
    let env = std::env::var_os("VIRTUAL_ENV").map(PathBuf::from);
    for prefix in [env, home, Some("/usr/local".into()), Some("/usr".into())].into_iter().flatten() {
        for python in entries(&prefix.join("lib")).into_iter().filter(|p| file_name(p).starts_with("python"))
        {
            folders
                .extend(["site-packages", "dist-packages"].into_iter().flat_map(|s| wheels(&python.join(s))));
        }
    }
    folders
}

/// Where the wheels of CUDA 13 and 12 put the library below a folder of packages.
fn wheels(packages: &Path) -> [PathBuf; 2] {
    [packages.join("nvidia/cu13/lib"), packages.join("nvidia/cuda_nvrtc/lib")]
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    all.sort();
    all
}

fn file_name(path: &Path) -> &str {
    path.file_name().and_then(|n| n.to_str()).unwrap_or("")
}

/// The newest NVRTC in a folder.
fn library_in(folder: &Path) -> Option<PathBuf> {
    entries(folder).into_iter().rfind(|p| file_name(p).starts_with("libnvrtc.so"))
}

impl Nvrtc {
    /// Loads the library `path`: a file, or a bare name that the loader finds.
    ///
    /// # Errors
    /// [`NvrtcError::Broken`] where it does not load or lacks a function.
    pub fn open(path: &Path) -> Result<Nvrtc, NvrtcError> {
        let broken = |e: String| NvrtcError::Broken { path: path.display().to_string(), message: e };
        // NVRTC opens its builtins by bare name: loaded before, they are found wherever they lie.
        if let Some(folder) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
            for builtins in entries(folder) {
                let name = file_name(&builtins);
                if name.starts_with("libnvrtc-builtins.so") && !name.contains(".alt") {
                    std::mem::forget(load(&builtins).map_err(&broken)?);
                }
            }
        }
        let library = load(path).map_err(&broken)?;
        let calls = Calls::of(&library).map_err(&broken)?;
        std::mem::forget(library);
        let (mut major, mut minor, mut count) = (0, 0, 0);
        // SAFETY: the functions have NVRTC's documented signatures and write one int each; `archs` has room for
        // the count that the library gave.
        let archs = unsafe {
            (calls.version)(&mut major, &mut minor);
            (calls.arch_count)(&mut count);
            let mut archs = vec![0; usize::try_from(count).unwrap_or(0)];
            (calls.archs)(archs.as_mut_ptr());
            archs
        };
        let archs = archs.into_iter().filter_map(|a| u32::try_from(a).ok()).collect();
        Ok(Nvrtc { path: path.into(), version: (major, minor), archs, calls })
    }

    /// Compiles a unit. `name` is what messages call the text.
    ///
    /// # Errors
    /// [`NvrtcError::Compile`] with NVRTC's log.
    pub fn compile(&self, name: &str, text: &str, target: Target) -> Result<Compiled, NvrtcError> {
        let text = c_string(text)?;
        let name = c_string(name)?;
        let arch = match target {
            Target::Ptx(arch) | Target::LinedPtx(arch) => format!("--gpu-architecture=compute_{arch}"),
            Target::Cubin(arch) => format!("--gpu-architecture=sm_{arch}"),
        };
        let mut options = vec![arch, "--fmad=false".into(), "--std=c++17".into()];
        if matches!(target, Target::LinedPtx(_)) {
            options.push("--generate-line-info".into());
        }
        if matches!(target, Target::Cubin(_)) {
            options.push("--ptxas-options=-v".into());
        }
        let options = options.iter().map(|o| c_string(o)).collect::<Result<Vec<_>, _>>()?;
        let pointers: Vec<*const c_char> = options.iter().map(|o| o.as_ptr()).collect();
        let mut program = std::ptr::null_mut();
        // SAFETY: text, name and options are C strings that outlive the calls; there are no headers, so those
        // arrays may be null; the program is destroyed once, below.
        let status = unsafe {
            (self.calls.create)(
                &mut program,
                text.as_ptr(),
                name.as_ptr(),
                0,
                std::ptr::null(),
                std::ptr::null(),
            )
        };
        if status != 0 {
            return Err(self.failed(status, String::new()));
        }
        // SAFETY: as above; `pointers` has as many options as it is said to have.
        let status = unsafe { (self.calls.compile)(program, pointers.len() as c_int, pointers.as_ptr()) };
        let log = self.bytes(program, self.calls.log).unwrap_or_default();
        let log = String::from_utf8_lossy(&log).trim_end_matches(['\0', '\n']).to_string();
        let machine = matches!(target, Target::Cubin(_));
        let image = self.bytes(program, if machine { self.calls.cubin } else { self.calls.ptx });
        // SAFETY: `program` was created above and is not used again.
        unsafe { (self.calls.destroy)(&mut program) };
        if status != 0 {
            return Err(self.failed(status, log));
        }
        let mut image = image.map_err(|status| self.failed(status, log.clone()))?;
        if !machine && image.last() == Some(&0) {
            image.pop();
        }
        Ok(Compiled { image, log })
    }

    /// One of the program's byte strings.
    fn bytes(&self, program: Program, (size, get): (Size, Get)) -> Result<Vec<u8>, Status> {
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

    fn failed(&self, status: Status, log: String) -> NvrtcError {
        // SAFETY: the library returns a static C string for every status.
        let code = unsafe { CStr::from_ptr((self.calls.error)(status)) };
        NvrtcError::Compile { code: code.to_string_lossy().into_owned(), log }
    }
}

fn c_string(text: &str) -> Result<CString, NvrtcError> {
    CString::new(text)
        .map_err(|_| NvrtcError::Compile { code: "a zero byte in the text".into(), log: String::new() })
}

fn load(path: &Path) -> Result<Library, String> {
    // SAFETY: NVRTC and its builtins run nothing but their own initialisers when they are loaded.
    unsafe { Library::new(path) }.map_err(|e| e.to_string())
}

impl Calls {
    fn of(library: &Library) -> Result<Calls, String> {
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
}

/// A function of the library.
///
/// # Safety
/// `F` must be the function's type.
unsafe fn symbol<F: Copy>(library: &Library, name: &str) -> Result<F, String> {
    // SAFETY: the caller vouches for the type.
    unsafe { library.get::<F>(name.as_bytes()) }.map(|s| *s).map_err(|e| e.to_string())
}

/// Reads ptxas's report out of the log of a compile to machine code.
pub fn resources(log: &str) -> Vec<Resources> {
    let mut all: Vec<Resources> = Vec::new();
    for line in log.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            let kernel = rest.split('\'').next().unwrap_or("").to_string();
            all.push(Resources { kernel, ..Resources::default() });
        }
        let Some(last) = all.last_mut() else { continue };
        let number = |unit: &str| {
            let before = line.split_once(unit)?.0;
            before.rsplit([' ', ',']).find(|w| !w.is_empty())?.parse::<u32>().ok()
        };
        last.registers = number(" registers").unwrap_or(last.registers);
        last.shared = number(" bytes smem").unwrap_or(last.shared);
        last.stack = number(" bytes stack frame").unwrap_or(last.stack);
        last.spills += number(" bytes spill stores").unwrap_or(0) + number(" bytes spill loads").unwrap_or(0);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_is_read_line_by_line() {
        let log = "ptxas info    : 0 bytes gmem\n\
            ptxas info    : Compiling entry function 'k0' for 'sm_90'\n\
            ptxas info    : Function properties for k0\n    \
            808 bytes stack frame, 1980 bytes spill stores, 2332 bytes spill loads\n\
            ptxas info    : Used 32 registers, used 1 barriers, 128 bytes smem, 400 bytes cmem[0]\n\
            ptxas info    : Compiling entry function 'k0_end' for 'sm_90'\n    \
            0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n\
            ptxas info    : Used 8 registers, used 0 barriers\n";
        let k0 = Resources { kernel: "k0".into(), registers: 32, shared: 128, stack: 808, spills: 4312 };
        let end = Resources { kernel: "k0_end".into(), registers: 8, ..Resources::default() };
        assert_eq!(resources(log), [k0, end]);
        assert_eq!(resources("nothing of ptxas"), []);
    }

    #[test]
    fn what_is_no_library_is_an_error() {
        let dir = std::env::temp_dir().join(format!("qfuse-nvrtc-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let file = dir.join("libnvrtc.so.13");
        std::fs::write(&file, "no library").unwrap();
        assert_eq!(library_in(&dir), Some(file.clone()));
        let error = Nvrtc::open(&file).unwrap_err();
        assert!(matches!(error, NvrtcError::Broken { .. }), "{error}");
        assert!(error.to_string().contains("libnvrtc.so.13"));
        std::fs::remove_dir_all(&dir).unwrap();
        assert!(Nvrtc::open(&file).is_err());
    }
}
