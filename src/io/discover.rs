//! Finding the inputs below the paths of a command line.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::{DirEntry, WalkDir};

use super::{IoError, faults, identity, system};
use crate::loader::digest;

/// One input: where it is, and where its outputs and references belong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The file, by the path it is called by in reports.
    pub path: PathBuf,
    /// The directory given, or the parent of the file given; one for all that were found there.
    pub root: Arc<Path>,
}

impl Found {
    /// The path below the root.
    pub fn relative(&self) -> &Path {
        self.path.strip_prefix(&self.root).unwrap_or(&self.path)
    }
}

/// Every file below the given directories whose name `is_input` takes, and every file given outright, whatever its
/// name. Hidden directories are skipped, and one below the given ones that outputs go to; links are not followed. A
/// directory's files are sorted by path, and a file found twice counts once. Directories that cannot be read are
/// reported beside what was found.
///
/// # Errors
/// A path given that does not exist.
pub fn discover(
    paths: &[PathBuf],
    is_input: &dyn Fn(&OsStr) -> bool,
    outputs: Option<&Path>,
) -> Result<(Vec<Found>, Vec<IoError>), IoError> {
    let mut found = Vec::new();
    let mut unreadable = Vec::new();
    let mut seen = HashSet::new();
    let outputs = outputs.map(identity);
    for path in paths {
        let metadata = system::metadata(path).map_err(|e| IoError::new("find", path, e))?;
        // By what it would be known under another name, too; of a single argument, nothing is found twice.
        let mut is_new = |identity: &dyn Fn() -> PathBuf| {
            paths.len() == 1 || seen.insert(digest(identity().as_os_str().as_encoded_bytes()))
        };
        if metadata.is_dir() {
            // No link is followed below, so one look at the root tells all files apart.
            let identity = identity(path);
            let skipped = outputs
                .as_ref()
                .and_then(|to| Some(path.join(to.strip_prefix(&identity).ok()?)));
            let root: Arc<Path> = path.as_path().into();
            let mut files = walk(&root, is_input, skipped.as_deref(), &mut unreadable);
            files.retain(|file| is_new(&|| identity.join(file.relative())));
            found.append(&mut files);
        } else if is_new(&|| identity(path)) {
            let root = path.parent().unwrap_or(Path::new("")).into();
            found.push(Found {
                path: path.clone(),
                root,
            });
        }
    }
    found.shrink_to_fit();
    Ok((found, unreadable))
}

/// The files of a directory, sorted.
fn walk(
    root: &Arc<Path>,
    is_input: &dyn Fn(&OsStr) -> bool,
    skipped: Option<&Path>,
    unreadable: &mut Vec<IoError>,
) -> Vec<Found> {
    let is_skipped = |entry: &DirEntry| is_hidden_directory(entry) || Some(entry.path()) == skipped;
    let visible = |entry: &DirEntry| entry.depth() == 0 || !is_skipped(entry);
    let mut found = Vec::new();
    let mut entries = WalkDir::new(&**root).into_iter().filter_entry(visible);
    while let Some(entry) = entries.next() {
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {
                if let Err(error) = faults::pass("list", entry.path()) {
                    unreadable.push(IoError::new("list", entry.path(), error));
                    entries.skip_current_dir();
                }
            }
            Ok(entry) if entry.file_type().is_file() && is_input(entry.file_name()) => {
                let mut path = entry.into_path();
                path.shrink_to_fit();
                let root = root.clone();
                found.push(Found { path, root });
            }
            Ok(_) => {}
            Err(error) => {
                let path = error.path().unwrap_or(root).to_owned();
                unreadable.push(IoError::new("list", path, error.into()));
            }
        }
    }
    found.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    found
}

fn is_hidden_directory(entry: &DirEntry) -> bool {
    entry.file_type().is_dir() && entry.file_name().as_encoded_bytes().starts_with(b".")
}
