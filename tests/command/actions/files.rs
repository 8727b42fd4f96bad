//! `action.yml` agrees with itself and with its scripts.

use rigy_batch::base::paths::Slashed;
use std::collections::BTreeSet;

use serde_yaml::Value;

use super::{repository, text, yaml};

fn steps(action: &Value) -> &Vec<Value> {
    action["runs"]["steps"].as_sequence().unwrap()
}

fn keys(mapping: &Value) -> BTreeSet<String> {
    let keys = mapping.as_mapping().unwrap().keys();
    keys.map(|key| key.as_str().unwrap().to_owned()).collect()
}

fn words_after(text: &str, before: &str) -> BTreeSet<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let word = |rest: &str| rest.chars().take_while(|c| is_word(*c)).collect();
    text.split(before).skip(1).map(word).collect()
}

/// The name of the script that a step runs, and its text with that of the functions it uses.
fn script(step: &Value) -> Option<(String, String)> {
    let run = step.get("run")?.as_str().unwrap();
    let name = run
        .strip_prefix("bash \"$GITHUB_ACTION_PATH/")
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or_else(|| panic!("`{run}` is no script of the action"));
    let read = |name: &str| std::fs::read_to_string(repository(name)).unwrap();
    let text = read(name) + &read("scripts/action/common.sh");
    Some((name.to_owned(), text))
}

#[test]
fn the_action_has_what_github_requires() {
    let action = yaml("action.yml");
    for key in ["name", "description"] {
        assert!(!text(&action, key).is_empty());
    }
    assert_eq!(text(&action["runs"], "using"), "composite");
    for (name, input) in action["inputs"].as_mapping().unwrap() {
        assert!(!text(input, "description").is_empty(), "{name:?}");
        text(input, "default");
    }
    for step in steps(&action) {
        let is_script = step.get("run").is_some();
        assert_ne!(is_script, step.get("uses").is_some(), "{step:?}");
        match is_script {
            true => assert_eq!(text(step, "shell"), "bash"),
            false => assert!(text(step, "uses").starts_with("actions/"), "{step:?}"),
        }
    }
}

#[test]
fn no_input_becomes_part_of_a_script() {
    for step in steps(&yaml("action.yml")) {
        let run = step.get("run").map_or("", |run| run.as_str().unwrap());
        assert!(!run.contains("${{"), "{run}");
    }
}

#[test]
fn inputs_are_declared_and_used() {
    let action = yaml("action.yml");
    let used = words_after(&serde_yaml::to_string(&action["runs"]).unwrap(), "inputs.");
    assert_eq!(used, keys(&action["inputs"]));
}

#[test]
fn scripts_get_the_variables_that_they_read() {
    for step in steps(&yaml("action.yml")) {
        let Some((name, script)) = script(step) else {
            continue;
        };
        let of_script = words_after(&script, "$INPUT_");
        let in_braces = words_after(&script, "${INPUT_");
        let read: BTreeSet<String> = of_script.union(&in_braces).cloned().collect();
        let given = step.get("env").map(keys).unwrap_or_default();
        let given: BTreeSet<String> = given
            .iter()
            .map(|name| name.strip_prefix("INPUT_").unwrap().to_owned())
            .collect();
        assert_eq!(given, read, "{name}");
    }
}

#[test]
fn outputs_come_from_an_earlier_step() {
    let action = yaml("action.yml");
    let mut made = BTreeSet::from(["program.outputs.cache-hit".to_owned()]);
    let check = |part: &Value, made: &BTreeSet<String>| {
        let part = serde_yaml::to_string(part).unwrap();
        for reference in part.split("steps.").skip(1) {
            let end = reference.find([' ', '}', '\n']).unwrap_or(reference.len());
            let reference = &reference[..end];
            assert!(made.contains(reference), "no step makes `{reference}`");
        }
    };
    for step in steps(&action) {
        check(step, &made);
        let Some((_, script)) = script(step) else {
            continue;
        };
        let id = step.get("id").and_then(Value::as_str).unwrap_or_default();
        let outputs = words_after(&script, "put ").into_iter();
        made.extend(outputs.map(|name| format!("{id}.outputs.{name}")));
    }
    check(&action["outputs"], &made);
}

#[test]
fn steps_after_the_run_also_follow_a_failure() {
    let action = yaml("action.yml");
    let is_run = |step: &&Value| step.get("id").and_then(Value::as_str) == Some("run");
    let after = steps(&action).iter().skip_while(|step| !is_run(step));
    let conditions: Vec<&str> = after.skip(1).map(|step| text(step, "if")).collect();
    assert_eq!(conditions.len(), 2);
    assert!(
        conditions.iter().all(|text| text.contains("always()")),
        "{conditions:?}"
    );
}

#[test]
fn the_key_of_the_program_covers_its_source() {
    let script = std::fs::read_to_string(repository("scripts/action/plan.sh")).unwrap();
    let line = script
        .lines()
        .find_map(|line| line.strip_prefix("source_files=("));
    let listed: Vec<&str> = line.unwrap().trim_end_matches(')').split(' ').collect();
    let is_listed = |path: &str| listed.iter().any(|name| path.starts_with(name));
    let files = ["src", "crates"].map(|folder| walkdir::WalkDir::new(repository(folder)));
    for entry in files.into_iter().flatten() {
        let path = entry.unwrap().into_path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        for part in ["include_str!(\"", "include_bytes!(\"", "include!(\""] {
            for rest in source.split(part).skip(1) {
                let included = path.parent().unwrap().join(rest.split('"').next().unwrap());
                let included = included.canonicalize().unwrap();
                let root = repository("").canonicalize().unwrap();
                let below = included.strip_prefix(root).unwrap();
                assert!(is_listed(below.to_str().unwrap()), "{}", below.slashed());
            }
        }
    }
    assert!(
        ["Cargo.lock", "Cargo.toml", "src", "crates"]
            .into_iter()
            .all(is_listed)
    );
}
