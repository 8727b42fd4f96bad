//! Resolving paths: the place that a path leads to, with every link followed.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use super::spelling::simplified;
use super::system;
use rigy_base::loader::Location;
use rigy_base::maps::HashMap;

/// A resolved directory, and the resolved paths of the directories that paths to files have led to. Clones share them.
///
/// A directory is resolved once, and counts as the same directory from then on, even if a link on the way to it changes; make
/// a new root for each run. A location so says where a file was: `io/read.rs` checks an open file again before it reads the
/// first byte.
#[derive(Clone, Debug)]
pub struct Root {
    path: PathBuf,
    /// Resolved paths of directories by the paths that led to them.
    known: Arc<RwLock<HashMap<PathBuf, PathBuf>>>,
}

/// The number of directories at which those that are known are forgotten.
const MAX_KNOWN: usize = 1024;
/// Longer paths, in bytes, are resolved by the system alone, which has a limit on their length.
const MAX_SHORT: usize = 1024;

impl Root {
    /// Takes a resolved directory as root.
    pub fn at(path: PathBuf) -> Self {
        let known = Arc::default();
        Self { path, known }
    }

    /// Returns the resolved path of the root.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the resolved path of an existing file; `None` if it does not lie below the root. If the file itself is a
    /// link, and the link lies below the root, the location is that of the link, because the references of a file are
    /// relative to it.
    ///
    /// # Errors
    /// If the system cannot resolve the path.
    pub fn locate(&self, path: &Path) -> io::Result<Option<Location>> {
        let found = self.locate_with_len(path)?;
        Ok(found.map(|(location, _)| location))
    }

    /// Returns the same as [`locate`](Self::locate), with the length of the file in bytes.
    pub(super) fn locate_with_len(&self, path: &Path) -> io::Result<Option<(Location, u64)>> {
        let found = match self.place_in_directory(path) {
            Some((place, len)) => place
                .starts_with(&self.path)
                .then_some((Location(place), len)),
            None => locate(path, &self.path)?.map(|found| {
                let len = system::len_for_estimate(&found.0);
                (found, len)
            }),
        };
        Ok(found)
    }

    /// Returns the same as the function [`identity`].
    pub fn identity(&self, path: &Path) -> PathBuf {
        match self.place_in_directory(path) {
            Some((place, _)) => place,
            None => identity(path),
        }
    }

    /// Returns the resolved path of an existing file or directory that is no link, from the resolved path of its directory
    /// and its name, and its length in bytes. Returns `None` where that does not give the resolved path: the last component
    /// may be a link, or no name; other systems than Linux resolve the case of names, too.
    fn place_in_directory(&self, path: &Path) -> Option<(PathBuf, u64)> {
        if cfg!(not(target_os = "linux")) || path.as_os_str().len() > MAX_SHORT {
            return None;
        }
        let name = last_name(path)?;
        let place = self.directory(path.parent()?).ok()?.join(name);
        let there = system::metadata_to_resolve(&place).ok()?;
        (!there.is_symlink()).then_some((place, there.len()))
    }

    /// Returns the resolved path of a directory.
    fn directory(&self, path: &Path) -> io::Result<PathBuf> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(resolved) = known.get(path) {
            return Ok(resolved.clone());
        }
        drop(known);
        let resolved = match self.place_in_directory(path) {
            Some((place, _)) => place,
            None => system::canonicalize(or_here(path))?,
        };
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_KNOWN {
            known.clear();
        }
        known.insert(path.to_owned(), resolved.clone());
        Ok(resolved)
    }
}

/// Returns the last component of a path if it is a name, and no slash follows it.
fn last_name(path: &Path) -> Option<&OsStr> {
    let name = path.file_name()?;
    path.as_os_str()
        .as_encoded_bytes()
        .ends_with(name.as_encoded_bytes())
        .then_some(name)
}

/// Returns the resolved path of an existing file; `None` if it does not lie below `root`, a resolved directory. If the file
/// itself is a link, and the link lies below the root, the location is that of the link, because the references of a file are
/// relative to it.
fn locate(path: &Path, root: &Path) -> io::Result<Option<Location>> {
    let found = system::canonicalize(path)?;
    if !found.starts_with(root) {
        return Ok(None);
    }
    if !system::symlink_metadata(path)?.is_symlink() {
        return Ok(Some(Location(found)));
    }
    let parent = path.parent().map(system::canonicalize).transpose()?;
    let place = match (parent, path.file_name()) {
        (Some(parent), Some(name)) if parent.starts_with(root) => parent.join(name),
        _ => found,
    };
    Ok(Some(Location(place)))
}

