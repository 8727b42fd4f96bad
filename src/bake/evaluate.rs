//! From vertices of the input to vertices of the output: a range of one stream at a time.

use std::ops::Range;

use super::streams::{Kind, Stream};
use crate::bake::gltf::{File, Problem, RestFrames, VertexInfluences, Vertices, morphed};
use crate::base::diag::Code;
use crate::glb::all_finite;
use crate::kernel::simd::Isa;
use crate::kernel::{BLOCK, FrameJob, FramePalette, Frames, Influences, SHORTEST, evaluate_frames};

/// What evaluating needs beside a stream.
pub(super) struct Evaluator<'e, 'f> {
    pub file: &'e File<'f>,
    /// One for each skin that is used.
    pub palettes: Vec<Option<FramePalette>>,
    pub isa: Isa,
}

/// Some vertices of a stream, evaluated.
pub(super) struct Piece {
    /// Numbers of each part of the stream, element after element.
    pub parts: Vec<Vec<f32>>,
    /// The first vertex whose weights do not sum to 1, and their sum.
    pub first_off: Option<(usize, f64)>,
}

/// Vertices that go through the kernel at a time: all that is made of them on the way stays in the second cache.
const AT_A_TIME: usize = 128 * BLOCK;

impl Evaluator<'_, '_> {
    /// Evaluates a range of a stream's vertices.
    ///
    /// # Errors
    /// Numbers that cannot be used, or do not fit f32.
    pub fn evaluate(&self, stream: &Stream, range: Range<usize>) -> Result<Piece, Problem> {
        let path = primitive_path(stream.users[0]);
        let (mesh, primitive) = stream.users[0];
        let from = Vertices {
            file: self.file,
            primitive: &self.file.meshes[mesh].primitives[primitive],
            path: &path,
            range: range.clone(),
        };
        let piece = match stream.kind {
            Kind::Skinned(skin) => self.skinned(stream, skin, from)?,
            Kind::Morphed => only_morphed(stream, &from)?,
        };
        for (part, numbers) in stream.parts.iter().zip(&piece.parts) {
            if !all_finite(numbers, |number| number) {
                let bad = numbers.iter().position(|number| !number.is_finite());
                let element = bad.unwrap_or(0) / part.element.component_count();
                let vertex = range.start + element;
                let message = format!("vertex {vertex} comes out beyond single precision");
                let place = format!("{path}.attributes.{}", part.name);
                return Err(Problem::rule(&place, message).code(Code::U15));
            }
        }
        Ok(piece)
    }

    fn skinned(
        &self,
        stream: &Stream,
        skin: usize,
        mut from: Vertices<'_, '_>,
    ) -> Result<Piece, Problem> {
        let palette = self.palettes[skin].as_ref();
        let palette = palette.expect("every skin in use has a palette");
        let joint_count = self.file.skins[skin].joints.len();
        let range = from.range.clone();
        let has = |name: &str| from.primitive.attribute(name).is_some();
        let (has_normals, has_tangents) = (has("NORMAL"), has("TANGENT"));
        let room = |there: bool| match there {
            true => vec![0.0; 3 * range.len().next_multiple_of(BLOCK)],
            false => Vec::new(),
        };
        let (mut positions, mut normals) = (room(true), room(has_normals));
        let mut tangents = Vec::new();
        let mut first_off = None;
        let mut slots = VertexInfluences::default();
        let mut rest = RestFrames::default();
        let mut bound = Influences::default();
        let (mut directions, mut signs) = (Vec::new(), Vec::new());
        for start in range.clone().step_by(AT_A_TIME) {
            from.range = start..range.end.min(start + AT_A_TIME);
            slots.read(&from, joint_count)?;
            rest.read(&from, &stream.weights)?;
            first_off = first_off.or(slots.first_off);
            bound.rebind_each(slots.set_count, &slots.joints, &slots.weights);
            let padded = from.range.len().next_multiple_of(BLOCK);
            signs.resize(padded, 0.0);
            directions.resize(if has_tangents { 3 * padded } else { 0 }, 0.0);
            let at = 3 * (start - range.start);
            let place = at..at + 3 * padded;
            let job = FrameJob {
                palette,
                influences: &bound,
                positions: planes(&rest.positions),
                normals: rest.normals.as_ref().map(planes),
                tangents: rest.tangents.as_ref().map(planes),
            };
            let to = Frames {
                positions: &mut positions[place.clone()],
                normals: if has_normals {
                    &mut normals[place]
                } else {
                    &mut []
                },
                tangents: &mut directions,
                signs: &mut signs,
            };
            evaluate_frames(self.isa, &job, to);
            if has_tangents {
                put_tangents(&from, &directions, &signs, &mut tangents);
            }
        }
        positions.truncate(3 * range.len());
        normals.truncate(3 * range.len());
        let mut parts = vec![positions, normals, tangents];
        parts.retain(|part| !part.is_empty());
        Ok(Piece { parts, first_off })
    }
}

/// Where a primitive is in the JSON.
pub(super) fn primitive_path((mesh, primitive): (usize, usize)) -> String {
    format!("meshes[{mesh}].primitives[{primitive}]")
}

fn planes(planes: &[Vec<f64>; 3]) -> [&[f64]; 3] {
    planes.each_ref().map(Vec::as_slice)
}

/// Tangents with the handedness they had, turned over where their surroundings are mirrored.
fn put_tangents(
    from: &Vertices<'_, '_>,
    directions: &[f32],
    signs: &[f64],
    tangents: &mut Vec<f32>,
) {
    let mut rest = vec![[0.0; 4]; from.range.len()];
    if let Some(accessor) = from.accessor("TANGENT") {
        accessor.copy(from.range.start, &mut rest);
    }
    let directions = directions.as_chunks::<3>().0.iter();
    for (([x, y, z], sign), [.., w]) in directions.zip(signs).zip(&rest) {
        tangents.extend([*x, *y, *z, (w * sign) as f32]);
    }
}

/// An attribute with its morph targets. Directions get their length back.
fn only_morphed(stream: &Stream, from: &Vertices<'_, '_>) -> Result<Piece, Problem> {
    let part = &stream.parts[0];
    let width = part.element.component_count();
    let mut rows = Vec::new();
    morphed::<4>(from, &part.name, &stream.weights, &mut rows)?;
    if matches!(&*part.name, "NORMAL" | "TANGENT") {
        rows.iter_mut().for_each(lengthen);
    }
    let numbers = rows.iter().flat_map(|row| &row[..width]);
    Ok(Piece {
        parts: vec![numbers.map(|number| *number as f32).collect()],
        first_off: None,
    })
}

/// Brings the first three components to unit length, unless they are too short (`bake.md` §4).
fn lengthen([x, y, z, _]: &mut [f64; 4]) {
    let length = (*x * *x + *y * *y + *z * *z).sqrt();
    if length > SHORTEST {
        (*x, *y, *z) = (*x / length, *y / length, *z / length);
    }
}
