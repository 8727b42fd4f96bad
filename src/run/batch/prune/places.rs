//! The places of outputs: which of them lie in an output root, reached without a link.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use crate::io::{FileId, PRIVATE, identity};
use crate::run::batch::conflicts::clash::folded;

/// The files below an output root.
pub(in crate::run::batch) struct Places {
    /// The absolute path of the root, and the resolved one.
    roots: [PathBuf; 2],
    /// Resolved directories by their paths.
    directories: HashMap<PathBuf, PathBuf>,
}

/// Files that stay, however their paths are written.
#[derive(Default)]
pub(in crate::run::batch) struct Kept {
    places: HashSet<PathBuf>,
    /// The same in the form in which a file system that ignores case compares names.
    folded: HashMap<String, Vec<PathBuf>>,
}

impl Places {
    /// Takes an output root; `directory` is the one that relative paths start from.
    pub fn new(root: &Path, directory: &Path) -> Self {
        let absolute = directory.join(root);
        Self {
            roots: [
                std::path::absolute(&absolute).unwrap_or(absolute),
                identity(root),
            ],
            directories: HashMap::new(),
        }
    }

    fn resolved(&mut self, directory: &Path) -> &Path {
        let known = self.directories.entry(directory.to_owned());
        known.or_insert_with(|| identity(directory))
    }

    /// Returns the path of a file with the links of its directory resolved.
    pub fn of(&mut self, path: &Path) -> PathBuf {
        let parent = self.resolved(path.parent().unwrap_or(Path::new("")));
        parent.join(path.file_name().unwrap_or_default())
    }

    /// Returns the same as [`of`](Self::of) if the file lies below the output root, no link leads from the root to its directory, and it
    /// is none of the private files there.
    pub fn below_root(&mut self, path: &Path) -> Option<PathBuf> {
        let below = (self.roots.iter()).find_map(|root| path.strip_prefix(root).ok())?;
        let is_plain = |part: Component<'_>| match part {
            Component::Normal(name) => !name.as_encoded_bytes().starts_with(PRIVATE.as_bytes()),
            _ => false,
        };
        let straight = self.roots[1].join(below);
        (below.components().all(is_plain) && self.of(path) == straight).then_some(straight)
    }
}

impl Kept {
    /// Adds a file by the path that [`Places::of`] returns.
    pub fn add(&mut self, place: PathBuf) {
        let folded = folded(place.as_os_str());
        self.folded.entry(folded).or_default().push(place.clone());
        self.places.insert(place);
    }

    /// Returns true if a file stays: one at this place, or the same file by a name that differs in case.
    pub fn has(&self, place: &Path) -> bool {
        if self.places.contains(place) {
            return true;
        }
        let alike = self.folded.get(&folded(place.as_os_str()));
        let is_same = |other: &PathBuf| match (FileId::of(other), FileId::of(place)) {
            (Ok(one), Ok(other)) => one == other,
            _ => false,
        };
        alike.is_some_and(|alike| alike.iter().any(is_same))
    }
}
