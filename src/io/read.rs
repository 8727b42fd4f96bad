//! Reading files that other programs may be writing.
//!
//! The stamp of a file, which has its length and the times of its last changes, is taken before the first byte is read and
//! compared after the last. Bytes that are read into memory are checked once and then stay the same. The bytes of a map
//! change with its file, so maps are checked after their last use, by the [`MappedFiles`] they belong to; an output that was
//! made from a file that has changed is never put in its place.

#[cfg(test)]
mod tests;

use crate::io::stamp::{stamp_of, stamp_of_open, stamp_of_open_with};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::IoError;
use super::images::FileSystems;
use super::map::{Map, State};
use super::system::{self, Handle, Metadata};
use rigy_base::loader::{Bytes, Stamp, Trace, too_large};
use rigy_base::sync::Mutex;

/// Files of at least this many bytes are mapped rather than read. One pass over a file in the system's cache was measured:
/// compared with reading, a map takes twice as long at 16 KiB, 1.4 times at 64 KiB, the same time from 256 KiB to 1 MiB,
/// and two thirds from 2 MiB on. Where both take the same time, reading is better, because the bytes cannot change.
pub const MAP_THRESHOLD: u64 = 1 << 20;

/// A file that changed less than this long ago may change again without a new time of change, because systems record times
/// in steps of up to 10 ms.
const STEP: Duration = Duration::from_millis(20);

/// Returns the number of bytes of text at the beginning of a file, from the first bytes of the file and its length. Text is
/// never mapped: a string must not change while it is in use.
pub type TextLen = fn(&[u8], u64) -> u64;

/// Returns the error for a file that has changed while it was read.
pub fn changed() -> io::Error {
    io::Error::other("it changed while it was being read")
}

/// A file that is open for reading, and its stamp from when it was opened.
struct Opened {
    handle: Handle,
    stamp: Stamp,
}

/// Opens a regular file, and waits until it is settled. If `root`, a resolved directory, is given, a file outside it is refused unread,
/// even if links have been changed since the path was resolved.
fn open(path: &Path, root: Option<&Path>) -> io::Result<Opened> {
    let opened = open_regular(path)?;
    match root {
        Some(root) if !lies_below(&opened.handle, &opened.stamp, root)? => Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it has moved outside the root",
        )),
        _ => settled(opened),
    }
}

/// Opens a regular file. A pipe, device or directory is refused before opening it could block.
fn open_regular(path: &Path) -> io::Result<Opened> {
    let regular = |metadata: &Metadata| match metadata.is_file() {
        true => Ok(()),
        false if metadata.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a regular file",
        )),
    };
    regular(&system::metadata(path)?)?;
    let handle = system::open(path)?;
    let there = handle.metadata()?;
    regular(&there)?;
    let stamp = stamp_of_open_with(&handle, &there)?;
    Ok(Opened { handle, stamp })
}

/// Waits for [`STEP`] if the file has just been written, or has its times from the future, and refuses it if it changes
/// meanwhile.
fn settled(opened: Opened) -> io::Result<Opened> {
    if opened.stamp.age().is_none_or(|age| age < STEP) {
        std::thread::sleep(STEP);
        if stamp_of_open(&opened.handle)? != opened.stamp {
            return Err(changed());
        }
    }
    Ok(opened)
}

/// Returns true if an open file, of which this is the stamp, lies below a resolved directory.
fn lies_below(file: &Handle, stamp: &Stamp, root: &Path) -> io::Result<bool> {
    match file.place() {
        Some(place) => Ok(place.starts_with(root)),
        None => resolves_below(file.path(), stamp, root),
    }
}

/// Returns true if a path leads to a file below a resolved directory, and it is the file that was opened by this path and
/// had this stamp.
fn resolves_below(path: &Path, stamp: &Stamp, root: &Path) -> io::Result<bool> {
    let place = system::canonicalize(path)?;
    Ok(place.starts_with(root) && stamp_of(&place)?.is_same_file(stamp))
}

/// Reads a whole regular file of at most `limit` bytes into a buffer, replacing the content of the buffer.
///
/// # Errors
/// If the file cannot be read or changes meanwhile; `FileTooLarge` if it is longer than the limit.
pub fn read_file(path: &Path, limit: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
    read_opened(open(path, None)?, limit, buffer).map(drop)
}

/// Returns the bytes of a regular file of at most `limit` bytes.
///
/// # Errors
/// As [`read_file`].
pub fn bytes_of(path: &Path, limit: u64) -> Result<Vec<u8>, IoError> {
    let mut bytes = Vec::new();
    read_file(path, limit, &mut bytes).map_err(IoError::at("read", path))?;
    Ok(bytes)
}

/// Reads an output of this run as [`read_file`] does, without the wait for a file that has just been written.
///
/// # Errors
/// As [`read_file`].
pub fn read_output(path: &Path, limit: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
    read_opened(open_regular(path)?, limit, buffer).map(drop)
}

