//! Adapting extensions that refer to what a bake removes: morph targets, meshes of skinned nodes, and joints that have nothing
//! to move (`bake.md` §6).
//!
//! In: the edited tree, with the nodes of the output and the extensions of the input. Out: the same tree without the entries
//! that no longer hold, and a warning (W15) for each extension that has lost some. Extensions that are not known here stay
//! as they are.

pub mod node_references;
pub mod removed;

use super::edit::remove_extension;
use super::meshes::{BakedMeshes, SINGLE_ROOT, has_flag};
use node_references::renumber_nodes;
use removed::{Names, Removed};
use rigy_base::diag::Diagnostic;
use rigy_base::maps::HashMap;
use rigy_gltf::File;
use rigy_gltf::json::Value;

pub(super) use node_references::{has_unknown_extension, nodes_in_extensions};

/// Adapts the extensions of an edited tree. Returns the warnings.
pub(super) fn adapt(tree: &mut Value, file: &File, meshes: &BakedMeshes) -> Vec<Diagnostic> {
    let mut removed = Removed::default();
    if has_flag(&file.tree) && meshes.root.is_none() && meshes.shows_instances() {
        remove_flag(tree, &mut removed);
    }
    // Nodes are numbered anew later; here only references that lead nowhere are removed.
    let count = file.nodes.len() as u64;
    renumber_nodes(tree, &|node| (node < count).then_some(node), &mut removed);
    adapt_avatars(tree, file, meshes, &mut removed);
    remove_moved_levels(tree, file, meshes, &mut removed);
    removed.into_warnings(&file.name)
}

/// Removes the flag that there is one root node.
fn remove_flag(tree: &mut Value, removed: &mut Removed) {
    for key in ["extensionsUsed", "extensionsRequired"] {
        if let Some(names) = tree.array_mut(key) {
            names.retain(|name| name.as_str() != Some(SINGLE_ROOT));
        }
    }
    removed.add(
        SINGLE_ROOT,
        "the flag, because baked meshes are root nodes of their own".into(),
    );
}

/// Gives nodes new numbers in the known extensions of a tree; no reference is to a node that is gone.
pub(super) fn renumber(tree: &mut Value, new_number: &dyn Fn(u64) -> Option<u64>) {
    renumber_nodes(tree, new_number, &mut Removed::default());
}

const LOD: &str = "MSFT_lod";

/// Removes the levels of each node if it, or one of them, has a skinned mesh at or below it: that mesh is on a root node of its
/// own now, and would be shown with the others.
fn remove_moved_levels(tree: &mut Value, file: &File, meshes: &BakedMeshes, removed: &mut Removed) {
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
        let Some(extension) = node.extension(LOD) else {
            continue;
        };
        let level = |id: &Value| has_moved.get(id.as_index()?).copied();
        let mut levels = extension.list("ids").iter();
        if *has_moved_itself || levels.any(|id| level(id) == Some(true)) {
            remove_extension(node, LOD);
            names.add(node.text("name").unwrap_or(""));
        }
    }
    removed.add_named(LOD, "the levels of the nodes", &names);
}

const VRM_0: &str = "VRM";
const VRM_1: &str = "VRMC_vrm";
const SPRINGS_1: &str = "VRMC_springBone";

/// Adapts the extensions of avatars, `VRM` (0.x), `VRMC_vrm` and `VRMC_springBone` (1.0).
///
/// Expressions keep their materials and lose their morph targets. First-person annotations follow their meshes. Spring bones go
/// if there is a skin, because the joints that they move have nothing to move any more. The humanoid stays: its nodes stand as
/// they were sampled.
fn adapt_avatars(tree: &mut Value, file: &File, meshes: &BakedMeshes, removed: &mut Removed) {
    let has_joints = !meshes.skinned.is_empty();
    if let Some(vrm) = extension(tree, VRM_0) {
        let names = unbind_groups(vrm);
        removed.add_named(VRM_0, "the morph targets of", &names);
        annotate_copies(vrm, file, meshes);
        if has_joints {
            let names = empty_springs(vrm);
            removed.add_named(VRM_0, "the spring bones of", &names);
        }
    }
    if let Some(vrm) = extension(tree, VRM_1) {
        let names = unbind_expressions(vrm);
        removed.add_named(VRM_1, "the morph targets of", &names);
        follow_meshes(vrm, file, meshes);
    }
    if has_joints && let Some(springs) = extension(tree, SPRINGS_1) {
        let names = names_of(springs.list("springs"), "name");
        remove_extension(tree, SPRINGS_1);
        removed.add(
            SPRINGS_1,
            "all of it, because the joints have nothing to move".into(),
        );
        removed.add_named(SPRINGS_1, "the springs", &names);
    }
}

