//! What a path on a store leads to: the operations of `io::system` on it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::objects::Ask;
use super::place::{is_below, path_of};
use super::{Bucket, Session, lock};
use crate::io::system::{Handle, Metadata};

/// A path on a store that is open.
pub(in crate::io) struct Object {
    pub(super) session: Arc<Session>,
    pub(super) bucket: Bucket,
    /// `None` if the path leads out of the bucket.
    pub(super) key: Option<String>,
}

impl Object {
    pub(super) fn key(&self) -> io::Result<&str> {
        let outside = || io::Error::new(io::ErrorKind::NotFound, "it is outside the bucket");
        self.key.as_deref().ok_or_else(outside)
    }

    /// Returns the path in its plain form.
    ///
    /// # Errors
    /// If it leads out of the bucket.
    pub fn path(&self) -> io::Result<PathBuf> {
        Ok(path_of(&self.bucket.store.base, self.key()?))
    }

    /// Opens the file of the mirror that has the bytes of the object.
    ///
    /// # Errors
    /// If there is no object, or it cannot be read.
    pub fn open(&self, path: &Path) -> io::Result<Handle> {
        let key = self.key()?;
        self.list_prefix(key)?;
        let (file, stat) = self.wait(self.bucket.store.read(key))?;
        Ok(file.open()?.of_object(path, stat, self.path()?))
    }

    /// Returns the metadata of the object, or of the prefix that the path is.
    ///
    /// # Errors
    /// `NotFound` if it is neither; if the store cannot be asked.
    pub fn metadata(&self) -> io::Result<Metadata> {
        self.look(Ask::Bytes)
    }

    /// Returns the same as [`metadata`](Self::metadata) to a caller that may not need the bytes.
    ///
    /// # Errors
    /// As [`metadata`](Self::metadata).
    pub fn metadata_before_writing(&self) -> io::Result<Metadata> {
        self.look(Ask::Head)
    }

    fn look(&self, ask: Ask) -> io::Result<Metadata> {
        let key = self.key()?;
        let is_prefix = self.list_prefix(key)?;
        // A bucket is a prefix even if nothing is in it. A get for its own name would be a listing.
        if is_prefix || key.is_empty() {
            return Ok(Metadata::Prefix);
        }
        match self.wait(self.bucket.store.look(key, ask))? {
            Some(stat) => Ok(Metadata::Object(stat)),
            None if self.is_named(key) || self.bucket.store.index().has_below(key) => {
                Ok(Metadata::Prefix)
            }
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Returns the length of the object in bytes, 0 if it is not known without a request.
    pub fn known_len(&self) -> u64 {
        let key = self.key.as_deref().unwrap_or_default();
        let index = self.bucket.store.index();
        let known = index.get(key).flatten();
        known.map_or(0, |known| known.stat.len)
    }

    /// Puts a file in the place of the object, whole or not at all.
    ///
    /// # Errors
    /// As [`Store::replace`].
    pub fn replace_by(&self, file: &Handle) -> io::Result<()> {
        let key = self.key()?;
        self.list_prefix(key)?;
        self.wait(self.bucket.store.replace(key, file))
    }

    /// Removes the object.
    ///
    /// # Errors
    /// If the store cannot be asked, or refuses. `NotFound` only if the run knows already that there is none.
    pub fn remove(&self) -> io::Result<()> {
        let key = self.key()?;
        self.list_prefix(key)?;
        self.wait(self.bucket.store.remove(key))
    }

    pub(super) fn wait<T>(&self, answer: impl Future<Output = T>) -> T {
        self.session.runtime.handle().block_on(answer)
    }

    /// Returns true if the user has named the key, or something below it.
    fn is_named(&self, key: &str) -> bool {
        let mut prefixes = self.bucket.prefixes.iter();
        prefixes.any(|prefix| is_below(&prefix.key, key))
    }

    /// Lists the prefixes that the user has named and that a key lies below, unless that has been done. Returns true if the key is
    /// such a prefix, and there is anything below it.
    fn list_prefix(&self, key: &str) -> io::Result<bool> {
        let prefixes = self.bucket.prefixes.iter();
        let mut is_prefix = false;
        for prefix in prefixes.filter(|prefix| is_below(key, &prefix.key)) {
            let mut listed = lock(&prefix.listed);
            let has_any = match *listed {
                Some(has_any) => has_any,
                None => *listed.insert(self.list(&prefix.key)?),
            };
            is_prefix |= has_any && prefix.key == key;
        }
        Ok(is_prefix)
    }

    /// Lists a prefix until the index is full, and returns true if there is anything below it.
    fn list(&self, prefix: &str) -> io::Result<bool> {
        let store = &self.bucket.store;
        let mut has_any = false;
        let mut visit = |_: &str| {
            has_any = true;
            !store.index().is_full()
        };
        self.wait(store.list(prefix, &mut visit))?;
        Ok(has_any)
    }
}
