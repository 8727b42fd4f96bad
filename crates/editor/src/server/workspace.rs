//! The files of a directory: those in which references are looked for, and those that paths may name.

use std::ffi::OsStr;
use std::path::Path;

use super::host::Host;
use rigy_base::loader::Location;
use rigy_base::paths::Slashed;

/// Most files that are looked through.
const MOST_FILES: usize = 20_000;
/// Most bytes that they may have together.
const MOST_BYTES: u64 = 256 << 20;

/// Returns the YAML files below a directory without those that a search for inputs leaves out, and without those that are too
/// long to be compiled.
///
/// # Errors
/// If there are too many to look through all of them, so that an answer would not be whole.
pub fn files_below(host: &dyn Host, root: &Path, longest: u64) -> Result<Vec<Location>, String> {
    let mut files = host.files_below(root, &is_yaml)?;
    let too_much = |what: String| {
        let folder = root.slashed();
        Err(format!(
            "`{folder}` has more than {what} of YAML; open a smaller folder, or list files in `.rigyignore`"
        ))
    };
    if files.len() > MOST_FILES {
        return too_much(format!("{MOST_FILES} files"));
    }
    let mut left = MOST_BYTES;
    let mut is_over = false;
    files.retain(|file| {
        let len = host.len(&file.0);
        let is_short = len <= longest;
        if is_short {
            is_over |= len > left;
            left = left.saturating_sub(len);
        }
        is_short
    });
    if is_over {
        return too_much(format!("{} MiB", MOST_BYTES >> 20));
    }
    Ok(files)
}

/// Returns the files below a directory that documents may refer to; none if it cannot be listed. Of very many, only the first ones.
pub fn references_below(host: &dyn Host, root: &Path) -> Vec<Location> {
    let is_one =
        |name: &OsStr| is_yaml(name) || Path::new(name).extension() == Some("json".as_ref());
    let mut files = host.files_below(root, &is_one).unwrap_or_default();
    files.truncate(MOST_FILES);
    files
}

fn is_yaml(name: &OsStr) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|end| end == "yaml" || end == "yml")
}
