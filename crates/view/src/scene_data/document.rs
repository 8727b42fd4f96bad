//! The scene of a document: its export at rest, and its poses.

use super::materials::described;
use super::palettes;
use super::surfaces::{self, Block, Place};
use super::{Baked, Frame, Joint, Kind, MAX_BLOCK, Pose, SceneData, Skin, Surface};
use crate::palette::JointTransforms;
use rigy_base::diag::{Diagnostic, Warned};
use rigy_base::loader::{Location, MemoryLoader};
use rigy_base::output::OutputFile;
use rigy_gltf::{self, File, Problem};
use rigy_kernel::ReferenceRule;
use rigy_kernel::executor::Sequential;
use rigy_kernel::math::Affine;
use rigy_kernel::simd::Isa;
use rigy_language::model::Solver;
use rigy_models::compile::Compiled;
use rigy_models::geometry::scene;
use rigy_models::mesh::{Material, Model, drawn, globals, shown_nodes};

/// Most bytes of baked vertices.
const BAKED_BUDGET: u64 = MAX_BLOCK / 3;

/// Fewest vertices that a baked pose counts as: baking, writing and reading one takes longer than so many vertices.
const LEAST_OF_POSE: u64 = 1024;

/// Returns the scene of a compiled document. `name` is its name in the page.
///
/// # Errors
/// Those of [`Compiled::export`]; if the scene exceeds [`MAX_BLOCK`](super::MAX_BLOCK).
pub fn document_scene(
    compiled: &Compiled,
    name: &str,
    isa: Isa,
) -> Result<SceneData, Vec<Diagnostic>> {
    let bytes = compiled.export()?.to_bytes();
    let location = Location("export.glb".into());
    let Warned { value: file, .. } = rigy_gltf::read(&bytes, &location, &MemoryLoader::default())?;
    let scene = scene(compiled, &file, isa);
    let mut scene = scene.map_err(|problem| vec![problem.into_diagnostic(name)])?;
    scene.name = name.to_owned();
    Ok(scene.with_short_names())
}

fn scene(compiled: &Compiled, file: &File<'_>, isa: Isa) -> Result<SceneData, Problem> {
    let nodes = shown_nodes(file);
    surfaces::check_size(file, &nodes)?;
    let mut block = Block::default();
    let meshes = &compiled.assembly().root.meshes;
    let globals = globals(file);
    let at_rest: Vec<Affine> = nodes.iter().map(|node| globals[*node]).collect();
    let rest = moment_of(compiled, None, &at_rest).unwrap_or_default();
    let mut surfaces = read_surfaces(&mut block, file, &nodes, meshes)?;
    let own_nodes = &nodes[..meshes.len().min(nodes.len())];
    let own = surfaces
        .iter()
        .filter(|surface| own_nodes.contains(&surface.node))
        .count();
    let ids: Vec<&str> = compiled.pose_ids().collect();
    let vertices: u64 = surfaces.iter().map(|surface| surface.vertices as u64).sum();
    let joints: usize = rest.iter().map(|skin| skin.linear.len()).sum();
    let palettes_len = (ids.len() as u64 + 1).saturating_mul(80 * joints as u64);
    surfaces::too_large(palettes_len.saturating_add(block.bytes.len() as u64))?;
    let strides = palettes::strides(&[&rest], rest.len());
    let mut frames = vec![Frame {
        palettes: Some(block.push_f32(palettes::numbers(&rest, &strides))),
        dqs: true,
        ..Frame::default()
    }];
    let mut notes = Vec::new();
    let mut poses = Vec::new();
    let most = (BAKED_BUDGET / (48 * vertices.max(LEAST_OF_POSE))) as usize;
    for id in ids {
        let moment = moment_of(compiled, Some(id), &at_rest);
        let Some(moment) = moment.filter(palettes::is_finite) else {
            notes.push(format!(
                "Pose {id} is beyond single precision and left out."
            ));
            continue;
        };
        poses.push(Pose {
            name: id.to_owned(),
            frame: frames.len(),
        });
        frames.push(Frame {
            palettes: Some(block.push_f32(palettes::numbers(&moment, &strides))),
            dqs: true,
            baked: (poses.len() <= most)
                .then(|| baked(&mut block, compiled, id, &surfaces[..own], isa))
                .flatten(),
            ..Frame::default()
        });
    }
    if surfaces.len() > own {
        let note = "Instances are shown at rest; baked output leaves them out.";
        notes.push(note.to_owned());
    }
    surfaces::too_large(block.bytes.len() as u64)?;
    let mut materials = Vec::new();
    let all = Material::all(&file.tree);
    let places = all.iter().map(|material| {
        materials.push(described(&material.shown(true)?, Vec::new(), true));
        Some(materials.len() - 1)
    });
    let places: Vec<Option<usize>> = places.collect();
    for surface in &mut surfaces {
        surface.material = surface.material.and_then(|index| *places.get(index)?);
    }
    Ok(SceneData {
        format: super::FORMAT,
        kind: Kind::Document,
        materials,
        nodes_skin: strides.len() - 1,
        baked_surfaces: own,
        skins: skin_list(meshes, file, &nodes, &strides),
        surfaces,
        frames,
        poses,
        notes,
        block: block.bytes,
        ..SceneData::default()
    })
}

