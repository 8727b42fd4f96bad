//! Evaluating vertices: from those of the input to those of the output, a range of one stream at a time.

use std::ops::Range;
use std::sync::OnceLock;

use super::batch::{Batch, MAX_BATCH};
use super::pivot::Pivots;
use super::streams::{Kind, Stream};
use crate::glb::first_not_finite;
use rigy_base::diag::Code;
use rigy_gltf::{File, Problem, Result, VertexInfluences, Vertices, WeightOddities, morphed};
use rigy_kernel::simd::Isa;
use rigy_kernel::{BLOCK, FrameJob, FramePalette, Frames, SHORTEST, evaluate_frames};

/// The inputs of the evaluation that all streams share.
pub struct Evaluator<'e, 'f> {
    /// The file with the vertices.
    pub file: &'e File<'f>,
    /// For each skin of the file, its palette; `None` if no mesh of the output uses it.
    palettes: Vec<Option<FramePalette>>,
    /// The origins of meshes.
    pub pivots: Pivots,
    /// The instruction set of the kernel.
    isa: Isa,
}

/// The evaluated vertices of a range of a stream.
pub struct Piece {
    /// For each part of the stream, the components of its elements, one element after the other.
    pub parts: Vec<Vec<f32>>,
    /// What is unusual about the weights of vertices.
    pub oddities: WeightOddities,
}

impl<'e, 'f> Evaluator<'e, 'f> {
    pub fn new(file: &'e File<'f>, palettes: Vec<Option<FramePalette>>, isa: Isa) -> Self {
        Self {
            file,
            palettes,
            pivots: Pivots::default(),
            isa,
        }
    }

    /// Evaluates a range of a stream's vertices, with these weights of morph targets.
    ///
    /// # Errors
    /// If a number of the file cannot be used, or a result is not finite in f32.
    pub fn evaluate(&self, stream: &Stream, weights: &[f64], range: Range<usize>) -> Result<Piece> {
        let path = primitive_path(stream.users[0]);
        let (mesh, primitive) = stream.users[0];
        let from = Vertices {
            file: self.file,
            primitive: &self.file.meshes[mesh].primitives[primitive],
            path: &path,
            range: range.clone(),
        };
        let mut piece = match stream.kind {
            Kind::Skinned(skin) => self.skinned(stream, weights, skin, from)?,
            Kind::Morphed => morphed_piece(stream, weights, &from)?,
        };
        self.pivots.subtract(stream, &mut piece.parts);
        for (part, numbers) in stream.parts.iter().zip(&piece.parts) {
            if let Some(bad) = first_not_finite(numbers) {
                let vertex = range.start + bad / part.element.component_count();
                let message = format!("vertex {vertex} comes out beyond single precision");
                let path = format!("{path}.attributes.{}", part.name);
                return Err(Problem::rule(&path, message).code(Code::U15));
            }
        }
        Ok(piece)
    }

