//! What a file must be so that a page can show it: not too large, with vertices, influences and joints that the shader can use.

use std::collections::BTreeSet;

use super::{MAX_BLOCK, VERTEX_LEN};
use rigy_gltf::{
    File, Problem, Result, Skeleton, VertexInfluences, Vertices, joint_matrices, morphed,
};
use rigy_models::mesh::{corner_count, nodes_shown_at_times, sum_of_nodes};

/// Most sets of influences that the shader reads.
const MAX_SETS: usize = 2;
/// Bytes that a primitive, and a morph target, counts beside its vertices.
const PRIMITIVE_BYTES: u64 = 1024;
const TARGET_BYTES: u64 = 512;
/// Bytes that a joint counts for each instance of a skinned mesh.
const JOINT_BYTES: u64 = 256;

/// Checks the vertices that a file shows. Returns the bytes of their positions and normals, and remarks on what the page leaves out.
///
/// # Errors
/// If it is more than a page can hold; if a vertex, an influence or the matrix of a joint or node at rest cannot be used.
pub fn check(file: &File) -> Result<(u64, Vec<String>)> {
    let nodes = nodes_shown_at_times(file);
    check_size(file, &nodes)?;
    check_rest(file, &nodes)?;
    let is_cut = check_vertices(file, &nodes)?;
    let notes = is_cut.then(|| {
        "Some vertices have more than eight influences; the GPU uses the eight strongest."
            .to_owned()
    });
    let len = sum_of_nodes(file, &nodes, |_, primitive| {
        let vectors = 1 + u64::from(primitive.attribute("NORMAL").is_some());
        12 * vectors * primitive.vertex_count as u64
    });
    Ok((len, notes.into_iter().collect()))
}

fn check_size(file: &File, nodes: &[usize]) -> Result<()> {
    let of_primitives = sum_of_nodes(file, nodes, |_, primitive| {
        let vertices = primitive.vertex_count as u64;
        let targets = primitive.targets.len() as u64;
        let of_vertices = vertices.saturating_mul(VERTEX_LEN + 24 * targets);
        let of_corners = corner_count(file, primitive).saturating_mul(12);
        let others = PRIMITIVE_BYTES + TARGET_BYTES * targets;
        of_vertices
            .saturating_add(of_corners)
            .saturating_add(others)
    });
    let of_skins = nodes.iter().filter_map(|node| {
        let skin = &file.skins[file.nodes[*node].skin?];
        let joints = JOINT_BYTES * skin.joints.len() as u64;
        Some(joints.saturating_mul(file.instance_count(*node) as u64))
    });
    too_large(of_skins.fold(of_primitives, u64::saturating_add))
}

/// An error if the block would have more than [`MAX_BLOCK`] bytes.
pub fn too_large(bytes: u64) -> Result<()> {
    if bytes > MAX_BLOCK {
        let message = format!("a page cannot hold it: {bytes} bytes are more than {MAX_BLOCK}");
        Err(Problem::rule(&"", message))
    } else {
        Ok(())
    }
}

/// Refuses matrices at rest that are not finite in f32.
fn check_rest(file: &File, nodes: &[usize]) -> Result<()> {
    let pose = rigy_gltf::pose(&file.nodes, &[], 0.0);
    let is_finite = pose.is_ok_and(|pose| {
        let skeleton = Skeleton::new(&file.nodes, &pose);
        let single = |number: &f64| (*number as f32).is_finite();
        let skins: BTreeSet<usize> = nodes
            .iter()
            .filter_map(|node| file.nodes[*node].skin)
            .collect();
        let of_skins = skins.iter().all(|skin| {
            let matrices = joint_matrices(&skeleton, &file.skins[*skin]);
            matrices.is_ok_and(|all| all.as_flattened().as_flattened().iter().all(single))
        });
        let mut placed = nodes.iter().flat_map(|&node| {
            let instances = 0..file.instance_count(node);
            let global = skeleton.globals[node];
            instances.map(move |instance| file.placed(&global, node, instance))
        });
        of_skins && placed.all(|matrix| matrix.as_flattened().iter().all(single))
    });
    if is_finite {
        return Ok(());
    }
    let message = "a matrix of a joint or node is beyond single precision";
    Err(Problem::rule(&"nodes", message))
}

/// Reads all vertices that are shown. Returns true if one has more influences than the shader reads.
fn check_vertices(file: &File, nodes: &[usize]) -> Result<bool> {
    let uses: BTreeSet<(usize, Option<usize>)> = nodes
        .iter()
        .filter_map(|node| {
            let node = &file.nodes[*node];
            let joint_count = node.skin.map(|skin| file.skins[skin].joints.len());
            Some((node.mesh?, joint_count))
        })
        .collect();
    let mut is_cut = false;
    for (mesh, joint_count) in uses {
        for index in file.meshes[mesh].drawn() {
            let primitive = &file.meshes[mesh].primitives[index];
            let vertices = Vertices {
                file,
                primitive,
                path: &format!("meshes[{mesh}].primitives[{index}]"),
                range: 0..primitive.vertex_count,
            };
            let mut rows = Vec::new();
            morphed::<3>(&vertices, "POSITION", &[], &mut rows)?;
            morphed::<3>(&vertices, "NORMAL", &[], &mut rows)?;
            let Some(joint_count) = joint_count else {
                continue;
            };
            let mut influences = VertexInfluences::default();
            influences.read(&vertices, joint_count)?;
            let lists = influences.weights.chunks(influences.set_count.max(1));
            is_cut |= influences.set_count > MAX_SETS
                && lists.into_iter().any(|list| {
                    let positive = list.as_flattened().iter().filter(|weight| **weight > 0.0);
                    positive.count() > 4 * MAX_SETS
                });
        }
    }
    Ok(is_cut)
}
