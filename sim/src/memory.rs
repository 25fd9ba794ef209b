//! Memory with its checks: regions of bytes that know their bounds and which bytes were written.
//!
//! A device address is a buffer's number and an offset, so no access can stray from one buffer into another
//! unseen. Freed buffers keep their number.

use crate::report::{Kind, Wrong};
use crate::shadow::Shadow;
use std::sync::Arc;

/// Bits of an address that are the offset in its buffer.
pub const OFFSET: u32 = 40;

/// A piece of memory.
#[derive(Debug)]
pub struct Region {
    name: Arc<str>,
    bytes: Vec<u8>,
    /// How many bytes were not written.
    missing: usize,
    /// Which were, unless all were.
    written: Vec<bool>,
    /// The arrays in it, ascending, with red zones between them; none where all of it is one.
    arrays: Arc<[Array]>,
    /// Who accessed what in the current launch.
    pub shadow: Shadow,
    /// The launch in which something in it was last accessed strongly, or 0.
    pub watched: u64,
}

/// An array in a region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Array {
    /// What messages call it.
    pub name: String,
    /// Where it begins.
    pub offset: usize,
    /// How many bytes it has.
    pub bytes: usize,
}

impl Region {
    /// Memory that nobody has written.
    pub fn new(name: impl Into<Arc<str>>, bytes: usize) -> Region {
        Region {
            name: name.into(),
            bytes: vec![0xcd; bytes],
            written: vec![false; bytes],
            missing: bytes,
            arrays: Arc::default(),
            shadow: Shadow::default(),
            watched: 0,
        }
    }

    /// Memory that holds arrays.
    pub fn of_arrays(name: &Arc<str>, arrays: &Arc<[Array]>) -> Region {
        let bytes = arrays.last().map_or(0, |a| a.offset + a.bytes);
        Region { arrays: arrays.clone(), ..Region::new(name.clone(), bytes) }
    }

    /// What messages call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What messages call a place in it.
    pub fn place(&self, offset: u64) -> String {
        match self.arrays.iter().rev().find(|a| a.offset as u64 <= offset) {
            Some(array) => {
                format!("offset {} of {} in {}", offset - array.offset as u64, array.name, self.name)
            }
            None => format!("offset {offset} of {}", self.name),
        }
    }

    /// How many bytes it has.
    pub fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Checks an access of `size` bytes at `offset`.
    #[inline]
    pub fn check(&self, offset: u64, size: u64) -> Result<(), Wrong> {
        let end = offset.wrapping_add(size);
        let within = |a: &Array| offset >= a.offset as u64 && end <= (a.offset + a.bytes) as u64;
        if end > self.bytes.len() as u64
            || end < offset
            || self.arrays.len() > 1 && !self.arrays.iter().any(within)
        {
            let bytes = match self.arrays.iter().rev().find(|a| a.offset as u64 <= offset) {
                Some(array) => array.bytes,
                None => self.bytes.len(),
            };
            let what = format!("{size} bytes at {}, which has {bytes}", self.place(offset));
            return Err(Wrong::new(Kind::Bounds, what));
        }
        if offset & (size - 1) != 0 {
            let what = format!("{size} bytes at {}", self.place(offset));
            return Err(Wrong::new(Kind::Alignment, what));
        }
        Ok(())
    }

    /// Checks the host's access to some bytes.
    fn within(&self, offset: u64, size: usize) -> Result<(), Wrong> {
        if offset + size as u64 <= self.len() {
            return Ok(());
        }
        let what = format!("the host's {size} bytes at {}, which has {}", self.place(offset), self.len());
        Err(Wrong::new(Kind::Bounds, what))
    }

    /// Was every byte written?
    #[inline]
    pub fn is_written(&self, offset: u64, size: u64) -> bool {
        self.missing == 0 || self.written[offset as usize..(offset + size) as usize].iter().all(|&w| w)
    }

    /// An element that was written; the access is checked already.
    #[inline]
    pub fn load(&self, offset: u64, size: u64) -> Result<u64, Wrong> {
        if !self.is_written(offset, size) {
            let what = format!("{size} bytes at {} were never written", self.place(offset));
            return Err(Wrong::new(Kind::Uninitialised, what));
        }
        Ok(self.peek(offset, size))
    }

    /// An element as it lies there.
    #[inline]
    pub fn peek(&self, offset: u64, size: u64) -> u64 {
        let bytes = &self.bytes[offset as usize..(offset + size) as usize];
        match *bytes {
            [a] => a.into(),
            [a, b] => u16::from_le_bytes([a, b]).into(),
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
            [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            _ => bytes.iter().rev().fold(0, |x, &b| x << 8 | u64::from(b)),
        }
    }

    /// Writes an element; the access is checked already. Does that change anything?
    #[inline]
    pub fn store(&mut self, offset: u64, size: u64, x: u64) -> bool {
        let range = offset as usize..(offset + size) as usize;
        let mut changes = false;
        if self.missing > 0 {
            let fresh = self.written[range.clone()].iter().filter(|w| !**w).count();
            changes = fresh > 0;
            self.missing -= fresh;
            self.written[range.clone()].fill(true);
        }
        changes |= self.peek(offset, size) != x;
        self.bytes[range].copy_from_slice(&x.to_le_bytes()[..size as usize]);
        changes
    }
}

/// The device's memory.
#[derive(Debug, Default)]
pub struct Memory {
    buffers: Vec<Buffer>,
}

#[derive(Debug)]
struct Buffer {
    region: Region,
    live: bool,
}

impl Memory {
    /// A new buffer's address.
    pub fn allocate(&mut self, name: &str, bytes: usize) -> u64 {
        self.buffers.push(Buffer { region: Region::new(name, bytes), live: true });
        (self.buffers.len() as u64) << OFFSET
    }

