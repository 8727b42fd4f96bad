//! Telling files apart by what the system says of them instead of by their paths.
//!
//! One file can have many paths: links, bind mounts, a volume that is mounted twice. The system gives each file a
//! device and a number, which are the same by every path, unless a layered file system (FUSE, overlay, a network
//! share) shows the file under a device of its own. For those there is [`is_one_directory`].

use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::system;

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
    /// The failure to look at the file; `Unsupported` where the system gives files no identity.
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

    #[cfg(not(any(unix, windows)))]
    fn new(_: &Path, _: &Metadata) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Whether both files lie on one device, so that comparing identities decides.
    pub fn is_on_device_of(&self, other: &Self) -> bool {
        self.device == other.device
    }
}

/// Whether two paths lead to one file that is there.
pub fn is_one_file(first: &Path, second: &Path) -> bool {
    let id = |path: &Path| FileId::of(path).map(|(id, _)| id);
    match (id(first), id(second)) {
        (Ok(first), Ok(second)) => first == second,
        _ => super::identity(first) == super::identity(second) && first.exists(),
    }
}

/// Whether two paths lead to one directory, although the system may show it under two identities: a file that is
/// made in the first must be seen in the second. If no file can be made there, the answer is no.
pub fn is_one_directory(first: &Path, second: &Path) -> bool {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    // Should the process be killed here, the next run removes a file of this name (`io/private.rs`).
    let name = format!(".rigy-batch-probe-{}-{number}.tmp", std::process::id());
    let path = first.join(&name);
    let Ok(file) = system::create(&path) else {
        return false;
    };
    // As long as the file is locked, no other run removes it.
    let _ = file.try_lock();
    let seen = system::symlink_metadata(&second.join(&name)).is_ok();
    drop(file);
    let _ = system::remove(&path);
    seen
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
        assert!(is_one_directory(&one, &one.join("../one")));
        assert!(!is_one_directory(&one, &other));
        assert!(!is_one_directory(&root.path().join("missing"), &one));
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
