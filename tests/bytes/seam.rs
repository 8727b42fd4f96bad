//! The two ways to a baked file compared: a Rigy document exported with its skin, its joints placed where a pose of
//! the document has them, and baked from there by the rules for glTF, against the document's own bake of that pose.
//!
//! A pose gives each bone a model-space transform M; a joint's matrix is M·IBM. In a glTF file it is its node's global
//! matrix times the inverse bind matrix, which the export has rounded to f32 (IBM′). So every joint becomes a node
//! without a parent whose matrix is M·IBM·IBM′⁻¹, written with all digits of f64.
//!
//! Values that are then the same bit for bit, and values that cannot be (`numerics.md` §5–§7, `bake.md` §3–§5):
//!
//! * *Linear, plain numbers* (every rest coordinate, head and weight is an f32): the same operations on the same numbers,
//!   so all positions are the same bits, signs of zeros too. So are normals of vertices that follow one joint. Where
//!   joints turn against each other every normal differs, by contract: a document blends matrices, a glTF bake takes
//!   the cofactors of the blend.
//! * *Dual quaternions, plain numbers*: not the same operations, as a document uses the quaternion as authored and a
//!   bake finds it again from the matrix, by polar decomposition; and normals are only turned by a document, but also
//!   brought to unit length by a bake. That moves last bits of f64, which an f32 shows only if it lies on the edge
//!   between two: here none of 216 numbers of positions and as many of normals does.
//! * *Other numbers*: a document poses its f64 rest vertices by f64 weights; the file holds both as f32, and a bake
//!   divides the weights by their sum once more. Six in ten positions are the same bits; all agree within an f32 step of
//!   the model's size, linear ones within half a step. Normals (but for the difference by contract) agree within half a
//!   step of 1: eight in ten of one joint, and seven in ten of several under dual quaternions, are the same bits.

use std::collections::BTreeMap;

use rigy_batch::bake::gltf::{File, JointScale, read};
use rigy_batch::bake::{Moment, Skinning, Source};
use rigy_batch::base::loader::{Location, MemoryLoader};
use rigy_batch::base::output::OutputFile;
use rigy_batch::compile::{Files, Input, check};
use rigy_batch::kernel::executor::Sequential;
use rigy_batch::kernel::math::{
    Affine, Quat, affine, affine_product, rotation_of, translation_part,
};
use rigy_batch::kernel::simd::Isa;
use rigy_batch::language::model::Solver;
use serde_json::{Value, json};

/// `plain` has nothing but f32 numbers; `limb` has gradients, thirds and tenths. Each once for either solver.
const DOCUMENT: &str = r#"
version: "0.5"
skinning_solver: dqs
meshes:
  - {id: plain_lbs, primitives: &crates [
      {type: box, id: base, dimensions: {x: 1.5, y: 0.5, z: 0.75}},
      {type: box, id: lid, dimensions: {x: 1, y: 0.25, z: 0.5}, transform: {translation: [0.25, 1.5, -0.125]}},
      {type: box, id: joint, dimensions: {x: 0.5, y: 1, z: 0.5}, transform: {translation: [0, 0.75, 0]}}]}
  - {id: plain_dqs, primitives: *crates}
  - {id: limb_lbs, primitives: &limb [
      {type: capsule, id: sleeve, dimensions: {radius: 0.1, height: 1.1}, transform: {translation: [0, 0.7, 0], rotation_euler: [0.1, 0, 0.05]}},
      {type: cylinder, id: ring, dimensions: {radius: 0.2, height: 0.1}, transform: {translation: [0, 0.35, 0.01]}},
      {type: sphere, id: knob, dimensions: {radius: 0.15}, transform: {translation: [0.05, 1.4, 0]}},
      {type: sphere, id: nail, dimensions: {radius: 0.03}, transform: {translation: [0.2, 1.4, 0.1]}}]}
  - {id: limb_dqs, primitives: *limb}
armatures:
  - id: hinge
    bones:
      - {id: below, parent: none, head: [0, 0, 0], tail: [0, 0.75, 0]}
      - {id: above, parent: below, head: [0.25, 0.75, -0.5], tail: [0, 2, 0]}
  - id: arm
    bones:
      - {id: shoulder, parent: none, head: [0.01, 0.1, 0], tail: [0, 0.5, 0]}
      - {id: elbow, parent: shoulder, head: [0, 0.55, 0.03], tail: [0, 1, 0]}
      - {id: wrist, parent: elbow, head: [0.02, 1.05, -0.01], tail: [0, 1.3, 0]}
      - {id: thumb, parent: wrist, head: [0.07, 1.3, 0.1], tail: [0.2, 1.4, 0]}
