//! Primitives of a planned file: one for a whole mesh, or one for each of the document's (`extensions.md` §7).

use std::ops::Range;

use super::Plan;
use crate::geometry::scene::{self, Emission, Geometry, Labels, PositionsSoa};
use crate::glb::all_finite;
use crate::glb::data::{Block, single};
use crate::glb::json::{Attributes, Extras, Primitive};
use rigy_kernel::math::Bounds;

/// The accessors of a range of vertices.
pub(super) struct Vertices<'a> {
    pub positions: Block<'a>,
    /// Min and max of the positions.
    pub bounds: Option<Bounds>,
    pub normals: Block<'a>,
    /// The skin whose influences are written.
    pub skin: Option<&'a scene::Skin>,
}

impl<'a> Vertices<'a> {
    /// Returns a range of rest vertices, with the bounds of the f64, or of the f32 that are written.
    pub fn at_rest(
        geometry: &'a Geometry,
        vertices: Range<usize>,
        single_precision: bool,
        skin: Option<&'a scene::Skin>,
    ) -> Self {
        Self {
            bounds: bounds(&geometry.positions, vertices.clone(), single_precision),
            positions: Block::Planes(&geometry.positions, vertices.clone()),
            normals: Block::Planes(&geometry.normals, vertices),
            skin,
        }
    }
}

impl<'a> Plan<'a> {
    /// Adds the accessors of a mesh: of one primitive, or of one for each of the document's. `vertices_of` gives what is written
    /// of a range of vertices; its second argument says whether they are all.
    pub(super) fn primitives(
        &mut self,
        mesh: &'a scene::Mesh,
        vertices_of: impl Fn(Range<usize>, bool) -> Vertices<'a>,
    ) -> Vec<Primitive> {
        let geometry = &mesh.geometry;
        match &mesh.emission {
            Emission::Merged(labels) => {
                let vertices = 0..geometry.positions.len();
                let written = vertices_of(vertices.clone(), true);
                vec![self.primitive(mesh, labels, vertices, &geometry.indices, written)]
            }
            Emission::Separate(labels) => {
                let ranges = geometry.primitives.iter().zip(&geometry.primitive_indices);
                let ranges = labels.iter().zip(ranges);
                let primitives = ranges.map(|(labels, (vertices, indices))| {
                    let written = vertices_of(vertices.clone(), false);
                    let indices = &geometry.indices[indices.clone()];
                    self.primitive(mesh, labels, vertices.clone(), indices, written)
                });
                primitives.collect()
            }
        }
    }

    fn primitive(
        &mut self,
        mesh: &'a scene::Mesh,
        labels: &Labels,
        vertices: Range<usize>,
        indices: &'a [u32],
        written: Vertices<'a>,
    ) -> Primitive {
        let position = self.vertices(written.positions, written.bounds);
        let normal = self.vertices(written.normals, None);
        let indices = self.indices(indices, vertices.start as u32);
        let uvs = mesh.geometry.uvs.iter();
        let tex_coords = uvs.map(|uv| self.tex_coords(uv, vertices.clone()));
        let tex_coords = tex_coords.collect();
        let joints = written.skin.map(|skin| self.joints(skin, vertices.clone()));
        let weights = written.skin.map(|skin| self.weights(skin, vertices));
        Primitive {
            extras: Extras {
                id: labels.id.clone(),
                tags: labels.tags.clone(),
            },
            attributes: Attributes {
                position,
                normal,
                tex_coords,
                joints,
                weights,
            },
            indices,
            mode: 4,
            material: match labels.material {
                Some(material) => Some(self.materials[material]),
                None => self.material_of_none(),
            },
        }
    }

    pub(super) fn check_tex_coords(&mut self, mesh: &scene::Mesh) {
        let mut planes = mesh.geometry.uvs.iter().flatten();
        let fits = planes.all(|plane| all_finite(plane, single));
        self.check(mesh, "texture coordinates", fits);
    }
}

/// Returns the bounds of a range of points, of the f64 or of the f32 that are written.
fn bounds(points: &PositionsSoa, vertices: Range<usize>, single_precision: bool) -> Option<Bounds> {
    let planes = points
        .planes
        .each_ref()
        .map(|plane| &plane[vertices.clone()]);
    match single_precision {
        true => Bounds::of_planes(planes, |value| f64::from(single(value))),
        false => Bounds::of_planes(planes, |value| value),
    }
}
