//! A query on generated columns, run by the simulator, for what it counts.

use super::{Again, Work, sample};
use crate::device::sim::Sim;
use crate::device::{Device, Launch, Output};
use crate::gpu::{Place, Table};
use crate::prepare::Ready;
use crate::session::Session;
use compiler::ir::DimDef;
use compiler::plan::cost::cost;
use q::seam::Scope;
use q::{Error, Interp, Result, Value};
use sim::{Class, Counters, Launched, Traffic};

/// What a run on the simulator counted.
#[derive(Debug)]
pub struct Simulated {
    /// The plan and what it ran on.
    pub ready: Ready,
    /// The launches in order.
    pub launches: Vec<Launched>,
    /// Bytes of the results that kernels made.
    pub results: u64,
    /// The most groups that a result has an item for; 0 where none goes by groups.
    pub groups: usize,
}

/// A table like `table`, with `rows` rows: its own over and over, or generated ones where it has none.
///
/// # Errors
/// `type` for columns that no kernel reads.
pub fn stretched(table: &Table, rows: usize) -> Result<Table> {
    let mut seed = 0;
    table.map(|place| {
        seed += 1;
        let column = place.column()?;
        Ok(Place::Device(match column.len() {
            0 => crate::column::Column::of(&sample::column(column.kind, rows, seed))?,
            n => column.gather(&(0..rows).map(|i| (i % n) as i64).collect::<Vec<_>>())?,
        }))
    })
}

/// Runs the query of the parse tree `tree` on `table` on the simulator, by the plan that the session makes of it.
///
/// # Errors
/// As a query on the engine `sim`; `nvrtc` where there is none.
pub fn run(tree: &Value, table: &Table, session: &Session, q: &mut Interp) -> Result<Simulated> {
    let wanted = || Error::new("type").detail("the query must be a select, exec or update of a table");
    let Value::List(items) = tree else { return Err(wanted()) };
    let verb = items.first().and_then(Value::as_prim).ok_or_else(wanted)?;
    let args = items.iter().skip(2).map(|x| q.eval(x, None)).collect::<Result<Vec<_>>>()?;
    let scope = Scope { locals: &[], interp: q };
    let ready = session.prepare(verb, table, &args, &scope)?;
    let engine = Sim::default();
    let plan = &ready.loaded.plan;
    let module = engine.load(plan)?;
    let launch =
        Launch { inputs: &ready.inputs, args: &ready.args, domains: &ready.domains, rows: ready.rows };
    let outputs = engine.run(plan, &module, &launch)?;
    let made = plan.graph.outputs.iter().zip(&outputs).filter(|(o, _)| !plan.graph.is_given(o.node));
    let results = made.map(|(o, output)| match output {
        Output::Column(c) => (c.len() * plan.graph.width(o.node)) as u64,
        Output::Atom(_) => 0,
    });
    let results = results.sum();
    let grouped = |n| matches!(plan.graph.dims[plan.graph.ty(n).dim], DimDef::Groups { .. });
    let groups = plan.graph.outputs.iter().zip(&outputs).filter_map(|(o, output)| match output {
        Output::Column(c) if grouped(o.node) => Some(c.len()),
        _ => None,
    });
    let groups = groups.max().unwrap_or(0);
    Ok(Simulated { launches: engine.launched(), results, groups, ready })
}

impl Simulated {
    /// The accesses to the columns and results by row, without those to values over groups, tables and what the
    /// skeletons keep.
    pub fn columns(&self) -> Traffic {
        let plan = &self.ready.loaded.plan;
        let nodes = plan.graph.nodes.iter().filter(|(_, def)| super::many(plan, def.ty.dim));
        let names: Vec<String> = nodes.map(|(n, _)| n.to_string()).collect();
        let by_row = |name: &str| names.iter().any(|n| name.split(' ').next() == Some(n));
        let mut all = Traffic::default();
        let columns = self.launches.iter().flat_map(|l| &l.buffers).filter(|(name, _)| by_row(name));
        columns.for_each(|(_, t)| all += *t);
        all
    }

    /// All launches together.
    pub fn total(&self) -> Counters {
        let mut all = Counters::default();
        self.launches.iter().for_each(|l| all += l.counters);
        all
    }

    /// What each buffer had of all launches, the one with most sectors first.
    pub fn buffers(&self) -> Vec<(&str, Traffic)> {
        let mut all: Vec<(&str, Traffic)> = vec![];
        for (name, traffic) in self.launches.iter().flat_map(|l| &l.buffers) {
            match all.iter_mut().find(|b| b.0 == name) {
                Some(buffer) => buffer.1 += *traffic,
                None => all.push((name, *traffic)),
            }
        }
        all.sort_by_key(|b| std::cmp::Reverse(b.1.sectors));
        all
    }

    /// The work that the same query is on `rows` rows, in proportion.
    pub fn work(&self, rows: u64) -> Work {
        let scale = rows as f64 / self.ready.rows.max(1) as f64;
        let all = self.total();
        let cost = cost(&self.ready.loaded.plan);
        let least = (cost.least_read + cost.least_codes) as f64;
        let doubles =
            Class::ALL.iter().zip(all.classes).filter(|(c, _)| **c == Class::Double).map(|(_, n)| n);
        let bytes = |sectors: u64| sectors as f64 * 32.0 * scale;
        let touched =
            self.launches.iter().flat_map(|l| &l.buffers).filter(|(_, t)| t.sectors > t.fresh + t.near);
        Work {
            bytes: bytes(all.global.fresh),
            again: touched
                .map(|(_, t)| Again { bytes: bytes(t.sectors - t.fresh - t.near), of: bytes(t.fresh) })
                .collect(),
            least: rows as f64 * least + self.results as f64 * scale,
            launches: self.launches.len(),
            instructions: all.instructions as f64 * scale,
            doubles: doubles.sum::<u64>() as f64 * scale,
        }
    }
}
