//! The scene: the meshes, skins and instances of a document as numbers.
//!
//! In: numbers from `tessellate` and `skin`. Out: the same numbers for `pose` and `glb`. Positions are in
//! metres, f64, one plane per component; indices count vertices of the merged mesh; joints are numbered in
//! the order of the armature's bones. This module holds data and applies no rules.

use std::ops::Range;
use std::sync::Arc;

use rigy_kernel::math::{Affine, Vec3, cross, dot, minus};
use rigy_kernel::{Influences, Rest, SLOTS};

/// A document with the parts that are placed in it.
#[derive(Debug, Default)]
pub struct Assembly {
    /// The document itself.
    pub root: Scene,
    /// The parts by namespace. Parts of one document share a scene.
    pub parts: Vec<Arc<Scene>>,
    /// The instances, in document order.
    pub instances: Vec<Instance>,
    /// The parts of a scene as they stand on each other; `None` for a document.
    pub nested: Option<Nested>,
}

/// The parts of a scene: the first part, and others that stand on it (`extensions.md` §12).
#[derive(Debug)]
pub struct Nested {
    /// The parts that stand on the first.
    pub children: Vec<NestedChild>,
}

/// A part that stands on another.
#[derive(Debug)]
pub struct NestedChild {
    /// Name of its node.
    pub name: String,
    /// Transform from the space of the part to that of the part below.
    pub matrix: Affine,
    /// The part, by its index.
    pub part: usize,
    /// The parts that stand on it.
    pub children: Vec<NestedChild>,
}

/// A placed part or mesh.
#[derive(Debug)]
pub struct Instance {
    /// Name of its node.
    pub name: String,
    /// Transform from the space of the part to that of the assembly.
    pub matrix: Affine,
    /// The part or mesh.
    pub of: Placed,
}

/// The part or mesh that an instance places.
#[derive(Clone, Copy, Debug)]
pub enum Placed {
    /// A part, by its index.
    Part(usize),
    /// A mesh of the document itself, by its index in the scene; `None` for a mesh without vertices.
    Mesh(Option<usize>),
}

/// Everything that one document exports.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Meshes with at least one vertex, in document order.
    pub meshes: Vec<Mesh>,
    /// Materials, in order of first use.
    pub materials: Vec<Material>,
}

/// A material.
#[derive(Clone, Debug, PartialEq)]
pub enum Material {
    /// A name without properties (up to version 0.5).
    Symbolic(String),
    /// A material of a table (from 0.6 on).
    Colored {
        /// Its id.
        name: String,
        /// Red, green, blue and alpha, from 0 to 1.
        base_color: [f64; 4],
    },
}

impl Material {
    /// Returns its name in output.
    pub fn name(&self) -> &str {
        match self {
            Self::Symbolic(name) | Self::Colored { name, .. } => name,
        }
    }
}

/// A merged mesh.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// Index of the mesh in the document's list.
    pub document_index: usize,
    /// Output name of mesh and node.
    pub name: String,
    /// Vertices and triangles.
    pub geometry: Geometry,
    /// How its primitives are written.
    pub emission: Emission,
    /// The skin, if the mesh is bound.
    pub skin: Option<Skin>,
}

/// How the primitives of a mesh are written: as one glTF primitive, or as one each.
#[derive(Clone, Debug)]
pub enum Emission {
    /// As one primitive (up to version 0.11).
    Merged(Labels),
    /// As one primitive each (from 0.12 on).
    Separate(Vec<Labels>),
}

/// The properties of a glTF primitive besides its vertices and triangles.
#[derive(Clone, Debug)]
pub struct Labels {
    /// The id, if it is written.
    pub id: Option<String>,
    /// The tags.
    pub tags: Vec<String>,
    /// Index into the scene's materials.
    pub material: Option<usize>,
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
    /// Indices of each primitive, in document order.
    pub primitive_indices: Vec<Range<usize>>,
    /// The UV sets in order: u and v of all vertices.
    pub uvs: Vec<[Vec<f64>; 2]>,
}

/// Three planes of equal length.
#[derive(Clone, Debug, Default)]
pub struct PositionsSoa {
    /// x, y and z.
    pub planes: [Vec<f64>; 3],
}

/// The joints and influences of a mesh.
#[derive(Clone, Debug)]
pub struct Skin {
    /// Output name.
    pub name: String,
    /// Joints in bone order.
    pub joints: Vec<Joint>,
    /// Canonical influences of all vertices, as they are written: joint number and f64 weight, strongest first.
    pub runs: Vec<SlotRun>,
    /// The same influences in the layout of the kernel.
    pub influences: Influences,
    /// The mesh's rest vertices in the layout of the kernel.
    pub rest: Rest,
    /// The solver of baked output.
    pub solver: rigy_language::model::Solver,
}

/// The four influences of a vertex.
pub type Slots = [(u16, f64); SLOTS];

/// Consecutive vertices that have the same influences.
#[derive(Clone, Copy, Debug)]
pub struct SlotRun {
    /// The influences.
    pub slots: Slots,
    /// Number of vertices, at least one.
    pub vertex_count: usize,
}

/// A joint of a skin.
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

    /// Returns true if there are no points.
    pub fn is_empty(&self) -> bool {
        self.planes[0].is_empty()
    }

    /// Reserves memory for more points.
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

    /// Returns a point.
    #[inline]
    pub fn get(&self, index: usize) -> Vec3 {
        [0, 1, 2].map(|c| self.planes[c][index])
    }

    /// Returns all points in order.
    pub fn iter(&self) -> impl Iterator<Item = Vec3> {
        (0..self.len()).map(|index| self.get(index))
    }
}

impl Geometry {
    /// Exchanges the last two corners of each triangle that is clockwise seen from the side to which the normals of its corners
    /// point together.
    pub fn turn_triangles_outward(&mut self) {
        for corners in self.indices.as_chunks_mut::<3>().0 {
            let of = |points: &PositionsSoa| {
                corners.map(|corner| points.planes.each_ref().map(|plane| plane[corner as usize]))
            };
            let [a, b, c] = of(&self.positions);
            let face = cross(minus(b, a), minus(c, a));
            let normals = of(&self.normals);
            let outward =
                [0, 1, 2].map(|axis| normals[0][axis] + normals[1][axis] + normals[2][axis]);
            if dot(face, outward) < 0.0 {
                corners.swap(1, 2);
            }
        }
    }

    /// Returns the vertices in the layout of the kernel.
    pub fn rest(&self) -> Rest {
        let [x, y, z] = &self.positions.planes;
        let [nx, ny, nz] = &self.normals.planes;
        Rest::double([x, y, z, nx, ny, nz])
    }
}
