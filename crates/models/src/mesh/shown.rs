//! The primitives that a scene shows, read one at a time.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{CoordinateSet, Elements, Material, Surface, globals, shown_nodes, triangles};
use rigy_base::meter::Cost;
use rigy_gltf::{ElementType, File, Mesh, Primitive, Problem, Result, Vertices, morphed};
use rigy_kernel::math::{
    Affine, IDENTITY, Matrix3, Vec3, cofactors, determinant, length, linear_part, plus,
    transformed, translation_part,
};

/// Vertices and triangles that a primitive counts beside its own.
const PRIMITIVE: u64 = 256;

/// A primitive in one of the places where a scene draws it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Drawn {
    /// Index of the node.
    pub node: usize,
    /// Number of the instance of its mesh; 0 if the node draws it once.
    pub instance: usize,
    /// Index of the mesh.
    pub mesh: usize,
    /// Index of the primitive in the mesh.
    pub primitive: usize,
}

/// Returns what nodes draw, in the order of nodes, instances and primitives. A short file may draw very much: see
/// [`size_of_nodes`].
pub fn drawn<'n>(file: &'n File, nodes: &'n [usize]) -> impl Iterator<Item = Drawn> + 'n {
    let with_mesh = nodes
        .iter()
        .filter_map(|node| Some((*node, file.nodes[*node].mesh?)));
    with_mesh.flat_map(move |(node, mesh)| {
        let instances = 0..file.instance_count(node);
        instances.flat_map(move |instance| {
            file.meshes[mesh].drawn().map(move |primitive| Drawn {
                node,
                instance,
                mesh,
                primitive,
            })
        })
    })
}

/// The primitives that a scene draws. A primitive that is drawn in many places takes memory only for the surface that is read.
pub struct Shown<'s> {
    file: &'s File<'s>,
    globals: Vec<Affine>,
    places: Vec<Drawn>,
    /// For each material the first set of texture coordinates, other than 0, that a texture of it uses.
    other_sets: Vec<Option<u64>>,
}

impl<'s> Shown<'s> {
    /// Finds the primitives of the scene of a checked file.
    ///
    /// # Errors
    /// If vertices, triangles, primitives and names, once for each place, are more than the meter of the file allows (U17).
    pub fn new(file: &'s File<'s>) -> Result<Self> {
        Self::of_nodes(file, &shown_nodes(file))
    }

    /// Finds the primitives of some nodes with a mesh.
    pub(super) fn of_nodes(file: &'s File<'s>, nodes: &[usize]) -> Result<Self> {
        let size = sum_of_nodes(file, nodes, |mesh, primitive| {
            let name = mesh.name.as_ref().map_or(0, String::len) as u64;
            PRIMITIVE + name + size_of(file, primitive)
        });
        { file.meter }.spend(Cost::Drawn, size)?;
        let materials = Material::all(&file.tree);
        let other_set = |material: &Material| material.sets().find(|set| *set != 0);
        Ok(Self {
            file,
            globals: globals(file),
            places: drawn(file, nodes).collect(),
            other_sets: materials.iter().map(other_set).collect(),
        })
    }

    /// Returns the number of primitives.
    pub fn primitive_count(&self) -> usize {
        self.places.len()
    }

    /// Returns what is drawn.
    pub fn place(&self, index: usize) -> Drawn {
        self.places[index]
    }

    /// Returns the name of the mesh of a primitive, or `mesh N` if it has none, and the primitive's index in the mesh.
    pub fn name(&self, index: usize) -> (Cow<'_, str>, usize) {
        let Drawn {
            mesh, primitive, ..
        } = self.places[index];
        let name = self.file.meshes[mesh]
            .name
            .as_deref()
            .map_or_else(|| format!("mesh {mesh}").into(), Cow::from);
        (name, primitive)
    }

