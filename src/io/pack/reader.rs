//! Reading a pack.

use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use super::index::{Entry, Index};
use super::list::ListedPack;
use super::names::index_of;
use super::out::In;
use super::walk::{check_entries, walk};
use super::{PackError, PackFormat};
use crate::base::hash::{Sha256Writer, sha256_of};
use crate::io::{Handle, IoError, system};

/// Bytes that are read at a time.
const AT_A_TIME: u64 = 1 << 20;

/// A pack that is open for reading.
#[derive(Debug)]
pub struct Pack {
    path: PathBuf,
    format: PackFormat,
    handle: Handle,
    len: u64,
    /// In the order of the file.
    entries: Vec<Entry>,
    /// The numbers of the entries, sorted by path.
    by_path: Vec<u32>,
    /// What the index says about the whole pack.
    sha256: Option<String>,
}

impl Pack {
    /// Opens a pack. Its entries are those of the index beside it; without one, those that are found in the archive, which have
    /// no hashes.
    ///
    /// # Errors
    /// If it cannot be read, or is no pack; if its index is damaged or belongs to another pack.
    pub fn open(path: &Path) -> Result<Self, PackError> {
        let faulty = |fault: String| PackError::faulty(path, fault);
        let format = PackFormat::of(path);
        let format = format.ok_or_else(|| faulty("packs are named `*.tar` or `*.zip`".into()))?;
        let failed = |error| IoError::new("read", path, error);
        let handle = system::open(path).map_err(failed)?;
        let there = handle.metadata().map_err(failed)?;
        if !there.is_file() {
            return Err(faulty("it is no file".into()));
        }
        let len = there.len();
        let (entries, sha256) = match read_index(path)? {
            Some((index_path, index)) => {
                let name = path.file_name().and_then(|name| name.to_str());
                let fault = match &index {
                    index if Some(&*index.pack) != name || index.format != format => {
                        Some(format!("it is the index of `{}`", index.pack))
                    }
                    index if index.bytes != len => Some(format!(
                        "it is for a pack of {} bytes, but the pack has {len}",
                        index.bytes
                    )),
                    index => check_entries(&index.entries, len).err(),
                };
                if let Some(fault) = fault {
                    return Err(PackError::faulty(&index_path, fault));
                }
                (index.entries, Some(index.sha256))
            }
            None => {
                let found = walk(format, In::new(&handle, len), len);
                (found.map_err(|fault| fault.at(path))?, None)
            }
        };
        let count = u32::try_from(entries.len());
        let count = count.map_err(|_| faulty("it has more than 4294967295 entries".into()))?;
        let mut by_path: Vec<u32> = (0..count).collect();
        by_path.sort_unstable_by_key(|index| &entries[*index as usize].path);
        Ok(Self {
            path: path.to_owned(),
            format,
            handle,
            len,
            entries,
            by_path,
            sha256,
        })
    }

    /// Returns the path by which it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns its length in bytes.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns true if it has no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the entries in the order of the file.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the entry with a path.
    pub fn find(&self, path: &str) -> Option<&Entry> {
        let index = self.first_from(path)?;
        Some(&self.entries[index]).filter(|entry| entry.path == path)
    }

    /// Returns true if the path of an entry begins with these directories.
    #[cfg(feature = "cli")]
    pub(super) fn has_directory(&self, path: &str) -> bool {
        let begin = format!("{path}/");
        let first = self.first_from(&begin);
        path.is_empty() || first.is_some_and(|index| self.entries[index].path.starts_with(&begin))
    }

    /// Returns the number of the first entry whose path is not before `path`.
    fn first_from(&self, path: &str) -> Option<usize> {
        let before = |index: &u32| *self.entries[*index as usize].path < *path;
        let place = self.by_path.partition_point(before);
        self.by_path.get(place).map(|index| *index as usize)
    }

