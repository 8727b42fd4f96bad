//! The identity of files, independent of the paths that lead to them.
//!
//! One file can have many paths, by links, bind mounts, or a volume that is mounted twice. The system gives each file a
//! device and a number, which are the same for every path. A layered file system (overlay, FUSE, a network share) may show
//! the file under numbers of its own; nothing here sees through that.

use std::io;
use std::path::{Path, PathBuf};

use super::system::{self, Handle, Metadata};
#[cfg(not(any(unix, windows)))]
use rigy_base::loader::digest;

/// The device of what lies on none.
#[cfg(not(any(unix, windows)))]
const NO_DEVICE: u64 = u64::MAX;

/// The identity of a file or directory, the same for all of its paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId {
    /// Device (Unix) or serial number of the volume (Windows).
    pub device: u64,
    /// Inode (Unix) or file index (Windows).
    pub number: u64,
}

impl FileId {
    /// Returns the identity of the file that a path leads to, links followed.
    ///
    /// # Errors
    /// If the system cannot look at the file; `NotFound` if there is none.
    pub fn of(path: &Path) -> io::Result<Self> {
        Self::new(path, &system::metadata(path)?)
    }

    /// Returns the identity of the file that a path leads to; `None` if there is none.
    ///
    /// # Errors
    /// If the system cannot look at the file.
    pub fn existing(path: &Path) -> io::Result<Option<Self>> {
        match Self::of(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            id => id.map(Some),
        }
    }

    /// Returns the identity of the file that a path leads to and that has this metadata.
    ///
    /// # Errors
    /// If the system cannot look at the file.
    #[cfg(unix)]
    pub fn new(_: &Path, there: &Metadata) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt;
        Ok(Self {
            device: there.dev(),
            number: there.ino(),
        })
    }

    #[cfg(windows)]
    pub fn new(path: &Path, _: &Metadata) -> io::Result<Self> {
        Self::of_handle(&winapi_util::Handle::from_path_any(path)?)
    }

    #[cfg(windows)]
    fn of_handle(file: impl winapi_util::AsHandleRef) -> io::Result<Self> {
        let information = winapi_util::file::information(file)?;
        Ok(Self {
            device: information.volume_serial_number(),
            number: information.file_index(),
        })
    }

    /// Makes an identity from the resolved path, because the system gives files none.
    #[cfg(not(any(unix, windows)))]
    pub fn new(path: &Path, _: &Metadata) -> io::Result<Self> {
        let path = system::canonicalize(path)?;
        let [number, ..] = digest(path.as_os_str().as_encoded_bytes());
        Ok(Self {
            device: NO_DEVICE,
            number,
        })
    }

    /// Returns the identity of an open file that has this metadata.
    ///
    /// # Errors
    /// If the system cannot look at the file.
    pub fn of_open(file: &Handle, there: &Metadata) -> io::Result<Self> {
        #[cfg(windows)]
        return {
            let _ = there;
            Self::of_handle(file.file())
        };
        #[cfg(not(windows))]
        Self::new(file.path(), there)
    }
}

/// Returns true if there is neither a file nor a directory nor a link at a path.
pub fn is_missing(path: &Path) -> bool {
    system::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// Returns true if a path leads to an existing file to which one of `others` leads, too.
///
/// # Errors
/// If the system cannot look at the file, or at one of the others while it is there.
#[cfg(feature = "cli")]
pub fn is_one_of<'p>(path: &Path, others: impl IntoIterator<Item = &'p Path>) -> io::Result<bool> {
    let Some(file) = FileId::existing(path)? else {
        return Ok(false);
    };
    for other in others {
        if FileId::existing(other)? == Some(file) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A map from each path of a directory to a single path. The directories need not exist yet.
#[derive(Default)]
pub struct Directories {
    first: rigy_base::maps::HashMap<FileId, PathBuf>,
}

impl Directories {
    /// Returns the first path that was passed for this directory: `resolved`, a resolved path, or an earlier one that
    /// leads to the same directory. If the directory is missing, the nearest existing directory above it decides.
    pub fn representative(&mut self, resolved: &Path) -> PathBuf {
        for above in resolved.ancestors() {
            if let Ok(id) = FileId::of(above) {
                let first = self.first.entry(id).or_insert_with(|| above.to_owned());
                let below = resolved.strip_prefix(above).unwrap_or(Path::new(""));
                return if below.as_os_str().is_empty() {
                    first.clone()
                } else {
                    first.join(below)
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
        let id = |name: &str| FileId::of(&path(name)).unwrap();
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
