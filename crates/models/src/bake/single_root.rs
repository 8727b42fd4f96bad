//! The flag by which a file says that each of its scenes has one root node.
//!
//! Godot writes it and, where it finds it, makes the root node the root of the imported scene. Baked meshes become children of
//! that node if its global matrix is the identity, so that their vertices stand where they would as roots; otherwise the flag goes.
//! An inverse transform on the new nodes would not do: f32 products of a matrix and its inverse are not the identity.

use rigy_gltf::json::Value;
use rigy_gltf::{File, Skeleton};
use rigy_kernel::math::IDENTITY;

/// The flag, which stands in `extensionsUsed` alone.
pub(super) const SINGLE_ROOT: &str = "GODOT_single_root";

/// Returns true if a file has the flag.
pub(super) fn has_flag(file: &File<'_>) -> bool {
    let mut used = file.tree.list("extensionsUsed").iter();
    used.any(|name| name.as_str() == Some(SINGLE_ROOT))
}

/// Returns the node that takes the baked meshes of a file with the flag: the only root of all scenes that show skinned nodes, if its
/// global matrix is the identity. `shown` has the skinned nodes that each scene shows.
pub(super) fn single_root(
    file: &File<'_>,
    shown: &[Vec<usize>],
    skeleton: &Skeleton<'_>,
) -> Option<usize> {
    if !has_flag(file) {
        return None;
    }
    let scenes = file.scenes.iter().zip(shown);
    let mut scenes = scenes.filter(|(_, shown)| !shown.is_empty());
    let [root] = scenes.next()?.0.nodes[..] else {
        return None;
    };
    let is_root = file.nodes[root].parent.is_none();
    let fits = is_root && skeleton.globals[root] == IDENTITY;
    let is_only = scenes.all(|(scene, _)| scene.nodes == [root]);
    (fits && is_only).then_some(root)
}

/// Adds nodes to the children of a node.
pub(super) fn add_children<'a>(node: &mut Value<'a>, indices: impl Iterator<Item = usize>) {
    let indices = indices.map(|index| Value::integer(index as u64));
    match node.get_mut("children").and_then(Value::elements_mut) {
        Some(children) => children.extend(indices),
        None => node.set("children", Value::Array(indices.collect())),
    }
}
