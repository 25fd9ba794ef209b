//! Which engine answers queries on virtual objects. A named engine never hands a query to another.

use crate::device::Device;
use crate::device::nvrtc::nvrtc;
use crate::device::sim::{Schedule, Sim};
use q::Error;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The engines by name, as `--engine` and `QFUSE_ENGINE` take them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Engine {
    /// The best there is for each query, the interpreter where none can; records which one ran and why.
    #[default]
    Auto,
    /// Plans on this machine's cores.
    Cpu,
    /// Plans on an NVIDIA GPU.
    Cuda,
    /// Generated kernels, simulated lane by lane.
    Sim,
    /// The reference interpreter, on host copies.
    Interp,
}

impl Engine {
    /// Every engine, `auto` first.
    pub const ALL: [Engine; 5] = [Engine::Auto, Engine::Cpu, Engine::Cuda, Engine::Sim, Engine::Interp];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Cpu => "cpu",
            Engine::Cuda => "cuda",
            Engine::Sim => "sim",
            Engine::Interp => "interp",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Engine, String> {
        let names = Engine::ALL.map(Engine::name).join(", ");
        let found = Engine::ALL.into_iter().find(|e| e.name() == text);
        found.ok_or_else(|| format!("no engine is named {text}; there are {names}"))
    }
}

/// The machine that runs an engine's plans; none for the interpreter, and for an engine that is missing. The
/// environment's `QFUSE_SIM_SEED` is the seed of the simulator's interleaving.
pub fn device(engine: Engine) -> Option<Arc<dyn Device>> {
    match engine {
        Engine::Auto | Engine::Cpu => Some(Arc::new(crate::device::cpu::Cpu)),
        Engine::Sim if nvrtc().is_ok() => {
            let seed = std::env::var("QFUSE_SIM_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
            Some(Arc::new(Sim::new(Schedule { seed, ..Schedule::default() })))
        }
        Engine::Cuda | Engine::Sim | Engine::Interp => None,
    }
}

/// The signal of an engine that this build or this machine does not have.
pub fn missing(engine: Engine) -> Error {
    let no_nvrtc = || nvrtc().err().map(|e| e.to_string());
    let why = match engine {
        Engine::Cuda if !crate::device::probe::driver_present() => {
            "no NVIDIA driver is installed (libcuda could not be loaded), and this build has no CUDA engine yet"
        }
        Engine::Cuda => "this build compiles CUDA kernels but has no engine to launch them yet",
        Engine::Sim => &no_nvrtc().unwrap_or_default(),
        _ => "this engine is missing",
    };
    Error::new("GPU_NOT_IMPLEMENTED").detail(format!("engine {engine}: {why}; choose cpu, interp or auto"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for engine in Engine::ALL {
            assert_eq!(engine.name().parse(), Ok(engine));
        }
        assert!("gpu".parse::<Engine>().is_err_and(|e| e.contains("cpu, cuda")));
    }
}
