//! A query's kernels on the simulator, as they are emitted or with a defect planted.

use compiler::emit::{Unit, emit};
use q::seam::Scope;
use q::{Interp, Value};
use runtime::device::cpu::Cpu;
use runtime::device::launcher::Machine;
use runtime::device::sim::{Schedule, Simulator, compile};
use runtime::device::{Device, Launch, Output, launcher};
use runtime::engine::Engine;
use runtime::gpu::{Body, Object};
use runtime::prepare::Ready;
use runtime::session::Session;

/// A query made ready, and what it answers.
pub struct Case {
    ready: Ready,
    unit: Unit,
    answer: String,
}

impl Case {
    /// The case of a table `T` and a query of it, both as text; the answer is the CPU engine's.
    ///
    /// # Panics
    /// Where the table or the query is wrong.
    pub fn new(table: &str, query: &str) -> Case {
        let mut q = Interp::new();
        let session = Session::new(Engine::Cpu);
        runtime::gpu::register(&mut q, &session);
        q.eval_text(format!("T:.gpu.to {table}").as_bytes()).expect("the table can be made");
        let tree = q.eval_text(format!("parse\"{query}\"").as_bytes()).expect("the query parses");
        let Value::List(items) = tree else { panic!("{query} is no query") };
        let prim = items[0].as_prim().expect("a query begins with its primitive");
        let args: Vec<Value> =
            items[2..].iter().map(|x| q.eval(x, None).expect("a phrase is a constant")).collect();
        let value = q.global("T".into()).expect("the table was just made");
        let Some(Object { body: Body::Table(table), .. }) = Object::of(&value) else {
            panic!("a table was made")
        };
        let scope = Scope { locals: &[], interp: &q };
        let ready = session.prepare(prim, table, &args, &scope).expect("the query can be run");
        let unit = emit(&ready.loaded.plan);
        let answer =
            Cpu.run(&ready.loaded.plan, &ready.loaded.module, &launch(&ready)).expect("it has an answer");
        Case { ready, unit, answer: shown(&answer) }
    }

    /// The text of its kernels.
    pub fn text(&self) -> String {
        self.unit.text()
    }

    /// Runs its plan on a machine that has its kernels.
    ///
    /// # Errors
    /// The machine's: the fault that a simulator reports.
    pub fn outputs(&self, machine: &mut dyn Machine) -> q::Result<Vec<Output>> {
        launcher::run(machine, &self.ready.loaded.plan, &self.unit, &launch(&self.ready))
    }

    /// Is it the answer, to the bit?
    pub fn answers(&self, outputs: &[Output]) -> bool {
        shown(outputs) == self.answer
    }

    /// Runs the kernels of `text` in place of its own. What is wrong with the run, or none: the first fault, a
    /// leak, or an answer that is not the CPU engine's.
    pub fn run(&self, text: &str, seed: u64) -> Option<String> {
        self.run_with(text, None, seed)
    }

    /// As [`Case::run`], with a unit of a kernel that no plan is part of in place of the one that it would have.
    pub fn run_with(&self, text: &str, common: Option<&str>, seed: u64) -> Option<String> {
        let ptx = |text: &str| match compile(text) {
            Ok(ptx) => ptx,
            Err(e) => panic!("{}\n{text}", e.detail.unwrap_or_default()),
        };
        let mut simulator = Simulator::new(ptx(text), Schedule { seed, ..Schedule::default() });
        common.into_iter().for_each(|unit| simulator.add(ptx(unit)));
        let out = self.outputs(&mut simulator);
        let leaks = simulator.leaks().join(", ");
        match out {
            Err(e) => Some(e.detail.map_or_else(|| e.name.to_string(), String::from)),
            Ok(_) if !leaks.is_empty() => Some(format!("leaks: {leaks}")),
            Ok(out) if shown(&out) != self.answer => {
                Some(format!("answers {}, not {}", shown(&out), self.answer))
            }
            Ok(_) => None,
        }
    }
}

fn launch(ready: &Ready) -> Launch<'_> {
    Launch { inputs: &ready.inputs, args: &ready.args, domains: &ready.domains, rows: ready.rows }
}

/// Outputs as text, every bit of them.
fn shown(outputs: &[Output]) -> String {
    let one = |output: &Output| match output {
        Output::Column(c) => format!("{:?}", c.value().expect("the elements are on the host")),
        Output::Atom(a) => format!("{:?}", Value::Atom(a.clone())),
    };
    outputs.iter().map(one).collect::<Vec<_>>().join("; ")
}
