//! A device: a simulator with a stream, which is a list of what is still to be done, and a pool that counts.

use crate::settings::settings;
use sim::{Ptx, Schedule, Simulator, Word};
use std::collections::{HashMap, VecDeque};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

const INVALID_VALUE: c_int = 1;
const OUT_OF_MEMORY: c_int = 2;
const INVALID_PTX: c_int = 218;
const UNSUPPORTED_PTX_VERSION: c_int = 222;
const ILLEGAL_ADDRESS: c_int = 700;
const NOT_SUPPORTED: c_int = 801;

/// A device's state.
pub struct Gpu {
    simulator: Simulator,
    stream: VecDeque<Op>,
    /// Bytes of each buffer that is not freed.
    sizes: HashMap<u64, usize>,
    /// Bytes in buffers.
    pub used: usize,
    /// Bytes that the pool has.
    pub reserved: usize,
    /// The most that it had.
    pub most: usize,
    /// What it may keep beyond use after a wait.
    pub threshold: u64,
    /// The error that ended it.
    pub lost: Option<c_int>,
}

/// What a stream is given.
pub enum Op {
    Up { to: u64, from: *const u8, bytes: usize },
    Down { to: *mut u8, from: u64, bytes: usize },
    Copy { to: u64, from: u64, bytes: usize },
    Fill { to: u64, byte: u8, bytes: usize },
    Host { call: unsafe extern "C" fn(*mut c_void), data: *mut c_void },
    Launch { ptx: Arc<Ptx>, name: String, grid: u32, block: u32, args: Vec<Word> },
    Free(u64),
    Mark(Arc<Mark>),
}

// SAFETY: the pointers are the caller's, who promises a driver that they stay good until the stream has passed.
unsafe impl Send for Op {}

/// A place in a stream, and when it was passed.
#[derive(Default)]
pub struct Mark(OnceLock<Instant>);

impl Mark {
    /// One that is passed already.
    pub fn done() -> Arc<Mark> {
        Arc::new(Mark(Instant::now().into()))
    }

    pub fn is_done(&self) -> bool {
        self.0.get().is_some()
    }

    pub fn time(&self) -> Option<Instant> {
        self.0.get().copied()
    }
}

/// A device by index.
pub fn gpu(index: usize) -> Option<MutexGuard<'static, Gpu>> {
    static GPUS: OnceLock<Vec<Mutex<Gpu>>> = OnceLock::new();
    let all = GPUS.get_or_init(|| (0..settings().devices).map(|_| Mutex::new(Gpu::new())).collect());
    all.get(index).map(|gpu| gpu.lock().unwrap_or_else(PoisonError::into_inner))
}

/// True of the errors that end a device.
pub fn ends(code: c_int) -> bool {
    matches!(code, 46 | 214 | 700 | 702 | 709 | 710 | 714..=719 | 999)
}

impl Gpu {
    fn new() -> Gpu {
        Gpu {
            simulator: Simulator::new(Arc::default(), Schedule::default()),
            stream: VecDeque::new(),
            sizes: HashMap::new(),
            used: 0,
            reserved: 0,
            most: 0,
            threshold: 0,
            lost: None,
        }
    }

    fn alive(&self) -> Result<(), c_int> {
        self.lost.map_or(Ok(()), Err)
    }

    /// Puts work at the end of the stream.
    pub fn send(&mut self, op: Op) -> Result<(), c_int> {
        self.alive()?;
        self.stream.push_back(op);
        Ok(())
    }

    /// True if a launch is under way.
    pub fn launches(&self) -> bool {
        self.lost.is_none() && self.stream.iter().any(|op| matches!(op, Op::Launch { .. }))
    }

    /// A buffer from the pool, at once.
    pub fn allocate(&mut self, bytes: usize) -> Result<u64, c_int> {
        self.alive()?;
        if bytes == 0 {
            return Err(INVALID_VALUE);
        }
        // Memory whose freeing the stream has not come to is still in use.
        if self.used + bytes > settings().memory {
            return Err(OUT_OF_MEMORY);
        }
        self.used += bytes;
        self.reserved = self.reserved.max(self.used);
        self.most = self.most.max(self.reserved);
        let address = self.simulator.allocate("device memory", bytes);
        self.sizes.insert(address, bytes);
        Ok(address)
    }

    /// Gives back what is not in use, beyond `keep`.
    pub fn trim(&mut self, keep: usize) {
        self.reserved = self.used.max(keep.min(self.reserved));
    }

    /// What a pool does at a wait.
    pub fn settle(&mut self) {
        self.trim(usize::try_from(self.threshold).unwrap_or(usize::MAX));
    }