/// Returns the path of a directory, `.` for an empty one.
pub fn or_here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() {
        Path::new(".")
    } else {
        path
    }
}

/// Returns an absolute path without links, which is the same for all spellings of a path. The file need not exist.
pub fn identity(path: &Path) -> PathBuf {
    let path = or_here(path);
    system::canonicalize(path)
        .or_else(|_| would_be(path))
        .unwrap_or_else(|_| path.to_owned())
}

/// The largest number of links that are followed on the way to a file; systems have such a limit as well.
const MAX_LINKS: usize = 40;

/// Returns the absolute path that a path leads to, with links followed, although directories on the way may be missing.
pub fn would_be(path: &Path) -> io::Result<PathBuf> {
    let absolute = std::path::absolute(simplified(path))?;
    let mut steps: Vec<OsString> = steps_of(&absolute);
    let mut place = PathBuf::new();
    let mut links = 0;
    // The length of the path of the first directory that is missing; longer paths lie in it, so they are missing too.
    let mut missing = None;
    while let Some(step) = steps.pop() {
        if step == ".." {
            place.pop();
        } else {
            place.push(&step);
        }
        let len = place.as_os_str().len();
        missing = missing.filter(|missing| *missing < len);
        if step == ".." || missing.is_some() {
            continue;
        }
        match system::read_link(&place) {
            Ok(target) => {
                links += 1;
                if links > MAX_LINKS {
                    return Err(io::ErrorKind::InvalidInput.into());
                }
                place.pop();
                steps.extend(steps_of(&target));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => missing = Some(len),
            Err(_) => {}
        }
    }
    Ok(place)
}

/// Returns the components of a path, the last one first. Pushing the root of an absolute path replaces the path so far.
fn steps_of(path: &Path) -> Vec<OsString> {
    path.components()
        .filter(|step| *step != Component::CurDir)
        .rev()
        .map(|step| step.as_os_str().to_owned())
        .collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use rigy_base::paths::Slashed;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn known_directories_give_the_places_that_the_system_gives() {
        let outer = tempfile::tempdir().unwrap();
        let outer = outer.path().canonicalize().unwrap();
        let root = outer.join("root");
        for directory in ["root/sub/deep", "outside"] {
            fs::create_dir_all(outer.join(directory)).unwrap();
            fs::write(outer.join(directory).join("file"), "four").unwrap();
        }
        for (target, link) in [
            ("sub", "in"),
            ("../outside", "out"),
            ("sub/file", "to_file"),
            ("../outside/file", "to_outside"),
            ("missing", "dangling"),
            ("loop", "loop"),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        let known = Root::at(root.clone());
        let directories = [
            "",
            ".",
            "sub",
            "./sub/",
            "sub/deep",
            "sub/..",
            "in",
            "in/deep",
            "in/..",
            "out",
            "out/..",
            "..",
            "loop",
            "missing",
            "sub/file",
            "to_file",
            "sub//deep/../..",
        ];
        let names = [
            "file",
            "./file",
            "file/",
            "file/.",
            "to_file",
            "to_outside",
            "dangling",
            "loop",
            "sub",
            "..",
            ".",
            "none",
            "deep/file",
        ];
        let mut found = 0;
        // The second time every directory is known.
        for directory in directories.iter().chain(&directories) {
            for name in names {
                let path = root.join(directory).join(name);
                let plain = locate(&path, &root).ok();
                assert_eq!(known.locate(&path).ok(), plain, "{}", path.slashed());
                assert_eq!(known.identity(&path), identity(&path));
                if let Some((place, len)) = known.locate_with_len(&path).ok().flatten() {
                    assert_eq!(len, fs::metadata(&place.0).unwrap().len());
                    found += 1;
                }
            }
        }
        assert!(found > 50, "{found}");
        let long = root.join("sub/../".repeat(900)).join("sub/file");
        assert_eq!(known.locate(&long).ok(), locate(&long, &root).ok());
    }

    #[test]
    fn directories_are_forgotten_when_they_are_too_many() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let known = Root::at(root.clone());
        for count in 0..MAX_KNOWN + 10 {
            let directory = root.join(count.to_string());
            fs::create_dir(&directory).unwrap();
            fs::write(directory.join("file"), "").unwrap();
            let place = known.locate(&directory.join("file")).unwrap().unwrap();
            assert_eq!(place.0, directory.join("file"));
            assert!(known.known.read().unwrap().len() <= MAX_KNOWN);
        }
    }
}
