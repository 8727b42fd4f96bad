//! Makes constants of `src/assist/explanation/codes.txt`, so that a code that does not exist or a file that is not there does not compile.

use std::path::Path;
use std::{env, fs};

const EXPLANATIONS: &str = "src/assist/explanation/codes.txt";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={EXPLANATIONS}");
    let text = fs::read_to_string(EXPLANATIONS).expect("the explanations are part of the package");
    let mut constants = String::new();
    for entry in text.split("\n\n").filter(|entry| !entry.starts_with('#')) {
        constants += &explanation(entry).unwrap_or_else(|| panic!("{EXPLANATIONS}: {entry}"));
    }
    let directory = env::var("OUT_DIR").expect("cargo sets it");
    let path = Path::new(&directory).join("explanations.rs");
    fs::write(path, format!("&[\n{constants}]")).expect("cargo lets it be written");
}

/// A constant for an entry; `None` if a line is missing.
fn explanation(entry: &str) -> Option<String> {
    let mut lines = entry.lines();
    let (code, meaning) = (lines.next()?, lines.next()?);
    let mend = lines.next()?.strip_prefix("Mend: ")?;
    let about = lines.next()?;
    let example = match about.strip_prefix("No example: ") {
        Some(reason) => format!("Without({reason:?})"),
        None => fixture(about.strip_prefix("Example: ")?, lines)?,
    };
    Some(format!(
        "Explanation {{ code: Code::{code}, meaning: {meaning:?}, mend: {mend:?}, example: Example::{example} }},\n"
    ))
}

/// A fixture by its files, as in `V06_short.rigy.yaml part.yaml`, and the lines of its edit.
fn fixture<'a>(files: &str, edit: impl Iterator<Item = &'a str>) -> Option<String> {
    let (stem, endings) = files.split_once('.')?;
    let mut texts = String::new();
    for ending in endings.split(' ') {
        let path = format!("/../../conformance/invalid/{stem}.{ending}");
        texts += &format!(
            "({ending:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {path:?}))),"
        );
    }
    let (removed, added): (Vec<&str>, Vec<&str>) = edit.partition(|line| line.starts_with('-'));
    let end = if added.is_empty() { "\n" } else { "" };
    let [from, to] = [removed, added].map(|lines| {
        lines
            .iter()
            .map(|line| line.get(2..).unwrap_or_default())
            .collect::<Vec<_>>()
            .join("\n")
    });
    Some(format!(
        "Fixture(Fixture {{ stem: {stem:?}, files: &[{texts}], from: {:?}, to: {to:?} }})",
        from + end
    ))
}