    /// Does all that the stream was given.
    pub fn drain(&mut self) -> Result<(), c_int> {
        self.alive()?;
        while !self.stream.is_empty() {
            self.step()?;
        }
        Ok(())
    }

    /// Does the first of what the stream was given.
    pub fn step(&mut self) -> Result<(), c_int> {
        self.alive()?;
        let Some(op) = self.stream.pop_front() else { return Ok(()) };
        self.perform(op).map_err(|what| {
            eprintln!("libcuda: {what}");
            self.lost = Some(ILLEGAL_ADDRESS);
            ILLEGAL_ADDRESS
        })
    }

    fn perform(&mut self, op: Op) -> Result<(), String> {
        match op {
            Op::Up { to, from, bytes } => {
                // SAFETY: the caller of the driver promised that the bytes stay there until now.
                self.simulator.write(to, unsafe { std::slice::from_raw_parts(from, bytes) })
            }
            Op::Down { to, from, bytes } => {
                // SAFETY: as above, of room for the bytes.
                self.simulator.read(from, unsafe { std::slice::from_raw_parts_mut(to, bytes) })
            }
            Op::Copy { to, from, bytes } => {
                let mut moved = vec![0; bytes];
                self.simulator.read(from, &mut moved)?;
                self.simulator.write(to, &moved)
            }
            Op::Fill { to, byte, bytes } => self.simulator.write(to, &vec![byte; bytes]),
            Op::Host { call, data } => {
                // SAFETY: the caller of the driver promised that the function can be called with it until now.
                unsafe { call(data) };
                Ok(())
            }
            Op::Launch { ptx, name, grid, block, args } => {
                self.simulator.load(ptx)?;
                let ran = self.simulator.launch(&name, grid, block, &args);
                ran.map_err(|what| format!("launch of {name}: {what}"))
            }
            Op::Free(address) => {
                self.used -= self.sizes.remove(&address).unwrap_or(0);
                self.simulator.free(address)
            }
            Op::Mark(mark) => {
                mark.0.get_or_init(Instant::now);
                Ok(())
            }
        }
    }
}

/// A module's code.
pub enum Image {
    /// Text, which can run.
    Ptx(Arc<Ptx>),
    /// Machine code, which cannot.
    Machine,
}

/// A kernel of a module.
pub struct Function {
    ptx: Option<Arc<Ptx>>,
    name: String,
}

impl Image {
    /// Reads a module as the driver gets it.
    ///
    /// # Safety
    /// `image` is an ELF file, or text that ends with a zero.
    pub unsafe fn read(image: *const c_char) -> Result<Image, c_int> {
        // SAFETY: the caller vouches for it; machine code begins with bytes that are not zero, and a zero follows.
        let text = unsafe { CStr::from_ptr(image) };
        if text.to_bytes().starts_with(b"\x7fELF") {
            return Ok(Image::Machine);
        }
        let text = text.to_str().map_err(|_| INVALID_PTX)?;
        let version = text.lines().find_map(|l| l.strip_prefix(".version ")).ok_or(INVALID_PTX)?;
        // CUDA 12 speaks PTX 8, and CUDA 13 speaks PTX 9.
        let major: c_int = version.split('.').next().and_then(|v| v.parse().ok()).ok_or(INVALID_PTX)?;
        if major + 4 > settings().cuda / 1000 {
            return Err(UNSUPPORTED_PTX_VERSION);
        }
        match sim::parse(text) {
            Ok(ptx) => Ok(Image::Ptx(Arc::new(ptx))),
            Err(e) => {
                eprintln!("libcuda: {e}");
                Err(INVALID_PTX)
            }
        }
    }

    /// The kernel `name`; machine code is taken to have all.
    pub fn function(&self, name: &str) -> Option<Function> {
        let ptx = match self {
            Image::Ptx(ptx) if ptx.parameters(name).is_none() => return None,
            Image::Ptx(ptx) => Some(ptx.clone()),
            Image::Machine => None,
        };
        Some(Function { ptx, name: name.into() })
    }
}

impl Function {
    /// A launch with copies of the arguments.
    ///
    /// # Safety
    /// `params` has as many pointers as the kernel has parameters, each to sixteen bytes.
    pub unsafe fn launch(&self, grid: u32, block: u32, params: *const *const Word) -> Result<Op, c_int> {
        let Some(ptx) = &self.ptx else { return Err(NOT_SUPPORTED) };
        let count = ptx.parameters(&self.name).ok_or(INVALID_VALUE)?;
        // SAFETY: the caller vouches for it.
        let args = (0..count).map(|i| unsafe { **params.add(i) }).collect();
        Ok(Op::Launch { ptx: ptx.clone(), name: self.name.clone(), grid, block, args })
    }
}
