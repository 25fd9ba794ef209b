//! PTX as the simulator runs it: kernels of instructions over numbered registers.

use crate::exec::carry::Carry;
use crate::exec::lanes::{Lanes, Test};
use crate::memory::Array;
use crate::race::Strength;
use crate::report::Class;
use std::sync::Arc;

/// A number register of a warp: 64 bits a lane, of which an instruction uses what its type has.
pub type Reg = u32;
/// A predicate register of a warp: a bit a lane.
pub type Pred = u32;

/// The register that takes what nobody reads and holds 0 where an operand is missing.
pub const NONE: Reg = 0;
/// The predicate that holds the carry flag.
pub const CARRY: Pred = 0;
/// The predicate that is always true.
pub const TRUE: Pred = 1;
/// The predicate that is always false.
pub const FALSE: Pred = 2;

/// The type of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    /// A predicate.
    Pred,
    /// An unsigned integer or untyped bits, of so many bytes.
    Bits(u8),
    /// A signed integer of so many bytes.
    Signed(u8),
    /// A float of four or eight bytes.
    Float(u8),
}

impl Ty {
    /// The type that a suffix names: `u32`, `b8`, `f64`, `pred`.
    pub fn parse(text: &str) -> Option<Ty> {
        if text == "pred" {
            return Some(Ty::Pred);
        }
        let (class, bits) = text.split_at_checked(1)?;
        let bytes = match bits {
            "8" => 1,
            "16" => 2,
            "32" => 4,
            "64" => 8,
            _ => return None,
        };
        match class {
            "b" | "u" => Some(Ty::Bits(bytes)),
            "s" => Some(Ty::Signed(bytes)),
            "f" if bytes >= 4 => Some(Ty::Float(bytes)),
            _ => None,
        }
    }

    /// Bytes that it takes in memory.
    pub fn bytes(self) -> u8 {
        match self {
            Ty::Pred => 1,
            Ty::Bits(n) | Ty::Signed(n) | Ty::Float(n) => n,
        }
    }

    /// The integer that a register holds, extended as the type says.
    pub fn widen(self, x: u64) -> i128 {
        let unused = 64 - 8 * u32::from(self.bytes());
        match self {
            Ty::Signed(_) => i128::from((x << unused) as i64 >> unused),
            _ => i128::from(x << unused >> unused),
        }
    }

    /// The low bits of a result that the type has.
    pub fn narrow(self, x: i128) -> u64 {
        let unused = 64 - 8 * u32::from(self.bytes());
        (x as u64) << unused >> unused
    }
}

/// Where an address points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Space {
    /// Memory of the device, constants included; a generic address may also point elsewhere.
    Global,
    /// Memory of a block.
    Shared,
    /// Memory of a thread.
    Local,
}

/// Generic addresses of shared memory begin here.
pub const SHARED: u64 = 0x7f << 56;
/// Generic addresses of a thread's memory begin here.
pub const LOCAL: u64 = 0x7e << 56;

/// An access to memory.
#[derive(Clone, Debug)]
pub struct Access {
    /// Which memory.
    pub space: Space,
    /// Of one element.
    pub ty: Ty,
    /// The register with the address.
    pub base: Reg,
    /// What is added to it.
    pub offset: i64,
    /// Volatile, relaxed, acquire, release or atomic: no data race with others of its kind.
    pub strength: Strength,
    /// What others released before what this reads has happened before what follows.
    pub acquire: bool,
    /// What came before has happened before what reads this and acquires.
    pub release: bool,
    /// It goes past the coherent caches: nobody may write the bytes in the same launch.
    pub stale: bool,
}

/// How a shuffle finds its source lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shuffle {
    /// The lane that is named.
    Index,
    /// So many lanes below.
    Up,
    /// So many lanes above.
    Down,
    /// The lane whose number differs in these bits.
    Butterfly,
}

/// What a vote of the member lanes gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vote {
    /// True in all.
    All,
    /// True in one.
    Any,
    /// Equal in all.
    Uniform,
    /// A bit a lane.
    Ballot,
}

/// The function that joins a comparison with a predicate, the predicate, and whether its complement is meant.
pub type With = (fn(u32, u32) -> u32, Pred, bool);

/// What a barrier makes of a predicate of all its threads.
#[derive(Clone, Debug)]
pub struct BarrierVote {
    /// All, any, or how many.
    pub how: Vote,
    /// Where the number goes.
    pub to: Reg,
    /// Where the answer goes.
    pub to_pred: Option<Pred>,
    /// The predicate, and whether its complement is meant.
    pub by: (Pred, bool),
}

