//! The tables of `language.md`, row by row: meanings of scalars (§1.1), spellings of versions (§1.2), values that each
//! type accepts (§1.3), features of later versions (§7), and the probe set (§10).
//!
//! Where a row says which value results, the value is read from the exported GLB or from the scene behind it.

mod coercion;
mod later;
mod probes;
mod rows;
mod scalars;
mod syntax;
mod versions;

use rigy_batch::base::diag::{Code, Diagnostic};
use rigy_batch::base::loader::MemoryLoader;
use rigy_batch::base::output::OutputFile;
use rigy_batch::compile::{Files, Input, check};
use rigy_batch::kernel::executor::Sequential;
use rigy_batch::kernel::simd::Isa;
use rigy_batch::language::model::Solver;
use serde_json::Value;

use crate::support::glb_parts;
use rows::{Expected::Vertices, every};

/// A compiled document.
pub struct Made {
    /// The JSON chunk of the ordinary export.
    pub json: Value,
    pub baked: Vec<Value>,
    pub meshes: Vec<MadeMesh>,
    pub warnings: Vec<Code>,
}

pub struct MadeMesh {
    pub positions: Vec<[f64; 3]>,
    /// The heaviest joint of each vertex; empty for a mesh that is not bound.
    pub joints: Vec<u16>,
    pub solver: Option<Solver>,
}

pub fn compile(text: &str, files: &[(&str, &str)]) -> Result<Made, Vec<Diagnostic>> {
    let mut loader = MemoryLoader::default();
    for (name, content) in files {
        loader.files.insert((*name).into(), (*content).into());
    }
    let loaded = Files::new(loader);
    let checked = check(Input::new("d.rigy.yaml", text), &loaded)?;
    let compiled = checked.value.build()?;
    let warnings = checked.warnings.iter().chain(&compiled.warnings);
    let warnings = warnings.filter_map(|warning| warning.code).collect();
    let compiled = compiled.value;
    let json = glb_parts(&compiled.export()?.to_bytes()).0;
    let mut baked = Vec::new();
    for id in compiled.pose_ids() {
        let posed = compiled.pose(id, Isa::best(), &Sequential).unwrap();
        baked.push(glb_parts(&posed.bake()?.to_bytes()).0);
    }
    let meshes = compiled.assembly().root.meshes.iter().map(|mesh| {
        let runs = mesh.skin.iter().flat_map(|skin| &skin.runs);
        let slots = runs.flat_map(|run| std::iter::repeat_n(run.slots, run.vertex_count));
        MadeMesh {
            positions: mesh.geometry.positions.iter().collect(),
            joints: slots.map(|slots| slots[0].0).collect(),
            solver: mesh.skin.as_ref().map(|skin| skin.solver),
        }
    });
    let meshes = meshes.collect();
    Ok(Made {
        json,
        baked,
        meshes,
        warnings,
    })
}

pub fn good(text: &str) -> Made {
    compile(text, &[]).unwrap_or_else(|errors| panic!("{}", found(&errors[0])))
}

/// A bound of an accessor, which baked files round to single precision and others do not.
fn bound(accessor: &Value, end: &str, axis: usize) -> f32 {
    accessor[end][axis].as_f64().unwrap() as f32
}

/// Smallest and largest position of the first mesh, as its accessor says.
pub fn bounds(json: &Value) -> [[f32; 3]; 2] {
    let accessor = &json["meshes"][0]["primitives"][0]["attributes"]["POSITION"];
    let accessor = &json["accessors"][accessor.as_u64().unwrap() as usize];
    ["min", "max"].map(|end| [0, 1, 2].map(|axis| bound(accessor, end, axis)))
}

pub fn found(error: &Diagnostic) -> String {
    format!("{} {:?}: {}", error.category, error.code, error.message)
}

/// A box `p` in a mesh `m`, bound to the bones `r` and its child `s`.
pub const BASE: &str = r#"version: "0.5"
meshes:
  - id: m
    primitives:
      - {type: box, id: p, dimensions: {x: 1}}
armatures:
  - id: a
    bones:
      - {id: r, parent: none, head: [0, 0, 0], tail: [0, 1, 0], roll: 0}
      - {id: s, parent: r, head: [0, 0, 0], tail: [0, 2, 0]}
bindings:
  - mesh_id: m
    armature_id: a
    weights: []
    weight_maps:
      - primitive_id: p
        gradients: [{axis: x, range: [-1, 1], from: {bone_id: r, weight: 1}, to: []}]
        overrides: [{vertices: [0], bones: [{bone_id: s, weight: 1}]}]
poses:
  - {id: t, bones: {r: {rotation: [1, 0, 0, 0]}}}
anchors:
  - {id: c, translation: [0, 0, 0]}
  - {id: d, translation: [1, 0, 0]}
  - {id: e, translation: [2, 0, 0]}
  - {id: f, translation: [0, 1, 0]}
"#;

pub const BOX: &str = "{type: box, id: p, dimensions: {x: 1}}";

/// The base with the first occurrence of each text changed.
pub fn changed(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(BASE.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from:?} is in the document");
        text.replacen(from, to, 1)
    })
}

/// The pose of the base, and none: what an earlier version has without a warning (W12).
pub const WITHOUT_POSE: (&str, &str) = (
    "poses:\n  - {id: t, bones: {r: {rotation: [1, 0, 0, 0]}}}",
    "poses: []",
);

#[test]
fn the_base_is_good() {
    every([("base".into(), BASE.into(), Vertices(&[0]))]);
}
