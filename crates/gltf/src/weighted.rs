//! Joints on which vertices have weight. Others may have matrices that dual quaternions cannot express (`bake.md` §5).

use std::collections::HashSet;

use super::file::File;
use super::influences::VertexInfluences;
use super::model::Skin;
use super::vertices::Vertices;

/// Vertices that are read at a time.
const BATCH: usize = 4096;

/// For each skin and each of its joints true if no vertex has weight on the joint or on one below it.
pub fn idle_joints(file: &File) -> Vec<Vec<bool>> {
    let mut weighted: Vec<Vec<bool>> = file
        .skins
        .iter()
        .map(|skin| vec![false; skin.joints.len()])
        .collect();
    let uses: HashSet<_> = file
        .nodes
        .iter()
        .filter_map(|node| node.mesh.zip(node.skin))
        .collect();
    for (mesh, skin) in uses {
        for primitive in file.meshes[mesh].drawn() {
            mark(file, (mesh, primitive), &mut weighted[skin]);
        }
    }
    file.skins
        .iter()
        .zip(weighted)
        .map(|(skin, weighted)| idle(file, skin, &weighted))
        .collect()
}

/// Marks the joints on which vertices of a primitive have weight; all, if its influences cannot be read.
fn mark(file: &File, (mesh, primitive): (usize, usize), weighted: &mut [bool]) {
    let data = &file.meshes[mesh].primitives[primitive];
    let mut influences = VertexInfluences::default();
    for start in (0..data.vertex_count).step_by(BATCH) {
        let from = Vertices {
            file,
            primitive: data,
            path: "",
            range: start..data.vertex_count.min(start + BATCH),
        };
        if influences.read(&from, weighted.len()).is_err() {
            return weighted.fill(true);
        }
        for (joint, weight) in influences
            .joints
            .as_flattened()
            .iter()
            .zip(influences.weights.as_flattened())
        {
            if *weight != 0.0 {
                weighted[usize::from(*joint)] = true;
            }
        }
    }
}

fn idle(file: &File, skin: &Skin, weighted: &[bool]) -> Vec<bool> {
    let mut needed = HashSet::new();
    let joints = || skin.joints.iter().zip(weighted);
    for (joint, weighted) in joints() {
        let mut next = weighted.then_some(*joint);
        while let Some(node) = next.filter(|node| needed.insert(*node)) {
            next = file.nodes[node].parent;
        }
    }
    joints().map(|(joint, _)| !needed.contains(joint)).collect()
}
