//! Random edits of the own fixtures: after each, the findings of the server are those of the command line.
//!
//! `RIGY_LSP_EDITS` sets the number of edits, `RIGY_LSP_SEED` another stream of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rigy_batch::base::diag::{Diagnostic, Finding, Place};
use rigy_batch::base::paths::Slashed;
use rigy_batch::base::terminal::printable;
use rigy_batch::io::{Skips, discover};
use rigy_batch::kernel::random::Random;
use rigy_batch::run::batch::{
    Batch, Documents, Options, OutputFormat, PoseFilter, is_document, thread_pool_of_at_most,
};
use serde_json::Value;

use super::Compared;
use super::judged::Judged;
use crate::support::chance::asked;
use crate::support::yaml_texts::mutated;
use crate::support::{Dir, own_manifest};

/// A fixture that has 4 GB of vertices; half of it is more than the machine of a test has.
const TOO_LARGE: &str = "U17_beyond";

/// Returns the findings of the command line about a file, from a dry run of the functions that it calls.
fn command_line(path: &Path) -> Vec<Diagnostic> {
    let found = discover(&[path.to_owned()], &is_document, &Skips::default())
        .unwrap()
        .found;
    let options = Options {
        dry_run: true,
        ..Options::default()
    };
    let formats = [OutputFormat::Glb];
    let work = Documents::new(&found, &options, PoseFilter::All, &formats).unwrap();
    let batch = Batch::new(found, options, work, Arc::default()).unwrap();
    let pool = thread_pool_of_at_most(1).unwrap();
    let mut all = Vec::new();
    let failures = batch.run(
        &pool,
        |outcome| (outcome, 0),
        |mut outcome| {
            all.append(&mut outcome.warnings);
            all.append(&mut outcome.errors);
        },
    );
    assert!(failures.is_empty(), "{failures:?}");
    all
}

fn compared(finding: &Diagnostic) -> Compared {
    let it = serde_json::to_value(Finding::new(finding)).unwrap();
    of_json(&it)
}

/// The entry of a report as it is compared. A finding about a whole file is shown at its beginning, and the server
/// escapes control characters.
fn of_json(it: &Value) -> Compared {
    let text = |key: &str| it[key].as_str().map(str::to_owned);
    let number = |key: &str| it[key].as_u64().unwrap_or(1);
    let message = printable(&text("message").unwrap());
    (
        text("file").unwrap(),
        text("code"),
        message,
        number("line"),
        number("column"),
    )
}

fn printed(dir: &Dir, path: &Path) -> Vec<Compared> {
    let ran = dir.run(&[path.to_str().unwrap(), "-n", "--format", "json"]);
    let lines = ran.json();
    let lines = lines.iter().filter(|line| line["input"].is_string());
    let entries = lines.flat_map(|line| {
        let list = |key: &str| line[key].as_array().unwrap().clone();
        [list("warnings"), list("errors")].concat()
    });
    let mut all: Vec<Compared> = entries.map(|entry| of_json(&entry)).collect();
    all.sort();
    all.dedup();
    all
}

/// Writes a text to a file that seems to be old, so that reading it need not wait for other writers.
fn write_old(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(60))
        .unwrap();
}

/// Copies the own fixtures into a directory and returns the documents among them.
fn fixtures(dir: &Dir) -> Vec<PathBuf> {
    let root = dir.path().canonicalize().unwrap();
    let suite = own_manifest().parent().unwrap().to_owned();
    let mut documents = Vec::new();
    for folder in ["inputs", "invalid"] {
        for entry in walkdir::WalkDir::new(suite.join(folder)).sort_by_file_name() {
            let entry = entry.unwrap();
            let below = root.join(entry.path().strip_prefix(&suite).unwrap());
            if entry.file_type().is_dir() {
                std::fs::create_dir_all(&below).unwrap();
                continue;
            }
            let bytes = std::fs::read(entry.path()).unwrap();
            write_old(&below, std::str::from_utf8(&bytes).unwrap());
            let name = entry.file_name();
            if is_document(name) && !name.to_string_lossy().starts_with(TOO_LARGE) {
                documents.push(below);
            }
        }
    }
    documents
}