bindings:
  - {mesh_id: plain_lbs, armature_id: hinge, skinning_solver: lbs, weights: &plain [
      {primitive_id: base, bones: [{bone_id: below, weight: 1}]},
      {primitive_id: lid, bones: [{bone_id: above, weight: 1}]},
      {primitive_id: joint, bones: [{bone_id: below, weight: 0.75}, {bone_id: above, weight: 0.25}]}]}
  - {mesh_id: plain_dqs, armature_id: hinge, weights: *plain}
  - mesh_id: limb_lbs
    armature_id: arm
    skinning_solver: lbs
    weights: &weights
      - {primitive_id: knob, bones: [{bone_id: wrist, weight: 0.7}, {bone_id: thumb, weight: 0.3}]}
      - {primitive_id: nail, bones: [{bone_id: elbow, weight: 0.9}]}
    weight_maps: &maps
      - primitive_id: sleeve
        gradients:
          - axis: y
            range: [0.2, 0.9]
            from: [{bone_id: shoulder, weight: 0.9}, {bone_id: elbow, weight: 0.1}]
            to: [{bone_id: elbow, weight: 0.6}, {bone_id: wrist, weight: 0.3}, {bone_id: thumb, weight: 0.1}]
        overrides: [{vertices: [3, 4, 5], bones: [{bone_id: thumb, weight: 0.2}, {bone_id: elbow, weight: 0.1}]}]
      - primitive_id: ring
        gradients:
          - {axis: x, range: [-0.2, 0.2], from: {bone_id: shoulder, weight: 1}, to: {bone_id: elbow, weight: 1}}
  - {mesh_id: limb_dqs, armature_id: arm, weights: *weights, weight_maps: *maps}
poses:
  - id: bent
    bones:
      below: {rotation: [0.8, 0, 0, 0.6], translation: [0.5, -0.25, 0]}
      above: {rotation: [-0.28, 0.96, 0, 0], translation: [0.1, 0.9, 0.2]}
      shoulder: {rotation: [0.9238795325112867, 0, 0.3826834323650898, 0], translation: [0.01, 0.1, 0]}
      elbow: {rotation: [0.8, 0.36, 0, 0.48], translation: [0.1, 0.5, 0.07]}
      wrist: {rotation: [0.5, 0.5, -0.5, 0.5], translation: [-0.2, 0.8, 0.3]}
"#;

/// The pose once more: rotation w x y z and translation.
const POSE: [(&str, [f64; 4], [f64; 3]); 5] = [
    ("below", [0.8, 0.0, 0.0, 0.6], [0.5, -0.25, 0.0]),
    ("above", [-0.28, 0.96, 0.0, 0.0], [0.1, 0.9, 0.2]),
    (
        "shoulder",
        [0.9238795325112867, 0.0, 0.3826834323650898, 0.0],
        [0.01, 0.1, 0.0],
    ),
    ("elbow", [0.8, 0.36, 0.0, 0.48], [0.1, 0.5, 0.07]),
    ("wrist", [0.5, 0.5, -0.5, 0.5], [-0.2, 0.8, 0.3]),
];

/// M of a bone.
fn posed_bone(name: &str) -> Affine {
    let found = POSE.iter().find(|(bone, ..)| *bone == name);
    let (rotation, translation) = found.map_or(([1.0, 0.0, 0.0, 0.0], [0.0; 3]), |p| (p.1, p.2));
    affine(&rotation_of(Quat::from_wxyz(rotation)), translation)
}

fn moved([x, y, z]: [f64; 3]) -> Affine {
    [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z]]
}

struct Mesh {
    positions: Vec<f32>,
    normals: Vec<f32>,
}

fn open(glb: &[u8]) -> File<'_> {
    let location = Location("seam.glb".into());
    read(glb, &location, &MemoryLoader::default())
        .unwrap()
        .value
}

fn split(glb: &[u8]) -> (Value, &[u8]) {
    let end = 20 + u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    (serde_json::from_slice(&glb[20..end]).unwrap(), &glb[end..])
}

/// The document's export with its joints where the pose has them.
fn placed(export: &[u8], heads: &BTreeMap<String, [f64; 3]>) -> Vec<u8> {
    let file = open(export);
    let (mut json, rest) = split(export);
    for skin in &file.skins {
        for (joint, &node) in skin.joints.iter().enumerate() {
            let name = file.nodes[node].name.as_deref().unwrap();
            let rounded = translation_part(&skin.inverse_bind_matrices.as_ref().unwrap()[joint]);
            let off = [0, 1, 2].map(|c| -heads[name][c] - rounded[c]);
            let matrix = affine_product(&posed_bone(name), &moved(off));
            let mut columns: Vec<f64> = Vec::new();
            for c in 0..4 {
                columns.extend(matrix.map(|row| row[c]));
                columns.push(f64::from(u8::from(c == 3)));
            }
            let members = json["nodes"][node].as_object_mut().unwrap();
            members.remove("translation");
            members.remove("children");
            members.insert("matrix".into(), json!(columns));
        }
    }
    json["scenes"][0]["nodes"] = (0..file.nodes.len()).collect();
    let mut text = json.to_string();
    text.push_str(&" ".repeat(text.len().next_multiple_of(4) - text.len()));
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend((20 + text.len() as u32 + rest.len() as u32).to_le_bytes());
    glb.extend((text.len() as u32).to_le_bytes());
    glb.extend(b"JSON");
    [glb, text.into_bytes(), rest.to_vec()].concat()
}

