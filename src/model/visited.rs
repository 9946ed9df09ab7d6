//! What a search has come across, in that order: each thing once, found again by its hash.

use std::hash::{Hash, Hasher};

/// Things that a search has come across.
#[derive(Clone, Debug)]
pub struct Visited<T> {
    items: Vec<T>,
    /// The hash of each of them.
    hashes: Vec<u64>,
    /// The places of the things, counted from 1, each at its hash or next to it; 0 where there is none. Only equality
    /// counts, so a clash of hashes changes nothing.
    table: Vec<usize>,
}

impl<T> Default for Visited<T> {
    fn default() -> Self {
        Self { items: Vec::new(), hashes: Vec::new(), table: Vec::new() }
    }
}

impl<T: Hash + Eq> Visited<T> {
    /// Adds a thing at the end, unless it is there; says whether it was new.
    pub fn insert(&mut self, item: T) -> bool {
        // At least half of the table stays empty, so that looking for something soon comes to an end.
        if self.table.len() < 2 * (self.items.len() + 1) {
            self.grow();
        }
        let hash = hash(&item);
        let Err(free) = self.find(hash, |there| *there == item) else { return false };
        self.items.push(item);
        self.hashes.push(hash);
        if let Some(entry) = self.table.get_mut(free) {
            *entry = self.items.len();
        }
        true
    }

    /// The place of a thing, if it is there.
    pub fn place(&self, item: &T) -> Option<usize> {
        self.find(hash(item), |there| there == item).ok()
    }

    /// The place of the thing with this hash that is the one, or else the entry of the table that is free for it.
    fn find(&self, hash: u64, is: impl Fn(&T) -> bool) -> Result<usize, usize> {
        let last = self.table.len().wrapping_sub(1);
        let mut entry = hash as usize & last;
        while let Some(place) = self.table.get(entry).and_then(|number| number.checked_sub(1)) {
            if self.hashes.get(place) == Some(&hash) && self.items.get(place).is_some_and(&is) {
                return Ok(place);
            }
            entry = (entry + 1) & last;
        }
        Err(entry)
    }

    /// Makes the table twice as large.
    fn grow(&mut self) {
        self.table = vec![0; (2 * self.table.len()).max(16)];
        for place in 0..self.hashes.len() {
            let hash = self.hashes.get(place).copied().unwrap_or_default();
            let free = self.find(hash, |_| false);
            if let Some(entry) = free.err().and_then(|free| self.table.get_mut(free)) {
                *entry = place + 1;
            }
        }
    }

    /// The thing at a place.
    pub fn get(&self, place: usize) -> Option<&T> {
        self.items.get(place)
    }

    /// How many things there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl<T: Hash + Eq> FromIterator<T> for Visited<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut visited = Self::default();
        for item in items {
            visited.insert(item);
        }
        visited
    }
}

fn hash<T: Hash>(item: &T) -> u64 {
    let mut hasher = Mixer(0);
    item.hash(&mut hasher);
    hasher.finish()
}

/// A hash that takes words fast, and the same on every machine.
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}
