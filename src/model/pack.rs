//! Hashing a state in few steps: its many small fields are packed into words, and only these are hashed.

use std::hash::Hasher;

/// A hasher that gathers bytes, and hands them on eight at a time. Derived `Hash` writes which variant an enum is in as a
/// whole `isize`; no enum of the model has more than 256 variants, so one byte of that is enough.
pub(super) struct Packer<'h, H: Hasher> {
    into: &'h mut H,
    bytes: [u8; 256],
    used: usize,
}

impl<'h, H: Hasher> Packer<'h, H> {
    pub fn new(into: &'h mut H) -> Self {
        Self { into, bytes: [0; 256], used: 0 }
    }

    /// Hands on what is left.
    pub fn end(mut self) {
        self.flush();
    }

    #[inline(never)]
    fn flush(&mut self) {
        // Bytes after the last one are 0, or left from before: in either case the same for equal states.
        let words = self.bytes.chunks_exact(8).take(self.used.div_ceil(8));
        for word in words.filter_map(|word| word.first_chunk::<8>()) {
            self.into.write_u64(u64::from_le_bytes(*word));
        }
        self.used = 0;
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
        if self.used == self.bytes.len() {
            self.flush();
        }
        if let Some(next) = self.bytes.get_mut(self.used) {
            *next = byte;
            self.used += 1;
        }
    }

    #[inline]
    fn write_u16(&mut self, number: u16) {
        let [low, high] = number.to_le_bytes();
        self.write_u8(low);
        self.write_u8(high);
    }

    #[inline]
    fn write_isize(&mut self, variant: isize) {
        self.write_u8(variant as u8);
    }
}
