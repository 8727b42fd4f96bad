//! Finding the inputs below the paths of a command line.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::{DirEntry, WalkDir};

use super::{Directories, FileId, IoError, identity, system};
use crate::base::loader::{Digest, digest};

/// The inputs found below the paths of a command line.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The inputs, in the order of the given paths; those of one directory are sorted by path.
    pub found: Vec<Found>,
    /// Directories that cannot be listed.
    pub unreadable: Vec<IoError>,
    /// The directory that was not searched because outputs go there, by the path on which the search found it.
    pub left_out: Option<PathBuf>,
}

/// An input, and the root that its outputs and references are relative to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The path of the file, as reports show it.
    pub path: PathBuf,
    /// The given directory, or the parent of the given file. All inputs that were found below a directory share it.
    pub root: Arc<Path>,
}

impl Found {
    /// Returns the path below the root.
    pub fn relative(&self) -> &Path {
        self.path.strip_prefix(&self.root).unwrap_or(&self.path)
    }
}

/// Finds every file below the given directories for whose name `is_input` returns true, and every given file, whatever its
/// name. Hidden directories are skipped, and so is the directory `outputs` if it lies below a given one; links are not
/// followed. The files of a directory are sorted by path. A file that is found twice is listed once, even if two mounts
/// show it in two places. The result also lists the directories that cannot be read.
///
/// # Errors
/// If a given path does not exist.
pub fn discover(
    paths: &[PathBuf],
    is_input: &dyn Fn(&OsStr) -> bool,
    outputs: Option<&Path>,
) -> Result<Discovery, IoError> {
    let mut search = Search {
        is_input,
        outputs: outputs
            .and_then(|path| FileId::of(path).ok())
            .map(|(id, _)| id),
        result: Discovery::default(),
    };
    let mut seen = Seen::default();
    for path in paths {
        let metadata = system::metadata(path).map_err(|e| IoError::new("find", path, e))?;
        // With a single path, no file is found twice.
        let mut is_new = |file: &dyn Fn() -> PathBuf| paths.len() == 1 || seen.insert(&file());
        if metadata.is_dir() {
            // No link is followed below the root, so resolving the root resolves all files.
            let resolved = identity(path);
            let root: Arc<Path> = path.as_path().into();
            let mut files = search.below(&root);
            files.retain(|file| is_new(&|| resolved.join(file.relative())));
            search.result.found.append(&mut files);
        } else if is_new(&|| identity(path)) {
            let root = path.parent().unwrap_or(Path::new("")).into();
            let path = path.clone();
            search.result.found.push(Found { path, root });
        }
    }
    search.result.found.shrink_to_fit();
    Ok(search.result)
}

/// The set of files that have been found.
#[derive(Default)]
struct Seen {
    directories: Directories,
    /// The resolved directory of the last file, and its representative.
    last: (PathBuf, PathBuf),
    /// Digests of the paths of files in their representative directories.
    files: HashSet<Digest>,
}

impl Seen {
    /// Adds a file, given by its resolved path. Returns true if it was not in the set.
    fn insert(&mut self, file: &Path) -> bool {
        let (parent, name) = (file.parent().unwrap_or(file), file.file_name());
        if self.last.0 != parent {
            self.last = (parent.to_owned(), self.directories.representative(parent));
        }
        let file = self.last.1.join(name.unwrap_or_default());
        (self.files).insert(digest(file.as_os_str().as_encoded_bytes()))
    }
}

/// A search of directories.
struct Search<'a> {
    is_input: &'a dyn Fn(&OsStr) -> bool,
    /// The directory that outputs go to, if it exists.
    outputs: Option<FileId>,
    result: Discovery,
}

impl Search<'_> {
    /// Returns the inputs below a directory, sorted by path. Adds the directories that cannot be listed, and the one that
    /// was left out, to the result.
    fn below(&mut self, root: &Arc<Path>) -> Vec<Found> {
        let (outputs, mut left_out) = (self.outputs, None);
        let is_visible = |entry: &DirEntry| {
            if entry.depth() == 0 || !entry.file_type().is_dir() {
                return true;
            }
            let takes_outputs = outputs.is_some_and(|outputs| is_directory(entry.path(), outputs));
            if takes_outputs {
                left_out = Some(entry.path().to_owned());
            }
            !takes_outputs && !is_hidden(entry)
        };
        let mut found = Vec::new();
        let mut entries = WalkDir::new(&**root).into_iter().filter_entry(is_visible);
        while let Some(entry) = entries.next() {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {
                    if let Err(error) = system::pass("list", entry.path()) {
                        let error = IoError::new("list", entry.path(), error);
                        self.result.unreadable.push(error);
                        entries.skip_current_dir();
                    }
                }
                Ok(entry) if entry.file_type().is_file() && (self.is_input)(entry.file_name()) => {
                    let mut path = entry.into_path();
                    path.shrink_to_fit();
                    let root = root.clone();
                    found.push(Found { path, root });
                }
                Ok(_) => {}
                Err(error) => {
                    let path = error.path().unwrap_or(root).to_owned();
                    let error = IoError::new("list", path, error.into());
                    self.result.unreadable.push(error);
                }
            }
        }
        drop(entries);
        self.result.left_out = self.result.left_out.take().or(left_out);
        found.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        found
    }
}

/// Returns true if a path leads to the directory with this identity.
fn is_directory(path: &Path, directory: FileId) -> bool {
    FileId::of(path).is_ok_and(|(id, _)| id == directory)
}

/// Returns true if the name of an entry begins with a dot.
fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}
