//! Weight files: the verdict of their schema is that of their reader.

use rigy_batch::base::diag::{Code, Diagnostic};
use rigy_batch::base::loader::MemoryLoader;
use rigy_batch::compile::{Files, Input, check};
use rigy_batch::language::schema::weights::WEIGHT_FILE;
use serde_json::{Value, json};

use super::Schemas;
use super::changes::differences;
use super::samples::Samples;

/// A document whose box `t` takes its weights from a file.
const WEIGHTED: &str = "version: \"0.5\"
meshes: [{id: m, primitives: [{type: box, id: t, dimensions: {x: 1}}]}]
armatures: [{id: a, bones: [{id: t, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}]}]
bindings: [{mesh_id: m, armature_id: a, weight_maps: [{primitive_id: t, source: w.json}]}]
";

#[test]
fn changed_weight_files_get_the_verdicts_of_their_reader() {
    let schemas = Schemas::new();
    let errors = |value: &Value| {
        let file = ("w.json".to_owned(), value.to_string().into_bytes());
        let files = Files::new(MemoryLoader {
            files: [file].into_iter().collect(),
        });
        let judged = check(Input::new("root.rigy.yaml", WEIGHTED), &files);
        let mut errors = judged
            .and_then(|c| c.value.build())
            .err()
            .unwrap_or_default();
        // That a file belongs to its primitive and its armature is not for a schema.
        let is_other = |error: &Diagnostic| {
            let other_id = error.code == Some(Code::V22) && value["primitive_id"].is_string();
            let count = value["vertex_count"].as_f64();
            let is_count = count.is_some_and(|count| count >= 0.0 && count.fract() == 0.0);
            let other_count = error.code == Some(Code::V21) && is_count;
            other_id || other_count || error.code == Some(Code::V16)
        };
        if errors.iter().all(is_other) {
            errors.clear();
        }
        errors
    };
    let mut file = Samples::new(None).record(&WEIGHT_FILE).remove(0);
    file["vertex_count"] = json!(24);
    let faults = differences(&file, &errors, &|value| {
        schemas.weight_files.is_valid(value)
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    for key in ["weights", "zzz"] {
        let mut more = file.clone();
        more[key] = json!([]);
        let accepted = schemas.weight_files.is_valid(&more);
        assert_eq!(
            (accepted, errors(&more).is_empty()),
            (key == "zzz", key == "zzz")
        );
    }
}
