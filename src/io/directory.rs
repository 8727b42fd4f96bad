//! The loader for files on disk, confined to a root directory.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::IoError;
use super::read::{MappedFiles, read_below};
use super::root::{Root, or_here, would_be};
use super::spelling::{as_path, misspelt, simplified, unusable_name};
use super::sync::directory_of;
use super::system;
use rigy_base::loader::{Bytes, Loader, Location, Motion, OutsideRoot};
use rigy_base::paths::{Slashed, parent_of};

/// Finds files relative to the document that names them. Links are followed, and the files that they lead to must lie
/// inside the root, as the [`Root`] says that a loader and its clones share.
#[derive(Clone, Debug)]
pub struct DirectoryLoader {
    /// The root as the caller gave it, for messages.
    given: PathBuf,
    root: Root,
    /// The large files that are mapped; `None` if every file is read.
    mapped: Option<Arc<MappedFiles>>,
    /// The motion that glTF files play, and the loader of the files that the motion refers to.
    motion: Option<(Motion, Arc<Self>)>,
}

impl DirectoryLoader {
    /// Makes a loader for files below the directory `given`.
    ///
    /// # Errors
    /// If the path cannot be resolved, or leads to something other than a directory.
    pub fn new(given: &Path) -> Result<Self, IoError> {
        let here = or_here(given);
        let root = system::canonicalize(here).map_err(IoError::at("resolve", here))?;
        let unfit = IoError::at("use as a root", here);
        if !system::metadata(&root).map_err(unfit)?.is_dir() {
            return Err(unfit(io::ErrorKind::NotADirectory.into()));
        }
        Ok(Self {
            given: given.to_owned(),
            root: Root::at(root),
            mapped: None,
            motion: None,
        })
    }

    /// Returns a loader for glTF files that play a motion. What the motion refers to must lie in its own directory.
    ///
    /// # Errors
    /// If there is no such file, or that directory cannot be resolved.
    pub fn playing(self, motion: &Option<Motion>) -> Result<Self, IoError> {
        let beside = |motion: &Motion| {
            check_motion(motion)?;
            let loader = Self::new(parent_of(&motion.location.0))?;
            Ok((motion.clone(), Arc::new(loader)))
        };
        let motion = motion.as_ref().map(beside).transpose()?;
        Ok(Self { motion, ..self })
    }

    /// Returns a loader that maps large files and adds them to `mapped`; without it, every file is read. The files must
    /// hold numbers and no text, because mapped bytes change when another process writes to their file.
    #[must_use]
    pub fn mapping(&self, mapped: Option<&Arc<MappedFiles>>) -> Self {
        Self {
            mapped: mapped.cloned(),
            ..self.clone()
        }
    }

    /// Checks that a location below the root has the spelling of the file there.
    fn check_spelling(&self, path: &Path) -> io::Result<()> {
        let root = self.root.path();
        let below = path.strip_prefix(root).unwrap_or(path);
        misspelt(root, below)
            .or_else(|| unusable_name(path))
            .map_or(Ok(()), Err)
    }
}

/// Checks that the file of a motion is there.
///
/// # Errors
/// If it is not.
pub fn check_motion(Motion { location, clip }: &Motion) -> Result<(), IoError> {
    if system::exists(&location.0) {
        return Ok(());
    }
    let reason = match clip {
        None => "there is no such file",
        Some(_) => "there is no such file; what follows `#` is taken for a clip of it",
    };
    let error = io::Error::new(io::ErrorKind::NotFound, reason);
    Err(IoError::new("read", &location.0, error))
}

impl Loader for DirectoryLoader {
    fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot> {
        self.resolve_with_len(from, reference)
            .map(|(location, _)| location)
    }

