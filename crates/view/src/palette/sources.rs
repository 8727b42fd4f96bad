//! The palettes of a document in a pose, and of a glTF file at a moment.

use std::collections::{BTreeMap, HashMap};

use super::{Dual, FREE_SETS, MAX_SETS, Mesh, Normals, Palette, SET_LEN, Skin, VERSION};
use rigy_base::diag::{Code, Diagnosed, Warned};
use rigy_gltf::{AboutFile, File, JointScale, Problem, VertexInfluences, Vertices};
use rigy_kernel::math::DualQuat;
use rigy_kernel::{DualForm, JointPose, ReferenceRule};
use rigy_language::model::Solver;
use rigy_models::bake::{Moment, PosedSkin, Source};
use rigy_models::compile::Compiled;
use rigy_models::geometry::pose::palette_by;
use rigy_models::geometry::scene;

/// Returns the palette of a document in a pose, or at rest without a pose id: one skin and one mesh for each bound mesh of the
/// document itself, with indices of nodes, meshes and skins in its export. Returns `None` if there is no such pose.
pub fn of_document(compiled: &Compiled, pose_id: Option<&str>) -> Option<Palette> {
    let mut palette = Palette {
        version: VERSION,
        skins: Vec::new(),
        meshes: Vec::new(),
    };
    let mut node = 0;
    let meshes = compiled.assembly().root.meshes.iter();
    let poses = compiled.joint_poses(pose_id)?;
    for (index, (mesh, poses)) in meshes.zip(poses).enumerate() {
        let own_node = node;
        node += 1;
        let (Some(skin), Some(poses)) = (&mesh.skin, poses) else {
            continue;
        };
        node += skin.joints.len(); // The nodes of its bones follow that of the mesh.
        let number = palette.skins.len();
        palette.skins.push(skin_of_document(skin, &poses, number));
        palette
            .meshes
            .push(mesh_of_document(mesh, skin, index, own_node, number));
    }
    Some(palette)
}

fn skin_of_document(skin: &scene::Skin, poses: &[JointPose], number: usize) -> Skin {
    let (mut matrices, mut dual_quaternions) = (Vec::new(), Vec::new());
    for solver in [Solver::Lbs, Solver::Dqs] {
        let joints = 0..skin.joints.len();
        match palette_by(solver, poses, skin) {
            rigy_kernel::Palette::Linear(palette) => {
                matrices.extend(joints.map(|joint| palette.matrix(joint)));
            }
            rigy_kernel::Palette::Dual(palette) => {
                let duals = joints.map(|joint| palette.dual_quaternion(joint));
                dual_quaternions.extend(duals.map(Dual::from));
            }
        }
    }
    let names = skin.joints.iter().map(|joint| Some(joint.name.clone()));
    Skin {
        name: Some(skin.name.clone()),
        skin: number,
        solver: Some(skin.solver.name()),
        normals: Normals::Matrix,
        joints: names.collect(),
        matrices,
        dual_quaternions: Some(dual_quaternions),
        first_stage: None,
    }
}

fn mesh_of_document(
    mesh: &scene::Mesh,
    skin: &scene::Skin,
    index: usize,
    node: usize,
    number: usize,
) -> Mesh {
    let (joints, weights) = skin
        .runs
        .iter()
        .flat_map(|run| std::iter::repeat_n(run.slots, run.vertex_count))
        .map(|slots| {
            (
                slots.map(|(joint, _)| joint),
                slots.map(|(_, weight)| weight),
            )
        })
        .unzip();
    let mut influences = Mesh {
        name: Some(mesh.name.clone()),
        nodes: vec![node],
        mesh: index,
        primitive: 0,
        skin: number,
        vertices: mesh.geometry.positions.len(),
        sets: 1,
        joints,
        weights,
        references: Vec::new(),
    };
    influences.find_references(ReferenceRule::LowestJoint);
    influences
}

