//! Numbers and bytes that a bake makes, as glTF stores them.

use std::borrow::Cow;
use std::ops::Range;

/// The contents of a region.
pub enum Made {
    Numbers(Vec<f32>),
    Bytes(Vec<u8>),
}

impl Made {
    /// Returns the length in bytes.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => size_of_val(&**numbers),
            Self::Bytes(bytes) => bytes.len(),
        }
    }

    /// Returns a range of the bytes, which splits no number.
    pub fn bytes(&self, Range { start, end }: Range<usize>) -> Cow<'_, [u8]> {
        match self {
            Self::Numbers(numbers) => little_endian(&numbers[start / 4..end / 4]),
            Self::Bytes(bytes) => bytes[start..end].into(),
        }
    }
}

/// Returns the bytes of numbers, without a copy where the machine stores them so, too.
pub fn little_endian(numbers: &[f32]) -> Cow<'_, [u8]> {
    match cfg!(target_endian = "little") {
        true => bytemuck::cast_slice(numbers).into(),
        false => numbers.iter().flat_map(|n| n.to_le_bytes()).collect(),
    }
}
