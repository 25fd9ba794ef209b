//! The CPU engine: runs a plan's kernels over tiles that stay in the first-level cache, on all cores.
//!
//! `load` turns each kernel's body into a flat program of steps over slots (`program`); `run` binds the
//! programs to columns and arguments ([`env`]) and runs the kernels in order, a file a skeleton. Outputs are
//! written straight into pooled memory, and nothing else has the length of the table but what grouping needs.

mod agg;
mod compact;
mod compare;
mod compensated;
#[allow(unsafe_code)]
mod compress;
mod divide;
mod env;
mod filter;
mod fold;
mod group;
mod loops;
mod map;
mod mask;
mod ops;
mod order;
mod par;
mod place;
#[allow(unsafe_code)]
mod prefetch;
mod program;
mod reduce;
mod repr;
mod room;
#[allow(unsafe_code)]
mod scatter;
mod skip;
#[allow(unsafe_code)]
mod stream;
#[cfg(test)]
mod tests;
mod tile;

use crate::column::Column;
use crate::device::{Device, Launch, Module, Output};
use compact::Compact;
use compiler::ir::{Dim, Node};
use compiler::plan::{Plan, Skeleton};
use env::Env;
use group::Group;
use map::Map;
use order::{Front, List, Scan, Select};
pub use par::use_threads;
use program::{Given, Program, bug};
use q::Result;
use reduce::Reduce;

/// The engine. It holds nothing: threads are the process's, memory is the pool's.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cpu;

/// A kernel made ready.
struct Stage {
    over: Dim,
    /// Computes the atoms before the loop.
    head: Program,
    heads: Vec<Node>,
    body: Body,
}

/// A kernel's loop.
enum Body {
    /// One turn: the head is all there is.
    Once,
    /// Run by the kernel after it.
    Later,
    Map(Map),
    Reduce(Reduce),
    Compact(Compact),
    Group(Box<Group>),
    Scan(Scan),
    List(List),
    /// With the scan before it.
    Front(Box<Front>),
    Select(Select),
}

/// A plan made ready.
struct Ready(Vec<Stage>);

impl Device for Cpu {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn admit(&self, column: &Column) -> Result<()> {
        room::make(column.len());
        Ok(())
    }

    fn load(&self, plan: &Plan) -> Result<Module> {
        let g = &plan.graph;
        let mut stages = vec![];
        let mut front = None;
        for (kernel, def) in &plan.kernels {
            let before = front.take();
            if let Some(next) = plan.kernels.keys().find(|next| *next > kernel) {
                front = Front::new(plan, kernel, next)?;
            }
            let once = def.over == Dim::ONE && def.skeleton == Skeleton::Map;
            let heads = if once { def.writes.clone() } else { def.head.clone() };
            // What such a kernel loads are atoms too.
            let atoms = [&def.atoms[..], if once { &def.loads } else { &[] }].concat();
            stages.push(Stage {
                over: def.over,
                head: Given { graph: g, loads: &[], atoms: Some(&atoms) }.program(&heads)?,
                heads,
                body: match def.skeleton {
                    _ if once => Body::Once,
                    _ if front.is_some() => Body::Later,
                    Skeleton::Map => Body::Map(Map::new(g, def)?),
                    Skeleton::Reduce => Body::Reduce(Reduce::new(g, def)?),
                    Skeleton::Compact => Body::Compact(Compact::new(g, def)?),
                    Skeleton::Group => Body::Group(Box::new(Group::new(plan, def)?)),
                    Skeleton::Scan | Skeleton::Member => Body::Scan(Scan::new(g, def)?),
                    Skeleton::List => match before {
                        Some(front) => Body::Front(Box::new(front)),
                        None => Body::List(List::new(g, def)?),
                    },
                    Skeleton::Select => Body::Select(Select::new(def)),
                },
            });
        }
        Ok(Box::new(Ready(stages)))
    }

    fn run(&self, plan: &Plan, module: &Module, launch: &Launch) -> Result<Vec<Output>> {
        let ready = module.downcast_ref::<Ready>().ok_or_else(|| bug("the module is of another engine"))?;
        let mut env = Env::new(&plan.graph, launch);
        // What a kernel that runs with the next one reads is needed until then.
        let mut held = vec![];
        for (kernel, stage) in plan.kernels.keys().zip(&ready.0) {
            env.compute(&stage.head, &stage.heads)?;
            let rows = env.rows(stage.over)?;
            match &stage.body {
                Body::Once | Body::Later => {}
                Body::Map(map) => map.run(&mut env, rows)?,
                Body::Reduce(reduce) => reduce.run(&mut env, rows)?,
                Body::Compact(compact) => compact.run(&mut env, rows)?,
                Body::Group(group) => group.run(&mut env, rows)?,
                Body::Scan(scan) => scan.run(&mut env, rows)?,
                Body::List(list) => list.run(&mut env, rows)?,
                Body::Front(front) => front.run(&mut env, rows)?,
                Body::Select(select) => select.run(&mut env)?,
            }
            held.extend(plan.dead_after(kernel));
            if !matches!(stage.body, Body::Later) {
                held.drain(..).for_each(|dead| {
                    env.vectors.remove(&dead);
                });
            }
        }
        plan.graph.outputs.iter().map(|o| env.output(o.node)).collect()
    }
}
