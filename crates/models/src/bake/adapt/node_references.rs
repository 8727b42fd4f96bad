//! References of known extensions to nodes, by number.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::{Names, Removed};
use crate::bake::edit::remove_extension;
use crate::bake::kept::used_in;
use rigy_gltf::json::Value;

/// A step from a value to one below it, on the way to a reference. If the node of the reference is gone, the value at the nearest
/// step above it that says so is removed.
#[derive(Clone, Copy)]
enum Step {
    /// A member of an object.
    In(&'static str),
    /// A member of an object, which is removed if the node is gone.
    OrWithout(&'static str),
    /// Each element of an array or member of an object, which is removed if the node is gone.
    Each,
    /// Each element of an array or member of an object. If one node is gone, what holds them all is removed.
    All,
}

use Step::{All, Each, In, OrWithout};

/// References in extensions of the file as a whole: the extension, and the way from its value. Bones of springs number each
/// other's places, so springs stay whole or go.
const OF_FILE: &[(&str, &[Step])] = &[
    ("VRM", &[In("humanoid"), In("humanBones"), Each, In("node")]),
    ("VRM", &[In("firstPerson"), OrWithout("firstPersonBone")]),
    (
        "VRM",
        &[
            OrWithout("secondaryAnimation"),
            In("boneGroups"),
            All,
            In("bones"),
            All,
        ],
    ),
    (
        "VRM",
        &[
            OrWithout("secondaryAnimation"),
            In("boneGroups"),
            All,
            In("center"),
        ],
    ),
    (
        "VRM",
        &[
            OrWithout("secondaryAnimation"),
            In("colliderGroups"),
            All,
            In("node"),
        ],
    ),
    (
        "VRMC_vrm",
        &[In("humanoid"), In("humanBones"), Each, In("node")],
    ),
    (
        "VRMC_vrm",
        &[In("firstPerson"), In("meshAnnotations"), Each, In("node")],
    ),
    ("VRMC_springBone", &[In("colliders"), All, In("node")]),
    ("VRMC_springBone", &[In("springs"), All, In("center")]),
    (
        "VRMC_springBone",
        &[In("springs"), All, In("joints"), All, In("node")],
    ),
    (
        "VRMC_vrm_animation",
        &[In("humanoid"), In("humanBones"), Each, In("node")],
    ),
    (
        "VRMC_vrm_animation",
        &[In("expressions"), Each, Each, In("node")],
    ),
    ("VRMC_vrm_animation", &[OrWithout("lookAt"), In("node")]),
];

/// References in extensions of nodes.
const OF_NODES: &[(&str, &[Step])] = &[
    (
        "VRMC_node_constraint",
        &[In("constraint"), All, In("source")],
    ),
    ("MSFT_lod", &[In("ids"), Each]),
];

/// Extensions that do not refer to nodes by number. A `*` at the end stands for any text.
const WITHOUT_NODES: &[&str] = &[
    "KHR_draco_mesh_compression",
    "KHR_gaussian_splatting*",
    "KHR_lights_*",
    "KHR_materials_*",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_node_visibility",
    "KHR_node_hoverability",
    "KHR_node_selectability",
    "KHR_texture_*",
    "KHR_xmp*",
    "EXT_feature_metadata",
    "EXT_instance_features",
    "EXT_lights_*",
    "EXT_materials_*",
    "EXT_mesh_*",
    "EXT_meshopt_compression",
    "EXT_structural_metadata",
    "EXT_texture_*",
    "ADOBE_materials_*",
    "AGI_articulations",
    "AGI_stk_metadata",
    "CESIUM_primitive_outline",
    "GODOT_single_root",
    "GOOGLE_texture_basis",
    "MOZ_lightmap",
    "MSFT_packing_*",
    "MSFT_texture_dds",
    "VRMC_materials_*",
];

/// Returns true if an object of the tree has an extension that may refer to nodes in a way that is not known here.
pub(in crate::bake) fn has_unknown_extension(tree: &Value<'_>) -> bool {
    let matches = |name: &str, known: &str| match known.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == known,
    };
    let renumbered = || OF_FILE.iter().chain(OF_NODES).map(|(known, _)| *known);
    let is_known = |name: &String| {
        let mut known = WITHOUT_NODES.iter().copied().chain(renumbered());
        known.any(|known| matches(name, known))
    };
    !used_in(tree.members()).iter().all(is_known)
}

/// Returns the numbers of the nodes to which known extensions of a tree refer.
pub(in crate::bake) fn nodes_in_extensions(tree: &mut Value<'_>) -> BTreeSet<usize> {
    let found = RefCell::new(BTreeSet::new());
    let note = |node: u64| {
        found.borrow_mut().extend(usize::try_from(node));
        Some(node)
    };
    renumber_nodes(tree, &note, &mut Removed::default());
    found.into_inner()
}

/// Replaces the numbers of nodes in known extensions: `new_number` returns the number of a node in the output, or `None` if the
/// node is gone. An entry whose node is gone is removed.
pub(super) fn renumber_nodes(
    tree: &mut Value<'_>,
    new_number: &dyn Fn(u64) -> Option<u64>,
    removed: &mut Removed,
) {
    for (name, path) in OF_FILE {
        let mut gone = Names::default();
        if !renumber_in(tree, (name, path), new_number, &mut gone) {
            gone.add("all");
        }
        removed.add_named(name, "entries of nodes that are not there:", &gone);
    }
    for (name, path) in OF_NODES {
        let mut gone = Names::default();
        for node in tree.list_mut("nodes") {
            if !renumber_in(node, (name, path), new_number, &mut gone) {
                gone.add(node.get("name").and_then(Value::as_str).unwrap_or(""));
            }
        }
        removed.add_named(name, "entries of nodes that are not there:", &gone);
    }
}

/// Renumbers the nodes of one extension of an object. Returns false if the extension as a whole has been removed.
fn renumber_in(
    object: &mut Value<'_>,
    (name, path): (&str, &[Step]),
    new_number: &dyn Fn(u64) -> Option<u64>,
    gone: &mut Names,
) -> bool {
    let extension = object
        .get_mut("extensions")
        .and_then(|all| all.get_mut(name));
    let Some(extension) = extension else {
        return true;
    };
    let stays = renumber(extension, path, name, new_number, gone);
    if !stays {
        remove_extension(object, name);
    }
    stays
}

/// Renumbers the nodes to which a path leads from a value. Returns false if the value is to be removed; `name` is what it is
/// called where it stands.
fn renumber(
    value: &mut Value<'_>,
    path: &[Step],
    name: &str,
    new_number: &dyn Fn(u64) -> Option<u64>,
    gone: &mut Names,
) -> bool {
    let Some((step, rest)) = path.split_first() else {
        // Numbers below zero stand for no node.
        let Some(old) = value.as_u64() else {
            return true;
        };
        let new = new_number(old);
        if let Some(new) = new.filter(|new| *new != old) {
            *value = Value::integer(new);
        }
        return new.is_some();
    };
    match (step, value) {
        (In(key), value) => match value.get_mut(key) {
            Some(member) => renumber(member, rest, key, new_number, gone),
            None => true,
        },
        (OrWithout(key), value) => {
            let member = value.get_mut(key);
            if member.is_some_and(|member| !renumber(member, rest, key, new_number, gone)) {
                value.remove(key);
                gone.add(key);
            }
            true
        }
        (Each, Value::Array(elements)) => {
            let mut places = 0..;
            elements.retain_mut(|element| {
                let place = places.next().unwrap_or(0);
                let stays = renumber(element, rest, name, new_number, gone);
                if !stays {
                    gone.add(&format!("{name}[{place}]"));
                }
                stays
            });
            true
        }
        (Each, Value::Object(members)) => {
            members.retain_mut(|(key, member)| {
                let stays = renumber(member, rest, key, new_number, gone);
                if !stays {
                    gone.add(key);
                }
                stays
            });
            true
        }
        (All, Value::Array(elements)) => {
            let mut stays = true;
            for element in elements {
                stays &= renumber(element, rest, name, new_number, gone);
            }
            stays
        }
        (All, Value::Object(members)) => {
            let mut stays = true;
            for (key, member) in members {
                stays &= renumber(member, rest, key, new_number, gone);
            }
            stays
        }
        (Each | All, _) => true,
    }
}
