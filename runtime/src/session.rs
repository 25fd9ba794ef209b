//! A session: an engine, the plans it has compiled, and the one way in for queries on virtual tables.

use crate::cache::{Counts, Loaded, PlanCache};
use crate::column::Column;
use crate::device::{Device, Launch};
use crate::engine::{Engine, devices, missing};
use crate::exec::{Answer, answer};
use crate::gpu::query::Limit;
use crate::gpu::{Body, Object, Place, Table, moves};
use crate::items::{Rewritten, items};
use crate::narrow::narrow;
use crate::prepare::{Known, Ready, Refused, known};
use crate::{error, launch};
use compiler::key;
use compiler::plan::Plan;
use compiler::plan::cost::cost;
use compiler::query::{Query, Verb};
use q::path::Path;
use q::seam::Scope;
use q::stop::heeding;
use q::{Error, Interp, Prim, Result, Sym, Value};
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Plans that a session keeps.
const PLANS: NonZeroUsize = NonZeroUsize::new(1024).expect("not zero");

/// How the last query was answered.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The engine that answered: `cpu`, `interp` …
    pub engine: &'static str,
    /// Why it was not the first choice, or what the host found for it first; empty if neither.
    pub reason: String,
    /// The plan was in the cache.
    pub hit: bool,
    /// Kernels that were launched.
    pub kernels: usize,
    /// Bytes that their plan reads and writes for each row.
    pub bytes: usize,
}

impl Ran {
    fn interpreted(reason: String) -> Ran {
        Ran { engine: "interp", reason, hit: false, kernels: 0, bytes: 0 }
    }
}

/// What a session has done: sums over its queries.
#[derive(Clone, Copy, Default, Debug)]
pub struct Work {
    /// How many queries plans answered.
    pub queries: usize,
    /// The kernels of their plans.
    pub kernels: usize,
    /// Bytes that each plan reads and writes for a row of its table.
    pub bytes: usize,
}

/// Tables with fewer rows than this are the CPU's under `auto`: a launch alone takes a GPU longer.
const FEW: usize = 1 << 16;

/// An engine with its plan cache. Threads may share one.
pub struct Session {
    engine: Engine,
    choices: Vec<Choice>,
    last: Mutex<Option<Ran>>,
    work: Mutex<Work>,
    /// Its plans' float sums are compensated.
    compensated: AtomicBool,
    /// Faults that a person was told of.
    told: Mutex<HashSet<String>>,
}

/// A machine that the engine may run on, and the plans that are ready for it.
struct Choice {
    device: Arc<dyn Device>,
    plans: PlanCache<Vec<u8>>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "session on {}", self.engine)
    }
}

impl Session {
    /// A session on `engine`. An engine that is missing signals when it is first used, not here.
    pub fn new(engine: Engine) -> Arc<Session> {
        Session::on(engine, devices(engine))
    }

    /// A session on `engine` whose plans `devices` run, each where those before it cannot.
    pub fn on(engine: Engine, devices: Vec<Arc<dyn Device>>) -> Arc<Session> {
        let choices = devices.into_iter().map(|device| Choice { device, plans: PlanCache::new(PLANS) });
        let choices = choices.collect();
        Arc::new(Session {
            engine,
            choices,
            last: Mutex::default(),
            work: Mutex::default(),
            compensated: AtomicBool::new(false),
            told: Mutex::default(),
        })
    }

    /// The machines for a table of `rows` rows, best first.
    fn order_for(&self, rows: usize) -> Vec<&Choice> {
        let mut order: Vec<&Choice> = self.choices.iter().collect();
        if self.engine == Engine::Auto && rows < FEW {
            order.reverse();
        }
        order
    }

    /// What the best machine that can answers about `rows` rows where no plan does; the host, where there is none.
    fn by_rows<T>(&self, rows: usize, f: impl Fn(&dyn Device) -> Result<T>) -> Result<T> {
        let order = self.order_for(rows);
        for (i, choice) in order.iter().enumerate() {
            let device = &*choice.device;
            let out = match self.engine {
                Engine::Auto => f(device).and_then(|out| device.sync().map(|()| out)),
                _ => f(device),
            };
            match out {
                Err(e) if i + 1 < order.len() && error::is_fault(&e) => self.tell(choice, &e),
                Err(e) if i + 1 < order.len() && e.name == "nyi" => {}
                done => return done,
            }
        }
        f(&crate::device::cpu::Cpu)
    }

