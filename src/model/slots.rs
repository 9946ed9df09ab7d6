//! A short list of things of one kind inside a cluster's state: as many as its world has, cheap to copy.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// Up to `N` things, of which a world has the first so many; the others do not count when states are compared.
#[derive(Clone, Copy, Debug)]
pub struct Slots<T, const N: usize> {
    used: u8,
    items: [T; N],
}

impl<T: Copy + Default, const N: usize> Slots<T, N> {
    /// So many things in their first state; more than there is room for is as many as there is room for.
    pub fn of(count: usize) -> Self {
        Self { used: count.min(N) as u8, items: [T::default(); N] }
    }

    /// The thing with this number. Numbers are made by a world, which is never larger than `N`.
    pub fn get(&self, number: u8) -> &T {
        // `min` tells the compiler that this is in bounds.
        &self.items[usize::from(number).min(N.saturating_sub(1))]
    }

    /// The same, to change.
    pub fn get_mut(&mut self, number: u8) -> &mut T {
        &mut self.items[usize::from(number).min(N.saturating_sub(1))]
    }

    /// The things of the world, in order.
    pub fn as_slice(&self) -> &[T] {
        self.items.get(..usize::from(self.used)).unwrap_or(&self.items)
    }
}

impl<T: Copy + Default, const N: usize> Default for Slots<T, N> {
    fn default() -> Self {
        Self::of(0)
    }
}

impl<T: Copy + Default + PartialEq, const N: usize> PartialEq for Slots<T, N> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T: Copy + Default + Eq, const N: usize> Eq for Slots<T, N> {}

impl<T: Copy + Default + Ord, const N: usize> PartialOrd for Slots<T, N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Copy + Default + Ord, const N: usize> Ord for Slots<T, N> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_slice().cmp(other.as_slice())
    }
}

impl<T: Copy + Default + PartialEq + Hash, const N: usize> Hash for Slots<T, N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Most things are as they were at first: one bit says so. No world has more than eight things of a kind.
        let begun = |item: &T| u8::from(*item != T::default());
        let bits = self.as_slice().iter().fold(0_u8, |bits, item| bits << 1 | begun(item));
        bits.hash(state);
        for (place, item) in self.as_slice().iter().rev().enumerate() {
            if bits >> place & 1 == 1 {
                item.hash(state);
            }
        }
    }
}
