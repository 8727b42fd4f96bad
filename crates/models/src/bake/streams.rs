//! The streams of vertices that are evaluated: one for each distinct group of attributes that joints or morph targets
//! deform.

use super::batch::{Kept, MOST_KEPT};
use super::meshes::{BakedMesh, BakedMeshes};
use super::pivot::Pivot;
use rigy_base::maps::{HashMap, HashSet};
use rigy_base::meter::{Cost, Meter, Overspent};
use rigy_gltf::{ElementType, File, Primitive};
use rigy_kernel::Influences;

/// All vertices of some attributes of a primitive, deformed in one way.
pub struct Stream {
    /// The kind of deformation.
    pub kind: Kind,
    /// Weights of the morph targets.
    pub weights: Vec<f64>,
    /// The node whose weights it follows over time, if there is one.
    pub follows: Option<usize>,
    /// The mesh of the output whose origin its positions are relative to; `None` if that is the world's.
    pub pivot_of: Option<usize>,
    /// The primitives of the input that have these attributes, as indices of mesh and primitive; the first of them is
    /// evaluated.
    pub users: Vec<(usize, usize)>,
    /// Number of vertices.
    pub vertex_count: usize,
    /// The resulting attributes.
    pub parts: Vec<Part>,
    /// Its vertices, if they are kept.
    pub kept: Kept,
}

/// The kind of deformation of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Morph targets, then the skin of this index. The parts are POSITION and, if they are wanted and the primitive has them,
    /// NORMAL and TANGENT.
    Skinned(usize),
    /// Morph targets only. The only part is any one attribute.
    Morphed,
}

/// A resulting attribute of a stream.
pub struct Part {
    /// Name of the attribute.
    pub name: String,
    /// Type of its elements; their components are f32.
    pub element: ElementType,
    /// Index among the new accessors.
    pub accessor: usize,
}

/// All streams of a file.
#[derive(Default)]
pub struct Streams {
    /// In the order of meshes and primitives.
    pub list: Vec<Stream>,
    /// Number of new accessors.
    pub accessor_count: usize,
    /// For each mesh of the output and each of its primitives: the names of the attributes that are replaced, with the
    /// index of their replacement among the new accessors.
    pub replaced: Vec<Vec<Vec<(String, usize)>>>,
    /// Index in `list` of the stream of each key.
    known: HashMap<Key, usize>,
    /// All pairs of a stream's index in `list` and one of its users.
    users: HashSet<(usize, (usize, usize))>,
}

/// Attributes that a skin moves.
pub const FRAME: [&str; 3] = ["POSITION", "NORMAL", "TANGENT"];

impl Stream {
    /// The number of vectors that are added up: for each vertex and part one for each morph target of non-zero
    /// weight, and for each vertex one for each set of influences.
    fn terms(&self, file: &File) -> u64 {
        let (mesh, primitive) = self.users[0];
        let sets = match self.kind {
            Kind::Skinned(_) => file.meshes[mesh].primitives[primitive].influences.len(),
            Kind::Morphed => 0,
        };
        let per_vertex = self
            .weights
            .iter()
            .filter(|weight| **weight != 0.0)
            .count()
            .saturating_mul(self.parts.len())
            .saturating_add(sets);
        (self.vertex_count as u64).saturating_mul(per_vertex as u64)
    }
}

impl Streams {
    /// Makes places to keep the vertices that joints move and no morph target does, as long as there is room.
    pub fn keep_vertices(&mut self, file: &File) {
        let mut room = MOST_KEPT;
        for stream in &mut self.list {
            let (mesh, primitive) = stream.users[0];
            let primitive = &file.meshes[mesh].primitives[primitive];
            let vectors = 3 * size_of::<f64>() * stream.parts.len();
            let bytes = vectors + Influences::SET_BYTES * primitive.influences.len();
            let bytes = bytes.saturating_mul(stream.vertex_count);
            let is_skinned = matches!(stream.kind, Kind::Skinned(_));
            if is_skinned && primitive.targets.is_empty() && bytes <= room {
                room -= bytes;
                stream.kept = Kept::of(stream.vertex_count);
            }
        }
    }

    /// Finds the streams of all meshes of the output.
    ///
    /// # Errors
    /// If finding or evaluating them takes too much work: a short file may use one accessor for many morph targets or sets of
    /// influences.
    pub fn new(
        file: &File,
        meshes: &BakedMeshes,
        pivot: Pivot,
        meter: &mut Meter,
    ) -> Result<Self, Overspent> {
        let sources = meshes.list.iter().map(|mesh| &file.meshes[mesh.source]);
        let pairs = sources.flat_map(|mesh| &mesh.primitives).map(|primitive| {
            let of_targets: usize = primitive
                .targets
                .iter()
                .map(|target| 1 + target.len())
                .sum();
            primitive.attributes.len().saturating_mul(1 + of_targets)
        });
        meter.spend(Cost::Pairs, pairs.fold(0, usize::saturating_add) as u64)?;
        let mut streams = Self::default();
        for (number, mesh) in meshes.list.iter().enumerate() {
            let primitives = file.meshes[mesh.source].primitives.iter().enumerate();
            let pivot_of = (pivot != Pivot::Origin).then_some(number);
            let replaced =
                primitives.map(|(index, _)| streams.add_primitive(file, mesh, index, pivot_of));
            let replaced = replaced.collect();
            streams.replaced.push(replaced);
        }
        let terms = streams.list.iter().map(|stream| stream.terms(file));
        meter.spend(Cost::Terms, terms.fold(0, u64::saturating_add))?;
        Ok(streams)
    }

