//! References of known extensions to nodes, by number.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::removed::{Names, Removed};
use crate::bake::edit::remove_extension;
use crate::bake::kept::used_in;
use rigy_gltf::json::Value;
use rigy_gltf::{Extension, extension};

/// References in extensions of the file as a whole: the extension, and the path from its value, whose steps a `/` divides. `key` is a
/// member of an object and `*` each element of an array or member of an object. If the node of a reference is gone, the value at the
/// nearest step above it is removed that is a `*` or begins with `?`; at a `!`, which is each element or member as well, what holds them
/// all goes. Bones of springs number each other's places, so springs stay whole or go.
const OF_FILE: &[(&str, &str)] = &[
    ("KHR_techniques_webgl", "techniques/*/uniforms/*/?node"),
    ("VRM", "humanoid/humanBones/*/node"),
    ("VRM", "firstPerson/?firstPersonBone"),
    BONES,
    ("VRM", "?secondaryAnimation/boneGroups/!/center"),
    ("VRM", "?secondaryAnimation/colliderGroups/!/node"),
    ("VRMC_vrm", "humanoid/humanBones/*/node"),
    ("VRMC_vrm", "firstPerson/meshAnnotations/*/node"),
    ("VRMC_vrm", "expressions/*/*/morphTargetBinds/*/node"),
    ("VRMC_springBone", "colliders/!/node"),
    ("VRMC_springBone", "springs/!/center"),
    JOINTS,
    ("VRMC_vrm_animation", "humanoid/humanBones/*/node"),
    ("VRMC_vrm_animation", "expressions/*/*/node"),
    ("VRMC_vrm_animation", "?lookAt/node"),
];

/// The bones and joints that springs turn.
const BONES: (&str, &str) = ("VRM", "?secondaryAnimation/boneGroups/!/bones/!");
const JOINTS: (&str, &str) = ("VRMC_springBone", "springs/!/joints/!/node");
/// The extension of nodes that others turn.
const CONSTRAINT: &str = "VRMC_node_constraint";

/// References in extensions of nodes.
const OF_NODES: &[(&str, &str)] = &[(CONSTRAINT, "constraint/!/source"), ("MSFT_lod", "ids/*")];

/// True if an object of the tree has an extension that may refer to nodes in a way that is not known here.
pub fn has_unknown_extension(tree: &Value) -> bool {
    let renumbered = || OF_FILE.iter().chain(OF_NODES);
    used_in(tree.members())
        .iter()
        .any(|name| match extension(name) {
            Some(Extension::Plain | Extension::Optional) => false,
            _ => renumbered().all(|(known, _)| known != name),
        })
}

/// The numbers of the nodes to which known extensions of a tree refer.
pub fn nodes_in_extensions(tree: &mut Value) -> BTreeSet<usize> {
    noted(|note| renumber_nodes(tree, note, &mut Removed::default()))
}

/// The numbers of the nodes that springs and constraints turn.
pub fn nodes_that_turn(tree: &mut Value) -> BTreeSet<usize> {
    let mut nodes = noted(|note| {
        for of in [BONES, JOINTS] {
            renumber_in(tree, of, note, &mut Names::default());
        }
    });
    let all = tree.list("nodes").iter().enumerate();
    let held = all.filter(|(_, node)| node.extension(CONSTRAINT).is_some());
    nodes.extend(held.map(|(node, _)| node));
    nodes
}

/// The numbers of nodes for which a function is called by another.
fn noted(by: impl FnOnce(&dyn Fn(u64) -> Option<u64>)) -> BTreeSet<usize> {
    let found = RefCell::new(BTreeSet::new());
    by(&|node| {
        found.borrow_mut().extend(usize::try_from(node));
        Some(node)
    });
    found.into_inner()
}

/// Replaces the numbers of nodes in known extensions: `new_number` returns the number of a node in the output, or `None` if the
/// node is gone. An entry whose node is gone is removed.
pub fn renumber_nodes(
    tree: &mut Value,
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
                gone.add(node.text("name").unwrap_or(""));
            }
        }
        removed.add_named(name, "entries of nodes that are not there:", &gone);
    }
}

/// Renumbers the nodes of one extension of an object. Returns false if the extension as a whole has been removed.
fn renumber_in(
    object: &mut Value,
    (name, path): (&str, &str),
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
    value: &mut Value,
    path: &str,
    name: &str,
    new_number: &dyn Fn(u64) -> Option<u64>,
    gone: &mut Names,
) -> bool {
    if path.is_empty() {
        // Numbers below zero stand for no node.
        let Some(old) = value.as_u64() else {
            return true;
        };
        let new = new_number(old);
        if let Some(new) = new.filter(|new| *new != old) {
            *value = new.into();
        }
        return new.is_some();
    }
    let (step, rest) = path.split_once('/').unwrap_or((path, ""));
    match (step, value) {
        ("*", Value::Array(elements)) => {
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
        ("*", Value::Object(members)) => {
            members.retain_mut(|(key, member)| {
                let stays = renumber(member, rest, key, new_number, gone);
                if !stays {
                    gone.add(key);
                }
                stays
            });
            true
        }
        ("!", Value::Array(elements)) => {
            let mut all_stay = true;
            for element in elements {
                all_stay &= renumber(element, rest, name, new_number, gone);
            }
            all_stay
        }
        ("!", Value::Object(members)) => members.iter_mut().fold(true, |stay, (key, member)| {
            renumber(member, rest, key, new_number, gone) && stay
        }),
        ("*" | "!", _) => true,
        (step, value) => {
            let key = step.trim_start_matches('?');
            let stays = value
                .get_mut(key)
                .is_none_or(|one| renumber(one, rest, key, new_number, gone));
            if stays || key == step {
                return stays;
            }
            value.remove(key);
            gone.add(key);
            true
        }
    }
}
