//! Happens-before: what each lane knows to have happened before what it does now.
//!
//! Warps are the agents. Each has a clock, which a meeting of its lanes, a fence and a release advance. What all
//! its lanes know stands in the agent; what only some know, since they met without the others or acquired on
//! their own, stands apart until all meet. A barrier tells the warps of a block of each other. Between blocks, and
//! between lanes that do not meet, only a strong write that a fence of its lane precedes, or that releases, tells
//! what came before it, and only to a lane that reads it and then fences, or that acquires: see `strong`. A fence
//! of the block's scope tells nothing to other blocks.

use crate::exec::lanes::{LANES, lanes};
use std::rc::Rc;

/// The most warps of a block.
pub const WARPS: usize = 32;

/// How much an access promises to others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// A plain access.
    Weak,
    /// Atomic, volatile or relaxed, for threads of its block.
    Block,
    /// The same for all threads of the device.
    Device,
}

/// When a lane did something, in one word: warp and 1, time, lane, strength. Zero is nobody, at the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stamp(u64);

/// In place of a lane: more than one.
pub const SEVERAL: u8 = 63;

impl Stamp {
    fn new(warp: u32, time: u32, lane: u8, strength: Strength) -> Stamp {
        Stamp((u64::from(warp) + 1) << 40 | u64::from(time) << 8 | u64::from(lane) << 2 | strength as u64)
    }

    /// The stamp of its bits.
    #[inline]
    pub fn of_bits(bits: u64) -> Stamp {
        Stamp(bits)
    }

    /// Its bits, of which the upper 24 are never all set.
    #[inline]
    pub fn bits(self) -> u64 {
        self.0
    }

    /// Is it of nobody?
    #[inline]
    pub fn is_nobody(self) -> bool {
        self.0 == 0
    }

    /// Its warp in the grid.
    pub fn warp(self) -> u32 {
        (self.0 >> 40).wrapping_sub(1) as u32
    }

    fn time(self) -> u32 {
        (self.0 >> 8) as u32
    }

    /// Its lane, or [`SEVERAL`].
    pub fn lane(self) -> u8 {
        (self.0 >> 2) as u8 & 63
    }

    /// Of the same warp at the same time?
    pub fn same_time(self, other: Stamp) -> bool {
        self.0 >> 8 == other.0 >> 8
    }

    /// Of the same lane?
    pub fn is_same_lane(self, other: Stamp) -> bool {
        (self.warp(), self.lane()) == (other.warp(), other.lane())
    }

    /// The same of several lanes.
    pub fn of_several(self) -> Stamp {
        Stamp(self.0 & !(63 << 2) | u64::from(SEVERAL) << 2)
    }

    /// How strong the access was.
    pub fn strength(self) -> Strength {
        match self.0 & 3 {
            0 => Strength::Weak,
            1 => Strength::Block,
            _ => Strength::Device,
        }
    }
}

/// Up to which time of each warp of the grid all has happened, and of some single lanes a little more.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    warps: Vec<u32>,
    more: Vec<(u32, u8, u32)>,
}

impl Clock {
    fn knows(&self, at: Stamp) -> bool {
        let (warp, lane, time) = (at.warp(), at.lane(), at.time());
        self.warps.get(warp as usize).is_some_and(|&t| t >= time)
            || self.more.iter().any(|&(w, l, t)| (w, l) == (warp, lane) && t >= time)
    }

    fn raise(&mut self, warp: u32, time: u32) {
        let index = warp as usize;
        if self.warps.len() <= index {
            self.warps.resize(index + 1, 0);
        }
        self.warps[index] = self.warps[index].max(time);
    }

    fn raise_lane(&mut self, warp: u32, lane: u8, time: u32) {
        if self.warps.get(warp as usize).is_some_and(|&t| t >= time) {
            return;
        }
        match self.more.iter_mut().find(|m| (m.0, m.1) == (warp, lane)) {
            Some(known) => known.2 = known.2.max(time),
            None => self.more.push((warp, lane, time)),
        }
    }

    fn join(&mut self, other: &Clock) {
        if self.warps.len() < other.warps.len() {
            self.warps.resize(other.warps.len(), 0);
        }
        self.warps.iter_mut().zip(&other.warps).for_each(|(a, &b)| *a = (*a).max(b));
        let warps = &self.warps;
        self.more.retain(|&(w, _, t)| warps.get(w as usize).is_none_or(|&all| all < t));
        other.more.iter().for_each(|&(w, l, t)| self.raise_lane(w, l, t));
    }
}

