//! Every code that a document without composition can raise: one change to a good document, the code it
//! brings, and where.

mod rules;
mod versions;
mod warnings;
mod weight_files;

use rigy_batch::base::diag::Diagnostic;
use rigy_batch::base::limits::Limits;
use rigy_batch::base::loader::MemoryLoader;
use rigy_batch::compile::{Files, Input, check};
use rigy_batch::kernel::executor::Sequential;
use rigy_batch::kernel::simd::Isa;

pub const GOOD: &str = r#"version: "0.5"
tessellation_profile: v0_1_default
meshes:
  - id: m
    primitives:
      - {type: box, id: p, dimensions: {x: 1}}
      - {type: box, id: q, dimensions: {x: 1}}
  - {id: n, primitives: []}
armatures:
  - id: a
    bones:
      - {id: r, parent: none, head: [0, 0, 0], tail: [0, 1, 0], roll: 0}
      - {id: s, parent: r, head: [0, 1, 0], tail: [0, 2, 0]}
  - {id: e, bones: []}
bindings:
  - mesh_id: m
    armature_id: a
    weights: [{primitive_id: p, bones: [{bone_id: r, weight: 1}]}]
    weight_maps:
      - primitive_id: q
        gradients: [{axis: x, range: [-1, 1], from: {bone_id: r, weight: 1}, to: {bone_id: s, weight: 0.9}}]
        overrides: [{vertices: [3], bones: [{bone_id: s, weight: 1}]}]
        source: w.json
  - {mesh_id: n, armature_id: e, weights: []}
poses:
  - {id: t, bones: {r: {rotation: [1, 0, 0, 0], translation: [0, 0, 0]}, s: {translation: [0, 1, 0]}}}
  - {id: u, bones: {s: {translation: [0, 1, 0]}}}
anchors:
  - {id: c, translation: [0, 0, 0]}
  - {id: d, translation: [0, 0, 1]}
"#;

pub const WEIGHTS: &str =
    r#"{"primitive_id": "q", "vertex_count": 24, "influences": [{"vertex": 1, "bones": []}]}"#;

pub fn findings(text: &str, weights: &str) -> Vec<Diagnostic> {
    let mut loader = MemoryLoader::default();
    loader.files.insert("w.json".into(), weights.into());
    let files = Files::new(loader).within(Limits::DEFAULT.bytes(16 << 20));
    let judged = check(Input::new("d.rigy.yaml", text), &files).and_then(|checked| {
        let mut warnings = checked.warnings;
        let compiled = checked.value.build()?;
        warnings.extend(compiled.warnings);
        compiled.value.export()?;
        for id in compiled.value.pose_ids() {
            let posed = compiled.value.pose(id, Isa::best(), &Sequential);
            posed.unwrap().bake()?;
        }
        Ok(warnings)
    });
    judged.unwrap_or_else(|errors| errors)
}

#[test]
fn the_good_document_is_good() {
    assert_eq!(findings(GOOD, WEIGHTS), []);
}
