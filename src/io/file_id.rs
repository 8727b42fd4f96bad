//! The identity of files, independent of the paths that lead to them.
//!
//! One file can have many paths, by links, bind mounts, or a volume that is mounted twice. The system gives each file a
//! device and a number, which are the same for every path, unless a layered file system (FUSE, overlay, a network share)
//! shows the file under a device of its own. [`is_one_directory`] recognises directories in that case as well.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::durability::directory_of;
use super::system::{self, Metadata};
use crate::base::loader::digest;

/// The device of what lies on none.
#[cfg(not(any(unix, windows)))]
const NO_DEVICE: u64 = u64::MAX;

/// The identity of a file or directory, the same for all of its paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId {
    /// Device (Unix) or serial number of the volume (Windows).
    device: u64,
    /// Inode (Unix) or file index (Windows).
    number: u64,
}

impl FileId {
    /// Returns the identity of the file that a path leads to, links followed, and its length in bytes.
    ///
    /// # Errors
    /// If the system cannot look at the file.
    pub fn of(path: &Path) -> io::Result<(Self, u64)> {
        let metadata = system::metadata(path)?;
        Ok((Self::new(path, &metadata)?, metadata.len()))
    }

    #[cfg(unix)]
    fn new(_: &Path, there: &Metadata) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt;
        Ok(Self {
            device: there.dev(),
            number: there.ino(),
        })
    }

    #[cfg(windows)]
    fn new(path: &Path, _: &Metadata) -> io::Result<Self> {
        let file = winapi_util::Handle::from_path_any(path)?;
        let information = winapi_util::file::information(&file)?;
        Ok(Self {
            device: information.volume_serial_number(),
            number: information.file_index(),
        })
    }

    /// Makes an identity from the resolved path, because the system gives files none.
    #[cfg(not(any(unix, windows)))]
    fn new(path: &Path, _: &Metadata) -> io::Result<Self> {
        let path = system::canonicalize(path)?;
        let [number, ..] = digest(path.as_os_str().as_encoded_bytes());
        Ok(Self {
            device: NO_DEVICE,
            number,
        })
    }
}

/// An existing file, with all that is needed to decide whether another path leads to the same file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownFile {
    /// The path; if it was a link to the file, the resolved path.
    path: PathBuf,
    id: FileId,
    len: u64,
}

impl KnownFile {
    /// Looks at the file that a path leads to.
    ///
    /// # Errors
    /// If the system cannot look at it; `NotFound` if there is none.
    pub fn at(path: &Path) -> io::Result<Self> {
        let there = system::symlink_metadata(path)?;
        if there.is_symlink() {
            let (id, len) = FileId::of(path)?;
            let path = system::canonicalize(path)?;
            return Ok(Self { path, id, len });
        }
        let (path, len) = (path.to_owned(), there.len());
        let id = FileId::new(&path, &there)?;
        Ok(Self { path, id, len })
    }

    /// Looks at the file that a path leads to; returns `None` if there is none.
    ///
    /// # Errors
    /// If the system cannot look at it.
    pub fn existing(path: &Path) -> io::Result<Option<Self>> {
        match Self::at(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            file => file.map(Some),
        }
    }

    /// Returns the identity of the file.
    pub fn id(&self) -> FileId {
        self.id
    }

    /// Returns the length of the file in bytes and a hash of its name in lower case. Every layered file system shows the
    /// same length and name as the file system below it; times are rounded by some.
    pub fn likeness(&self) -> (u64, u64) {
        let name = self.path.file_name().unwrap_or_default();
        let name = name.to_string_lossy().to_lowercase();
        (self.len, digest(name.as_bytes())[0])
    }

    /// Returns true if another file is the same file. That is so if the identities are equal, or if a layered file system
    /// shows one of the two under another device and both have the same name in the same directory. `is_one_directory`
    /// decides whether two directories are the same.
    ///
    /// # Errors
    /// If `is_one_directory` fails.
    pub fn is(
        &self,
        other: &Self,
        is_one_directory: impl FnOnce(&Path, &Path) -> io::Result<bool>,
    ) -> io::Result<bool> {
        if self.id.device == other.id.device || self.likeness() != other.likeness() {
            return Ok(self.id == other.id);
        }
        is_one_directory(directory_of(&self.path), directory_of(&other.path))
    }
}

