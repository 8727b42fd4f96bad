//! Every value of every field, left out, made null, and replaced by values of other types: the verdict of the schema stays
//! that of the parser.

use rigy_batch::base::diag::Diagnostic;
use rigy_batch::language::model::document::DOCUMENT;
use rigy_batch::language::model::scenes::{CONTRACT, SCENE_FILE};
use rigy_batch::language::version::{Feature, Version};
use rigy_batch::language::{parse, yaml};
use serde_json::{Value, json};

use super::changes::{differences, pointers};
use super::samples::Samples;
use super::{Schemas, errors_of_document};
use crate::support::chance::cases;

fn tree_errors(
    value: &Value,
    parse: impl Fn(&yaml::Tree<'_>) -> Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let text = value.to_string();
    parse(&yaml::compose(&text, &yaml::Options::default()).unwrap())
}

fn documents(version: Version) -> Vec<Value> {
    let mut samples = Samples::new(Some(version));
    let mut all = Vec::new();
    for field in DOCUMENT
        .fields
        .iter()
        .filter(|field| field.accepted <= version)
    {
        let values = match field.name {
            "version" | "rigy_version" => continue,
            _ => samples.of(field.form),
        };
        for value in values {
            let mut document = json!({"version": version.to_string()});
            document[field.name] = value;
            all.push(document);
        }
    }
    all.push(json!({"rigy_version": version.to_string()}));
    all
}

#[test]
fn changed_documents_get_the_verdicts_of_the_parser() {
    let schemas = Schemas::new();
    let mut faults = std::collections::BTreeSet::new();
    // Versions 0.5 and 0.13 have all that the others have.
    let minors = [5, 13, 1, 6, 8, 10, 11, 12];
    for minor in &minors[..cases(2, minors.len())] {
        let version = Version::of_minor(*minor).unwrap();
        for document in documents(version) {
            let errors = |value: &Value| tree_errors(value, errors_of_document);
            let accepts = |value: &Value| schemas.accept_document(value);
            let found = differences(&document, &errors, &accepts);
            faults.extend(found.into_iter().map(|fault| format!("{version} {fault}")));
        }
    }
    let count = faults.len();
    let faults: Vec<String> = faults.into_iter().take(60).collect();
    assert_eq!(count, 0, "{}", faults.join("\n"));
}

#[test]
fn params_may_stand_for_every_scalar_of_their_type() {
    let schemas = Schemas::new();
    for version in Version::all().filter(|version| version.has(Feature::Params)) {
        for document in documents(version) {
            for path in pointers(&document) {
                let before = document.pointer(&path).unwrap().clone();
                let is_fixed = ["version", "count", "as"]
                    .iter()
                    .any(|key| path.ends_with(key))
                    || path.starts_with("/params")
                    || path.starts_with("/geometry_checks");
                if is_fixed || before.is_array() || before.is_object() {
                    continue;
                }
                let mut changed = document.clone();
                *changed.pointer_mut(&path).unwrap() = json!("$p");
                changed["params"] = json!({"p": before});
                let found = tree_errors(&changed, errors_of_document);
                assert!(found.is_empty(), "{changed}: {found:?}");
                assert!(schemas.accept_document(&changed), "{changed}");
            }
        }
    }
}

#[test]
fn versions_are_declared_once_in_quotes() {
    let schemas = Schemas::new();
    let files = [
        json!({"version": "0.5"}),
        json!({"rigy_version": "0.5"}),
        json!({"version": "0.5", "rigy_version": "0.5"}),
        json!({"version": "0.5", "rigy_version": null}),
        json!({"version": null}),
        json!({"version": 0.5}),
        json!({"version": "0.14"}),
        json!({"version": "0.1 "}),
        json!({}),
    ];
    for file in files {
        let found = tree_errors(&file, errors_of_document);
        assert_eq!(schemas.accept_document(&file), found.is_empty(), "{file}");
    }
}

#[test]
fn changed_scenes_and_contracts_get_the_verdicts_of_the_parser() {
    let schemas = Schemas::new();
    let mut faults = Vec::new();
    let mut samples = Samples::new(None);
    for scene in samples.record(&SCENE_FILE) {
        let errors =
            |value: &Value| tree_errors(value, |tree| parse::scene(tree).err().unwrap_or_default());
        faults.extend(differences(&scene, &errors, &|value| {
            schemas.scenes.is_valid(value)
        }));
    }
    for contract in samples.record(&CONTRACT) {
        let errors = |value: &Value| {
            tree_errors(value, |tree| {
                parse::contract(tree).err().unwrap_or_default()
            })
        };
        faults.extend(differences(&contract, &errors, &|value| {
            schemas.contracts.is_valid(value)
        }));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
