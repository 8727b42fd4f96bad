//! A result as triangles: a glTF file, or a pose of a document, at one moment, in the space of its scene.
//!
//! In: the bytes of a `.glb` or `.gltf` file, or a [`Subject`] with a [`State`]. Out: a [`Model`], from which pictures, exported files,
//! differences and pages are made.

mod extensions;
mod material;
mod posed;
mod shown;
mod texture_info;
mod welded;

use std::collections::HashSet;

use rigy_base::diag::{Diagnosed, Warned};
use rigy_base::loader::{Loader, Location};
use rigy_gltf::json::Value;
use rigy_gltf::{AboutFile, File, Property, Result};
use rigy_kernel::math::{Affine, Bounds, Vec3, cross, dot, minus};

pub use extensions::Clearcoat;
pub use material::{Alpha, Material, TextureKind, base_color, srgb};
pub use posed::{Evaluation, MAX_POSED, POSED_LIMITS, State, Subject, check_posed_size};
pub(crate) use shown::place;
pub use shown::{
    Drawn, Shown, corner_count, distinct_positions, drawn, size_of_nodes, sum_of_nodes,
    vertex_colors,
};
pub use texture_info::{IMAGE_EXTENSIONS, TextureInfo, Wrap};
pub use welded::{Seams, Welded};

/// A scene as triangles. Skins, morph targets and animations are not applied: a skinned file has to be baked first.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// One surface for each primitive that the scene shows, in the order of [`drawn`].
    pub surfaces: Vec<Surface>,
    /// The materials of the file.
    pub materials: Vec<Material>,
    /// The name of each node of the file, if it has one.
    pub node_names: Vec<Option<String>>,
    /// The name of each joint, and its matrix to the scene; none unless they are asked for.
    pub joints: Vec<(String, Affine)>,
    /// True if the file is made from a document; see [`is_of_document`].
    pub is_of_document: bool,
}

/// The parts of which a primitive consists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Elements {
    /// A point at each vertex.
    Points,
    /// Lines between vertices, whose pairs are not read.
    Lines,
    /// Triangles, which may be none.
    #[default]
    Triangles,
}

/// The number of a set of texture coordinates, and those of each vertex.
pub type CoordinateSet = (u64, Vec<[f64; 2]>);

/// A primitive of one node, or of one of its instances.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// Name of the mesh, or `mesh N` if it has none.
    pub name: String,
    /// Index of the node.
    pub node: usize,
    /// Number of the instance of its mesh; 0 if the node draws it once.
    pub instance: usize,
    /// Index of the mesh.
    pub mesh: usize,
    /// Index of the primitive in the mesh.
    pub primitive: usize,
    /// Positions in the space of the scene, in model units; all finite.
    pub positions: Vec<Vec3>,
    /// Normals in the space of the scene; `None` if the primitive has none. Those that a node turns get unit length, the
    /// others are as the file has them. A normal without length stays as it is.
    pub normals: Option<Vec<Vec3>>,
    /// Texture coordinates of set 0; `None` if the primitive has none.
    pub texture_coordinates: Option<Vec<[f64; 2]>>,
    /// Texture coordinates of the other set that textures of its material use: the number of the set, and those of each vertex. If
    /// they use several, it is the one of the first.
    pub other_coordinates: Option<CoordinateSet>,
    /// Vertex colours of set 0: red, green, blue and opacity, linear; `None` if the primitive has none, or some that are no
    /// colours. The opacity is 1 where the file has none.
    pub colors: Option<Vec<[f32; 4]>>,
    /// Points, lines or triangles.
    pub elements: Elements,
    /// True if the node or the instance mirrors the primitive, so that its triangles are clockwise as they are seen from their front.
    pub is_mirrored: bool,
    /// Vertex indices of triangles, all below the number of positions. Points and lines have none.
    pub triangles: Vec<[u32; 3]>,
    /// Index into [`Model::materials`].
    pub material: Option<usize>,
}

impl Surface {
    /// Returns the number of triangles whose normals point to their back, which is the side from which the corners turn
    /// clockwise, or counter-clockwise if the node mirrors the primitive; 0 without normals.
    pub fn opposed_triangles(&self) -> usize {
        self.triangles
            .iter()
            .filter(|corners| self.is_opposed(corners))
            .count()
    }

    /// Exchanges the last two corners of each triangle whose normals point to its back.
    pub fn turn_triangles_outward(&mut self) {
        let mut triangles = std::mem::take(&mut self.triangles);
        for corners in &mut triangles {
            if self.is_opposed(corners) {
                corners.swap(1, 2);
            }
        }
        self.triangles = triangles;
    }

