//! Outputs that would be one file, compared by their names.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use unicode_normalization::UnicodeNormalization;

/// Two outputs that would be one file, at least on a file system that ignores case or normalises names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{}` and `{}` would both write `{}`",
    first.display(), second.display(), output.display()
)]
pub struct Clash {
    /// The input of the first output.
    pub first: PathBuf,
    /// The input of the second output.
    pub second: PathBuf,
    /// The path of the second output.
    pub output: PathBuf,
}

impl Clash {
    /// Returns what to do about it.
    pub fn advice(&self) -> String {
        let directory = |path: &Path| path.parent().map(|parent| folded(parent.as_os_str()));
        if directory(&self.first) == directory(&self.second) {
            return "rename one of them, or leave it out with `--exclude`".into();
        }
        let apart = "run each PATH by itself, with a directory of its own after `-o`";
        match common_directory(&self.first, &self.second) {
            Some(both) => format!(
                "{apart}; or give `{}`, which holds both, as the only PATH: its tree is mirrored below `-o`",
                both.display()
            ),
            None => apart.into(),
        }
    }
}

/// Returns clashes in words, and what to do about the first of them.
pub(crate) fn described(clashes: &[Clash]) -> String {
    let advice = clashes.first().map(Clash::advice);
    let lines = clashes.iter().map(ToString::to_string).chain(advice);
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the lowest directory that holds two files, by their paths alone; `None` if that is the root of a file system, or cannot be
/// told.
fn common_directory(first: &Path, second: &Path) -> Option<PathBuf> {
    if first.has_root() != second.has_root() {
        return None;
    }
    let steps = first.components().zip(second.components());
    let common: PathBuf = steps
        .take_while(|(first, second)| first == second)
        .map(|(step, _)| step)
        .collect();
    let leads_up = |path: &Path| {
        let rest = path.strip_prefix(&common).unwrap_or(path);
        rest.components().any(|step| step == Component::ParentDir)
    };
    if leads_up(first) || leads_up(second) {
        return None;
    }
    match common.as_os_str().is_empty() {
        true => Some(".".into()),
        false => common.parent().is_some().then_some(common),
    }
}

/// Returns every clash between outputs, given with their inputs, in the order of the second output.
pub fn clashes<'a>(outputs: impl IntoIterator<Item = (&'a Path, PathBuf)>) -> Vec<Clash> {
    let clash = |(first, second, output): (&Path, &Path, PathBuf)| Clash {
        first: first.to_owned(),
        second: second.to_owned(),
        output,
    };
    claimed_twice(outputs).into_iter().map(clash).collect()
}

/// Returns each output that has an owner already: the first owner, the later one, and the later one's path.
pub(crate) fn claimed_twice<O: Copy>(
    outputs: impl IntoIterator<Item = (O, PathBuf)>,
) -> Vec<(O, O, PathBuf)> {
    let mut owners: HashMap<String, O> = HashMap::new();
    let mut found = Vec::new();
    for (owner, output) in outputs {
        match owners.entry(folded(output.as_os_str())) {
            Entry::Occupied(first) => found.push((*first.get(), owner, output)),
            Entry::Vacant(place) => {
                place.insert(owner);
            }
        }
    }
    found
}

/// Returns a name in the form in which a file system that ignores case and normalises names compares it. Names that are not
/// UTF-8 get a form of their own.
pub(crate) fn folded(name: &OsStr) -> String {
    match name.to_str() {
        Some(text) if text.is_ascii() => text.to_ascii_lowercase(),
        // Upper case and then lower case makes ß equal to SS, and ſ to s; lower case alone does not.
        Some(text) => {
            let composed: String = text.nfc().collect();
            composed.to_uppercase().to_lowercase().nfc().collect()
        }
        None => format!("{name:?}").to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_clash_after_folding_case_and_composition() {
        let (a, b) = (Path::new("a"), Path::new("b"));
        let clash = |x: &str, y: &str| !clashes([(a, x.into()), (b, y.into())]).is_empty();
        assert!(clash("o/A.glb", "o/a.glb"));
        assert!(clash("o/\u{e9}.glb", "o/e\u{301}.glb"));
        assert!(!clash("o/a.glb", "o/b.glb"));
    }

    #[test]
    fn the_directory_that_holds_two_files_is_found_by_their_paths() {
        for (first, second, expected) in [
            ("in/a/x", "in/b/x", Some("in")),
            ("a/x", "b/x", Some(".")),
            ("x", "b/x", Some(".")),
            ("/d/a/x", "/d/b/sub/x", Some("/d")),
            ("../a/x", "../b/x", Some("..")),
            ("../a/x", "b/x", None),
            ("/a/x", "/b/x", None),
            ("/a/x", "a/x", None),
        ] {
            let found = common_directory(Path::new(first), Path::new(second));
            assert_eq!(found, expected.map(PathBuf::from), "{first} {second}");
        }
    }
}