    /// How many buffers there were so far.
    pub fn len(&self) -> usize {
        self.buffers.len()
    }

    /// The name of a buffer.
    pub fn name(&self, buffer: usize) -> &str {
        self.buffers[buffer].region.name()
    }

    /// Gives a buffer back.
    pub fn free(&mut self, address: u64) -> Result<(), Wrong> {
        let (index, _) = split(address);
        match index.and_then(|i| self.buffers.get_mut(i)) {
            Some(buffer) if buffer.live => {
                buffer.live = false;
                buffer.region = Region::new(buffer.region.name.clone(), 0);
                Ok(())
            }
            _ => Err(Wrong::new(Kind::Bounds, format!("{address:#x} is freed, and is no buffer"))),
        }
    }

    /// The names of the buffers that were not freed.
    pub fn leaks(&self) -> Vec<&str> {
        self.buffers.iter().filter(|b| b.live).map(|b| b.region.name()).collect()
    }

    /// The buffer of an address, and the offset in it.
    #[inline]
    pub fn find(&mut self, address: u64) -> Result<(&mut Region, u64), Wrong> {
        let (index, offset) = split(address);
        let Some(buffer) = index.and_then(|i| self.buffers.get_mut(i)) else {
            return Err(Wrong::new(Kind::Bounds, format!("{address:#x} is in no buffer")));
        };
        if !buffer.live {
            return Err(Wrong::new(Kind::Bounds, format!("{} was freed", buffer.region.name())));
        }
        Ok((&mut buffer.region, offset))
    }

    /// Copies to a buffer.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Wrong> {
        let (region, offset) = self.find(address)?;
        region.within(offset, bytes.len())?;
        let range = offset as usize..offset as usize + bytes.len();
        region.bytes[range.clone()].copy_from_slice(bytes);
        if bytes.len() == region.bytes.len() {
            region.missing = 0;
        } else if region.missing > 0 {
            region.missing -= region.written[range.clone()].iter().filter(|w| !**w).count();
            region.written[range].fill(true);
        }
        Ok(())
    }

    /// Copies from a buffer, every byte of which must have been written.
    pub fn read(&mut self, address: u64, out: &mut [u8]) -> Result<(), Wrong> {
        let (region, offset) = self.find(address)?;
        region.within(offset, out.len())?;
        let range = offset as usize..offset as usize + out.len();
        if let Some(at) = region.written[range.clone()].iter().position(|w| !w).filter(|_| region.missing > 0)
        {
            let what = format!("the host reads byte {at} of {}, which was never written", region.name());
            return Err(Wrong::new(Kind::Uninitialised, what));
        }
        out.copy_from_slice(&region.bytes[range]);
        Ok(())
    }
}

/// The number of an address's buffer, and the offset in it.
pub fn split(address: u64) -> (Option<usize>, u64) {
    ((address >> OFFSET).checked_sub(1).map(|i| i as usize), address & ((1 << OFFSET) - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wrong_access_is_told() {
        let mut memory = Memory::default();
        let a = memory.allocate("a", 16);
        memory.write(a, &[1; 8]).expect("within");
        assert_eq!(memory.write(a, &[0; 17]).unwrap_err().kind, Kind::Bounds);
        assert_eq!(memory.read(a, &mut [0; 9]).unwrap_err().kind, Kind::Uninitialised);
        let (region, offset) = memory.find(a + 8).expect("it is there");
        assert_eq!(offset, 8);
        assert_eq!(region.check(12, 8).unwrap_err().kind, Kind::Bounds);
        assert_eq!(region.check(u64::MAX, 8).unwrap_err().kind, Kind::Bounds);
        assert_eq!(region.check(4, 8).unwrap_err().kind, Kind::Alignment);
        assert_eq!(region.load(8, 4).unwrap_err().kind, Kind::Uninitialised);
        assert!(region.store(8, 4, 0x1122_3344));
        assert!(!region.store(8, 4, 0x1122_3344), "it is there already");
        assert_eq!(region.load(8, 2), Ok(0x3344));
        assert_eq!(memory.leaks(), ["a"]);
        memory.free(a).expect("it is live");
        assert!(memory.free(a).is_err() && memory.find(a).is_err() && memory.find(0).is_err());
        assert!(memory.leaks().is_empty());
    }

    #[test]
    fn arrays_lie_apart() {
        let array = |name: &str, offset, bytes| Array { name: name.into(), offset, bytes };
        let region =
            Region::of_arrays(&"shared memory".into(), &[array("a", 0, 8), array("b", 64, 4)].into());
        assert!(region.check(0, 8).is_ok() && region.check(64, 4).is_ok());
        let told = region.check(8, 4).expect_err("between them");
        assert_eq!(
            (told.kind, &*told.what),
            (Kind::Bounds, "4 bytes at offset 8 of a in shared memory, which has 8")
        );
        assert!(region.check(68, 4).is_err() && region.check(60, 4).is_err());
    }
}
