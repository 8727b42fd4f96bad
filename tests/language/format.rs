//! Formatting (`extensions.md` §11.3, `fmt`): what compiles to the same bytes, what stays, and what never happens.

use std::path::Path;

use proptest::prelude::*;
use rigy_batch::base::limits::Limits;
use rigy_batch::base::loader::{Loader, Location, MemoryLoader};
use rigy_batch::base::paths::Slashed;
use rigy_batch::compile;
use rigy_batch::io::DirectoryLoader;
use rigy_batch::kernel::random::Random;

use crate::documents::{self, Size};
use crate::support::chance::cases;
use crate::support::formatted::{self, format};
use crate::support::published;
use crate::support::yaml_texts::{fixtures, mutated, suite_texts, yaml_files};

/// As [`formatted::compiled`], within the default limits.
fn compiled(
    text: &str,
    at: &Path,
    loader: impl Loader + Send + 'static,
) -> Result<Vec<Vec<u8>>, Vec<String>> {
    let location = Location(at.to_owned());
    formatted::compiled(text, &location, loader, Limits::DEFAULT)
}

#[test]
fn fixtures_compile_to_the_same_bytes() {
    let mut changed = 0;
    for path in fixtures() {
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        let Some(formatted) = format(&text) else {
            continue;
        };
        let loader = || DirectoryLoader::new(path.parent().unwrap()).unwrap();
        let before = compiled(&text, &path, loader());
        let after = compiled(&formatted, &path, loader());
        assert!(before == after, "{}:\n{formatted}", path.slashed());
        changed += usize::from(text != formatted);
    }
    assert!(changed > 10, "{changed} fixtures had another layout");
}

#[test]
fn generated_documents_compile_to_the_same_bytes() {
    let mut changed = 0;
    for index in 0..cases(50, 200) as u64 {
        let generated = documents::document(17, index, Size::Small);
        let loader = || MemoryLoader {
            files: generated
                .files
                .iter()
                .map(|(name, text)| (name.clone(), text.clone().into_bytes()))
                .collect(),
        };
        let text = &generated.yaml;
        let formatted = format(text).unwrap_or_else(|| panic!("document {index} is YAML"));
        let at = Path::new("document");
        let before = compiled(text, at, loader());
        let after = compiled(&formatted, at, loader());
        assert!(before.is_ok() && before == after, "{index}:\n{formatted}");
        changed += usize::from(*text != formatted);
    }
    assert!(
        changed > cases(25, 100),
        "{changed} documents had another layout"
    );
}

/// The value of a text as another parser reads it. That one leaves out the last break of a block scalar where the text has
/// none.
fn read_by_another(text: &str) -> Option<serde_yaml::Value> {
    let text = &if text.ends_with(['\n', '\r']) {
        text.to_owned()
    } else {
        text.to_owned() + "\n"
    };
    serde_yaml::from_str(text).ok()
}

#[test]
fn the_yaml_test_suite_keeps_its_values() {
    let Some(root) = published("yaml-test-suite/src") else {
        return;
    };
    let (mut formatted_count, mut compared) = (0, 0);
    for file in yaml_files(&[root]) {
        for text in suite_texts(&file) {
            // Most of the cases are no mappings; as the value of a key they are.
            let body: Vec<String> = text.lines().map(|line| format!("   {line}\n")).collect();
            for text in [
                text.clone(),
                format!("meshes:\n{}version: 1\n", body.concat()),
            ] {
                let Some(formatted) = format(&text) else {
                    continue;
                };
                formatted_count += 1;
                if let Some(value) = read_by_another(&text) {
                    compared += 1;
                    let after = read_by_another(&formatted);
                    assert_eq!(
                        after,
                        Some(value),
                        "{}:\n{text}\n{formatted}",
                        file.slashed()
                    );
                }
            }
        }
    }
    assert!(
        formatted_count > 200,
        "{formatted_count} texts are mappings"
    );
    assert!(
        compared > 150,
        "{compared} texts were read by another parser"
    );
}

/// Adds numbered comments at ends of lines and on lines of their own.
fn with_comments(text: &str, random: &mut Random) -> (String, usize) {
    let mut commented = String::new();
    let mut count = 0;
    for line in text.lines() {
        while random.below(4) == 0 {
            let indent = " ".repeat(random.below(9));
            commented += &format!("{indent}# c{count}.\n");
            count += 1;
        }
        commented += line;
        if random.below(3) == 0 {
            commented += &format!("  # c{count}.");
            count += 1;
        }
        commented += "\n";
    }
    (commented, count)
}

#[test]
fn no_comment_is_lost_or_doubled() {
    let fixtures = fixtures().into_iter();
    let texts = fixtures.filter_map(|path| std::fs::read_to_string(path).ok());
    let generated =
        (0..cases(20, 100) as u64).map(|index| documents::document(18, index, Size::Small).yaml);
    let suite = published("yaml-test-suite/src").map(|root| yaml_files(&[root]));
    let suite = suite.into_iter().flatten();
    let suite = suite.flat_map(|file| suite_texts(&file));
    let mut random = Random::new(17);
    let mut checked = 0;
    for text in texts.chain(generated).chain(suite) {
        for _ in 0..cases(1, 4) {
            let (commented, count) = with_comments(&text, &mut random);
            let Some(formatted) = format(&commented) else {
                continue;
            };
            checked += 1;
            for number in 0..count {
                let found = formatted.matches(&format!("# c{number}.")).count();
                assert_eq!(
                    found, 1,
                    "comment {number} of\n{commented}\nin\n{formatted}"
                );
            }
        }
    }
    assert!(checked > cases(100, 500), "{checked} texts stayed YAML");
}

#[test]
fn mutated_texts_never_panic_and_format_once() {
    let fixtures = fixtures().into_iter();
    let mut texts: Vec<String> = fixtures
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .collect();
    if let Some(root) = published("yaml-test-suite/src") {
        texts.extend(
            yaml_files(&[root])
                .iter()
                .flat_map(|file| suite_texts(file)),
        );
    }
    let mut random = Random::new(5);
    let mut formatted = 0;
    for round in 0..cases(5_000, 20_000) {
        let text = &texts[round % texts.len()];
        if text.len() > 4_000 {
            continue;
        }
        let text = mutated(text, &mut random);
        formatted += usize::from(format(&text).is_some());
    }
    assert!(
        formatted > cases(250, 1_000),
        "{formatted} mutated texts were YAML"
    );
}

proptest! {
    #[test]
    fn any_few_characters_are_formatted_or_refused(text in "[-?:,\\[\\]{}#&*!|>'\"%ab1 \t\n\r]{0,40}") {
        format(&text);
        format(&format!("a:\n  - b: 1\n    {text}\nversion: 1\n"));
    }
}

#[test]
fn time_grows_with_the_length() {
    let line = "  - {id: \"m\", primitives: [{id: b, type: box, dimensions: {width: 1.0, height: 2, depth: 3}}]} # c\n";
    let text = |lines: usize| format!("meshes:\n{}version: \"0.12\"\n", line.repeat(lines));
    let time = |lines: usize| {
        let text = text(lines);
        let started = std::time::Instant::now();
        assert!(compile::format("long", &text, &Limits::DEFAULT.bytes(2 << 20)).is_ok());
        started.elapsed()
    };
    let (short, long) = (time(1_000), time(16_000));
    assert!(
        long < short * 64 + std::time::Duration::from_millis(200),
        "{short:?}, then {long:?}"
    );
}