    /// As [`Device::order`], on the best machine that can.
    ///
    /// # Errors
    /// The machine's.
    pub fn order(&self, by: &[(&Column, bool)], front: Option<usize>) -> Result<Column> {
        self.by_rows(by.first().map_or(0, |(c, _)| c.len()), |device| device.order(by, front))
    }

    /// As [`Device::gather`], on the best machine that can.
    ///
    /// # Errors
    /// The machine's.
    pub fn gather(&self, columns: &[&Column], at: &Column) -> Result<Vec<Column>> {
        self.by_rows(at.len(), |device| device.gather(columns, at))
    }

    /// As [`Device::take`], on the best machine that can.
    ///
    /// # Errors
    /// The machine's.
    pub fn take(&self, columns: &[&Column], first: usize, n: usize) -> Result<Vec<Column>> {
        self.by_rows(n, |device| device.take(columns, first, n))
    }

    /// How the session's plans and its machines' modules were found.
    pub fn caches(&self) -> (Counts, Counts) {
        let plans = self.choices.iter().map(|c| c.plans.counts());
        (plans.sum(), self.choices.iter().map(|c| c.device.modules()).sum())
    }

    /// The plans that its machines are ready for.
    pub fn plans(&self) -> Vec<Arc<Loaded>> {
        self.choices.iter().flat_map(|c| c.plans.loaded()).collect()
    }

    /// The engine that was asked for.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// Do float sums of its plans carry along what additions round away? The interpreter adds as q does.
    pub fn compensated(&self) -> bool {
        self.compensated.load(Relaxed)
    }

    /// Says whether float sums of the plans from now on do ([`compiler::ir::Graph::compensated`] states the bound).
    pub fn compensate(&self, yes: bool) {
        self.compensated.store(yes, Relaxed);
    }

    /// An error if the session's engine is missing.
    pub fn ready(&self) -> Result<()> {
        match self.engine {
            Engine::Auto | Engine::Interp => Ok(()),
            _ if !self.choices.is_empty() => Ok(()),
            engine => Err(missing(engine)),
        }
    }

    /// How the last query was answered, as a q dictionary; empty before the first.
    pub fn last(&self) -> Value {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(ran) = last else { return Value::dict(Value::list(vec![]), Value::list(vec![])) };
        Value::dict(
            Value::syms(["engine", "reason", "hit", "kernels"].map(Sym::new)),
            Value::list(vec![
                Value::sym(ran.engine),
                Value::chars(ran.reason.as_bytes()),
                Value::bool(ran.hit),
                Value::long(ran.kernels as i64),
            ]),
        )
    }

