//! The reference of the hemisphere: the slot of the largest weight, of equal ones the first (`bake.md` §5).

use serde_json::json;

use super::builder::{COUNT, Made, U8, arm};
use super::palettes::Scale;
use super::runs::{Ask, baked};
use super::vertices::{set_attribute, vertices};

/// Joints and weights of both sets of a vertex.
type Slots = [[(u8, f32); 4]; 2];

const NONE: (u8, f32) = (0, 0.0);

/// How joints 0, 1 and 2 turn about z, as w and z. The last two are in one hemisphere with joint 0, but not with each other.
const TURNS: [[f64; 2]; 3] = [[1.0, 0.0], [0.6, 0.8], [0.6, -0.8]];

/// Vertices, and the joint that is the reference of each.
#[rustfmt::skip] // a row stays a line
const VERTICES: [(Slots, usize); COUNT] = [
    // A far ancestor with one per cent, which is also the lowest joint and the first slot.
    ([[(0, 0.01), (1, 0.6), (2, 0.39), NONE], [NONE; 4]], 1),
    ([[(1, 0.39), (0, 0.01), (2, 0.6), NONE], [NONE; 4]], 2),
    // Equal weights: neither the lower joint nor the last slot.
    ([[(0, 0.1), (2, 0.45), (1, 0.45), NONE], [NONE; 4]], 2),
    // The second set has the largest weight.
    ([[(0, 0.1), (1, 0.3), (0, 0.1), NONE], [(2, 0.5), NONE, NONE, NONE]], 2),
    // Both sets have it.
    ([[(0, 0.2), (1, 0.4), NONE, NONE], [(2, 0.4), NONE, NONE, NONE]], 1),
    // The lowest joint itself has it.
    ([[(2, 0.25), (1, 0.25), (0, 0.5), NONE], [NONE; 4]], 0),
];

/// An arm with the vertices above, all at (1, 0, 0) beside three joints at the origin.
fn turned() -> Made {
    let mut made = arm();
    let nodes = TURNS.map(|[w, z]| made.push("nodes", json!({"rotation": [0.0, 0.0, z, w]})));
    made.json["nodes"][0] = json!({"name": "upper", "children": nodes});
    made.json["scenes"][0]["nodes"] = json!([0, 1, 3]);
    made.json["skins"][0] = json!({"joints": nodes});
    for set in [0, 1] {
        let of_set = VERTICES.map(|(slots, _)| slots[set]);
        let (joints, weights): (Vec<u8>, Vec<f32>) = of_set.into_iter().flatten().unzip();
        let joints = made.accessor("VEC4", U8, COUNT, &joints);
        let weights = made.floats("VEC4", &weights);
        set_attribute(&mut made, &format!("JOINTS_{set}"), joints);
        set_attribute(&mut made, &format!("WEIGHTS_{set}"), weights);
    }
    let positions = made.floats("VEC3", [[1.0, 0.0, 0.0]; COUNT].as_flattened());
    set_attribute(&mut made, "POSITION", positions);
    made
}

/// Returns (1, 0, 0) turned by the blended quaternion, of which all joints are brought into the hemisphere of one.
fn expected(slots: &Slots, reference: usize) -> [f64; 2] {
    let (mut w, mut z) = (0.0, 0.0);
    for (joint, weight) in slots.as_flattened() {
        let (turn, near) = (TURNS[usize::from(*joint)], TURNS[reference]);
        let is_opposite = turn[0] * near[0] + turn[1] * near[1] < 0.0;
        let weight = f64::from(if is_opposite { -weight } else { *weight });
        w += weight * turn[0];
        z += weight * turn[1];
    }
    let square = w * w + z * z;
    [(w * w - z * z) / square, 2.0 * w * z / square]
}

fn distance(a: &[f64], b: [f64; 2]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f64>().sqrt()
}

#[test]
fn the_largest_weight_chooses_the_hemisphere() {
    let output = baked(&turned(), &Ask::REST.dqs(Scale::Global));
    let positions = vertices(&output, 0, "POSITION").unwrap();
    for (vertex, (slots, reference)) in VERTICES.iter().enumerate() {
        let wanted = expected(slots, *reference);
        let found = &positions[vertex];
        let apart = distance(found, wanted);
        assert!(apart < 1e-6, "vertex {vertex}: {found:?}, not {wanted:?}");
        for other in (0..3).filter(|other| other != reference) {
            let apart = distance(found, expected(slots, other));
            assert!(apart > 0.04, "vertex {vertex} does not tell joint {other}");
        }
    }
}

/// The reference joints that palettes bring.
mod brought {
    use super::*;
    use crate::support::Dir;

    /// The reference joints of the first primitive.
    fn references(dir: &Dir, file: &str, pose: &str) -> Vec<u64> {
        let ran = dir.run(&format!("palette {file} {pose}")).good();
        let found = &ran.json()[0]["meshes"][0]["references"];
        let found = found.as_array().unwrap().iter();
        found.map(|joint| joint.as_u64().unwrap()).collect()
    }

    #[test]
    fn palettes_bring_the_reference_of_each_vertex() {
        let dir = Dir::with("made.glb", turned().glb());
        let wanted = VERTICES.map(|(_, reference)| reference as u64);
        assert_eq!(references(&dir, "made.glb", ""), wanted);
        // Its weights are 0.2, 0.45 and 0.35: documents keep the lowest joint.
        let name = "N03_reference_bone.rigy.yaml";
        let inputs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/inputs");
        dir.write(name, std::fs::read(inputs.join(name)).unwrap());
        let found = references(&dir, name, "--pose p");
        assert!(!found.is_empty() && found.iter().all(|joint| *joint == 0));
    }
}
