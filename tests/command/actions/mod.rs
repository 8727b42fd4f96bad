//! The GitHub action and the hooks of pre-commit: their files, and runs of their scripts and commands as GitHub and pre-commit
//! start them. `scripts/pre-commit.sh` has pre-commit itself install and run the hooks.

mod annotations;
mod files;
mod hooks;
mod runner;
mod runs;

use std::path::{Path, PathBuf};

use serde_yaml::Value;

fn repository(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn yaml(name: &str) -> Value {
    let text = std::fs::read_to_string(repository(name)).unwrap();
    serde_yaml::from_str(&text).unwrap()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    let text = value.get(key).and_then(Value::as_str);
    text.unwrap_or_else(|| panic!("there is no text at `{key}` of {value:?}"))
}