    /// Removes the vertices that no triangle has, with all that they have. Returns the numbers that the others had; `None` if all
    /// stay.
    pub fn remove_loose_vertices(&mut self) -> Option<Vec<u32>> {
        let corners = self.triangles.as_flattened_mut();
        let mut is_used = vec![false; self.positions.len()];
        for corner in &*corners {
            is_used[*corner as usize] = true;
        }
        if !is_used.contains(&false) {
            return None;
        }
        let mut used = Vec::new();
        let mut numbers = Vec::new();
        for (vertex, is_used) in (0..).zip(is_used) {
            numbers.push(used.len() as u32);
            if is_used {
                used.push(vertex);
            }
        }
        for corner in corners {
            *corner = numbers[*corner as usize];
        }
        pick([&mut self.positions], &used);
        pick(&mut self.normals, &used);
        pick(&mut self.texture_coordinates, &used);
        pick(
            self.other_coordinates.iter_mut().map(|(_, list)| list),
            &used,
        );
        pick(&mut self.colors, &used);
        Some(used)
    }

    fn is_opposed(&self, corners: &[u32; 3]) -> bool {
        let Some(normals) = &self.normals else {
            return false;
        };
        let [a, b, c] = corners.map(|vertex| self.positions[vertex as usize]);
        let face = cross(minus(b, a), minus(c, a));
        let sums = corners.map(|vertex| dot(normals[vertex as usize], face));
        let sum = sums[0] + sums[1] + sums[2];
        if self.is_mirrored {
            sum > 0.0
        } else {
            sum < 0.0
        }
    }
}

/// Replaces lists by some of their elements.
pub fn pick<'l, T: Copy + 'l>(lists: impl IntoIterator<Item = &'l mut Vec<T>>, indices: &[u32]) {
    for list in lists {
        *list = indices.iter().map(|index| list[*index as usize]).collect();
    }
}

impl Model {
    /// Reads the scene of a file whose bytes are given. `location` is its location, from which the loader finds the files
    /// that it refers to.
    ///
    /// # Errors
    /// As [`rigy_gltf::read`]; numbers that are not finite; too many vertices and triangles (U17).
    pub fn read(bytes: &[u8], location: &Location, loader: &dyn Loader) -> Diagnosed<Warned<Self>> {
        let name = loader.name(location);
        let Warned { value, warnings } = rigy_gltf::read(bytes, location, loader)?;
        Self::of_file(&value)
            .about_file(&name)
            .map(|value| Warned { value, warnings })
    }

    /// Returns the least and greatest coordinates of all positions; `None` without any.
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        let surfaces = self.surfaces.iter();
        let bounds = surfaces.filter_map(|s| Bounds::of_interleaved(s.positions.as_flattened()));
        let all = bounds.reduce(|a, b| a.then(&b))?;
        Some([all.min, all.max])
    }

    /// Reads the scene of a checked file.
    ///
    /// # Errors
    /// Numbers that are not finite; too many vertices, triangles and primitives (U17).
    pub fn of_file(file: &File) -> Result<Self> {
        Self::of_shown(file, &Shown::new(file)?, None)
    }

    /// Reads the scene of a file that a bake at a moment has made, with those nodes too that other moments show: `is_shown_ever` tells
    /// it for each node. A primitive that the moment hides has all its vertices where the first of them is, so that nothing of it is seen.
    ///
    /// Given the model of an earlier moment, whose file has the same meshes, reads where primitives are, positions and normals alone, into
    /// its memory.
    ///
    /// # Errors
    /// As [`of_file`](Self::of_file).
    pub fn of_moment(
        file: &File,
        is_shown_ever: impl Fn(usize) -> bool,
        earlier: Option<Self>,
    ) -> Result<Self> {
        let mut nodes = nodes_of_scene(file);
        nodes.retain(|node| is_shown_ever(*node));
        let mut model = Self::of_shown(file, &Shown::of_nodes(file, &nodes)?, earlier)?;
        let hidden = file.hidden_nodes(|node| file.is_visible(node));
        for surface in model.surfaces.iter_mut().filter(|s| hidden[s.node]) {
            let first = surface.positions[0];
            surface.positions.fill(first);
        }
        Ok(model)
    }

    fn of_shown(file: &File, shown: &Shown, earlier: Option<Self>) -> Result<Self> {
        let is_later = earlier.is_some();
        let mut earlier = earlier.map(|model| model.surfaces.into_iter());
        let surfaces = (0..shown.primitive_count()).map(|index| {
            let earlier = earlier.as_mut().map(|all| all.next().unwrap_or_default());
            shown.surface_in(index, earlier)
        });
        let model = Self {
            surfaces: surfaces.collect::<Result<_, _>>()?,
            ..Self::default()
        };
        if is_later {
            return Ok(model);
        }
        Ok(Self {
            materials: Material::all(&file.tree),
            node_names: file.nodes.iter().map(|node| node.name.clone()).collect(),
            is_of_document: is_of_document(&file.tree),
            ..model
        })
    }
}