/// Returns the palette of a file at a moment, with `scale` as the treatment of joint scale under dual quaternions. `name` is the
/// file's name in messages. Morph targets do not take part.
///
/// # Errors
/// As [`Source::skins`]; influences that cannot be used; more than [`MAX_SETS`] sets of influences, or more than [`FREE_SETS`] and than
/// the longest buffer can hold.
pub fn of_file(
    source: &Source,
    moment: &Moment,
    scale: &JointScale,
    name: &str,
) -> Diagnosed<Warned<Palette>> {
    let file = &source.file;
    let Warned { value, warnings } = source.skins(moment, scale)?;
    let mut palette = Palette {
        version: VERSION,
        skins: Vec::new(),
        meshes: Vec::new(),
    };
    let mut numbers = HashMap::new();
    for (index, skin) in value.into_iter().enumerate() {
        if let Some(skin) = skin {
            numbers.insert(index, palette.skins.len());
            palette.skins.push(skin_of_file(file, index, skin));
        }
    }
    // A mesh under one skin is listed once, with all nodes that show it.
    let mut nodes: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (index, node) in file.nodes.iter().enumerate() {
        if let (Some(mesh), Some(skin)) = (node.mesh, node.skin) {
            nodes.entry((mesh, skin)).or_default().push(index);
        }
    }
    let mut sets = 0usize;
    let most = usize::try_from(file.longest_buffer() / SET_LEN)
        .unwrap_or(usize::MAX)
        .clamp(FREE_SETS, MAX_SETS);
    for ((mesh, skin), nodes) in nodes {
        for primitive in file.meshes[mesh].drawn() {
            let data = &file.meshes[mesh].primitives[primitive];
            sets = sets.saturating_add(data.vertex_count.saturating_mul(data.influences.len()));
            if sets > most {
                let message = format!("all together have more than {most} sets of influences");
                let problem = Problem::rule(&"meshes", message).code(Code::U17);
                return Err(problem.help("divide the file")).about_file(name);
            }
            let influences = mesh_of_file(file, (mesh, primitive), skin).about_file(name)?;
            let mesh = Mesh {
                nodes: nodes.clone(),
                skin: numbers[&skin],
                ..influences
            };
            palette.meshes.push(mesh);
        }
    }
    Ok(Warned {
        value: palette,
        warnings,
    })
}

fn skin_of_file(file: &File, index: usize, posed: PosedSkin) -> Skin {
    let skin = &file.skins[index];
    let names = skin
        .joints
        .iter()
        .map(|node| file.nodes[*node].name.clone());
    let (rigid, first_stage) = match posed.dual {
        Some(DualForm::Rigid(rigid)) => (Some(rigid), None),
        Some(DualForm::Scaled { first, rigid }) => (Some(rigid), Some(first)),
        None => (None, None),
    };
    let dual = |(rotation, translation)| Dual::from(DualQuat::new(rotation, translation));
    Skin {
        name: skin.name.clone(),
        skin: index,
        solver: None,
        normals: Normals::Cofactors,
        joints: names.collect(),
        matrices: posed.matrices,
        dual_quaternions: rigid.map(|rigid| rigid.into_iter().map(dual).collect()),
        first_stage,
    }
}

/// Reads the influences of a primitive under a skin.
fn mesh_of_file(
    file: &File,
    (mesh, primitive): (usize, usize),
    skin: usize,
) -> Result<Mesh, Problem> {
    let data = &file.meshes[mesh].primitives[primitive];
    let from = Vertices {
        file,
        primitive: data,
        path: &format!("meshes[{mesh}].primitives[{primitive}]"),
        range: 0..data.vertex_count,
    };
    let mut read = VertexInfluences::default();
    read.read(&from, file.skins[skin].joints.len())?;
    let mut influences = Mesh {
        name: file.meshes[mesh].name.clone(),
        nodes: Vec::new(),
        mesh,
        primitive,
        skin: 0,
        vertices: data.vertex_count,
        sets: read.set_count,
        joints: read.joints,
        weights: read.weights,
        references: Vec::new(),
    };
    influences.find_references(ReferenceRule::LargestWeight);
    Ok(influences)
}
