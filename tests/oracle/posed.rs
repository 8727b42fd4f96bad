//! A mesh under a pose (§6, §7), and the secondary format that shows it: JSON.

use std::collections::BTreeMap;

use super::arithmetic::Vec3;
use super::document::{Armature, Document, Pose, Solver};
use super::export::{Asset, Part, mesh_name, part};
use super::json::{Object, real};
use super::solvers::{Bone, dqs_vertex, lbs_vertex};
use super::weights::ReadFile;

/// Every vertex through the solver of the binding; an unbound mesh stays at rest.
pub fn posed(part: &Part, pose: &Pose) -> (Vec<Vec3>, Vec<Vec3>) {
    let rest = &part.rest;
    let Some(bound) = &part.bound else {
        return (rest.positions.clone(), rest.normals.clone());
    };
    let bones = posed_bones(bound.armature, pose);
    let vertex = match bound.solver {
        Solver::Lbs => lbs_vertex,
        Solver::Dqs => dqs_vertex,
    };
    let vertices = bound.slots.iter().zip(&rest.positions).zip(&rest.normals);
    vertices
        .map(|((slots, p), n)| vertex(&bones, slots, *p, *n))
        .unzip()
}

/// §6: what the pose does not mention is identity.
fn posed_bones(armature: &Armature, pose: &Pose) -> Vec<Bone> {
    let posed_bone = |bone: &super::document::Bone| {
        let entry = pose.bones.iter().find(|(id, _)| *id == bone.id);
        let entry = entry.map(|(_, entry)| entry);
        let rotation = entry.and_then(|entry| entry.rotation);
        let translation = entry.and_then(|entry| entry.translation);
        Bone {
            head: bone.head,
            rotation: rotation.map_or([1.0, 0.0, 0.0, 0.0], pose_rotation),
            translation: translation.unwrap_or([0.0, 0.0, 0.0]),
        }
    };
    armature.bones.iter().map(posed_bone).collect()
}

/// `decisions.md`, pose quaternion norm: exact within 1e-6, normalised within 2.5e-4.
pub fn pose_rotation([w, x, y, z]: [f64; 4]) -> [f64; 4] {
    let squared = ((w * w + x * x) + y * y) + z * z;
    let e = (squared - 1.0).abs();
    if e <= 1e-6 {
        return [w, x, y, z];
    }
    assert!(e <= 2.5e-4, "not a unit quaternion");
    let n = squared.sqrt();
    [w / n, x / n, y / n, z / n]
}

/// The secondary format: every mesh with vertices under its output name, posed, as f32 values.
/// Of two meshes with one name the later is kept.
pub fn positions(document: &Document, pose: &Pose, read: ReadFile) -> Vec<u8> {
    let root = Asset::root(document);
    // Byte order of UTF-8 is the order of code points.
    let mut entries = BTreeMap::new();
    for mesh in &document.meshes {
        let Some(part) = part(mesh, &root, read) else {
            continue;
        };
        let (positions, normals) = posed(&part, pose);
        let mut entry = Object::default();
        entry
            .raw("normals", &vector_list(&normals))
            .raw("positions", &vector_list(&positions));
        entries.insert(mesh_name(&part), entry.end());
    }
    let mut all = Object::default();
    for (name, entry) in &entries {
        all.raw(name, entry);
    }
    all.end().into_bytes()
}

fn vector_list(vectors: &[Vec3]) -> String {
    let text = |vector: &Vec3| {
        let [x, y, z] = vector.map(|value| real(f64::from(value as f32)));
        format!("[{x},{y},{z}]")
    };
    let texts: Vec<String> = vectors.iter().map(text).collect();
    format!("[{}]", texts.join(","))
}
