//! Small documents that many tests use.

pub fn document(pose: &str) -> String {
    format!(
        "version: \"0.5\"\n\
         meshes: [{{id: m, primitives: [{{type: box, id: b, dimensions: {{x: 1}}}}]}}]\n\
         armatures: [{{id: a, bones: [{{id: r, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}}]}}]\n\
         bindings: [{{mesh_id: m, armature_id: a, weights: [], skinning_solver: dqs}}]\n\
         poses: [{{id: \"{pose}\", bones: {{r: {{rotation: [0.6, 0.8, 0, 0]}}}}}}]\n"
    )
}

/// A part, by custom `p.part.yaml`.
pub const PART: &str = r#"version: "0.5"
meshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: 2, y: 1, z: 1}}]}]
anchors: [{id: a, translation: [0, 0, 0]}, {id: b, translation: [1, 0, 0]}, {id: c, translation: [0, 1, 0]}]
"#;

/// A document that places it.
pub const USER: &str = r#"version: "0.5"
imports: {p: {source: p.part.yaml}}
anchors: [{id: a, translation: [0, 0, 0]}, {id: b, translation: [1, 0, 0]}, {id: c, translation: [0, 1, 0]}]
instances: [{id: i, import: p, attach3: {from: [a, b, c], to: [a, b, c], mode: rigid}}]
"#;

/// A document with two meshes of one name (V01).
pub const BAD: &str =
    "version: \"0.5\"\nmeshes:\n  - id: m\n    primitives: []\n  - id: m\n    primitives: []\n";
