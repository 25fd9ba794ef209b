//! Data races, by happens-before.
//!
//! Warps are the agents; lanes of one warp are ordered by what they do together: a shuffle, a vote, a barrier.
//! Each warp has a clock and knows, of the others, up to which of their times all has happened
//! before what it does now: a barrier tells the warps of a block, and a fence with an atomic or volatile access
//! on both sides tells a warp of another block. Two accesses to the same bytes, one of them a write and not both
//! strong, that nothing orders are a race, whatever the schedule of this run made of them.

use super::report::{Kind, Wrong};
use rustc_hash::FxHashMap;

/// When an agent did something; agent 0 is nobody.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Stamp {
    agent: u32,
    time: u32,
    /// How often its lanes had come together.
    met: u32,
    /// The lane, or [`SEVERAL`].
    lane: u8,
}

/// More lanes than one.
const SEVERAL: u8 = u8::MAX;

/// Up to which time of each agent all is known to have happened.
#[derive(Clone, Debug, Default)]
pub struct Clock(FxHashMap<u32, u32>);

impl Clock {
    fn join(&mut self, other: &Clock) {
        for (&agent, &time) in &other.0 {
            let known = self.0.entry(agent).or_insert(0);
            *known = time.max(*known);
        }
    }
}

/// A warp, as what it knows.
#[derive(Clone, Debug)]
pub struct Agent {
    id: u32,
    clock: Clock,
    /// How often its lanes came together.
    met: u32,
    /// What a strong write after the last fence tells.
    fenced: Option<Clock>,
    /// What strong reads were told, and the next fence makes known.
    told: Clock,
}

impl Agent {
    /// The agent of a number; it knows nothing but itself.
    pub fn new(number: u32) -> Agent {
        let id = number + 1;
        let clock = Clock(FxHashMap::from_iter([(id, 1)]));
        Agent { id, clock, met: 0, fenced: None, told: Clock::default() }
    }

    fn now(&self, lane: u8) -> Stamp {
        let time = self.clock.0.get(&self.id).copied().unwrap_or(1);
        Stamp { agent: self.id, time, met: self.met, lane }
    }

    /// Has all of `at` happened before what `lane` does now?
    fn knows(&self, at: Stamp, lane: u8) -> bool {
        match at.agent {
            0 => true,
            id if id == self.id => at.lane == lane || at.met < self.met,
            id => self.clock.0.get(&id).is_some_and(|&t| t >= at.time),
        }
    }

    /// Its lanes come together.
    pub fn meet(&mut self) {
        self.met += 1;
    }

    /// What comes after is later than what was told so far.
    fn tick(&mut self) {
        *self.clock.0.entry(self.id).or_insert(0) += 1;
    }

    /// A fence.
    pub fn fence(&mut self) {
        let told = std::mem::take(&mut self.told);
        self.clock.join(&told);
        self.fenced = Some(self.clock.clone());
        self.tick();
    }
}

/// The agents of a block pass a barrier.
pub fn barrier<'a>(agents: impl Iterator<Item = &'a mut Agent>) {
    let agents: Vec<&mut Agent> = agents.collect();
    let mut all = Clock::default();
    agents.iter().for_each(|a| all.join(&a.clock));
    for agent in agents {
        agent.clock.join(&all);
        agent.tick();
        agent.meet();
    }
}

/// What strong writes told, by address.
#[derive(Debug, Default)]
pub struct Told(FxHashMap<u64, Clock>);

impl Told {
    /// A strong read.
    pub fn read(&mut self, agent: &mut Agent, address: u64, acquire: bool) {
        if let Some(clock) = self.0.get(&address) {
            agent.told.join(clock);
            if acquire {
                agent.clock.join(clock);
            }
        }
    }

    /// A strong write.
    pub fn write(&mut self, agent: &mut Agent, address: u64, release: bool) {
        if release {
            self.0.entry(address).or_default().join(&agent.clock);
            agent.tick();
        } else if let Some(fenced) = &agent.fenced {
            self.0.entry(address).or_default().join(fenced);
        }
    }
}

/// The last accesses of some bytes.
#[derive(Clone, Default, Debug)]
struct Cell {
    write: Stamp,
    strong: bool,
    read: Stamp,
    /// More readers that nothing orders.
    readers: Vec<Stamp>,
}

/// The last accesses of a region in one launch.
#[derive(Debug, Default)]
pub struct Shadow {
    launch: u64,
    /// Bytes of a cell: the smallest access so far.
    grain: u64,
    cells: Vec<Cell>,
}

/// An access to be checked.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// Where.
    pub offset: u64,
    /// How many bytes.
    pub size: u64,
    /// Which lane's.
    pub lane: u8,
    /// It writes.
    pub writes: bool,
    /// It is atomic or volatile.
    pub strong: bool,
    /// It writes what is there already, which no one can tell from not writing.
    pub same: bool,
}