    /// Evaluates vertices that joints move.
    fn skinned(
        &self,
        stream: &Stream,
        weights: &[f64],
        skin: usize,
        mut from: Vertices,
    ) -> Result<Piece> {
        let palette = self.palettes[skin].as_ref();
        let palette = palette.expect("every skin in use has a palette");
        let joint_count = self.file.skins[skin].joints.len();
        let range = from.range.clone();
        let has_directions = stream.parts.len() > 1;
        let has = |name: &str| has_directions && from.primitive.attribute(name).is_some();
        let has_normals = has("NORMAL");
        let has_tangents = has("TANGENT");
        let padded_len = 3 * range.len().next_multiple_of(BLOCK);
        let mut positions = vec![0.0; padded_len];
        let mut normals = vec![0.0; if has_normals { padded_len } else { 0 }];
        let mut tangents = Vec::new();
        let mut oddities = WeightOddities::default();
        let mut read = VertexInfluences::default();
        let mut own = Batch::default();
        let mut directions = Vec::new();
        let mut signs = Vec::new();
        for start in range.clone().step_by(MAX_BATCH) {
            from.range = start..range.end.min(start + MAX_BATCH);
            let place = stream.kept.place(start);
            let batch = match place.and_then(OnceLock::get) {
                Some(batch) => batch,
                None => {
                    own.read(
                        self.isa,
                        &from,
                        weights,
                        has_directions,
                        joint_count,
                        &mut read,
                    )?;
                    if let Some(place) = place {
                        let _ = place.set(own.clone().into()); // another moment may have been faster
                    }
                    &own
                }
            };
            oddities.add(&batch.oddities);
            let padded = from.range.len().next_multiple_of(BLOCK);
            if has_tangents {
                signs.resize(padded, 0.0);
                directions.resize(3 * padded, 0.0);
            }
            let begin = 3 * (start - range.start);
            let part = begin..begin + 3 * padded;
            let rest = &batch.rest;
            let job = FrameJob {
                palette,
                influences: &batch.influences,
                positions: planes(&rest.positions),
                normals: rest.normals.as_ref().map(planes),
                tangents: rest.tangents.as_ref().map(planes),
            };
            let frames = Frames {
                positions: &mut positions[part.clone()],
                normals: normals.get_mut(part).unwrap_or_default(),
                tangents: &mut directions,
                signs: &mut signs,
            };
            evaluate_frames(self.isa, &job, frames);
            if has_tangents {
                push_tangents(&from, &directions, &signs, &mut tangents);
            }
        }
        positions.truncate(3 * range.len());
        normals.truncate(3 * range.len());
        let mut parts = vec![positions, normals, tangents];
        parts.retain(|part| !part.is_empty());
        Ok(Piece { parts, oddities })
    }
}

/// The path of a primitive in the JSON, given the indices of its mesh and of itself.
pub fn primitive_path((mesh, primitive): (usize, usize)) -> String {
    format!("meshes[{mesh}].primitives[{primitive}]")
}

/// Three planes as slices.
fn planes(planes: &[Vec<f64>; 3]) -> [&[f64]; 3] {
    planes.each_ref().map(Vec::as_slice)
}

/// Appends tangents: the directions, and the handedness of the file times the sign, which is negative where the joints
/// mirror a vertex.
fn push_tangents(from: &Vertices, directions: &[f32], signs: &[f64], tangents: &mut Vec<f32>) {
    let mut rest = vec![[0.0; 4]; from.range.len()];
    if let Some(accessor) = from.accessor("TANGENT") {
        accessor.copy(from.range.start, &mut rest);
    }
    let directions = directions.as_chunks::<3>().0.iter();
    for (([x, y, z], sign), [.., w]) in directions.zip(signs).zip(&rest) {
        tangents.extend([*x, *y, *z, (w * sign) as f32]);
    }
}

/// Evaluates vertices that only morph targets move. Normals and tangents that they move are brought back to unit length.
fn morphed_piece(stream: &Stream, weights: &[f64], from: &Vertices) -> Result<Piece> {
    let part = &stream.parts[0];
    let width = part.element.component_count();
    let mut rows = Vec::new();
    morphed::<4>(from, &part.name, weights, &mut rows)?;
    let is_moved = from.primitive.is_morphed(&part.name, weights);
    if is_moved && matches!(&*part.name, "NORMAL" | "TANGENT") {
        rows.iter_mut().for_each(normalise);
    }
    let numbers = rows.iter().flat_map(|row| &row[..width]);
    Ok(Piece {
        parts: vec![numbers.map(|number| *number as f32).collect()],
        oddities: WeightOddities::default(),
    })
}

/// Brings the first three components to unit length, unless they are too short (`bake.md` §4).
fn normalise([x, y, z, _]: &mut [f64; 4]) {
    let length = (*x * *x + *y * *y + *z * *z).sqrt();
    if length > SHORTEST {
        (*x, *y, *z) = (*x / length, *y / length, *z / length);
    }
}
