//! Accessors of a planned file: one block, one buffer view and one accessor at a time.

use super::Plan;
use crate::geometry::scene;
use crate::glb::data::{Block, single, vertex_count};
use crate::glb::json::{Accessor, BufferView, Index, component_type, target};
use crate::kernel::math::Bounds;

impl<'a> Plan<'a> {
    /// Adds positions or normals; only positions have bounds. Returns the index of the accessor, as all these functions do.
    pub(super) fn vertices(&mut self, block: Block<'a>, bounds: Option<Bounds>) -> Index {
        let count = block.len() as usize / 12;
        let accessor = self.accessor(
            block,
            component_type::F32,
            count,
            "VEC3",
            Some(target::ARRAY),
        );
        self.root.accessors[accessor].max = bounds.map(|b| b.max);
        self.root.accessors[accessor].min = bounds.map(|b| b.min);
        accessor
    }

    /// Adds the triangles of a mesh.
    pub(super) fn indices(&mut self, mesh: &'a scene::Mesh) -> Index {
        let indices = &mesh.geometry.indices;
        let elements = Some(target::ELEMENTS);
        self.accessor(
            Block::Indices(indices),
            component_type::U32,
            indices.len(),
            "SCALAR",
            elements,
        )
    }

    /// Adds the joint numbers of a skin's vertices.
    pub(super) fn joints(&mut self, skin: &'a scene::Skin) -> Index {
        let array = Some(target::ARRAY);
        self.accessor(
            Block::Joints(&skin.runs),
            component_type::U16,
            vertex_count(&skin.runs),
            "VEC4",
            array,
        )
    }

    /// Adds the weights of a skin's vertices.
    pub(super) fn weights(&mut self, skin: &'a scene::Skin) -> Index {
        let array = Some(target::ARRAY);
        self.accessor(
            Block::Weights(&skin.runs),
            component_type::F32,
            vertex_count(&skin.runs),
            "VEC4",
            array,
        )
    }

    /// Adds the inverse bind matrices of a skin.
    pub(super) fn inverse_bind_matrices(
        &mut self,
        mesh: &scene::Mesh,
        skin: &scene::Skin,
    ) -> Index {
        let offsets = skin
            .joints
            .iter()
            .map(scene::Joint::inverse_bind_translation);
        let offsets: Vec<_> = offsets.collect();
        let fits = offsets.iter().flatten().all(|c| single(*c).is_finite());
        self.check(mesh, "bone positions", fits);
        let count = offsets.len();
        self.accessor(
            Block::InverseBind(offsets),
            component_type::F32,
            count,
            "MAT4",
            None,
        )
    }

    /// Adds a block with its buffer view and accessor.
    fn accessor(
        &mut self,
        block: Block<'a>,
        component_type: u32,
        count: usize,
        kind: &'static str,
        target: Option<u32>,
    ) -> Index {
        self.root.buffer_views.push(BufferView {
            buffer: 0,
            byte_offset: self.bin_len,
            byte_length: block.len(),
            target,
        });
        self.bin_len += block.len();
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
