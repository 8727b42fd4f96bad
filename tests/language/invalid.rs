//! One fixture per code: the first line of each states the expected finding and its place.
//!
//! The line reads `# expect: V11 ValidationError at bindings[0].mesh_id, line 14, column 31`, with the name of the
//! file after ` in ` if the finding is in one that the fixture imports. `the document` stands for an empty path,
//! `the whole file` for a finding without a line. Fixtures of warnings compile; all others must write nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use rigy_batch::base::diag::Code;
use serde_json::{Value, json};

use crate::support::{Dir, own_manifest};

/// Codes that no small document can raise, each with the reason.
#[rustfmt::skip] // a row stays a line
const WITHOUT_FIXTURE: [(Code, &str); 16] = [
    (Code::V35, "no field of a document can express a bone transform that is not rigid"),
    (Code::V37, "a material with the id of another is a key that stands twice: V56, below 0.10 U10"),
    (Code::V44, "a UV role that a mesh has twice is a key that stands twice: V56, below 0.10 U10"),
    (Code::U13, "an import may have weight files; the code stands for what others refuse"),
    (Code::U16, "65,536 bones fill megabytes; tests/language/codes/rules.rs makes them"),
    (Code::U21, "it is about glTF files; tests/bake makes one"),
    (Code::W07, "it is about glTF files; tests/gltf/rules.rs makes them"),
    (Code::W08, "it is about glTF files; tests/bake makes one"),
    (Code::W09, "it is about glTF files; tests/bake makes one"),
    (Code::W10, "it is about glTF files; tests/bake makes one"),
    (Code::W13, "it is about glTF files; tests/bake makes one"),
    (Code::W15, "it is about glTF files; tests/bake makes some"),
    (Code::W25, "it is about glTF files; tests/bake makes some"),
    (Code::W16, "it is about files for other tools; tests/export makes some"),
    (Code::W26, "it is about glTF files; tests/bake makes some"),
    (Code::W27, "it is about glTF files; tests/bake makes some"),
];

/// The ends of the file names of fixtures: documents and scenes.
const SUFFIXES: [&str; 2] = [".rigy.yaml", ".rigs.yaml"];

/// The directory of the fixtures, as it is given to the program.
const INVALID: &str = "invalid";

/// A document or scene that is wrong in one way.
struct Fixture {
    stem: String,
    /// Its path, as it is given to the program.
    input: String,
    code: Code,
    /// The first finding, in the form of [`finding`].
    expected: Value,
}

fn directory() -> PathBuf {
    own_manifest().with_file_name(INVALID)
}

fn fixtures() -> Vec<Fixture> {
    let entries = std::fs::read_dir(directory()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    let with_stem = |name: String| {
        let mut stems = SUFFIXES
            .iter()
            .filter_map(|suffix| name.strip_suffix(suffix));
        let stem = stems.next()?.to_owned();
        Some(read(stem, &name))
    };
    names.into_iter().filter_map(with_stem).collect()
}

fn read(stem: String, name: &str) -> Fixture {
    let text = std::fs::read_to_string(directory().join(name)).unwrap();
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let (code, expected) =
        expectation(first, name).unwrap_or_else(|| panic!("{name} begins with `{first}`"));
    assert!(
        stem.starts_with(&format!("{code}_")),
        "{name} expects {code}"
    );
    let reason = lines.next().and_then(|line| line.strip_prefix("# "));
    assert!(
        reason.is_some_and(|reason| reason.ends_with('.')),
        "{name} says why"
    );
    Fixture {
        stem,
        input: format!("{INVALID}/{name}"),
        code,
        expected,
    }
}

/// Takes an `# expect:` line apart.
fn expectation(line: &str, name: &str) -> Option<(Code, Value)> {
    let (finding, place) = line.strip_prefix("# expect: ")?.split_once(" at ")?;
    let (code, category) = finding.split_once(' ')?;
    let (path, line, column, file) = match place.split_once(", line ") {
        None => (None, None, None, name),
        Some((path, position)) => {
            let (position, file) = position.split_once(" in ").unwrap_or((position, name));
            let (line, column) = position.split_once(", column ")?;
            let number = |text: &str| text.parse::<u64>().ok();
            (
                Some(path.replace("the document", "")),
                Some(number(line)?),
                Some(number(column)?),
                file,
            )
        }
    };
    if path.is_none() && place != "the whole file" {
        return None;
    }
    let expected = json!({
        "category": category, "code": code, "path": path, "file": format!("{INVALID}/{file}"), "line": line,
        "column": column
    });
    let code = Code::ALL.iter().find(|known| known.name() == code)?;
    Some((*code, expected))
}

/// The parts of an entry of `errors` or `warnings` that are compared: everything but its message.
fn finding(entry: &Value) -> Value {
    let mut finding = entry.clone();
    finding.as_object_mut().unwrap().remove("message");
    finding
}

/// The entries of `key` on all lines of a document.
fn all<'l>(lines: &[&'l Value], key: &str) -> Vec<&'l Value> {
    lines
        .iter()
        .flat_map(|line| line[key].as_array().unwrap())
        .collect()
}

