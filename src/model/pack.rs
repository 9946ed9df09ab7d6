//! Hashing a state in few steps: its many small fields are packed into words, and only these are hashed.

use std::hash::Hasher;

/// A hasher that hands on what it is given eight bytes at a time. Derived `Hash` writes which variant an enum is in
/// as a whole `isize`; no enum of the model has more than 256 variants, so one byte of that is enough.
pub(super) struct Packer<'h, H: Hasher> {
    into: &'h mut H,
    word: u64,
    bits: u32,
}

impl<'h, H: Hasher> Packer<'h, H> {
    pub fn new(into: &'h mut H) -> Self {
        Self { into, word: 0, bits: 0 }
    }

    /// Hands on what is left.
    pub fn end(self) {
        self.into.write_u64(self.word);
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
    fn write_u8(&mut self, byte: u8) {
        self.word = self.word << 8 | u64::from(byte);
        self.bits += 8;
        if self.bits == u64::BITS {
            self.into.write_u64(self.word);
            self.bits = 0;
        }
    }

    #[inline]
    fn write_isize(&mut self, variant: isize) {
        self.write_u8(variant as u8);
    }
}
