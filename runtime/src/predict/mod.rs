//! What a plan will cost on a GPU that is not there: bytes, instructions and launches over the peaks of known GPUs.
//!
//! The times are a roofline: no kernel is faster than its bytes through the memory, its instructions through the
//! schedulers, and its doubles through their units; these overlap, and launches do not. Real kernels reach about
//! nine tenths of a memory's peak. Bytes come from the plan's cost, or from a run on the simulator, which also
//! counts instructions. There each sector that a launch touches goes through the memory once; again where it is
//! touched again, but for what a block loads that it loaded last itself, in a buffer of which the launch touches more
//! than half of what the second-level cache holds; the other half is for what passes through it.

pub mod gpus;
pub mod occupancy;
pub mod sample;
pub mod simulate;

use compiler::ir::{Dim, DimDef};
use compiler::plan::Plan;
use compiler::plan::cost::cost;
use gpus::{Gpu, SCHEDULERS, WARP, sm};

/// Seconds from the end of a kernel to the start of the next in a stream, and of a launch that nothing hides: a
/// usual figure for today's drivers, which no datasheet gives.
pub const LAUNCH: f64 = 2.5e-6;

/// What a plan makes a GPU do.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Work {
    /// Bytes that go through the memory of every GPU.
    pub bytes: f64,
    /// Bytes that are touched again, where they were counted.
    pub again: Vec<Again>,
    /// The least bytes that any plan of the query moves: each input column once a pass, each result once.
    pub least: f64,
    /// Launches.
    pub launches: usize,
    /// Instructions of warps, where they were counted.
    pub instructions: f64,
    /// Those of them that compute with doubles.
    pub doubles: f64,
}

/// Bytes of a buffer that a launch touches again.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Again {
    /// How many.
    pub bytes: f64,
    /// The bytes of the buffer that the launch touches at all.
    pub of: f64,
}

impl Work {
    /// Bytes that go through the memory of a GPU whose second-level cache holds `cache` bytes.
    pub fn through(&self, cache: f64) -> f64 {
        self.bytes + self.again.iter().filter(|a| a.of > cache / 2.0).map(|a| a.bytes).sum::<f64>()
    }
}

/// The times in seconds that a GPU's peaks allow.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Time {
    /// All bytes through the memory.
    pub memory: f64,
    /// All instructions through the schedulers and the units for doubles.
    pub compute: f64,
    /// All launches.
    pub launches: f64,
    /// The least bytes through the memory.
    pub least: f64,
}

impl Time {
    /// The time of the whole.
    pub fn total(&self) -> f64 {
        self.memory.max(self.compute) + self.launches
    }
}

/// What `work` takes on `gpu`.
pub fn time(work: &Work, gpu: &Gpu) -> Time {
    let bandwidth = f64::from(gpu.bandwidth) * 1e9;
    let clocks = f64::from(gpu.sms) * f64::from(gpu.clock) * 1e6;
    let issued = work.instructions / f64::from(SCHEDULERS);
    let doubles = work.doubles * f64::from(WARP) / f64::from(sm(gpu.arch).doubles);
    Time {
        memory: work.through(f64::from(gpu.cache) * 1024.0 * 1024.0) / bandwidth,
        compute: issued.max(doubles) / clocks,
        launches: work.launches as f64 * LAUNCH,
        least: work.least / bandwidth,
    }
}

/// The work of a plan for `rows` rows of which all pass every filter, and whose groups are too few to count.
pub fn counted(plan: &Plan, rows: u64) -> Work {
    let length = |dim: Dim| many(plan, dim) as u8 as f64 * rows as f64;
    let cost = cost(plan);
    let kernels = cost.kernels.iter();
    let bytes = kernels
        .map(|k| length(k.over) * (k.read + k.gathered + k.ids) as f64 + length(k.into) * k.written as f64);
    let results = plan.graph.outputs.iter().filter(|o| !plan.graph.is_given(o.node));
    let written: f64 =
        results.map(|o| length(plan.graph.ty(o.node).dim) * plan.graph.width(o.node) as f64).sum();
    Work {
        // No kernels make the sum -0, which would be printed so.
        bytes: bytes.sum::<f64>() + 0.0,
        least: rows as f64 * (cost.least_read + cost.least_codes) as f64 + written,
        launches: cost.launches,
        ..Work::default()
    }
}

/// True of a dim that has about as many items as the table has rows.
fn many(plan: &Plan, dim: Dim) -> bool {
    match plan.graph.dims[dim] {
        DimDef::Rows => true,
        DimDef::Kept { of, .. } | DimDef::Lists { of, .. } => many(plan, of),
        DimDef::One | DimDef::Groups { .. } | DimDef::Given(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpus::GPUS;

    #[test]
    fn the_slowest_part_is_the_time_and_launches_come_on_top() {
        let h100 = GPUS.iter().find(|g| g.name == "H100").expect("it has a row");
        let work = Work { bytes: 3.35e9, least: 3.35e8, launches: 2, ..Work::default() };
        let t = time(&work, h100);
        assert_eq!((t.memory, t.compute, t.launches), (1e-3, 0.0, 5e-6));
        assert!((t.least - 1e-4).abs() < 1e-12 && t.total() == 1e-3 + 5e-6);
        // A table is read again from the cache that holds it, and from the memory where none does.
        let table = |of| Work { bytes: 3.35e8, again: vec![Again { bytes: 3.35e9, of }], ..Work::default() };
        assert_eq!((time(&table(2e7), h100).memory, time(&table(3e7), h100).memory), (1e-4, 1.1e-3));
        // Doubles on a GPU that has few units for them.
        let l4 = GPUS.iter().find(|g| g.name == "L4").expect("it has a row");
        let work = Work { instructions: 1e9, doubles: 1e9, ..Work::default() };
        assert_eq!(
            time(&work, l4).compute,
            1e9 * 16.0 / (58.0 * 2.04e9),
            "sixteen clocks for a warp of doubles"
        );
        assert_eq!(
            time(&work, h100).compute,
            1e9 / 2.0 / (132.0 * 1.98e9),
            "half a clock for one of 64 units"
        );
    }
}
