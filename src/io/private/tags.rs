//! The files by which other programs leave a private directory alone.

use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::Ordering;

use super::NUMBER;
use super::sweep::{LOOSE, LOOSE_END};
use super::temporary::Temporary;
use crate::io::system;

/// The files with their contents. Git ignores the directory; backups that honour `CACHEDIR.TAG`
/// (<https://bford.info/cachedir/>) leave it out.
const TAGS: [(&str, &str); 2] = [
    (".gitignore", "*\n"),
    (
        "CACHEDIR.TAG",
        "Signature: 8a477f597d28d172789f06886806bc55\n\
         # This directory is a cache of rigy-batch. For information see https://bford.info/cachedir/\n",
    ),
];

/// Writes the files that are missing into a private directory that will stay because it holds a cache. A failure has no
/// consequence: the next run tries again.
pub(crate) fn tag(private: &Path) {
    for (name, text) in TAGS {
        let place = private.join(name);
        let is_there = system::symlink_metadata(&place).map(drop);
        if is_there.is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            let _ = write(private, &place, text);
        }
    }
}

/// Writes one file under a temporary name, which later runs remove if this one is killed, and renames it.
fn write(private: &Path, place: &Path, text: &str) -> io::Result<()> {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("{LOOSE}{}-{number}{LOOSE_END}", std::process::id());
    let path = private.join(name);
    let mut handle = system::create(&path)?;
    let file = Temporary::new(path);
    handle.write_all(text.as_bytes())?;
    drop(handle);
    file.persist(place).map_err(|(error, _)| error)
}
