//! A temporary directory. The binary of tests with a process of their own uses it too.

use rigy_batch::base::paths::Slashed;
use std::path::{Path, PathBuf};

/// A temporary directory of files to run the program in.
pub struct Dir(tempfile::TempDir);

/// The file system of the memory, if it has room.
fn memory() -> Option<PathBuf> {
    #[cfg(target_os = "linux")]
    {
        const ROOM: u64 = 512 << 20;
        let memory = Path::new("/dev/shm");
        let free = rustix::fs::statvfs(memory).map(|of| of.f_bavail * of.f_frsize);
        free.is_ok_and(|free| free >= ROOM).then(|| memory.into())
    }
    #[cfg(not(target_os = "linux"))]
    None
}

impl Dir {
    /// A directory in memory, where it has room: on a disk, runs wait for `fsync`.
    pub fn new() -> Self {
        Self::within(&memory().unwrap_or_else(std::env::temp_dir))
    }

    pub fn within(directory: &Path) -> Self {
        Self(tempfile::tempdir_in(directory).unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, making directories on the way.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Names of all files below, sorted, with `/` between parts; without caches and their tags, which stay after a run.
    pub fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = walkdir::WalkDir::new(self.path())
            .into_iter()
            .map(|entry| entry.unwrap())
            .filter(|entry| entry.file_type().is_file())
            .map(|entry| {
                let path = entry.path().strip_prefix(self.path()).unwrap();
                path.slashed().to_string()
            })
            .filter(|name| !OF_CACHES.iter().any(|file| Path::new(name).ends_with(file)))
            .collect();
        names.sort();
        names
    }
}

/// The files that a run leaves in the private directory of an output root.
const OF_CACHES: [&str; 3] = [
    ".rigy-batch/.gitignore",
    ".rigy-batch/CACHEDIR.TAG",
    ".rigy-batch/cache",
];

/// True if a path is a cache or a tag of one, or a private directory with nothing else in it. A run leaves these behind.
pub fn is_cache(path: &Path) -> bool {
    if OF_CACHES.iter().any(|file| path.ends_with(file)) {
        return true;
    }
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let of_caches: Vec<bool> = entries.map(|entry| is_cache(&entry.path())).collect();
    path.ends_with(".rigy-batch") && !of_caches.is_empty() && !of_caches.contains(&false)
}