    /// Adds the streams of primitive `index` of a mesh; `pivot_of` is its number if it has an origin of its own. Returns the names of the attributes that are replaced, with the
    /// index of their replacement among the new accessors.
    fn add_primitive(
        &mut self,
        file: &File,
        mesh: &BakedMesh,
        index: usize,
        pivot_of: Option<usize>,
    ) -> Vec<(String, usize)> {
        let primitive = &file.meshes[mesh.source].primitives[index];
        let user = (mesh.source, index);
        let mut replaced = Vec::new();
        if let Some(skin) = mesh.skin {
            let names: Vec<&str> = FRAME
                .into_iter()
                .filter(|name| primitive.attribute(name).is_some())
                .collect();
            // A primitive without positions is not drawn, and has no streams.
            if !names.is_empty() {
                let skinned = (Kind::Skinned(skin), pivot_of);
                replaced.extend(self.add(file, user, skinned, mesh, &names));
            }
        }
        for (name, _) in &primitive.attributes {
            let is_skinned = mesh.skin.is_some() && FRAME.contains(&&**name);
            if !is_skinned && !is_influence(name) && primitive.is_morphed(name, &mesh.weights) {
                let morphed = (Kind::Morphed, None);
                replaced.extend(self.add(file, user, morphed, mesh, &[name]));
            }
        }
        replaced
    }

    /// Adds a primitive to the stream that deforms its attributes `names` in this way, relative to the origin of this mesh if there
    /// is one. The stream is made if there is none.
    /// Returns the names and new accessors of the stream's parts.
    fn add(
        &mut self,
        file: &File,
        user: (usize, usize),
        (kind, pivot_of): (Kind, Option<usize>),
        mesh: &BakedMesh,
        names: &[&str],
    ) -> Vec<(String, usize)> {
        let primitive = &file.meshes[user.0].primitives[user.1];
        let key = Key {
            pivot_of,
            ..key(primitive, kind, mesh, names)
        };
        let number = *self.known.entry(key).or_insert_with(|| {
            let part = |name: &&str| {
                let attribute = primitive
                    .attribute(name)
                    .and_then(|index| file.accessor(index));
                let accessor = self.accessor_count;
                self.accessor_count += 1;
                Part {
                    name: (*name).to_owned(),
                    element: attribute.map_or(ElementType::Vec3, |found| found.element_type()),
                    accessor,
                }
            };
            self.list.push(Stream {
                kind,
                weights: mesh.weights.clone(),
                follows: mesh.follows,
                pivot_of,
                users: Vec::new(),
                vertex_count: primitive.vertex_count,
                parts: names.iter().map(part).collect(),
                kept: Kept::default(),
            });
            self.list.len() - 1
        });
        let stream = &mut self.list[number];
        if self.users.insert((number, user)) {
            stream.users.push(user);
        }
        stream
            .parts
            .iter()
            .map(|part| (part.name.clone(), part.accessor))
            .collect()
    }
}

/// True for the attributes with the joints and weights of vertices.
pub fn is_influence(name: &str) -> bool {
    name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_")
}

/// All inputs of a stream: streams with equal keys have equal results.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    kind: Kind,
    attributes: Vec<AttributeKey>,
    /// Accessors of joints and weights of each set of influences, if the stream is skinned.
    influences: Vec<(usize, usize)>,
    /// The node whose weights the stream follows.
    follows: Option<usize>,
    /// The mesh of the output whose origin counts, if it is not the world's.
    pivot_of: Option<usize>,
}

/// An attribute's name, its accessor, and the accessors and weights (as bits) of the morph targets of non-zero weight.
type AttributeKey = (String, Option<usize>, Vec<(usize, u64)>);

/// The key of some attributes of a primitive.
fn key(primitive: &Primitive, kind: Kind, mesh: &BakedMesh, names: &[&str]) -> Key {
    let attribute = |name: &&str| {
        let targets = mesh
            .weights
            .iter()
            .enumerate()
            .filter_map(|(target, weight)| {
                let accessor = primitive.target_attribute(target, name)?;
                (*weight != 0.0).then_some((accessor, weight.to_bits()))
            })
            .collect();
        ((*name).to_owned(), primitive.attribute(name), targets)
    };
    Key {
        kind,
        attributes: names.iter().map(attribute).collect(),
        influences: match kind {
            Kind::Skinned(_) => primitive.influences.clone(),
            Kind::Morphed => Vec::new(),
        },
        follows: mesh.follows,
        pivot_of: None,
    }
}
