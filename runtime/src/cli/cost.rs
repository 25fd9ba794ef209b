//! The cost stage of `qfuse plan`: what a query will take on GPUs that are not here.

use crate::device::launcher::BLOCK;
use crate::device::nvrtc::Resources;
use crate::predict::gpus::{GPUS, sm};
use crate::predict::occupancy::{Occupancy, occupancy};
use crate::predict::simulate::Simulated;
use crate::predict::{self, Work};
use compiler::plan::Plan;
use serde::Serialize;
use sim::Counters;

/// A kernel's entry: what ptxas says, and what follows for a multiprocessor. For tools.
#[derive(Serialize)]
pub struct EntryLine {
    entry: String,
    registers: u32,
    shared: u32,
    stack: u32,
    spills: u32,
    blocks: u32,
    warps: u32,
    most_warps: u32,
    limit: String,
}

/// A GPU and the times in seconds that its peaks allow. For tools.
#[derive(Serialize)]
pub struct GpuLine {
    gpu: &'static str,
    memory: f64,
    compute: f64,
    launches: f64,
    total: f64,
    least: f64,
}

/// The simulated launches of an entry. For tools.
#[derive(Serialize)]
pub struct LaunchLine {
    entry: String,
    launches: usize,
    instructions: u64,
    sectors: u64,
    ideal: u64,
    fresh: u64,
    shared_turns: u64,
    least_turns: u64,
    branches: u64,
    divergent: u64,
}

/// The entries with their occupancy on the multiprocessor of `arch`.
pub fn entries(all: &[Resources], arch: u32) -> Vec<EntryLine> {
    let line = |r: &Resources| {
        let Occupancy { blocks, warps, most, limit } = occupancy(r, BLOCK, sm(arch));
        EntryLine {
            entry: r.kernel.clone(),
            registers: r.registers,
            shared: r.shared,
            stack: r.stack,
            spills: r.spills,
            blocks,
            warps,
            most_warps: most,
            limit: limit.to_string(),
        }
    };
    all.iter().map(line).collect()
}

/// The entries as a table.
pub fn resources(all: &[Resources], arch: u32) -> String {
    let width = all.iter().map(|r| r.kernel.len()).max().unwrap_or(0).max("entry".len());
    let mut text = format!("{:width$} registers shared stack spilled warps  full limit", "entry");
    for e in entries(all, arch) {
        let share = 100 * e.warps / e.most_warps.max(1);
        text += &format!(
            "\n{:width$} {:9} {:6} {:5} {:7} {:5} {share:4}% {}",
            e.entry, e.registers, e.shared, e.stack, e.spills, e.warps, e.limit
        );
    }
    text
}

/// The work on `rows` rows: measured where the query was simulated, else counted from the plan.
pub fn work(plan: &Plan, simulated: Option<&Simulated>, rows: u64) -> Work {
    simulated.map_or_else(|| predict::counted(plan, rows), |s| s.work(rows))
}

/// The GPUs with their times.
pub fn gpus(work: &Work) -> Vec<GpuLine> {
    let line = |gpu| {
        let t = predict::time(work, gpu);
        let total = t.total();
        GpuLine {
            gpu: gpu.name,
            memory: t.memory,
            compute: t.compute,
            launches: t.launches,
            total,
            least: t.least,
        }
    };
    GPUS.iter().map(line).collect()
}

/// The launches of a run on the simulator by entry, in the order of the first of each.
pub fn launches(simulated: &Simulated) -> Vec<LaunchLine> {
    let mut entries: Vec<(&str, usize, Counters)> = vec![];
    for l in &simulated.launches {
        match entries.iter_mut().find(|e| e.0 == l.kernel) {
            Some(entry) => {
                entry.1 += 1;
                entry.2 += l.counters;
            }
            None => entries.push((&l.kernel, 1, l.counters)),
        }
    }
    let line = |(entry, launches, c): (&str, usize, Counters)| LaunchLine {
        entry: entry.into(),
        launches,
        instructions: c.instructions,
        sectors: c.global.sectors,
        ideal: c.global.ideal,
        fresh: c.global.fresh,
        shared_turns: c.turns,
        least_turns: c.least,
        branches: c.branches,
        divergent: c.divergent,
    };
    entries.into_iter().map(line).collect()
}

/// The stage's text.
pub fn text(plan: &Plan, simulated: Option<&Simulated>, rows: u64) -> String {
    let work = work(plan, simulated, rows);
    let kernels = compiler::plan::cost::cost(plan).kernels;
    let mut text: String =
        kernels.iter().map(|k| format!("{} {}: {k}\n", k.kernel, k.skeleton.name())).collect();
    if let Some(simulated) = simulated {
        let (rows, launches, buffers) = (simulated.ready.rows, table(simulated), touched(simulated));
        text += &format!("simulated on {rows} rows\n{launches}\n{buffers}\n");
    }
    let bytes = work.bytes / rows.max(1) as f64;
    let again = work.again.iter().map(|a| a.bytes).sum::<f64>() / rows.max(1) as f64;
    let least = work.least / rows.max(1) as f64;
    let what = match simulated {
        Some(_) => "moves, each sector once a launch,",
        None => "moves, where all rows pass and groups are few,",
    };
    text += &format!(
        "{rows} rows: {what} {bytes:.2} B a row, at the least {least:.2}; {} launches\n",
        work.launches
    );
    if again > 0.0 {
        text += &format!("{again:.2} B a row are touched again, in a cache where it is large enough\n");
    }
    text += "gpu      memory ms  compute ms  launch ms   total ms   least ms  Grows/s";
    for g in gpus(&work) {
        let ms = [g.memory, g.compute, g.launches, g.total, g.least].map(|s| s * 1e3);
        let compute = if simulated.is_some() { format!("{:11.4}", ms[1]) } else { format!("{:>11}", "-") };
        let speed = rows as f64 / g.total / 1e9;
        text += &format!(
            "\n{:6} {:11.4} {compute} {:10.4} {:10.4} {:10.4} {speed:8.2}",
            g.gpu, ms[0], ms[2], ms[3], ms[4]
        );
    }
    text
}

/// The launches as a table.
fn table(simulated: &Simulated) -> String {
    let all = launches(simulated);
    let width = all.iter().map(|l| l.entry.len()).max().unwrap_or(0).max("entry".len());
    let mut text =
        format!("{:width$} launches instructions  sectors    ideal ratio conflicts divergent", "entry");
    let ratio = |a: u64, b: u64| if b == 0 { 1.0 } else { a as f64 / b as f64 };
    for l in all {
        let share = ratio(l.sectors, l.ideal);
        let conflicts = ratio(l.shared_turns, l.least_turns);
        let divergent = 100.0 * l.divergent as f64 / l.branches.max(1) as f64;
        text += &format!(
            "\n{:width$} {:8} {:12} {:8} {:8} {share:5.2} {conflicts:9.2} {divergent:8.1}%",
            l.entry, l.launches, l.instructions, l.sectors, l.ideal
        );
    }
    text
}

/// The buffers that the launches touch, as a table, the busiest first.
fn touched(simulated: &Simulated) -> String {
    let all = simulated.buffers();
    let width = all.iter().map(|b| b.0.len()).max().unwrap_or(0).max("buffer".len());
    let mut text = format!("{:width$}  sectors    ideal    fresh B a row", "buffer");
    let rows = simulated.ready.rows.max(1) as f64;
    for (name, t) in all {
        let bytes = t.sectors as f64 * 32.0 / rows;
        text += &format!("\n{name:width$} {:8} {:8} {:8} {bytes:7.2}", t.sectors, t.ideal, t.fresh);
    }
    text
}