/// An extension of the file as a whole.
fn extension<'t, 'a>(tree: &'t mut Value<'a>, name: &str) -> Option<&'t mut Value<'a>> {
    tree.get_mut("extensions")?.get_mut(name)
}

/// The names of objects, which are their members `key`.
fn names_of(list: &[Value], key: &str) -> Names {
    let mut names = Names::default();
    for object in list {
        names.add(object.text(key).unwrap_or(""));
    }
    names
}

/// Empties the lists of morph targets of VRM 0.x. Returns the names of the groups that had some.
fn unbind_groups(vrm: &mut Value) -> Names {
    let mut names = Names::default();
    let master = vrm.get_mut("blendShapeMaster");
    for group in master.map_or(&mut [][..], |master| master.list_mut("blendShapeGroups")) {
        let binds = group.array_mut("binds");
        if binds.is_some_and(|binds| !std::mem::take(binds).is_empty()) {
            names.add(group.text("name").unwrap_or(""));
        }
    }
    names
}

/// Removes the morph targets of expressions of VRM 1.0. Returns the names of those that had some.
fn unbind_expressions(vrm: &mut Value) -> Names {
    let mut names = Names::default();
    for kind in ["preset", "custom"] {
        let expressions = vrm.get_mut("expressions").and_then(|all| all.get_mut(kind));
        let Some(Value::Object(expressions)) = expressions else {
            continue;
        };
        for (name, expression) in expressions {
            if expression.remove("morphTargetBinds").is_some() {
                names.add(name);
            }
        }
    }
    names
}

/// Empties the springs of VRM 0.x. Returns the comments by which its groups are known.
fn empty_springs(vrm: &mut Value) -> Names {
    let Some(springs) = vrm.get_mut("secondaryAnimation") else {
        return Names::default();
    };
    let names = names_of(springs.list("boneGroups"), "comment");
    for key in ["boneGroups", "colliderGroups"] {
        if let Some(list) = springs.array_mut(key) {
            list.clear();
        }
    }
    names
}

/// Largest [`Value::size`] of an annotation that is repeated, so that the output is not much longer than the input. The members
/// that VRM 0.x has come to 5.
const LARGEST_ANNOTATION: usize = 16;

/// Gives first-person annotations of VRM 0.x, which are about meshes, to the additional meshes that were made of the same mesh.
fn annotate_copies(vrm: &mut Value, file: &File, meshes: &BakedMeshes) {
    let annotations = vrm
        .get_mut("firstPerson")
        .and_then(|all| all.get_mut("meshAnnotations"));
    let Some(annotations) = annotations.and_then(Value::elements_mut) else {
        return;
    };
    let mut of_meshes: HashMap<u64, Value> = HashMap::default();
    for annotation in annotations
        .iter()
        .filter(|annotation| annotation.size() <= LARGEST_ANNOTATION)
    {
        if let Some(mesh) = annotation.get("mesh").and_then(Value::as_u64) {
            of_meshes.entry(mesh).or_insert_with(|| annotation.clone());
        }
    }
    for (index, mesh) in meshes.list.iter().enumerate().skip(file.meshes.len()) {
        if let Some(annotation) = of_meshes.get(&(mesh.source as u64)) {
            let mut annotation = annotation.clone();
            annotation.set("mesh", index);
            annotations.push(annotation);
        }
    }
}

/// Makes first-person annotations of VRM 1.0, which are about nodes, follow the meshes to their new nodes.
fn follow_meshes(vrm: &mut Value, file: &File, meshes: &BakedMeshes) {
    let Some(first_person) = vrm.get_mut("firstPerson") else {
        return;
    };
    for annotation in first_person.list_mut("meshAnnotations") {
        let node = annotation.get("node").and_then(Value::as_index);
        let place = node.and_then(|node| meshes.skinned.binary_search(&node).ok());
        if let Some(place) = place {
            let instance = file.nodes.len() + place;
            annotation.set("node", instance);
        }
    }
}
