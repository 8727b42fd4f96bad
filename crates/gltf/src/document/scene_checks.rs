//! Warnings about the scene that is shown: it has no mesh, or joints stand outside it.

use std::collections::HashSet;

use crate::model::{Node, Scene, Skin, node_label};
use crate::problem::{Findings, Problem};

/// The nodes and skins of a file, and all nodes in an order in which parents precede their children.
type Graph<'g> = (&'g [Node], &'g [Skin], &'g [usize]);

/// Most scenes that a message lists.
const MOST_LISTED: usize = 20;

/// Checks the scene to show, which is the first if `chosen` does not say another.
pub fn check(scenes: &[Scene], chosen: Option<usize>, graph: Graph, findings: &mut Findings) {
    let Some(scene) = scenes.get(chosen.unwrap_or(0)) else {
        return;
    };
    if let Some(message) = empty_scene(scenes, chosen, graph) {
        findings.warn(
            Problem::rule(&"scenes", message)
                .help("set `scene` to the number of the one that is meant"),
        );
    }
    warn_of_joints_outside(scene, graph, findings);
}

/// Returns the sentence that the first scene, which is shown because none is chosen, has no mesh, and others have; `None` if that is not
/// so.
pub fn empty_scene(
    scenes: &[Scene],
    chosen: Option<usize>,
    (nodes, _, order): Graph,
) -> Option<String> {
    let mut has_mesh: Vec<bool> = nodes.iter().map(|node| node.mesh.is_some()).collect();
    for &node in order.iter().rev() {
        if let Some(parent) = nodes[node].parent {
            has_mesh[parent] |= has_mesh[node];
        }
    }
    let shows_mesh = |scene: &Scene| scene.nodes.iter().any(|node| has_mesh[*node]);
    let mut full = (0..scenes.len()).filter(|index| shows_mesh(&scenes[*index]));
    let label = |index: usize| match &scenes[index].name {
        Some(name) => format!("{index} ({name:?})"),
        None => index.to_string(),
    };
    let listed: Vec<String> = full.by_ref().take(MOST_LISTED).map(label).collect();
    if chosen.is_some() || listed.is_empty() || shows_mesh(&scenes[0]) {
        return None;
    }
    let more = if full.next().is_some() { ", …" } else { "" };
    Some(format!(
        "no `scene` says which scene is shown; the first, {}, has no mesh, but these have: {}{more}",
        label(0),
        listed.join(", ")
    ))
}

/// Warns of each skin in use whose joints are not all in the scene.
fn warn_of_joints_outside(scene: &Scene, (nodes, skins, order): Graph, findings: &mut Findings) {
    let mut is_inside = vec![false; nodes.len()];
    scene.nodes.iter().for_each(|root| is_inside[*root] = true);
    for &node in order {
        is_inside[node] |= nodes[node].parent.is_some_and(|parent| is_inside[parent]);
    }
    let mut seen = HashSet::new();
    for (index, node) in nodes
        .iter()
        .enumerate()
        .filter(|(index, _)| is_inside[*index])
    {
        let skin = node.mesh.and(node.skin).filter(|skin| seen.insert(*skin));
        let Some(skin) = skin else { continue };
        let outside: Vec<usize> = skins[skin]
            .joints
            .iter()
            .copied()
            .filter(|joint| !is_inside[*joint])
            .collect();
        if let Some(first) = outside.first() {
            let message = format!(
                "{} of {} joints, {} first, are not in the scene that shows {}; clients that do not update \
                 nodes outside the scene show the mesh otherwise",
                outside.len(),
                skins[skin].joints.len(),
                node_label(nodes, *first),
                node_label(nodes, index),
            );
            let path = format!("skins[{skin}].joints");
            findings.warn(
                Problem::rule(&path, message)
                    .help("add the root of the joints to the nodes of the scene"),
            );
        }
    }
}
