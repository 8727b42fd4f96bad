//! The structure of texts, by the reader of `rigy_yaml` and by saphyr-parser: the same nodes, anchors, tags and values.

use std::fs;

use rigy_batch::kernel::random::Random;

use crate::documents::{self, Size};
use crate::support::chance::cases;
use crate::support::published;
use crate::support::second_reader::compare;
use crate::support::yaml_texts::{fixtures, mutated, suite_texts, yaml_files};

fn is_read(text: &str) -> bool {
    compare(text.strip_prefix('\u{feff}').unwrap_or(text))
}

fn files() -> Vec<String> {
    let files = fixtures().into_iter();
    files
        .filter_map(|path| fs::read_to_string(path).ok())
        .collect()
}

fn suite() -> Vec<String> {
    let Some(root) = published("yaml-test-suite/src") else {
        return Vec::new();
    };
    let files = yaml_files(&[root]);
    files.iter().flat_map(|file| suite_texts(file)).collect()
}

#[test]
fn both_readers_find_the_same_in_documents() {
    let texts = files();
    let read = texts.iter().filter(|text| is_read(text)).count();
    assert!(20 * read > 19 * texts.len(), "{read} of {}", texts.len());
    let count = cases(200, 1000);
    for index in 0..count as u64 {
        let text = documents::document(21, index, Size::Small).yaml;
        assert!(is_read(&text), "{text}");
    }
}

#[test]
fn a_tag_without_an_anchor_is_no_anchor_at_the_start() {
    assert!(is_read("&a {b: !!str c, d: &e 1, f: *e}\n"));
}

#[test]
fn both_readers_find_the_same_in_the_test_suite_of_yaml() {
    let texts = suite();
    let read = texts.iter().filter(|text| is_read(text)).count();
    assert!(2 * read >= texts.len(), "{read} of {}", texts.len());
}

#[test]
fn both_readers_find_the_same_in_mutated_texts() {
    let generated = (0..100).map(|index| documents::document(22, index, Size::Small).yaml);
    let files = files().into_iter().filter(|text| text.len() < 4_000);
    let texts: Vec<String> = files.chain(generated).chain(suite()).collect();
    let mut random = Random::new(9);
    let mut read = 0;
    for round in 0..cases(5_000, 50_000) {
        let text = mutated(&texts[round % texts.len()], &mut random);
        read += usize::from(is_read(&text));
    }
    assert!(
        read > cases(1_000, 10_000),
        "{read} mutated texts are read by both"
    );
}
