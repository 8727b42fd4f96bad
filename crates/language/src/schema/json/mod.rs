//! JSON Schemas (draft 2020-12) made from the table of fields, for editors.
//!
//! A schema accepts what the parser accepts, preprocessing included, as far as JSON Schema can say it: single fields, and
//! fields of one mapping that depend on each other. It does not compare values of different places. Of an author's text it
//! sees the tree: aliases and merge keys are resolved, and a mapping has each key once.
//!
//! Two keys are not of JSON Schema but of editors: `doNotSuggest` keeps fields out of completion that the parser takes in a
//! version which does not have them, and `patternErrorMessage` and `errorMessage` are shown instead of a pattern.

mod definitions;
mod forms;
mod primitives;
mod value;
mod versions;

use super::Record;
use super::weights::WEIGHT_FILE;
use crate::model::document::DOCUMENT;
use crate::model::scenes::{CONTRACT, SCENE_FILE};
use crate::version::Version;
use definitions::Definitions;
use value::{Json, list, pair};

/// The kinds of files that have a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Documents of all versions.
    Documents,
    /// Documents of one version.
    DocumentsOf(Version),
    /// Contracts of imports.
    Contracts,
    /// Weight files.
    WeightFiles,
    /// Scenes.
    Scenes,
}

/// Returns the schema of a kind of files, as text. It is the same in every run.
pub fn text(kind: Kind) -> String {
    let schema = schema(kind);
    serde_json::to_string_pretty(&schema).expect("a schema is plain JSON")
}

fn schema(kind: Kind) -> Json {
    let (urn, title, record) = match kind {
        Kind::Documents => ("document".to_owned(), "Rigy document".to_owned(), &DOCUMENT),
        Kind::DocumentsOf(version) => (
            format!("document:{version}"),
            format!("Rigy document, version {version}"),
            &DOCUMENT,
        ),
        Kind::Contracts => ("contract".into(), "Rigy contract".into(), &CONTRACT),
        Kind::WeightFiles => ("weights".into(), "Rigy weight file".into(), &WEIGHT_FILE),
        Kind::Scenes => ("scene".into(), "Rigs scene".into(), &SCENE_FILE),
    };
    let head = pair("$schema", "https://json-schema.org/draft/2020-12/schema")
        .with("$id", format!("urn:rigy:schema:{urn}"))
        .with("title", title);
    match kind {
        Kind::Documents => head.and(documents()),
        Kind::DocumentsOf(version) => {
            let definitions = Definitions::of_documents(version, vec![version]);
            head.and(whole(definitions, record))
        }
        Kind::Contracts | Kind::Scenes => head.and(whole(Definitions::of_files(false), record)),
        Kind::WeightFiles => head.and(whole(Definitions::of_files(true), record)),
    }
}

/// Returns the schema of a file, with the definitions that it needs.
fn whole(mut definitions: Definitions, record: &'static Record) -> Json {
    let fields = definitions.fields(record);
    let made = definitions.into_made();
    if made.is_empty() {
        fields
    } else {
        fields.with("$defs", Json::Object(made))
    }
}

/// Returns the schema of documents of all versions. The version that a document declares chooses its fields.
fn documents() -> Json {
    let (choices, definitions) = versions::all();
    let versions: Vec<String> = Version::all().map(|version| version.to_string()).collect();
    let mut properties = Json::object();
    for field in &DOCUMENT.fields[..2] {
        let version = pair("description", field.about).with("enum", versions.clone());
        properties = properties.with(field.name, version);
    }
    let mut rules = vec![versions::declared_once()];
    rules.extend(choices);
    forms::typed("object")
        .with("description", DOCUMENT.about)
        .with("properties", properties)
        .with("allOf", list(rules))
        .with("$defs", Json::Object(definitions))
}
