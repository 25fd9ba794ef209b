//! Who accessed which bytes last in a launch, and whether that races with an access now: two accesses to the same
//! bytes, one of them a write and not both strong, that nothing orders, whatever the schedule of this run made of
//! them.

use crate::race::{Agent, Stamp, Strength};

/// The last write of some bytes and their last reader, or the list of their readers, as the bits of stamps: memory
/// of zeros is for nothing.
type Cell = [u64; 2];

/// Who read some bytes since they were written.
enum Reader {
    One(Stamp),
    /// A list in `readers`.
    Many(usize),
}

/// Bits of no stamp: the number of a list follows.
const LIST: u64 = u64::MAX << 40;

impl Reader {
    fn of(bits: u64) -> Reader {
        match bits & LIST == LIST {
            true => Reader::Many((bits & !LIST) as usize),
            false => Reader::One(Stamp::of_bits(bits)),
        }
    }
}

/// The last accesses of a region in one launch.
#[derive(Debug, Default)]
pub struct Shadow {
    launch: u64,
    /// Bytes of a cell, as a power of two: those of the smallest access so far.
    grain: u32,
    cells: Vec<Cell>,
    /// Readers of which none knows of all others, the last one first; one a warp.
    readers: Vec<Vec<Stamp>>,
}

/// An access to be checked.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// Where.
    pub offset: u64,
    /// How many bytes: a power of two.
    pub size: u64,
    /// It writes.
    pub writes: bool,
    /// Whether others may access the same bytes.
    pub strength: Strength,
}

/// The access that another one races with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// Whose it was.
    pub stamp: Stamp,
    /// It was a write.
    pub wrote: bool,
}

impl Shadow {
    /// Prepares for accesses of `size` bytes to a region of `bytes` in a launch.
    pub fn begin(&mut self, launch: u64, bytes: u64, size: u64) {
        let grain = size.clamp(1, 8).trailing_zeros();
        if self.launch != launch {
            *self = Shadow { launch, grain, cells: Vec::new(), readers: Vec::new() };
        }
        while grain < self.grain {
            self.grain -= 1;
            let cells = std::mem::take(&mut self.cells);
            for [write, read] in cells {
                let twin = match Reader::of(read) {
                    Reader::Many(list) => {
                        self.readers.push(self.readers[list].clone());
                        LIST | (self.readers.len() as u64 - 1)
                    }
                    Reader::One(_) => read,
                };
                self.cells.extend([[write, read], [write, twin]]);
            }
        }
        let count = (bytes as usize).div_ceil(1 << self.grain);
        if self.cells.is_empty() {
            self.cells = vec![[0; 2]; count];
        }
    }

    /// Did anyone write the bytes in this launch?
    pub fn is_written(&self, offset: u64, size: u64) -> bool {
        self.range(offset, size).any(|i| self.cells.get(i).is_some_and(|c| c[0] != 0))
    }

    fn range(&self, offset: u64, size: u64) -> std::ops::RangeInclusive<usize> {
        (offset >> self.grain) as usize..=((offset + size - 1) >> self.grain) as usize
    }

    /// Records a lane's access and says what it races with.
    #[inline]
    pub fn touch(&mut self, agent: &Agent, lane: u8, touch: Touch) -> Result<(), Conflict> {
        for index in self.range(touch.offset, touch.size) {
            let Some(cell) = self.cells.get_mut(index) else { continue };
            let write = Stamp::of_bits(cell[0]);
            if !agent.knows(write, lane) && !agent.both_strong(touch.strength, write) {
                return Err(Conflict { stamp: write, wrote: true });
            }
            let now = agent.stamp(lane, touch.strength);
            if touch.writes {
                let clear = |r: &Stamp| agent.knows(*r, lane) || agent.both_strong(touch.strength, *r);
                let reader = match Reader::of(cell[1]) {
                    Reader::One(reader) => Some(reader).filter(|r| !clear(r)),
                    Reader::Many(list) => self.readers[list].iter().copied().find(|r| !clear(r)),
                };
                if let Some(stamp) = reader {
                    return Err(Conflict { stamp, wrote: false });
                }
                *cell = [now.bits(), 0];
                continue;
            }
            match Reader::of(cell[1]) {
                Reader::One(before) if before == now => {}
                Reader::One(before) => match after(agent, lane, before, now) {
                    Some(reader) => cell[1] = reader.bits(),
                    None => {
                        cell[1] = LIST | self.readers.len() as u64;
                        self.readers.push(vec![now, before]);
                    }
                },
                Reader::Many(list) => add(&mut self.readers[list], agent, lane, now),
            }
        }
        Ok(())
    }
}

/// The one reader that stands for two, where there is one.
fn after(agent: &Agent, lane: u8, before: Stamp, now: Stamp) -> Option<Stamp> {
    if before.is_nobody() {
        return Some(now);
    }
    if before.strength() != now.strength() {
        // A strong reader's word is worth less to a writer, so it cannot stand for a plain one.
        return None;
    }
    if agent.knows(before, lane) {
        return Some(if before.same_time(now) && before.lane() != lane { now.of_several() } else { now });
    }
    (before.warp() == now.warp()).then(|| now.of_several())
}

