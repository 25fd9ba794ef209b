//! The engine that runs emitted kernels on a simulated GPU: NVRTC's PTX in the crate `sim`.

mod machine;

pub use sim::{Launched, Schedule, Simulator, Traffic};

use crate::cache::{Counts, Modules};
use crate::column::Column;
use crate::device::launcher;
use crate::device::nvrtc::Target;
use crate::device::{Device, Launch, Module, Output};
use compiler::emit::Unit;
use compiler::plan::Plan;
use q::same::identical;
use q::{Error, Result, Value};
use sim::Ptx;
use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The architecture whose PTX is run.
const ARCH: u32 = 90;
/// Modules that are kept.
const MOST: NonZeroUsize = NonZeroUsize::new(256).expect("not zero");

/// The engine.
#[derive(Debug, Default)]
pub struct Sim {
    schedule: Schedule,
    /// How many more schedules each query runs under.
    more: u64,
    launched: Mutex<Vec<Launched>>,
}

/// A plan made ready.
struct Loaded {
    unit: Unit,
    ptx: Arc<Ptx>,
}

impl Sim {
    /// An engine with a schedule of its own.
    pub fn new(schedule: Schedule) -> Sim {
        Sim { schedule, ..Sim::default() }
    }

    /// An engine that runs all it does under `more` further schedules, of the seeds that follow, and signals where
    /// the results are not the same to the bit.
    pub fn under(self, more: u64) -> Sim {
        Sim { more, ..self }
    }

    /// Runs `f` on a simulator of its own with a module loaded, and again under further schedules; `values` are what
    /// its results are compared by.
    fn on<T>(
        &self,
        ptx: Arc<Ptx>,
        f: impl Fn(&mut Simulator) -> Result<T>,
        values: impl Fn(&T) -> Result<Vec<Value>>,
    ) -> Result<T> {
        let (first, launched) = once(&ptx, self.schedule, &f);
        *self.launched.lock().unwrap_or_else(PoisonError::into_inner) = launched;
        let first = first?;
        for seed in (1..=self.more).map(|i| self.schedule.seed.wrapping_add(i)) {
            let (again, _) = once(&ptx, Schedule { seed, ..self.schedule }, &f);
            let same = |(x, y): (&Value, &Value)| identical(x, y);
            if !values(&first)?.iter().zip(&values(&again?)?).all(same) {
                let seeds = format!("the seeds {} and {seed}", self.schedule.seed);
                return Err(Error::new("sim").detail(format!("{seeds} lead to different results")));
            }
        }
        Ok(first)
    }

    /// The launches of the last query under its first schedule, with what they cost.
    pub fn launched(&self) -> Vec<Launched> {
        self.launched.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Device for Sim {
    fn name(&self) -> &'static str {
        "sim"
    }

    fn load(&self, plan: &Plan) -> Result<Module> {
        let unit = compiler::emit::emit(plan);
        let ptx = if unit.entries.is_empty() { Arc::default() } else { compile(&unit.text())? };
        Ok(Box::new(Loaded { unit, ptx }))
    }

    fn run(&self, plan: &Plan, module: &Module, launch: &Launch) -> Result<Vec<Output>> {
        let Some(loaded) = module.downcast_ref::<Loaded>() else {
            return Err(Error::new("internal").detail("the module is of another engine"));
        };
        let run = |simulator: &mut Simulator| launcher::run(simulator, plan, &loaded.unit, launch);
        let values = |outputs: &Vec<Output>| outputs.iter().map(value).collect();
        self.on(loaded.ptx.clone(), run, values).map_err(|e| shown(e, &loaded.unit))
    }

    fn order(&self, by: &[(&Column, bool)], front: Option<usize>) -> Result<Column> {
        self.on(
            Arc::default(),
            |simulator| launcher::rows::order(simulator, by, front),
            |c| Ok(vec![c.value()?]),
        )
    }

    fn gather(&self, columns: &[&Column], at: &Column) -> Result<Vec<Column>> {
        self.on(Arc::default(), |simulator| launcher::rows::gather(simulator, columns, at), |c| of_columns(c))
    }

    fn take(&self, columns: &[&Column], first: usize, n: usize) -> Result<Vec<Column>> {
        self.on(
            Arc::default(),
            |simulator| launcher::rows::take(simulator, columns, first, n),
            |c| of_columns(c),
        )
    }

    fn modules(&self) -> Counts {
        MODULES.counts()
    }
}

/// One run and its launches; all memory must be given back.
fn once<T>(
    ptx: &Arc<Ptx>,
    schedule: Schedule,
    f: impl Fn(&mut Simulator) -> Result<T>,
) -> (Result<T>, Vec<Launched>) {
    let mut simulator = Simulator::new(ptx.clone(), schedule);
    let out = match (f(&mut simulator), simulator.leaks()) {
        (Ok(_), leaks) if !leaks.is_empty() => {
            Err(Error::new("sim").detail(format!("memory is not given back: {}", leaks.join(", "))))
        }
        (out, _) => out,
    };
    (out, simulator.into_launched())
}

fn of_columns(columns: &[Column]) -> Result<Vec<Value>> {
    columns.iter().map(Column::value).collect()
}

fn value(output: &Output) -> Result<Value> {
    match output {
        Output::Column(column) => column.value(),
        Output::Atom(atom) => Ok(Value::Atom(atom.clone())),
    }
}

/// The modules of all simulators of this process.
static MODULES: LazyLock<Modules<Ptx>> = LazyLock::new(|| Modules::new(MOST));

/// A unit as the simulator runs it.
///
/// # Errors
/// NVRTC's, or the instruction that is not known.
pub fn compile(text: &str) -> Result<Arc<Ptx>> {
    MODULES.get(text, Target::LinedPtx(ARCH), |compiled| {
        let image = String::from_utf8_lossy(&compiled.image);
        sim::parse(&image).map_err(|e| Error::new("sim").detail(e.to_string()))
    })
}

/// A fault with the line of the text that it names.
fn shown(e: Error, unit: &Unit) -> Error {
    let line = e.detail.as_deref().and_then(|d| {
        let (before, rest) = d.split_once(" at line ")?;
        let number: usize = rest.split(' ').next()?.parse().ok()?;
        let rare = unit.names(true).iter().any(|name| before.ends_with(name));
        let text = if rare { unit.rare_text() } else { unit.text() };
        text.lines().nth(number.checked_sub(1)?).map(str::to_string)
    });
    match (line, &e.detail) {
        (Some(line), Some(detail)) => {
            let detail = format!("{detail}\n    {}", line.trim());
            e.detail(detail)
        }
        _ => e,
    }
}
