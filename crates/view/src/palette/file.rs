//! The palette of a glTF file at a moment.

use std::collections::{BTreeMap, HashMap};

use super::{FREE_SETS, MAX_SETS, Mesh, Normals, Palette, SET_LEN, Skin, VERSION, duals};
use crate::joints::DualTransforms;
use rigy_gltf::{File, JointScale, Problem, VertexInfluences, Vertices};
use rigy_kernel::ReferenceRule;
use rigy_language::base::diag::{Code, Diagnostic, Warned};
use rigy_models::bake::{Moment, PosedSkin, Source};

/// Returns the palette of a file at a moment, with `scale` as the treatment of joint scale under dual quaternions. `name` is the
/// file's name in messages. Morph targets do not take part.
///
/// # Errors
/// As [`Source::skins`]; influences that cannot be used; more than [`MAX_SETS`] sets of influences, or more than [`FREE_SETS`] and than
/// the longest buffer can hold.
pub fn of_file(
    source: &Source<'_>,
    moment: &Moment,
    scale: &JointScale,
    name: &str,
) -> Result<Warned<Palette>, Vec<Diagnostic>> {
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
            palette.skins.push(posed(file, index, skin));
        }
    }
    // A mesh under one skin is listed once, with all nodes that show it.
    let mut nodes: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (index, node) in file.nodes.iter().enumerate() {
        if let (Some(mesh), Some(skin)) = (node.mesh, node.skin) {
            nodes.entry((mesh, skin)).or_default().push(index);
        }
    }
    let error = |problem: Problem| vec![problem.into_diagnostic(name)];
    let mut sets = 0usize;
    let held = usize::try_from(file.longest_buffer() / SET_LEN).unwrap_or(usize::MAX);
    let most = held.clamp(FREE_SETS, MAX_SETS);
    for ((mesh, skin), nodes) in nodes {
        for primitive in 0..file.meshes[mesh].primitives.len() {
            let data = &file.meshes[mesh].primitives[primitive];
            sets = sets.saturating_add(data.vertex_count.saturating_mul(data.influences.len()));
            if sets > most {
                let message = format!("all together have more than {most} sets of influences");
                let problem = Problem::rule(&"meshes", message).code(Code::U17);
                return Err(error(problem.help("divide the file")));
            }
            let influences = influences(file, (mesh, primitive), skin).map_err(error)?;
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

fn posed(file: &File<'_>, index: usize, posed: PosedSkin) -> Skin {
    let skin = &file.skins[index];
    let names = skin
        .joints
        .iter()
        .map(|node| file.nodes[*node].name.clone());
    let (dual_quaternions, first_stage) = match posed.dual.map(DualTransforms::from) {
        Some(DualTransforms { rigid, first }) => (Some(duals(rigid)), first),
        None => (None, None),
    };
    Skin {
        name: skin.name.clone(),
        skin: index,
        solver: None,
        normals: Normals::Cofactors,
        joints: names.collect(),
        matrices: posed.matrices,
        dual_quaternions,
        first_stage,
    }
}

/// Reads the influences of a primitive under a skin.
fn influences(
    file: &File<'_>,
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