/// Adds a reader to a list, whose first is the one that came last.
fn add(list: &mut Vec<Stamp>, agent: &Agent, lane: u8, now: Stamp) {
    let same = |r: &Stamp| r.warp() == now.warp() && r.strength() == now.strength();
    match list.iter().position(same) {
        Some(at) => {
            list[at] = after(agent, lane, list[at], now).unwrap_or(now);
            list.swap(at, 0);
        }
        None => {
            list.push(now);
            let last = list.len() - 1;
            list.swap(last, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::race::barrier;

    const WRITE: Touch = Touch { offset: 0, size: 4, writes: true, strength: Strength::Weak };
    const READ: Touch = Touch { writes: false, ..WRITE };
    const ALL: u32 = u32::MAX;

    fn shadow(size: u64) -> Shadow {
        let mut shadow = Shadow::default();
        shadow.begin(1, 8, size);
        shadow
    }

    #[test]
    fn a_barrier_orders() {
        let (mut a, mut b, mut s) = (Agent::new(0, 0, 8), Agent::new(0, 1, 8), shadow(4));
        s.touch(&a, 0, WRITE).expect("the first");
        s.touch(&a, 0, READ).expect("its own");
        assert!(s.touch(&b, 0, READ).is_err_and(|c| c.wrote && c.stamp.warp() == 0));
        barrier([(&mut a, ALL), (&mut b, ALL)].into_iter());
        s.touch(&b, 0, READ).expect("after the barrier");
        assert!(s.touch(&a, 0, WRITE).is_err_and(|c| !c.wrote), "after the other's read");
        s.begin(2, 8, 4);
        s.touch(&a, 0, WRITE).expect("the next launch comes after all of the last");
    }

    #[test]
    fn lanes_of_a_warp_are_ordered_where_they_meet() {
        let (mut a, mut s) = (Agent::new(0, 0, 8), shadow(4));
        s.touch(&a, 0, WRITE).expect("the first");
        assert!(s.touch(&a, 1, READ).is_err(), "another lane's");
        a.meet(ALL, ALL);
        s.touch(&a, 1, READ).expect("they met");
        s.touch(&a, 0, READ).expect("reads do not race");
        assert!(s.touch(&a, 0, WRITE).is_err(), "both lanes read it since");
        a.meet(ALL, ALL);
        s.touch(&a, 0, WRITE).expect("they met again");
    }

    #[test]
    fn many_readers_are_all_remembered() {
        let mut warps: Vec<Agent> = (0..4).map(|w| Agent::new(0, w, 4)).collect();
        let mut s = shadow(4);
        for round in 0..3 {
            for w in &warps {
                s.touch(w, round, READ).expect("reads do not race");
            }
        }
        for w in &warps {
            assert!(s.touch(w, 2, WRITE).is_err());
        }
        barrier(warps.iter_mut().map(|w| (w, ALL)));
        s.touch(&warps[2], 2, WRITE).expect("after the barrier");
    }

    #[test]
    fn strong_accesses_do_not_race_with_each_other_nor_bytes_with_their_neighbours() {
        let strong = Touch { strength: Strength::Device, ..WRITE };
        let block = Touch { strength: Strength::Block, ..WRITE };
        let (a, b, c) = (Agent::new(0, 0, 8), Agent::new(1, 0, 8), Agent::new(0, 3, 8));
        let mut s = shadow(4);
        s.touch(&a, 0, strong).expect("the first");
        s.touch(&b, 0, strong).expect("both are strong");
        assert!(s.touch(&a, 0, READ).is_err(), "a plain read of it");
        let mut s = shadow(4);
        s.touch(&a, 0, block).expect("the first");
        s.touch(&c, 0, block).expect("of the same block");
        assert!(s.touch(&b, 0, strong).is_err(), "the other is strong in its block only");
        let mut s = shadow(4);
        s.touch(&a, 0, Touch { writes: false, ..strong }).expect("the first");
        s.touch(&b, 0, strong).expect("both are strong");
        let mut s = shadow(4);
        s.touch(&a, 0, Touch { writes: false, ..strong }).expect("the first");
        assert!(s.touch(&b, 0, WRITE).is_err(), "a plain write after a strong read");
        let mut s = shadow(4);
        s.begin(1, 8, 1);
        s.touch(&a, 0, Touch { size: 1, ..WRITE }).expect("the first");
        s.touch(&b, 0, Touch { offset: 1, size: 1, ..WRITE }).expect("its neighbour");
        assert!(s.touch(&b, 0, Touch { size: 2, ..READ }).is_err(), "both");
    }

    #[test]
    fn cells_become_smaller() {
        let (a, b, mut s) = (Agent::new(0, 0, 8), Agent::new(1, 0, 8), shadow(8));
        s.touch(&a, 0, Touch { size: 8, ..READ }).expect("the first");
        s.touch(&b, 0, Touch { size: 8, ..READ }).expect("reads do not race");
        s.begin(1, 8, 2);
        assert!(s.touch(&a, 0, Touch { offset: 6, size: 2, ..WRITE }).is_err(), "b read it");
        assert!(!s.is_written(0, 8));
    }
}
