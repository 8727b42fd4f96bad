//! The contents of an animated file: the times of its frames, which frames are equal, bit for bit, and the meshes that show them.

use super::clip::too_much;
use super::frames::Frame;
use crate::bake::baker::Prepared;
use crate::bake::made::little_endian;
use crate::bake::streams::Stream;
use rigy_base::maps::HashMap;
use rigy_gltf::json::Value;
use rigy_gltf::{ElementType, File, Problem};

/// The times of the frames as the file has them: in seconds from the first frame, in single precision.
pub struct Timeline {
    /// One for each frame, strictly ascending from 0.
    pub times: Vec<f32>,
}

impl Timeline {
    /// Makes the times of frames.
    ///
    /// # Errors
    /// If there are none, or two of them are one number in single precision.
    pub fn new(times: &[f64]) -> Result<Self, Problem> {
        let Some(first) = times.first() else {
            return Err(Problem::rule(&"animations", "there is no frame to bake"));
        };
        let times: Vec<f32> = times.iter().map(|time| (time - first) as f32).collect();
        let is_later = |pair: &[f32]| pair[0] < pair[1] && pair[1].is_finite();
        if !(times[0] == 0.0 && times.windows(2).all(is_later)) {
            let message = "the times of the frames are too close together, or too far apart, for single precision";
            return Err(too_much(message.into()));
        }
        Ok(Self { times })
    }

    /// Returns how far frame `at` is on the way from frame `from` to frame `to`, from 0 to 1.
    pub fn part(&self, from: usize, at: usize, to: usize) -> f64 {
        let [from, at, to] = [from, at, to].map(|frame| f64::from(self.times[frame]));
        (at - from) / (to - from)
    }

    /// Returns the times of some frames.
    pub fn of(&self, frames: &[usize]) -> Vec<f32> {
        frames.iter().map(|frame| self.times[*frame]).collect()
    }
}

/// A part of a stream: the index of the stream, and that of the part in the stream.
pub type Place = (usize, usize);

/// The places of all parts of streams, in order.
pub fn places(streams: &[Stream]) -> impl Iterator<Item = Place> {
    let streams = streams.iter().enumerate();
    streams.flat_map(|(stream, from)| (0..from.parts.len()).map(move |part| (stream, part)))
}

/// For each part of each stream, which frames have the same numbers.
pub struct Contents {
    /// For each stream, part and frame, the first frame with the same bits.
    first_equal: Vec<Vec<Vec<usize>>>,
}

impl Contents {
    /// Compares all frames.
    pub fn new(frames: &[Frame]) -> Self {
        let streams = frames.first().map_or(&[][..], |frame| &frame.vertices);
        let of_part = |place| {
            let mut known = HashMap::with_capacity_and_hasher(frames.len(), Default::default());
            let equal =
                (0..frames.len()).map(|index| first_equal(frames, place, index, &mut known));
            equal.collect()
        };
        Self {
            first_equal: streams
                .iter()
                .enumerate()
                .map(|(stream, parts)| {
                    let parts = 0..parts.len();
                    parts.map(|part| of_part((stream, part))).collect()
                })
                .collect(),
        }
    }

    /// Returns the first frame that is equal to `frame` in a part.
    pub fn of(&self, (stream, part): Place, frame: usize) -> usize {
        self.first_equal[stream][part][frame]
    }

    /// Returns true if a part is not the same in all frames.
    pub fn changes(&self, (stream, part): Place) -> bool {
        self.first_equal[stream][part]
            .iter()
            .any(|first| *first != 0)
    }

    /// Returns for each of `frames` the position in the list of the first one that is equal to it in all `parts`.
    pub fn of_all(&self, parts: &[Place], frames: &[usize]) -> Vec<usize> {
        let mut known: HashMap<Vec<usize>, usize> = HashMap::default();
        frames
            .iter()
            .enumerate()
            .map(|(position, frame)| {
                let key = parts.iter().map(|part| self.of(*part, *frame)).collect();
                *known.entry(key).or_insert(position)
            })
            .collect()
    }
}

