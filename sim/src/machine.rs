//! Warps and blocks: registers, groups of lanes that run together, and the memory that is theirs.

use crate::exec::lanes::{LANES, Row};
use crate::memory::Region;
use crate::ptx::{Kernel, Reg, Special, TRUE};
use crate::race::Agent;
use std::sync::Arc;

/// What a group of lanes waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// It can run.
    Ready,
    /// A barrier of the block, by its number.
    Barrier(u8),
    /// Lanes of its warp.
    Members,
}

/// Lanes of a warp at the same instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// The instruction.
    pub at: u32,
    /// The lanes, a bit each.
    pub lanes: u32,
    /// What they wait for.
    pub state: State,
}

/// A warp.
#[derive(Debug)]
pub struct Warp {
    /// Its number registers, a word a lane.
    pub regs: Vec<Row>,
    /// Its predicates, a bit a lane.
    pub preds: Vec<u32>,
    /// Its lanes that have not exited, in groups.
    pub groups: Vec<Group>,
    /// Its lanes that have not exited.
    pub live: u32,
    /// Its lanes.
    pub all: u32,
    /// Each lane's own memory, one after the other.
    pub local: Region,
    /// What it knows of others.
    pub agent: Agent,
}

/// A block of threads.
#[derive(Debug)]
pub struct Block {
    /// Its number in the grid.
    pub number: u32,
    /// Its warps.
    pub warps: Vec<Warp>,
    /// Its shared memory.
    pub shared: Region,
    /// Warps that came to a barrier of a number and went on: how many threads, and what they knew.
    pub passed: Vec<(u8, u32, Agent)>,
}

/// What the memories of blocks are called.
#[derive(Debug)]
pub struct Names {
    /// Shared memory.
    pub shared: Arc<str>,
    /// A thread's memory.
    pub local: Arc<str>,
}

impl Default for Names {
    fn default() -> Names {
        Names { shared: "shared memory".into(), local: "a thread's memory".into() }
    }
}

/// The registers that every warp of a launch begins with.
pub fn registers(kernel: &Kernel, preset: &[(Reg, u64)], block: u32, grid: u32) -> Vec<Row> {
    let mut regs = vec![[0; LANES]; kernel.registers as usize];
    for &(reg, x) in kernel.constants.iter().chain(preset) {
        regs[reg as usize] = [x; LANES];
    }
    for &(reg, special) in &kernel.specials {
        let lane = |l: usize| {
            let bit = 1u64 << l;
            match special {
                Special::Threads => u64::from(block),
                Special::Blocks => u64::from(grid),
                Special::Lane => l as u64,
                Special::Mask(0) => bit,
                Special::Mask(1) => bit - 1,
                Special::Mask(2) => bit | (bit - 1),
                Special::Mask(3) => !(bit | (bit - 1)) & 0xffff_ffff,
                Special::Mask(_) => !(bit - 1) & 0xffff_ffff,
                Special::One => 1,
                Special::Thread | Special::Block | Special::Zero => 0,
            }
        };
        regs[reg as usize] = std::array::from_fn(lane);
    }
    regs
}

impl Block {
    /// Block `number` of a launch with `threads` threads, whose registers begin as `regs`.
    pub fn new(kernel: &Kernel, names: &Names, regs: &[Row], number: u32, threads: u32) -> Block {
        let warps = threads.div_ceil(LANES as u32);
        let warp = |w: u32| {
            let mut regs = regs.to_vec();
            for &(reg, special) in &kernel.specials {
                match special {
                    Special::Thread => {
                        regs[reg as usize] = std::array::from_fn(|l| u64::from(w) * LANES as u64 + l as u64);
                    }
                    Special::Block => regs[reg as usize] = [u64::from(number); LANES],
                    _ => {}
                }
            }
            let live = match threads - w * LANES as u32 {
                n if n < LANES as u32 => (1 << n) - 1,
                _ => u32::MAX,
            };
            let mut preds = vec![0; kernel.predicates as usize];
            preds[TRUE as usize] = u32::MAX;
            Warp {
                regs,
                preds,
                groups: vec![Group { at: 0, lanes: live, state: State::Ready }],
                live,
                all: live,
                local: Region::new(names.local.clone(), kernel.local * LANES),
                agent: Agent::new(number, w, warps),
            }
        };
        let shared = Region::of_arrays(&names.shared, &kernel.arrays);
        Block { number, warps: (0..warps).map(warp).collect(), shared, passed: Vec::new() }
    }
}

impl Warp {
    /// Joins the groups that are at the same instruction in the same state.
    pub fn join(&mut self) {
        if self.groups.len() < 2 {
            return;
        }
        self.groups.sort_unstable_by_key(|g| g.at);
        self.groups.dedup_by(|next, group| {
            let barrier = |g: &Group| matches!(g.state, State::Barrier(_));
            let same = next.at == group.at && barrier(next) == barrier(group);
            if same {
                group.lanes |= next.lanes;
                // Lanes that waited for these go on with them.
                if !barrier(group) {
                    group.state = State::Ready;
                }
            }
            same
        });
    }

    /// The group that can run and is the least far, which is how lanes that parted meet again.
    pub fn next(&self) -> Option<usize> {
        let ready = self.groups.iter().enumerate().filter(|(_, g)| g.state == State::Ready);
        ready.min_by_key(|(_, g)| g.at).map(|(i, _)| i)
    }
}
