//! Outputs that would be one file, compared by their names.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use unicode_normalization::UnicodeNormalization;

/// Two outputs that would be one file, at least on a file system that folds case or normalises.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{}` and `{}` would both write `{}`",
    first.display(), second.display(), output.display()
)]
pub struct Clash {
    /// An input.
    pub first: PathBuf,
    /// The input that clashes with it.
    pub second: PathBuf,
    /// The output of the second.
    pub output: PathBuf,
}

/// Every clash between outputs, in order.
pub fn clashes<'a>(outputs: impl IntoIterator<Item = (&'a Path, PathBuf)>) -> Vec<Clash> {
    let clash = |(first, second, output): (&Path, &Path, PathBuf)| Clash {
        first: first.to_owned(),
        second: second.to_owned(),
        output,
    };
    claimed_twice(outputs).into_iter().map(clash).collect()
}

/// Outputs that have an owner already, in order: the first owner, the later one, and what that one calls it.
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

/// A name as a case-folding, normalising file system would see it. Bytes that are not UTF-8 stay apart.
pub(crate) fn folded(name: &OsStr) -> String {
    match name.to_str() {
        Some(text) if text.is_ascii() => text.to_ascii_lowercase(),
        // Upper, then lower: that folds ß with SS and ſ with s, which lower case alone does not.
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
}
