//! Checked nodes, meshes, skins and animations of a glTF file: all indices are valid, every node has at most one
//! parent, no node is below itself, and all numbers are finite.

use rigy_kernel::math::{Affine, Quat, Vec3};

/// A node of the scene graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Index of its parent; `None` for a root.
    pub parent: Option<usize>,
    /// Indices of its children, in file order.
    pub children: Vec<usize>,
    /// Local transform, from the node to its parent.
    pub transform: Transform,
    /// Index of its mesh.
    pub mesh: Option<usize>,
    /// Index of its skin.
    pub skin: Option<usize>,
    /// Weights of the morph targets of its mesh; `None` if the mesh's own apply.
    pub weights: Option<Vec<f64>>,
    /// `visible` of `KHR_node_visibility`, as it is stored: if it is false the node and all below it are hidden. `None` without the
    /// extension.
    pub visible: Option<bool>,
    /// The instances of its mesh (`EXT_mesh_gpu_instancing`); `None` if the mesh is drawn once.
    pub instances: Option<Instances>,
}

/// The instances of the mesh of a node: each has a transform of its own, which comes before that of the node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instances {
    /// Their number.
    pub count: usize,
    /// Index of the accessor of translations, of vectors of three.
    pub translation: Option<usize>,
    /// Index of the accessor of rotations, of vectors of four.
    pub rotation: Option<usize>,
    /// Index of the accessor of scales, of vectors of three.
    pub scale: Option<usize>,
}

/// Returns a node's number, and its name if it has one, for messages.
pub fn node_label(nodes: &[Node], index: usize) -> String {
    match &nodes[index].name {
        Some(name) => format!("node {index} ({name:?})"),
        None => format!("node {index}"),
    }
}

/// A node's local transform, in the form that the file has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transform {
    /// The upper 3×4 part of `matrix`, in rows; its last row is 0 0 0 1.
    Matrix(Affine),
    /// `translation`, `rotation` and `scale`.
    Trs(Trs),
}

impl Default for Transform {
    fn default() -> Self {
        Self::Trs(Trs::IDENTITY)
    }
}

/// A translation, a rotation and a scale: a point is first scaled, then rotated, then translated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trs {
    /// Translation of the node's origin.
    pub translation: Vec3,
    /// Rotation, which is normalised before use; a quaternion of length zero is the identity (`bake.md` §1).
    pub rotation: Quat,
    /// Factors along the node's own axes.
    pub scale: Vec3,
}

impl Trs {
    /// The default of a node without a transform.
    pub const IDENTITY: Self = Self {
        translation: [0.0; 3],
        rotation: Quat::IDENTITY,
        scale: [1.0; 3],
    };
}

/// A skin.
#[derive(Clone, Debug)]
pub struct Skin {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Node indices of its joints, at least one; no node twice.
    pub joints: Vec<usize>,
    /// One matrix per joint; `None` if the file has none, so that all are the identity.
    pub inverse_bind_matrices: Option<Vec<Affine>>,
}

/// An animation. [`File::channels`](super::File::channels) decodes its keys.
#[derive(Debug)]
pub struct Animation {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The places of its keys, one for each channel, in file order. Channels that animate something else than nodes are left out; one
    /// of a mesh's weights stands at the end, once for each node that has these weights. Several channels may have one node and
    /// property; [`File::channels`](super::File::channels) refuses them if their keys differ.
    pub keys: Vec<Keys>,
}

/// The place of the keys of one channel of an animation: its indices are valid, and the keys have not been looked at.
#[derive(Clone, Copy, Debug)]
pub struct Keys {
    /// Index of the node.
    pub node: usize,
    /// The animated property.
    pub property: Property,
    /// The interpolation between keys.
    pub interpolation: Interpolation,
    /// True if the property is named by a pointer (`KHR_animation_pointer`), so that its values may have any component type.
    pub is_pointed: bool,
    /// Numbers of one value: 3, 4, 1, or as many as there are morph targets.
    pub width: usize,
    /// Index of the sampler in the animation.
    pub sampler: usize,
    /// Index of the accessor of times.
    pub times: usize,
    /// Index of the accessor of values.
    pub values: usize,
}

impl Keys {
    /// How many numbers each key has: three values for [`Interpolation::CubicSpline`], else one.
    pub(super) fn per_key(&self) -> usize {
        match self.interpolation {
            Interpolation::CubicSpline => 3 * self.width,
            Interpolation::Step | Interpolation::Linear => self.width,
        }
    }
}

