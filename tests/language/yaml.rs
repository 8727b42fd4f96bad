//! The reader of the common subset of YAML against the event parser: the same trees, spans included.

use std::fs;

use rigy_batch::kernel::random::Random;
use rigy_batch::language::parse::NAMED;
use rigy_batch::language::yaml::subset_is_exact;

use crate::documents::{self, Size};
use crate::support::chance::cases;
use crate::support::published;
use crate::support::yaml_texts::{fixtures, mutated, suite_texts, yaml_files};

/// True if the subset has the text; both ways of composing must give the same tree.
fn is_in_subset(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let is_read = subset_is_exact(text, None);
    assert_eq!(subset_is_exact(text, Some(NAMED)), is_read);
    is_read
}

#[test]
fn nearly_all_documents_are_in_the_subset() {
    let texts = fixtures()
        .into_iter()
        .filter_map(|path| fs::read_to_string(path).ok());
    let texts: Vec<String> = texts.collect();
    let read = texts.iter().filter(|text| is_in_subset(text)).count();
    assert!(10 * read > 9 * texts.len(), "{read} of {}", texts.len());
}

#[test]
fn most_generated_documents_are_in_the_subset() {
    // They use far more of YAML than people do.
    let count = cases(200, 1000);
    let texts = (0..count as u64).map(|index| documents::document(21, index, Size::Small).yaml);
    let read = texts.filter(|text| is_in_subset(text)).count();
    assert!(10 * read > 9 * count, "{read} of {count}");
}

#[test]
fn mutated_texts_give_the_same_trees_or_none() {
    let files = fixtures()
        .into_iter()
        .filter_map(|path| fs::read_to_string(path).ok());
    let generated = (0..100).map(|index| documents::document(22, index, Size::Small).yaml);
    let mut texts: Vec<String> = files
        .chain(generated)
        .filter(|text| text.len() < 4_000)
        .collect();
    if let Some(root) = published("yaml-test-suite/src") {
        let suite = yaml_files(&[root]);
        texts.extend(suite.iter().flat_map(|file| suite_texts(file)));
    }
    let mut random = Random::new(9);
    let mut read = 0;
    for round in 0..cases(5_000, 20_000) {
        let text = mutated(&texts[round % texts.len()], &mut random);
        read += usize::from(is_in_subset(&text));
    }
    assert!(
        read > cases(500, 2_000),
        "{read} mutated texts are in the subset"
    );
}
