//! The run of one launch: blocks are resident a few at a time, and which warp goes next, and for how long, is
//! drawn from a seed. Lanes of a warp that part run on their own and meet where they come to the same place.

use super::exec::{access, access::World, registers, together};
use super::machine::{self, Block, Group, State, Warp};
use super::ptx::{Kernel, Op, Reg};
use super::race;
use super::report::{Fault, Kind, Wrong};

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

/// Volatile or relaxed loads, and instructions of any kind, without a store, an exit or a barrier of any warp
/// after which a launch is taken to get nowhere.
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
type Stop = (u32, Wrong);

/// Runs a launch to its end.
///
/// # Errors
/// The first defect.
pub fn run(shape: &Shape, world: &mut World, schedule: &Schedule) -> Result<(), Fault> {
    let regs = machine::registers(shape.kernel, shape.preset, shape.threads, shape.grid);
    let mut random = Random(schedule.seed ^ world.launch.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut resident: Vec<Block> = Vec::new();
    let mut next = 0;
    let mut idle = (0, 0);
    loop {
        while resident.len() < schedule.resident.max(1) && next < shape.grid {
            resident.push(Block::new(shape.kernel, &regs, next, shape.threads));
            next += 1;
        }
        if resident.is_empty() {
            return Ok(());
        }
        let at = random.below(resident.len());
        let block = &mut resident[at];
        let first = random.below(block.warps.len());
        let count = block.warps.len();
        let ready = (0..count).map(|w| (first + w) % count).find(|&w| block.warps[w].next().is_some());
        let fault =
            |block: &Block, warp: usize, (at, wrong): Stop| place(shape.kernel, block, warp, at, wrong);
        let Some(warp) = ready else {
            if block.warps.iter().all(|w| w.groups.is_empty()) {
                resident.swap_remove(at);
            } else {
                release(block).map_err(|(warp, stop)| fault(block, warp, stop))?;
                world.tally.counters.barriers += 1;
            }
            idle = (0, 0);
            continue;
        };
        let turn = 1 + random.below(schedule.turn.max(1) as usize) as u32;
        let mut turn = Turn { kernel: shape.kernel, world, left: turn, moved: false, spins: 0 };
        let before = turn.left;
        let ran = turn.run(block, warp, &mut random);
        let (moved, spins, instructions) = (turn.moved, turn.spins, before - turn.left);
        ran.map_err(|stop| fault(block, warp, stop))?;
        idle = if moved { (0, 0) } else { (idle.0 + spins, idle.1 + u64::from(instructions)) };
        if idle.0 > PATIENCE.0 || idle.1 > PATIENCE.1 {
            let at = block.warps[warp].groups.first().map_or(0, |g| g.at);
            let wrong = Wrong::new(Kind::Livelock, "the warps run and store nothing");
            return Err(fault(block, warp, (at, wrong)));
        }
    }
}

/// A small generator: equal seeds, equal numbers.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

fn place(kernel: &Kernel, block: &Block, warp: usize, at: u32, wrong: Wrong) -> Fault {
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

/// All lanes of a block wait: lets them through the barrier that they have all reached.
fn release(block: &mut Block) -> Result<(), (usize, Stop)> {
    let mut barrier: Option<u32> = None;
    for (w, warp) in block.warps.iter().enumerate() {
        for group in &warp.groups {
            let wrong = match (group.state, barrier) {
                (State::Members, _) => {
                    let what =
                        format!("lanes {:08x} wait for lanes of their warp that never arrive", group.lanes);
                    Wrong::new(Kind::Deadlock, what)
                }
                (_, Some(at)) if at != group.at => {
                    Wrong::new(Kind::Divergence, "lanes of one block wait at different barriers")
                }
                // The barrier that `__syncthreads` becomes wants whole warps.
                _ if group.lanes != warp.all => {
                    let what = format!("only the lanes {:08x} of a warp come to the barrier", group.lanes);
                    Wrong::new(Kind::Divergence, what)
                }
                _ => {
                    barrier = Some(group.at);
                    continue;
                }
            };
            return Err((w, (group.at, wrong)));
        }
    }
    for warp in &mut block.warps {
        for group in &mut warp.groups {
            (group.at, group.state) = (group.at + 1, State::Ready);
        }
        warp.join();
    }
    race::barrier(block.warps.iter_mut().map(|w| &mut w.agent));
    Ok(())
}

/// One warp's turn.
struct Turn<'t, 'w> {
    kernel: &'t Kernel,
    world: &'t mut World<'w>,
    left: u32,
    /// It stored, exited or came to a barrier.
    moved: bool,
    /// Its loads that look for what another warp writes.
    spins: u64,
}

impl Turn<'_, '_> {
    fn run(&mut self, block: &mut Block, w: usize, random: &mut Random) -> Result<(), Stop> {
        // Mostly the group that is least far; sometimes another, so that lanes that spin cannot starve the rest.
        let ready: Vec<usize> = (0..block.warps[w].groups.len())
            .filter(|&i| block.warps[w].groups[i].state == State::Ready)
            .collect();
        let mut group = match random.below(8) {
            0 => ready.get(random.below(ready.len())).copied(),
            _ => block.warps[w].next(),
        };
        while let Some(g) = group.filter(|_| self.left > 0) {
            self.left -= 1;
            let at = block.warps[w].groups[g].at;
            self.step(block, w, g).map_err(|wrong| (at, wrong))?;
            let warp = &mut block.warps[w];
            group = match warp.groups.len() {
                1 if warp.groups[0].state == State::Ready => Some(0),
                0 | 1 => None,
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
                self.world.tally.counters.branches += 1;
                match mask {
                    0 => warp.groups[g].at = at + 1,
                    _ if mask == lanes => warp.groups[g].at = *target,
                    _ => {
                        self.world.tally.counters.divergent += 1;
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
            Op::Barrier => {
                if mask != lanes {
                    return Err(Wrong::new(
                        Kind::Divergence,
                        "a barrier that only some lanes of a group reach",
                    ));
                }
                self.moved = true;
                warp.groups[g].state = State::Barrier;
                return Ok(());
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
                warp.agent.meet();
            }
            Op::Trap if mask != 0 => return Err(Wrong::new(Kind::Trap, "the kernel traps")),
            Op::Trap => {}
            Op::Fence => warp.agent.fence(),
            op => {
                if mask != 0 && !registers(warp, op, mask) {
                    access::run(self.world, block, w, at, op, mask)?;
                    self.moved |= matches!(op, Op::Store { .. } | Op::Atomic { .. });
                    self.spins += u64::from(matches!(op, Op::Load { access, .. } if access.strong));
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
