//! Walking through one directory: which entries are passed over, and which are inputs.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::{DirEntry, WalkBuilder};

use super::Skips;
use crate::io::error::IoError;
use crate::io::{FileId, system};
use rigy_base::loader::is_absence;
use rigy_base::sync::Mutex;

/// The name of files with globs that only rigy-batch reads.
const OWN_IGNORE_FILE: &str = ".rigyignore";
/// The names of all files with globs.
const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", OWN_IGNORE_FILE];
/// Most bytes of such a file.
const MAX_IGNORE_FILE: u64 = 1 << 20;
/// The name of directories that hold packages of other authors.
const PACKAGES: &str = "node_modules";

/// The rules about entries that are passed over.
pub struct Rules {
    /// The directories that outputs go to, as far as they exist.
    outputs: Vec<FileId>,
    excludes: Gitignore,
    /// True if ignore files are heeded and directories of packages are passed over.
    ignored: bool,
}

/// The result of a walk.
#[derive(Default)]
pub struct Walked {
    /// The inputs, sorted by path.
    pub files: Vec<PathBuf>,
    /// Directories that cannot be listed.
    pub unreadable: Vec<IoError>,
    /// The first directory that was passed over because outputs go there.
    pub left_out: Option<PathBuf>,
}

impl Rules {
    pub fn new(skips: &Skips) -> Result<Arc<Self>, IoError> {
        let id = |path: &PathBuf| FileId::of(path).ok();
        Ok(Arc::new(Self {
            outputs: skips.outputs.iter().filter_map(id).collect(),
            excludes: matcher(&skips.excludes).map_err(|(glob, message)| {
                IoError::new("use the glob", glob, std::io::Error::other(message))
            })?,
            ignored: skips.ignored,
        }))
    }

    /// Returns true for the names of directories that no search goes into.
    fn is_passed_over(&self, name: &OsStr) -> bool {
        let is_hidden = name.as_encoded_bytes().starts_with(b".");
        is_hidden || (self.ignored && name == PACKAGES)
    }

    /// Returns true if the walk goes on with an entry below the root. What it has to report about others is added to `walked`.
    fn admit(&self, entry: &DirEntry, root: &Path, walked: &Mutex<Walked>) -> bool {
        let path = entry.path();
        let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
        if !self.excludes.is_empty() {
            let below = path.strip_prefix(root).unwrap_or(path);
            if self.excludes.matched(below, is_directory).is_ignore() {
                return false;
            }
        }
        if !is_directory {
            return true;
        }
        if self.is_passed_over(entry.file_name()) {
            return false;
        }
        let mut walked = walked.lock();
        let is_output = |outputs: &[FileId]| {
            !outputs.is_empty() && FileId::of(path).is_ok_and(|id| outputs.contains(&id))
        };
        if is_output(&self.outputs) {
            walked.left_out.get_or_insert_with(|| path.to_owned());
            return false;
        }
        self.may_be_listed(path, &mut walked)
    }

    /// Returns true if a directory may be listed: no test has planted a fault there, and its ignore files can be read. Else adds
    /// the reason to `walked`.
    fn may_be_listed(&self, path: &Path, walked: &mut Walked) -> bool {
        let error = system::pass("list", path)
            .err()
            .map(IoError::at("list", path))
            .or_else(|| self.ignored.then(|| odd_ignore_file(path)).flatten());
        let is_listed = error.is_none();
        walked.unreadable.extend(error);
        is_listed
    }

    /// Returns true if the root of a walk may be listed. Ignore files above it are read, too.
    fn may_be_walked(&self, root: &Path, walked: &mut Walked) -> bool {
        let error = std::path::absolute(root)
            .unwrap_or_else(|_| root.to_owned())
            .ancestors()
            .skip(1)
            .filter(|_| self.ignored)
            .find_map(odd_ignore_file);
        let may_be_read = error.is_none();
        walked.unreadable.extend(error);
        may_be_read && self.may_be_listed(root, walked)
    }
}

/// Returns an error if an ignore file in a directory is no regular file, whose reading might never end, or a very long one. One
/// that this user may not look at counts as absent.
fn odd_ignore_file(directory: &Path) -> Option<IoError> {
    IGNORE_FILES.iter().find_map(|name| {
        let path = directory.join(name);
        let metadata = match system::metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) if is_absence(&error) || error.kind() == ErrorKind::PermissionDenied => {
                return None;
            }
            Err(error) => return Some(IoError::new("look at", path, error)),
        };
        let is_read = metadata.is_file() && metadata.len() <= MAX_IGNORE_FILE;
        (!is_read).then(|| {
            let message =
                "an ignore file must be a regular file of at most 1 MiB; `--no-ignore` reads none";
            IoError::new("read", path, std::io::Error::other(message))
        })
    })
}

/// Finds the inputs below a directory, sorted by path.
pub fn walk(root: &Path, is_input: &dyn Fn(&OsStr) -> bool, rules: &Arc<Rules>) -> Walked {
    let walked: Arc<Mutex<Walked>> = Arc::default();
    if !rules.may_be_walked(root, &mut walked.lock()) {
        return std::mem::take(&mut walked.lock());
    }
    let mut files = Vec::new();
    for entry in entries(root, rules, &walked) {
        match entry {
            Ok(entry) => {
                let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                if is_file && is_input(entry.file_name()) {
                    let mut path = entry.into_path();
                    path.shrink_to_fit();
                    files.push(path);
                }
            }
            Err(error) => walked.lock().unreadable.push(unreadable(root, error)),
        }
    }
    files.sort_unstable();
    let mut walked = std::mem::take(&mut *walked.lock());
    walked.files = files;
    walked
}

/// Returns the entries of a directory and of those below it that the rules admit.
fn entries(root: &Path, rules: &Arc<Rules>, walked: &Arc<Mutex<Walked>>) -> ignore::Walk {
    let (rules, walked, from) = (rules.clone(), walked.clone(), root.to_owned());
    let mut builder = WalkBuilder::new(root);
    builder
        .standard_filters(false)
        .parents(rules.ignored)
        .ignore(rules.ignored)
        .git_ignore(rules.ignored);
    if rules.ignored {
        builder.add_custom_ignore_filename(OWN_IGNORE_FILE);
    }
    builder.filter_entry(move |entry| rules.admit(entry, &from, &walked));
    builder.build()
}

/// Returns the error of a directory that cannot be listed.
fn unreadable(root: &Path, error: ignore::Error) -> IoError {
    let path = place(&error).unwrap_or(root).to_owned();
    let message = error.to_string();
    let source = error.into_io_error();
    IoError::new(
        "list",
        path,
        source.unwrap_or_else(|| std::io::Error::other(message)),
    )
}

/// Returns the path that an error is about.
fn place(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::Loop { child, .. } => Some(child),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            place(err)
        }
        _ => None,
    }
}

/// Returns the matcher of globs, which match paths relative to a root.
fn matcher(globs: &[String]) -> Result<Gitignore, (String, String)> {
    if globs.is_empty() {
        return Ok(Gitignore::empty());
    }
    let mut builder = GitignoreBuilder::new("");
    for glob in globs {
        builder
            .add_line(None, glob)
            .map_err(|error| (glob.clone(), error.to_string()))?;
    }
    let all = || globs.join(", ");
    builder.build().map_err(|error| (all(), error.to_string()))
}

/// Checks a glob in the syntax of `.gitignore`.
///
/// # Errors
/// The fault of a malformed glob.
pub fn check_glob(glob: &str) -> Result<(), String> {
    let glob = [glob.to_owned()];
    matcher(&glob).map(|_| ()).map_err(|(_, message)| message)
}
