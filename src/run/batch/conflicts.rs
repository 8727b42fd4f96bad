//! The two rules by which no output overwrites a file that it must not.
//!
//! No two outputs of a run have one path, compared normalised and folded. That is decided before anything is written, and without
//! reading all inputs: only inputs whose names are alike can clash. And no output is a file that the run reads ([`sources`]).

pub mod sources;

use std::collections::BTreeSet;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::ffi::OsStr;
use std::hash::{BuildHasher, BuildHasherDefault};
use std::path::{Component, Path, PathBuf};

use unicode_normalization::UnicodeNormalization;

use crate::io::{Directories, Found, identity};
use crate::run::batch::options::Options;
use crate::run::batch::work::content::OutputFormat;
use crate::run::batch::work::job::Work;
use rigy_base::maps::{HashMap, HashSet};
use rigy_base::paths::Slashed;
use rigy_base::terminal::printable;

/// Two outputs that would be one file, at least on a file system that ignores case or normalises names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{}` and `{}` would both write `{}`",
    shown(first),
    shown(second),
    shown(output)
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
                shown(&both)
            ),
            None => apart.into(),
        }
    }
}

fn shown(path: &Path) -> String {
    printable(&path.shown())
}

/// Returns clashes in words, and what to do about the first of them.
pub fn described(clashes: &[Clash]) -> String {
    let advice = clashes.first().map(Clash::advice);
    clashes
        .iter()
        .map(ToString::to_string)
        .chain(advice)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Returns the lowest directory that holds two files, by their paths alone; `None` if that is the root of a file system, or cannot be
/// told.
fn common_directory(first: &Path, second: &Path) -> Option<PathBuf> {
    if first.has_root() != second.has_root() {
        return None;
    }
    let common: PathBuf = first
        .components()
        .zip(second.components())
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
    if common.as_os_str().is_empty() {
        Some(".".into())
    } else {
        common.parent().is_some().then_some(common)
    }
}

/// Returns every clash between outputs, given with their inputs, in the order of the second output.
pub fn clashes<'a>(outputs: impl IntoIterator<Item = (&'a Path, PathBuf)>) -> Vec<Clash> {
    claimed_twice(outputs)
        .into_iter()
        .map(|(first, second, output)| Clash {
            first: first.to_owned(),
            second: second.to_owned(),
            output,
        })
        .collect()
}

/// Returns each output that has an owner already: the first owner, the later one, and the later one's path.
pub fn claimed_twice<O: Copy>(
    outputs: impl IntoIterator<Item = (O, PathBuf)>,
) -> Vec<(O, O, PathBuf)> {
    let mut owners: HashMap<String, O> = HashMap::default();
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
pub fn folded(name: &OsStr) -> String {
    match name.to_str() {
        Some(text) if text.is_ascii() => text.to_ascii_lowercase(),
        // Upper case and then lower case makes ß equal to SS, and ſ to s; lower case alone does not.
        Some(text) => text
            .nfc()
            .collect::<String>()
            .to_uppercase()
            .to_lowercase()
            .nfc()
            .collect(),
        None => format!("{name:?}").to_lowercase(),
    }
}

/// Returns the outputs of different inputs that would be one file. Only inputs in the same directory can clash, and only if
/// their stems are equal or one stem is the other followed by a dot and more; `outputs`, which returns the files that an
/// input writes to a directory, is called for these alone.
pub fn clashes_between(
    found: &[Found],
    work: &impl Work,
    options: &Options,
    outputs: impl Fn(&Found, &Path) -> Vec<PathBuf>,
) -> Vec<Clash> {
    let mut places = Places::of(found, options);
    // An input that is named like an output could be the output of any other input; of those with one name, one stands for all.
    let exposed = found
        .iter()
        .filter(|input| is_named_like_output(&input.path))
        .map(|input| (&*input.path, places.resolved(&input.path)));
    let mut names = HashSet::default();
    let exposed: Vec<(&Path, PathBuf)> = exposed
        .filter(|(_, path)| names.insert(folded(path.as_os_str())))
        .collect();
    let place = |input: &Found| &places.by_directory[&options.output.directory_of(input)];
    let suspects = if exposed.is_empty() {
        similar(found, work, |input| &place(input).folded)
    } else {
        (0..found.len()).collect()
    };
    let claims = suspects.into_iter().flat_map(|index| {
        let input = &found[index];
        let outputs = outputs(input, &place(input).path);
        outputs.into_iter().map(|path| (&*input.path, path))
    });
    // Clashes between the outputs of one input are reported by the work on that input.
    let mut found = clashes(exposed.into_iter().chain(claims));
    found.retain(|clash| clash.first != clash.second);
    found
}

/// The directories for outputs.
#[derive(Default)]
struct Places {
    directories: Directories,
    /// Places by the path that the options give.
    by_directory: HashMap<PathBuf, Place>,
}

/// A directory for outputs.
struct Place {
    /// The representative of the directory.
    path: PathBuf,
    /// The representative in the form in which names are compared.
    folded: String,
}

impl Places {
    /// Returns the directories for outputs of inputs.
    fn of(found: &[Found], options: &Options) -> Self {
        let mut places = Self::default();
        for input in found {
            if let Entry::Vacant(entry) = places
                .by_directory
                .entry(options.output.directory_of(input))
            {
                let path = places.directories.representative(&identity(entry.key()));
                let folded = folded(path.as_os_str());
                entry.insert(Place { path, folded });
            }
        }
        places
    }

    /// Returns the path of a file in the representative of its directory.
    fn resolved(&mut self, path: &Path) -> PathBuf {
        let path = identity(path);
        match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => self.directories.representative(parent).join(name),
            _ => path,
        }
    }
}

/// Returns the indices of inputs in the same directory whose stems are equal, or one of which is the other followed by a dot
/// and more. `directory_of` returns the folded directory of an input.
fn similar<'p>(
    found: &[Found],
    work: &impl Work,
    directory_of: impl Fn(&Found) -> &'p String,
) -> BTreeSet<usize> {
    let stem = |input: &Found| {
        let name = input.path.file_name().unwrap_or_default();
        folded(&work.stem(name))
    };
    // Hashes take little memory. Two that are equal by chance only cost an unnecessary look.
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let name = |input: &Found, stem: &str| hasher.hash_one((directory_of(input), stem));
    let names = found.iter().map(|input| name(input, &stem(input)));
    let mut by_name: Vec<(u64, usize)> = names.zip(0..).collect();
    by_name.sort_unstable();
    let mut similar: BTreeSet<usize> = by_name
        .windows(2)
        .filter(|pair| pair[0].0 == pair[1].0)
        .flat_map(|pair| [pair[0].1, pair[1].1])
        .collect();
    for (index, input) in found.iter().enumerate() {
        let stem = stem(input);
        for (dot, _) in stem.match_indices('.') {
            let shorter = name(input, &stem[..dot]);
            if let Ok(at) = by_name.binary_search_by_key(&shorter, |(name, _)| *name) {
                similar.extend([by_name[at].1, index]);
            }
        }
    }
    similar
}

/// Returns true if a file has the suffix of an output, in upper or lower case.
fn is_named_like_output(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_ascii_lowercase();
    let name = name.as_encoded_bytes();
    OutputFormat::ALL
        .iter()
        .any(|format| name.ends_with(format.extension().as_bytes()))
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
