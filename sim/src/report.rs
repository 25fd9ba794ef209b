//! What the simulator reports: faults with their place, and what a launch cost.

use crate::ptx::Kernel;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

/// What kind of defect a run showed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An access outside its buffer, or to freed memory.
    Bounds,
    /// An address that is no multiple of the access.
    Alignment,
    /// A read of bytes that nobody wrote.
    Uninitialised,
    /// Two accesses that nothing orders, one of them a write.
    Race,
    /// Lanes at different barriers, or outside the members of what they do together.
    Divergence,
    /// Lanes that wait for what never comes.
    Deadlock,
    /// Lanes that run and get nowhere.
    Livelock,
    /// The kernel's own trap.
    Trap,
    /// Arguments that do not fit the kernel.
    Launch,
}

/// A defect within an instruction: the place is added by who runs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// Which kind.
    pub kind: Kind,
    /// The lane, where it is one lane's.
    pub lane: Option<usize>,
    /// What happened, with the buffer's name.
    pub what: String,
}

impl Wrong {
    /// A defect of no lane in particular.
    pub fn new(kind: Kind, what: impl Into<String>) -> Wrong {
        Wrong { kind, lane: None, what: what.into() }
    }
}

/// A defect and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Which kind.
    pub kind: Kind,
    /// The kernel.
    pub kernel: String,
    /// The line of the CUDA text, counted from 1; 0 if it is not known.
    pub source: u32,
    /// The line of the PTX, counted from 1.
    pub line: u32,
    /// The block.
    pub block: u32,
    /// The warp in its block.
    pub warp: usize,
    /// The lane.
    pub lane: Option<usize>,
    /// What happened.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {} at line {} (PTX {})", self.kind, self.kernel, self.source, self.line)?;
        write!(f, ", block {} warp {}", self.block, self.warp)?;
        if let Some(lane) = self.lane {
            write!(f, " lane {lane}")?;
        }
        write!(f, ": {}", self.what)
    }
}

/// What an instruction is, for counting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Integers, bits and moves.
    Integer,
    /// Floats of four bytes.
    Single,
    /// Floats of eight bytes.
    Double,
    /// Conversions.
    Convert,
    /// Comparisons, selections and predicates.
    Compare,
    /// Loads and stores.
    Memory,
    /// Atomic operations.
    Atomic,
    /// Shuffles, votes, matches and reductions of a warp.
    Warp,
    /// Barriers and fences.
    Barrier,
    /// Branches and exits.
    Control,
}

impl Class {
    /// Every class, in the order of [`Counters::classes`].
    pub const ALL: [Class; 10] = [
        Class::Integer,
        Class::Single,
        Class::Double,
        Class::Convert,
        Class::Compare,
        Class::Memory,
        Class::Atomic,
        Class::Warp,
        Class::Barrier,
        Class::Control,
    ];
}

/// Accesses to global memory, a warp each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Traffic {
    /// Loads.
    pub loads: u64,
    /// Stores.
    pub stores: u64,
    /// Atomic operations.
    pub atomics: u64,
    /// Bytes that the lanes asked for.
    pub bytes: u64,
    /// Sectors of 32 bytes that the accesses touch.
    pub sectors: u64,
    /// Sectors that the same distinct elements would fill side by side.
    pub ideal: u64,
    /// Those of `sectors` that the launch has not touched before, by loads or by stores: what goes through the memory
    /// where a cache holds the rest.
    pub fresh: u64,
    /// Those of `sectors` that are loaded by the block that was the last to load them, which a multiprocessor's own
    /// cache has.
    pub near: u64,
}

/// What a launch cost, counted over all warps.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counters {
    /// Instructions of warps.
    pub instructions: u64,
    /// Instructions of lanes.
    pub lanes: u64,
    /// Instructions of warps by [`Class`].
    pub classes: [u64; Class::ALL.len()],
    /// Accesses to global memory.
    pub global: Traffic,
    /// Accesses to shared memory, a warp each.
    pub shared: u64,
    /// Turns that they take: more than one each where lanes want different words of one bank.
    pub turns: u64,
    /// Turns that they would take without conflicts.
    pub least: u64,
    /// Branches.
    pub branches: u64,
    /// Branches where lanes of a warp part.
    pub divergent: u64,
    /// Barriers that a block passed.
    pub barriers: u64,
}

impl AddAssign for Traffic {
    fn add_assign(&mut self, other: Traffic) {
        self.loads += other.loads;
        self.stores += other.stores;
        self.atomics += other.atomics;
        self.bytes += other.bytes;
        self.sectors += other.sectors;
        self.ideal += other.ideal;
        self.fresh += other.fresh;
        self.near += other.near;
    }
}

impl AddAssign for Counters {
    fn add_assign(&mut self, other: Counters) {
        self.instructions += other.instructions;
        self.lanes += other.lanes;
        self.classes.iter_mut().zip(other.classes).for_each(|(a, b)| *a += b);
        self.global += other.global;
        self.shared += other.shared;
        self.turns += other.turns;
        self.least += other.least;
        self.branches += other.branches;
        self.divergent += other.divergent;
        self.barriers += other.barriers;
    }
}

/// A launch and what it cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launched {
    /// The entry's name.
    pub kernel: String,
    /// How many blocks.
    pub grid: u32,
    /// What it cost in all.
    pub counters: Counters,
    /// The accesses to each buffer that has any, by its name.
    pub buffers: Vec<(String, Traffic)>,
    /// The accesses that each line of the CUDA text makes, ascending; line 0 where it is not known.
    pub lines: Vec<(u32, Traffic)>,
}

