//! The blocks of the BIN chunk, and the one place where f64 becomes f32.

use std::io::{self, Write};

use crate::math::Vec3;
use crate::scene::{PositionsSoa, Slots};

/// One buffer view's content, borrowed from the scene or owned.
pub(super) enum Block<'a> {
    /// f64 planes, written as interleaved f32.
    Planes(&'a PositionsSoa),
    /// Interleaved f32, three to a vertex.
    Interleaved(&'a [f32]),
    /// Triangle corners, u32.
    Indices(&'a [u32]),
    /// Joint numbers, u16 ×4.
    Joints(&'a [Slots]),
    /// Weights, f32 ×4.
    Weights(&'a [Slots]),
    /// Inverse bind matrices by their translation, f32 ×16, column-major.
    InverseBind(Vec<Vec3>),
}

/// Elements encoded at a time.
const PIECE: usize = 1024;

/// Rounds to nearest even; the sign of zero and denormals survive.
pub(super) fn single(value: f64) -> f32 {
    value as f32
}

/// Whether every number of these planes has a finite f32.
pub(super) fn fits(planes: &PositionsSoa) -> bool {
    planes
        .planes
        .iter()
        .flatten()
        .all(|value| single(*value).is_finite())
}

impl Block<'_> {
    /// Length in bytes; always a multiple of four, so views need no padding between them.
    pub fn len(&self) -> u64 {
        let bytes = match self {
            Self::Planes(soa) => 12 * soa.len(),
            Self::Interleaved(floats) => 4 * floats.len(),
            Self::Indices(indices) => 4 * indices.len(),
            Self::Joints(slots) => 8 * slots.len(),
            Self::Weights(slots) => 16 * slots.len(),
            Self::InverseBind(joints) => 64 * joints.len(),
        };
        bytes as u64
    }

    /// Writes the block in pieces, each encoded in `scratch`.
    pub fn write(&self, out: &mut dyn Write, scratch: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Self::Planes(soa) => {
                for start in (0..soa.len()).step_by(PIECE) {
                    scratch.clear();
                    for index in start..soa.len().min(start + PIECE) {
                        extend(scratch, soa.get(index).map(single));
                    }
                    out.write_all(scratch)?;
                }
                Ok(())
            }
            Self::Interleaved(floats) => pieces(out, scratch, floats, |bytes, value| {
                bytes.extend(value.to_le_bytes());
            }),
            Self::Indices(indices) => pieces(out, scratch, indices, |bytes, index| {
                bytes.extend(index.to_le_bytes());
            }),
            Self::Joints(slots) => pieces(out, scratch, slots, |bytes, slots| {
                slots
                    .iter()
                    .for_each(|(joint, _)| bytes.extend(joint.to_le_bytes()));
            }),
            Self::Weights(slots) => pieces(out, scratch, slots, |bytes, slots| {
                extend(bytes, slots.map(|(_, weight)| single(weight)));
            }),
            Self::InverseBind(joints) => pieces(out, scratch, joints, |bytes, [x, y, z]| {
                extend(bytes, [1.0, 0.0, 0.0, 0.0]);
                extend(bytes, [0.0, 1.0, 0.0, 0.0]);
                extend(bytes, [0.0, 0.0, 1.0, 0.0]);
                extend(bytes, [single(*x), single(*y), single(*z), 1.0]);
            }),
        }
    }
}

fn extend<const N: usize>(bytes: &mut Vec<u8>, floats: [f32; N]) {
    for value in floats {
        bytes.extend(value.to_le_bytes());
    }
}

fn pieces<T>(
    out: &mut dyn Write,
    scratch: &mut Vec<u8>,
    elements: &[T],
    encode: impl Fn(&mut Vec<u8>, &T),
) -> io::Result<()> {
    for piece in elements.chunks(PIECE) {
        scratch.clear();
        piece.iter().for_each(|element| encode(scratch, element));
        out.write_all(scratch)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_inverse_bind_matrix() {
        let head = [0.0, 0.8, 0.05];
        let block = Block::InverseBind(vec![head.map(|c: f64| -c)]);
        let mut bytes = Vec::new();
        block.write(&mut bytes, &mut Vec::new()).unwrap();
        let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
        let expected = "0000803f000000000000000000000000000000000000803f0000000000000000\
                        00000000000000000000803f0000000000000080cdcc4cbfcdcc4cbd0000803f";
        assert_eq!(hex, expected);
        assert_eq!(block.len(), bytes.len() as u64);
    }
}
