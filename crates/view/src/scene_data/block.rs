//! The binary block of a scene: arrays of numbers one after the other, little-endian, each at a multiple of four bytes.

/// A block that is being filled.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub bytes: Vec<u8>,
}

impl Block {
    /// Appends numbers as f32. Returns the offset of the first in bytes.
    pub fn push_f32(&mut self, numbers: impl IntoIterator<Item = f64>) -> usize {
        let offset = self.bytes.len();
        for number in numbers {
            self.bytes.extend((number as f32).to_le_bytes());
        }
        offset
    }

    /// Appends bytes, and padding to a multiple of four. Returns the offset of the first.
    pub fn push_bytes(&mut self, bytes: &[u8]) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        offset
    }

    /// Appends numbers of 16 bits, and two bytes of padding after an odd number of them. Returns the offset of the first
    /// in bytes.
    pub fn push_u16(&mut self, numbers: impl IntoIterator<Item = u16>) -> usize {
        let offset = self.bytes.len();
        for number in numbers {
            self.bytes.extend(number.to_le_bytes());
        }
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        offset
    }

    /// Appends numbers of 32 bits. Returns the offset of the first in bytes.
    pub fn push_u32(&mut self, numbers: impl IntoIterator<Item = u32>) -> usize {
        let offset = self.bytes.len();
        for number in numbers {
            self.bytes.extend(number.to_le_bytes());
        }
        offset
    }
}