/// Returns the first frame whose bits are those of frame `index` in a part. `known` has the first frame of each digest; where others
/// have the same digest, they take the next one that is free.
fn first_equal(
    frames: &[Frame],
    (stream, part): Place,
    index: usize,
    known: &mut HashMap<u64, usize>,
) -> usize {
    let bits = |frame: usize| little_endian(&frames[frame].vertices[stream][part]);
    let mut digest = frames[index].digests[stream][part];
    loop {
        let first = *known.entry(digest).or_insert(index);
        if first == index || bits(first) == bits(index) {
            return first;
        }
        digest = digest.wrapping_add(1);
    }
}

/// A mesh of the output that nodes show and that has attributes which are evaluated.
pub struct MeshUse {
    /// Index of the mesh in the output.
    pub mesh: usize,
    /// Indices of the nodes that show it.
    pub nodes: Vec<usize>,
    /// Its primitives.
    pub primitives: Vec<PrimitiveUse>,
}

/// A primitive of such a mesh.
pub struct PrimitiveUse {
    /// Number of vertices.
    pub vertex_count: usize,
    /// Its attributes that are evaluated.
    pub parts: Vec<PartUse>,
}

/// An attribute that is evaluated.
pub struct PartUse {
    /// Name of the attribute.
    pub name: String,
    /// Type of its elements.
    pub element: ElementType,
    /// The part of a stream that gives it its numbers.
    pub place: Place,
}

impl MeshUse {
    /// Returns the parts of streams that change, of all primitives.
    pub fn changing(&self, contents: &Contents) -> Vec<Place> {
        self.primitives
            .iter()
            .flat_map(|primitive| &primitive.parts)
            .map(|part| part.place)
            .filter(|place| contents.changes(*place))
            .collect()
    }
}

/// Finds the meshes of a prepared output that are evaluated, in the order of meshes.
pub fn mesh_uses(file: &File, prepared: &Prepared) -> Vec<MeshUse> {
    let tree = &prepared.layout.tree;
    let meshes = tree.list("meshes");
    let mut nodes = vec![Vec::new(); meshes.len()];
    for (index, node) in tree.list("nodes").iter().enumerate() {
        let mesh = node.get("mesh").and_then(Value::as_index);
        if let Some(nodes) = mesh.and_then(|mesh| nodes.get_mut(mesh)) {
            nodes.push(index);
        }
    }
    let places: Vec<Place> = places(&prepared.streams).collect();
    let part = |name: &str, accessor: &Value| {
        let number = accessor.as_index()?;
        let place = *places.get(number.checked_sub(prepared.layout.first_part)?)?;
        Some(PartUse {
            name: name.to_owned(),
            element: prepared.streams[place.0].parts[place.1].element,
            place,
        })
    };
    let mut uses = Vec::new();
    for (mesh, nodes) in nodes.into_iter().enumerate() {
        let source = &file.meshes[prepared.meshes.list[mesh].source];
        let trees = meshes[mesh].list("primitives").iter();
        let primitives = trees.zip(&source.primitives).map(|(tree, primitive)| {
            let parts = tree
                .get("attributes")
                .map_or(&[][..], Value::members)
                .iter();
            PrimitiveUse {
                vertex_count: primitive.vertex_count,
                parts: parts
                    .filter_map(|(name, accessor)| part(name, accessor))
                    .collect(),
            }
        });
        let primitives: Vec<PrimitiveUse> = primitives.collect();
        let is_evaluated = primitives
            .iter()
            .any(|primitive| !primitive.parts.is_empty());
        if !nodes.is_empty() && is_evaluated {
            uses.push(MeshUse {
                mesh,
                nodes,
                primitives,
            });
        }
    }
    uses
}
