//! The examples of the README and of the book: every document compiles, and every command prints what the page shows.

use std::path::Path;

use crate::support::Dir;

enum Block<'p> {
    File(String, &'p str),
    Command(&'p str, String),
}

/// The word between backticks that names a file, in the lines before a block.
fn file_name(before: &str) -> Option<String> {
    let paragraph = before.trim_end().rsplit("\n\n").next()?;
    let words = paragraph.split('`').skip(1).step_by(2);
    let is_file = |word: &&str| word.ends_with(".yaml") || word.ends_with(".json");
    words.filter(is_file).last().map(str::to_owned)
}

/// The files and commands of a page, in order. A document without a name gets one.
fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let fences: Vec<(usize, &str)> = page.match_indices("```").collect();
    for (number, pair) in fences.chunks(2).enumerate() {
        let [(start, _), (end, _)] = pair else {
            panic!("a block does not end");
        };
        let (kind, text) = page[start + 3..*end].split_once('\n').unwrap();
        match kind {
            "yaml"
                if ["version:", "contract_version:", "rigs_version:"]
                    .iter()
                    .any(|key| text.starts_with(key)) =>
            {
                let name = file_name(&page[..*start]);
                let name = name.unwrap_or_else(|| format!("example-{number}.rigy.yaml"));
                blocks.push(Block::File(name, text));
            }
            "console" => {
                for command in text.split("$ ").skip(1) {
                    let (line, output) = command.split_once('\n').unwrap();
                    let output = output.trim_end().to_owned();
                    blocks.push(Block::Command(line, output));
                }
            }
            _ => {}
        }
    }
    blocks
}

/// Writes the files of a page, runs its commands, and compiles its documents.
fn check(page: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join(page)).unwrap();
    let dir = Dir::new();
    for shown in ["conformance", "docs/src/pictures/fish.glb"].map(Path::new) {
        let link = dir.path().join(shown.file_name().unwrap());
        std::os::unix::fs::symlink(root.join(shown), link).unwrap();
    }
    let (mut documents, mut commands) = (0, 0);
    for block in blocks(&text) {
        match block {
            Block::File(name, content) => {
                dir.write(&name, content);
                if !content.starts_with("contract_version:") {
                    dir.run(&["fmt", "--check", &name]).good();
                }
                let is_found = [".rigy.yaml", ".rigs.yaml"]
                    .iter()
                    .any(|end| name.ends_with(end));
                documents += usize::from(is_found);
            }
            Block::Command(line, expected) => {
                let Some(arguments) = line.strip_prefix("rigy-batch ") else {
                    continue; // cargo, which the developer runs
                };
                let arguments: Vec<&str> = arguments.split_whitespace().collect();
                let ran = dir.run(&arguments);
                let printed = format!("{}{}", ran.stderr(), ran.stdout());
                assert_eq!(printed.trim_end(), expected, "{page}: {line}");
                commands += 1;
            }
        }
    }
    assert!(documents + commands > 0, "{page} has examples");
    if documents == 0 {
        return;
    }
    let ran = dir.run(".").good();
    let count = format!("{documents} document");
    assert!(ran.stdout().starts_with(&count), "{page}: {}", ran.stdout());
}

#[test]
fn pages_do_what_they_show() {
    for page in ["authoring", "parts", "inspecting", "other-tools"] {
        check(&format!("docs/src/guide/{page}.md"));
    }
    check("docs/src/README.md");
    check("README.md");
}

#[test]
fn the_readme_is_short() {
    let readme = include_str!("../../README.md");
    assert!(readme.len() <= 8192, "the book teaches, the README starts");
}

#[test]
fn the_readme_says_how_its_first_command_ends() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let dir = Dir::new();
    let inputs = root.join("conformance/inputs");
    let ran = dir.run(&[inputs.to_str().unwrap(), "-o", "out"]);
    let said = ran.stdout();
    let readme = include_str!("../../README.md");
    assert!(readme.contains(&format!("`{}`", said.trim_end())), "{said}");
}
