//! Lists of formats in code, help, pages and scripts, in whatever language.

use std::collections::BTreeSet;
use std::path::Path;

use rigy_batch::base::paths::Slashed;
use rigy_batch::export::Format;
use walkdir::{DirEntry, WalkDir};

const ROOMS: [&str; 9] = [
    "ARCHITECTURE.md",
    "README.md",
    "bindings",
    "crates",
    "docs/src",
    "examples",
    "scripts",
    "src",
    "tests",
];

/// A line with four formats is a list, which may end on the next line.
#[test]
fn every_list_of_formats_has_all_of_them() {
    let is_ours = |entry: &DirEntry| entry.file_name() != "node_modules";
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut lists, mut short) = (0, Vec::new());
    for room in ROOMS {
        for file in WalkDir::new(root.join(room))
            .into_iter()
            .filter_entry(is_ours)
        {
            let Ok(file) = file else { continue };
            let Ok(text) = std::fs::read_to_string(file.path()) else {
                continue; // a directory, or no text
            };
            let lines: Vec<&str> = text.lines().collect();
            for (index, line) in lines.iter().enumerate() {
                let mut named = names(line);
                if named.len() < 4 {
                    continue;
                }
                lists += 1;
                named.extend(lines.get(index + 1).iter().flat_map(|next| names(next)));
                if named.len() < Format::ALL.len() {
                    let path = file.path().strip_prefix(root).unwrap().slashed();
                    short.push(format!("{path}:{}: {line}", index + 1));
                }
            }
        }
    }
    assert!(short.is_empty(), "{}", short.join("\n"));
    assert!(lists > 20, "{lists} lists");
}

/// The formats that a line names, such as `usda`, `USDA` and `USD`.
fn names(line: &str) -> BTreeSet<&'static str> {
    let words = line.split(|c: char| !c.is_ascii_alphanumeric());
    let format = |word: &str| {
        let is_it = |name: &&str| {
            let upper = name.to_uppercase();
            word == *name || word == upper || (word == "USD" && upper == "USDA")
        };
        Format::ALL.map(Format::name).into_iter().find(is_it)
    };
    words.filter_map(format).collect()
}

#[test]
fn the_page_says_what_each_format_holds() {
    let page = include_str!("../../docs/src/guide/baking.md");
    for name in Format::ALL.map(Format::name) {
        assert!(page.contains(&format!("\n| `{name}` | ")), "{name}");
    }
}
