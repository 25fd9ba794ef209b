//! Memory with its checks: regions of bytes that know their bounds and which bytes were written.
//!
//! A device address is a buffer's number and an offset, so no access can stray from one buffer into another
//! unseen. Freed buffers keep their number.

use super::race::Shadow;
use super::report::{Kind, Wrong};

/// Bits of an address that are the offset in its buffer.
const OFFSET: u32 = 40;

/// A piece of memory.
#[derive(Debug)]
pub struct Region {
    name: String,
    bytes: Vec<u8>,
    /// Which bytes were written.
    written: Vec<bool>,
    /// Who accessed what in the current launch.
    pub shadow: Shadow,
}

impl Region {
    /// Memory that nobody has written.
    pub fn new(name: impl Into<String>, bytes: usize) -> Region {
        Region {
            name: name.into(),
            bytes: vec![0xcd; bytes],
            written: vec![false; bytes],
            shadow: Shadow::default(),
        }
    }

    /// What messages call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many bytes it has.
    pub fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Checks an access of `size` bytes at `offset`, of which each element has `align` bytes.
    pub fn check(&self, offset: u64, size: u64, align: u64) -> Result<(), Wrong> {
        if offset.checked_add(size).is_none_or(|end| end > self.bytes.len() as u64) {
            let what =
                format!("{size} bytes at offset {offset} of {}, which has {}", self.name, self.bytes.len());
            return Err(Wrong::new(Kind::Bounds, what));
        }
        if !offset.is_multiple_of(align) {
            let what = format!("{align} bytes at offset {offset} of {}", self.name);
            return Err(Wrong::new(Kind::Alignment, what));
        }
        Ok(())
    }

    /// An element that was written; the access is checked already.
    pub fn load(&self, offset: u64, size: u64) -> Result<u64, Wrong> {
        let range = offset as usize..(offset + size) as usize;
        if !self.written[range.clone()].iter().all(|&w| w) {
            let what = format!("{size} bytes at offset {offset} of {} were never written", self.name);
            return Err(Wrong::new(Kind::Uninitialised, what));
        }
        Ok(self.peek(range))
    }

    /// An element as it lies there.
    pub fn peek(&self, range: std::ops::Range<usize>) -> u64 {
        self.bytes[range].iter().rev().fold(0, |x, &b| x << 8 | u64::from(b))
    }

    /// Writes an element; the access is checked already.
    pub fn store(&mut self, offset: u64, size: u64, x: u64) {
        for i in 0..size as usize {
            self.bytes[offset as usize + i] = (x >> (8 * i)) as u8;
            self.written[offset as usize + i] = true;
        }
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
                buffer.region = Region::new(std::mem::take(&mut buffer.region.name), 0);
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
        region.check(offset, bytes.len() as u64, 1)?;
        let range = offset as usize..offset as usize + bytes.len();
        region.bytes[range.clone()].copy_from_slice(bytes);
        region.written[range].fill(true);
        Ok(())
    }

    /// Copies from a buffer, every byte of which must have been written.
    pub fn read(&mut self, address: u64, out: &mut [u8]) -> Result<(), Wrong> {
        let (region, offset) = self.find(address)?;
        region.check(offset, out.len() as u64, 1)?;
        let range = offset as usize..offset as usize + out.len();
        if let Some(at) = region.written[range.clone()].iter().position(|w| !w) {
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
        assert_eq!(region.check(12, 8, 8).unwrap_err().kind, Kind::Bounds);
        assert_eq!(region.check(4, 8, 8).unwrap_err().kind, Kind::Alignment);
        assert_eq!(region.load(8, 4).unwrap_err().kind, Kind::Uninitialised);
        region.store(8, 4, 0x1122_3344);
        assert_eq!(region.load(8, 2), Ok(0x3344));
        assert_eq!(memory.leaks(), ["a"]);
        memory.free(a).expect("it is live");
        assert!(memory.free(a).is_err() && memory.find(a).is_err() && memory.find(0).is_err());
        assert!(memory.leaks().is_empty());
    }
}
