//! Frames that are equal, bit for bit, attribute by attribute.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use super::frames::Frame;

/// A part of a stream: the index of the stream, and that of the part in the stream.
pub(super) type Place = (usize, usize);

/// For each part of each stream, which frames have the same numbers.
pub(super) struct Contents {
    /// For each stream, part and frame, the first frame with the same bits.
    first_equal: Vec<Vec<Vec<usize>>>,
}

/// Numbers that are compared by their bits.
#[derive(Clone, Copy)]
struct Bits<'f>(&'f [f32]);

impl Hash for Bits<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for number in self.0 {
            state.write_u32(number.to_bits());
        }
    }
}

impl PartialEq for Bits<'_> {
    fn eq(&self, other: &Self) -> bool {
        let bits = |numbers: &Self| numbers.0.iter().map(|number| number.to_bits());
        bits(self).eq(bits(other))
    }
}

impl Eq for Bits<'_> {}

impl Contents {
    /// Compares all frames.
    pub fn new(frames: &[Frame]) -> Self {
        let streams = frames.first().map_or(&[][..], |frame| &frame.vertices);
        let of_part = |(stream, part): Place| {
            let mut known = HashMap::new();
            let all = frames.iter().enumerate();
            all.map(|(index, frame)| {
                *known
                    .entry(Bits(&frame.vertices[stream][part]))
                    .or_insert(index)
            })
            .collect()
        };
        let of_stream = |(stream, parts): (usize, &Vec<Vec<f32>>)| {
            let parts = 0..parts.len();
            parts.map(|part| of_part((stream, part))).collect()
        };
        Self {
            first_equal: streams.iter().enumerate().map(of_stream).collect(),
        }
    }

    /// Returns the first frame that is equal to `frame` in a part.
    pub fn of(&self, (stream, part): Place, frame: usize) -> usize {
        self.first_equal[stream][part][frame]
    }

    /// Returns true if a part is not the same in all frames.
    pub fn changes(&self, (stream, part): Place) -> bool {
        self.first_equal[stream][part]
            .iter()
            .any(|first| *first != 0)
    }

    /// Returns for each of `frames` the position in the list of the first one that is equal to it in all `parts`.
    pub fn of_all(&self, parts: &[Place], frames: &[usize]) -> Vec<usize> {
        let mut known: HashMap<Vec<usize>, usize> = HashMap::new();
        let all = frames.iter().enumerate();
        all.map(|(position, frame)| {
            let key = parts.iter().map(|part| self.of(*part, *frame)).collect();
            *known.entry(key).or_insert(position)
        })
        .collect()
    }
}
