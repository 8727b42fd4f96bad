//! Skinned samples posed by our reader, sampler and kernel, against the results of other clients for them
//! (`bake.md` §8): every vertex they list, on every instruction set the same bits.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rigy_batch::bake::gltf::{
    DualForm, File, JointScale, RestFrames, Skeleton, VertexInfluences, Vertices, dual_form,
    joint_matrices, pose, read,
};
use rigy_batch::base::loader::Location;
use rigy_batch::io::DirectoryLoader;
use rigy_batch::kernel::simd::Isa;
use rigy_batch::kernel::{
    FrameJob, FramePalette, Frames, Influences, ReferenceRule, evaluate_frames,
};
use serde_json::Value;

fn samples() -> Option<PathBuf> {
    let suite = std::env::var_os("RIGY_SUITE").map_or("../shared".into(), PathBuf::from);
    let samples = suite.join("gltf-samples");
    if samples.is_dir() {
        return Some(samples);
    }
    println!("skipped: no {}", samples.display());
    None
}

/// Positions of a skinned node's primitives, one after the other.
fn posed(
    file: &File<'_>,
    node: usize,
    skeleton: &Skeleton<'_>,
    palette: &FramePalette,
    weights: &[f64],
) -> Vec<[f32; 3]> {
    let mesh = file.nodes[node].mesh.unwrap();
    let skin = &file.skins[file.nodes[node].skin.unwrap()];
    assert_eq!(skeleton.nodes.len(), file.nodes.len());
    let mut positions = Vec::new();
    for primitive in &file.meshes[mesh].primitives {
        let from = Vertices {
            file,
            primitive,
            path: "",
            range: 0..primitive.vertex_count,
        };
        let (mut slots, mut rest) = (VertexInfluences::default(), RestFrames::default());
        slots.read(&from, skin.joints.len()).unwrap();
        rest.read(&from, weights).unwrap();
        let bound = Influences::bind_each(
            ReferenceRule::LargestWeight,
            slots.set_count,
            &slots.slots(),
        );
        let job = FrameJob {
            palette,
            influences: &bound,
            positions: rest.positions.each_ref().map(Vec::as_slice),
            normals: None,
            tangents: None,
        };
        let mut of_sets = Isa::available().into_iter().map(|isa| {
            let mut signs = vec![0.0; rest.positions[0].len()];
            let mut positions = vec![0.0; 3 * signs.len()];
            let to = Frames {
                positions: &mut positions,
                normals: &mut [],
                tangents: &mut [],
                signs: &mut signs,
            };
            evaluate_frames(isa, &job, to);
            positions
        });
        let first = of_sets.next().unwrap();
        let bits = |values: &[f32]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        assert!(
            of_sets.all(|other| bits(&other) == bits(&first)),
            "instruction sets differ"
        );
        positions.extend(
            first.as_chunks().0[..primitive.vertex_count]
                .iter()
                .copied(),
        );
    }
    positions
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// Where the primitives of a listed mesh begin among all vertices of its node.
fn listed(file: &File<'_>, node: usize, mesh: &Value) -> std::ops::Range<usize> {
    let primitives = &file.meshes[file.nodes[node].mesh.unwrap()].primitives;
    let counts: Vec<usize> = primitives.iter().map(|p| p.vertex_count).collect();
    let count = mesh["vertex_count"].as_u64().unwrap() as usize;
    let index = mesh["primitive"].as_u64().unwrap() as usize;
    let start: usize = counts[..index].iter().sum();
    assert!(
        count == counts[index] || count == counts.iter().sum::<usize>(),
        "{count} of {counts:?}"
    );
    start..start + count
}

/// The skinned node that a listed mesh is. Where the list has numbers of meshes, the nodes of each follow in order.
fn node_of(
    file: &File<'_>,
    listed: &Value,
    seen: &mut BTreeMap<(u64, u64), usize>,
) -> Option<usize> {
    let skinned = |index: &usize| file.nodes[*index].skin.is_some();
    let Some(mesh) = listed["gltf_mesh"].as_u64() else {
        let is_named =
            |index: &usize| file.nodes[*index].name.as_deref() == listed["node_name"].as_str();
        let mut named = (0..file.nodes.len()).filter(is_named).filter(skinned);
        let mut any = (0..file.nodes.len()).filter(skinned);
        return named
            .next()
            .or_else(|| any.next().filter(|_| file.skins.len() == 1));
    };
    let before = seen
        .entry((mesh, listed["primitive"].as_u64()?))
        .or_default();
    let of_mesh = |index: &usize| file.nodes[*index].mesh == Some(mesh as usize);
    let node = (0..file.nodes.len())
        .filter(of_mesh)
        .filter(skinned)
        .nth(*before);
    *before += 1;
    node
}

/// Largest distance of a listed vertex over the model's size; `None` if not comparable.
fn deviation(expected: &Path, samples: &Path) -> Option<f64> {
    let expected: Value = serde_json::from_slice(&std::fs::read(expected).unwrap()).unwrap();
    let source = expected["source"].as_str().unwrap();
    let path = ["real", "made", "compressed"]
        .map(|folder| samples.join(folder).join(source))
        .into_iter()
        .find(|path| path.exists())
        .unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let loader = DirectoryLoader::new(samples).unwrap();
    let file = read(&bytes, &Location(path), &loader).unwrap().value;
    let by_blender = expected["tool"].as_str().unwrap().contains("Blender");
    let wanted = expected["animation"].as_str().unwrap();
    let named = |a: &rigy_batch::bake::gltf::Animation| a.name.as_deref() == Some(wanted);
    let animation = file.animations.iter().position(named);
    let animation = animation.or(wanted.parse().ok()).unwrap_or(0);
    let pose = pose(
        &file.nodes,
        file.channels(animation).unwrap().value,
        number(&expected["t"]),
    )
    .unwrap();
    let skeleton = Skeleton::new(&file.nodes, &pose);
    let is_dual = expected["solver"].as_str().unwrap().contains("dqs");
    let mut worst: Option<f64> = None;
    let mut seen = BTreeMap::new();
    for mesh in expected["meshes"].as_array().unwrap() {
        let Some(node) = node_of(&file, mesh, &mut seen) else {
            continue;
        };
        if by_blender && source.starts_with("multi_skin") && mesh["node_name"] != "inst1" {
            continue; // Blender takes one bind pose for all instances, the middle one's
        }
        let skinned = &file.nodes[node];
        let skin = &file.skins[skinned.skin.unwrap()];
        let palette = if is_dual {
            match dual_form(&skeleton, skin, &JointScale::Global).unwrap() {
                DualForm::Rigid(rigid) => FramePalette::rigid(rigid),
                DualForm::Scaled { first, rigid } => FramePalette::scaled(first, rigid),
            }
        } else {
            FramePalette::linear(joint_matrices(&skeleton, skin).unwrap())
        };
        let own = pose.nodes[node].weights.clone().or(skinned.weights.clone());
        let weights = own.unwrap_or(file.meshes[skinned.mesh.unwrap()].weights.clone());
        let positions = posed(&file, node, &skeleton, &palette, &weights);
        let positions = &positions[listed(&file, node, mesh)];
        let corner = |name: &str| [0, 1, 2].map(|c: usize| number(&mesh[name][c]));
        let (min, max) = (corner("min"), corner("max"));
        let size = (0..3).map(|c| max[c] - min[c]).fold(0.0, f64::max);
        for entry in mesh["every10"].as_array().unwrap() {
            let vertex = positions[entry[0].as_u64().unwrap() as usize];
            for c in 0..3 {
                let off = (f64::from(vertex[c]) - number(&entry[c + 1])).abs() / size;
                worst = Some(worst.unwrap_or(0.0).max(off));
            }
        }
    }
    worst
}

#[test]
fn samples_agree_with_other_clients() {
    let Some(samples) = samples() else { return };
    let mut files: Vec<PathBuf> = std::fs::read_dir(samples.join("expected"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let mut failed = Vec::new();
    for path in &files {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let tolerance = match name {
            // Keys of three decimals: that client uses them as they are.
            _ if name.starts_with("three_lbs_SimpleSkin") => 1.3e-4,
            // Small joint scale, which that client treats in its own way.
            _ if name.starts_with("bpy_dqs_Mannequiny") => 1e-4,
            _ => 1e-5,
        };
        let worst = deviation(path, &samples);
        println!("{name}: {worst:?} of {tolerance:?}");
        if !worst.is_some_and(|worst| worst <= tolerance) {
            failed.push(format!("{name}: {worst:?}"));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
