//! The JSON chunk, with slots for the bounds of positions, which are known only when all vertices have been evaluated.

use crate::glb::number::repr;
use rigy_gltf::json::Value;
use rigy_kernel::math::{Bounds, Vec3};

/// Length of a slot in bytes: three of the longest numbers, such as `-1.0000000116860974e-07`, commas and brackets.
const SLOT_LEN: usize = 3 * 23 + 4;

/// The character that fills a slot until its offset is known. JSON text has no such character: in strings it is
/// escaped.
const MARK: char = '\u{1}';

/// A placeholder for an array of three numbers, which [`JsonChunk::new`] turns into a slot.
pub fn slot<'a>() -> Value<'a> {
    Value::Number(String::from_iter([MARK; SLOT_LEN]).into())
}

/// The text of the JSON chunk and the offsets of its slots.
#[derive(Clone)]
pub struct JsonChunk {
    /// The text, padded with spaces to a multiple of four bytes.
    pub bytes: Vec<u8>,
    /// Offset in `bytes` at which each slot begins, ascending.
    slots: Vec<usize>,
}

impl JsonChunk {
    /// Makes the chunk from the text of a tree, its slots filled with spaces.
    pub fn new(text: String) -> Self {
        let mut bytes = text.into_bytes();
        let mark = MARK as u8;
        let mut slots = Vec::new();
        let mut at = 0;
        while let Some(found) = bytes[at..].iter().position(|byte| *byte == mark) {
            let slot = at + found..at + found + SLOT_LEN;
            bytes[slot.clone()].fill(b' ');
            slots.push(slot.start);
            at = slot.end;
        }
        bytes.resize(bytes.len().next_multiple_of(4), b' ');
        Self { bytes, slots }
    }

    /// Fills the slots with the least and the greatest coordinates of each new accessor of positions, in order.
    pub fn fill(&mut self, bounds: &[Bounds]) {
        let corners = bounds.iter().flat_map(|bounds| [bounds.min, bounds.max]);
        for (slot, corner) in self.slots.iter().zip(corners) {
            let text = corner_text(corner);
            self.bytes[*slot..slot + text.len()].copy_from_slice(&text);
        }
    }
}

/// The JSON text of a corner of the bounds.
fn corner_text(corner: Vec3) -> Vec<u8> {
    let mut text = vec![b'['];
    for (axis, number) in corner.into_iter().enumerate() {
        if axis > 0 {
            text.push(b',');
        }
        text.extend_from_slice(repr(number).as_bytes());
    }
    text.push(b']');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_corner_of_singles_fits_its_slot() {
        let longest = -f64::from(f32::from_bits(0x33d6_bf95));
        for number in [
            longest,
            f64::from(f32::MIN),
            f64::from(-f32::MIN_POSITIVE),
            f64::from(-1e-45f32),
        ] {
            assert!(corner_text([number; 3]).len() <= SLOT_LEN, "{number}");
        }
        let mut text = JsonChunk::new(Value::Array(vec![slot(), "\u{1}".into(), slot()]).to_text());
        assert_eq!(text.slots.len(), 2);
        text.fill(&[Bounds {
            min: [-0.0, 1.0, longest],
            max: [0.5; 3],
        }]);
        let parsed: serde_json::Value = serde_json::from_slice(&text.bytes).unwrap();
        assert_eq!(parsed[0][2].as_f64(), Some(longest));
        assert_eq!(parsed[2], serde_json::json!([0.5, 0.5, 0.5]));
    }
}
