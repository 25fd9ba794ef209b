//! Which engine answers queries on virtual objects. A named engine never hands a query to another.

use crate::device::Device;
use crate::device::cuda::cuda;
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

/// The machines that an engine's plans may run on, best first; for all but `auto` that is one at most.
pub fn devices(engine: Engine) -> Vec<Arc<dyn Device>> {
    match engine {
        Engine::Auto => [Engine::Cuda, Engine::Cpu].into_iter().filter_map(device).collect(),
        named => device(named).into_iter().collect(),
    }
}

/// The machine that runs an engine's plans; none for the interpreter, and for an engine that is missing. The
/// environment's `QFUSE_SIM_SEED` is the seed of the simulator's interleaving, and `QFUSE_SIM_RUNS` the number of seeds
/// that each query runs under.
pub fn device(engine: Engine) -> Option<Arc<dyn Device>> {
    match engine {
        Engine::Cuda => cuda().ok().map(|cuda| Arc::new(cuda) as Arc<dyn Device>),
        Engine::Auto | Engine::Cpu => Some(Arc::new(crate::device::cpu::Cpu)),
        Engine::Sim if nvrtc().is_ok() => {
            let number = |name| std::env::var(name).ok().and_then(|s| s.parse::<u64>().ok()).unwrap_or(1);
            let schedule = Schedule { seed: number("QFUSE_SIM_SEED"), ..Schedule::default() };
            Some(Arc::new(Sim::new(schedule).under(number("QFUSE_SIM_RUNS").saturating_sub(1))))
        }
        Engine::Sim | Engine::Interp => None,
    }
}

/// The signal of an engine that this build or this machine does not have.
pub fn missing(engine: Engine) -> Error {
    let no_nvrtc = || nvrtc().err().map(|e| e.to_string());
    let why = match engine {
        Engine::Cuda => cuda().err(),
        Engine::Sim => no_nvrtc(),
        _ => None,
    };
    let why = why.unwrap_or_else(|| "this engine is missing".into());
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