/// Reads a file as [`read_file`] does, and returns its trace.
///
/// # Errors
/// As [`read_file`].
pub fn read_traced(path: &Path, limit: u64, buffer: &mut Vec<u8>) -> io::Result<Trace> {
    let stamp = read_opened(open(path, None)?, limit, buffer)?;
    Ok(Trace::new(stamp, buffer))
}

/// Reads a file below `root`, a resolved directory, and returns its bytes with its trace.
pub fn read_below(path: &Path, limit: u64, root: &Path) -> io::Result<Bytes> {
    let mut bytes = Vec::new();
    let stamp = read_opened(open(path, Some(root))?, limit, &mut bytes)?;
    let trace = Trace::new(stamp, &bytes);
    Ok(Bytes::new(bytes).traced(trace))
}

fn read_opened(opened: Opened, limit: u64, buffer: &mut Vec<u8>) -> io::Result<Stamp> {
    let Opened { mut handle, stamp } = opened;
    if stamp.len > limit {
        return Err(too_large(stamp.len, limit));
    }
    // A file that grows while it is read is cut off at the limit.
    read_to_end(
        &mut handle,
        stamp.len as usize,
        limit.saturating_add(1),
        buffer,
    )?;
    if stamp_of_open(&handle)? != stamp {
        return Err(changed());
    }
    match buffer.len() as u64 {
        len if len > limit => Err(too_large(len, limit)),
        len if len != stamp.len && stamp.len > 0 => Err(changed()), // files in /proc have a length of 0 and are not empty
        _ => Ok(stamp),
    }
}

/// Reads a file to its end, or `most` bytes of it, into a buffer. The file is expected to have `len` bytes; if it has, one
/// read is enough: the system had space for one byte more and has not filled it.
fn read_to_end(handle: &mut Handle, len: usize, most: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
    let space = len.saturating_add(1);
    buffer.clear();
    buffer
        .try_reserve(space)
        .map_err(|_| io::ErrorKind::OutOfMemory)?;
    buffer.resize(space, 0);
    let mut filled = 0;
    let mut at_end = false;
    while !at_end && filled < space {
        match handle.read(&mut buffer[filled..]) {
            Ok(count) => {
                filled += count;
                at_end = count == 0 || filled == len;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    buffer.truncate(filled);
    if !at_end {
        handle.take(most - filled as u64).read_to_end(buffer)?;
    }
    Ok(())
}

/// The files that are mapped for one input.
#[derive(Debug, Default)]
pub struct MappedFiles(Mutex<Vec<MappedFile>>);

/// A mapped file, and the means to find out that it has changed.
#[derive(Debug)]
struct MappedFile {
    path: PathBuf,
    stamp: Stamp,
    state: State,
}

impl MappedFiles {
    /// Returns the bytes of a regular file of at most `limit` bytes, with its trace. From [`MAP_THRESHOLD`] on it is mapped
    /// if `map` allows it, except for the text at its beginning; otherwise it is read.
    ///
    /// # Errors
    /// The system's error; `FileTooLarge` beyond the limit; `PermissionDenied` if there is a root and the file
    /// is not below it any more; an error if the file changes while it is read.
    pub fn read_or_map(
        &self,
        path: &Path,
        limit: u64,
        map: Option<TextLen>,
        root: Option<&Path>,
    ) -> io::Result<Bytes> {
        let opened = open(path, root)?;
        let stamp = opened.stamp;
        if let Some(text_len) = map
            && (MAP_THRESHOLD..=limit).contains(&stamp.len)
        {
            let mut start = [0; 64];
            opened.handle.read_exact_at(&mut start, 0)?;
            let text_len = text_len(&start, stamp.len);
            // A file that is mostly text is read.
            if text_len <= stamp.len / 2
                && let Some(map) = Map::new(&opened.handle, stamp.len, text_len)?
            {
                if !map.as_ref().starts_with(&start) {
                    return Err(changed()); // and `text_len` may be wrong
                }
                self.0.lock().push(MappedFile {
                    path: path.to_owned(),
                    stamp,
                    state: map.state(),
                });
                let trace = if FileSystems::default().may_repeat(&stamp, path) {
                    Trace::new(stamp, map.as_ref())
                } else {
                    Trace { stamp, hash: None }
                };
                return Ok(Bytes::new(map).traced(trace));
            }
        }
        let mut bytes = Vec::new();
        let stamp = read_opened(opened, limit, &mut bytes)?;
        let trace = Trace::new(stamp, &bytes);
        Ok(Bytes::new(bytes).traced(trace))
    }

    /// Checks that the bytes of all maps have stayed the same since they were mapped.
    ///
    /// # Errors
    /// The first file that has changed, or of which a part could not be read.
    pub fn check(&self) -> Result<(), IoError> {
        for MappedFile { path, stamp, state } in &*self.0.lock() {
            let now = stamp_of(path);
            let failed = IoError::at("read", path);
            match now {
                Ok(now) if now != *stamp => return Err(failed(changed())),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Err(failed(changed()));
                }
                Err(error) => return Err(failed(error)),
                Ok(_) if state.is_broken() => {
                    let error = io::Error::other("a part of it could not be read");
                    return Err(failed(error));
                }
                Ok(_) => {}
            }
        }
        Ok(())
    }
}
