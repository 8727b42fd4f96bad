//! From vertices of the input to vertices of the output: a range of one stream at a time.

use std::ops::Range;

use super::streams::{Kind, Stream};
use crate::diag::Code;
use crate::glb::all_finite;
use crate::gltf::{File, Primitive, Problem, influences, morphed, rest_frames};
use crate::kernel::{FrameJob, FramePalette, Frames, Influences, evaluate_frames};
use crate::simd::Isa;

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

impl Evaluator<'_, '_> {
    /// Evaluates a range of a stream's vertices.
    ///
    /// # Errors
    /// Numbers that cannot be used, or do not fit f32.
    pub fn evaluate(&self, stream: &Stream, vertices: Range<usize>) -> Result<Piece, Problem> {
        let source = Source::new(self.file, stream, vertices);
        let piece = match stream.kind {
            Kind::Skinned(skin) => {
                let joint_count = self.file.skins[skin].joints.len();
                let palette = self.palettes[skin]
                    .as_ref()
                    .expect("every skin in use has one");
                source.skinned(palette, joint_count, self.isa)?
            }
            Kind::Morphed => source.only_morphed()?,
        };
        for (part, numbers) in stream.parts.iter().zip(&piece.parts) {
            if !all_finite(numbers, |number| number) {
                let bad = numbers.iter().position(|number| !number.is_finite());
                let element = bad.unwrap_or(0) / part.element.component_count();
                let vertex = source.vertices.start + element;
                let message = format!("vertex {vertex} comes out beyond single precision");
                let place = format!("{}.attributes.{}", source.path, part.name);
                return Err(Problem::rule(&place, message).code(Code::U15));
            }
        }
        Ok(piece)
    }
}

/// Where a primitive is in the JSON.
pub(super) fn primitive_path((mesh, primitive): (usize, usize)) -> String {
    format!("meshes[{mesh}].primitives[{primitive}]")
}

/// The vertices that are read.
struct Source<'s, 'f> {
    file: &'s File<'f>,
    stream: &'s Stream,
    primitive: &'s Primitive,
    path: String,
    vertices: Range<usize>,
}

impl<'s, 'f> Source<'s, 'f> {
    fn new(file: &'s File<'f>, stream: &'s Stream, vertices: Range<usize>) -> Self {
        let (mesh, primitive) = stream.users[0];
        Self {
            file,
            stream,
            primitive: &file.meshes[mesh].primitives[primitive],
            path: primitive_path(stream.users[0]),
            vertices,
        }
    }

    fn skinned(
        &self,
        palette: &FramePalette,
        joint_count: usize,
        isa: Isa,
    ) -> Result<Piece, Problem> {
        let Self {
            file,
            primitive,
            path,
            ..
        } = self;
        let range = || self.vertices.clone();
        let bound = influences(file, primitive, path, joint_count, range())?;
        let rest = rest_frames(file, primitive, path, &self.stream.weights, range())?;
        let first_off = bound.first_off;
        let bound = Influences::bind_each(bound.set_count, &bound.slots);
        let padded = rest.positions[0].len();
        let room = |there: bool| vec![0.0; if there { 3 * padded } else { 0 }];
        let mut positions = room(true);
        let mut normals = room(rest.normals.is_some());
        let mut tangents = room(rest.tangents.is_some());
        let mut signs = vec![0.0; padded];
        fn planes(planes: &[Vec<f64>; 3]) -> [&[f64]; 3] {
            planes.each_ref().map(Vec::as_slice)
        }
        let job = FrameJob {
            palette,
            influences: &bound,
            positions: planes(&rest.positions),
            normals: rest.normals.as_ref().map(planes),
            tangents: rest.tangents.as_ref().map(planes),
        };
        let to = Frames {
            positions: &mut positions,
            normals: &mut normals,
            tangents: &mut tangents,
            signs: &mut signs,
        };
        evaluate_frames(isa, &job, to);
        let count = self.vertices.len();
        positions.truncate(3 * count);
        let mut parts = vec![positions];
        if rest.normals.is_some() {
            normals.truncate(3 * count);
            parts.push(normals);
        }
        if rest.tangents.is_some() {
            parts.push(self.with_handedness(&tangents, &signs));
        }
        Ok(Piece { parts, first_off })
    }

    /// Tangents with the handedness they had, turned over where their surroundings are mirrored.
    fn with_handedness(&self, tangents: &[f32], signs: &[f64]) -> Vec<f32> {
        let accessor = self.primitive.attribute("TANGENT");
        let mut rest = vec![[0.0; 4]; self.vertices.len()];
        if let Some(accessor) = accessor.and_then(|index| self.file.accessor(index)) {
            accessor.copy(self.vertices.start, &mut rest);
        }
        let tangents = tangents.as_chunks::<3>().0.iter().zip(signs).zip(&rest);
        tangents
            .flat_map(|(([x, y, z], sign), [.., w])| [*x, *y, *z, (w * sign) as f32])
            .collect()
    }

    /// An attribute with its morph targets. Directions get their length back.
    fn only_morphed(&self) -> Result<Piece, Problem> {
        let part = &self.stream.parts[0];
        let (name, width) = (&*part.name, part.element.component_count());
        let weights = &self.stream.weights;
        let range = self.vertices.clone();
        let rows = morphed::<4>(self.file, self.primitive, &self.path, name, weights, range)?;
        let mut rows = rows.unwrap_or_default();
        if matches!(name, "NORMAL" | "TANGENT") {
            rows.iter_mut().for_each(lengthen);
        }
        let numbers = rows.iter().flat_map(|row| &row[..width]);
        Ok(Piece {
            parts: vec![numbers.map(|number| *number as f32).collect()],
            first_off: None,
        })
    }
}

/// Shortest direction that is brought to unit length (`bake.md` §4).
const SHORTEST: f64 = 1e-12;

/// Brings the first three components to unit length.
fn lengthen([x, y, z, _]: &mut [f64; 4]) {
    let length = (*x * *x + *y * *y + *z * *z).sqrt();
    if length > SHORTEST {
        (*x, *y, *z) = (*x / length, *y / length, *z / length);
    }
}