impl Shadow {
    /// Records an access to a region of `bytes` and says whether it races with one before.
    pub fn touch(&mut self, launch: u64, bytes: u64, agent: &Agent, touch: Touch) -> Result<(), Wrong> {
        self.fit(launch, bytes, touch.size);
        let cells = touch.offset / self.grain..=(touch.offset + touch.size - 1) / self.grain;
        for index in cells {
            let Some(cell) = self.cells.get_mut(index as usize) else { continue };
            let strong = touch.strong && cell.strong;
            if !(agent.knows(cell.write, touch.lane) || strong || touch.writes && touch.same) {
                let kind = if touch.writes { "is written again" } else { "is read" };
                return Err(race(touch, cell.write, kind, "it was written"));
            }
            if touch.writes {
                let reader = cell.readers.iter().chain([&cell.read]).find(|r| !agent.knows(**r, touch.lane));
                if let Some(reader) = reader.filter(|_| !touch.same) {
                    return Err(race(touch, *reader, "is written", "it was read"));
                }
                (cell.write, cell.strong) = (agent.now(touch.lane), touch.strong);
                cell.read = Stamp::default();
                cell.readers.clear();
            } else if !touch.strong {
                let now = agent.now(touch.lane);
                if cell.read.agent == now.agent && cell.read.met == now.met && cell.read.lane != now.lane {
                    cell.read = Stamp { lane: SEVERAL, ..now };
                    continue;
                }
                if !agent.knows(cell.read, touch.lane) {
                    let before = std::mem::take(&mut cell.read);
                    cell.readers.retain(|r| !agent.knows(*r, touch.lane));
                    cell.readers.push(before);
                }
                cell.read = now;
            }
        }
        Ok(())
    }

    /// Begins a launch, and makes the cells as small as the access.
    fn fit(&mut self, launch: u64, bytes: u64, size: u64) {
        let size = size.clamp(1, 8);
        if self.launch != launch || self.grain == 0 {
            *self = Shadow { launch, grain: size, cells: Vec::new() };
        }
        if size < self.grain {
            let parts = (self.grain / size) as usize;
            self.cells = self.cells.iter().flat_map(|c| std::iter::repeat_n(c.clone(), parts)).collect();
            self.grain = size;
        }
        self.cells.resize(bytes.div_ceil(self.grain) as usize, Cell::default());
    }
}

fn race(touch: Touch, other: Stamp, now: &str, before: &str) -> Wrong {
    let what = format!("offset {} {now}, and nothing orders that after {before} by", touch.offset);
    Wrong::new(Kind::Race, format!("{what} warp {} of the grid", other.agent - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITE: Touch = Touch { offset: 0, size: 4, lane: 0, writes: true, strong: false, same: false };
    const READ: Touch = Touch { writes: false, ..WRITE };
    const STRONG: Touch = Touch { strong: true, ..WRITE };

    fn pair() -> (Agent, Agent, Shadow) {
        (Agent::new(0), Agent::new(8), Shadow::default())
    }

    #[test]
    fn a_barrier_orders() {
        let (mut a, mut b, mut s) = pair();
        s.touch(1, 8, &a, WRITE).expect("the first");
        s.touch(1, 8, &a, READ).expect("its own");
        assert_eq!(s.touch(1, 8, &b, READ).unwrap_err().kind, Kind::Race);
        barrier([&mut a, &mut b].into_iter());
        s.touch(1, 8, &b, READ).expect("after the barrier");
        assert!(s.touch(1, 8, &a, WRITE).is_err(), "after the other's read");
        s.touch(2, 8, &a, WRITE).expect("the next launch comes after all of the last");
    }

    #[test]
    fn lanes_of_a_warp_are_ordered_where_they_meet() {
        let (mut a, _, mut s) = pair();
        let other = |touch| Touch { lane: 1, ..touch };
        s.touch(1, 8, &a, WRITE).expect("the first");
        assert!(s.touch(1, 8, &a, other(READ)).is_err(), "another lane's");
        a.meet();
        s.touch(1, 8, &a, other(READ)).expect("they met");
        s.touch(1, 8, &a, READ).expect("reads do not race");
        assert!(s.touch(1, 8, &a, WRITE).is_err(), "both lanes read it since");
        a.meet();
        s.touch(1, 8, &a, WRITE).expect("they met again");
    }

    #[test]
    fn fences_and_strong_accesses_order() {
        for fenced in [true, false] {
            let (mut a, mut b, mut s) = pair();
            let mut told = Told::default();
            s.touch(1, 8, &a, WRITE).expect("the first");
            if fenced {
                a.fence();
            }
            told.write(&mut a, 0x100, false);
            told.read(&mut b, 0x100, false);
            assert!(s.touch(1, 8, &b, READ).is_err(), "not before its own fence");
            b.fence();
            assert_eq!(s.touch(1, 8, &b, READ).is_ok(), fenced);
        }
    }

    #[test]
    fn strong_accesses_do_not_race_with_each_other_nor_bytes_with_their_neighbours() {
        let (a, b, mut s) = pair();
        s.touch(1, 8, &a, STRONG).expect("the first");
        s.touch(1, 8, &b, STRONG).expect("both are strong");
        assert!(s.touch(1, 8, &a, READ).is_err(), "a plain read of it");
        let (a, b, mut s) = pair();
        s.touch(1, 8, &a, Touch { size: 1, ..WRITE }).expect("the first");
        s.touch(1, 8, &b, Touch { offset: 1, size: 1, ..WRITE }).expect("its neighbour");
        assert!(s.touch(1, 8, &b, Touch { size: 2, ..READ }).is_err(), "both");
        s.touch(1, 8, &b, Touch { size: 1, same: true, ..WRITE }).expect("what is there already");
    }
}
