//! What the simulator reports: faults with their place, and what a launch cost.

use std::fmt;

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

/// What a launch cost, counted over all warps.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Instructions of warps.
    pub instructions: u64,
    /// Instructions of lanes.
    pub lane_instructions: u64,
    /// Loads and stores of global memory, a warp each.
    pub requests: u64,
    /// Sectors of 32 bytes that they touch.
    pub sectors: u64,
    /// Sectors that the same bytes would touch side by side.
    pub ideal: u64,
    /// Atomic operations, a warp each.
    pub atomics: u64,
    /// Accesses to shared memory, a warp each.
    pub shared: u64,
    /// Turns that they take: more than one each where lanes want different words of one bank.
    pub turns: u64,
    /// Branches.
    pub branches: u64,
    /// Branches where lanes of a warp part.
    pub divergent: u64,
    /// Barriers that a block passed.
    pub barriers: u64,
}

/// A launch and its counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launched {
    /// The entry's name.
    pub kernel: String,
    /// How many blocks.
    pub grid: u32,
    /// What it cost.
    pub counts: Counts,
}

/// Distinct sectors of 32 bytes of one request, and those that its bytes would fill side by side.
pub fn sectors(addresses: &[u64], bytes: u64) -> (u64, u64) {
    let mut seen: Vec<u64> = addresses.iter().flat_map(|&a| a / 32..=(a + bytes - 1) / 32).collect();
    seen.sort_unstable();
    seen.dedup();
    let mut distinct = addresses.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    (seen.len() as u64, (distinct.len() as u64 * bytes).div_ceil(32))
}

/// The turns that one request to the 32 banks of shared memory takes: the most distinct words of one bank, a half
/// or quarter warp at a time where lanes want 8 or 16 bytes.
pub fn turns(addresses: &[u64], bytes: u64) -> u64 {
    let together = if bytes > 4 { (128 / bytes) as usize } else { 32 };
    let turn = |lanes: &[u64]| {
        let mut words: Vec<u64> =
            lanes.iter().flat_map(|&a| a / 4..=(a + bytes - 1) / 4).map(|w| (w % 32) << 56 | w).collect();
        words.sort_unstable();
        words.dedup();
        words.chunk_by(|a, b| a >> 56 == b >> 56).map(<[u64]>::len).max().unwrap_or(0) as u64
    };
    addresses.chunks(together.max(1)).map(turn).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sectors_and_turns_follow_the_addresses() {
        let at = |step: u64| (0..32).map(|i| i * step).collect::<Vec<_>>();
        assert_eq!(sectors(&at(8), 8), (8, 8));
        assert_eq!(sectors(&at(32), 4), (32, 4));
        assert_eq!(sectors(&[64; 32], 4), (1, 1), "one word for all");
        assert_eq!(sectors(&[28], 8), (2, 1), "across a border");
        assert_eq!(turns(&at(4), 4), 1);
        assert_eq!(turns(&at(8), 4), 2);
        assert_eq!(turns(&at(128), 4), 32);
        assert_eq!(turns(&[0; 32], 4), 1);
        assert_eq!(turns(&at(8), 8), 2);
    }
}
