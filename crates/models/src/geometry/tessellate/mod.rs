//! From primitives to vertices and triangles, by the profile `v0_1_default` (`numerics.md` §3–§4).
//!
//! In: the primitives of a mesh. Out: a [`Geometry`] in which they follow each other in document order. The
//! loops follow the contract exactly: vertex order, index order, degenerate pole triangles, signed zeros and the order of
//! every multiplication change the output.

mod shapes;
mod surfaces;

use crate::geometry::scene::Geometry;
use rigy_kernel::surface::Extracted;
use rigy_language::model::{Generator, Mesh, Primitive, Shape};
pub use surfaces::{Excess, SAMPLES_OF_VERTEX, Surfaces, estimated_vertices};

/// The only tessellation profile.
pub const PROFILE: &str = rigy_language::model::DEFAULT_PROFILE;

/// Number of vertices and indices of a shape, which do not depend on its size; none for an implicit surface.
fn counts(shape: Shape) -> (u64, u64) {
    match shape {
        Shape::Box => (24, 36),
        Shape::Sphere => (561, 3072),
        Shape::Cylinder => (134, 384),
        Shape::Capsule => (858, 4800),
        Shape::Wedge => (18, 24),
        Shape::Implicit => (0, 0),
    }
}

/// Number of vertices and indices of a primitive.
pub fn primitive_counts(primitive: &Primitive, surfaces: &Surfaces) -> (u64, u64) {
    match &primitive.surface {
        None => counts(primitive.shape),
        Some(surface) => {
            let len = surfaces.of(surface).map_or(0, Extracted::len) as u64;
            (len, len)
        }
    }
}

/// Number of vertices and indices of a whole mesh, computed before anything is allocated. Surfaces that have not been extracted
/// have none.
pub fn mesh_counts(mesh: &Mesh, surfaces: &Surfaces) -> (u64, u64) {
    mesh.primitives
        .iter()
        .map(|primitive| primitive_counts(primitive, surfaces))
        .fold((0u64, 0u64), |(v, i), (vertices, indices)| {
            (v.saturating_add(vertices), i.saturating_add(indices))
        })
}

/// Tessellates and merges the primitives of a mesh. The mesh has fewer than 2³² vertices and indices, and its surfaces have
/// been extracted.
pub fn tessellate(mesh: &Mesh, surfaces: &Surfaces) -> Geometry {
    let (vertex_count, index_count) = mesh_counts(mesh, surfaces);
    let vertex_count = vertex_count as usize;
    let index_count = index_count as usize;
    let mut geometry = Geometry::default();
    geometry.positions.reserve(vertex_count);
    geometry.normals.reserve(vertex_count);
    geometry.indices.reserve_exact(index_count);
    let generators = generators(mesh);
    geometry.uvs.resize_with(generators.len(), Default::default);
    for primitive in &mesh.primitives {
        let first = geometry.positions.len();
        let first_index = geometry.indices.len();
        generate(primitive, surfaces, &mut geometry);
        let vertices = first..geometry.positions.len();
        if let Some(transform) = &primitive.transform {
            shapes::place(transform, &mut geometry, vertices.clone());
        }
        for (generator, uvs) in generators.iter().zip(&mut geometry.uvs) {
            shapes::add_uvs(*generator, &geometry.positions, vertices.clone(), uvs);
        }
        geometry.primitives.push(vertices);
        let indices = first_index..geometry.indices.len();
        geometry.primitive_indices.push(indices);
    }
    geometry
}

/// Appends the vertices of a surface, three for each triangle.
fn append(extracted: &Extracted, out: &mut Geometry) {
    let first = out.positions.len() as u32;
    out.indices.extend(first..first + extracted.len() as u32);
    let planes = out.positions.planes.iter_mut().zip(&extracted.positions);
    let normals = out.normals.planes.iter_mut().zip(&extracted.normals);
    for (plane, values) in planes.chain(normals) {
        plane.extend_from_slice(values);
    }
}

/// The generators of a mesh in the order of the numbers of its UV sets.
fn generators(mesh: &Mesh) -> Vec<Generator> {
    let mut numbered: Vec<(u64, Generator)> = mesh
        .uv_sets
        .iter()
        .flatten()
        .filter_map(|set| {
            let generator = Generator::named(&set.generator.value)?;
            Some((set.number()?, generator))
        })
        .collect();
    numbered.sort_by_key(|(number, _)| *number);
    numbered
        .into_iter()
        .map(|(_, generator)| generator)
        .collect()
}

fn generate(primitive: &Primitive, surfaces: &Surfaces, out: &mut Geometry) {
    let size = |keys: &[&str], default: f64| dimension(primitive, keys).unwrap_or(default);
    match primitive.shape {
        Shape::Box => {
            let extents = [
                size(&["width", "x"], 1.0),
                size(&["height", "y"], 1.0),
                size(&["depth", "z"], 1.0),
            ];
            shapes::add_box(extents, out);
        }
        Shape::Sphere => shapes::add_sphere(size(&["radius"], 0.5), out),
        Shape::Cylinder => {
            shapes::add_cylinder(size(&["radius"], 0.5), size(&["height"], 1.0), out)
        }
        Shape::Capsule => shapes::add_capsule(size(&["radius"], 0.25), size(&["height"], 1.0), out),
        Shape::Wedge => shapes::add_wedge(["x", "y", "z"].map(|key| size(&[key], 1.0)), out),
        Shape::Implicit => {
            let surface = primitive.surface.as_ref();
            if let Some(extracted) = surface.and_then(|surface| surfaces.of(surface)) {
                append(extracted, out);
            }
        }
    }
}

