//! The examples of the README and of the book: every document compiles, and every command prints what the page shows.

use std::path::Path;

use crate::support::Dir;
use crate::support::transcript::Transcript;

/// README has its commands run in a clone, which has these directories.
const CLONE: &str = "ln -s $REPOSITORY/conformance $REPOSITORY/docs .";

const CONFORMANCE: &str = "ln -s $REPOSITORY/conformance .";
const FISH: &str = "ln -s $REPOSITORY/docs/src/pictures/fish.glb .";
/// A directory of models, and its files beside it.
const MODELS: &str = "mkdir models; cd models; rigy-batch init >/dev/null; cp $REPOSITORY/docs/src/pictures/fish.glb .; cp -r * ..";
/// The suite, a directory of models, and what they have been compiled to.
const GOLDENS: &str = "ln -s $REPOSITORY/conformance .; mkdir models; (cd models; rigy-batch init >/dev/null); rigy-batch models -o out -q; cp -r out golden";
/// A directory of models, of which one has not the canonical layout.
const UNTIDY: &str = "mkdir models; cd models; rigy-batch init >/dev/null; sed -i 's/: \\[/:   [/' desk-lamp.rigy.yaml";

#[test]
fn pages_do_what_they_show() {
    let pages = [
        ("README.md", CLONE),
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
    for (page, set_up) in pages {
        let transcript = Transcript {
            page,
            set_up,
            ..Transcript::default()
        };
        let shown = transcript.check();
        keep(&shown.dir, page);
        let documents = shown.documents;
        assert!(documents + shown.commands > 0, "{page} has examples");
        if documents > 0 {
            let ran = shown.dir.run(".").good();
            let count = format!("{documents} document");
            assert!(ran.stdout().starts_with(&count), "{page}: {}", ran.stdout());
        }
    }
}

/// Copies what the commands of a page have left below `RIGY_KEEP`, for `scripts/prove first_hour`.
fn keep(dir: &Dir, page: &str) {
    let Some(kept) = std::env::var_os("RIGY_KEEP") else {
        return;
    };
    for name in dir.files() {
        let path = Path::new(&kept).join(page.replace('/', "-")).join(&name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, dir.read(&name)).unwrap();
    }
}

/// Commands of these pages draw the pictures that they show, byte for byte.
#[test]
fn pictures_are_those_of_their_commands() {
    for (page, pictures) in [
        (
            "docs/src/guide/pictures.md",
            "arms.png swim.png arms-heat.png",
        ),
        ("docs/src/guide/helper-joints.md", "twisted.png"),
    ] {
        let shown = Transcript {
            page,
            set_up: "cp $REPOSITORY/docs/src/pictures/{arms.rigy.yaml,fish.glb} .",
            ..Transcript::default()
        };
        let dir = shown.check().dir;
        keep(&dir, page);
        let shown = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/pictures");
        for picture in pictures.split(' ') {
            let drawn = std::fs::read(shown.join(picture)).unwrap();
            assert!(dir.read(picture) == drawn, "{picture}");
        }
    }
}

/// Each message of the page of mistakes fits a screen.
#[test]
fn mistakes_are_answered_as_their_page_shows() {
    let mistakes = Transcript {
        page: "docs/src/reference/mistakes.md",
        files: super::mistakes::FILES,
        is_divided: true,
        ..Transcript::default()
    };
    assert!(mistakes.check().commands > 0);
    let page = include_str!("../../docs/src/reference/mistakes.md");
    let blocks = page.split("```").skip(1).step_by(2);
    blocks.for_each(|block| assert!(block.lines().count() <= 15, "{block}"));
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
    let path = root.join("README.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once("ends with `").unwrap();
    let (shown, after) = rest.split_once('`').unwrap();
    if std::env::var_os("RIGY_BLESS").is_some() {
        std::fs::write(
            path,
            format!("{before}ends with `{}`{after}", said.trim_end()),
        )
        .unwrap();
    } else {
        assert_eq!(shown, said.trim_end());
    }
}
