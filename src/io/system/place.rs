//! Where a path leads: to a file of the system, or into a pack that the user has named.

use std::io;
use std::path::{Path, PathBuf};

#[cfg(all(feature = "cli", feature = "pack"))]
use crate::io::pack::mounted;

/// The place of a path.
pub(super) enum Place<'p> {
    /// In the file system.
    Outside(&'p Path),
    /// In a mounted pack.
    #[cfg(all(feature = "cli", feature = "pack"))]
    InPack(mounted::Place),
}

impl<'p> Place<'p> {
    /// Finds the place of a path.
    pub fn of(path: &'p Path) -> io::Result<Self> {
        #[cfg(all(feature = "cli", feature = "pack"))]
        if let Some(place) = mounted::place(path) {
            return place.map(Self::InPack);
        }
        Ok(Self::Outside(path))
    }

    /// Returns the path that the system knows.
    pub fn path(&self) -> &Path {
        match self {
            Self::Outside(path) => path,
            #[cfg(all(feature = "cli", feature = "pack"))]
            Self::InPack(place) => &place.copy,
        }
    }

    /// Returns the resolved path, if it leads into a pack.
    pub fn in_pack(self) -> Option<PathBuf> {
        match self {
            Self::Outside(_) => None,
            #[cfg(all(feature = "cli", feature = "pack"))]
            Self::InPack(place) => Some(place.resolved),
        }
    }
}
