//! Finding the inputs below the paths of a command line.

mod walk;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::IoError;
use super::{Directories, identity, system};
use rigy_base::loader::{Digest, digest};
use rigy_base::maps::HashSet;
use rigy_base::paths::parent_of;
pub use walk::check_glob;
use walk::{Rules, walk};

/// The parts of directories that a search leaves out, besides hidden directories. By default there are none.
#[derive(Debug, Default)]
pub struct Skips {
    /// Directories that outputs go to. A directory that was named as a root is searched nevertheless.
    pub outputs: Vec<PathBuf>,
    /// Globs in the syntax of `.gitignore`, relative to each root.
    pub excludes: Vec<String>,
    /// True if files are left out that `.gitignore` (in a git repository), `.ignore` and `.rigyignore` name, and directories called
    /// `node_modules`.
    pub ignored: bool,
}

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
#[derive(Clone, Debug)]
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
/// name. Hidden directories are skipped, and so is what `skips` names below a given directory; links are not
/// followed. The files of a directory are sorted by path. A file that is found twice is listed once, even if two mounts
/// show it in two places. The result also lists the directories that cannot be read.
///
/// # Errors
/// If a given path does not exist, or a glob is malformed.
pub fn discover(
    paths: &[PathBuf],
    is_input: &dyn Fn(&OsStr) -> bool,
    skips: &Skips,
) -> Result<Discovery, IoError> {
    let mut result = Discovery::default();
    let rules = Rules::new(skips)?;
    let mut seen = Seen::default();
    for path in paths {
        let metadata = system::metadata(path).map_err(IoError::at("find", path))?;
        // With a single path, no file is found twice.
        let mut is_new = |file: &dyn Fn() -> PathBuf| paths.len() == 1 || seen.insert(&file());
        if metadata.is_dir() {
            // No link is followed below the root, so resolving the root resolves all files.
            let resolved = identity(path);
            let root: Arc<Path> = path.as_path().into();
            let walked = walk(&root, is_input, &rules);
            let mut files: Vec<Found> = walked
                .files
                .into_iter()
                .map(|path| Found {
                    path,
                    root: root.clone(),
                })
                .collect();
            files.retain(|file| is_new(&|| resolved.join(file.relative())));
            result.found.append(&mut files);
            result.unreadable.extend(walked.unreadable);
            result.left_out = result.left_out.or(walked.left_out);
        } else if is_new(&|| identity(path)) {
            let root = parent_of(path).into();
            let path = path.clone();
            result.found.push(Found { path, root });
        }
    }
    result.found.shrink_to_fit();
    Ok(result)
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
