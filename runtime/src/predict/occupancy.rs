//! How many warps of a kernel reside on a multiprocessor at once, and what keeps more away.

use super::gpus::{REGISTERS, REGISTERS_AT_A_TIME, SCHEDULERS, SHARED_AT_A_TIME, Sm, WARP};
use crate::device::nvrtc::Resources;
use std::fmt;

/// What there is not enough of for another block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Places for warps: the multiprocessor is full.
    Warps,
    /// Places for blocks.
    Blocks,
    /// Registers.
    Registers,
    /// Shared memory.
    Shared,
}

/// What resides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occupancy {
    /// Blocks on a multiprocessor.
    pub blocks: u32,
    /// Warps on a multiprocessor.
    pub warps: u32,
    /// The most warps that it could have.
    pub most: u32,
    /// What keeps more away; the first of several in the order of the type.
    pub limit: Limit,
}

impl Occupancy {
    /// Warps as a share of the most.
    pub fn share(&self) -> f64 {
        f64::from(self.warps) / f64::from(self.most.max(1))
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Warps => "warps",
            Limit::Blocks => "blocks",
            Limit::Registers => "registers",
            Limit::Shared => "shared memory",
        })
    }
}

/// The occupancy of a kernel launched with blocks of `threads` threads on `sm`.
pub fn occupancy(used: &Resources, threads: u32, sm: &Sm) -> Occupancy {
    let warps = threads.div_ceil(WARP).max(1);
    // A warp's registers lie in the part of the file that its scheduler has.
    let a_warp = (used.registers * WARP).next_multiple_of(REGISTERS_AT_A_TIME).max(1);
    let by_registers = REGISTERS / SCHEDULERS / a_warp * SCHEDULERS / warps;
    let a_block = (used.shared + sm.reserved).next_multiple_of(SHARED_AT_A_TIME);
    let by_shared = sm.shared.checked_div(a_block).unwrap_or(u32::MAX);
    let limits = [
        (sm.warps / warps, Limit::Warps),
        (sm.blocks, Limit::Blocks),
        (by_registers, Limit::Registers),
        (by_shared, Limit::Shared),
    ];
    let (blocks, limit) = limits.into_iter().min_by_key(|l| l.0).expect("there are four limits");
    Occupancy { blocks, warps: blocks * warps, most: sm.warps, limit }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predict::gpus::sm;

    fn of(registers: u32, shared: u32, threads: u32, arch: u32) -> (u32, u32, Limit) {
        let used = Resources { registers, shared, ..Resources::default() };
        let o = occupancy(&used, threads, sm(arch));
        (o.blocks, o.warps, o.limit)
    }

    #[test]
    fn each_limit_binds_in_its_turn() {
        assert_eq!(of(32, 0, 256, 90), (8, 64, Limit::Warps));
        assert_eq!(of(40, 0, 256, 90), (6, 48, Limit::Registers));
        assert_eq!(of(255, 0, 256, 90), (1, 8, Limit::Registers));
        assert_eq!(of(33, 0, 256, 90), (6, 48, Limit::Registers), "registers come by the 256 for a warp");
        assert_eq!(of(16, 0, 32, 90), (32, 32, Limit::Blocks));
        // 20 KB and the reserved one go ten times into 228 KB.
        assert_eq!(of(32, 20 * 1024, 128, 90), (10, 40, Limit::Shared));
        assert_eq!(of(32, 20 * 1024, 256, 89), (4, 32, Limit::Shared));
        assert_eq!(of(32, 0, 256, 89), (6, 48, Limit::Warps));
        assert_eq!(of(0, 0, 1024, 75), (1, 32, Limit::Warps));
    }

    #[test]
    fn what_does_not_fit_does_not_reside() {
        assert_eq!(of(32, 300 * 1024, 256, 90), (0, 0, Limit::Shared));
        assert_eq!(of(255, 0, 1024, 90), (0, 0, Limit::Registers));
        let used = Resources { registers: 32, ..Resources::default() };
        assert_eq!(occupancy(&used, 256, sm(90)).share(), 1.0);
    }
}
