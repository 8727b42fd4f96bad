//! Levels of detail (`MSFT_lod`): a node names others that are shown in its place.

use super::removed::{Names, Removed};
use crate::bake::edit::remove_extension;
use crate::bake::meshes::BakedMeshes;
use rigy_gltf::File;
use rigy_gltf::json::Value;

const LOD: &str = "MSFT_lod";

/// Removes the levels of each node if it, or one of them, has a skinned mesh at or below it: that mesh is on a root node of its
/// own now, and would be shown with the others.
pub(super) fn remove_moved(
    tree: &mut Value<'_>,
    file: &File<'_>,
    meshes: &BakedMeshes,
    removed: &mut Removed,
) {
    let mut has_moved = vec![false; file.nodes.len()];
    for &node in &meshes.skinned {
        let mut above = Some(node);
        while let Some(node) = above.filter(|node| !has_moved[*node]) {
            has_moved[node] = true;
            above = file.nodes[node].parent;
        }
    }
    let mut names = Names::default();
    for (node, has_moved_itself) in tree.list_mut("nodes").iter_mut().zip(&has_moved) {
        let extension = node.get("extensions").and_then(|all| all.get(LOD));
        let Some(extension) = extension else { continue };
        let level = |id: &Value<'_>| has_moved.get(id.as_index()?).copied();
        let mut levels = extension.list("ids").iter();
        if *has_moved_itself || levels.any(|id| level(id) == Some(true)) {
            remove_extension(node, LOD);
            names.add(node.get("name").and_then(Value::as_str).unwrap_or(""));
        }
    }
    removed.add_named(LOD, "the levels of the nodes", &names);
}