/// Bakes a skinned file with its nodes as they are stored.
fn bake_skinned(glb: &[u8], solver: Solver) -> Vec<u8> {
    let location = Location("seam.glb".into());
    let source = Source::read(glb, &location, &MemoryLoader::default()).unwrap();
    let skinning = match solver {
        Solver::Lbs => Skinning::linear(),
        Solver::Dqs => Skinning::dual_quaternions(JointScale::Reject),
    };
    let baked = source
        .value
        .bake(&Moment::default(), &skinning, Isa::best());
    let baked = baked.unwrap().value;
    baked.to_bytes().unwrap().value
}

fn meshes(glb: &[u8]) -> BTreeMap<String, Mesh> {
    let file = open(glb);
    let with_mesh = file.nodes.iter().filter(|node| node.mesh.is_some());
    let meshes = with_mesh.map(|node| {
        let primitive = &file.meshes[node.mesh.unwrap()].primitives[0];
        let numbers = |name: &str| {
            let accessor = file.accessor(primitive.attribute(name).unwrap()).unwrap();
            let vertices = 0..accessor.count();
            vertices
                .flat_map(|v| [0, 1, 2].map(|c| accessor.real(v, c) as f32))
                .collect()
        };
        let mesh = Mesh {
            positions: numbers("POSITION"),
            normals: numbers("NORMAL"),
        };
        (node.name.clone().unwrap(), mesh)
    });
    meshes.collect()
}

#[derive(Debug, PartialEq)]
struct Difference {
    count: usize,
    differ: usize,
    most: f64,
}

fn difference<'a>(pairs: impl Iterator<Item = (&'a f32, &'a f32)>) -> Difference {
    let mut found = Difference {
        count: 0,
        differ: 0,
        most: 0.0,
    };
    for (a, b) in pairs {
        found.count += 1;
        found.differ += usize::from(a.to_bits() != b.to_bits());
        found.most = found.most.max((f64::from(*a) - f64::from(*b)).abs());
    }
    found
}

/// The longest side of the box around some positions.
fn extent(positions: &[f32]) -> f32 {
    let axis = |c: usize| positions.iter().skip(c).step_by(3).copied();
    let side = |c| axis(c).fold(f32::MIN, f32::max) - axis(c).fold(f32::MAX, f32::min);
    [0, 1, 2].map(side).into_iter().fold(0.0, f32::max)
}

/// The distance from a number to the next f32.
fn step(number: f32) -> f64 {
    f64::from(number.next_up()) - f64::from(number)
}

#[test]
fn a_document_and_its_skinned_export_are_baked_alike() {
    let files = Files::new(MemoryLoader::default());
    let checked = check(Input::new("seam.rigy.yaml", DOCUMENT), &files).unwrap();
    let compiled = checked.value.build().unwrap().value;
    let direct = compiled.pose("bent", Isa::best(), &Sequential).unwrap();
    let direct = meshes(&direct.bake().unwrap().to_bytes());
    let scene = &compiled.assembly().root;
    let skins = scene.meshes.iter().map(|mesh| mesh.skin.as_ref().unwrap());
    let joints = skins.flat_map(|skin| &skin.joints);
    let heads = joints
        .map(|joint| (joint.name.clone(), joint.head))
        .collect();
    let placed = placed(&compiled.export().unwrap().to_bytes(), &heads);
    assert_eq!(scene.meshes.len(), 4);
    for mesh in &scene.meshes {
        let skin = mesh.skin.as_ref().unwrap();
        let (name, direct) = (&mesh.name, &direct[&mesh.name]);
        let baked = &meshes(&bake_skinned(&placed, skin.solver))[name];
        let rest: Vec<f32> = (mesh.geometry.positions.iter().flatten())
            .map(|c| c as f32)
            .collect();
        let step_of_size = step(extent(&rest).max(extent(&direct.positions)));
        assert_eq!(direct.positions.len(), baked.positions.len());
        let positions = difference(direct.positions.iter().zip(&baked.positions));
        let runs = skin.runs.iter();
        let single: Vec<bool> = runs
            .flat_map(|run| vec![run.slots[1].1 == 0.0; run.vertex_count])
            .collect();
        let normals = |of_one: bool| {
            let pairs = direct.normals.iter().zip(&baked.normals).enumerate();
            let wanted = pairs.filter(|(i, _)| single[i / 3] == of_one);
            difference(wanted.map(|(_, pair)| pair))
        };
        let (single, blended) = (normals(true), normals(false));
        println!("{name}: an f32 step of its size is {step_of_size:e}");
        println!(
            "  positions {positions:?}: {:.2} steps",
            positions.most / step_of_size
        );
        println!("  normals of one joint {single:?}");
        println!("  normals of several {blended:?}");
        match &name[..] {
            "plain_lbs" => assert_eq!(positions.differ, 0),
            _ => assert!(positions.most <= step_of_size),
        }
        assert!(single.count > 0 && blended.count > 0);
        assert!(single.most <= step(1.0));
        assert!(!name.starts_with("plain") || single.differ == 0);
        match skin.solver {
            Solver::Lbs => assert!(blended.most > 0.1, "the contracts differ here"),
            Solver::Dqs => assert!(blended.most <= step(1.0)),
        }
    }
}
