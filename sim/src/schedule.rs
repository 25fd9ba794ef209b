//! The run of one launch: blocks are resident a few at a time, in an order that nobody promises, and which warp goes
//! next, and for how long, is drawn from a seed. Lanes of a warp that part run on their own and meet where they
//! come to the same place.

use crate::exec::access::{self, World};
use crate::exec::{registers, together};
use crate::machine::{self, Block, Group, Names, State, Warp};
use crate::ptx::{Kernel, Op, Reg};
use crate::random::Random;
use crate::report::{Fault, Kind, Wrong};
use crate::wait;

/// How warps are interleaved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// Equal seeds give equal runs.
    pub seed: u64,
    /// Blocks that are resident at once.
    pub resident: usize,
    /// The most instructions that a warp runs in one turn.
    pub turn: u32,
}

impl Default for Schedule {
    fn default() -> Self {
        Schedule { seed: 1, resident: 4, turn: 200 }
    }
}

/// Looks for what others write, and instructions of any kind, without a change of memory, an exit or a barrier of
/// any warp after which a launch is taken to get nowhere.
const PATIENCE: (u64, u64) = (20_000, 100_000_000);

/// A launch's shape and the registers that it presets.
pub struct Shape<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// Blocks.
    pub grid: u32,
    /// Threads of a block.
    pub threads: u32,
    /// Registers that hold arguments and addresses.
    pub preset: &'a [(Reg, u64)],
}

/// Where a warp's turn stopped with a defect.
pub type Stop = (u32, Wrong);

/// Runs a launch to its end.
///
/// # Errors
/// The first defect.
pub fn run(shape: &Shape, world: &mut World, schedule: &Schedule) -> Result<(), Fault> {
    let kernel = shape.kernel;
    let names = Names::default();
    let regs = machine::registers(kernel, shape.preset, shape.threads, shape.grid);
    let mut waiting = order(shape.grid, &mut world.random);
    let mut resident: Vec<Block> = Vec::new();
    let mut idle = (0, 0);
    loop {
        while resident.len() < schedule.resident.max(1)
            && let Some(next) = waiting.pop()
        {
            resident.push(Block::new(kernel, &names, &regs, next, shape.threads));
        }
        if resident.is_empty() {
            return Ok(());
        }
        let at = world.random.below(resident.len());
        let block = &mut resident[at];
        let count = block.warps.len();
        let first = world.random.below(count);
        let ready = (0..count).map(|w| (first + w) % count).find(|&w| block.warps[w].next().is_some());
        let Some(warp) = ready else {
            if block.warps.iter().all(|w| w.groups.is_empty()) {
                resident.swap_remove(at);
            } else {
                wait::stuck(kernel, block).map_err(|(warp, stop)| place(kernel, block, warp, stop))?;
                world.tally.counters.barriers += 1;
            }
            idle = (0, 0);
            continue;
        };
        let left = 1 + world.random.below(schedule.turn.max(1) as usize) as u32;
        let mut turn = Turn { kernel, world, left, moved: false, looks: 0 };
        let ran = turn.run(block, warp);
        let (moved, looks, instructions) = (turn.moved, turn.looks, left - turn.left);
        ran.map_err(|stop| place(kernel, block, warp, stop))?;
        idle = if moved { (0, 0) } else { (idle.0 + looks, idle.1 + u64::from(instructions)) };
        if idle.0 > PATIENCE.0 || idle.1 > PATIENCE.1 {
            let at = block.warps[warp].groups.first().map_or(0, |g| g.at);
            let wrong = match waiting.len() {
                0 => Wrong::new(Kind::Livelock, "the warps run and change nothing"),
                n => {
                    let what = format!(
                        "the resident blocks wait for what one of {n} others must do, which cannot begin before one of them ends"
                    );
                    Wrong::new(Kind::Deadlock, what)
                }
            };
            return Err(place(kernel, block, warp, (at, wrong)));
        }
    }
}

/// The blocks of a grid in the order that they become resident, the last one first: the other way round or in no
/// order at all, since nobody promises any.
fn order(grid: u32, random: &mut Random) -> Vec<u32> {
    let mut blocks: Vec<u32> = (0..grid).collect();
    if random.below(4) > 0 {
        (1..blocks.len()).for_each(|i| blocks.swap(i, random.below(i + 1)));
    }
    blocks
}

fn place(kernel: &Kernel, block: &Block, warp: usize, (at, wrong): Stop) -> Fault {
    let instruction = kernel.code.get(at as usize);
    Fault {
        kind: wrong.kind,
        kernel: kernel.name.clone(),
        source: instruction.map_or(0, |i| i.source),
        line: instruction.map_or(0, |i| i.line),
        block: block.number,
        warp,
        lane: wrong.lane,
        what: wrong.what,
    }
}

/// One warp's turn.
struct Turn<'t, 'w> {
    kernel: &'t Kernel,
    world: &'t mut World<'w>,
    left: u32,
    /// It changed memory, exited or came to a barrier.
    moved: bool,
    /// How often it looked for what another warp writes.
    looks: u64,
}