/// Says how the report differs from the expectation, if it does.
fn difference(fixture: &Fixture, lines: &[&Value]) -> Option<String> {
    let (errors, warnings) = (all(lines, "errors"), all(lines, "warnings"));
    let (wanted, unwanted, status) = match fixture.code.is_warning() {
        true => (&warnings, &errors, "written"),
        false => (&errors, &warnings, "failed"),
    };
    let first = wanted.first().map_or(Value::Null, |entry| finding(entry));
    if first != fixture.expected {
        let said = errors.iter().chain(&warnings).next();
        let message = said.map_or("nothing", |entry| entry["message"].as_str().unwrap());
        let expected = &fixture.expected;
        return Some(format!(
            "expected {expected}\n     found {first}: {message}"
        ));
    }
    let code = fixture.code.name();
    let another = wanted.iter().find(|entry| entry["code"] != code);
    if let Some(stray) = unwanted.first().or(another) {
        return Some(format!("one file, one fault; also found {stray}"));
    }
    let wrong = lines.iter().find(|line| line["status"] != status);
    wrong.map(|line| format!("`{status}` would be right: {line}"))
}

#[test]
fn every_fixture_is_found_wrong_where_it_says() {
    let dir = Dir::new();
    for entry in std::fs::read_dir(directory()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        dir.write(&format!("{INVALID}/{name}"), std::fs::read(&path).unwrap());
    }
    let before: BTreeSet<String> = dir.files().into_iter().collect();
    let ran = dir.run(&[INVALID, "--format", "json"]).exits(1);

    let report = ran.json();
    let mut lines: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for line in report.iter().filter(|line| line["input"].is_string()) {
        lines
            .entry(line["input"].as_str().unwrap())
            .or_default()
            .push(line);
    }
    let fixtures = fixtures();
    assert_eq!(
        lines.len(),
        fixtures.len(),
        "every fixture is compiled, and nothing else"
    );
    let faults: Vec<String> = fixtures
        .iter()
        .filter_map(|fixture| {
            let difference = difference(fixture, &lines[&*fixture.input])?;
            Some(format!("{}: {difference}", fixture.stem))
        })
        .collect();

    let made = dir
        .files()
        .into_iter()
        .filter(|name| !before.contains(name));
    let warned = |name: &str| {
        let mut warnings = fixtures.iter().filter(|fixture| fixture.code.is_warning());
        warnings.any(|fixture| name.starts_with(&format!("{INVALID}/{}.", fixture.stem)))
    };
    let stray: Vec<String> = made.filter(|name| !warned(name)).collect();
    assert_eq!(stray, [""; 0], "a document with an error writes nothing");
    assert!(
        faults.is_empty(),
        "{} fixtures:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn every_code_has_a_fixture() {
    let fixtures = fixtures();
    for code in Code::ALL {
        let shown = fixtures.iter().any(|fixture| fixture.code == *code);
        let reason = WITHOUT_FIXTURE.iter().find(|(without, _)| without == code);
        match reason {
            None => assert!(shown, "{code}: {}", code.title()),
            Some((_, reason)) => assert!(!shown, "{code} has a fixture now, although {reason}"),
        }
    }
}

#[test]
fn every_fixture_is_in_the_manifest() {
    let manifest: Value = serde_json::from_slice(&std::fs::read(own_manifest()).unwrap()).unwrap();
    let tests = manifest["tests"].as_array().unwrap();
    for fixture in fixtures() {
        let input = &fixture.input;
        let test = tests.iter().find(|test| test["id"] == *fixture.stem);
        let test = test.unwrap_or_else(|| panic!("{} is not in the manifest", fixture.stem));
        assert_eq!(test["input"], **input);
        if fixture.code.is_warning() {
            assert_eq!(test["type"], "positive", "{input}");
            assert_eq!(
                test["expected_warnings"],
                json!([fixture.code.name()]),
                "{input}"
            );
        } else {
            assert_eq!(test["type"], "negative", "{input}");
            assert_eq!(
                test["expected_error_type"], fixture.expected["category"],
                "{input}"
            );
            assert_eq!(test["expected_code"], fixture.code.name(), "{input}");
        }
    }
}

#[test]
fn every_other_file_belongs_to_a_fixture() {
    let stems: BTreeSet<String> = fixtures().into_iter().map(|fixture| fixture.stem).collect();
    for entry in std::fs::read_dir(directory()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let (stem, suffix) = name.split_once('.').unwrap();
        assert!(stems.contains(stem), "{name} belongs to no fixture");
        let known = [
            "rigy.yaml",
            "rigs.yaml",
            "part.yaml",
            "contract.ricy.yaml",
            "weights.json",
        ];
        assert!(known.contains(&suffix), "{name}");
    }
}
