//! The loader for files on disk, confined to a root.

use std::io;
use std::path::{Path, PathBuf};

use super::{IoError, read_or_map};
use crate::loader::{Bytes, Loader, Location, OutsideRoot};

/// Finds files relative to the document that names them; links are followed, and what they lead to must lie
/// inside the root like everything else.
#[derive(Clone, Debug)]
pub struct DirectoryLoader {
    /// The root, with every link resolved.
    root: PathBuf,
    map: bool,
}

impl DirectoryLoader {
    /// A loader for files below `root`; `map` allows large ones to be mapped.
    ///
    /// # Errors
    /// If the root cannot be resolved.
    pub fn new(root: &Path, map: bool) -> Result<Self, IoError> {
        let here = if root.as_os_str().is_empty() {
            Path::new(".")
        } else {
            root
        };
        let root = here
            .canonicalize()
            .map_err(|e| IoError::new("resolve", here, e))?;
        Ok(Self { root, map })
    }
}

impl Loader for DirectoryLoader {
    fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot> {
        let parent = match from.0.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let path = parent.join(reference);
        let resolved = path.canonicalize().or_else(|_| {
            // Nothing is there: what matters is where it would be.
            let directory = parent.canonicalize()?;
            on_paper(&directory.join(reference)).ok_or(io::Error::from(io::ErrorKind::NotFound))
        });
        match resolved {
            Ok(path) if path.starts_with(&self.root) => Ok(Location(path)),
            _ => Err(OutsideRoot),
        }
    }

    fn read(&self, location: &Location) -> io::Result<Bytes> {
        read_or_map(&location.0, self.map)
    }
}

/// An absolute path with `.` and `..` worked out without looking at the disk.
fn on_paper(path: &Path) -> Option<PathBuf> {
    use std::path::Component;
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            other => plain.push(other),
        }
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_inside_the_root_resolves() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        std::fs::create_dir_all(root.join("sub")).unwrap();
        std::fs::write(outer.path().join("secret.json"), "{}").unwrap();
        std::fs::write(root.join("in.json"), "{}").unwrap();
        let loader = DirectoryLoader::new(&root, true).unwrap();
        let from = Location(root.join("sub/doc.rigy.yaml"));
        let inside = root.join("in.json").display().to_string();
        for reference in [
            "../in.json",
            "./x.json",
            "not/there.json",
            "../sub/../in.json",
            &inside,
        ] {
            assert!(loader.resolve(&from, reference).is_ok(), "{reference}");
        }
        let outside = outer.path().join("secret.json").display().to_string();
        for reference in [
            "../../secret.json",
            "../../nothing",
            "/etc/passwd",
            "../../../..",
            &outside,
        ] {
            assert!(loader.resolve(&from, reference).is_err(), "{reference}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outer.path().join("secret.json"), root.join("link.json"))
                .unwrap();
            assert!(loader.resolve(&from, "../link.json").is_err());
            std::os::unix::fs::symlink(root.join("in.json"), root.join("fine.json")).unwrap();
            assert!(loader.resolve(&from, "../fine.json").is_ok());
        }
    }
}