/// Both clocks in one.
fn joined(a: &Rc<Clock>, b: &Rc<Clock>) -> Rc<Clock> {
    if Rc::ptr_eq(a, b) || b.warps.is_empty() && b.more.is_empty() {
        return a.clone();
    }
    let mut all = (**a).clone();
    all.join(b);
    Rc::new(all)
}

/// What a strong write tells who reads it.
#[derive(Clone, Debug, Default)]
pub struct Release {
    /// Any block.
    pub device: Option<Rc<Clock>>,
    /// Blocks of one number only.
    pub block: Option<(u32, Rc<Clock>)>,
}

impl Release {
    /// It tells what `other` tells as well: an atomic operation carries on what it replaces.
    pub fn carry(&mut self, other: &Release) {
        self.device = match (self.device.take(), &other.device) {
            (Some(a), Some(b)) => Some(joined(&a, b)),
            (a, b) => a.or(b.clone()),
        };
        self.block = match (self.block.take(), &other.block) {
            (Some((n, a)), Some((m, b))) if n == *m => Some((n, joined(&a, b))),
            (a, b) => a.or(b.clone()),
        };
    }
}

/// What lanes know that the others of their warp do not.
#[derive(Clone, Debug)]
struct Apart {
    /// Of each lane, up to which time it knows what each other lane of its warp did.
    own: [[u32; LANES]; LANES],
    /// What each lane acquired.
    clocks: [Option<Rc<Clock>>; LANES],
}

/// What a fence found: what the strong writes after it tell.
#[derive(Clone, Debug)]
struct Fence {
    lanes: u32,
    device: bool,
    others: Rc<Clock>,
    peers: [u32; WARPS],
    met: u32,
    now: u32,
    apart: Option<Box<Apart>>,
}

/// A warp, as what it knows.
#[derive(Clone, Debug)]
pub struct Agent {
    warp: u32,
    /// The block's first warp, and how many it has.
    block: (u32, u32),
    now: u32,
    /// Up to when all lanes know what all lanes did.
    met: u32,
    /// Up to when all is known of the block's warps.
    peers: [u32; WARPS],
    /// What is known of all others.
    others: Rc<Clock>,
    apart: Option<Box<Apart>>,
    /// The last fences, whose lanes are disjoint within a scope.
    fences: Vec<Fence>,
    /// What strong reads of a lane were told, and its next fence makes known; of other blocks only by one for the
    /// device.
    told: Vec<(u8, bool, Rc<Clock>)>,
}

impl Agent {
    /// The agent of warp `warp` of the block of a number, which has `warps` of them.
    pub fn new(block: u32, warp: u32, warps: u32) -> Agent {
        let first = block * warps;
        Agent {
            warp: first + warp,
            block: (first, warps),
            now: 1,
            met: 0,
            peers: [0; WARPS],
            others: Rc::default(),
            apart: None,
            fences: Vec::new(),
            told: Vec::new(),
        }
    }

    /// Its block's number.
    pub fn block(&self) -> u32 {
        self.block.0 / self.block.1
    }

    /// What a lane does now.
    #[inline]
    pub fn stamp(&self, lane: u8, strength: Strength) -> Stamp {
        Stamp::new(self.warp, self.now, lane, strength)
    }

    /// Has all of `at` happened before what `lane` does now?
    #[inline]
    pub fn knows(&self, at: Stamp, lane: u8) -> bool {
        if at.is_nobody() {
            return true;
        }
        let warp = at.warp();
        if warp == self.warp && (at.lane() == lane || at.time() <= self.met) {
            return true;
        }
        self.knows_more(at, warp, lane)
    }

    fn knows_more(&self, at: Stamp, warp: u32, lane: u8) -> bool {
        if let Some(peer) = warp.checked_sub(self.block.0).filter(|&p| p < self.block.1)
            && warp != self.warp
            && self.peers[peer as usize] >= at.time()
        {
            return true;
        }
        if self.others.knows(at) {
            return true;
        }
        self.apart.as_ref().is_some_and(|apart| {
            let own = &apart.own[usize::from(lane)];
            let met = warp == self.warp && own.get(usize::from(at.lane())).is_some_and(|&t| t >= at.time());
            met || apart.clocks[usize::from(lane)].as_ref().is_some_and(|c| c.knows(at))
        })
    }

    /// Do two strong accesses, of this warp now and of another, count as strong to each other?
    pub fn both_strong(&self, strength: Strength, other: Stamp) -> bool {
        let same_block = (self.block.0..self.block.0 + self.block.1).contains(&other.warp());
        match (strength, other.strength()) {
            (Strength::Weak, _) | (_, Strength::Weak) => false,
            (Strength::Device, Strength::Device) => true,
            _ => same_block,
        }
    }

