//! The oracle's own edge cases: what the published files do not touch, read off the contract.

use super::arithmetic::Vec3;

use super::document::{Armature, Document, Rotation};
use super::geometry::{euler_matrix, rest_geometry};
use super::glb::{bounds, chunks};
use super::json::string;
use super::reading::read;
use super::solvers::lbs_vertex;
use super::weights::{Slots, canonical, gradient_t, influences};
use super::{bake, compile, pose_ids, posed::pose_rotation};

pub fn no_files(path: &str) -> Vec<u8> {
    panic!("nobody asked for {path}")
}

pub fn json_of(file: &[u8]) -> String {
    super::soundness::check(file);
    chunks(file).0.to_string()
}

/// The scalar parts of a document that every test shares; boxes, since they are small.
fn document(rest: &str) -> String {
    format!(
        "version: \"0.5\"\n\
         armatures:\n\
         - {{id: arm, bones: [\n\
             {{id: r, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}},\n\
             {{id: L.b, parent: r, head: [0, 1, 0], tail: [0, 2, 0]}}]}}\n{rest}"
    )
}

fn slots(document: &Document, files: &dyn Fn(&str) -> Vec<u8>) -> Vec<Slots> {
    let rest = rest_geometry(&document.meshes[0]);
    influences(&rest, &document.armatures[0], &document.bindings[0], files)
}

#[test]
fn a_document_without_vertices() {
    let file = compile("version: '0.1'", &no_files);
    assert_eq!(file.len(), 140);
    assert_eq!(
        json_of(&file),
        r#"{"asset":{"generator":"pygltflib@v1.16.5","version":"2.0"},"buffers":[{"byteLength":0}],"scene":0,"scenes":[{}]}"#
    );
    let bound = document(
        "meshes: [{id: m, primitives: []}]\n\
         bindings: [{mesh_id: m, armature_id: arm, weights: []}]\n",
    );
    assert_eq!(compile(&bound, &no_files), file);
}

