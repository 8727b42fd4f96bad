//! Finding the inputs that could write the same file, without reading all inputs.

use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use super::clash::{Clash, clashes, folded};
use crate::io::{Directories, Found, identity};
use crate::run::batch::options::Options;
use crate::run::batch::work::Work;

/// Returns the outputs of different inputs that would be one file. Only inputs in the same directory can clash, and only if
/// their stems are equal or one stem is the other followed by a dot and more; `outputs`, which returns the files that an
/// input writes to a directory, is called for these alone.
pub(crate) fn clashes_between(
    found: &[Found],
    work: &impl Work,
    options: &Options,
    outputs: impl Fn(&Found, &Path) -> Vec<PathBuf>,
) -> Vec<Clash> {
    // Each directory with its representative, and with the name of this on a file system that ignores case.
    let mut places: HashMap<PathBuf, (PathBuf, String)> = HashMap::new();
    let mut directories = Directories::default();
    for input in found {
        let mut place = |directory: &PathBuf| {
            let place = directories.representative(&identity(directory));
            let folded = folded(place.as_os_str());
            (place, folded)
        };
        if let Entry::Vacant(entry) = places.entry(options.directory_of(input)) {
            let place = place(entry.key());
            entry.insert(place);
        }
    }
    let place = |input: &Found| &places[&options.directory_of(input)];
    let stem = |input: &Found| {
        let stem = input.path.file_name().map(|name| work.stem(name));
        stem.map_or_else(String::new, |stem| folded(&stem))
    };
    // Hashes take little memory. Two that are equal by chance only cost an unnecessary look.
    let name = |input: &Found, stem: &str| hash_of(&(&place(input).1, stem));
    let names = found.iter().map(|input| name(input, &stem(input)));
    let mut by_name: Vec<(u64, usize)> = names.zip(0..).collect();
    by_name.sort_unstable();
    let equal = by_name.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    let mut suspects: BTreeSet<usize> = equal.flat_map(|pair| [pair[0].1, pair[1].1]).collect();
    for (index, input) in found.iter().enumerate() {
        let stem = stem(input);
        for (dot, _) in stem.match_indices('.') {
            let shorter = name(input, &stem[..dot]);
            if let Ok(at) = by_name.binary_search_by_key(&shorter, |(name, _)| *name) {
                suspects.extend([by_name[at].1, index]);
            }
        }
    }
    // An input that is named like an output could be the output of any other input.
    let named_like_output = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|e| ["glb", "json"].contains(&e.to_lowercase().as_str()))
    };
    let exposed = found.iter().filter(|f| named_like_output(&f.path));
    let mut resolved = |path: &Path| {
        let path = identity(path);
        match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => directories.representative(parent).join(name),
            _ => path,
        }
    };
    let exposed: Vec<(&Path, PathBuf)> = exposed.map(|f| (&*f.path, resolved(&f.path))).collect();
    if !exposed.is_empty() {
        suspects.extend(0..found.len());
    }
    let claims = suspects.into_iter().flat_map(|index: usize| {
        let input = &found[index];
        let outputs = outputs(input, &place(input).0);
        outputs.into_iter().map(|path| (&*input.path, path))
    });
    // Clashes between the outputs of one input are reported by the work on that input.
    let mut found = clashes(exposed.iter().cloned().chain(claims));
    found.retain(|clash| clash.first != clash.second);
    found
}

fn hash_of(key: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}