/// Counters of a launch in progress.
#[derive(Debug)]
pub struct Tally {
    /// What is not counted by instruction.
    pub counters: Counters,
    /// How often each instruction ran: warps and lanes.
    pub ran: Vec<(u64, u64)>,
    /// Accesses by instruction.
    pub accesses: Vec<Traffic>,
    /// Accesses by buffer.
    pub buffers: Vec<Traffic>,
    /// By buffer, for each sector, the number of the block that loaded it last, and of that which stored it, from 1 on.
    seen: Vec<[Vec<u32>; 2]>,
}

impl Tally {
    /// Nothing counted yet, of so many instructions and buffers.
    pub fn new(instructions: usize, buffers: usize) -> Tally {
        Tally {
            counters: Counters::default(),
            ran: vec![(0, 0); instructions],
            accesses: vec![Traffic::default(); instructions],
            buffers: vec![Traffic::default(); buffers],
            seen: vec![Default::default(); buffers],
        }
    }

    /// Of the sectors at these offsets in a buffer, ascending: how many were not loaded, or not stored, before, and how
    /// many the block was the last to load.
    pub fn seen(
        &mut self,
        buffer: usize,
        offsets: impl Iterator<Item = u64>,
        block: u32,
        stored: bool,
    ) -> (u64, u64) {
        let Some(seen) = self.seen.get_mut(buffer) else { return (0, 0) };
        let seen = &mut seen[usize::from(stored)];
        let (mut fresh, mut near, mut last) = (0, 0, usize::MAX);
        for sector in offsets.map(|offset| (offset / 32) as usize) {
            if sector == std::mem::replace(&mut last, sector) {
                continue;
            }
            if sector >= seen.len() {
                seen.resize((sector + 1).next_power_of_two(), 0);
            }
            let before = std::mem::replace(&mut seen[sector], block + 1);
            fresh += u64::from(before == 0);
            near += u64::from(before == block + 1 && !stored);
        }
        (fresh, near)
    }

    /// The launch of a kernel with what was counted; `name` gives a buffer's name.
    pub fn launched(&self, kernel: &Kernel, grid: u32, name: impl Fn(usize) -> String) -> Launched {
        let mut counters = self.counters;
        let mut lines: BTreeMap<u32, Traffic> = BTreeMap::new();
        for ((instruction, &(warps, lanes)), &traffic) in
            kernel.code.iter().zip(&self.ran).zip(&self.accesses)
        {
            counters.instructions += warps;
            counters.lanes += lanes;
            counters.classes[instruction.op.class() as usize] += warps;
            counters.global += traffic;
            if traffic != Traffic::default() {
                *lines.entry(instruction.source).or_default() += traffic;
            }
        }
        let used = self.buffers.iter().enumerate().filter(|(_, t)| **t != Traffic::default());
        Launched {
            kernel: kernel.name.clone(),
            grid,
            counters,
            buffers: used.map(|(i, t)| (name(i), *t)).collect(),
            lines: lines.into_iter().collect(),
        }
    }
}

/// Distinct sectors of 32 bytes of one request, and those that its distinct elements would fill side by side.
/// Elements are aligned, so that none lies in two sectors.
pub fn sectors(addresses: &mut [u64], bytes: u64) -> (u64, u64) {
    if !addresses.is_sorted() {
        addresses.sort_unstable();
    }
    let distinct = |of: fn(u64) -> u64| {
        addresses.windows(2).filter(|w| of(w[0]) != of(w[1])).count() as u64
            + u64::from(!addresses.is_empty())
    };
    (distinct(|a| a / 32), (distinct(|a| a) * bytes).div_ceil(32))
}

/// The turns that one request to the 32 banks of shared memory takes: the most distinct words of one bank, a half
/// or quarter warp at a time where lanes want 8 or 16 bytes.
pub fn turns(addresses: &[u64], bytes: u64) -> u64 {
    let together = if bytes > 4 { (128 / bytes).max(1) as usize } else { 32 };
    addresses.chunks(together).map(|lanes| turn(lanes, bytes)).sum()
}

/// The most distinct words of one bank, of at most 32 words.
fn turn(lanes: &[u64], bytes: u64) -> u64 {
    let words = bytes.div_ceil(4);
    let mut seen = [u64::MAX; 32];
    // All in different banks, which is the rule, or the same word as another lane.
    let simple = lanes.iter().flat_map(|&a| a / 4..a / 4 + words).all(|word| {
        let bank = &mut seen[(word % 32) as usize];
        let free = *bank == u64::MAX || *bank == word;
        *bank = word;
        free
    });
    if simple {
        return 1;
    }
    let mut all: Vec<u64> =
        lanes.iter().flat_map(|&a| a / 4..a / 4 + words).map(|w| (w % 32) << 56 | w).collect();
    all.sort_unstable();
    all.dedup();
    all.chunk_by(|a, b| a >> 56 == b >> 56).map(<[u64]>::len).max().unwrap_or(0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sectors_and_turns_follow_the_addresses() {
        let at = |step: u64| (0..32).map(|i| i * step).collect::<Vec<_>>();
        assert_eq!(sectors(&mut at(8), 8), (8, 8));
        assert_eq!(sectors(&mut at(32), 4), (32, 4));
        assert_eq!(sectors(&mut [64; 32], 4), (1, 1), "one word for all");
        assert_eq!(sectors(&mut [96, 32, 64, 36], 4), (3, 1), "in no order");
        assert_eq!(sectors(&mut [], 4), (0, 0));
        assert_eq!(turns(&at(4), 4), 1);
        assert_eq!(turns(&at(8), 4), 2);
        assert_eq!(turns(&at(128), 4), 32);
        assert_eq!(turns(&[0; 32], 4), 1);
        assert_eq!(turns(&at(8), 8), 2);
    }
}
