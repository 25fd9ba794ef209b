//! Loads, stores and atomics: each lane's access is checked for bounds, alignment, unwritten bytes and races, and
//! each warp's request is counted.

use super::lanes::{LANES, Row, lanes};
use crate::machine::Block;
use crate::memory::{Memory, OFFSET, Region, split};
use crate::ptx::{Access, LOCAL, NONE, Op, Reg, SHARED, Space, Ty};
use crate::race::{Agent, Strength};
use crate::random::Random;
use crate::report::{Kind, Tally, Traffic, Wrong, sectors, turns};
use crate::shadow::{Conflict, Touch};
use crate::strong::{Locations, Strong};

/// The memory of a launch.
#[derive(Debug)]
pub struct World<'a> {
    /// The device's.
    pub memory: &'a mut Memory,
    /// What strong accesses see.
    pub locations: Locations,
    /// The number of the launch, which sets its accesses apart from those before.
    pub launch: u64,
    /// What it cost so far.
    pub tally: Tally,
    /// What the seed decides.
    pub random: Random,
}

/// What an access did, as far as waiting is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Effect {
    /// Memory holds something else now.
    pub changed: bool,
    /// It looked for what others write.
    pub looked: bool,
}

/// Lanes of a warp that access one region in one instruction.
struct Request<'a> {
    access: &'a Access,
    space: Space,
    mask: u32,
    offsets: Row,
    /// Bytes of an element, and of all elements of a lane.
    size: u64,
    bytes: u64,
    /// What the region's locations are named by.
    key: u64,
    launch: u64,
    /// Warps of a block.
    warps: u32,
}

/// Runs a load, store or atomic for the lanes of `mask`, of which there is one.
pub fn run(
    world: &mut World,
    block: &mut Block,
    warp: usize,
    at: u32,
    op: &Op,
    mask: u32,
) -> Result<Effect, Wrong> {
    let (access, elements) = match op {
        Op::Load { access, to } => (access, to.len()),
        Op::Store { access, from } => (access, from.len()),
        Op::Atomic { access, .. } => (access, 1),
        _ => return Ok(Effect::default()),
    };
    let size = u64::from(access.ty.bytes());
    let bytes = size * elements as u64;
    let base = &block.warps[warp].regs[access.base as usize];
    let addresses: Row = std::array::from_fn(|l| base[l].wrapping_add_signed(access.offset));
    let mut effect = Effect::default();
    let mut rest = mask;
    while rest != 0 {
        let first = addresses[rest.trailing_zeros() as usize];
        let same =
            (0..LANES).fold(0, |m, l| m | u32::from((addresses[l] ^ first) >> OFFSET == 0) << l) & rest;
        rest &= !same;
        let lane = Some(same.trailing_zeros() as usize);
        let (space, _) = place(access.space, first).map_err(|wrong| Wrong { lane, ..wrong })?;
        let low =
            |address: u64| if space == Space::Global { split(address).1 } else { address & !(0xff << 56) };
        let mut request = Request {
            access,
            space,
            mask: same,
            offsets: addresses.map(low),
            size,
            bytes,
            key: 0,
            launch: world.launch,
            warps: block.warps.len() as u32,
        };
        let warps = &mut block.warps[warp];
        let (regs, agent) = (&mut warps.regs, &mut warps.agent);
        let region = match space {
            Space::Shared => {
                request.key = SHARED | u64::from(block.number) << 24;
                &mut block.shared
            }
            Space::Local => {
                let stride = warps.local.len() / LANES as u64;
                if let Some(l) = lanes(same).find(|&l| request.offsets[l].saturating_add(bytes) > stride) {
                    let offset = request.offsets[l];
                    let what =
                        format!("{bytes} bytes at offset {offset} of a thread's memory, which has {stride}");
                    return Err(Wrong { lane: Some(l), ..Wrong::new(Kind::Bounds, what) });
                }
                (0..LANES).for_each(|l| request.offsets[l] += l as u64 * stride);
                &mut warps.local
            }
            Space::Global => {
                request.key = first >> OFFSET << OFFSET;
                world.memory.find(first).map_err(|wrong| Wrong { lane, ..wrong })?.0
            }
        };
        let seen = (&mut world.locations, &mut world.random);
        let done = request.run(region, regs, agent, op, seen)?;
        effect = Effect { changed: effect.changed || done.changed, looked: effect.looked || done.looked };
        // By where the bytes lie: an address that may be of any memory does not tell by its instruction.
        let to = (at, block.number);
        count(&mut world.tally, to, op, space, same, &addresses, bytes);
    }
    Ok(effect)
}