    /// Reads a primitive and brings it to the space of the scene. The node of a skinned mesh does not move it, an instance does.
    ///
    /// # Errors
    /// Numbers that are not finite.
    pub fn surface(&self, index: usize) -> Result<Surface> {
        self.surface_in(index, None)
    }

    /// As [`surface`](Self::surface); given an earlier surface, reads positions and normals alone, into its memory.
    pub(super) fn surface_in(&self, index: usize, earlier: Option<Surface>) -> Result<Surface> {
        let file = self.file;
        let Drawn {
            node,
            instance,
            mesh,
            primitive,
        } = self.places[index];
        let data = &file.meshes[mesh].primitives[primitive];
        let path = format!("meshes[{mesh}].primitives[{primitive}]");
        let vertices = Vertices {
            file,
            primitive: data,
            path: &path,
            range: 0..data.vertex_count,
        };
        let is_later = earlier.is_some();
        let earlier = earlier.unwrap_or_default();
        let mut positions = earlier.positions;
        let mut normals = earlier.normals.unwrap_or_default();
        morphed::<3>(&vertices, "POSITION", &[], &mut positions)?;
        let has_normals = morphed::<3>(&vertices, "NORMAL", &[], &mut normals)?;
        let global = match file.nodes[node].skin {
            None => &self.globals[node],
            Some(_) => &IDENTITY,
        };
        let global = &file.placed(global, node, instance);
        // Vertices that nothing moves keep their bits.
        if *global != IDENTITY {
            place(global, &mut positions, &mut normals);
        }
        if positions
            .as_flattened()
            .iter()
            .any(|number| !number.is_finite())
        {
            return Err(Problem::rule(
                &path,
                "its nodes or instances take a vertex to where numbers are not finite",
            ));
        }
        let placed = Surface {
            node,
            instance,
            mesh,
            primitive,
            positions,
            normals: has_normals.then_some(normals),
            is_mirrored: determinant(&near_one(linear_part(global))) < 0.0,
            ..Surface::default()
        };
        if is_later {
            return Ok(placed);
        }
        let mut texture_coordinates = Vec::new();
        let is_textured = morphed::<2>(&vertices, "TEXCOORD_0", &[], &mut texture_coordinates)?;
        Ok(Surface {
            name: self.name(index).0.into_owned(),
            triangles: triangles(file, data),
            texture_coordinates: is_textured.then_some(texture_coordinates),
            other_coordinates: self.other_coordinates(&vertices, data.material)?,
            colors: vertex_colors(&vertices),
            elements: match data.mode {
                0 => Elements::Points,
                1..=3 => Elements::Lines,
                _ => Elements::Triangles,
            },
            material: data.material,
            ..placed
        })
    }

    /// The texture coordinates of the other set that a material uses, if the primitive has them.
    fn other_coordinates(
        &self,
        vertices: &Vertices,
        material: Option<usize>,
    ) -> Result<Option<CoordinateSet>> {
        let set = material.and_then(|index| *self.other_sets.get(index)?);
        let Some(set) = set else {
            return Ok(None);
        };
        let mut rows = Vec::new();
        Ok(
            morphed::<2>(vertices, &format!("TEXCOORD_{set}"), &[], &mut rows)?
                .then_some((set, rows)),
        )
    }
}

/// Returns the vertex colours of set 0 with their opacity, which is 1 if the accessor has three components; `None` if there is
/// no accessor, or it has another number of them, or one that is not finite.
pub fn vertex_colors(vertices: &Vertices) -> Option<Vec<[f32; 4]>> {
    let accessor = vertices.accessor("COLOR_0")?;
    let has_opacity = match accessor.element_type() {
        ElementType::Vec3 => false,
        ElementType::Vec4 => true,
        _ => return None,
    };
    accessor
        .iter::<4>()
        .map(|[red, green, blue, opacity]| {
            let opacity = if has_opacity { opacity } else { 1.0 };
            let color = [red, green, blue, opacity].map(|number| number as f32);
            color
                .iter()
                .all(|number| number.is_finite())
                .then_some(color)
        })
        .collect()
}

