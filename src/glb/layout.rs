//! Planning a file: which blocks, views, accessors, nodes and skins it has, and in which order.

use super::data::{Block, fits, single};
use super::json::{
    Accessor, Attributes, BufferView, Index, Material, Mesh, Node, Primitive, Root, Skin,
    component_type, target,
};
use super::{Glb, GlbError};
use crate::math::Bounds;
use crate::scene::{self, Scene};

/// Posed vertices of a bound mesh, interleaved.
#[derive(Clone, Debug, Default)]
pub struct Posed {
    /// Three numbers per vertex.
    pub positions: Vec<f32>,
    /// Three numbers per vertex.
    pub normals: Vec<f32>,
}

/// Bytes of the BIN chunk of an ordinary export, from counts alone.
pub fn export_len(vertex_count: usize, index_count: usize, joint_count: Option<usize>) -> u64 {
    let (vertices, indices) = (vertex_count as u64, index_count as u64);
    let skinned = joint_count.map_or(0, |joints| 24 * vertices + 64 * joints as u64);
    24 * vertices + 4 * indices + skinned
}

/// The ordinary export: rest pose, skins kept.
///
/// # Errors
/// Every mesh whose numbers overflow f32, or the file's length.
pub fn export(scene: &Scene) -> Result<Glb<'_>, Vec<GlbError>> {
    let mut plan = Plan::new(scene);
    for mesh in &scene.meshes {
        plan.export_mesh(mesh);
    }
    plan.finish()
}

/// Baked output: `posed` holds an entry for each mesh of the scene, `None` for meshes without a skin, which
/// stay at rest. Skins are left out; bone nodes stay, without a transform.
///
/// # Errors
/// Every mesh whose numbers overflow f32, or the file's length.
pub fn bake<'a>(scene: &'a Scene, posed: &'a [Option<Posed>]) -> Result<Glb<'a>, Vec<GlbError>> {
    let mut plan = Plan::new(scene);
    for (mesh, posed) in scene.meshes.iter().zip(posed) {
        plan.bake_mesh(mesh, posed.as_ref());
    }
    plan.finish()
}

struct Plan<'a> {
    root: Root,
    blocks: Vec<Block<'a>>,
    bin_len: u64,
    errors: Vec<GlbError>,
}

impl<'a> Plan<'a> {
    fn new(scene: &Scene) -> Self {
        let materials = scene
            .materials
            .iter()
            .map(|name| Material::symbolic(name))
            .collect();
        Self {
            root: Root {
                materials,
                ..Root::default()
            },
            blocks: Vec::new(),
            bin_len: 0,
            errors: Vec::new(),
        }
    }

    fn export_mesh(&mut self, mesh: &'a scene::Mesh) {
        let geometry = &mesh.geometry;
        // Min and max are those of the f64 rest positions (§9.2).
        let bounds = Bounds::of(geometry.positions.iter());
        let position = self.vertices(Block::Planes(&geometry.positions), bounds);
        let normal = self.vertices(Block::Planes(&geometry.normals), None);
        let indices = self.indices(mesh);
        self.check(mesh, "rest positions", fits(&geometry.positions));
        self.check(mesh, "rest normals", fits(&geometry.normals));
        let mut attributes = Attributes {
            position,
            normal,
            joints: None,
            weights: None,
        };
        let skin = mesh.skin.as_ref().map(|skin| {
            attributes.joints = Some(self.joints(skin));
            attributes.weights = Some(self.weights(skin));
            (skin, self.inverse_bind_matrices(mesh, skin))
        });
        let node = self.mesh(mesh, attributes, indices);
        if let Some((skin, inverse_bind_matrices)) = skin {
            let joints = self.bone_nodes(skin, |joint| {
                // A root's translation is its head itself: subtracting zeros could touch the sign of a zero.
                Some(match joint.parent {
                    None => joint.head,
                    Some(parent) => {
                        let parent = skin.joints[parent].head;
                        [0, 1, 2].map(|c| joint.head[c] - parent[c])
                    }
                })
            });
            let translations = joints
                .clone()
                .filter_map(|j| self.root.nodes[j].translation);
            let finite = translations.flatten().all(f64::is_finite);
            self.check(mesh, "bone offsets", finite);
            self.root.nodes[node].skin = Some(self.root.skins.len());
            let first_root = skin.joints.iter().position(|joint| joint.parent.is_none());
            self.root.skins.push(Skin {
                inverse_bind_matrices,
                skeleton: first_root.map(|root| joints.start + root),
                joints: joints.collect(),
                name: skin.name.clone(),
            });
        }
    }

