//! Numbers that an animated file adds to the binary chunk.

use std::ops::Range;

/// The numbers of one region.
#[derive(Debug)]
pub(in crate::bake) enum Numbers {
    /// Vertices and keys.
    Single(Vec<f32>),
    /// Numbers of vertices below 65,536.
    Short(Vec<u16>),
    /// Numbers of vertices.
    Long(Vec<u32>),
}

impl Numbers {
    /// Returns their length in bytes.
    pub fn len(&self) -> u64 {
        match self {
            Self::Single(numbers) => 4 * numbers.len() as u64,
            Self::Short(numbers) => 2 * numbers.len() as u64,
            Self::Long(numbers) => 4 * numbers.len() as u64,
        }
    }

    /// Returns the bytes in `range`, which begins and ends between two numbers.
    pub fn bytes(&self, range: Range<usize>) -> Vec<u8> {
        fn of<T: Copy, const N: usize>(
            numbers: &[T],
            range: Range<usize>,
            to: fn(T) -> [u8; N],
        ) -> Vec<u8> {
            let numbers = numbers.get(range.start / N..range.end / N);
            let numbers = numbers.unwrap_or_default().iter();
            numbers.flat_map(|number| to(*number)).collect()
        }
        match self {
            Self::Single(numbers) => of(numbers, range, f32::to_le_bytes),
            Self::Short(numbers) => of(numbers, range, u16::to_le_bytes),
            Self::Long(numbers) => of(numbers, range, u32::to_le_bytes),
        }
    }
}
