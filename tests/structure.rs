//! The order of the top-level modules, as ARCHITECTURE.md gives it: no module uses one of a later level.

use std::path::Path;

/// The modules of the table in ARCHITECTURE.md, from the first level on.
fn levels() -> Vec<String> {
    let page = include_str!("../ARCHITECTURE.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| "));
    let module = |row: &str| {
        let mut cells = row.split(" | ");
        let level: Option<usize> = cells.next()?.parse().ok();
        let name = cells.next()?.strip_prefix('`')?.strip_suffix('`')?;
        level.map(|_| name.to_owned())
    };
    rows.filter_map(module).collect()
}

/// The top-level modules that a file names, outside comments.
fn used(text: &str) -> Vec<&str> {
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let after = code.flat_map(|line| line.split("crate::").skip(1));
    let end = |rest: &str| rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    after
        .map(|rest| &rest[..end(rest).unwrap_or(rest.len())])
        .collect()
}

#[test]
fn no_module_uses_one_of_a_later_level() {
    let levels = levels();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut faults = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for entry in walkdir::WalkDir::new(&source) {
        let path = entry.unwrap().into_path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let below = path.strip_prefix(&source).unwrap();
        let first = below.iter().next().unwrap().to_str().unwrap();
        let module = first.trim_end_matches(".rs");
        let Some(level) = levels.iter().position(|name| name == module) else {
            assert!(["lib", "main"].contains(&module), "{module} has no level");
            continue;
        };
        seen.insert(module.to_owned());
        let text = std::fs::read_to_string(&path).unwrap();
        for name in used(&text) {
            match levels.iter().position(|known| known == name) {
                Some(other) if other > level => {
                    faults.push(format!("{} uses {name}", below.display()));
                }
                _ => {}
            }
        }
    }
    assert_eq!(faults, Vec::<String>::new());
    assert_eq!(seen.len(), levels.len(), "every level exists: {seen:?}");
}

#[test]
fn uses_are_recognised() {
    let text = "use crate::io::Sink;\n// use crate::cli::Args;\nlet x = crate::glb::export();";
    assert_eq!(used(text), ["io", "glb"]);
}