/// Where one lane's address leads.
fn place(space: Space, address: u64) -> Result<(Space, u64), Wrong> {
    match (space, address & (0xff << 56)) {
        (Space::Global, SHARED) | (Space::Shared, _) => Ok((Space::Shared, address & !SHARED)),
        (Space::Global, LOCAL) | (Space::Local, _) => Ok((Space::Local, address & !LOCAL)),
        (Space::Global, 0) => Ok((Space::Global, address)),
        _ => Err(Wrong::new(Kind::Bounds, format!("{address:#x} is no address"))),
    }
}

impl Request<'_> {
    fn run(
        &self,
        region: &mut Region,
        regs: &mut [Row],
        agent: &mut Agent,
        op: &Op,
        (locations, random): (&mut Locations, &mut Random),
    ) -> Result<Effect, Wrong> {
        for l in lanes(self.mask) {
            region.check(self.offsets[l], self.bytes).map_err(|wrong| Wrong { lane: Some(l), ..wrong })?;
        }
        if self.space != Space::Local {
            region.shadow.begin(self.launch, region.len(), self.bytes);
            if self.access.strength != Strength::Weak && !matches!(op, Op::Atomic { .. }) {
                region.watched = self.launch;
            }
        }
        let mut effect = Effect::default();
        match op {
            Op::Load { to, .. } => {
                self.check(region, agent, false)?;
                effect.looked = self.access.strength != Strength::Weak;
                if effect.looked && to.len() == 1 && self.space != Space::Local {
                    for l in lanes(self.mask) {
                        let seen = locations.read(agent, self.strong(l), random);
                        let held = self.load(region, l, 0)?;
                        self.set(regs, to[0], l, seen.unwrap_or(held));
                    }
                    return Ok(effect);
                }
                for (i, &reg) in (0..).zip(to) {
                    for l in lanes(self.mask) {
                        let x = self.load(region, l, i * self.size)?;
                        self.set(regs, reg, l, x);
                    }
                }
            }
            Op::Store { from, .. } => {
                let value = |regs: &[Row], reg: Reg, l: usize| {
                    regs[reg as usize][l] & (u64::MAX >> (64 - 8 * self.size))
                };
                for l in lanes(self.mask) {
                    let touched = self.touch(region, agent, l, true);
                    let held = |i: u64| region.peek(self.offsets[l] + i * self.size, self.size);
                    // Writing what is there already cannot be told from not writing.
                    if let Err(conflict) = touched
                        && (0..).zip(from).any(|(i, &reg)| held(i) != value(regs, reg, l))
                    {
                        return Err(self.race(region, l, true, conflict));
                    }
                    if region.watched == self.launch && self.space != Space::Local {
                        self.tell(region, agent, l, value(regs, from[0], l), locations, from.len());
                    }
                    for (i, &reg) in (0..).zip(from) {
                        let x = value(regs, reg, l);
                        effect.changed |= region.store(self.offsets[l] + i * self.size, self.size, x);
                    }
                }
            }
            Op::Atomic { f, to, args, .. } => {
                self.check(region, agent, true)?;
                // Lanes of one instruction come in no order that is promised.
                let backwards = random.below(2) == 0;
                let mut order = self.mask;
                while order != 0 {
                    let l =
                        if backwards { 31 - order.leading_zeros() } else { order.trailing_zeros() } as usize;
                    order &= !(1 << l);
                    let old = self.load(region, l, 0)?;
                    let [x, y] = args.map(|r| regs[r as usize][l]);
                    let new = f(self.access.ty, old, x, y) & (u64::MAX >> (64 - 8 * self.size));
                    // What only atomic operations access has no past that anyone could see.
                    let at = self.strong(l);
                    if region.watched == self.launch || at.release || agent.has_fenced(at.lane) {
                        region.watched = self.launch;
                        locations.newest(agent, at);
                        locations.write(agent, at, Some(old), new, true);
                    }
                    effect.changed |= region.store(self.offsets[l], self.size, new);
                    if *to != NONE {
                        regs[*to as usize][l] = old;
                    }
                }
                effect.looked = !effect.changed;
            }
            _ => {}
        }
        Ok(effect)
    }

    /// Checks all lanes for races.
    #[inline]
    fn check(&self, region: &mut Region, agent: &Agent, writes: bool) -> Result<(), Wrong> {
        for l in lanes(self.mask) {
            if self.access.stale && region.shadow.is_written(self.offsets[l], self.bytes) {
                let what = format!(
                    "{} is read past the caches, and was written in this launch",
                    region.place(self.offsets[l])
                );
                return Err(Wrong { lane: Some(l), ..Wrong::new(Kind::Race, what) });
            }
            self.touch(region, agent, l, writes)
                .map_err(|conflict| self.race(region, l, writes, conflict))?;
        }
        Ok(())
    }

    #[inline]
    fn touch(&self, region: &mut Region, agent: &Agent, l: usize, writes: bool) -> Result<(), Conflict> {
        if self.space == Space::Local {
            return Ok(());
        }
        let touch =
            Touch { offset: self.offsets[l], size: self.bytes, writes, strength: self.access.strength };
        region.shadow.touch(agent, l as u8, touch)
    }

    fn race(&self, region: &Region, l: usize, writes: bool, other: Conflict) -> Wrong {
        let now = match (writes, other.wrote) {
            (true, true) => "is written again",
            (true, false) => "is written",
            (false, _) => "is read",
        };
        let before = if other.wrote { "it was written" } else { "it was read" };
        let (lane, warp) = (other.stamp.lane(), other.stamp.warp());
        let (block, warp) = (warp / self.warps, warp % self.warps);
        let lane = if usize::from(lane) < LANES { format!("lane {lane}") } else { "several lanes".into() };
        let what = format!(
            "{} {now}, and nothing orders that after {before} by block {block} warp {warp} {lane}",
            region.place(self.offsets[l])
        );
        Wrong { lane: Some(l), ..Wrong::new(Kind::Race, what) }
    }

    #[inline]
    fn load(&self, region: &Region, l: usize, offset: u64) -> Result<u64, Wrong> {
        region.load(self.offsets[l] + offset, self.size).map_err(|wrong| Wrong { lane: Some(l), ..wrong })
    }

    /// Puts an element into a register, which a signed one fills.
    #[inline]
    fn set(&self, regs: &mut [Row], reg: Reg, l: usize, x: u64) {
        if reg != NONE {
            let wide = matches!(self.access.ty, Ty::Signed(_));
            regs[reg as usize][l] = if wide { self.access.ty.widen(x) as u64 } else { x };
        }
    }

    fn strong(&self, l: usize) -> Strong {
        Strong {
            key: self.key | self.offsets[l],
            size: self.bytes,
            lane: l as u8,
            strength: self.access.strength,
            acquire: self.access.acquire,
            release: self.access.release,
        }
    }

    /// A store to a region that is accessed strongly as well.
    fn tell(
        &self,
        region: &Region,
        agent: &mut Agent,
        l: usize,
        value: u64,
        locations: &mut Locations,
        elements: usize,
    ) {
        let at = self.strong(l);
        if at.strength == Strength::Weak || elements > 1 {
            return locations.forget(at.key, at.size);
        }
        let written = region.is_written(self.offsets[l], self.size);
        let old = written.then(|| region.peek(self.offsets[l], self.size));
        locations.write(agent, at, old, value, false);
    }
}

