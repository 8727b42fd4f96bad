//! The meeting point: what a document has become once nothing about it is YAML any more.
//!
//! In: numbers from `tessellate` and `skin`. Out: the same numbers for `pose` and `glb`. Positions are in
//! metres, f64, one plane per component; indices count vertices of the merged mesh; joints are numbered by
//! their place in the armature. This room holds data and knows no rules.

use std::ops::Range;
use std::sync::Arc;

use crate::kernel::math::{Affine, Vec3};
use crate::kernel::{Influences, Rest, SLOTS};

/// A document with the parts that are placed in it.
#[derive(Clone, Debug, Default)]
pub struct Assembly {
    /// The document itself.
    pub root: Scene,
    /// The parts by namespace; those of one document share a scene, which is made once however often it is placed.
    pub parts: Vec<Arc<Scene>>,
    /// What is placed where, in document order.
    pub instances: Vec<Instance>,
}

/// One placed part or mesh.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Name of its node.
    pub name: String,
    /// From the part to the whole.
    pub matrix: Affine,
    /// What is placed.
    pub of: Placed,
}

/// What an instance places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placed {
    /// A part, by number.
    Part(usize),
    /// A mesh of the document itself, by its place in the scene; `None` for a mesh without vertices.
    Mesh(Option<usize>),
}

/// Everything one document exports.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Meshes with at least one vertex, in document order.
    pub meshes: Vec<Mesh>,
    /// Names of symbolic materials, in order of first use.
    pub materials: Vec<String>,
}

/// One merged mesh.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// Index of the mesh in the document's list.
    pub document_index: usize,
    /// Output name of mesh and node.
    pub name: String,
    /// Vertices and triangles.
    pub geometry: Geometry,
    /// Index into the scene's materials.
    pub material: Option<usize>,
    /// Present when the mesh is bound.
    pub skin: Option<Skin>,
}

/// Vertices as structure of arrays, and the triangles between them.
#[derive(Clone, Debug, Default)]
pub struct Geometry {
    /// Rest positions: planes of x, y and z.
    pub positions: PositionsSoa,
    /// Rest normals: planes of x, y and z.
    pub normals: PositionsSoa,
    /// Three vertex numbers per triangle.
    pub indices: Vec<u32>,
    /// Vertices of each primitive, in document order.
    pub primitives: Vec<Range<usize>>,
}

/// Three planes of equal length.
#[derive(Clone, Debug, Default)]
pub struct PositionsSoa {
    /// x, y and z.
    pub planes: [Vec<f64>; 3],
}

/// How a mesh follows its joints.
#[derive(Clone, Debug)]
pub struct Skin {
    /// Output name.
    pub name: String,
    /// Joints in bone order.
    pub joints: Vec<Joint>,
    /// Canonical influences of all vertices, as they are written: joint number and f64 weight, strongest first.
    pub runs: Vec<SlotRun>,
    /// The same for the kernel.
    pub influences: Influences,
    /// The mesh's vertices for the kernel.
    pub rest: Rest,
    /// How baked output is evaluated.
    pub solver: crate::language::model::Solver,
}

/// The four influences of a vertex.
pub type Slots = [(u16, f64); SLOTS];

/// Consecutive vertices that have their influences in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlotRun {
    /// The influences.
    pub slots: Slots,
    /// How many vertices have them, at least one.
    pub vertex_count: usize,
}

/// A bone in its role as a joint.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Bone id, the name of its node.
    pub name: String,
    /// Index of the parent joint; `None` for a root.
    pub parent: Option<usize>,
    /// Rest position in model space.
    pub head: Vec3,
}

impl Joint {
    /// Translation of the inverse bind matrix: the negated head, zero coordinates as −0.0 (`numerics.md` §5).
    pub fn inverse_bind_translation(&self) -> Vec3 {
        self.head.map(|c| -c)
    }
}

impl PositionsSoa {
    /// Number of points.
    pub fn len(&self) -> usize {
        self.planes[0].len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.planes[0].is_empty()
    }

    /// Makes room for more points.
    pub fn reserve(&mut self, count: usize) {
        self.planes
            .iter_mut()
            .for_each(|plane| plane.reserve_exact(count));
    }

    /// Appends a point.
    #[inline]
    pub fn push(&mut self, point: Vec3) {
        for (plane, value) in self.planes.iter_mut().zip(point) {
            plane.push(value);
        }
    }

    /// A point.
    #[inline]
    pub fn get(&self, index: usize) -> Vec3 {
        [0, 1, 2].map(|c| self.planes[c][index])
    }

    /// Replaces a point.
    #[inline]
    pub fn set(&mut self, index: usize, point: Vec3) {
        for (plane, value) in self.planes.iter_mut().zip(point) {
            plane[index] = value;
        }
    }

    /// All points in order.
    pub fn iter(&self) -> impl Iterator<Item = Vec3> {
        (0..self.len()).map(|index| self.get(index))
    }
}

impl Geometry {
    /// The vertices as the kernel reads them.
    pub fn rest(&self) -> Rest {
        let [x, y, z] = &self.positions.planes;
        let [nx, ny, nz] = &self.normals.planes;
        Rest::double([x, y, z, nx, ny, nz])
    }
}
