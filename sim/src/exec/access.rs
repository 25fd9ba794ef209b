//! Loads, stores and atomics: each lane's access is checked for bounds, alignment, unwritten bytes and races, and
//! each warp's request is counted.

use crate::machine::{Block, lanes};
use crate::memory::{Memory, Region, split};
use crate::ptx::{Access, LOCAL, NONE, Op, SHARED, Space, Ty};
use crate::race::{Agent, Told, Touch};
use crate::report::{Kind, Tally, Traffic, Wrong, sectors, turns};

/// The memory of a launch.
#[derive(Debug)]
pub struct World<'a> {
    /// The device's.
    pub memory: &'a mut Memory,
    /// What strong writes told.
    pub told: Told,
    /// The number of the launch, which sets its accesses apart from those before.
    pub launch: u64,
    /// What it cost so far.
    pub tally: Tally,
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

/// Runs a load, store or atomic for the lanes of `mask`; false for another operation.
pub fn run(
    world: &mut World,
    block: &mut Block,
    warp: usize,
    at: u32,
    op: &Op,
    mask: u32,
) -> Result<bool, Wrong> {
    let (access, elements) = match op {
        Op::Load { access, to } => (access, to.len()),
        Op::Store { access, from } => (access, from.len()),
        Op::Atomic { access, .. } => (access, 1),
        _ => return Ok(false),
    };
    let size = u64::from(access.ty.bytes());
    let bytes = size * elements as u64;
    let base = &block.warps[warp].regs[access.base as usize];
    let addresses: Vec<u64> = lanes(mask).map(|l| base[l].wrapping_add_signed(access.offset)).collect();
    for (lane, &address) in lanes(mask).zip(&addresses) {
        let place = |wrong: Wrong| Wrong { lane: Some(lane), ..wrong };
        one(world, block, warp, lane, op, access, address, bytes).map_err(place)?;
    }
    count(&mut world.tally, at, access, op, &addresses, bytes);
    Ok(true)
}

fn count(tally: &mut Tally, at: u32, access: &Access, op: &Op, addresses: &[u64], bytes: u64) {
    let Some(&first) = addresses.first() else { return };
    match access.space {
        Space::Shared => {
            tally.counters.shared += 1;
            tally.counters.turns += turns(addresses, bytes);
            tally.counters.least += (addresses.len() as u64 * bytes).div_ceil(128);
        }
        Space::Global => {
            let (sectors, ideal) = sectors(addresses, bytes);
            let mut traffic =
                Traffic { bytes: addresses.len() as u64 * bytes, sectors, ideal, ..Traffic::default() };
            match op {
                Op::Load { .. } => traffic.loads = 1,
                Op::Store { .. } => traffic.stores = 1,
                _ => traffic.atomics = 1,
            }
            tally.accesses[at as usize] += traffic;
            if let (Some(buffer), _) = split(first)
                && let Some(b) = tally.buffers.get_mut(buffer)
            {
                *b += traffic;
            }
        }
        Space::Local => {}
    }
}

#[allow(clippy::too_many_arguments)]
fn one(
    world: &mut World,
    block: &mut Block,
    warp: usize,
    lane: usize,
    op: &Op,
    access: &Access,
    address: u64,
    bytes: u64,
) -> Result<(), Wrong> {
    let (space, address) = place(access.space, address)?;
    let (warps, shared) = (&mut block.warps, &mut block.shared);
    let warp = &mut warps[warp];
    let (region, offset) = match space {
        Space::Shared => (shared, address),
        Space::Global => world.memory.find(address)?,
        Space::Local => match warp.local.get_mut(lane) {
            Some(region) => (region, address),
            None => return Err(Wrong::new(Kind::Bounds, "the kernel has no memory of its threads")),
        },
    };
    region.check(offset, bytes, bytes)?;
    let mut check = |region: &mut Region, agent: &mut Agent, touch: Touch| {
        if space == Space::Local {
            return Ok(());
        }
        let length = region.len();
        if let Err(wrong) = region.shadow.touch(world.launch, length, agent, touch) {
            return Err(Wrong { what: format!("{}: {}", region.name(), wrong.what), ..wrong });
        }
        if access.strong {
            // Shared memory of different blocks has the same offsets, and tells nothing between blocks.
            let key = if space == Space::Shared {
                SHARED | (u64::from(block.number) << 24) | offset
            } else {
                address
            };
            if !touch.writes || matches!(op, Op::Atomic { .. }) {
                world.told.read(agent, key, access.acquire);
            }
            if touch.writes {
                world.told.write(agent, key, access.release);
            }
        }
        Ok(())
    };
    let size = u64::from(access.ty.bytes());
    let touch =
        Touch { offset, size: bytes, lane: lane as u8, writes: false, strong: access.strong, same: false };
    let range = |i: u64| (offset + i * size) as usize..(offset + (i + 1) * size) as usize;
    match op {
        Op::Load { to, .. } => {
            check(region, &mut warp.agent, touch)?;
            for (i, &reg) in (0..).zip(to) {
                let x = region.load(offset + i * size, size)?;
                if reg != NONE {
                    // A signed element fills its register.
                    let wide = matches!(access.ty, Ty::Signed(_));
                    warp.regs[reg as usize][lane] = if wide { access.ty.widen(x) as u64 } else { x };
                }
            }
        }
        Op::Store { from, .. } => {
            let plain = Ty::Bits(access.ty.bytes());
            let value = |reg: u32| plain.narrow(warp.regs[reg as usize][lane].into());
            let values: Vec<u64> = from.iter().map(|&r| value(r)).collect();
            let same = (0..).zip(&values).all(|(i, &x)| region.peek(range(i)) == x);
            check(region, &mut warp.agent, Touch { writes: true, same, ..touch })?;
            (0..).zip(&values).for_each(|(i, &x)| region.store(offset + i * size, size, x));
        }
        Op::Atomic { f, to, args, .. } => {
            check(region, &mut warp.agent, Touch { writes: true, ..touch })?;
            let old = region.load(offset, size)?;
            let [x, y] = args.map(|r| warp.regs[r as usize][lane]);
            region.store(offset, size, f(access.ty, old, x, y));
            if *to != NONE {
                warp.regs[*to as usize][lane] = old;
            }
        }
        _ => {}
    }
    Ok(())
}
