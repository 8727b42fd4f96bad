//! The inputs of a list that a run takes, as a search of the tree would have found them.

use std::io::{self, BufRead, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{InputList, InputListError, InputListFault, Listed};
use crate::io::{Discovery, Found, IoError, identity, system};

impl<R: BufRead> InputList<R> {
    /// Reads the list to its end and returns those inputs for whose path below the root `takes` returns true. `roots` take the
    /// place of the list's own, one for one. Memory holds nothing about the other inputs.
    ///
    /// An input that is gone, or is no file, or is reached by a link, which a search would not follow, is among the
    /// unreadable.
    ///
    /// # Errors
    /// If there is not one root for each of the list's own, or the list is faulty; then no input is returned.
    pub fn select(
        mut self,
        roots: &[PathBuf],
        takes: &dyn Fn(&Path) -> bool,
    ) -> Result<Discovery, InputListError> {
        if roots.len() != self.roots().len() {
            let (given, listed) = (roots.len(), self.roots().len());
            return Err(self.fault(InputListFault::RootCount { given, listed }));
        }
        let mut places: Vec<Place> = roots.iter().map(|root| Place::of(root)).collect();
        let mut selected = Discovery::default();
        while let Some(Listed { root, path, .. }) = self.next()? {
            let relative = Path::new(&*path);
            if !takes(relative) {
                continue;
            }
            let place = &mut places[root];
            let path = place.root.join(relative);
            match place.check(&path, relative) {
                Ok(()) => selected.found.push(Found {
                    path,
                    root: place.root.clone(),
                }),
                Err(error) => selected.unreadable.push(IoError::new("read", path, error)),
            }
        }
        Ok(selected)
    }
}

/// A root, and the directory of the input that was looked at last.
struct Place {
    root: Arc<Path>,
    resolved: PathBuf,
    /// The directory below the root, and true if no link leads there.
    last: Option<(PathBuf, bool)>,
}

impl Place {
    fn of(root: &Path) -> Self {
        Self {
            root: root.into(),
            resolved: identity(root),
            last: None,
        }
    }

    /// Checks that an input is a file that a search would have found.
    fn check(&mut self, path: &Path, relative: &Path) -> io::Result<()> {
        let there = system::symlink_metadata(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => io::Error::other(
                "it is gone, though the input list has it; write the list again if that is right",
            ),
            _ => error,
        })?;
        if !there.is_file() {
            let kind = match (there.is_dir(), there.is_symlink()) {
                (true, _) => "a directory",
                (_, true) => "a link",
                _ => "no regular file",
            };
            return Err(io::Error::other(format!(
                "it is {kind} now, and the input list has it as a file"
            )));
        }
        let directory = relative.parent().unwrap_or(Path::new(""));
        match self.is_direct(directory) {
            true => Ok(()),
            false => Err(io::Error::other(
                "a link leads to its directory, and a search follows no links",
            )),
        }
    }

    /// Returns true if no link leads from the root to a directory below it.
    fn is_direct(&mut self, directory: &Path) -> bool {
        match &self.last {
            Some((last, is_direct)) if last == directory => *is_direct,
            _ => {
                let is_direct =
                    identity(&self.root.join(directory)) == self.resolved.join(directory);
                self.last = Some((directory.to_owned(), is_direct));
                is_direct
            }
        }
    }
}