    /// The lanes of `members` come together; `all` are those that the warp began with.
    pub fn meet(&mut self, members: u32, all: u32) {
        if members == all {
            if let Some(apart) = self.apart.take() {
                for clock in apart.clocks.iter().flatten() {
                    self.others = joined(&self.others, clock);
                }
            }
            self.met = self.now;
        } else {
            let now = self.now;
            let apart = self.apart();
            let mut row = [0; LANES];
            let mut clock: Option<Rc<Clock>> = None;
            for l in lanes(members) {
                row.iter_mut().zip(&apart.own[l]).for_each(|(a, &b)| *a = b.max(*a));
                clock = match (clock, &apart.clocks[l]) {
                    (Some(a), Some(b)) => Some(joined(&a, b)),
                    (a, b) => a.or(b.clone()),
                };
            }
            lanes(members).for_each(|l| row[l] = now);
            for l in lanes(members) {
                (apart.own[l], apart.clocks[l]) = (row, clock.clone());
            }
        }
        self.now += 1;
    }

    fn apart(&mut self) -> &mut Apart {
        self.apart.get_or_insert_with(|| {
            Box::new(Apart { own: [[0; LANES]; LANES], clocks: std::array::from_fn(|_| None) })
        })
    }

    /// A fence of some lanes, for the device or for their block.
    pub fn fence(&mut self, mask: u32, device: bool) {
        let told = std::mem::take(&mut self.told);
        for (lane, local, clock) in told {
            if mask >> lane & 1 == 1 && (device || local) {
                self.learn(lane, &clock);
            } else {
                self.told.push((lane, local, clock));
            }
        }
        for fence in &mut self.fences {
            if device || !fence.device {
                fence.lanes &= !mask;
            }
        }
        self.fences.retain(|f| f.lanes != 0);
        let fence = self.snapshot(mask, device);
        self.fences.push(fence);
        self.now += 1;
    }

    fn snapshot(&self, lanes: u32, device: bool) -> Fence {
        let (others, apart) = (self.others.clone(), self.apart.clone());
        Fence { lanes, device, others, peers: self.peers, met: self.met, now: self.now, apart }
    }

    /// Does a strong write of a lane tell anything?
    pub fn has_fenced(&self, lane: u8) -> bool {
        self.fences.iter().any(|f| f.lanes >> lane & 1 == 1)
    }

    /// What a strong write of a lane tells; `release` where it is one itself.
    pub fn tell(&mut self, lane: u8, strength: Strength, release: bool) -> Release {
        if release {
            let fence = self.snapshot(1 << lane, strength == Strength::Device);
            self.now += 1;
            let clock = self.clock(&fence, lane);
            let block = Some((self.block(), clock.clone()));
            return Release { device: (strength == Strength::Device).then_some(clock), block };
        }
        let of = |device: bool| {
            let fence = self.fences.iter().rev().find(|f| f.lanes >> lane & 1 == 1 && (f.device || !device));
            fence.map(|f| self.clock(f, lane))
        };
        let device = if strength == Strength::Device { of(true) } else { None };
        Release { device, block: of(false).map(|c| (self.block(), c)) }
    }

    /// All that a lane knew at a fence.
    fn clock(&self, fence: &Fence, lane: u8) -> Rc<Clock> {
        let mut clock = (*fence.others).clone();
        for peer in 0..self.block.1 {
            clock.raise(self.block.0 + peer, fence.peers[peer as usize]);
        }
        clock.raise(self.warp, fence.met);
        clock.raise_lane(self.warp, lane, fence.now);
        if let Some(apart) = &fence.apart {
            for (l, &time) in apart.own[usize::from(lane)].iter().enumerate() {
                clock.raise_lane(self.warp, l as u8, time);
            }
            if let Some(more) = &apart.clocks[usize::from(lane)] {
                clock.join(more);
            }
        }
        Rc::new(clock)
    }

    /// A strong read of a lane finds what a write tells.
    pub fn hear(&mut self, lane: u8, strength: Strength, release: &Release, acquire: bool) {
        let local = release.block.as_ref().filter(|(block, _)| *block == self.block()).map(|(_, c)| c);
        let device = release.device.as_ref().filter(|_| strength == Strength::Device);
        for (clock, local) in [(local, true), (device, false)] {
            let Some(clock) = clock else { continue };
            if acquire {
                self.learn(lane, clock);
            } else if !self.told.iter().any(|(l, _, c)| *l == lane && Rc::ptr_eq(c, clock)) {
                self.told.push((lane, local, clock.clone()));
            }
        }
    }