/// Returns the indices of primitives of a mesh such that every other one that is drawn has the positions of one of them.
pub fn distinct_positions(mesh: &Mesh) -> Vec<usize> {
    let mut seen = HashSet::new();
    let origin = |index: usize| {
        let primitive = &mesh.primitives[index];
        let targets = 0..primitive.targets.len();
        let targets = targets.map(|target| primitive.target_attribute(target, "POSITION"));
        let influences = primitive.influences.clone();
        let positions = primitive.attribute("POSITION");
        (positions, influences, targets.collect::<Vec<_>>())
    };
    mesh.drawn()
        .filter(|index| seen.insert(origin(*index)))
        .collect()
}

/// Returns the number of vertices and triangles that some nodes of a file show, at most [`u64::MAX`].
pub fn size_of_nodes(file: &File, nodes: &[usize]) -> u64 {
    sum_of_nodes(file, nodes, |_, primitive| size_of(file, primitive))
}

fn size_of(file: &File, primitive: &Primitive) -> u64 {
    primitive.vertex_count as u64 + corner_count(file, primitive) / 3
}

/// Returns the number of vertices that the triangles of a primitive name, one for each corner.
pub fn corner_count(file: &File, primitive: &Primitive) -> u64 {
    let indices = primitive.indices.and_then(|index| file.accessor(index));
    indices.map_or(primitive.vertex_count, |indices| indices.count()) as u64
}

/// Returns the sum of what `size` returns for all primitives that some nodes of a file show, once for each instance, at most
/// [`u64::MAX`].
pub fn sum_of_nodes(file: &File, nodes: &[usize], size: impl Fn(&Mesh, &Primitive) -> u64) -> u64 {
    // Once for each mesh: a short file may have many nodes that show many primitives.
    let of_meshes: Vec<u64> = file
        .meshes
        .iter()
        .map(|mesh| {
            mesh.primitives
                .iter()
                .map(|primitive| size(mesh, primitive))
                .fold(0, u64::saturating_add)
        })
        .collect();
    nodes
        .iter()
        .filter_map(|node| {
            Some(
                of_meshes[file.nodes[*node].mesh?]
                    .saturating_mul(file.instance_count(*node) as u64),
            )
        })
        .fold(0, u64::saturating_add)
}

/// Moves positions by the matrix of a node, and turns normals to unit length by the cofactors of the matrix.
pub fn place(global: &Affine, positions: &mut [Vec3], normals: &mut [Vec3]) {
    let linear = linear_part(global);
    let offset = translation_part(global);
    for position in positions {
        *position = plus(transformed(&linear, *position), offset);
    }
    let linear = near_one(linear);
    let sign = if determinant(&linear) < 0.0 {
        -1.0
    } else {
        1.0
    };
    let cofactors = near_one(cofactors(&linear)).map(|row| row.map(|number| number * sign));
    for normal in normals {
        *normal = unit(transformed(&cofactors, *normal));
    }
}

/// A matrix times the power of two that brings its largest component near one, so that products of components
/// neither overflow nor vanish.
fn near_one(matrix: Matrix3) -> Matrix3 {
    let magnitudes = matrix.as_flattened().iter().map(|number| number.abs());
    let (_, exponent) = libm::frexp(magnitudes.fold(0.0, f64::max));
    matrix.map(|row| row.map(|number| libm::scalbn(number, -exponent)))
}

/// A vector at unit length; as it is if it has no length.
fn unit(v: Vec3) -> Vec3 {
    if (1e-150..1e150).contains(&length(v)) {
        return v.map(|number| number / length(v));
    }
    let [scaled, ..] = near_one([v, [0.0; 3], [0.0; 3]]);
    if length(scaled) > 0.0 {
        scaled.map(|number| number / length(scaled))
    } else {
        v
    }
}
