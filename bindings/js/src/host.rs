//! Files that the host has.

use std::io::{self, ErrorKind};

use rigy_batch::base::loader::{Bytes, OutsideRoot, join, too_large};
use rigy_batch::{Loader, Location};

use crate::abi;

/// A loader that asks the host for files, by paths relative to one root, with `/` between names. Paths that lead above the root
/// are refused.
pub struct HostLoader;

/// Asks the host for the length of a file. Returns `None` if there is no such file.
fn find(location: &Location) -> io::Result<Option<usize>> {
    let name = location.0.to_string_lossy();
    match abi::find(name.as_ptr(), name.len()) {
        abi::ABSENT => Ok(None),
        abi::FAILED => Err(io::Error::other("the host could not give the file")),
        len => Ok(Some(len as usize)),
    }
}

impl Loader for HostLoader {
    fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot> {
        join(&from.0, reference).map(Location).ok_or(OutsideRoot)
    }

    fn read(&self, location: &Location, limit: u64) -> io::Result<Bytes> {
        let len = find(location)?.ok_or(ErrorKind::NotFound)?;
        if len as u64 > limit {
            return Err(too_large(len as u64, limit));
        }
        let mut bytes = vec![0; len];
        abi::read(bytes.as_mut_ptr());
        Ok(Bytes::new(bytes))
    }

    fn len(&self, location: &Location) -> u64 {
        let found = find(location).ok().flatten();
        found.map_or(0, |len| len as u64)
    }
}