    fn learn(&mut self, lane: u8, clock: &Rc<Clock>) {
        let known = &mut self.apart().clocks[usize::from(lane)];
        *known = Some(match known {
            Some(known) => joined(known, clock),
            None => clock.clone(),
        });
    }
}

/// Warps of a block pass a barrier; all their lanes have come to it.
pub fn barrier<'a>(agents: impl Iterator<Item = (&'a mut Agent, u32)>) {
    let mut agents: Vec<&mut Agent> = agents
        .map(|(agent, all)| {
            agent.meet(all, all);
            agent
        })
        .collect();
    let Some((block, mut others, mut peers)) = agents.first().map(|a| (a.block, a.others.clone(), a.peers))
    else {
        return;
    };
    for agent in &agents {
        others = joined(&others, &agent.others);
        peers.iter_mut().zip(&agent.peers).for_each(|(a, &b)| *a = b.max(*a));
    }
    for agent in &agents {
        peers[(agent.warp - block.0) as usize] = agent.met;
    }
    for agent in &mut agents {
        (agent.others, agent.peers) = (others.clone(), peers);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: u32 = u32::MAX;

    fn weak(agent: &Agent, lane: u8) -> Stamp {
        agent.stamp(lane, Strength::Weak)
    }

    #[test]
    fn lanes_know_each_other_where_they_meet() {
        let mut a = Agent::new(0, 0, 8);
        let (zero, five) = (weak(&a, 0), weak(&a, 5));
        assert!(a.knows(zero, 0) && !a.knows(zero, 1));
        a.meet(0b11, ALL);
        assert!(a.knows(zero, 1) && !a.knows(zero, 2) && !a.knows(five, 0));
        let one = weak(&a, 1);
        a.meet(0b110, ALL);
        assert!(a.knows(zero, 2), "lane 1 knew it");
        assert!(a.knows(one, 2) && !a.knows(one, 0));
        a.meet(ALL, ALL);
        assert!(a.knows(five, 0) && a.knows(one, 0) && a.knows(weak(&a, 9), 9));
        assert!(!a.knows(weak(&a, SEVERAL), 9), "after they met");
    }

    #[test]
    fn a_barrier_tells_warps_of_each_other() {
        let [mut a, mut b, c] = [0, 1, 2].map(|w| Agent::new(3, w, 8));
        let (of_a, of_c) = (weak(&a, 4), weak(&c, 4));
        assert!(!b.knows(of_a, 4));
        barrier([(&mut a, ALL), (&mut b, ALL)].into_iter());
        assert!(b.knows(of_a, 0) && !b.knows(of_c, 4) && !b.knows(weak(&a, 4), 4));
    }

    #[test]
    fn only_fences_on_both_sides_tell_other_blocks() {
        for (device, fenced, told) in [(true, true, true), (true, false, false), (false, true, false)] {
            let (mut a, mut b) = (Agent::new(0, 0, 8), Agent::new(1, 0, 8));
            let (mine, neighbours) = (weak(&a, 3), weak(&a, 4));
            if fenced {
                a.fence(1 << 3, device);
            }
            let release = a.tell(3, Strength::Device, false);
            b.hear(7, Strength::Device, &release, false);
            assert!(!b.knows(mine, 7), "not before its own fence");
            b.fence(1 << 7, true);
            assert_eq!(b.knows(mine, 7), told);
            assert!(!b.knows(mine, 8) && !b.knows(neighbours, 7), "of one lane and to one lane");
            b.meet(ALL, ALL);
            assert_eq!(b.knows(mine, 8), told);
        }
    }

    #[test]
    fn releases_carry_what_came_to_their_lane() {
        let [mut a, mut b, mut c] = [0, 1, 2].map(|n| Agent::new(n, 0, 1));
        let (first, after) = (weak(&a, 0), weak(&b, 1));
        let release = a.tell(0, Strength::Device, true);
        assert!(!b.knows(weak(&a, 0), 0), "the release moved its clock on");
        b.hear(2, Strength::Device, &release, true);
        b.meet(ALL, ALL);
        let again = b.tell(9, Strength::Device, true);
        c.hear(0, Strength::Device, &again, true);
        assert!(c.knows(first, 0) && c.knows(after, 0) && !c.knows(first, 1));
        let mut d = Agent::new(3, 0, 1);
        d.hear(0, Strength::Block, &again, true);
        assert!(!d.knows(first, 0), "a read for the block alone hears nothing of others");
    }
}
