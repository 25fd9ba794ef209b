//! The engine on NVIDIA's GPUs: emitted kernels, compiled by NVRTC for the device, launched through the driver.
//!
//! Columns are on the host, on devices, or on both; what a query needs is copied to the device once and stays
//! there, and what it makes stays there until somebody looks at it. Faults of the machine signal `cuda`, `nvrtc` or
//! `wsfull`, in one line that says what to do, and leave everything as it was; after those that end a device,
//! [`Context::enter`] refuses it.
//!
//! | file | holds |
//! |---|---|
//! | [`driver`] | finding the driver and its GPUs; its errors |
//! | [`context`] | a device's context, stream and pool; a thread's device |
//! | [`memory`], `staging` | memory of a device; copies to and from it |
//! | `copies` | which copies of columns make room where a device is full |
//! | `module`, `machine` | loaded code and launches; the launcher's machine |
//! | [`event`], [`measure`], [`profile`] | marks in a stream; what a device takes; ranges for profilers |

pub mod context;
mod copies;
pub mod driver;
pub mod event;
mod machine;
pub mod measure;
pub mod memory;
pub mod module;
pub mod profile;
mod staging;

pub use context::Context;

use crate::cache::{Counts, Key, compiled};
use crate::column::Column;
use crate::device::nvrtc::{NvrtcError, Target, nvrtc};
use crate::device::{self, Device, Launch, Output, launcher};
use compiler::emit::Unit;
use compiler::plan::Plan;
use event::Event;
use machine::Run;
use module::Module;
use q::{Error, Result};
use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The engine. It has no state of its own: devices belong to the process.
#[derive(Debug)]
pub struct Cuda;

/// A plan made ready.
struct Loaded {
    unit: Unit,
    code: Code,
}

/// A text with its kernels.
struct Code {
    text: String,
    names: Vec<String>,
    /// What the text is compiled to for each architecture that it was asked for.
    keys: Mutex<Vec<(u32, Target, Key)>>,
}

/// The engine, or why this machine cannot have it.
pub fn cuda() -> Result<Cuda, String> {
    let driver = driver::driver().map_err(str::to_string)?;
    if driver.gpus.is_empty() {
        return Err("the NVIDIA driver finds no GPU".into());
    }
    nvrtc().map_err(|e| e.to_string())?;
    Ok(Cuda)
}

impl Code {
    fn new(text: String, names: Vec<String>) -> Code {
        Code { text, names, keys: Mutex::default() }
    }

    /// The code of a kernel that no plan is part of; none if there is none of that name.
    fn common(name: &str) -> Option<Arc<Code>> {
        static KNOWN: LazyLock<Mutex<FxHashMap<String, Arc<Code>>>> = LazyLock::new(Mutex::default);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(code) = known.get(name) {
            return Some(code.clone());
        }
        let code = Arc::new(Code::new(compiler::emit::common(name)?, vec![name.into()]));
        known.insert(name.into(), code.clone());
        Some(code)
    }

    /// The module on a device.
    fn module(&self, context: &'static Context) -> Result<Arc<Module>> {
        let failed = |e: NvrtcError| Error::new("nvrtc").detail(e.to_string());
        let arch = context.gpu.arch();
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        let (target, key) = match keys.iter().find(|k| k.0 == arch) {
            Some(&(_, target, key)) => (target, key),
            None => {
                let nvrtc = nvrtc().map_err(failed)?;
                let target = nvrtc.target(arch).map_err(failed)?;
                let key = Key::of(nvrtc, &self.text, target);
                keys.push((arch, target, key));
                (target, key)
            }
        };
        drop(keys);
        let load = || {
            let code = compiled(&self.text, target).map_err(failed)?;
            Module::load(context, &code, target, self.names.iter().map(String::as_str))
        };
        context.modules.get_or(&key, load)
    }
}

impl Loaded {
    /// The module on a device; none of a plan without kernels.
    fn module(&self, context: &'static Context) -> Result<Option<Arc<Module>>> {
        match self.code.names.is_empty() {
            true => Ok(None),
            false => self.code.module(context).map(Some),
        }
    }
}

/// Runs `f`, which needs `columns`, on a device; the modules that it launched kernels of stay until those are done.
fn on<'a, T>(
    context: &'static Context,
    module: Option<Arc<Module>>,
    columns: impl IntoIterator<Item = &'a Column>,
    f: impl FnOnce(&mut Run) -> Result<T>,
) -> Result<T> {
    let mut run = Run::new(context, module, columns);
    let out = f(&mut run);
    for module in run.into_modules() {
        // A lost device has nothing under way.
        if let Ok(last) = Event::record(context) {
            context.modules.launched(module, move || last.done());
        }
    }
    out
}

impl Device for Cuda {
    fn name(&self) -> &'static str {
        "cuda"
    }

    fn load(&self, plan: &Plan) -> Result<device::Module> {
        let unit = compiler::emit::emit(plan);
        let loaded = Loaded { code: Code::new(unit.text(), unit.names(false)), unit };
        loaded.module(Context::current()?)?;
        Ok(Box::new(loaded))
    }

    fn run(&self, plan: &Plan, module: &device::Module, launch: &Launch) -> Result<Vec<Output>> {
        let Some(loaded) = module.downcast_ref::<Loaded>() else {
            return Err(Error::new("internal").detail("the module is of another engine"));
        };
        let context = Context::current()?;
        context.sweep();
        let module = loaded.module(context)?;
        on(context, module, launch.inputs, |run| launcher::run(run, plan, &loaded.unit, launch))
    }

    fn order(&self, by: &[(&Column, bool)], front: Option<usize>) -> Result<Column> {
        let columns = by.iter().map(|(column, _)| *column);
        on(Context::current()?, None, columns, |run| launcher::rows::order(run, by, front))
    }

    fn gather(&self, columns: &[&Column], at: &Column) -> Result<Vec<Column>> {
        let all = columns.iter().copied().chain([at]);
        on(Context::current()?, None, all, |run| launcher::rows::gather(run, columns, at))
    }

    fn take(&self, columns: &[&Column], first: usize, n: usize) -> Result<Vec<Column>> {
        let all = columns.iter().copied();
        on(Context::current()?, None, all, |run| launcher::rows::take(run, columns, first, n))
    }

    fn admit(&self, column: &Column) -> Result<()> {
        column.on(Context::current()?).map(drop)
    }

    fn sync(&self) -> Result<()> {
        Context::current()?.sync()
    }

    fn modules(&self) -> Counts {
        Context::current().map(|c| c.modules.counts()).unwrap_or_default()
    }
}