/// The first of the dimensions that is given (`language.md` §1.5).
fn dimension(primitive: &Primitive, keys: &[&str]) -> Option<f64> {
    keys.iter()
        .find_map(|key| primitive.dimensions.iter().find(|(name, _)| name == key))
        .map(|(_, size)| size.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigy_base::diag::{Span, Spanned};

    fn geometry(shape: Shape, dimensions: &[(&'static str, f64)]) -> Geometry {
        let spanned = |value| Spanned::new(value, Span::default());
        let dimensions = dimensions.iter().map(|(k, v)| (*k, spanned(*v))).collect();
        let id = Spanned::new("p".to_owned(), Span::default());
        let primitive = Primitive {
            shape,
            id: id.clone(),
            surface: None,
            dimensions,
            transform: None,
            material: None,
            tags: Vec::new(),
            tags_key: None,
            is_from_macro: false,
        };
        let mesh = Mesh {
            id,
            name: None,
            primitives: vec![primitive],
            material: None,
            uv_roles: None,
            uv_sets: None,
            uv_roles_key: None,
            uv_sets_key: None,
        };
        tessellate(&mesh, &Surfaces::default())
    }

    /// f32 patterns of the position and normal of a vertex.
    fn vertex(g: &Geometry, index: usize) -> [u32; 6] {
        let bits = |v: f64| (v as f32).to_bits();
        let (p, n) = (g.positions.get(index), g.normals.get(index));
        [p[0], p[1], p[2], n[0], n[1], n[2]].map(bits)
    }

    #[test]
    fn counts_are_what_comes_out() {
        for shape in Shape::ALL {
            let g = geometry(shape, &[]);
            assert_eq!(
                (g.positions.len() as u64, g.indices.len() as u64),
                counts(shape),
                "{shape:?}"
            );
            assert!(g.indices.iter().all(|i| (*i as usize) < g.positions.len()));
        }
    }

    #[test]
    fn the_published_capsule_vertices() {
        let g = geometry(Shape::Capsule, &[("radius", 0.08), ("height", 0.4)]);
        for (index, expected) in [
            (0, [0, 0x3e8f_5c29, 0, 0, 0x3f80_0000, 0]),
            (
                172,
                [
                    0x3c54_9d35,
                    0x3e7a_4ff4,
                    0x3d85_9c43,
                    0x3e26_1ad1,
                    0x3f0e_39da,
                    0x3f50_c429,
                ],
            ),
            (
                407,
                [
                    0xbd36_0c9c,
                    0x3d4c_cccd,
                    0x3d88_3a5d,
                    0xbf0e_39da,
                    0,
                    0x3f54_db31,
                ],
            ),
            (
                660,
                [0x3d88_3a5d, 0xbe7a_4ff4, 0, 0x3f54_db31, 0xbf0e_39da, 0],
            ),
            (
                671,
                [
                    0xbd17_5e51,
                    0xbe7a_4ff4,
                    0x3d62_89f2,
                    0xbeec_835e,
                    0xbf0e_39da,
                    0x3f30_fbc5,
                ],
            ),
            (
                857,
                [
                    0x2334_b9d9,
                    0xbe8f_5c29,
                    0x8947_5a2e,
                    0x250d_3132,
                    0xbf80_0000,
                    0x8b1b_be74,
                ],
            ),
        ] {
            assert_eq!(vertex(&g, index), expected, "vertex {index}");
        }
        let p = g.positions.get(172).map(f64::to_bits);
        assert_eq!(
            p,
            [
                0x3f8a_93a6_9770_641f,
                0x3fcf_49fe_78db_a6a7,
                0x3fb0_b388_631a_2bdd
            ]
        );
    }

    #[test]
    fn the_published_sphere_and_cylinder_vertices() {
        let g = geometry(Shape::Sphere, &[("radius", 0.3)]);
        assert_eq!(
            vertex(&g, 16),
            [0x8000_0000, 0x3e99_999a, 0, 0x8000_0000, 0x3f80_0000, 0]
        );
        let p = g.positions.get(374).map(f64::to_bits);
        assert_eq!(
            p,
            [
                0xbfc1_bd0d_7c51_87f5,
                0xbfc5_557a_4537_b0ed,
                0x3fca_8c2a_6534_6605
            ]
        );
        let g = geometry(Shape::Cylinder, &[("radius", 0.1), ("height", 1.0)]);
        assert_eq!(vertex(&g, 16)[..3], [0xbdcc_cccd, 0x3f00_0000, 0x2361_e84f]);
        assert_eq!(vertex(&g, 16)[3..], [0xbf80_0000, 0, 0x250d_3132]);
        assert_eq!(vertex(&g, 24)[..3], [0xa3a9_6e3c, 0x3f00_0000, 0xbdcc_cccd]);
        assert_eq!(vertex(&g, 66)[..3], [0, 0x3f00_0000, 0]);
    }

    #[test]
    fn the_longer_spelling_of_a_box_wins() {
        let g = geometry(Shape::Box, &[("x", 4.0), ("width", 2.0), ("z", 6.0)]);
        assert_eq!(g.positions.get(1), [1.0, 0.5, -3.0]);
    }
}
