//! Finding the inputs that could write the same file, without reading all inputs.

use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use super::clash::{Clash, clashes, folded};
use crate::io::{Directories, Found, identity};
use crate::run::batch::options::Options;
use crate::run::batch::work::Work;
use crate::run::batch::work::format::OutputFormat;

/// Returns the outputs of different inputs that would be one file. Only inputs in the same directory can clash, and only if
/// their stems are equal or one stem is the other followed by a dot and more; `outputs`, which returns the files that an
/// input writes to a directory, is called for these alone.
pub(crate) fn clashes_between(
    found: &[Found],
    work: &impl Work,
    options: &Options,
    outputs: impl Fn(&Found, &Path) -> Vec<PathBuf>,
) -> Vec<Clash> {
    let mut places = Places::of(found, options);
    // An input that is named like an output could be the output of any other input.
    let exposed = found
        .iter()
        .filter(|input| is_named_like_output(&input.path));
    let exposed: Vec<(&Path, PathBuf)> = exposed
        .map(|input| (&*input.path, places.resolved(&input.path)))
        .collect();
    let place = |input: &Found| &places.by_directory[&options.directory_of(input)];
    let suspects = match exposed.is_empty() {
        true => similar(found, (work, options), |input| &place(input).folded),
        false => (0..found.len()).collect(),
    };
    let claims = suspects.into_iter().flat_map(|index| {
        let input = &found[index];
        let outputs = outputs(input, &place(input).path);
        outputs.into_iter().map(|path| (&*input.path, path))
    });
    // Clashes between the outputs of one input are reported by the work on that input.
    let mut found = clashes(exposed.iter().cloned().chain(claims));
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
            if let Entry::Vacant(entry) = places.by_directory.entry(options.directory_of(input)) {
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
    (work, options): (&impl Work, &Options),
    directory_of: impl Fn(&Found) -> &'p String,
) -> BTreeSet<usize> {
    let stem = |input: &Found| {
        let stem = input.path.file_name();
        let stem = stem.map(|name| options.naming.stem(work.stem(name)));
        stem.map_or_else(String::new, |stem| folded(&stem))
    };
    // Hashes take little memory. Two that are equal by chance only cost an unnecessary look.
    let name = |input: &Found, stem: &str| hash_of(&(directory_of(input), stem));
    let names = found.iter().map(|input| name(input, &stem(input)));
    let mut by_name: Vec<(u64, usize)> = names.zip(0..).collect();
    by_name.sort_unstable();
    let equal = by_name.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    let mut similar: BTreeSet<usize> = equal.flat_map(|pair| [pair[0].1, pair[1].1]).collect();
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
    let mut extensions = OutputFormat::ALL.iter().map(|format| format.extension());
    extensions.any(|extension| name.ends_with(extension.as_bytes()))
}

fn hash_of(key: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}
