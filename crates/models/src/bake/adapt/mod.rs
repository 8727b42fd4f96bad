//! Adapting extensions that refer to what a bake removes: morph targets, meshes of skinned nodes, and joints that have nothing
//! to move (`bake.md` §6).
//!
//! In: the edited tree, with the nodes of the output and the extensions of the input. Out: the same tree without the entries
//! that no longer hold, and a warning (W15) for each extension that has lost some. Extensions that are not known here stay
//! as they are.

mod lods;
mod node_references;
mod removed;
mod vrm;

use super::meshes::BakedMeshes;
use super::single_root::{SINGLE_ROOT, has_flag};
use node_references::renumber_nodes;
pub(super) use node_references::{has_unknown_extension, nodes_in_extensions};
use removed::Removed;
use rigy_gltf::File;
use rigy_gltf::json::Value;
use rigy_language::base::diag::Diagnostic;

/// Adapts the extensions of an edited tree. Returns the warnings.
pub(super) fn adapt(
    tree: &mut Value<'_>,
    file: &File<'_>,
    meshes: &BakedMeshes,
) -> Vec<Diagnostic> {
    let mut removed = Removed::default();
    if has_flag(file) && meshes.root.is_none() && meshes.shows_instances() {
        remove_flag(tree, &mut removed);
    }
    // Nodes are numbered anew later; here only references that lead nowhere are removed.
    let count = file.nodes.len() as u64;
    renumber_nodes(tree, &|node| (node < count).then_some(node), &mut removed);
    vrm::adapt(tree, file, meshes, &mut removed);
    lods::remove_moved(tree, file, meshes, &mut removed);
    removed.into_warnings(&file.name)
}

/// Removes the flag that there is one root node.
fn remove_flag(tree: &mut Value<'_>, removed: &mut Removed) {
    for key in ["extensionsUsed", "extensionsRequired"] {
        if let Some(names) = tree.get_mut(key).and_then(Value::elements_mut) {
            names.retain(|name| name.as_str() != Some(SINGLE_ROOT));
        }
    }
    removed.add(
        SINGLE_ROOT,
        "the flag, because baked meshes are root nodes of their own".into(),
    );
}

/// Gives nodes new numbers in the known extensions of a tree; no reference is to a node that is gone.
pub(super) fn renumber(tree: &mut Value<'_>, new_number: &dyn Fn(u64) -> Option<u64>) {
    renumber_nodes(tree, new_number, &mut Removed::default());
}
