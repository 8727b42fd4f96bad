//! Telling files apart by what the system says of them instead of by their paths.
//!
//! One file can have many paths: links, bind mounts, a volume that is mounted twice. The system gives each file a
//! device and a number, which are the same by every path, unless a layered file system (FUSE, overlay, a network
//! share) shows the file under a device of its own. For those there is [`is_one_directory`].

use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::durability::directory_of;
use super::system;
use crate::base::loader::digest;

/// A file as the system knows it, by whatever path it was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId {
    /// Device (Unix) or serial number of the volume (Windows).
    device: u64,
    /// Inode (Unix) or file index (Windows).
    number: u64,
}

impl FileId {
    /// The identity of what a path leads to, links followed, and its length in bytes.
    ///
    /// # Errors
    /// The failure to look at the file.
    pub fn of(path: &Path) -> io::Result<(Self, u64)> {
        let metadata = system::metadata(path)?;
        Ok((Self::new(path, &metadata)?, metadata.len()))
    }

    #[cfg(unix)]
    fn new(_: &Path, metadata: &Metadata) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt;
        Ok(Self {
            device: metadata.dev(),
            number: metadata.ino(),
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

    /// Where the system gives files no identity, resolved paths stand for it.
    #[cfg(not(any(unix, windows)))]
    fn new(path: &Path, _: &Metadata) -> io::Result<Self> {
        let path = system::canonicalize(path)?;
        let [device, number, ..] = digest(path.as_os_str().as_encoded_bytes());
        Ok(Self { device, number })
    }
}

/// A file that is there, with all that is needed to tell whether another path leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownFile {
    /// The path, with a link in the place of the file resolved.
    path: PathBuf,
    id: FileId,
    len: u64,
}

impl KnownFile {
    /// The file that a path leads to.
    ///
    /// # Errors
    /// The failure to look at it; `NotFound` if there is none.
    pub fn at(path: &Path) -> io::Result<Self> {
        let (id, len) = FileId::of(path)?;
        let is_link = system::symlink_metadata(path)?.is_symlink();
        let path = match is_link {
            true => system::canonicalize(path)?,
            false => path.to_owned(),
        };
        Ok(Self { path, id, len })
    }

    /// The file that a path leads to; `None` if there is none.
    ///
    /// # Errors
    /// The failure to look at it.
    pub fn existing(path: &Path) -> io::Result<Option<Self>> {
        match Self::at(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            file => file.map(Some),
        }
    }

    /// Its identity.
    pub fn id(&self) -> FileId {
        self.id
    }

    /// Its length in bytes, and a hash of its name in which case does not count: what every layered file system passes on.
    /// Times are rounded by some.
    pub fn likeness(&self) -> (u64, u64) {
        let name = self.path.file_name().unwrap_or_default();
        let name = name.to_string_lossy().to_lowercase();
        (self.len, digest(name.as_bytes())[0])
    }

    /// Whether another file is this one: by its identity, or because a layered file system shows one of them, and they have
    /// one name in one directory, which `is_one_directory` decides.
    ///
    /// # Errors
    /// The failure of `is_one_directory`.
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

/// Whether there is nothing at a path.
pub fn is_missing(path: &Path) -> bool {
    let there = system::symlink_metadata(path);
    there.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// Whether two paths lead to one file that is there.
///
/// # Errors
/// If that cannot be found out.
#[cfg(feature = "cli")]
pub fn is_one_file(first: &Path, second: &Path) -> io::Result<bool> {
    match (KnownFile::existing(first)?, KnownFile::existing(second)?) {
        (Some(first), Some(second)) => first.is(&second, is_one_directory),
        _ => Ok(false),
    }
}

/// Whether two paths lead to one directory, although the system may show it under two identities: a file that is
/// made in the first must be seen in the second.
///
/// # Errors
/// If no file can be made in the first, or the second cannot be looked into.
pub fn is_one_directory(first: &Path, second: &Path) -> io::Result<bool> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    // Should the process be killed here, the next run removes a file of this name (`io/private.rs`).
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

/// One path for all paths that lead to a directory, whether or not it is there yet.
#[derive(Debug, Default)]
pub struct Directories {
    first: std::collections::HashMap<FileId, PathBuf>,
}

impl Directories {
    /// The path by which a directory, given as a resolved path, was met first: itself, or one that led to the same
    /// directory. Of a directory that is missing, the nearest one above it that is there decides.
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
