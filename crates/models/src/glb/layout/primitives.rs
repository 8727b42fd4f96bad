//! Primitives of a planned file, one for a whole mesh or one for each of the document's (`extensions.md` §7), and their accessors.

use std::ops::Range;

use super::Plan;
use crate::geometry::scene::{self, Emission, Geometry, Labels};
use crate::glb::all_finite;
use crate::glb::data::{Block, runs_of, single};
use crate::glb::json::{Accessor, Attributes, BufferView, Extras, Index, Primitive};
use rigy_kernel::math::Bounds;

/// The accessors of a range of vertices.
pub struct Vertices<'a> {
    pub positions: Block<'a>,
    /// Min and max of the positions.
    pub bounds: Option<Bounds>,
    pub normals: Block<'a>,
    /// The skin whose influences are written.
    pub skin: Option<&'a scene::Skin>,
}

impl<'a> Vertices<'a> {
    /// A range of rest vertices, with the bounds of the f64, or of the f32 that are written.
    pub fn at_rest(
        geometry: &'a Geometry,
        vertices: Range<usize>,
        single_precision: bool,
        skin: Option<&'a scene::Skin>,
    ) -> Self {
        let planes = geometry
            .positions
            .planes
            .each_ref()
            .map(|plane| &plane[vertices.clone()]);
        let bounds = if single_precision {
            Bounds::of_planes(planes, |value| f64::from(single(value)))
        } else {
            Bounds::of_planes(planes, |value| value)
        };
        Self {
            positions: Block::Planes(&geometry.positions, vertices.clone()),
            bounds,
            normals: Block::Planes(&geometry.normals, vertices),
            skin,
        }
    }
}

impl<'a> Plan<'a> {
    /// Adds the accessors of a mesh: of one primitive, or of one for each of the document's. `vertices_of` gives what is written
    /// of a range of vertices; its second argument says whether they are all.
    pub fn primitives(
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
                labels
                    .iter()
                    .zip(ranges)
                    .map(|(labels, (vertices, indices))| {
                        let written = vertices_of(vertices.clone(), false);
                        let indices = &geometry.indices[indices.clone()];
                        self.primitive(mesh, labels, vertices.clone(), indices, written)
                    })
                    .collect()
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
        let position = self.accessor(written.positions);
        self.root.accessors[position].max = written.bounds.map(|bounds| bounds.max);
        self.root.accessors[position].min = written.bounds.map(|bounds| bounds.min);
        let normal = self.accessor(written.normals);
        let indices = self.accessor(Block::Indices(indices, vertices.start as u32));
        let mut attributes: Attributes =
            vec![("POSITION".into(), position), ("NORMAL".into(), normal)];
        for (number, uv) in mesh.geometry.uvs.iter().enumerate() {
            let accessor = self.accessor(Block::TexCoords(uv, vertices.clone()));
            attributes.push((format!("TEXCOORD_{number}").into(), accessor));
        }
        if let Some(skin) = written.skin {
            let runs = || runs_of(&skin.runs, vertices.clone());
            attributes.push(("JOINTS_0".into(), self.accessor(Block::Joints(runs()))));
            attributes.push(("WEIGHTS_0".into(), self.accessor(Block::Weights(runs()))));
        }
        Primitive {
            extras: Extras {
                id: labels.id.clone(),
                tags: labels.tags.clone(),
            },
            attributes,
            indices,
            mode: 4,
            material: match labels.material {
                Some(material) => Some(self.materials[material]),
                None => self.material_of_none(),
            },
        }
    }

    pub fn check_tex_coords(&mut self, mesh: &scene::Mesh) {
        let fits = mesh
            .geometry
            .uvs
            .iter()
            .flatten()
            .all(|plane| all_finite(plane, single));
        self.check(mesh, "texture coordinates", fits);
    }

    /// Adds the inverse bind matrices of a skin; returns the index of their accessor.
    pub fn inverse_bind_matrices(&mut self, mesh: &scene::Mesh, skin: &scene::Skin) -> Index {
        let offsets: Vec<_> = skin
            .joints
            .iter()
            .map(scene::Joint::inverse_bind_translation)
            .collect();
        let fits = offsets.iter().flatten().all(|c| single(*c).is_finite());
        self.check(mesh, "bone positions", fits);
        self.accessor(Block::InverseBind(offsets))
    }

    /// Adds a block with its buffer view and accessor; returns the index of the accessor.
    fn accessor(&mut self, block: Block<'a>) -> Index {
        let (component_type, kind, size, count) = block.elements();
        let byte_length = size * count as u64;
        self.root.buffer_views.push(BufferView {
            buffer: 0,
            byte_offset: self.bin_len,
            byte_length,
            target: block.target(),
        });
        self.bin_len += byte_length;
        self.blocks.push(block);
        self.root.accessors.push(Accessor {
            buffer_view: self.root.buffer_views.len() - 1,
            byte_offset: 0,
            component_type,
            normalized: false,
            count,
            kind,
            max: None,
            min: None,
        });
        self.root.accessors.len() - 1
    }
}