/// Returns true if there is neither a file nor a directory nor a link at a path.
pub fn is_missing(path: &Path) -> bool {
    let there = system::symlink_metadata(path);
    there.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// Returns true if two paths lead to the same existing file.
///
/// # Errors
/// If the system cannot look at one of them, or if their directories cannot be compared.
#[cfg(feature = "cli")]
pub fn is_one_file(first: &Path, second: &Path) -> io::Result<bool> {
    match (KnownFile::existing(first)?, KnownFile::existing(second)?) {
        (Some(first), Some(second)) => first.is(&second, is_one_directory),
        _ => Ok(false),
    }
}

/// Returns true if two paths lead to the same directory, even if the system shows it under two identities. The test is
/// that a file that is created in the first directory appears in the second.
///
/// # Errors
/// If no file can be created in the first directory, or the second cannot be searched.
pub fn is_one_directory(first: &Path, second: &Path) -> io::Result<bool> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    // If the process is killed here, the next run removes a file of this name (`io/private/sweep.rs`).
    let name = format!(".rigy-batch-probe-{}-{number}.tmp", std::process::id());
    let path = first.join(&name);
    let file = system::create(&path)?;
    // As long as the file is locked, no other run removes it.
    let _ = file.try_lock();
    let seen = system::symlink_metadata(&second.join(&name));
    drop(file);
    let _ = system::remove(&path);
    match seen {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// A map from each path of a directory to a single path. The directories need not exist yet.
#[derive(Debug, Default)]
pub struct Directories {
    first: std::collections::HashMap<FileId, PathBuf>,
}

impl Directories {
    /// Returns the first path that was passed for this directory: `resolved`, a resolved path, or an earlier one that
    /// leads to the same directory. If the directory is missing, the nearest existing directory above it decides.
    pub fn representative(&mut self, resolved: &Path) -> PathBuf {
        for above in resolved.ancestors() {
            if let Ok((id, _)) = FileId::of(above) {
                let first = self.first.entry(id).or_insert_with(|| above.to_owned());
                let below = resolved.strip_prefix(above).unwrap_or(Path::new(""));
                return match below.as_os_str().is_empty() {
                    true => first.clone(),
                    false => first.join(below),
                };
            }
        }
        resolved.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn links_have_the_identity_of_their_file_and_copies_have_not() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        fs::write(path("a"), "bytes").unwrap();
        fs::hard_link(path("a"), path("hard")).unwrap();
        fs::copy(path("a"), path("copy")).unwrap();
        let id = |name: &str| FileId::of(&path(name)).unwrap().0;
        assert_eq!(id("a"), id("hard"));
        assert_ne!(id("a"), id("copy"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("a", path("soft")).unwrap();
            assert_eq!(id("a"), id("soft"));
        }
        assert!(FileId::of(&path("missing")).is_err());
    }

    #[test]
    fn a_directory_is_itself_and_no_other_and_nothing_stays_behind() {
        let root = tempfile::tempdir().unwrap();
        let (one, other) = (root.path().join("one"), root.path().join("other"));
        fs::create_dir(&one).unwrap();
        fs::create_dir(&other).unwrap();
        assert!(is_one_directory(&one, &one.join("../one")).unwrap());
        assert!(!is_one_directory(&one, &other).unwrap());
        assert!(is_one_directory(&root.path().join("missing"), &one).is_err());
        assert_eq!(fs::read_dir(&one).unwrap().count(), 0);
    }

    #[test]
    #[cfg(unix)]
    fn a_directory_has_one_representative_by_all_its_paths() {
        let root = tempfile::tempdir().unwrap();
        let (real, link) = (root.path().join("real"), root.path().join("link"));
        fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink("real", &link).unwrap();
        let mut directories = Directories::default();
        assert_eq!(directories.representative(&real), real);
        assert_eq!(directories.representative(&link), real);
        let missing = directories.representative(&link.join("a/b"));
        assert_eq!(missing, real.join("a/b"));
    }
}
