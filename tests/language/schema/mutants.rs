//! Mutants of texts as authors write them: each field once without its name, and with values of all types. The verdict of the
//! schema stays that of the parser.
//!
//! The environment variable `RIGY_GENERATED` says how many texts give a mutant to each change of each field.

use std::collections::HashMap;

use rigy_batch::base::diag::Span;
use rigy_batch::language::parse::NAMED;
use rigy_batch::language::yaml::{self, Kind, Tree};

use super::Schemas;
use super::corpus::{Compared, verdicts};
use crate::documents::{self, Size};
use crate::support::chance::{asked, cases};
use crate::support::own_manifest;

/// Texts in the place of values.
const VALUES: [&str; 13] = [
    "null",
    "7",
    "-0.5",
    "true",
    "text",
    "\"1_0\"",
    "[]",
    "[1, 2, 3]",
    "[a, b, c]",
    "[a, {b: 1}]",
    "{}",
    "{weight: 1, bone_id: a}",
    "{x: 1}",
];

/// A field of a text.
struct Field {
    /// Its key after that of the field in which it stands, such as `bones.head`.
    name: String,
    key: Span,
    value: Span,
}

fn fields(tree: &Tree<'_>) -> Vec<Field> {
    let mut all = Vec::new();
    let mut open = vec![(tree.root, "")];
    while let Some((id, parent)) = open.pop() {
        match &tree.node(id).kind {
            Kind::Seq(items) => open.extend(items.iter().map(|item| (*item, parent))),
            Kind::Map(entries) => {
                for entry in entries.iter() {
                    let key = if NAMED.contains(&parent) {
                        "*" // a name of the author's
                    } else {
                        &*entry.key
                    };
                    all.push(Field {
                        name: format!("{parent}.{key}"),
                        key: entry.key_span,
                        value: tree.node(entry.value).span,
                    });
                    open.push((entry.value, key));
                }
            }
            _ => {}
        }
    }
    all
}

fn replaced(text: &str, place: Span, new: &str) -> String {
    let (before, after) = (&text[..place.start as usize], &text[place.end as usize..]);
    [before, new, after].concat()
}

struct Mutants {
    schemas: Schemas,
    compared: Compared,
    /// How many there have been of each change of each field.
    tried: HashMap<(String, usize), usize>,
    /// How many there are to be.
    most: usize,
}

impl Mutants {
    fn of(&mut self, text: &str) {
        let text = text.trim_start_matches('\u{feff}');
        let Ok(tree) = yaml::compose(text, &yaml::Options::default()) else {
            return;
        };
        for field in fields(&tree) {
            for change in 0..=VALUES.len() {
                let tried = self.tried.entry((field.name.clone(), change)).or_default();
                *tried += 1;
                if *tried <= self.most {
                    let mutant = match VALUES.get(change) {
                        Some(value) => replaced(text, field.value, value),
                        None => replaced(text, field.key, "misnamed"),
                    };
                    self.judge(&field.name, &mutant);
                }
            }
        }
    }

    fn judge(&mut self, field: &str, mutant: &str) {
        let Some((value, errors, accepted)) = verdicts(&self.schemas, mutant) else {
            return;
        };
        // Where preprocessing has work, a schema knows no values of params and expressions, and judges what nobody reads:
        // bodies of repeats that are written out no time, and labels of macros that are an empty list.
        let json = value.to_string();
        let passes: &[&str] = match accepted {
            true => &["$", "\"="],
            false => &["\"repeat\":", "\"macro\":"],
        };
        if accepted == errors.is_empty() || !passes.iter().any(|mark| json.contains(mark)) {
            let name = format!("changed `{field}`:\n{mutant}");
            self.compared.verdict(&name, &errors, accepted);
        }
    }
}

#[test]
fn mutants_of_texts_get_the_verdicts_of_the_parser() {
    let mut mutants = Mutants {
        schemas: Schemas::new(),
        compared: Compared::default(),
        tried: HashMap::new(),
        most: asked("RIGY_GENERATED", cases(2, 20)),
    };
    let inputs = own_manifest().with_file_name("inputs");
    for entry in walkdir::WalkDir::new(inputs).sort_by_file_name() {
        let path = entry.unwrap().into_path();
        if path.extension().is_some_and(|end| end == "yaml") {
            mutants.of(&std::fs::read_to_string(&path).unwrap());
        }
    }
    for index in 0..20 {
        let made = [
            documents::document(59, index, Size::Small),
            documents::scene(59, index),
            documents::extended_document(59, index),
        ];
        for made in made {
            mutants.of(&made.yaml);
            for (_, text) in made
                .files
                .iter()
                .filter(|(name, _)| !name.ends_with(".json"))
            {
                mutants.of(text);
            }
        }
    }
    let Compared { accepted, refused } = mutants.compared;
    assert!(accepted > 300 && refused > 1000, "{accepted} and {refused}");
}
