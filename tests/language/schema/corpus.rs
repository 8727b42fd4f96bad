//! Every file of the suites and of the generator: the verdict of its schema is that of the parser.
//!
//! JSON Schema cannot say everything that the parser's schema says. [`UNSAID`] are the codes of what it cannot, and each is
//! a comparison of values, or the value of a param or of an expression.

use std::path::{Path, PathBuf};

use rigy_batch::base::diag::{Code, Diagnostic};
use rigy_batch::base::paths::Slashed;
use rigy_batch::language::preprocess::{Rotations, preprocess};
use rigy_batch::language::version::Version;
use rigy_batch::language::{parse, yaml};
use serde_json::Value;

use super::{Schemas, codes, errors_of_document, json_of};
use crate::documents::{self, Size};
use crate::support::chance::cases;
use crate::support::{own_manifest, published};

/// Codes of the parser's schema that no JSON Schema expresses: the first number of a range is below the second (U04), and
/// the type of a param's value (V61).
const UNSAID: [Code; 2] = [Code::U04, Code::V61];

#[derive(Debug, Default)]
pub(super) struct Compared {
    pub accepted: usize,
    pub refused: usize,
}

impl Compared {
    /// Compares the verdicts about a file of YAML or JSON.
    fn file(&mut self, schemas: &Schemas, name: &str, text: &str) {
        if name.ends_with(".json") {
            let Ok(file) = serde_json::from_str::<Value>(text) else {
                return;
            };
            // A file that does not belong to its document may still be good by itself.
            if schemas.weight_files.is_valid(&file) {
                self.accepted += 1;
            } else {
                assert!(name.contains("V18_") || name.contains("V20_"), "{name}");
                self.refused += 1;
            }
        } else if let Some((_, errors, accepted)) = verdicts(schemas, text) {
            self.verdict(name, &errors, accepted);
        }
    }

    pub fn verdict(&mut self, name: &str, errors: &[Diagnostic], accepted: bool) {
        let found = codes(errors);
        if !found.is_empty() && found.iter().all(|code| UNSAID.contains(code)) {
            return;
        }
        assert_eq!(accepted, errors.is_empty(), "{name}: {errors:?}");
        match accepted {
            true => self.accepted += 1,
            false => self.refused += 1,
        }
    }

    fn directory(&mut self, schemas: &Schemas, directory: &Path) {
        for entry in walkdir::WalkDir::new(directory) {
            let path = entry.unwrap().into_path();
            let name = path.slashed().to_string();
            let ends = [".yaml", ".yml", ".weights.json"];
            if !ends.iter().any(|end| name.ends_with(end)) {
                continue;
            }
            if let Ok(text) = std::fs::read_to_string(&path) {
                self.file(schemas, &name, &text);
            }
        }
    }
}

/// Returns a text of YAML as JSON, the errors of the parser, and true if its schema accepts it. `None` for what is no YAML or
/// has no JSON, and for a document that fails before its schema.
pub(super) fn verdicts(schemas: &Schemas, text: &str) -> Option<(Value, Vec<Diagnostic>, bool)> {
    let tree = yaml::compose(text, &yaml::Options::default()).ok()?;
    let value = json_of(&tree, tree.root)?;
    let (errors, accepted) = if tree.has_key("rigs_version") {
        let errors = parse::scene(&tree).err().unwrap_or_default();
        (errors, schemas.scenes.is_valid(&value))
    } else if tree.has_key("contract_version") {
        let errors = parse::contract(&tree).err().unwrap_or_default();
        (errors, schemas.contracts.is_valid(&value))
    } else {
        let errors = errors_of_document(&tree);
        if !errors.is_empty() && !is_of_schema(&tree) {
            return None;
        }
        (errors, schemas.accept_document(&value))
    };
    Some((value, errors, accepted))
}

/// True if the errors of a document are not those of a preprocessing step.
fn is_of_schema(tree: &yaml::Tree<'_>) -> bool {
    match Version::read(tree) {
        Ok(version) if version >= Version::of_minor(6).unwrap() => {
            preprocess(tree, version, Rotations::Canonical).tree.is_ok()
        }
        _ => true,
    }
}

#[test]
fn the_suites_get_the_verdicts_of_the_parser() {
    let schemas = Schemas::new();
    let mut compared = Compared::default();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    compared.directory(&schemas, own_manifest().parent().unwrap());
    for own in ["docs", "src", "benches"] {
        compared.directory(&schemas, &root.join(own));
    }
    let (accepted, refused) = (compared.accepted, compared.refused);
    assert!(accepted > 150 && refused >= 10, "{accepted} and {refused}");
    let suites = ["conformance", "conformance-0.5", "rigy/examples"];
    let suites: Vec<PathBuf> = suites.into_iter().filter_map(published).collect();
    for suite in &suites {
        compared.directory(&schemas, suite);
    }
    assert!(suites.is_empty() || compared.accepted > accepted);
}

#[test]
fn generated_files_get_the_verdicts_of_the_parser() {
    let schemas = Schemas::new();
    let mut compared = Compared::default();
    let count = cases(60, 200);
    for index in 0..count as u64 {
        let made = [
            ("rigy", documents::document(5, index, Size::Small)),
            ("extended", documents::extended_document(5, index)),
            ("scene", documents::scene(5, index)),
        ];
        for (kind, made) in made {
            compared.file(&schemas, &format!("{kind} {index}"), &made.yaml);
            for (name, text) in &made.files {
                compared.file(&schemas, name, text);
            }
        }
    }
    assert!(compared.accepted > 3 * count, "{compared:?}");
    assert_eq!(compared.refused, 0);
}
