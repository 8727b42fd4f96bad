//! Lists of formats in code, help, pages and scripts, in whatever language.

use std::collections::BTreeSet;
use std::path::Path;

use rigy_batch::export::Format;
use walkdir::{DirEntry, WalkDir};

const ROOMS: [&str; 7] = [
    "README.md",
    "bindings",
    "docs/src",
    "examples",
    "scripts/proofs",
    "src",
    "tests",
];

/// A line with three formats is a list, which may end on the next line.
#[test]
fn every_list_of_formats_has_all_of_them() {
    let all = BTreeSet::from(Format::ALL.map(Format::name));
    let is_ours = |entry: &DirEntry| entry.file_name() != "node_modules";
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut lists, mut short) = (0, Vec::new());
    for room in ROOMS {
        for file in WalkDir::new(root.join(room))
            .into_iter()
            .filter_entry(is_ours)
        {
            let text = file.ok().map(|file| std::fs::read_to_string(file.path()));
            let Some(Ok(text)) = text else {
                continue; // a directory, or no text
            };
            let lines: Vec<&str> = text.lines().collect();
            for (index, line) in lines.iter().enumerate() {
                let mut named = names(line, &all);
                if named.len() < 3 {
                    continue;
                }
                lists += 1;
                named.extend(
                    lines
                        .get(index + 1)
                        .iter()
                        .flat_map(|next| names(next, &all)),
                );
                if named != all {
                    short.push((*line).to_owned());
                }
            }
        }
    }
    assert!(short.is_empty(), "{short:#?}");
    assert!(lists > 10, "{lists} lists");
}

fn names<'l>(line: &'l str, all: &BTreeSet<&str>) -> BTreeSet<&'l str> {
    let words = line.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter(|word| all.contains(word)).collect()
}