impl Turn<'_, '_> {
    fn run(&mut self, block: &mut Block, w: usize) -> Result<(), Stop> {
        // Mostly the group that is least far; sometimes another, so that lanes that spin cannot starve the rest.
        let warp = &block.warps[w];
        let mut group = match self.world.random.below(8) {
            0 => {
                let from = self.world.random.below(warp.groups.len());
                let count = warp.groups.len();
                (0..count).map(|g| (from + g) % count).find(|&g| warp.groups[g].state == State::Ready)
            }
            _ => warp.next(),
        };
        while let Some(g) = group.filter(|_| self.left > 0) {
            self.left -= 1;
            let at = block.warps[w].groups[g].at;
            self.step(block, w, g).map_err(|wrong| (at, wrong))?;
            let warp = &mut block.warps[w];
            group = match &warp.groups[..] {
                [one] => (one.state == State::Ready).then_some(0),
                [] => None,
                _ => {
                    warp.join();
                    warp.next()
                }
            };
        }
        Ok(())
    }

    /// Runs one instruction of a group.
    fn step(&mut self, block: &mut Block, w: usize, g: usize) -> Result<(), Wrong> {
        let warp = &mut block.warps[w];
        let Group { at, lanes, .. } = warp.groups[g];
        let Some(instruction) = self.kernel.code.get(at as usize) else {
            return Err(Wrong::new(Kind::Launch, "the code ends without an exit"));
        };
        let mask = match instruction.guard {
            Some((pred, not)) => lanes & (warp.preds[pred as usize] ^ if not { u32::MAX } else { 0 }),
            None => lanes,
        };
        let ran = &mut self.world.tally.ran[at as usize];
        *ran = (ran.0 + 1, ran.1 + u64::from(mask.count_ones()));
        match &instruction.op {
            Op::Branch { target } => {
                let counters = &mut self.world.tally.counters;
                counters.branches += 1;
                match mask {
                    0 => warp.groups[g].at = at + 1,
                    _ if mask == lanes => warp.groups[g].at = *target,
                    _ => {
                        counters.divergent += 1;
                        warp.groups[g] = Group { at: at + 1, lanes: lanes & !mask, state: State::Ready };
                        warp.groups.push(Group { at: *target, lanes: mask, state: State::Ready });
                    }
                }
                return Ok(());
            }
            Op::Exit => {
                self.moved = true;
                warp.live &= !mask;
                warp.groups[g].lanes &= !mask;
                warp.groups[g].at = at + 1;
                if warp.groups[g].lanes == 0 {
                    warp.groups.swap_remove(g);
                }
                return Ok(());
            }
            Op::Barrier { .. } => {
                if mask != lanes {
                    let what = "a barrier that only some lanes of a group reach";
                    return Err(Wrong::new(Kind::Divergence, what));
                }
                self.moved = true;
                return wait::arrive(self.kernel, block, w, g, &mut self.world.tally.counters.barriers);
            }
            op if op.members().is_some() && mask == 0 => {}
            op if op.members().is_some() => {
                if mask != lanes {
                    // The others go on without them.
                    warp.groups[g].lanes = mask;
                    warp.groups.push(Group { at: at + 1, lanes: lanes & !mask, state: State::Ready });
                    return Ok(());
                }
                if !arrived(warp, op, g)? {
                    return Ok(());
                }
                together::run(warp, op, lanes)?;
                warp.agent.meet(lanes, warp.all);
            }
            Op::Trap if mask != 0 => return Err(Wrong::new(Kind::Trap, "the kernel traps")),
            Op::Trap => {}
            Op::Fence { device } if mask != 0 => warp.agent.fence(mask, *device),
            Op::Fence { .. } => {}
            op => {
                if mask != 0 && !registers(warp, op, mask) {
                    let effect = access::run(self.world, block, w, at, op, mask)?;
                    self.moved |= effect.changed;
                    self.looks += u64::from(effect.looked);
                }
            }
        }
        block.warps[w].groups[g].at = at + 1;
        Ok(())
    }
}

/// Are all member lanes here? If not, the group waits.
fn arrived(warp: &mut Warp, op: &Op, g: usize) -> Result<bool, Wrong> {
    let lanes = warp.groups[g].lanes;
    let members =
        op.members().map_or(0, |r| warp.regs[r as usize][lanes.trailing_zeros() as usize & 31] as u32);
    if lanes & !members != 0 {
        let what = format!("lanes {:08x} are not among the members {members:08x}", lanes & !members);
        return Err(Wrong::new(Kind::Divergence, what));
    }
    if members & !warp.live != 0 {
        let what = format!("the members {members:08x} have lanes that exited: {:08x}", members & !warp.live);
        return Err(Wrong::new(Kind::Divergence, what));
    }
    if members != lanes {
        warp.groups[g].state = State::Members;
        return Ok(false);
    }
    Ok(true)
}