/// The transforms in a pose, or of skins at rest; nodes stay at rest.
fn moment_of(compiled: &Compiled, id: Option<&str>, nodes: &[Affine]) -> Option<palettes::Moment> {
    let meshes = compiled.assembly().root.meshes.iter();
    let skins = meshes.filter_map(|mesh| mesh.skin.as_ref());
    let poses = compiled.joint_poses(id)?.into_iter().flatten();
    let transforms = skins
        .zip(poses)
        .map(|(skin, poses)| JointTransforms::of_document(skin, &poses));
    let mut moment: palettes::Moment = transforms.collect();
    moment.push(JointTransforms {
        linear: nodes.to_vec(),
        dual: None,
    });
    Some(moment)
}

/// Reads all surfaces of the export, of each node with a mesh its primitives in order. The first nodes are those of the document's own
/// meshes; the others belong to instances and are shown at rest.
fn read_surfaces(
    block: &mut Block,
    file: &File<'_>,
    nodes: &[usize],
    meshes: &[scene::Mesh],
) -> Result<Vec<Surface>, Problem> {
    let skin_count = meshes.iter().filter(|mesh| mesh.skin.is_some()).count();
    let mut surfaces = Vec::with_capacity(nodes.len());
    let mut next_skin = 0;
    for index in 0..nodes.len() {
        let own = meshes.get(index);
        let skin = own.and_then(|mesh| mesh.skin.as_ref());
        for drawn in drawn(file, &nodes[index..=index]) {
            let place = Place {
                drawn,
                skin: skin.map_or(skin_count, |_| next_skin),
                joint_count: skin.map(|skin| skin.joints.len()),
                joint: index,
                rule: ReferenceRule::LowestJoint,
            };
            let mut surface = surfaces::read(block, file, &place)?.surface;
            surface.material = file.meshes[drawn.mesh].primitives[drawn.primitive].material;
            surface.cofactors = skin.is_none();
            surface.solver = skin.map(|skin| match skin.solver {
                Solver::Lbs => "lbs",
                Solver::Dqs => "dqs",
            });
            surfaces.push(surface);
        }
        next_skin += usize::from(skin.is_some());
    }
    Ok(surfaces)
}

fn skin_list(
    meshes: &[scene::Mesh],
    file: &File<'_>,
    nodes: &[usize],
    strides: &[usize],
) -> Vec<Skin> {
    let skins = meshes.iter().filter_map(|mesh| mesh.skin.as_ref());
    let joint = |joint: &scene::Joint| Joint {
        name: joint.name.clone(),
        parent: joint.parent,
        origin: joint.head,
    };
    let mut list: Vec<Skin> = skins
        .zip(strides)
        .map(|(skin, &stride)| Skin {
            name: skin.name.clone(),
            joints: skin.joints.iter().map(joint).collect(),
            stride,
        })
        .collect();
    let node = |node: &usize| Joint {
        name: file.nodes[*node].name.clone().unwrap_or_default(),
        ..Joint::default()
    };
    list.push(Skin {
        name: "nodes".to_owned(),
        joints: nodes.iter().map(node).collect(),
        stride: strides[strides.len() - 1],
    });
    list
}

/// Appends the vertices of a pose as the program bakes them, by both solvers: those of `own`, the surfaces of the document's own
/// meshes, because baked output leaves instances out.
fn baked(
    block: &mut Block,
    compiled: &Compiled,
    id: &str,
    own: &[Surface],
    isa: Isa,
) -> Option<Baked> {
    let mut by = |solver: Solver| {
        let posed = compiled.pose_by(id, solver, isa, &Sequential)?;
        let bytes = posed.bake().ok()?.to_bytes();
        let location = Location("baked.glb".into());
        let model = Model::read(&bytes, &location, &MemoryLoader::default())
            .ok()?
            .value;
        surfaces::push_baked(block, own, &model, Some)
    };
    Some(Baked {
        lbs: by(Solver::Lbs)?,
        dqs: by(Solver::Dqs),
    })
}
