//! What strong reads may see. A plain read that could see more than one value is a race, which ends the run; a
//! strong one (volatile, relaxed, acquire) may see any value that the location had since the last one that is known
//! to its lane, and which of them is drawn from the seed. So a store may become visible late, and two stores in
//! either order, until fences say otherwise. Atomic operations always find the newest value.

use crate::race::{Agent, Release, Stamp, Strength};
use crate::random::Random;
use rustc_hash::FxHashMap;

/// Values of one location that are remembered.
const REMEMBERED: usize = 6;

/// Readers of one value that are remembered; with more of them, all know it.
const READERS: usize = 256;

/// A value that a location had, or has.
#[derive(Debug)]
struct Message {
    value: u64,
    stamp: Stamp,
    release: Release,
    /// The lanes that saw it: who knows of such a read sees nothing older.
    readers: Vec<Stamp>,
}

/// Bytes that are accessed strongly, all in one size.
#[derive(Debug)]
struct Location {
    size: u64,
    /// The oldest first.
    messages: Vec<Message>,
}

impl Location {
    /// The oldest value that a lane may still see.
    fn oldest(&self, agent: &Agent, lane: u8) -> usize {
        let known = |m: &Message| {
            agent.knows(m.stamp, lane)
                || m.readers.len() >= READERS
                || m.readers.iter().any(|r| agent.knows(*r, lane))
        };
        self.messages.iter().rposition(known).unwrap_or(0)
    }
}

/// The strongly accessed locations of a launch.
#[derive(Debug, Default)]
pub struct Locations(FxHashMap<u64, Location>);

/// A strong access of a lane.
#[derive(Clone, Copy, Debug)]
pub struct Strong {
    /// Where: different for each block's shared memory.
    pub key: u64,
    /// How many bytes.
    pub size: u64,
    /// Which lane.
    pub lane: u8,
    /// For whom it is strong.
    pub strength: Strength,
    /// It acquires.
    pub acquire: bool,
    /// It releases.
    pub release: bool,
}

impl Locations {
    /// A strong read: the value that is seen, or none where there is only what memory holds.
    pub fn read(&mut self, agent: &mut Agent, at: Strong, random: &mut Random) -> Option<u64> {
        let location = self.0.get_mut(&at.key)?;
        if location.size != at.size {
            // A read in another size than the writes: it sees what memory holds, and the past is over.
            self.0.remove(&at.key);
            return None;
        }
        let (oldest, newest) = (location.oldest(agent, at.lane), location.messages.len() - 1);
        let seen = match oldest < newest && random.below(2) == 0 {
            true => oldest + random.below(newest - oldest + 1),
            false => newest,
        };
        let message = &mut location.messages[seen];
        let now = agent.stamp(at.lane, at.strength);
        if message.readers.len() < READERS && !message.readers.iter().any(|r| r.is_same_lane(now)) {
            message.readers.push(now);
        }
        agent.hear(at.lane, at.strength, &message.release, at.acquire);
        Some(message.value)
    }

    /// The read of an atomic operation, which always sees the newest value.
    pub fn newest(&self, agent: &mut Agent, at: Strong) {
        if let Some(message) = self.0.get(&at.key).and_then(|l| l.messages.last()) {
            agent.hear(at.lane, at.strength, &message.release, at.acquire);
        }
    }

    /// A strong write of `value` over `old`, if anybody wrote that; an atomic one carries on what the newest value
    /// tells.
    pub fn write(&mut self, agent: &mut Agent, at: Strong, old: Option<u64>, value: u64, atomic: bool) {
        let before = |value| {
            let (stamp, release) = (Stamp::default(), Release::default());
            Message { value, stamp, release, readers: Vec::new() }
        };
        let fresh = || Location { size: at.size, messages: old.map(before).into_iter().collect() };
        let location = self.0.entry(at.key).or_insert_with(fresh);
        if location.size != at.size {
            *location = fresh();
        }
        let stamp = agent.stamp(at.lane, at.strength);
        let mut release = agent.tell(at.lane, at.strength, at.release);
        if let Some(last) = location.messages.last().filter(|_| atomic) {
            release.carry(&last.release);
        }
        location.messages.push(Message { value, stamp, release, readers: Vec::new() });
        if location.messages.len() > REMEMBERED {
            location.messages.remove(0);
        }
    }

    /// A plain write, which is ordered with everything: the past of the bytes is over.
    pub fn forget(&mut self, key: u64, size: u64) {
        (key..key + size).for_each(|key| _ = self.0.remove(&key));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn at(lane: u8) -> Strong {
        let strength = Strength::Device;
        Strong { key: 0x100, size: 4, lane, strength, acquire: false, release: false }
    }

    #[test]
    fn a_read_may_be_late_but_never_goes_back() {
        let mut first = BTreeSet::new();
        for seed in 0..50 {
            let (mut a, mut b, mut random) = (Agent::new(0, 0, 1), Agent::new(1, 0, 1), Random::new(seed));
            let mut all = Locations::default();
            (1..=3).for_each(|x| all.write(&mut a, at(0), Some(x - 1), x, false));
            let seen: Vec<u64> = (0..9).filter_map(|_| all.read(&mut b, at(0), &mut random)).collect();
            assert!(seen.is_sorted(), "{seen:?}");
            first.insert(seen[0]);
            assert_eq!(all.read(&mut a, at(0), &mut random), Some(3), "a lane sees its own writes");
        }
        assert_eq!(first, BTreeSet::from([0, 1, 2, 3]));
    }

    #[test]
    fn what_is_known_has_been_seen() {
        let mut stale = false;
        for seed in 0..50 {
            let (mut a, mut b, mut random) = (Agent::new(0, 0, 1), Agent::new(1, 0, 1), Random::new(seed));
            let mut all = Locations::default();
            let flag = |release, acquire| Strong { key: 0x200, release, acquire, ..at(0) };
            all.write(&mut a, at(0), Some(0), 1, false);
            let released = seed % 2 == 0;
            all.write(&mut a, flag(released, false), Some(0), 1, false);
            while all.read(&mut b, flag(false, true), &mut random) != Some(1) {}
            let value = all.read(&mut b, at(0), &mut random).expect("it was written");
            assert!(value == 1 || !released);
            stale |= value == 0;
        }
        assert!(stale, "without a release the flag may be seen before the value");
    }

    #[test]
    fn atomic_operations_carry_on_what_was_told() {
        let (mut a, mut b, mut c) = (Agent::new(0, 0, 1), Agent::new(1, 0, 1), Agent::new(2, 0, 1));
        let mut all = Locations::default();
        let before = a.stamp(0, Strength::Weak);
        all.write(&mut a, Strong { release: true, ..at(0) }, Some(0), 1, true);
        all.newest(&mut b, at(0));
        all.write(&mut b, at(0), Some(1), 2, true);
        all.newest(&mut c, Strong { acquire: true, ..at(0) });
        assert!(c.knows(before, 0) && !b.knows(before, 0));
        all.forget(0xfe, 8);
        assert_eq!(all.read(&mut c, at(0), &mut Random::new(1)), None);
    }
}
