//! The examples of the README and of the book: every document compiles, and every command prints what the page shows.

use std::path::Path;
use std::process::Command;

use rigy_batch::base::paths::Slashed;

use crate::support::{Dir, Ran, program};

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

/// A directory with what a reader has who follows a page: the program by its name, no browser that opens, and the files of `setup`, which a
/// shell makes. `$REPOSITORY` is where the project lies.
fn reader(setup: &str) -> Dir {
    let dir = Dir::new();
    std::fs::create_dir(dir.path().join(".bin")).unwrap();
    for (name, program) in [
        ("rigy-batch", program()),
        ("xdg-open", Path::new("/bin/true")),
    ] {
        std::os::unix::fs::symlink(program, dir.path().join(".bin").join(name)).unwrap();
    }
    shell(&dir, &format!("set -e; {setup}")).good();
    dir
}

/// Runs a line of a shell.
fn shell(dir: &Dir, line: &str) -> Ran {
    let paths = format!(
        "{}/.bin:{}",
        dir.path().slashed(),
        std::env::var("PATH").unwrap()
    );
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(dir.path());
    command.envs([
        ("PATH", &*paths),
        ("REPOSITORY", env!("CARGO_MANIFEST_DIR")),
    ]);
    Ran::of(&mut command)
}

/// True if the text is the one expected, in which `…` stands for any text.
fn is_like(text: &str, expected: &str) -> bool {
    let mut parts = expected.split('…');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let is_open = expected.ends_with('…');
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty() || is_open
}

/// Runs a command of a page. It starts, and prints what the page shows, if it shows anything.
fn check_command(dir: &Dir, page: &str, line: &str, expected: &str) {
    let ran = shell(dir, line);
    let printed = format!("{}{}", ran.stderr(), ran.stdout());
    assert!([0, 1].contains(&ran.status()), "{page}: {line}: {printed}");
    if !expected.is_empty() {
        assert!(
            is_like(printed.trim_end(), expected),
            "{page}: {line}: {printed}"
        );
    }
}

/// Writes the files of a page, runs its commands, and compiles its documents.
fn check(page: &str, setup: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join(page)).unwrap();
    let dir = reader(setup);
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
                let is_ours = ["rigy-batch ", "(cd ", "tar "]
                    .iter()
                    .any(|word| line.starts_with(word));
                // Other programs belong to the reader, and `--watch` stays until it is ended.
                if is_ours && !line.contains("--watch") {
                    check_command(&dir, page, line, &expected);
                    commands += 1;
                }
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

const CONFORMANCE: &str = "ln -s $REPOSITORY/conformance .";
const FISH: &str = "ln -s $REPOSITORY/docs/src/pictures/fish.glb .";
const BOTH: &str = "ln -s $REPOSITORY/conformance $REPOSITORY/docs/src/pictures/fish.glb .";
/// A directory of models, and its files beside it.
const MODELS: &str = "mkdir models; cd models; rigy-batch init lamp >/dev/null; cp $REPOSITORY/docs/src/pictures/fish.glb .; cp -r * ..";
/// The suite, a directory of models, and what they have been compiled to.
const GOLDENS: &str = "ln -s $REPOSITORY/conformance .; mkdir models; (cd models; rigy-batch init lamp >/dev/null); rigy-batch models -o out -q; cp -r out golden";
/// A directory of models, of which one has not the canonical layout.
const UNTIDY: &str = "mkdir models; cd models; rigy-batch init lamp >/dev/null; sed -i 's/: \\[/:   [/' lamp-lamp.rigy.yaml";

#[test]
fn pages_do_what_they_show() {
    let pages = [
        ("README.md", CONFORMANCE),
        ("docs/src/README.md", BOTH),
        ("docs/src/guide/authoring.md", ""),
        ("docs/src/guide/parts.md", ""),
        ("docs/src/guide/inspecting.md", ""),
        ("docs/src/guide/other-tools.md", FISH),
        ("docs/src/guide/baking.md", MODELS),
        ("docs/src/guide/comparing.md", MODELS),
        ("docs/src/guide/editors.md", ""),
        ("docs/src/guide/formatting.md", UNTIDY),
        ("docs/src/guide/pipelines.md", GOLDENS),
        ("docs/src/guide/report-page.md", CONFORMANCE),
        ("docs/src/guide/runs.md", MODELS),
        ("docs/src/guide/viewing.md", MODELS),
        ("docs/src/reference/json.md", CONFORMANCE),
    ];
    for (page, setup) in pages {
        check(page, setup);
    }
}

/// Commands of the page on pictures draw the pictures that it shows, byte for byte.
#[test]
fn pictures_are_those_of_their_commands() {
    let page = "docs/src/guide/pictures.md";
    let text = include_str!("../../docs/src/guide/pictures.md");
    let dir = reader(
        "cp $REPOSITORY/docs/src/pictures/arms.rigy.yaml $REPOSITORY/docs/src/pictures/fish.glb .",
    );
    for block in blocks(text) {
        let Block::Command(line, expected) = block else {
            panic!("the page shows no files");
        };
        check_command(&dir, page, line, &expected);
    }
    let shown = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/pictures");
    for picture in ["arms.png", "swim.png", "arms-heat.png"] {
        assert!(
            dir.read(picture) == std::fs::read(shown.join(picture)).unwrap(),
            "{picture}"
        );
    }
}

/// Every option of every command has its place on the page of options.
#[test]
fn the_page_of_options_has_all_of_them() {
    let dir = Dir::new();
    let page = include_str!("../../docs/src/reference/options.md");
    let commands = page.split_once("Exit status").unwrap().0;
    let mut names: Vec<&str> = commands
        .split("| `rigy-batch ")
        .skip(1)
        .map(|row| row.split([' ', '`']).next().unwrap())
        .map(|word| if word == "PATH…" { "" } else { word })
        .collect();
    names.sort_unstable();
    assert!(names.len() > 10 && names[0].is_empty(), "{names:?}");
    let mut missing = Vec::new();
    for command in names {
        let help = dir.run(format!("{command} --help").trim()).good().stdout();
        // Texts of options are indented further.
        let options = help.lines().filter_map(|line| {
            let short = || line.strip_prefix("  -")?.get(1..)?.strip_prefix(", --");
            let long = line.strip_prefix("      --").or_else(short);
            long?.split([' ', '[', '=', '<']).next()
        });
        missing.extend(
            options
                .filter(|name| !page.contains(&format!("`--{name}")))
                .map(|name| format!("{command} --{name}")),
        );
    }
    assert!(missing.is_empty(), "{missing:?}");
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
