//! Files that the host has. `abi.rs` describes the exchange.

#![allow(unsafe_code)] // signatures of imports, which the compiler cannot check

use std::io::{self, ErrorKind};
use std::path::Path;

use rigy_batch::base::loader::{Bytes, Motion, OutsideRoot, join, too_large};
use rigy_batch::{Loader, Location};

// SAFETY: `Instance` of lib/module.js gives functions with these signatures. They touch no memory of the module but the
// `name_len` bytes at `name`, which `find` reads, and at `to` as many bytes as the last `find` has returned.
#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Looks for a file, by the UTF-8 bytes of its name. Returns its length in bytes, [`ABSENT`] or [`FAILED`].
    safe fn find(name: *const u8, name_len: usize) -> f64;
    /// Writes the bytes of the file that was found last.
    safe fn read(to: *mut u8);
}

/// The result of [`find`] if there is no such file.
const ABSENT: f64 = -1.0;
/// The result of [`find`] if the host could not look. It knows the reason and throws it when the request is done.
const FAILED: f64 = -2.0;

/// A loader that asks the host for files, by paths relative to one root, with `/` between names. Paths that lead above the root
/// are refused.
pub struct HostLoader;

/// A loader for files that play a motion, which the host has.
pub struct Playing(pub Option<Motion>);

impl Playing {
    /// Returns a loader for the motion of an option, whose path is relative to the root.
    pub fn new(path: Option<&Path>) -> Self {
        let is_there = |path: &Path| matches!(len_of(&Location(path.into())), Ok(Some(_)));
        let path = path.map(|path| {
            join(Path::new(""), &path.to_string_lossy()).unwrap_or_else(|| path.into())
        });
        Self(path.map(|path| Motion::new(&path, is_there)))
    }
}

impl Loader for Playing {
    fn motion(&self) -> Option<Motion> {
        self.0.clone()
    }

    fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot> {
        HostLoader.resolve(from, reference)
    }

    fn read(&self, location: &Location, limit: u64) -> io::Result<Bytes> {
        HostLoader.read(location, limit)
    }

    fn len(&self, location: &Location) -> u64 {
        HostLoader.len(location)
    }
}

/// Asks the host for the length of a file. Returns `None` if there is no such file.
fn len_of(location: &Location) -> io::Result<Option<usize>> {
    let name = location.0.to_string_lossy();
    match find(name.as_ptr(), name.len()) {
        ABSENT => Ok(None),
        FAILED => Err(io::Error::other("the host could not give the file")),
        len => Ok(Some(len as usize)),
    }
}

impl Loader for HostLoader {
    fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot> {
        join(&from.0, reference).map(Location).ok_or(OutsideRoot)
    }

    fn read(&self, location: &Location, limit: u64) -> io::Result<Bytes> {
        let len = len_of(location)?.ok_or(ErrorKind::NotFound)?;
        if len as u64 > limit {
            return Err(too_large(len as u64, limit));
        }
        let mut bytes = vec![0; len];
        read(bytes.as_mut_ptr());
        Ok(Bytes::new(bytes))
    }

    fn len(&self, location: &Location) -> u64 {
        let found = len_of(location).ok().flatten();
        found.map_or(0, |len| len as u64)
    }
}