    fn resolve_with_len(
        &self,
        from: &Location,
        reference: &str,
    ) -> Result<(Location, u64), OutsideRoot> {
        if let Some((motion, beside)) = &self.motion
            && *from == motion.location
        {
            return beside.resolve_with_len(from, reference);
        }
        let parent = directory_of(&from.0);
        let reference = as_path(reference);
        let path = parent.join(&reference);
        if misspelt(parent, &reference).is_none()
            && let Ok(found) = self.root.locate_with_len(&path)
        {
            return found.ok_or(OutsideRoot);
        }
        // The file does not exist, has another name, or the path is too long for the system. The place where it would be decides. In the
        // last case opening the location fails as well, because the absolute path is no shorter.
        match (would_be(&path), std::path::absolute(simplified(&path))) {
            (Ok(place), Ok(path)) if place.starts_with(self.root.path()) => Ok((Location(path), 0)),
            _ => Err(OutsideRoot),
        }
    }

    fn read(&self, location: &Location, limit: u64) -> io::Result<Bytes> {
        match &self.motion {
            Some((motion, _)) if *location == motion.location => {
                return MappedFiles::default().read_or_map(&location.0, limit, None, None);
            }
            Some((_, beside)) if !location.0.starts_with(self.root.path()) => {
                return beside.read(location, limit);
            }
            _ => self.check_spelling(&location.0)?,
        }
        let root = self.root.path();
        match &self.mapped {
            Some(mapped) => mapped.read_or_map(&location.0, limit, Some(|_, _| 0), Some(root)),
            None => read_below(&location.0, limit, root),
        }
    }

    /// Returns 0 for a file that the system cannot look at; reading it reports the reason.
    fn len(&self, location: &Location) -> u64 {
        system::metadata(&location.0).map_or(0, |metadata| metadata.len())
    }

    fn motion(&self) -> Option<Motion> {
        self.motion.as_ref().map(|(motion, _)| motion.clone())
    }

    fn identity(&self, location: &Location) -> PathBuf {
        self.root.identity(&location.0)
    }

    /// Returns the path below the root, after the root as the user gave it.
    fn name(&self, Location(path): &Location) -> String {
        match path.strip_prefix(self.root.path()) {
            Ok(below) => self.given.join(below).shown(),
            Err(_) => path.shown(),
        }
    }
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
        let loader = DirectoryLoader::new(&root).unwrap();
        let from = Location(root.join("sub/doc.rigy.yaml"));
        for reference in [
            "../in.json",
            "./x.json",
            "not/there.json",
            "../sub/../in.json",
        ] {
            assert!(loader.resolve(&from, reference).is_ok(), "{reference}");
        }
        for reference in [
            "../../secret.json",
            "../../nothing",
            "/etc/passwd",
            "../../../..",
        ] {
            assert!(loader.resolve(&from, reference).is_err(), "{reference}");
        }
        #[cfg(unix)]
        {
            let inside = root.join("in.json").shown();
            assert!(loader.resolve(&from, &inside).is_ok());
            let outside = outer.path().join("secret.json").shown();
            assert!(loader.resolve(&from, &outside).is_err());
            std::os::unix::fs::symlink(outer.path().join("secret.json"), root.join("link.json"))
                .unwrap();
            assert!(loader.resolve(&from, "../link.json").is_err());
            std::os::unix::fs::symlink(root.join("in.json"), root.join("fine.json")).unwrap();
            assert!(loader.resolve(&from, "../fine.json").is_ok());
            std::os::unix::fs::symlink(
                outer.path().join("missing.json"),
                root.join("dangling.json"),
            )
            .unwrap();
            assert!(loader.resolve(&from, "../dangling.json").is_err());
            std::os::unix::fs::symlink(outer.path(), root.join("out")).unwrap();
            assert!(loader.resolve(&from, "../out/none.json").is_err());
            assert!(loader.resolve(&from, "../out/../in.json").is_err());
            std::os::unix::fs::symlink("loop", root.join("loop")).unwrap();
            assert!(loader.resolve(&from, "../loop/x").is_err());
        }
    }
}
