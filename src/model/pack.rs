//! Hashing a state in few steps: its many small fields are packed into words, and only these are hashed.

use std::hash::{Hash, Hasher};

/// A hasher that gathers bits, and hands them on 64 at a time. Derived `Hash` writes which variant an enum is in as a
/// whole `isize`; no enum of the model has more than 256 variants, so eight bits of that are enough.
pub(super) struct Packer<'h, H: Hasher> {
    into: &'h mut H,
    word: u64,
    /// How many bits of the word are taken, the lowest first; never all of them.
    used: u32,
}

impl<'h, H: Hasher> Packer<'h, H> {
    pub fn new(into: &'h mut H) -> Self {
        Self { into, word: 0, used: 0 }
    }

    /// Hands on what is left.
    pub fn end(self) {
        self.into.write_u64(self.word);
    }

    /// Adds so many bits, at most 32.
    #[inline]
    fn add(&mut self, bits: u32, count: u32) {
        self.word |= u64::from(bits) << self.used;
        self.used += count;
        if self.used >= u64::BITS {
            hand_on(self.into, self.word);
            self.used -= u64::BITS;
            self.word = u64::from(bits) >> (count - self.used);
        }
    }
}

/// Apart, so that what is done for each field stays short.
#[inline(never)]
fn hand_on<H: Hasher>(into: &mut H, word: u64) {
    into.write_u64(word);
}

/// Hashes something that mostly is as it was at first: then one bit says so.
pub(super) fn hash_seldom<T: Default + PartialEq, H: Hasher>(
    thing: &T,
    state: &mut H,
    fields: impl FnOnce(&mut H),
) {
    let begun = *thing != T::default();
    begun.hash(state);
    if begun {
        fields(state);
    }
}

impl<H: Hasher> Hasher for Packer<'_, H> {
    fn finish(&self) -> u64 {
        self.into.finish()
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u8(*byte));
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.add(u32::from(number), u8::BITS);
    }

    #[inline]
    fn write_u16(&mut self, number: u16) {
        self.add(u32::from(number), u16::BITS);
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.into.write_u64(number);
    }

    #[inline]
    fn write_isize(&mut self, variant: isize) {
        self.write_u8(variant as u8);
    }
}
