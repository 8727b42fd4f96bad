//! The places of files: their paths without links, and which of them lie in an output root, reached without a link.

use std::path::{Component, Path, PathBuf};

use crate::io::{PRIVATE, identity};

/// Resolves the paths of files, and remembers the last directory: outputs of one input, and of its neighbours, lie in one.
#[derive(Default)]
pub(in crate::run::batch) struct Places {
    last: Option<(PathBuf, PathBuf)>,
}

impl Places {
    /// Returns the path of a file with the links of its directory resolved.
    pub fn of(&mut self, path: &Path) -> PathBuf {
        let directory = path.parent().unwrap_or(Path::new(""));
        let known = self.last.take().filter(|(last, _)| last == directory);
        let (_, place) = self
            .last
            .insert(known.unwrap_or_else(|| (directory.to_owned(), identity(directory))));
        place.join(path.file_name().unwrap_or_default())
    }
}

/// The absolute path of an output root, and the resolved one.
pub(in crate::run::batch) struct OutputRoot([PathBuf; 2]);

impl OutputRoot {
    /// Takes the path of an output root, relative to `directory`.
    pub fn new(root: &Path, directory: &Path) -> Self {
        let path = directory.join(root);
        Self([std::path::absolute(&path).unwrap_or(path), identity(root)])
    }

    /// Returns true if a file, whose place is known, lies below the root, no link leads from the root to its directory, and it is none
    /// of the private files there.
    pub fn holds(&self, path: &Path, place: &Path) -> bool {
        let below = (self.0.iter()).find_map(|root| path.strip_prefix(root).ok());
        let is_plain = |part: Component<'_>| match part {
            Component::Normal(name) => !name.as_encoded_bytes().starts_with(PRIVATE.as_bytes()),
            _ => false,
        };
        below
            .is_some_and(|below| below.components().all(is_plain) && self.0[1].join(below) == place)
    }
}