#[test]
fn two_meshes_share_an_armature() {
    let text = document(
        "meshes:\n\
         - {id: none_here, primitives: []}\n\
         - {id: m, name: \"\", primitives: [{type: box, id: p, dimensions: {x: 1}}]}\n\
         - {id: n, name: N, primitives: [{type: box, id: p, dimensions: {x: 1}, material: q}]}\n\
         bindings:\n\
         - {mesh_id: m, armature_id: arm, weights: []}\n\
         - {mesh_id: n, armature_id: arm, weights: []}\n\
         poses: [{id: rest, bones: {}}, {id: '', bones: {L.b: {}}}]\n",
    );
    let json = json_of(&compile(&text, &no_files));
    let bone = r#"{"translation":[0.0,1.0,0.0],"name":"L.b"}"#;
    let nodes = format!(
        r#""nodes":[{{"mesh":0,"skin":0,"name":"m"}},{{"translation":[0.0,0.0,0.0],"children":[2],"name":"r"}},{bone},{{"mesh":1,"skin":1,"name":"N"}},{{"translation":[0.0,0.0,0.0],"children":[5],"name":"r"}},{bone}],"scene":0,"scenes":[{{"nodes":[0,1,3,4]}}]"#
    );
    assert!(json.contains(&nodes), "{json}");
    assert!(
        json.contains(r#"{"inverseBindMatrices":11,"skeleton":4,"joints":[4,5],"name":"arm"}"#)
    );
    assert!(
        json.contains(r#""indices":8,"mode":4,"material":0}],"name":"N"}"#),
        "{json}"
    );
    assert_eq!(pose_ids(&text), ["rest", ""]);
    let json = json_of(&bake(&text, "", &no_files));
    assert!(json.contains(r#"{"mesh":1,"name":"N"},{"children":[5],"name":"r"},{"name":"L.b"}"#));
    assert!(!json.contains("skin"), "{json}");
}

#[test]
fn values_are_coerced_and_merged() {
    let text = "version: '0.5'\n\
        meshes:\n\
        - id: m\n\
        \x20 primitives:\n\
        \x20 - &a {type: box, id: a, dimensions: {x: ' 1_0. ', y: true, z: 010}}\n\
        \x20 - &b {<<: *a, id: b, transform: {translation: ['-0', 0x10, .5]}}\n\
        \x20 - {<<: [*b], id: c}\n\
        \x20 - {<<: [{id: c, material: first}, *b, {material: last}], id: d}\n";
    let document = read(text);
    let [a, b, c, d] = &document.meshes[0].primitives[..] else {
        panic!()
    };
    let dimensions: Vec<f64> = a.dimensions.iter().map(|(_, value)| *value).collect();
    assert_eq!(dimensions, [10.0, 1.0, 10.0]);
    assert!(a.transform.is_none());
    for primitive in [b, c, d] {
        let translation = primitive.transform.as_ref().and_then(|t| t.translation);
        let bits = translation.map(|t| t.map(f64::to_bits));
        assert_eq!(bits, Some([-0.0_f64, 16.0, 0.5].map(f64::to_bits)));
        assert_eq!(primitive.kind, "box");
    }
    assert_eq!((c.id.as_str(), d.id.as_str()), ("c", "d"));
    assert_eq!(d.material.as_deref(), Some("first"));
}

const MIRRORED: &str = "meshes: [{id: m, primitives: [\n\
      {type: box, id: c, dimensions: {x: 1}, transform: {}},\n\
      {type: box, id: L.p, dimensions: {x: 1},\n\
       transform: {translation: [0, 1, 2], rotation_degrees: [90, 0, 180]}},\n\
      {type: box, id: L.q, dimensions: {x: 1}, transform: {}}]}]\n\
    symmetry: {mirror_x: {prefix_from: L., prefix_to: R.}}\n\
    bindings: [{mesh_id: m, armature_id: arm, weights: [], weight_maps: [\n\
      {primitive_id: L.p, source: p.json,\n\
       gradients: [{axis: x, range: [0, 1], from: [], to: {bone_id: L.b, weight: 1}}]},\n\
      {primitive_id: L.q, source: q.json, overrides: [{vertices: [5.0], bones: []}]}]}]\n";

#[test]
fn mirrored_numbers() {
    let document = read(&document(MIRRORED));
    let primitives = &document.meshes[0].primitives;
    let ids: Vec<&str> = primitives.iter().map(|p| p.id.as_str()).collect();
    assert_eq!(ids, ["c", "L.p", "L.q", "R.p", "R.q"]);
    let bits = |vector: Option<Vec3>| vector.map(|v| v.map(f64::to_bits));
    let transform = primitives[3].transform.as_ref().expect("a transform");
    assert_eq!(bits(transform.translation), bits(Some([-0.0, 1.0, 2.0])));
    let (quarter, half) = (std::f64::consts::FRAC_PI_2, std::f64::consts::PI);
    let Some(Rotation::Euler(angles)) = transform.rotation else {
        panic!("not Euler angles");
    };
    assert_eq!(bits(Some(angles)), bits(Some([quarter, -0.0, -half])));
    let transform = primitives[4].transform.as_ref().expect("a transform");
    assert_eq!(bits(transform.translation), bits(Some([0.0; 3])));
    assert_eq!(transform.rotation, None);
    let bone = &document.armatures[0].bones[2];
    assert_eq!((bone.id.as_str(), bone.parent.as_str()), ("R.b", "r"));
    assert_eq!(bits(Some(bone.head)), bits(Some([-0.0, 1.0, 0.0])));
    let gradient = &document.bindings[0].weight_maps[2].gradients[0];
    assert_eq!(
        gradient.range.map(f64::to_bits),
        [-1.0, -0.0].map(f64::to_bits)
    );
    assert_eq!(gradient.from, [("R.b".to_string(), 1.0)]);
    assert!(gradient.to.is_empty());
}

#[test]
fn mirrored_weight_files_are_shared() {
    let files = |path: &str| {
        let id = path.replace(".json", "");
        let bones = r#"[{"bone_id":"r","weight":0},{"bone_id":"L.b","weight":0.5}]"#;
        let entry = format!(r#"{{"vertex":7,"bones":{bones}}}"#);
        let last = r#"{"vertex":5,"bones":[{"bone_id":"L.b","weight":1}]}"#;
        let head = format!(r#""primitive_id":"L.{id}","vertex_count":24.0"#);
        format!(r#"{{{head},"influences":[{entry},{last}]}}"#).into_bytes()
    };
    let slots = slots(&read(&document(MIRRORED)), &files);
    let root = [(0, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)];
    let with_zero = |joint| [(joint, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)];
    assert_eq!(slots[48 + 7], with_zero(1), "from the file");
    assert_eq!(slots[96 + 7], with_zero(2), "from the file, renamed");
    assert_eq!(
        (slots[48 + 5], slots[96 + 5]),
        (root, root),
        "overridden by an empty list"
    );
    assert_eq!((slots[0], slots[48]), (root, root), "untouched");
}

#[test]
fn zero_weights_keep_their_slots() {
    let armature: &Armature = &read(&document("")).armatures[0];
    let kept = canonical(
        &[(0, 0.0), (1, 0.0), (1, 0.25), (0, -0.0), (1, 0.0)],
        armature,
    );
    assert_eq!(kept, [(1, 1.0), (1, 0.0), (1, 0.0), (0, 0.0)]);
    assert_eq!(canonical(&[(1, 0.0)], armature)[0], (0, 1.0));
    assert_eq!(canonical(&[], armature)[0], (0, 1.0));
    let tie = canonical(&[(0, 0.5), (1, 0.5)], armature);
    assert_eq!(
        tie.map(|(joint, _)| joint),
        [1, 0, 0, 0],
        "L.b sorts before r"
    );
}

#[test]
fn pose_rotations() {
    let exact = [0.9999996, 0.0, 0.0, 0.0];
    assert_eq!(pose_rotation(exact), exact);
    let [w, x, y, z] = pose_rotation([0.9239, 0.0, 0.3827, -0.0]);
    let n = (0.9239_f64 * 0.9239 + 0.3827 * 0.3827).sqrt();
    assert_eq!([w, x, y], [0.9239 / n, 0.0, 0.3827 / n]);
    assert!(z == 0.0 && z.is_sign_negative());
}

#[test]
fn the_later_of_two_equal_zeros_is_a_bound() {
    let bits = |(min, max): (Vec3, Vec3)| [min, max].map(|v| v[0].to_bits());
    let (plus, minus) = ([0.0, 0.0, 0.0], [-0.0, 0.0, 0.0]);
    assert_eq!(bits(bounds(&[plus, minus])), [(-0.0_f64).to_bits(); 2]);
    assert_eq!(bits(bounds(&[minus, plus])), [0; 2]);
}

#[test]
fn the_foot_of_a_gradient_is_plus_zero() {
    assert_eq!(gradient_t(-0.0, [0.0, 1.0]).to_bits(), 0);
    assert_eq!(gradient_t(-3.0, [0.0, 1.0]).to_bits(), 0);
    assert_eq!(gradient_t(3.0, [-0.0, 1.0]), 1.0);
}

#[test]
fn rotations_associate_as_written() {
    let [rx, ry, rz] = [0.6, 0.7, 0.5];
    let (sx, cx) = (libm::sin(rx), libm::cos(rx));
    let sy = libm::sin(ry);
    let (sz, cz) = (libm::sin(rz), libm::cos(rz));
    let element = euler_matrix([rx, ry, rz])[0][1];
    assert_eq!(element, -sz * cx + (cz * sy) * sx);
    assert_ne!(element, -sz * cx + cz * (sy * sx));
}

#[test]
fn an_unbound_mesh_bakes_at_rest() {
    let text = "version: '0.5'\n\
        meshes: [{id: m, primitives: [{type: sphere, id: s, dimensions: {radius: 0.3}}]}]\n\
        poses: [{id: p, bones: {}}]\n";
    let (rest, baked) = (compile(text, &no_files), bake(text, "p", &no_files));
    let bin_len = 561 * 24 + 3072 * 4;
    assert_eq!(rest[rest.len() - bin_len..], baked[baked.len() - bin_len..]);
    assert!(json_of(&rest).contains(r#""max":[0.3,0.3,0.3]"#));
    let widened = "0.30000001192092896";
    let max = format!(r#""max":[{widened},{widened},{widened}]"#);
    assert!(json_of(&baked).contains(&max));
}

#[test]
fn a_vanishing_normal_stays_at_rest() {
    let bone = |rotation| super::solvers::Bone {
        head: [0.0; 3],
        rotation,
        translation: [0.0; 3],
    };
    let bones = [bone([1.0, 0.0, 0.0, 0.0]), bone([0.0, 1.0, 0.0, 0.0])];
    let normal = [-0.0, 1.0, 0.0];
    let (_, n) = lbs_vertex(&bones, &[(0, 0.5), (1, 0.5)], [0.0; 3], normal);
    assert_eq!(n.map(f64::to_bits), normal.map(f64::to_bits));
}

#[test]
fn strings_are_ascii() {
    let text = "\"\\/\n\r\t\u{8}\u{c}\u{1}\u{7f}~\u{e9}\u{1F600}";
    assert_eq!(
        string(text),
        r#""\"\\/\n\r\t\b\f\u0001\u007f~\u00e9\ud83d\ude00""#
    );
}
