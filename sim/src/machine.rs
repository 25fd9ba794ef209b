//! Warps and blocks: registers, groups of lanes that run together, and the memory that is theirs.

use super::memory::Region;
use super::ptx::{Kernel, Reg, Special, TRUE};
use super::race::Agent;

/// Lanes of a warp.
pub const LANES: usize = 32;

/// What a group of lanes waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// It can run.
    Ready,
    /// The block's barrier.
    Barrier,
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
    pub regs: Vec<[u64; LANES]>,
    /// Its predicates, a bit a lane.
    pub preds: Vec<u32>,
    /// Its lanes that have not exited, in groups.
    pub groups: Vec<Group>,
    /// Its lanes that have not exited.
    pub live: u32,
    /// Its lanes.
    pub all: u32,
    /// Each lane's own memory.
    pub local: Vec<Region>,
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
}

/// The lanes of a mask, ascending.
pub fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = (rest != 0).then(|| rest.trailing_zeros() as usize);
        rest &= rest.wrapping_sub(1);
        lane
    })
}

/// The registers that every warp of a launch begins with.
pub fn registers(kernel: &Kernel, preset: &[(Reg, u64)], block: u32, grid: u32) -> Vec<[u64; LANES]> {
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
    pub fn new(kernel: &Kernel, regs: &[[u64; LANES]], number: u32, threads: u32) -> Block {
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
            let local = if kernel.local == 0 { 0 } else { LANES };
            let mut preds = vec![0; kernel.predicates as usize];
            preds[TRUE as usize] = u32::MAX;
            Warp {
                regs,
                preds,
                groups: vec![Group { at: 0, lanes: live, state: State::Ready }],
                live,
                all: live,
                local: (0..local).map(|_| Region::new("a thread's memory", kernel.local)).collect(),
                agent: Agent::new(number * warps + w),
            }
        };
        let arrays: Vec<&str> = kernel.arrays.iter().map(|a| a.0.as_str()).collect();
        let name = format!("shared memory ({})", arrays.join(", "));
        Block { number, warps: (0..warps).map(warp).collect(), shared: Region::new(name, kernel.shared) }
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
            let barrier = |g: &Group| g.state == State::Barrier;
            let same = next.at == group.at && barrier(next) == barrier(group);
            if same {
                group.lanes |= next.lanes;
                // Lanes that waited for these go on with them.
                if group.state != State::Barrier {
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
