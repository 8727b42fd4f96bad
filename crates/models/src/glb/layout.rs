//! The plan of a file: its blocks, buffer views, accessors, nodes and skins, and their order.

mod primitives;
mod scenes;

use std::rc::Rc;

use super::data::{Block, single};
use super::json::{Index, Mesh, Node, Primitive, Root, Skin, text};
use super::material::Material;
use super::{Glb, GlbError, Style};
use crate::geometry::scene::{self, Geometry, PositionsSoa, Scene};
use rigy_base::maps::{HashMap, HashSet};
use rigy_kernel::math::minus;
pub use scenes::{bake, export};

/// Posed vertices of a bound mesh, interleaved.
#[derive(Debug)]
pub struct Posed {
    /// Three numbers per vertex.
    pub positions: Vec<f32>,
    /// Three numbers per vertex.
    pub normals: Vec<f32>,
}

impl Posed {
    /// A number of vertices, all zeros.
    pub fn new(vertex_count: usize) -> Self {
        Self {
            positions: vec![0.0; 3 * vertex_count],
            normals: vec![0.0; 3 * vertex_count],
        }
    }

    /// The vertices of a mesh at rest, rounded as they are in files.
    pub fn at_rest(geometry: &Geometry) -> Self {
        let rounded = |points: &PositionsSoa| points.iter().flatten().map(single).collect();
        Self {
            positions: rounded(&geometry.positions),
            normals: rounded(&geometry.normals),
        }
    }
}

/// Bytes of the BIN chunk of an ordinary export, from counts alone.
pub fn export_len(vertices: u64, indices: u64, joints: Option<usize>) -> u64 {
    let skinned = joints.map_or(0, |joints| 24 * vertices + 64 * joints as u64);
    24 * vertices + 4 * indices + skinned
}

#[derive(Default)]
struct Plan<'a> {
    style: Style,
    root: Root,
    blocks: Vec<Block<'a>>,
    bin_len: u64,
    errors: Vec<GlbError>,
    /// The same errors, so that each is reported once.
    reported: HashSet<GlbError>,
    /// Indices of all materials by their JSON, which has their name, of those of each scene, and of those of the current one.
    material_numbers: HashMap<Vec<u8>, Index>,
    materials_of: HashMap<*const Scene, Rc<[Index]>>,
    materials: Rc<[Index]>,
    /// Prefix of the names of the current part, and its index.
    prefix: String,
    part: Option<usize>,
    /// Nodes without a parent, so far.
    top: Vec<Index>,
}

impl<'a> Plan<'a> {
    fn new(style: Style) -> Self {
        Self {
            style,
            ..Self::default()
        }
    }

    /// Begins a scene. Scenes share materials that are written alike (`extensions.md` D13).
    fn enter(&mut self, scene: &'a Scene) {
        let materials = &mut self.root.materials;
        let double_sided = self.style.double_sided;
        let number = |material: &'a scene::Material| {
            let material = Material::of(material, double_sided);
            let written = text(&material);
            *self.material_numbers.entry(written).or_insert_with(|| {
                materials.push(material);
                materials.len() - 1
            })
        };
        // A part is entered for each of its instances, and its materials are written once.
        let known = self
            .materials_of
            .entry(std::ptr::from_ref(scene))
            .or_insert_with(|| scene.materials.iter().map(number).collect());
        self.materials = Rc::clone(known);
    }

    /// The material of primitives that have none: `None`, or if it has to be double-sided a material with the defaults of
    /// glTF.
    fn material_of_none(&mut self) -> Option<Index> {
        self.style.double_sided.then(|| {
            let material = scene::Material::Symbolic("implicit_default".into());
            let material = Material::of(&material, true);
            let materials = &mut self.root.materials;
            let number = self.material_numbers.entry(text(&material));
            *number.or_insert_with(|| {
                materials.push(material);
                materials.len() - 1
            })
        })
    }

    fn name(&self, name: &str) -> String {
        [&self.prefix, name].concat()
    }

    /// Adds the bone nodes and the skin of a mesh whose node is `node`.
    fn skin(
        &mut self,
        mesh: &scene::Mesh,
        skin: &scene::Skin,
        inverse_bind_matrices: Index,
        node: Index,
    ) {
        let joints = self.bone_nodes(skin, |joint| {
            // A root's translation is its head itself, because subtracting zeros could change the sign of a zero.
            Some(match joint.parent {
                None => joint.head,
                Some(parent) => {
                    let parent = skin.joints[parent].head;
                    minus(joint.head, parent)
                }
            })
        });
        let finite = joints
            .clone()
            .filter_map(|j| self.root.nodes[j].translation)
            .flatten()
            .all(f64::is_finite);
        self.check(mesh, "bone offsets", finite);
        self.root.nodes[node].skin = Some(self.root.skins.len());
        let first_root = skin.joints.iter().position(|joint| joint.parent.is_none());
        self.root.skins.push(Skin {
            inverse_bind_matrices,
            skeleton: first_root.map(|root| joints.start + root),
            joints: joints.collect(),
            name: self.name(&skin.name),
        });
    }

    fn check(&mut self, mesh: &scene::Mesh, what: &'static str, fits: bool) {
        if !fits {
            let error = GlbError::Overflow {
                part: self.part,
                mesh: mesh.document_index,
                what,
            };
            // A part that is placed several times is reported once.
            if self.reported.insert(error.clone()) {
                self.errors.push(error);
            }
        }
    }

    /// Adds the mesh, and its node at the top; returns the node.
    fn mesh(&mut self, mesh: &scene::Mesh, primitives: Vec<Primitive>) -> Index {
        let name = self.name(&mesh.name);
        self.root.meshes.push(Mesh {
            primitives,
            name: name.clone(),
        });
        let node = self.node(Node {
            mesh: Some(self.root.meshes.len() - 1),
            name,
            ..Node::default()
        });
        self.top.push(node);
        node
    }

    /// Adds one node for each joint, below its parent's, and returns their indices.
    fn bone_nodes(
        &mut self,
        skin: &scene::Skin,
        translation: impl Fn(&scene::Joint) -> Option<[f64; 3]>,
    ) -> std::ops::Range<Index> {
        let first = self.root.nodes.len();
        for joint in &skin.joints {
            self.node(Node {
                translation: translation(joint),
                name: self.name(&joint.name),
                ..Node::default()
            });
        }
        for (index, joint) in skin.joints.iter().enumerate() {
            match joint.parent {
                None => self.top.push(first + index),
                Some(parent) => self.root.nodes[first + parent].children.push(first + index),
            }
        }
        first..self.root.nodes.len()
    }

    fn node(&mut self, node: Node) -> Index {
        self.root.nodes.push(node);
        self.root.nodes.len() - 1
    }

    fn finish(mut self) -> Result<Glb<'a>, Vec<GlbError>> {
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        self.root.buffers[0].byte_length = self.bin_len;
        self.root.scenes[0].nodes = self.top;
        Glb::new(text(&self.root), self.blocks, self.bin_len).map_err(|error| vec![error])
    }
}
