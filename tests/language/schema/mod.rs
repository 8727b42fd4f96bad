//! JSON Schemas: they accept what the parser accepts, and refuse what it refuses.

mod changes;
mod corpus;
mod mutants;
mod mutated;
mod samples;
mod weight_files;

use std::collections::HashMap;

use jsonschema::Validator;
use rigy_batch::base::diag::{Code, Diagnostic};
use rigy_batch::language::parse;
use rigy_batch::language::schema::json::{self, Kind};
use rigy_batch::language::version::Version;
use rigy_batch::language::yaml::{self, Kind as Node, NodeId, Tree};
use serde_json::{Map, Number, Value};

/// The schemas of all kinds of files.
struct Schemas {
    documents: Validator,
    of_version: HashMap<Version, Validator>,
    contracts: Validator,
    scenes: Validator,
    weight_files: Validator,
}

impl Schemas {
    fn new() -> Self {
        let of = |version: Version| (version, validator(Kind::DocumentsOf(version)));
        Self {
            documents: validator(Kind::Documents),
            of_version: Version::all().map(of).collect(),
            contracts: validator(Kind::Contracts),
            scenes: validator(Kind::Scenes),
            weight_files: validator(Kind::WeightFiles),
        }
    }

    fn accept_document(&self, document: &Value) -> bool {
        let accepted = self.documents.is_valid(document);
        let declared = document.get("version").or(document.get("rigy_version"));
        let version = declared.and_then(Value::as_str).and_then(Version::named);
        if let Some(version) = version {
            let of_version = self.of_version[&version].is_valid(document);
            assert_eq!(of_version, accepted, "version {version}: {document}");
        }
        accepted
    }
}

fn schema(kind: Kind) -> Value {
    serde_json::from_str(&json::text(kind)).unwrap()
}

fn validator(kind: Kind) -> Validator {
    jsonschema::draft202012::new(&schema(kind)).unwrap()
}

fn kinds() -> Vec<Kind> {
    let plain = [
        Kind::Documents,
        Kind::Contracts,
        Kind::WeightFiles,
        Kind::Scenes,
    ];
    let versions = Version::all().map(Kind::DocumentsOf);
    plain.into_iter().chain(versions).collect()
}

/// A tree as JSON. `None` if it has a value that JSON does not have: a date, a number that is not finite.
fn json_of(tree: &Tree<'_>, id: NodeId) -> Option<Value> {
    Some(match &tree.node(id).kind {
        Node::Null => Value::Null,
        Node::Bool(value) => Value::Bool(*value),
        Node::Int(int) => match int.exact {
            Some(exact) => exact.into(),
            None => Value::Number(Number::from_f64(int.nearest)?),
        },
        Node::Float(value) => Value::Number(Number::from_f64(*value)?),
        Node::Date(_) => return None,
        Node::Str(text) => Value::String(text.clone().into_owned()),
        Node::Seq(items) => {
            let items = items.iter().map(|item| json_of(tree, *item));
            Value::Array(items.collect::<Option<_>>()?)
        }
        Node::Map(entries) => {
            let entries = entries.iter();
            let entries = entries.map(|e| Some((e.key.to_string(), json_of(tree, e.value)?)));
            Value::Object(entries.collect::<Option<Map<_, _>>>()?)
        }
        Node::Alias(_) => unreachable!("`node` follows aliases"),
    })
}

/// Returns the errors of preprocessing and parsing a document.
fn errors_of_document(tree: &Tree<'_>) -> Vec<Diagnostic> {
    parse::parse(tree).document.err().unwrap_or_default()
}

fn codes(errors: &[Diagnostic]) -> Vec<Code> {
    errors.iter().filter_map(|error| error.code).collect()
}

#[test]
fn the_schemas_are_schemas_of_draft_2020_12() {
    for kind in kinds() {
        let schema = schema(kind);
        assert!(jsonschema::draft202012::meta::is_valid(&schema), "{kind:?}");
        assert_eq!(json::text(kind), json::text(kind));
    }
}

#[test]
fn a_field_says_what_it_is_for_and_since_when() {
    let of = |version: &str| schema(Kind::DocumentsOf(Version::named(version).unwrap()));
    let tags = |schema: &Value| schema["$defs"]["primitive"]["properties"]["tags"].clone();
    let about = "Labels that the output keeps. From version 0.11 on.";
    assert_eq!(tags(&of("0.11"))["description"], about);
    assert_eq!(tags(&of("0.11"))["doNotSuggest"], Value::Null);
    assert_eq!(tags(&of("0.10"))["doNotSuggest"], true);
    assert_eq!(tags(&of("0.5")), Value::Null);
    assert_eq!(of("0.5")["$id"], "urn:rigy:schema:document:0.5");
}

#[test]
fn help_names_the_fields_of_the_declared_version() {
    let help = |text: &str| {
        let tree = yaml::compose(text, &yaml::Options::default()).unwrap();
        let errors = errors_of_document(&tree);
        errors[0].help.clone().unwrap().to_string()
    };
    let primitive = |version: &str, key: &str| {
        help(&format!(
            "version: \"{version}\"\nmeshes: [{{id: m, primitives: [{{type: sphere, id: p, dimensions: {{radius: 1}}, {key}: 1}}]}}]"
        ))
    };
    assert!(!primitive("0.6", "zzz").contains("tags"));
    assert!(primitive("0.11", "zzz").contains("`tags`"));
    assert_eq!(primitive("0.11", "tag"), "did you mean `tags`?");
    assert_eq!(
        help("version: \"0.10\"\nparam: {}"),
        "did you mean `params`?"
    );
    assert!(help("version: \"0.9\"\nparam: {}").starts_with("its fields are `version`"));
}
