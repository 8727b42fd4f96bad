//! Texts for tests of YAML: those of the YAML test suite, and mutations of any text.

use std::path::{Path, PathBuf};

use rigy_batch::kernel::random::Random;

use super::published;

/// The texts of a file of the YAML test suite, with its signs for invisible characters replaced.
pub fn suite_texts(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let cases: serde_yaml::Value = serde_yaml::from_str(&text).unwrap();
    let texts = cases.as_sequence().unwrap().iter();
    let texts = texts.filter_map(|case| case.get("yaml")?.as_str());
    let shown = |text: &str| {
        let text = text.replace('␣', " ").replace("↵", "").replace('←', "\r");
        let text = text
            .replace('—', "")
            .replace('»', "\t")
            .replace('⇔', "\u{feff}");
        text.strip_suffix("∎\n").map(str::to_owned).unwrap_or(text)
    };
    texts.map(shown).collect()
}

pub fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = ["conformance", "conformance-0.5", "rigy/examples"];
    let shared = shared.iter().filter_map(|path| published(path));
    yaml_files(
        &[root.join("conformance"), root.join("tests/invalid")]
            .into_iter()
            .chain(shared)
            .collect::<Vec<_>>(),
    )
}

pub fn yaml_files(roots: &[PathBuf]) -> Vec<PathBuf> {
    let entries = roots.iter().flat_map(walkdir::WalkDir::new);
    let paths = entries.map(|entry| entry.unwrap().into_path());
    let is_yaml = |path: &PathBuf| path.extension().is_some_and(|e| e == "yaml" || e == "yml");
    paths.filter(is_yaml).collect()
}

/// Texts that mutations insert.
const PIECES: [&str; 28] = [
    "\n", "\r\n", "\r", " ", "  ", "\t", "#", " # c\n", ": ", "- ", "? ", ",", "[", "]", "{", "}",
    "&a ", "*a", "!!str ", "|\n", ">+2\n", "\"", "'", "<<: ", "---\n", "...\n", "é", "\u{feff}",
];

pub fn mutated(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(4) {
        let place = |random: &mut Random| {
            let at = random.below(text.len() + 1);
            (0..=at)
                .rev()
                .find(|at| text.is_char_boundary(*at))
                .unwrap_or(0)
        };
        let (first, second) = (place(random), place(random));
        let (start, end) = (first.min(second), first.max(second));
        let is_near = |at: &usize| text.is_char_boundary(*at) && *at < start + 12;
        let range = start..(start..=end).rev().find(is_near).unwrap_or(start);
        let piece = *random.pick(&PIECES);
        match random.below(3) {
            0 => text.insert_str(start, piece),
            1 => text.replace_range(range, ""),
            _ => {
                let copied = text[range].to_owned();
                text.insert_str(first, &copied);
            }
        }
    }
    text
}
