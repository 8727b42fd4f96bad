//! The module `store` of a program without the feature `object-store`: no path is on a store.

use std::convert::Infallible;
use std::io;
use std::path::{Path, PathBuf};

use super::system::{Handle, Metadata};

/// An object, of which there is none.
pub(super) struct Object(Infallible);

pub(super) fn object_at(_: &Path) -> Option<Object> {
    None
}

pub(super) fn staging_directory(_: &Path) -> Option<PathBuf> {
    None
}

pub(super) fn list_below(_: &Path, _: &mut dyn FnMut(&str)) -> Option<io::Result<()>> {
    None
}

impl Object {
    pub fn open(&self, _: &Path) -> io::Result<Handle> {
        match self.0 {}
    }

    pub fn metadata(&self) -> io::Result<Metadata> {
        match self.0 {}
    }

    pub fn metadata_before_writing(&self) -> io::Result<Metadata> {
        match self.0 {}
    }

    pub fn known_len(&self) -> u64 {
        match self.0 {}
    }

    pub fn path(&self) -> io::Result<PathBuf> {
        match self.0 {}
    }

    pub fn remove(&self) -> io::Result<()> {
        match self.0 {}
    }

    pub fn replace_by(&self, _: &Handle) -> io::Result<()> {
        match self.0 {}
    }
}

#[cfg(feature = "cli")]
pub(crate) fn repeated_requests() -> Option<u64> {
    None
}

/// Reading ahead, which files need not.
pub(crate) struct ReadAhead;

impl ReadAhead {
    pub fn over<'p>(_: impl Iterator<Item = &'p Path>) -> Self {
        Self
    }

    pub fn reached(&self, _: usize) {}

    pub fn finished(&self, _: usize) {}
}