fn count(
    tally: &mut Tally,
    (at, block): (u32, u32),
    op: &Op,
    space: Space,
    mask: u32,
    addresses: &Row,
    bytes: u64,
) {
    let mut active = [0; LANES];
    let mut n = 0;
    for l in lanes(mask) {
        active[n] = addresses[l];
        n += 1;
    }
    let active = &mut active[..n];
    let Some(&first) = active.first() else { return };
    match space {
        Space::Shared => {
            tally.counters.shared += 1;
            tally.counters.turns += turns(active, bytes);
            tally.counters.least += (n as u64 * bytes).div_ceil(128);
        }
        Space::Global => {
            let (sectors, ideal) = sectors(active, bytes);
            let mut traffic = Traffic { bytes: n as u64 * bytes, sectors, ideal, ..Traffic::default() };
            match op {
                Op::Load { .. } => traffic.loads = 1,
                Op::Store { .. } => traffic.stores = 1,
                _ => traffic.atomics = 1,
            }
            if let (Some(buffer), _) = split(first) {
                let offsets = active.iter().map(|&a| split(a).1);
                (traffic.fresh, traffic.near) = tally.seen(buffer, offsets, block, traffic.loads == 0);
                if let Some(b) = tally.buffers.get_mut(buffer) {
                    *b += traffic;
                }
            }
            tally.accesses[at as usize] += traffic;
        }
        Space::Local => {}
    }
}