    fn bake_mesh(&mut self, mesh: &'a scene::Mesh, posed: Option<&'a Posed>) {
        let (positions, normals, bounds) = match posed {
            Some(posed) => {
                let points = posed.positions.chunks_exact(3);
                let bounds = Bounds::of(points.map(|p| [p[0], p[1], p[2]].map(f64::from)));
                let finite = |floats: &[f32]| floats.iter().all(|v| v.is_finite());
                self.check(mesh, "posed positions", finite(&posed.positions));
                self.check(mesh, "posed normals", finite(&posed.normals));
                let (p, n) = (&posed.positions, &posed.normals);
                (Block::Interleaved(p), Block::Interleaved(n), bounds)
            }
            None => {
                let geometry = &mesh.geometry;
                let rounded = geometry
                    .positions
                    .iter()
                    .map(|p| p.map(|c| f64::from(single(c))));
                self.check(mesh, "rest positions", fits(&geometry.positions));
                self.check(mesh, "rest normals", fits(&geometry.normals));
                let bounds = Bounds::of(rounded);
                (
                    Block::Planes(&geometry.positions),
                    Block::Planes(&geometry.normals),
                    bounds,
                )
            }
        };
        let position = self.vertices(positions, bounds);
        let normal = self.vertices(normals, None);
        let indices = self.indices(mesh);
        let attributes = Attributes {
            position,
            normal,
            joints: None,
            weights: None,
        };
        self.mesh(mesh, attributes, indices);
        if let Some(skin) = &mesh.skin {
            self.bone_nodes(skin, |_| None);
        }
    }

    fn check(&mut self, mesh: &scene::Mesh, what: &'static str, fits: bool) {
        if !fits {
            let mesh = mesh.document_index;
            self.errors.push(GlbError::Overflow { mesh, what });
        }
    }

    /// Adds the mesh, and its node to the scene; returns the node.
    fn mesh(&mut self, mesh: &scene::Mesh, attributes: Attributes, indices: Index) -> Index {
        self.root.meshes.push(Mesh {
            primitives: [Primitive {
                attributes,
                indices,
                mode: 4,
                material: mesh.material,
            }],
            name: mesh.name.clone(),
        });
        let node = self.node(Node {
            mesh: Some(self.root.meshes.len() - 1),
            name: mesh.name.clone(),
            ..Node::default()
        });
        self.root.scenes[0].nodes.push(node);
        node
    }

    /// One node per joint, roots into the scene, others under their parents; returns their numbers.
    fn bone_nodes(
        &mut self,
        skin: &scene::Skin,
        translation: impl Fn(&scene::Joint) -> Option<[f64; 3]>,
    ) -> std::ops::Range<Index> {
        let first = self.root.nodes.len();
        for joint in &skin.joints {
            self.node(Node {
                translation: translation(joint),
                name: joint.name.clone(),
                ..Node::default()
            });
        }
        for (index, joint) in skin.joints.iter().enumerate() {
            match joint.parent {
                None => self.root.scenes[0].nodes.push(first + index),
                Some(parent) => self.root.nodes[first + parent].children.push(first + index),
            }
        }
        first..self.root.nodes.len()
    }

    fn node(&mut self, node: Node) -> Index {
        self.root.nodes.push(node);
        self.root.nodes.len() - 1
    }

    /// Positions or normals; only positions carry bounds.
    fn vertices(&mut self, block: Block<'a>, bounds: Option<Bounds>) -> Index {
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

    fn indices(&mut self, mesh: &'a scene::Mesh) -> Index {
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

    fn joints(&mut self, skin: &'a scene::Skin) -> Index {
        let slots = &skin.slots;
        let array = Some(target::ARRAY);
        self.accessor(
            Block::Joints(slots),
            component_type::U16,
            slots.len(),
            "VEC4",
            array,
        )
    }

    fn weights(&mut self, skin: &'a scene::Skin) -> Index {
        let slots = &skin.slots;
        let array = Some(target::ARRAY);
        self.accessor(
            Block::Weights(slots),
            component_type::F32,
            slots.len(),
            "VEC4",
            array,
        )
    }

    fn inverse_bind_matrices(&mut self, mesh: &scene::Mesh, skin: &scene::Skin) -> Index {
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

    /// One block is one view and one accessor.
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

    fn finish(mut self) -> Result<Glb<'a>, Vec<GlbError>> {
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        self.root.buffers[0].byte_length = self.bin_len;
        let glb = Glb::new(super::json::text(&self.root), self.blocks, self.bin_len);
        glb.map_err(|error| vec![error])
    }
}
