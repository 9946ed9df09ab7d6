//! What a search has come across, in that order: each thing once, found again by its hash.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// Things that a search has come across.
#[derive(Clone, Debug)]
pub struct Visited<T> {
    items: Vec<T>,
    /// The places of the things with one hash. Only equality counts, so a clash of hashes changes nothing.
    places: BTreeMap<u64, Vec<usize>>,
}

impl<T> Default for Visited<T> {
    fn default() -> Self {
        Self { items: Vec::new(), places: BTreeMap::new() }
    }
}

impl<T: Hash + Eq> Visited<T> {
    /// Adds a thing at the end, unless it is there; says whether it was new.
    pub fn insert(&mut self, item: T) -> bool {
        let places = self.places.entry(hash(&item)).or_default();
        if places.iter().any(|place| self.items.get(*place) == Some(&item)) {
            return false;
        }
        places.push(self.items.len());
        self.items.push(item);
        true
    }

    /// The place of a thing, if it is there.
    pub fn place(&self, item: &T) -> Option<usize> {
        let places = self.places.get(&hash(item))?;
        places.iter().copied().find(|place| self.items.get(*place) == Some(item))
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
