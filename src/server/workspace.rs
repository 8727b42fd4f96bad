//! The files of a directory: those in which references are looked for, and those that paths may name.

use std::ffi::OsStr;
use std::path::Path;

use crate::base::loader::Location;
use crate::base::paths::Slashed;
use crate::io::{Discovery, Skips, discover, len_for_estimate};

/// Most files that are looked through.
const MOST_FILES: usize = 20_000;
/// Most bytes that they may have together.
const MOST_BYTES: u64 = 256 << 20;

/// Returns the YAML files below a directory without those that a search for inputs leaves out, and without those that are too
/// long to be compiled.
///
/// # Errors
/// If there are too many to look through all of them, so that an answer would not be whole.
pub fn files_below(root: &Path, longest: u64) -> Result<Vec<Location>, String> {
    let discovery = below(root, &is_yaml)?;
    let too_much = |what: String| {
        let folder = root.slashed();
        Err(format!(
            "`{folder}` has more than {what} of YAML; open a smaller folder, or list files in `.rigyignore`"
        ))
    };
    if discovery.found.len() > MOST_FILES {
        return too_much(format!("{MOST_FILES} files"));
    }
    let mut left = MOST_BYTES;
    let mut files = Vec::with_capacity(discovery.found.len());
    for found in discovery.found {
        let len = len_for_estimate(&found.path);
        if len > longest {
            continue;
        }
        match left.checked_sub(len) {
            Some(rest) => left = rest,
            None => return too_much(format!("{} MiB", MOST_BYTES >> 20)),
        }
        files.push(Location(found.path));
    }
    Ok(files)
}

/// Returns the files below a directory that documents may refer to; none if it cannot be listed. Of very many, only the first ones.
pub fn references_below(root: &Path) -> Vec<Location> {
    let is_one =
        |name: &OsStr| is_yaml(name) || Path::new(name).extension() == Some("json".as_ref());
    let found = below(root, &is_one).map_or(Vec::new(), |discovery| discovery.found);
    let found = found.into_iter().take(MOST_FILES);
    found.map(|found| Location(found.path)).collect()
}

fn below(root: &Path, is_one: &dyn Fn(&OsStr) -> bool) -> Result<Discovery, String> {
    let skips = Skips {
        ignored: true,
        ..Skips::default()
    };
    discover(&[root.to_owned()], is_one, &skips).map_err(|error| error.to_string())
}

fn is_yaml(name: &OsStr) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|end| end == "yaml" || end == "yml")
}
