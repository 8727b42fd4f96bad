//! The files of a directory in which references are looked for.

use std::ffi::OsStr;
use std::path::Path;

use crate::base::limits::Limits;
use crate::base::loader::Location;
use crate::base::paths::Slashed;
use crate::io::{Skips, discover, len_for_estimate};

/// Most files that are looked through.
const MOST_FILES: usize = 20_000;
/// Most bytes that they may have together.
const MOST_BYTES: u64 = 256 << 20;

/// Returns the YAML files below a directory without those that a search for inputs leaves out, and without those that are too
/// long to be compiled.
///
/// # Errors
/// If there are too many to look through all of them, so that an answer would not be whole.
pub fn files_below(root: &Path) -> Result<Vec<Location>, String> {
    let skips = Skips {
        ignored: true,
        ..Skips::default()
    };
    let discovery = discover(&[root.to_owned()], &is_yaml, &skips);
    let discovery = discovery.map_err(|error| error.to_string())?;
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
        if len > Limits::DEFAULT.bytes {
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

fn is_yaml(name: &OsStr) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|end| end == "yaml" || end == "yml")
}
