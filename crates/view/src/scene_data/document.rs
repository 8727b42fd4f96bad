//! The scene of a document: its export, its poses, and these as they are baked.

use super::baked::{BAKED_BUDGET, vertices_of};
use super::gltf::push_model;
use super::{Baked, Block, Kind, Pose, SceneData};
use rigy_base::diag::Diagnosed;
use rigy_base::loader::{Location, MemoryLoader};
use rigy_base::output::OutputFile;
use rigy_base::short::short_name;
use rigy_gltf::AboutFile;
use rigy_kernel::JointPose;
use rigy_kernel::executor::Sequential;
use rigy_kernel::simd::Isa;
use rigy_language::model::Solver;
use rigy_models::bake::Source;
use rigy_models::compile::Compiled;
use rigy_models::mesh::shown_nodes;

/// Fewest bytes that a baked pose counts as: baking, writing and reading one takes longer than so many bytes.
const LEAST_OF_POSE: u64 = 24 << 10;

/// Returns the scene of a compiled document. `name` is its name in the page.
///
/// # Errors
/// Those of [`Compiled::export`]; if the scene exceeds [`MAX_BLOCK`](super::MAX_BLOCK).
pub fn document_scene(compiled: &Compiled, name: &str, isa: Isa) -> Diagnosed<SceneData> {
    let bytes = compiled.export()?.to_bytes();
    let location = Location("export.glb".into());
    let source = Source::read(&bytes, &location, &MemoryLoader::default())?.value;
    let mut block = Block::default();
    let (model, size, mut notes) = push_model(&mut block, &source).about_file(name)?;
    // The first nodes with a mesh are those of the document's own meshes; the others belong to instances.
    let nodes = shown_nodes(&source.file);
    let meshes = &compiled.assembly().root.meshes;
    let solvers = nodes
        .iter()
        .zip(meshes)
        .filter_map(|(node, mesh)| Some((*node, mesh.skin.as_ref()?.solver)))
        .map(|(node, solver)| (node, solver.name()));
    if nodes.len() > meshes.len() {
        let note = "Instances are shown at rest; baked output leaves them out.";
        notes.push(note.to_owned());
    }
    let poses = compiled
        .pose_ids()
        .filter_map(|id| Some((id, pose(compiled, &source, &nodes, id)?)));
    let (ids, poses): (Vec<&str>, Vec<Pose>) = poses.unzip();
    let most = BAKED_BUDGET / (2 * size.vectors.max(LEAST_OF_POSE));
    let mut baked_poses = Vec::new();
    for (clip, id) in ids.into_iter().enumerate().take(most as usize) {
        baked_poses.extend(baked(&mut block, compiled, (clip, id), isa));
    }
    Ok(SceneData {
        format: super::FORMAT,
        name: name.to_owned(),
        kind: Kind::Document,
        models: vec![model],
        solvers: solvers.collect(),
        poses,
        baked_nodes: Some(meshes.len()),
        baked: baked_poses,
        notes,
        block: block.bytes,
        ..SceneData::default()
    })
}

/// A pose, as the places of the nodes that are joints.
fn pose(compiled: &Compiled, source: &Source, nodes: &[usize], id: &str) -> Option<Pose> {
    let file = &source.file;
    let mut joints = Vec::new();
    for (node, poses) in nodes.iter().zip(compiled.joint_poses(Some(id))?) {
        let Some((skin, poses)) = file.nodes[*node].skin.zip(poses) else {
            continue;
        };
        let placed = |JointPose {
                          rotation,
                          translation: [a, b, c],
                      }: &JointPose| {
            [rotation.x, rotation.y, rotation.z, rotation.w, *a, *b, *c]
        };
        let of_skin = file.skins[skin].joints.iter().copied();
        joints.extend(of_skin.zip(poses.iter().map(placed)));
    }
    joints.sort_by_key(|(node, _)| *node);
    joints.dedup_by_key(|(node, _)| *node);
    Some(Pose {
        name: short_name(id).into(),
        joints,
    })
}

/// Appends the vertices of a pose as the program bakes them, by both solvers.
fn baked(
    block: &mut Block,
    compiled: &Compiled,
    (clip, id): (usize, &str),
    isa: Isa,
) -> Option<Baked> {
    let mut by = |solver: Solver| {
        let posed = compiled.pose_by(id, solver, isa, &Sequential)?;
        vertices_of(block, &posed.bake().ok()?.to_bytes())
    };
    let (lbs, dqs) = (by(Solver::Lbs)?, by(Solver::Dqs));
    Some(Baked {
        clip: Some(clip),
        time: 1.0,
        lbs,
        dqs,
    })
}
