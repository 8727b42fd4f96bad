//! What is evaluated: one stream of vertices for each tuple of attributes that something deforms.

use std::collections::{HashMap, HashSet};

use super::uses::{BakedMesh, Uses};
use crate::bake::gltf::{ElementType, File, Primitive, Problem};

/// Vertices that are evaluated together, from the first to the last.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    /// What is done to them.
    pub kind: Kind,
    /// Weights of the morph targets.
    pub weights: Vec<f64>,
    /// Mesh and primitive, both of the input, that have these attributes; the first is evaluated.
    pub users: Vec<(usize, usize)>,
    /// Number of vertices.
    pub vertex_count: usize,
    /// What comes out.
    pub parts: Vec<Part>,
}

/// What is done to vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Morphed, then moved by a skin; the parts are POSITION and, where they are there, NORMAL and TANGENT.
    Skinned(usize),
    /// Only morphed; the part is any one attribute.
    Morphed,
}

/// An attribute that comes out of a stream.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Its name.
    pub name: String,
    /// What its elements are; their components are f32.
    pub element: ElementType,
    /// Which of the new accessors it is.
    pub accessor: usize,
}

/// All streams of a file.
#[derive(Default)]
pub(super) struct Streams {
    /// In the order of meshes and primitives.
    pub list: Vec<Stream>,
    /// Number of new accessors.
    pub accessor_count: usize,
    /// For each mesh of the output and each of its primitives: attributes that are replaced, and by which of the new
    /// accessors.
    pub replaced: Vec<Vec<Vec<(String, usize)>>>,
    known: HashMap<Key, usize>,
    users: HashSet<(usize, (usize, usize))>,
}

/// Most pairs of attributes, of a primitive and of its morph targets, that are looked at in all meshes of the output.
const MOST: usize = 1 << 28;

/// Most vectors that are added up in all streams: more than a file of 4 GiB can hold, below what a short one could ask
/// for by using one accessor for many morph targets or sets of influences.
const MOST_TERMS: usize = 1 << 32;

/// Attributes that a skin moves.
pub(super) const FRAME: [&str; 3] = ["POSITION", "NORMAL", "TANGENT"];

impl Stream {
    /// Vectors that are added up: for each vertex one for each morph target that counts and each set of influences.
    fn terms(&self, file: &File<'_>) -> usize {
        let (mesh, primitive) = self.users[0];
        let sets = match self.kind {
            Kind::Skinned(_) => file.meshes[mesh].primitives[primitive].influence_sets,
            Kind::Morphed => 0,
        };
        let targets = self.weights.iter().filter(|weight| **weight != 0.0).count();
        let of_vertex = targets
            .saturating_mul(self.parts.len())
            .saturating_add(sets);
        self.vertex_count.saturating_mul(of_vertex)
    }
}

impl Streams {
    /// The streams of all meshes of the output.
    ///
    /// # Errors
    /// A file in which finding them would take too long.
    pub fn new(file: &File<'_>, uses: &Uses) -> Result<Self, Problem> {
        let sources = uses.meshes.iter().map(|mesh| &file.meshes[mesh.source]);
        let pairs = sources.flat_map(|mesh| &mesh.primitives).map(|primitive| {
            let of_targets: usize = primitive
                .targets
                .iter()
                .map(|target| 1 + target.len())
                .sum();
            primitive.attributes.len().saturating_mul(1 + of_targets)
        });
        if pairs.fold(0, usize::saturating_add) > MOST {
            let message = format!("attributes and morph targets make more than {MOST} pairs");
            return Err(Problem::rule(&"meshes", message));
        }
        let mut streams = Self::default();
        for mesh in &uses.meshes {
            let primitives = file.meshes[mesh.source].primitives.iter().enumerate();
            let replaced = primitives.map(|(index, _)| streams.primitive(file, mesh, index));
            let replaced = replaced.collect();
            streams.replaced.push(replaced);
        }
        let terms = streams.list.iter().map(|stream| stream.terms(file));
        if terms.fold(0, usize::saturating_add) > MOST_TERMS {
            let message = format!(
                "morph targets and influences of all vertices come to more than {MOST_TERMS} terms"
            );
            return Err(Problem::rule(&"meshes", message));
        }
        Ok(streams)
    }

    /// What is replaced in a primitive.
    fn primitive(
        &mut self,
        file: &File<'_>,
        mesh: &BakedMesh,
        index: usize,
    ) -> Vec<(String, usize)> {
        let primitive = &file.meshes[mesh.source].primitives[index];
        let user = (mesh.source, index);
        let mut replaced = Vec::new();
        if let Some(skin) = mesh.skin {
            let present = FRAME
                .into_iter()
                .filter(|name| primitive.attribute(name).is_some());
            let names: Vec<&str> = present.collect();
            replaced.extend(self.stream(file, user, Kind::Skinned(skin), &mesh.weights, &names));
        }
        for (name, _) in &primitive.attributes {
            let is_skinned = mesh.skin.is_some() && FRAME.contains(&&**name);
            if !is_skinned && is_morphed(primitive, name, &mesh.weights) {
                replaced.extend(self.stream(file, user, Kind::Morphed, &mesh.weights, &[name]));
            }
        }
        replaced
    }

    /// The stream of some attributes of a primitive, if need be a new one.
    fn stream(
        &mut self,
        file: &File<'_>,
        user: (usize, usize),
        kind: Kind,
        weights: &[f64],
        names: &[&str],
    ) -> Vec<(String, usize)> {
        let primitive = &file.meshes[user.0].primitives[user.1];
        let key = key(primitive, kind, weights, names);
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
                weights: weights.to_vec(),
                users: Vec::new(),
                vertex_count: primitive.vertex_count,
                parts: names.iter().map(part).collect(),
            });
            self.list.len() - 1
        });
        let stream = &mut self.list[number];
        if self.users.insert((number, user)) {
            stream.users.push(user);
        }
        let parts = stream.parts.iter();
        parts
            .map(|part| (part.name.clone(), part.accessor))
            .collect()
    }
}

/// Whether a morph target that counts has something to say about an attribute. Nothing morphs influences.
fn is_morphed(primitive: &Primitive, name: &str, weights: &[f64]) -> bool {
    if is_influence(name) {
        return false;
    }
    let mut targets = weights.iter().enumerate();
    targets.any(|(target, weight)| {
        *weight != 0.0 && primitive.target_attribute(target, name).is_some()
    })
}

/// Whether an attribute says which joints move a vertex, or how much.
pub(super) fn is_influence(name: &str) -> bool {
    name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_")
}

/// Everything that decides what comes out of a stream.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    kind: Kind,
    attributes: Vec<AttributeKey>,
    /// Joints and weights of a skinned primitive.
    influences: Vec<(usize, usize)>,
}

/// An attribute's name, its accessor, and accessors and weights of the targets that count.
type AttributeKey = (String, Option<usize>, Vec<(usize, u64)>);

fn key(primitive: &Primitive, kind: Kind, weights: &[f64], names: &[&str]) -> Key {
    let attribute = |name: &&str| {
        let target = |(target, weight): (usize, &f64)| {
            let accessor = primitive.target_attribute(target, name)?;
            (*weight != 0.0).then_some((accessor, weight.to_bits()))
        };
        let targets = weights.iter().enumerate().filter_map(target).collect();
        ((*name).to_owned(), primitive.attribute(name), targets)
    };
    Key {
        kind,
        attributes: names.iter().map(attribute).collect(),
        influences: match kind {
            Kind::Skinned(_) => primitive.influences(),
            Kind::Morphed => Vec::new(),
        },
    }
}
