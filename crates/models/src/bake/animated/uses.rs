//! The meshes of an animated file, with the nodes that show them and the streams that they have.

use super::contents::{Contents, Place};
use crate::bake::prepared::Prepared;
use rigy_gltf::json::Value;
use rigy_gltf::{ElementType, File};

/// A mesh of the output that nodes show and that has attributes which are evaluated.
pub(super) struct MeshUse {
    /// Index of the mesh in the output.
    pub mesh: usize,
    /// Indices of the nodes that show it.
    pub nodes: Vec<usize>,
    /// Its primitives.
    pub primitives: Vec<PrimitiveUse>,
}

/// A primitive of such a mesh.
pub(super) struct PrimitiveUse {
    /// Number of vertices.
    pub vertex_count: usize,
    /// Its attributes that are evaluated.
    pub parts: Vec<PartUse>,
}

/// An attribute that is evaluated.
pub(super) struct PartUse {
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
        let parts = self
            .primitives
            .iter()
            .flat_map(|primitive| &primitive.parts);
        let places = parts.map(|part| part.place);
        places.filter(|place| contents.changes(*place)).collect()
    }
}

/// Finds the meshes of a prepared output that are evaluated, in the order of meshes.
pub(super) fn mesh_uses(file: &File<'_>, prepared: &Prepared<'_>) -> Vec<MeshUse> {
    let tree = &prepared.layout.tree;
    let meshes = tree.list("meshes");
    let mut nodes = vec![Vec::new(); meshes.len()];
    for (index, node) in tree.list("nodes").iter().enumerate() {
        let mesh = node.get("mesh").and_then(Value::as_index);
        if let Some(nodes) = mesh.and_then(|mesh| nodes.get_mut(mesh)) {
            nodes.push(index);
        }
    }
    let streams = prepared.streams.iter().enumerate();
    let places: Vec<Place> = streams
        .flat_map(|(stream, from)| (0..from.parts.len()).map(move |part| (stream, part)))
        .collect();
    let part = |name: &str, accessor: &Value<'_>| {
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
            let attributes = tree.get("attributes").map_or(&[][..], Value::members);
            let parts = attributes.iter();
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
