//! Removing the nodes of a skeleton that nothing needs any more (`bake.md` §6): joints whose vertices are baked, what stands below
//! them, and nodes that only held these.
//!
//! In: the edited and adapted tree, whose nodes still have the numbers of the input. Out: the same tree without these nodes, in
//! which the others are numbered anew. A node that stays keeps all nodes above it, so it stands where it stood.

use std::collections::BTreeSet;

use super::adapt::{has_unknown_extension, nodes_in_extensions, renumber};
use super::meshes::{BakedMeshes, has_flag};
use rigy_gltf::File;
use rigy_gltf::json::{Value, object};

/// The members of a node that say only where it stands.
const OF_PLACE: [&str; 6] = [
    "name",
    "children",
    "matrix",
    "translation",
    "rotation",
    "scale",
];

/// For each node of the tree before nodes were removed, its number in the output; `None` if it has been removed.
pub type NodeNumbers = Vec<Option<usize>>;

/// The numbers of the nodes of a tree from which none is removed.
pub fn all_nodes(tree: &Value) -> NodeNumbers {
    (0..tree.list("nodes").len()).map(Some).collect()
}

/// Removes the nodes that nothing needs from an edited tree; none if extensions may refer to nodes in a way that is not known.
/// `keeps_extensions` says that the text of extensions must not change.
pub fn remove_dead(
    tree: &mut Value,
    file: &File,
    meshes: &BakedMeshes,
    keeps_extensions: bool,
) -> NodeNumbers {
    if has_unknown_extension(tree) {
        return all_nodes(tree);
    }
    let mut is_needed = vec![false; tree.list("nodes").len()];
    let in_extensions = nodes_in_extensions(tree);
    if keeps_extensions && !in_extensions.is_empty() {
        return all_nodes(tree);
    }
    for node in in_extensions.into_iter().chain(flagged_roots(tree, file)) {
        if let Some(needed) = is_needed.get_mut(node) {
            *needed = true;
        }
    }
    for (node, needed) in tree.list("nodes").iter().zip(&mut is_needed) {
        *needed |= says_something(node);
    }
    let is_dead = dead(file, meshes, &is_needed);
    if is_dead.contains(&true) {
        remove(tree, &is_dead)
    } else {
        all_nodes(tree)
    }
}

/// The roots of scenes if the tree has the flag that there is one: an empty scene would have none.
fn flagged_roots(tree: &Value, file: &File) -> Vec<usize> {
    if has_flag(tree) {
        file.scenes
            .iter()
            .flat_map(|scene| scene.nodes.clone())
            .collect()
    } else {
        Vec::new()
    }
}

/// True if a node has a member that says more than where it stands: a mesh, a camera, extensions, extras, or one that
/// is not known.
fn says_something(node: &Value) -> bool {
    let is_empty = |value: &Value| *value == object([]);
    node.members().iter().any(|(key, value)| match &**key {
        "extensions" | "extras" => !is_empty(value),
        key => !OF_PLACE.contains(&key),
    })
}

/// For each node of the output true if it is dead: it is not needed, all nodes below it are dead, and it belongs to a
/// skeleton or holds nodes that do. `is_needed` has a value for each node of the output.
fn dead(file: &File, meshes: &BakedMeshes, is_needed: &[bool]) -> Vec<bool> {
    let mut is_bone = bones(file, meshes);
    for &node in &meshes.skinned {
        is_bone[node] = true;
    }
    let mut is_dead = vec![false; is_needed.len()];
    for &node in file.order.iter().rev() {
        let children = &file.nodes[node].children;
        let belongs = is_bone[node] || !children.is_empty();
        let holds_new_nodes = meshes.root == Some(node);
        is_dead[node] = belongs
            && !is_needed[node]
            && !holds_new_nodes
            && children.iter().all(|child| is_dead[*child]);
    }
    is_dead
}

/// For each node of the input true if it is a joint of a skin that some node uses, or stands below one.
fn bones(file: &File, meshes: &BakedMeshes) -> Vec<bool> {
    let mut is_bone = vec![false; file.nodes.len()];
    let skins: BTreeSet<usize> = (meshes.skinned.iter())
        .filter_map(|node| file.nodes[*node].skin)
        .collect();
    for joint in skins.iter().flat_map(|skin| &file.skins[*skin].joints) {
        is_bone[*joint] = true;
    }
    for &node in &file.order {
        is_bone[node] |= file.nodes[node].parent.is_some_and(|above| is_bone[above]);
    }
    is_bone
}

/// Removes nodes from a tree, and the lists of children and of scenes that are empty without them.
fn remove(tree: &mut Value, is_dead: &[bool]) -> NodeNumbers {
    let mut next = 0..;
    let numbers: NodeNumbers = is_dead
        .iter()
        .map(|dead| if *dead { None } else { next.next() })
        .collect();
    let mut places = is_dead.iter();
    if let Some(nodes) = tree.array_mut("nodes") {
        nodes.retain(|_| places.next() == Some(&false));
        nodes
            .iter_mut()
            .for_each(|node| renumber_list(node, "children", &numbers));
    }
    if tree.list("nodes").is_empty() {
        tree.remove("nodes");
    }
    for scene in tree.list_mut("scenes") {
        renumber_list(scene, "nodes", &numbers);
    }
    renumber(tree, &|node| {
        numbers
            .get(usize::try_from(node).ok()?)
            .copied()
            .flatten()
            .map(|new| new as u64)
    });
    numbers
}

/// Numbers the nodes of a list anew, without those that have been removed. An empty list goes.
fn renumber_list(object: &mut Value, key: &str, numbers: &NodeNumbers) {
    let Some(list) = object.array_mut(key) else {
        return;
    };
    list.retain_mut(|value| {
        let old = value.as_index();
        let new = old.and_then(|old| *numbers.get(old)?);
        if new != old {
            *value = new.unwrap_or(0).into();
        }
        new.is_some()
    });
    if list.is_empty() {
        object.remove(key);
    }
}
