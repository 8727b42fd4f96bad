//! Finding the inputs below the paths of a command line.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::{IoError, identity};

/// One input: where it is, and where its outputs and references belong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The file, by the path it is called by in reports.
    pub path: PathBuf,
    /// The directory given, or the parent of the file given.
    pub root: PathBuf,
}

impl Found {
    /// The path below the root.
    pub fn relative(&self) -> &Path {
        self.path.strip_prefix(&self.root).unwrap_or(&self.path)
    }
}

/// Every file below the given directories whose name ends in one of the suffixes, and every file given
/// outright, whatever its name. Hidden directories are skipped, links not followed; a directory's files are
/// sorted by path, and a file found twice counts once. Directories that cannot be read are reported beside
/// what was found.
///
/// # Errors
/// A path given that does not exist.
pub fn discover(
    paths: &[PathBuf],
    suffixes: &[&str],
) -> Result<(Vec<Found>, Vec<IoError>), IoError> {
    let mut found = Vec::new();
    let mut unreadable = Vec::new();
    for path in paths {
        let metadata = path.metadata().map_err(|e| IoError::new("find", path, e))?;
        if metadata.is_dir() {
            walk(path, suffixes, &mut found, &mut unreadable);
        } else {
            let parent = path.parent().unwrap_or(Path::new(""));
            found.push(Found {
                path: path.clone(),
                root: parent.to_owned(),
            });
        }
    }
    let mut seen = HashSet::new();
    found.retain(|f| seen.insert(identity(&f.path)));
    Ok((found, unreadable))
}

fn walk(root: &Path, suffixes: &[&str], found: &mut Vec<Found>, unreadable: &mut Vec<IoError>) {
    let visible = |entry: &DirEntry| entry.depth() == 0 || !is_hidden_directory(entry);
    let first = found.len();
    for entry in WalkDir::new(root).into_iter().filter_entry(visible) {
        match entry {
            Ok(entry) if entry.file_type().is_file() && has_suffix(entry.file_name(), suffixes) => {
                found.push(Found {
                    path: entry.into_path(),
                    root: root.to_owned(),
                });
            }
            Ok(_) => {}
            Err(error) => {
                let path = error.path().unwrap_or(root).to_owned();
                unreadable.push(IoError::new("list", path, error.into()));
            }
        }
    }
    found[first..].sort_by(|a, b| a.path.cmp(&b.path));
}

fn is_hidden_directory(entry: &DirEntry) -> bool {
    entry.file_type().is_dir() && entry.file_name().as_encoded_bytes().starts_with(b".")
}

fn has_suffix(name: &OsStr, suffixes: &[&str]) -> bool {
    let name = name.as_encoded_bytes();
    suffixes
        .iter()
        .any(|suffix| name.ends_with(suffix.as_bytes()))
}