/// Returns true if a file is compiled from a document, at rest or in a pose: its bytes name the generator of the
/// language's reference. Their triangles are wound in both directions, though their materials have one side, so whoever shows
/// them shows both.
pub fn is_of_document(tree: &Value) -> bool {
    let generator = tree
        .get("asset")
        .and_then(|asset| asset.get("generator"))
        .and_then(Value::as_str);
    generator.is_some_and(|generator| generator.starts_with("pygltflib@"))
}

/// Returns the matrix from each node to the scene.
pub fn globals(file: &File) -> Vec<Affine> {
    let nodes = file.nodes.iter();
    let locals = nodes.map(|node| rigy_gltf::local_matrix(&node.transform));
    rigy_gltf::global_matrices(&file.nodes, &file.order, locals.collect())
}

/// Returns the nodes with a mesh of the scene that the file shows, or of all if it has no scene, without those that are hidden as
/// the file stores it; in file order.
pub fn shown_nodes(file: &File) -> Vec<usize> {
    without_hidden(file, |node| file.is_visible(node))
}

/// Returns the nodes that [`shown_nodes`] returns, and those that an animation may show.
pub fn nodes_shown_at_times(file: &File) -> Vec<usize> {
    let keys = file.animations.iter().flat_map(|animation| &animation.keys);
    let animated: HashSet<usize> = keys
        .filter(|keys| keys.property == Property::Visibility)
        .map(|keys| keys.node)
        .collect();
    without_hidden(file, |node| {
        file.is_visible(node) || animated.contains(&node)
    })
}

fn without_hidden(file: &File, is_visible: impl Fn(usize) -> bool) -> Vec<usize> {
    let hidden = file.hidden_nodes(is_visible);
    let mut nodes = nodes_of_scene(file);
    nodes.retain(|node| !hidden[*node]);
    nodes
}

/// The nodes with a mesh of the scene that the file shows, hidden ones too.
fn nodes_of_scene(file: &File) -> Vec<usize> {
    let scene = file.scenes.get(file.scene.unwrap_or(0));
    let mut is_shown = vec![scene.is_none(); file.nodes.len()];
    scene
        .iter()
        .flat_map(|scene| &scene.nodes)
        .for_each(|root| is_shown[*root] = true);
    for &node in &file.order {
        let parent = file.nodes[node].parent;
        is_shown[node] |= parent.is_some_and(|parent| is_shown[parent]);
    }
    file.nodes
        .iter()
        .zip(is_shown)
        .enumerate()
        .filter(|(_, (node, is_shown))| *is_shown && node.mesh.is_some())
        .map(|(index, _)| index)
        .collect()
}

/// Returns the triangles of a list, strip or fan; points and lines have none.
pub fn triangles(file: &File, primitive: &rigy_gltf::Primitive) -> Vec<[u32; 3]> {
    let accessor = primitive.indices.and_then(|index| file.accessor(index));
    let indices: Vec<u32> = match accessor {
        Some(accessor) => {
            let mut indices = vec![0; accessor.count()];
            accessor.copy_u32(0, indices.as_chunks_mut::<1>().0);
            indices
        }
        None => (0..primitive.vertex_count as u32).collect(),
    };
    match primitive.mode {
        4 => indices.as_chunks().0.to_vec(),
        5 => indices
            .windows(3)
            .enumerate()
            .map(|(index, corners)| match index % 2 {
                0 => [corners[0], corners[1], corners[2]],
                _ => [corners[1], corners[0], corners[2]],
            })
            .collect(),
        6 => {
            let centre = indices.first().copied().unwrap_or(0);
            indices
                .get(1..)
                .unwrap_or_default()
                .windows(2)
                .map(|rim| [centre, rim[0], rim[1]])
                .collect()
        }
        _ => Vec::new(),
    }
}