    /// Reads an entry of this pack, and compares its hash if the index has one.
    ///
    /// # Errors
    /// If it cannot be read, does not fit into memory, or has other bytes than the index says.
    pub fn read(&self, entry: &Entry) -> Result<Vec<u8>, PackError> {
        let mut bytes = Vec::new();
        let len = usize::try_from(entry.bytes).unwrap_or(usize::MAX);
        let reserved = bytes.try_reserve_exact(len);
        reserved.map_err(|_| {
            let out_of_memory = io::ErrorKind::OutOfMemory.into();
            IoError::new("read", self.path.join(&entry.path), out_of_memory)
        })?;
        self.copy(entry, &mut bytes)?;
        Ok(bytes)
    }

    /// Copies the bytes of an entry of this pack, and compares their hash if the index has one. If that fails, some bytes have been
    /// written nevertheless.
    ///
    /// # Errors
    /// If they cannot be read or written, or if they are others than the index says.
    pub fn copy(&self, entry: &Entry, out: &mut dyn Write) -> Result<(), PackError> {
        let place = || self.path.join(&entry.path);
        let failed = |error| IoError::new("read", place(), error);
        let mut hasher = entry.sha256.as_ref().map(|_| Sha256Writer::default());
        let mut buffer = vec![0; entry.bytes.min(AT_A_TIME) as usize];
        let mut done = 0;
        while done < entry.bytes {
            let piece = &mut buffer[..(entry.bytes - done).min(AT_A_TIME) as usize];
            let read = self.handle.read_exact_at(piece, entry.offset + done);
            read.map_err(failed)?;
            if let Some(hasher) = &mut hasher {
                hasher.write_all(piece).map_err(failed)?;
            }
            out.write_all(piece).map_err(failed)?;
            done += piece.len() as u64;
        }
        match hasher.map(Sha256Writer::finish) == entry.sha256 {
            true => Ok(()),
            false => Err(PackError::faulty(
                &place(),
                "it has other bytes than the index says: the pack is damaged",
            )),
        }
    }

    /// Walks the archive and compares its entries with those of the index, so that other programs find the same files in it.
    ///
    /// # Errors
    /// If they differ, or the archive is damaged.
    pub fn check_archive(&self) -> Result<(), PackError> {
        if self.sha256.is_none() {
            return Ok(()); // the entries were found there
        }
        let found = walk(self.format, In::new(&self.handle, self.len), self.len);
        let found = found.map_err(|fault| fault.at(&self.path))?;
        let is_same = |(found, entry): (&Entry, &Entry)| {
            (&found.path, found.offset, found.bytes) == (&entry.path, entry.offset, entry.bytes)
        };
        let is_equal = found.len() == self.entries.len();
        match is_equal && found.iter().zip(&self.entries).all(is_same) {
            true => Ok(()),
            false => Err(PackError::faulty(
                &self.path,
                "its entries are not those of its index: one of the two is damaged",
            )),
        }
    }

    /// Compares the hash of the whole file with that of the index and, if there is one, of the list.
    ///
    /// # Errors
    /// If they differ, or the file cannot be read.
    pub fn check_bytes(&self, listed: Option<&ListedPack>) -> Result<(), PackError> {
        let expected = [self.sha256.as_ref(), listed.map(|listed| &listed.sha256)];
        let expected: Vec<&String> = expected.into_iter().flatten().collect();
        if expected.is_empty() {
            return Ok(());
        }
        let file = BufReader::with_capacity(256 << 10, In::new(&self.handle, self.len));
        let found = sha256_of(file).map_err(|error| IoError::new("read", &self.path, error))?;
        match expected.iter().all(|expected| **expected == found) {
            true => Ok(()),
            false => Err(PackError::faulty(
                &self.path,
                "it has other bytes than its index and its list say: it is damaged, or of another run",
            )),
        }
    }
}

/// Reads the index beside a pack; `None` if there is none. Returns its path, too.
fn read_index(pack: &Path) -> Result<Option<(PathBuf, Index)>, PackError> {
    let name = pack.file_name().and_then(|name| name.to_str());
    let Some(name) = name.and_then(index_of) else {
        return Ok(None);
    };
    let path = pack.with_file_name(name);
    let file = match system::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(|error| IoError::new("read", &path, error))?,
    };
    let index = Index::read(BufReader::new(file));
    let index = index.map_err(|fault| fault.at(&path))?;
    Ok(Some((path, index)))
}
