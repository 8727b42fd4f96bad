//! Finding the file, and the directory that its paths start from.

use std::path::{Path, PathBuf};

use super::{ConfigurationArgs, FILE_NAME};
use crate::io::identity;

/// The file, as messages show it, and the directory that its relative paths start from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub file: PathBuf,
    pub base: PathBuf,
}

impl Place {
    /// Returns the place of the file for a run over `paths`; `None` if there is no file, or none is wanted.
    pub fn find(args: &ConfigurationArgs, paths: &[PathBuf]) -> Option<Self> {
        if args.no_config {
            return None;
        }
        if let Some(file) = &args.config {
            let base = file.parent().unwrap_or(Path::new("")).to_owned();
            let file = file.clone();
            return Some(Self { file, base });
        }
        let input = identity(paths.first()?);
        let mut above = input.ancestors();
        let directory = above.find(|directory| directory.join(FILE_NAME).is_file())?;
        let base = from_here(directory);
        let file = base.join(FILE_NAME);
        Some(Self { file, base })
    }
}

/// Returns the path of a resolved directory, relative to the current directory if it lies below it.
fn from_here(directory: &Path) -> PathBuf {
    let here = identity(Path::new("."));
    let below = directory.strip_prefix(&here);
    below.map_or_else(|_| directory.to_owned(), Path::to_owned)
}