/// A text with an edit as authors make them: a word for another word of the text, a line twice or not at all, or
/// any mutation of the YAML.
fn edited(text: &str, random: &mut Random) -> String {
    let is_word = |c: char| c.is_alphanumeric() || "_.-$=".contains(c);
    let words: Vec<&str> = text
        .split(|c| !is_word(c))
        .filter(|it| !it.is_empty())
        .collect();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let chosen = random.below(lines.len());
    let of_lines = |keep: &dyn Fn(usize) -> usize| {
        let lines = lines.iter().enumerate();
        lines
            .map(|(at, line)| line.repeat(keep(at)))
            .collect::<String>()
    };
    match random.below(5) {
        0 if !lines.is_empty() => of_lines(&|at| usize::from(at != chosen)),
        1 if !lines.is_empty() => of_lines(&|at| 1 + usize::from(at == chosen)),
        2 | 3 if !words.is_empty() => {
            let (old, new) = (*random.pick(&words), *random.pick(&words));
            let starts: Vec<usize> = text.match_indices(old).map(|(at, _)| at).collect();
            let at = *random.pick(&starts);
            format!("{}{new}{}", &text[..at], &text[at + old.len()..])
        }
        _ => mutated(text, random),
    }
}

#[test]
fn the_findings_after_each_edit_are_those_of_the_command_line() {
    let (edits, seed) = (asked("RIGY_LSP_EDITS", 400), asked("RIGY_LSP_SEED", 4));
    let dir = Dir::new();
    let documents = fixtures(&dir);
    let mut random = Random::new(seed as u64);
    let (mut done, mut with_findings, mut in_others, mut programs) = (0, 0, 0, 0);
    while done < edits {
        let path = random.pick(&documents);
        let original = std::fs::read_to_string(path).unwrap();
        let mut judged = Judged::open(path, &original, random.below(2) == 0);
        for _ in 0..1 + random.below(12) {
            let kept = if random.below(3) == 0 {
                &original
            } else {
                &judged.text
            };
            let text = edited(kept, &mut random);
            judged.change(&text);
            // The disk has the text before the edit until the server has judged it.
            let found = judged.findings();
            write_old(path, &text);
            let list = command_line(path);
            let mut expected: Vec<Compared> = list.iter().map(compared).collect();
            expected.sort();
            assert_eq!(found, expected, "{} edit {done}:\n{text}", path.slashed());
            if done % 50 == 0 {
                expected.dedup();
                assert_eq!(printed(&dir, path), expected, "{}", path.slashed());
                programs += 1;
            }
            judged.ask(&mut random);
            done += 1;
            with_findings += usize::from(!found.is_empty());
            let name = path.to_str().unwrap();
            in_others += usize::from(found.iter().any(|(file, ..)| file != name));
        }
        write_old(path, &original);
    }
    eprintln!(
        "{done} edits, {with_findings} with findings, {in_others} with some in other files; {programs} runs of the program"
    );
    assert!(with_findings < done && with_findings > 0 && in_others > 0);
}

/// Every fixture as it is, so that each code has been compared.
#[test]
fn the_findings_of_every_fixture_are_those_of_the_command_line() {
    let dir = Dir::new();
    for path in fixtures(&dir) {
        let text = std::fs::read_to_string(&path).unwrap();
        let found = Judged::open(&path, &text, false).findings();
        let list = command_line(&path);
        let mut expected: Vec<Compared> = list.iter().map(compared).collect();
        expected.sort();
        assert_eq!(found, expected, "{}", path.slashed());
        let place = |place: &Option<Box<Place>>| place.as_ref().is_none_or(|it| it.file.is_empty());
        assert!(
            !list.iter().any(|finding| place(&finding.place)),
            "{list:?}"
        );
    }
}

/// A sphere has enough vertices that findings of the checks go out before it is built.
#[test]
fn a_document_whose_building_is_interrupted_is_judged_again() {
    let dir = Dir::new();
    let spheres: String = (0..100)
        .map(|at| format!("{{type: sphere, id: p{at}, dimensions: {{radius: 1}}}}, "))
        .collect();
    let text = format!(
        "version: \"0.5\"\nmeshes: [{{id: m, primitives: [{}]}}]\n",
        &spheres[..spheres.len() - 2]
    );
    let mut judged = Judged::open(&dir.path().join("a.rigy.yaml"), &text, false);
    assert_eq!(judged.work_interrupted(), 1, "the findings of the checks");
    assert_eq!(judged.work_interrupted(), 1, "the document waits again");
    assert_eq!(judged.findings(), []);
    assert_eq!(judged.work_interrupted(), 0, "nothing waits");
}
