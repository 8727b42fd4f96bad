//! `explain`: every example raises its code and no longer does when it is mended, and the page of codes is made of the same texts.

use std::collections::BTreeMap;

use rigy_batch::base::diag::{Category, Code};
use serde_json::Value;

use crate::support::{Dir, assert_contains};

fn explanations() -> Vec<Value> {
    let ran = Dir::new().run("explain --format json").good();
    ran.json()
}

/// The codes and categories of errors and warnings of an example.
type Findings = BTreeMap<&'static str, Vec<Value>>;

/// Compiles examples, as they are or mended, each in a directory of its own.
fn findings(examples: &[&Vec<Value>], key: &str) -> Vec<Findings> {
    let dir = Dir::new();
    let name = |index: usize, file: &Value| format!("{index}/{}", file["name"].as_str().unwrap());
    for (index, files) in examples.iter().enumerate() {
        for file in *files {
            dir.write(&name(index, file), file[key].as_str().unwrap());
        }
    }
    let paths = examples
        .iter()
        .enumerate()
        .map(|(index, files)| name(index, &files[0]));
    let paths: Vec<String> = paths.collect();
    let ran = dir.run(&format!("{} -o out --format json", paths.join(" ")));
    let mut found = vec![Findings::new(); examples.len()];
    for line in ran.json() {
        let index = paths.iter().position(|path| line["input"] == **path);
        let Some(index) = index else { continue };
        for list in ["errors", "warnings"] {
            let all = line[list].as_array().unwrap().iter().cloned();
            found[index].entry(list).or_default().extend(all);
        }
    }
    found
}

#[test]
fn every_example_raises_its_code_and_its_mend_does_not() {
    let entries = explanations();
    let (shown, others): (Vec<&Value>, Vec<&Value>) = entries
        .iter()
        .partition(|entry| entry["example"]["files"].is_array());
    for entry in others {
        assert!(entry["without_example"].is_string(), "{}", entry["code"]);
    }
    assert!(shown.len() >= 100, "{} examples", shown.len());
    let examples = shown
        .iter()
        .map(|entry| entry["example"]["files"].as_array().unwrap());
    let examples: Vec<&Vec<Value>> = examples.collect();
    let (as_they_are, mended) = (findings(&examples, "text"), findings(&examples, "mended"));
    for ((entry, found), mended) in shown.iter().zip(as_they_are).zip(mended) {
        let code = &entry["code"];
        let is_warning = entry["warning"].as_bool().unwrap();
        let expected = &found[if is_warning { "warnings" } else { "errors" }];
        assert!(!expected.is_empty(), "the example of {code} is good");
        for finding in found.values().flatten() {
            assert_eq!(finding["code"], *code, "{finding}");
            assert_eq!(finding["category"], entry["category"], "{finding}");
        }
        assert!(
            mended["errors"].is_empty(),
            "the mended example of {code}: {mended:?}"
        );
        let again = mended["warnings"]
            .iter()
            .find(|warning| warning["code"] == *code);
        assert!(again.is_none(), "the mended example of {code}: {again:?}");
    }
}

#[test]
fn a_code_is_explained_with_its_example_and_its_mend() {
    let dir = Dir::new();
    let ran = dir.run("explain v11");
    let out = ran.stdout();
    assert_eq!(ran.status(), 0);
    assert!(
        out.starts_with("V11  ValidationError  weights name an unknown bone\n\nThe weights "),
        "{out}"
    );
    let edit = "-         bones: [{bone_id: arm, weight: 0.75}, {bone_id: Pole, weight: 0.25}]\n\
                +         bones: [{bone_id: arm, weight: 0.75}, {bone_id: pole, weight: 0.25}]";
    assert!(out.contains(edit), "{out}");

    let out = dir.run("explain W08 U16").stdout();
    assert!(out.starts_with("U16 "), "in the order of the table: {out}");
    assert!(out.contains("\n\nW08  warning "), "{out}");
    assert_contains(&out, &["There is no example: it is about glTF files."]);
}

#[test]
fn without_a_code_all_are_listed() {
    let out = Dir::new().run("explain").stdout();
    let listed: Vec<&str> = out
        .lines()
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    let all: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(listed, all);
}

#[test]
fn an_unknown_code_is_refused_with_a_suggestion() {
    let dir = Dir::new();
    for (code, advice) in [
        ("V111", "did you mean V11?"),
        ("W99", "did you mean"),
        ("bone\u{1b}[1m", "`rigy-batch explain` lists all"),
    ] {
        let ran = dir.run(&format!("explain V01 {code}"));
        assert_eq!((ran.status(), ran.stdout().as_str()), (2, ""), "{code}");
        ran.says(advice);
        assert!(!ran.stderr().contains('\u{1b}'), "{}", ran.stderr());
    }
}

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/reference/codes.md");

/// The sections of the page's three parts: errors of the specification, errors of this project, and warnings.
fn sections() -> [Vec<String>; 3] {
    let mut sections: [Vec<String>; 3] = Default::default();
    for entry in explanations() {
        let text = |key: &str| entry[key].as_str().unwrap();
        let code = text("code");
        let (part, kind) = match &code[..1] {
            "W" => (2, "Warning"),
            "U" => (1, text("category")),
            _ => (0, text("category")),
        };
        let fixture = match entry["example"]["files"][0]["name"].as_str() {
            Some(name) => format!(
                "Fixture: `{}`{}",
                name.split('.').next().unwrap(),
                others(code)
            ),
            None => format!("No fixture: {}", text("without_example")),
        };
        sections[part].push(format!(
            "### {code} {}\n\n*{kind}.* {}\n\n*What to do:* {}\n\n{fixture}.\n",
            text("title"),
            text("meaning"),
            text("mend")
        ));
    }
    sections
}

/// Says how many fixtures a code has beside the one that is shown.
fn others(code: &str) -> String {
    let invalid = concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/invalid");
    let names = std::fs::read_dir(invalid).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let is_main = |name: &str| name.ends_with(".rigy.yaml") || name.ends_with(".rigs.yaml");
    let of_code = |name: &String| name.starts_with(&format!("{code}_")) && is_main(name);
    match names.filter(of_code).count() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    }
}

fn remade(page: &str) -> String {
    let mut page = page.to_owned();
    for sections in sections() {
        let heading = &sections[0][.."### V01 ".len()];
        let start = page
            .find(heading)
            .unwrap_or_else(|| panic!("{heading} is not on the page"));
        let end = page[start..]
            .find("\n\n## ")
            .map_or(page.len(), |end| start + end + 1);
        page.replace_range(start..end, &sections.join("\n"));
    }
    page
}

#[test]
fn the_page_of_codes_is_what_explain_says() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    assert!(page == remade(&page), "run scripts/bless.sh");
}

#[test]
#[ignore = "run by scripts/bless.sh"]
fn bless() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    std::fs::write(PAGE, remade(&page)).unwrap();
}

#[test]
fn categories_are_those_of_the_library() {
    for (entry, code) in explanations().iter().zip(Code::ALL) {
        assert_eq!(entry["code"], code.name());
        assert_eq!(entry["category"], code.category().name());
    }
    assert_eq!(Code::V58.category(), Category::ParseError);
}
