//! Reading packs, and the files that they are compared with, for `verify`.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::base::hash::{Sha256Writer, sha256_of};
use crate::base::loader::{Digest, digest};
use crate::cli::Fatal;
use crate::io::pack::{Entry, Pack, PackError, PackPlace};
use crate::io::{Found, IoError, Skips, Target, discover};

/// A file that packs are compared with.
pub(super) struct Expected {
    /// Its path below the directory or in its pack.
    pub path: String,
    pub source: Source,
    /// True once an entry with the path was found.
    pub is_seen: bool,
}

pub(super) enum Source {
    File(PathBuf),
    Hash(String),
}

/// Files by hashes of their paths.
pub(super) type Files = Vec<(Digest, Expected)>;

pub(super) fn expect(path: String, source: Source) -> (Digest, Expected) {
    let key = digest(path.as_bytes());
    let is_seen = false;
    (
        key,
        Expected {
            path,
            source,
            is_seen,
        },
    )
}

/// Returns the files of a directory.
pub(super) fn of_directory(path: &Path) -> Result<Files, Fatal> {
    let found = discover(&[path.to_owned()], &|_| true, &Skips::default())?;
    if let Some(error) = found.unreadable.into_iter().next() {
        return Err(error.into());
    }
    let file = |found: Found| {
        let parts = found.relative().iter().map(|part| part.to_string_lossy());
        let name = parts.collect::<Vec<_>>().join("/");
        expect(name, Source::File(found.path))
    };
    Ok(found.found.into_iter().map(file).collect())
}

/// Returns the SHA-256 of a file.
pub(super) fn hash_of_file(path: &Path) -> Result<String, IoError> {
    let file = Target::new(path).open()?;
    sha256_of(file).map_err(|error| IoError::new("read", path, error))
}

/// A pack, and what was found in it.
pub(super) struct Checked {
    pub pack: Pack,
    /// An error if the archive differs from what its index or its list says.
    pub whole: Result<(), PackError>,
    /// The hash of each entry, or why there is none.
    pub hashes: Vec<Result<String, PackError>>,
}

/// Opens a pack and checks all of it.
pub(super) fn checked(place: &PackPlace) -> Result<Checked, PackError> {
    let pack = place.open()?;
    let (whole, hashes) = rayon::join(
        || {
            pack.check_archive()?;
            pack.check_bytes(place.listed.as_ref())
        },
        || {
            let hash = |entry: &Entry| {
                let mut hasher = Sha256Writer::default();
                pack.copy(entry, &mut hasher)?;
                Ok(hasher.finish())
            };
            pack.entries().par_iter().map(hash).collect()
        },
    );
    Ok(Checked {
        pack,
        whole,
        hashes,
    })
}