    /// What was done since this was last asked.
    pub fn work(&self) -> Work {
        std::mem::take(&mut self.work.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn record(&self, ran: Ran) {
        let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        let queries = work.queries + usize::from(ran.engine != "interp");
        *work = Work { queries, kernels: work.kernels + ran.kernels, bytes: work.bytes + ran.bytes };
        drop(work);
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(ran);
    }

    /// Answers `?[table;…]` (`verb` is `Prim::Query`) or `![table;…]` (`Prim::Bang`). `args` are what q's
    /// function gets after the table: `c;b;a`, and for a select perhaps a limit and an order.
    pub fn query(
        self: &Arc<Self>,
        verb: Prim,
        table: &Table,
        args: &[Value],
        scope: &Scope,
    ) -> Result<Value> {
        self.ready()?;
        if self.engine == Engine::Interp {
            let out = self.interpret(verb, table, args, scope)?;
            self.record(Ran::interpreted(String::new()));
            return Ok(out);
        }
        match self.compiled(verb, table, args, scope) {
            Ok((out, ran)) => {
                self.record(ran);
                Ok(out.value(self))
            }
            Err(Refused::Final(e)) => Err(e),
            Err(Refused::NotYet(e)) if self.engine == Engine::Auto => {
                let out = self.interpret(verb, table, args, scope)?;
                let reason = e.detail.as_deref().unwrap_or(&e.name).to_string();
                self.record(Ran::interpreted(reason));
                Ok(out)
            }
            Err(Refused::NotYet(e)) => Err(e),
        }
    }

    /// The reference interpreter's answer, from host copies, with its vectors moved back.
    fn interpret(
        self: &Arc<Self>,
        verb: Prim,
        table: &Table,
        args: &[Value],
        scope: &Scope,
    ) -> Result<Value> {
        moves::to(self, &on_host(verb, table.exact()?, args, scope)?)
    }

    /// The engine's answer.
    fn compiled(
        self: &Arc<Self>,
        verb: Prim,
        table: &Table,
        args: &[Value],
        scope: &Scope,
    ) -> std::result::Result<(Answer, Ran), Refused> {
        let [c, b, _, rest @ ..] = args else { return Err(Error::new("rank").into()) };
        let query = Query::from_args(verb, &args[..3])?;
        let (out, ran) = self.run(&query, table, scope)?;
        let limit = Limit::of(rest)?;
        if limit.count.is_none() && limit.order.is_none() {
            return Ok((out, ran));
        }
        let Answer::Table(rows) = out else {
            return Err(Error::new("type").detail("only a select of a table has a limit").into());
        };
        let by = match &limit.order {
            // Rows that stand for source rows sort by any of the source's columns, all others by their own.
            Some((_, tree)) if query.verb == Verb::Select && is_false(b) => {
                let by = self.column(c, tree, table, scope)?;
                match by.len() == rows.rows() {
                    true => Some(by),
                    false => Some(self.column(&Value::list(vec![]), tree, &rows, scope)?),
                }
            }
            Some((_, tree)) => Some(self.column(&Value::list(vec![]), tree, &rows, scope)?),
            None => None,
        };
        Ok((Answer::Table(limit.apply(self, rows, by.as_ref())?), ran))
    }

    /// The value of one expression on the rows that pass `c`.
    fn column(
        self: &Arc<Self>,
        c: &Value,
        tree: &Value,
        table: &Table,
        scope: &Scope,
    ) -> std::result::Result<Column, Refused> {
        let query = Query::from_args(Prim::Query, &[c.clone(), Value::list(vec![]), tree.clone()])?;
        match self.run(&query, table, scope)?.0 {
            Answer::Value(x) => match Object::of(&x).map(|o| &o.body) {
                Some(Body::Vector(column)) if column.width().is_none() => {
                    Err(compiler::Error::not_yet(&Path::default(), "an order by lists").into())
                }
                Some(Body::Vector(column)) => Ok(column.clone()),
                _ => Err(Error::new("rank").detail("an order is by a list").into()),
            },
            Answer::Table(_) => Err(Error::new("type").into()),
        }
    }

    /// Runs one query without a limit, on the best machine that can.
    fn run(
        self: &Arc<Self>,
        query: &Query,
        table: &Table,
        scope: &Scope,
    ) -> std::result::Result<(Answer, Ran), Refused> {
        let original = query;
        let Some(Rewritten { query, table: wide, typed }) = items(original, table, scope)? else {
            return self.run_flat(original, table, scope);
        };
        if !typed && !query.filters.is_empty() && self.none_pass(&query, &wide, scope)? {
            return match query.verb {
                // Nothing is what q makes of no lists.
                Verb::Select | Verb::Exec => {
                    let none = |place: &Place| Ok(place.part(0, 0));
                    self.run(&Query { filters: vec![], ..original.clone() }, &table.map(none)?, scope)
                }
                _ => Err(compiler::Error::not_yet(&Path::default(), "an update of no rows by lists").into()),
            };
        }
        let (mut out, mut ran) = self.run_flat(&query, &wide, scope)?;
        let found = &wide.names[table.names.len()..];
        if let Answer::Table(rows) = &mut out {
            rows.drop_named(found);
        }
        if ran.reason.is_empty() {
            ran.reason = format!("the host found {} of its columns item by item", found.len());
        }
        Ok((out, ran))
    }

    /// Do the query's clauses keep no row?
    fn none_pass(
        self: &Arc<Self>,
        query: &Query,
        table: &Table,
        scope: &Scope,
    ) -> std::result::Result<bool, Refused> {
        let args = [
            Value::list(vec![]),
            Value::list(vec![]),
            Value::list(vec![Value::prim(Prim::Count), Value::sym("i")]),
        ];
        let count = Query { filters: query.filters.clone(), ..Query::from_args(Prim::Query, &args)? };
        let out = self.run_flat(&count, table, scope)?.0;
        Ok(matches!(out, Answer::Value(n) if n.as_long() == Some(0)))
    }

    /// As [`Session::run`], with a query that plans hold.
    fn run_flat(
        self: &Arc<Self>,
        query: &Query,
        table: &Table,
        scope: &Scope,
    ) -> std::result::Result<(Answer, Ran), Refused> {
        let order = self.order_for(table.rows());
        let mut reason = String::new();
        for (i, choice) in order.iter().enumerate() {
            match self.run_on(choice, query, table, scope) {
                Err(Refused::Final(e)) if i + 1 < order.len() && error::is_fault(&e) => {
                    self.tell(choice, &e);
                    reason = e.to_string();
                }
                Err(Refused::NotYet(e)) if i + 1 < order.len() => reason = e.to_string(),
                done => return done.map(|(out, ran)| (out, Ran { reason, ..ran })),
            }
        }
        Err(Refused::NotYet(missing(self.engine)))
    }

    /// Says, once, that a machine has a fault and that another answers.
    fn tell(&self, choice: &Choice, e: &Error) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.insert(e.to_string()) {
            error::warn(format_args!("engine {} cannot answer, another does: {e}", choice.device.name()));
        }
    }

    /// Runs one query without a limit on one machine.
    fn run_on(
        self: &Arc<Self>,
        choice: &Choice,
        query: &Query,
        table: &Table,
        scope: &Scope,
    ) -> std::result::Result<(Answer, Ran), Refused> {
        let device = &*choice.device;
        // Columns that may lie elsewhere are not searched from here.
        let part = if device.name() == "cpu" { narrow(query, table, scope)? } else { None };
        let (query, table) = part.as_ref().map_or((query, table), |(query, table)| (query, table));
        let ready = self.ready_launch(choice, query, table, scope)?;
        let Loaded { plan, module, .. } = &*ready.loaded;
        let columns = table.cols.iter().map(Place::column).collect::<Result<Vec<_>>>()?;
        let launch =
            Launch { inputs: &ready.inputs, args: &ready.args, domains: &ready.domains, rows: ready.rows };
        let outputs = heeding(&scope.interp.interrupt, || device.run(plan, module, &launch))?;
        if self.engine == Engine::Auto {
            // A fault must be known while another machine can still answer.
            device.sync()?;
        }
        let (engine, kernels, bytes) = (device.name(), plan.kernels.len(), ready.loaded.bytes);
        let ran = Ran { engine, reason: String::new(), hit: ready.hit, kernels, bytes };
        Ok((answer(self, &plan.graph, outputs, &ready.args, &columns)?, ran))
    }

    fn choice(&self) -> std::result::Result<&Choice, Refused> {
        self.choices.first().ok_or_else(|| Refused::NotYet(missing(self.engine)))
    }

    /// The column of q data, where queries on it will read it.
    ///
    /// # Errors
    /// Where a named engine has no room for it.
    pub fn admit(&self, value: &Value) -> Result<Column> {
        let column = Column::of(value)?;
        let Some(choice) =
            self.choices.first().filter(|_| self.engine != Engine::Auto || column.len() >= FEW)
        else {
            return Ok(column);
        };
        match choice.device.admit(&column) {
            Err(e) if self.engine == Engine::Auto && error::is_fault(&e) => self.tell(choice, &e),
            done => done?,
        }
        Ok(column)
    }

    /// True if the engine's first choice is a GPU.
    pub fn on_gpu(&self) -> bool {
        self.choices.first().is_some_and(|c| c.device.name() == "cuda")
    }

    /// Waits until all that the engine was given is done.
    ///
    /// # Errors
    /// Those of the work.
    pub fn sync(&self) -> Result<()> {
        self.choices.iter().try_for_each(|c| c.device.sync())
    }

    /// Everything that a query needs before its kernels run: the path that a cached plan makes short.
    ///
    /// # Errors
    /// As [`Session::query`] where the plan or its arguments cannot be made.
    pub fn prepare(&self, verb: Prim, table: &Table, args: &[Value], scope: &Scope) -> Result<Ready> {
        let query = Query::from_args(verb, args.get(..3).unwrap_or(args)).map_err(|e| error::signal(&e))?;
        Ok(self.ready_launch(self.choice()?, &query, table, scope)?)
    }

    /// The plan of the query in a parse tree, made anew, whatever the engine.
    ///
    /// # Errors
    /// As [`Session::query`] where there is no plan.
    pub fn explain(&self, tree: &Value, table: &Table, scope: &Scope) -> Result<Plan> {
        let query = Query::from_tree(tree).map_err(|e| error::signal(&e))?;
        let columns = table.cols.iter().map(Place::column).collect::<Result<Vec<_>>>()?;
        let Known { query, schema, .. } = known(&query, table, &columns, scope, self.compensated())?;
        compiler::compile(&query, &schema).map_err(|e| error::signal(&e))
    }

    fn ready_launch(
        &self,
        choice: &Choice,
        query: &Query,
        table: &Table,
        scope: &Scope,
    ) -> std::result::Result<Ready, Refused> {
        let columns = table.cols.iter().map(Place::column).collect::<Result<Vec<_>>>()?;
        let Known { query, variables, schema, domains } =
            known(query, table, &columns, scope, self.compensated())?;
        let (key, literals) = key::lift(&query, &schema);
        let (loaded, hit) = choice.plans.get_or(key, || {
            let plan = compiler::compile(&query, &schema)?;
            let module = choice.device.load(&plan).map_err(unbuilt)?;
            let cost = cost(&plan);
            Ok::<_, Refused>(Loaded { bytes: cost.read + cost.written, plan, module })
        })?;
        let graph = &loaded.plan.graph;
        let find = |name: Sym| variables.iter().find(|v| v.0 == name).map(|v| v.1.clone());
        let given = launch::Given { literals: &literals.0, variable: &find, domains: &domains };
        let (args, domains) = launch::args(graph, &given)?;
        let input = |i: &compiler::ir::Input| match i.counts {
            true => columns[i.index].counts(),
            false => Ok(columns[i.index].clone()),
        };
        let inputs = graph.inputs.values().map(input).collect::<Result<_>>()?;
        Ok(Ready { loaded, hit, inputs, args, domains, rows: table.rows() })
    }
}

/// An interpreter that sees what the query sees besides columns.
pub(crate) fn host(scope: &Scope) -> Result<Interp> {
    let mut q = Interp::new();
    q.globals = scope.interp.globals.clone();
    // The query's own names are set in this copy, even for a worker of `peach`.
    q.globals.frozen = false;
    for (name, value) in scope.locals.iter().rev() {
        q.set_global(*name, value.clone())?;
    }
    Ok(q)
}

/// The reference interpreter's answer to a query of a table on the host: `args` are what follows the table.
pub fn on_host(verb: Prim, table: Value, args: &[Value], scope: &Scope) -> Result<Value> {
    let mut q = host(scope)?;
    // Queries inside the query see host copies too.
    let names = Query::from_args(verb, args.get(..3).unwrap_or(args)).map_or(vec![], |query| query.names());
    for name in names {
        if let Some(value) = scope.get(name).filter(|value| Object::of(value).is_some()) {
            q.set_global(name, moves::from(&value)?)?;
        }
    }
    let mut all = vec![table];
    all.extend_from_slice(args);
    q.apply(&Value::prim(verb), all)
}

/// An engine's `nyi` is a documented limit, as the compiler's is.
fn unbuilt(e: Error) -> Refused {
    match &*e.name {
        "nyi" => Refused::NotYet(Error { name: "GPU_NOT_IMPLEMENTED".into(), ..e }),
        _ => Refused::Final(e),
    }
}

fn is_false(b: &Value) -> bool {
    b.as_long() == Some(0)
}
