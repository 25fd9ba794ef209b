//! An open-addressing table from packed keys to their order of first appearance.

/// A hash of a row's packed numbers; its high bits are good.
#[inline(always)]
pub fn hash(numbers: impl IntoIterator<Item = u64>) -> u64 {
    numbers.into_iter().fold(0, |h: u64, x| {
        let x = (h.rotate_left(23) ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
    })
}

/// Distinct packed keys, numbered as they come.
pub struct Numbers {
    /// Index of the entry plus one, by hash; 0 is free. A power of two in size.
    slots: Vec<u32>,
    /// The entries' numbers, side by side.
    numbers: Vec<u64>,
    words: usize,
}

impl Numbers {
    /// No keys; each will have `words` numbers.
    pub fn new(words: usize) -> Numbers {
        Numbers { slots: vec![0; 1024], numbers: vec![], words }
    }

    /// The keys, numbered in their order; they must be distinct.
    pub fn of(numbers: Vec<u64>, words: usize) -> Numbers {
        let size = (numbers.len() / words * 2).next_power_of_two().max(1024);
        let mut index = Numbers { slots: vec![], numbers, words };
        index.rehash(size);
        index
    }

    /// How many keys.
    pub fn len(&self) -> usize {
        self.numbers.len() / self.words
    }

    /// How many numbers a key has.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The keys' numbers, side by side.
    pub fn numbers(&self) -> &[u64] {
        &self.numbers
    }

    /// Forgets all keys.
    pub fn clear(&mut self) {
        self.slots.fill(0);
        self.numbers.clear();
    }

    /// The slot where row `i` is or belongs.
    #[inline(always)]
    fn probe(&self, numbers: &[&[u64]], i: usize) -> usize {
        let mask = self.slots.len() - 1;
        // The partition took the highest bits.
        let mut at = hash(numbers.iter().map(|n| n[i])) as usize & mask;
        while let Some(entry) = self.slots[at].checked_sub(1) {
            let had = &self.numbers[entry as usize * self.words..][..self.words];
            if numbers.iter().zip(had).all(|(n, had)| n[i] == *had) {
                break;
            }
            at = (at + 1) & mask;
        }
        at
    }

    /// The number of row `i`'s key.
    #[inline(always)]
    pub fn find(&self, numbers: &[&[u64]], i: usize) -> Option<u32> {
        self.slots[self.probe(numbers, i)].checked_sub(1)
    }

    /// The number of row `i`'s key, which is new if it was not there.
    #[inline(always)]
    pub fn find_or_insert(&mut self, numbers: &[&[u64]], i: usize) -> u32 {
        let at = self.probe(numbers, i);
        if let Some(entry) = self.slots[at].checked_sub(1) {
            return entry;
        }
        let entry = self.len() as u32;
        self.slots[at] = entry + 1;
        self.numbers.extend(numbers.iter().map(|n| n[i]));
        if self.len() * 2 > self.slots.len() {
            self.rehash(self.slots.len() * 4);
        }
        entry
    }

    fn rehash(&mut self, size: usize) {
        self.slots = vec![0; size];
        for (entry, numbers) in self.numbers.chunks(self.words).enumerate() {
            let mut at = hash(numbers.iter().copied()) as usize & (size - 1);
            while self.slots[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = entry as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_numbered_as_they_come() {
        let (a, b): (Vec<u64>, Vec<u64>) = (0..10_000u64).map(|i| (i * 7 % 3000, i % 2)).unzip();
        let mut index = Numbers::new(2);
        let mut seen = std::collections::HashMap::new();
        for i in 0..a.len() {
            let next = seen.len() as u32;
            let want = *seen.entry((a[i], b[i])).or_insert(next);
            assert_eq!(index.find_or_insert(&[&a, &b], i), want);
        }
        assert_eq!(index.len(), seen.len());
        let again = Numbers::of(index.numbers().to_vec(), 2);
        index.clear();
        assert_eq!((index.len(), index.find_or_insert(&[&a, &b], 5)), (0, 0));
        assert!((0..a.len()).all(|i| again.find(&[&a, &b], i) == Some(seen[&(a[i], b[i])])));
        assert_eq!(again.find(&[&[9999], &[0]], 0), None);
    }
}