/// The animation of one property of one node.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Index of the node.
    pub node: usize,
    /// The animated property.
    pub property: Property,
    /// The interpolation between keys.
    pub interpolation: Interpolation,
    /// Times of the keys in seconds, at least one, ascending; of keys with equal times the last one holds.
    pub times: Vec<f64>,
    /// `width` numbers per key, or three times as many for [`Interpolation::CubicSpline`]: in-tangent, value,
    /// out-tangent. Rotations are x y z w, as in the file.
    pub values: Vec<f64>,
    /// Numbers of one value: 3, 4, 1, or as many as there are morph targets.
    pub width: usize,
}

rigy_base::named! {
    /// An animated property of a node. Its name is the `path` in files, or the last part of its pointer.
    #[derive(Hash)]
    pub enum Property {
        /// Translation.
        Translation = "translation",
        /// Rotation.
        Rotation = "rotation",
        /// Scale.
        Scale = "scale",
        /// Weights of morph targets.
        Weights = "weights",
        /// `visible` of `KHR_node_visibility`, which only a pointer can name: 0 for false.
        Visibility = "visible",
    }
}

impl Property {
    /// The property with this `path` of a channel's target; `None` if there is none.
    pub(super) fn of(path: &str) -> Option<Self> {
        Self::named(path).filter(|property| *property != Self::Visibility)
    }

    /// Returns true for a part of the node's transform.
    pub fn is_of_transform(self) -> bool {
        !matches!(self, Self::Weights | Self::Visibility)
    }
}

rigy_base::named! {
    /// The interpolation between two keys, with its name in files.
    pub enum Interpolation {
        /// The value of the earlier key.
        Step = "STEP",
        /// Linear interpolation; for rotations, along the shorter arc.
        Linear = "LINEAR",
        /// A cubic spline with the tangents of the file.
        CubicSpline = "CUBICSPLINE",
    }
}

/// A mesh.
#[derive(Debug)]
pub struct Mesh {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its primitives, at least one.
    pub primitives: Vec<Primitive>,
    /// Default weights of its morph targets, one for each target; 0 if the file has none.
    pub weights: Vec<f64>,
}

impl Mesh {
    /// Returns the indices of the primitives that are drawn: those with vertices.
    pub fn drawn(&self) -> impl Iterator<Item = usize> {
        let indices = 0..self.primitives.len();
        indices.filter(|index| self.primitives[*index].vertex_count > 0)
    }
}

/// A part of a mesh, with one material.
#[derive(Debug)]
pub struct Primitive {
    /// Names and accessor indices, in file order, `POSITION` among them if there are any; all accessors have
    /// [`vertex_count`](Self::vertex_count) elements.
    pub attributes: Vec<(String, usize)>,
    /// Accessor index of vertex indices, all below [`vertex_count`](Self::vertex_count).
    pub indices: Option<usize>,
    /// Index of its material.
    pub material: Option<usize>,
    /// `mode`, from 0 (points) to 6; the default is 4 (triangles).
    pub mode: u8,
    /// Attributes of each morph target, as for `attributes`; as many targets as the mesh's other primitives have.
    pub targets: Vec<Vec<(String, usize)>>,
    /// Number of vertices; 0 for a primitive without positions or vertices, which is not drawn and has no `attributes` here.
    pub vertex_count: usize,
    /// Accessor indices of `JOINTS_n` and `WEIGHTS_n` of each set of influences, from n = 0 on.
    pub influences: Vec<(usize, usize)>,
}

impl Primitive {
    /// Returns the accessor index of an attribute; `None` if there is no such attribute.
    pub fn attribute(&self, name: &str) -> Option<usize> {
        named(&self.attributes, name)
    }

    /// Returns the accessor index of an attribute of a morph target; `None` if the target has no such attribute.
    pub fn target_attribute(&self, target: usize, name: &str) -> Option<usize> {
        named(self.targets.get(target)?, name)
    }

    /// Returns true if a morph target changes an attribute, given the weights of the targets.
    pub fn is_morphed(&self, name: &str, weights: &[f64]) -> bool {
        weights
            .iter()
            .enumerate()
            .any(|(target, weight)| *weight != 0.0 && self.target_attribute(target, name).is_some())
    }
}

/// The accessor index of the attribute of this name.
fn named(attributes: &[(String, usize)], name: &str) -> Option<usize> {
    attributes
        .iter()
        .find(|(other, _)| other == name)
        .map(|(_, accessor)| *accessor)
}

/// A scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Indices of its nodes, in file order.
    pub nodes: Vec<usize>,
}