/// What an instruction does; see the files of `exec` for each family.
#[derive(Clone, Debug)]
pub enum Op {
    /// Copies a register.
    Move { to: Reg, from: Reg },
    /// A function of registers.
    Compute { class: Class, f: Lanes, to: Reg, args: [Reg; 4] },
    /// Arithmetic with the carry flag.
    Carry { how: Carry, ty: Ty, reads: bool, writes: bool, to: Reg, args: [Reg; 3] },
    /// A comparison, perhaps joined with a predicate; the second result is its complement.
    Compare { test: Test, to: Pred, not: Option<Pred>, args: [Reg; 2], with: Option<With> },
    /// The first where the predicate is true, else the second.
    Select { to: Reg, args: [Reg; 2], by: Pred },
    /// A function of predicates.
    Logic { f: fn(u32, u32) -> u32, to: Pred, args: [Pred; 2] },
    /// Registers side by side into one.
    Pack { to: Reg, parts: Vec<Reg>, bits: u32 },
    /// One register into its parts.
    Unpack { parts: Vec<Reg>, from: Reg, bits: u32 },
    /// Reads memory.
    Load { access: Access, to: Vec<Reg> },
    /// Writes memory.
    Store { access: Access, from: Vec<Reg> },
    /// Reads and writes memory in one step; the function gets what was there and both operands.
    Atomic { access: Access, f: fn(Ty, u64, u64, u64) -> u64, to: Reg, args: [Reg; 2] },
    /// A fence, of the device or of the block.
    Fence { device: bool },
    /// A value of another lane.
    Shuffle { how: Shuffle, to: Reg, found: Option<Pred>, value: Reg, lane: Reg, clamp: Reg, members: Reg },
    /// A vote on a predicate.
    Vote { how: Vote, to: Reg, to_pred: Option<Pred>, by: Pred, not: bool, members: Reg },
    /// Which member lanes hold the same value, or all of them where all do.
    Match { all: bool, to: Reg, found: Option<Pred>, value: Reg, ty: Ty, members: Reg },
    /// One of the members.
    Elect { to: Reg, elected: Pred, members: Reg },
    /// One value of all members.
    Reduce { f: fn(i128, i128) -> i128, ty: Ty, to: Reg, value: Reg, members: Reg },
    /// Waits for the member lanes.
    WarpBarrier { members: Reg },
    /// The lanes that run together.
    ActiveMask { to: Reg },
    /// Waits for the block, or for so many of its threads.
    Barrier { number: Reg, threads: Reg, waits: bool, vote: Option<Box<BarrierVote>> },
    /// Goes on elsewhere.
    Branch { target: u32 },
    /// Ends the lane.
    Exit,
    /// Stops the kernel with an error.
    Trap,
    /// Has no effect that can be seen.
    Nothing,
}

impl Op {
    /// What it is counted as.
    pub fn class(&self) -> Class {
        match self {
            Op::Compute { class, .. } => *class,
            Op::Move { .. } | Op::Carry { .. } | Op::Pack { .. } | Op::Unpack { .. } => Class::Integer,
            Op::Compare { .. } | Op::Select { .. } | Op::Logic { .. } => Class::Compare,
            Op::Load { .. } | Op::Store { .. } => Class::Memory,
            Op::Atomic { .. } => Class::Atomic,
            Op::Shuffle { .. }
            | Op::Vote { .. }
            | Op::Match { .. }
            | Op::Reduce { .. }
            | Op::Elect { .. }
            | Op::ActiveMask { .. } => Class::Warp,
            Op::Fence { .. } | Op::Barrier { .. } | Op::WarpBarrier { .. } => Class::Barrier,
            Op::Branch { .. } | Op::Exit | Op::Trap | Op::Nothing => Class::Control,
        }
    }

    /// The register with the member mask of an operation that lanes do together.
    pub fn members(&self) -> Option<Reg> {
        match *self {
            Op::Shuffle { members, .. }
            | Op::Vote { members, .. }
            | Op::Match { members, .. }
            | Op::Reduce { members, .. }
            | Op::Elect { members, .. }
            | Op::WarpBarrier { members } => Some(members),
            _ => None,
        }
    }
}

/// One instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// What it does.
    pub op: Op,
    /// The lanes that do it: those where the predicate is true, or false where the flag is set.
    pub guard: Option<(Pred, bool)>,
    /// The line of the PTX, counted from 1.
    pub line: u32,
    /// The line of the CUDA text, counted from 1; 0 if it is not known.
    pub source: u32,
}

/// What the hardware tells a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Special {
    /// The thread in its block.
    Thread,
    /// Threads of a block.
    Threads,
    /// The block.
    Block,
    /// Blocks of the grid.
    Blocks,
    /// The lane in its warp.
    Lane,
    /// Bits of the lanes that are equal, less, less or equal, greater, greater or equal.
    Mask(u8),
    /// Index 0, of one: the dimensions that nobody uses.
    Zero,
    /// Size 1: the dimensions that nobody uses.
    One,
}

/// A kernel.
#[derive(Clone, Default, Debug)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Its instructions; a branch's target is an index.
    pub code: Vec<Instruction>,
    /// How many number registers it has.
    pub registers: u32,
    /// How many predicates it has.
    pub predicates: u32,
    /// Registers that hold a constant.
    pub constants: Vec<(Reg, u64)>,
    /// Registers that hold a thread's place.
    pub specials: Vec<(Reg, Special)>,
    /// Bytes of each parameter.
    pub params: Vec<usize>,
    /// Registers that hold a part of a parameter: which, from which byte, how many, and the register.
    pub reads: Vec<(usize, usize, Ty, Reg)>,
    /// Registers that hold the address of a global.
    pub globals: Vec<(Reg, usize)>,
    /// The arrays in shared memory, with red zones between them.
    pub arrays: Arc<[Array]>,
    /// Bytes of a thread's memory.
    pub local: usize,
}

/// A module: what one unit compiles to.
#[derive(Clone, Default, Debug)]
pub struct Ptx {
    /// Its kernels.
    pub kernels: Vec<Kernel>,
    /// Names and contents of its tables.
    pub globals: Vec<(String, Vec<u8>)>,
}

impl Ptx {
    /// How many parameters the kernel `name` has; none where there is no such kernel.
    pub fn parameters(&self, name: &str) -> Option<usize> {
        self.kernels.iter().find(|k| k.name == name).map(|k| k.params.len())
    }
}
