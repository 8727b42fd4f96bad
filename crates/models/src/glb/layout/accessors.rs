//! Accessors of a planned file: one block, one buffer view and one accessor at a time.

use super::Plan;
use crate::geometry::scene;
use std::ops::Range;

use crate::glb::data::{Block, runs_of, single};
use crate::glb::json::{Accessor, BufferView, Index, component_type, target};
use rigy_kernel::math::Bounds;

impl<'a> Plan<'a> {
    /// Adds positions or normals; only positions have bounds. Returns the index of the accessor, as all these functions do.
    pub(super) fn vertices(&mut self, block: Block<'a>, bounds: Option<Bounds>) -> Index {
        let count = (block.len() / 12) as usize;
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

    /// Adds texture coordinates.
    pub(super) fn tex_coords(&mut self, uv: &'a [Vec<f64>; 2], vertices: Range<usize>) -> Index {
        let count = vertices.len();
        let block = Block::TexCoords(uv, vertices);
        let array = Some(target::ARRAY);
        self.accessor(block, component_type::F32, count, "VEC2", array)
    }

    /// Adds triangles whose corners are counted from vertex `first`.
    pub(super) fn indices(&mut self, indices: &'a [u32], first: u32) -> Index {
        let elements = Some(target::ELEMENTS);
        self.accessor(
            Block::Indices(indices, first),
            component_type::U32,
            indices.len(),
            "SCALAR",
            elements,
        )
    }

    /// Adds the joint numbers of a range of a skin's vertices.
    pub(super) fn joints(&mut self, skin: &'a scene::Skin, vertices: Range<usize>) -> Index {
        let array = Some(target::ARRAY);
        let count = vertices.len();
        self.accessor(
            Block::Joints(runs_of(&skin.runs, vertices)),
            component_type::U16,
            count,
            "VEC4",
            array,
        )
    }

    /// Adds the weights of a range of a skin's vertices.
    pub(super) fn weights(&mut self, skin: &'a scene::Skin, vertices: Range<usize>) -> Index {
        let array = Some(target::ARRAY);
        let count = vertices.len();
        self.accessor(
            Block::Weights(runs_of(&skin.runs, vertices)),
            component_type::F32,
            count,
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
