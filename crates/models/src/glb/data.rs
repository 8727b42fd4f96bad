//! The blocks of the BIN chunk, and the rounding of f64 to f32.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

use crate::geometry::scene::{PositionsSoa, SlotRun, Slots};
use crate::glb::all_finite;
use crate::glb::json::{component_type, target};
use rigy_kernel::math::Vec3;

/// The content of a buffer view, borrowed from the scene or owned.
pub enum Block<'a> {
    /// A range of vertices of f64 planes, written as interleaved f32.
    Planes(&'a PositionsSoa, Range<usize>),
    /// A range of vertices of the f64 planes u and v, written as interleaved f32.
    TexCoords(&'a [Vec<f64>; 2], Range<usize>),
    /// Interleaved f32, three to a vertex.
    Interleaved(&'a [f32]),
    /// Triangle corners, u32, each less this number.
    Indices(&'a [u32], u32),
    /// Joint numbers, u16 ×4.
    Joints(Cow<'a, [SlotRun]>),
    /// Weights, f32 ×4.
    Weights(Cow<'a, [SlotRun]>),
    /// Inverse bind matrices by their translation, f32 ×16, column-major.
    InverseBind(Vec<Vec3>),
}

/// Four bytes of the chunk.
type Word = [u8; 4];

/// Buffer of one piece, small enough to stay in the first-level cache.
type Piece = [Word; 3 << 10];

/// An empty piece.
pub const EMPTY: Piece = [[0; 4]; 3 << 10];

/// Rounds to nearest even; the sign of zero and denormals are kept.
pub fn single(value: f64) -> f32 {
    value as f32
}

/// True if every number of these planes has a finite f32.
pub fn fits(planes: &PositionsSoa) -> bool {
    planes.planes.iter().all(|plane| all_finite(plane, single))
}

impl Block<'_> {
    /// The component type and the type of the elements, the length of one in bytes (a multiple of four, so views need no padding between
    /// them), and their number.
    pub fn elements(&self) -> (u32, &'static str, u64, usize) {
        use component_type::{F32, U16, U32};
        match self {
            Self::Planes(_, vertices) => (F32, "VEC3", 12, vertices.len()),
            Self::TexCoords(_, vertices) => (F32, "VEC2", 8, vertices.len()),
            Self::Interleaved(floats) => (F32, "VEC3", 12, floats.len() / 3),
            Self::Indices(indices, _) => (U32, "SCALAR", 4, indices.len()),
            Self::Joints(runs) => (U16, "VEC4", 8, vertex_count(runs)),
            Self::Weights(runs) => (F32, "VEC4", 16, vertex_count(runs)),
            Self::InverseBind(joints) => (F32, "MAT4", 64, joints.len()),
        }
    }

    /// The target of its buffer view.
    pub fn target(&self) -> Option<u32> {
        match self {
            Self::InverseBind(_) => None,
            Self::Indices(..) => Some(target::ELEMENTS),
            _ => Some(target::ARRAY),
        }
    }

    /// Encodes and writes the block piece by piece.
    pub fn write(&self, out: &mut dyn Write, piece: &mut Piece) -> io::Result<()> {
        match self {
            Self::Planes(soa, vertices) => pieces(out, piece, vertices.len(), |range, places| {
                let [xs, ys, zs] = soa
                    .planes
                    .each_ref()
                    .map(|plane| &plane[vertices.clone()])
                    .map(|plane| &plane[range.clone()]);
                for (place, ((x, y), z)) in places.iter_mut().zip(xs.iter().zip(ys).zip(zs)) {
                    *place = rounded([*x, *y, *z]);
                }
            }),
            Self::TexCoords(uv, vertices) => pieces(out, piece, vertices.len(), |range, places| {
                let [us, vs] = uv
                    .each_ref()
                    .map(|plane| &plane[vertices.clone()])
                    .map(|plane| &plane[range.clone()]);
                for (place, (u, v)) in places.iter_mut().zip(us.iter().zip(vs)) {
                    *place = rounded([*u, *v]);
                }
            }),
            Self::Interleaved(floats) => each(out, piece, floats, |value| [value.to_le_bytes()]),
            Self::Indices(indices, first) => {
                each(out, piece, indices, |index| [(index - first).to_le_bytes()])
            }
            Self::Joints(runs) => repeated(out, piece, runs, |slots| {
                let [a, b, c, d] = slots.map(|(joint, _)| u32::from(joint));
                [a | b << 16, c | d << 16].map(u32::to_le_bytes)
            }),
            Self::Weights(runs) => repeated(out, piece, runs, |slots| {
                rounded(slots.map(|(_, weight)| weight))
            }),
            Self::InverseBind(joints) => each(out, piece, joints, |[x, y, z]| {
                rounded([
                    1.0, 0.0, 0.0, 0.0, //
                    0.0, 1.0, 0.0, 0.0, //
                    0.0, 0.0, 1.0, 0.0, //
                    *x, *y, *z, 1.0,
                ])
            }),
        }
    }
}

#[inline(always)]
fn rounded<const N: usize>(values: [f64; N]) -> [Word; N] {
    values.map(|value| single(value).to_le_bytes())
}

/// The runs of a range of vertices.
pub fn runs_of(runs: &[SlotRun], vertices: Range<usize>) -> Cow<'_, [SlotRun]> {
    if vertices == (0..vertex_count(runs)) {
        return Cow::Borrowed(runs);
    }
    let mut first = 0;
    let parts = runs.iter().filter_map(|run| {
        let of_run = first..first + run.vertex_count;
        first = of_run.end;
        let start = of_run.start.max(vertices.start);
        let vertex_count = of_run
            .end
            .min(vertices.end)
            .checked_sub(start)
            .filter(|count| *count > 0)?;
        Some(SlotRun {
            vertex_count,
            ..*run
        })
    });
    Cow::Owned(parts.collect())
}

/// Vertices of all runs together.
fn vertex_count(runs: &[SlotRun]) -> usize {
    runs.iter().map(|run| run.vertex_count).sum()
}

/// Writes the `N` words of each run once for each of its vertices.
fn repeated<const N: usize>(
    out: &mut dyn Write,
    piece: &mut Piece,
    runs: &[SlotRun],
    encode: impl Fn(&Slots) -> [Word; N],
) -> io::Result<()> {
    let (places, _) = piece.as_chunks_mut::<N>();
    let mut filled = 0;
    for run in runs {
        let element = encode(&run.slots);
        let mut left = run.vertex_count;
        while left > 0 {
            let free = &mut places[filled..];
            let count = left.min(free.len());
            free[..count].fill(element);
            (filled, left) = (filled + count, left - count);
            if filled == places.len() {
                out.write_all(places.as_flattened().as_flattened())?;
                filled = 0;
            }
        }
    }
    out.write_all(places[..filled].as_flattened().as_flattened())
}

/// Writes elements of `N` words each.
fn each<E, const N: usize>(
    out: &mut dyn Write,
    piece: &mut Piece,
    elements: &[E],
    encode: impl Fn(&E) -> [Word; N],
) -> io::Result<()> {
    pieces(out, piece, elements.len(), |range, places| {
        for (place, element) in places.iter_mut().zip(&elements[range]) {
            *place = encode(element);
        }
    })
}

/// Writes `count` elements of `N` words each; `fill` encodes a range of them. The length of a piece is fixed before it is
/// filled, so that no check or growth is needed between elements.
fn pieces<const N: usize>(
    out: &mut dyn Write,
    piece: &mut Piece,
    count: usize,
    fill: impl Fn(Range<usize>, &mut [[Word; N]]),
) -> io::Result<()> {
    let (places, _) = piece.as_chunks_mut::<N>();
    for start in (0..count).step_by(places.len()) {
        let range = start..count.min(start + places.len());
        let places = &mut places[..range.len()];
        fill(range, places);
        out.write_all(places.as_flattened().as_flattened())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_beyond_single_precision_is_found_anywhere() {
        for bad in [1e39, -1e39, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            for len in 0..20 {
                let mut numbers = vec![-f64::from(f32::MAX); len];
                assert!(all_finite(&numbers, single));
                for at in 0..len {
                    numbers[at] = bad;
                    assert!(!all_finite(&numbers, single), "{bad} at {at} of {len}");
                    numbers[at] = 1e-60;
                }
            }
        }
    }

    #[test]
    fn the_published_inverse_bind_matrix() {
        let head = [0.0, 0.8, 0.05];
        let block = Block::InverseBind(vec![head.map(|c: f64| -c)]);
        let mut bytes = Vec::new();
        block.write(&mut bytes, &mut { EMPTY }).unwrap();
        let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
        let expected = "0000803f000000000000000000000000000000000000803f0000000000000000\
                        00000000000000000000803f0000000000000080cdcc4cbfcdcc4cbd0000803f";
        assert_eq!(hex, expected);
        let (_, _, size, count) = block.elements();
        assert_eq!(size * count as u64, bytes.len() as u64);
    }
}
