//! Reading files that others may be writing.
//!
//! What is read is compared with what the file was: its length and the times of its last changes, before the first
//! byte and after the last. Bytes in memory are checked once, when they have been read, and stay what they are. Maps
//! change with their files, so they are checked when nobody looks at them any more, by the [`MappedFiles`] they belong
//! to; an output that was made from one that has changed is never put in its place.

use std::fs::Metadata;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::IoError;
use super::map::{Map, State};
use super::system::{self, Handle};
use crate::base::loader::{Bytes, Stamp, Trace, too_large};

/// Files of at least this many bytes are mapped rather than read. Measured with one pass over the bytes, in memory
/// and in the cache of a disk: a map takes twice as long as reading at 16 KiB, 1.4 times at 64 KiB, as long from
/// 256 KiB to 1 MiB, and two thirds from 2 MiB on. Where both are equal, the one that nobody can change wins.
pub const MAP_THRESHOLD: u64 = 1 << 20;

/// Systems note times in steps of up to 10 ms: of a file that changed later than this before it is opened, a further
/// change might not show.
const STEP: Duration = Duration::from_millis(20);

/// How many bytes from its beginning are text, of a file that begins with these bytes and has so many. Text is never mapped: a string
/// whose bytes change is no string.
pub type TextLen = fn(&[u8], u64) -> u64;

/// The error of a file that has not stayed what it was.
fn changed() -> io::Error {
    io::Error::other("it changed while it was being read")
}

/// A file that is open for reading, and what it was then.
struct Opened {
    handle: Handle,
    stamp: Stamp,
}

/// Opens a regular file; anything else (a pipe, a device, a directory) is refused before it can block. With a
/// root, a resolved directory, a file that turns out to lie elsewhere is refused unread, whatever links have
/// been changed since its path was resolved.
fn open(path: &Path, root: Option<&Path>) -> io::Result<Opened> {
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
    let metadata = handle.metadata()?;
    regular(&metadata)?;
    match root {
        Some(root) if !lies_below(&handle, root) => Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it has moved outside the root",
        )),
        _ => settled(handle, &metadata),
    }
}

/// Lets a moment pass for a file that has just been written. One that is still being written is refused.
fn settled(handle: Handle, metadata: &Metadata) -> io::Result<Opened> {
    let stamp = Stamp::new(metadata);
    let age = metadata.modified().ok().and_then(|at| at.elapsed().ok());
    if age.is_some_and(|age| age < STEP) {
        std::thread::sleep(STEP);
        if Stamp::new(&handle.metadata()?) != stamp {
            return Err(changed());
        }
    }
    Ok(Opened { handle, stamp })
}

/// Whether an open file lies below a resolved directory, as far as the system can tell.
#[cfg(target_os = "linux")]
fn lies_below(file: &Handle, root: &Path) -> bool {
    use std::os::fd::AsRawFd;
    let link = format!("/proc/self/fd/{}", file.file().as_raw_fd());
    match std::fs::read_link(link) {
        Ok(place) => place.starts_with(root),
        Err(_) => true, // there is no /proc; the path was checked when it was resolved
    }
}

#[cfg(not(target_os = "linux"))]
fn lies_below(_: &Handle, _: &Path) -> bool {
    true
}

/// Reads a whole regular file of at most `limit` bytes into a buffer, replacing what it held.
///
/// # Errors
/// Whatever the system says; `FileTooLarge` beyond the limit; a file that changes meanwhile.
pub fn read_file(path: &Path, limit: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
    read_opened(open(path, None)?, limit, buffer).map(drop)
}

/// The same, with what the file was.
///
/// # Errors
/// As [`read_file`].
pub fn read_traced(path: &Path, limit: u64, buffer: &mut Vec<u8>) -> io::Result<Trace> {
    let stamp = read_opened(open(path, None)?, limit, buffer)?;
    Ok(Trace::new(stamp, buffer))
}

/// The same into memory of its own, from below a resolved root.
pub(super) fn read_below(path: &Path, limit: u64, root: &Path) -> io::Result<Bytes> {
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
    buffer.clear();
    buffer
        .try_reserve(stamp.len as usize)
        .map_err(|_| io::ErrorKind::OutOfMemory)?;
    // A file that grows while it is read is cut off at the limit.
    (&mut handle).take(limit + 1).read_to_end(buffer)?;
    if Stamp::new(&handle.metadata()?) != stamp {
        return Err(changed());
    }
    match buffer.len() as u64 {
        len if len > limit => Err(too_large(len, limit)), // a file of the system, which says it is empty
        _ => Ok(stamp),
    }
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
    fn list(&self) -> MutexGuard<'_, Vec<MappedFile>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

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
                    return Err(changed()); // so `text_len` may be too short
                }
                self.list().push(MappedFile {
                    path: path.to_owned(),
                    stamp,
                    state: map.state(),
                });
                return Ok(Bytes::new(map).traced(Trace { stamp, hash: None }));
            }
        }
        let mut bytes = Vec::new();
        let stamp = read_opened(opened, limit, &mut bytes)?;
        let trace = Trace::new(stamp, &bytes);
        Ok(Bytes::new(bytes).traced(trace))
    }

    /// Makes sure that all bytes that were handed out are still what they were then.
    ///
    /// # Errors
    /// The first file that has changed, or could not be read after all.
    pub fn check(&self) -> Result<(), IoError> {
        for MappedFile { path, stamp, state } in &*self.list() {
            let now = system::metadata(path).map(|now| Stamp::new(&now));
            let failed = |error| IoError::new("read", path, error);
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn file(len: usize) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("big.bin");
        fs::write(&path, vec![7; len]).unwrap();
        (dir, path)
    }

    const LEN: usize = MAP_THRESHOLD as usize + 5000;

    fn read(mapped: &MappedFiles, path: &Path, text_len: TextLen) -> Bytes {
        let bytes = mapped.read_or_map(path, 1 << 30, Some(text_len), None);
        bytes.unwrap()
    }

    #[test]
    fn a_map_that_nobody_touches_is_what_it_was() {
        let (_dir, path) = file(LEN);
        let mapped = MappedFiles::default();
        let bytes = read(&mapped, &path, |_, _| 100);
        assert_eq!(bytes.as_ref(), vec![7; LEN]);
        mapped.check().unwrap();
        assert_eq!(bytes.trace.unwrap().stamp, Stamp::of(&path).unwrap());
    }

    #[test]
    #[cfg(unix)]
    fn a_truncated_map_gives_zeros_and_is_noticed() {
        let (_dir, path) = file(LEN);
        let mapped = MappedFiles::default();
        let bytes = read(&mapped, &path, |_, _| 5000);
        let kept = fs::OpenOptions::new().write(true).open(&path).unwrap();
        kept.set_len(100).unwrap();
        let bytes = bytes.as_ref();
        assert_eq!(bytes[..5000], [7; 5000], "text is not mapped");
        assert_eq!(bytes[LEN - 1], 0);
        assert_eq!(bytes[8192..].iter().max(), Some(&0));
        let error = mapped.check().unwrap_err().to_string();
        assert!(error.contains("changed while it was being read"), "{error}");
        assert!(error.contains("big.bin"), "{error}");
    }

    #[test]
    fn every_change_of_a_mapped_file_is_noticed() {
        type Change = fn(&Path);
        let changes: [Change; 5] = [
            |path| {
                use std::io::Write;
                let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
                file.write_all(b"more").unwrap();
            },
            |path| fs::write(path, vec![8; LEN]).unwrap(),
            |path| {
                fs::write(path, "").unwrap();
                fs::write(path, vec![7; LEN]).unwrap();
            },
            |path| fs::remove_file(path).unwrap(),
            |path| {
                let other = path.with_extension("new");
                fs::write(&other, vec![7; LEN]).unwrap();
                fs::rename(other, path).unwrap();
            },
        ];
        for change in changes {
            let (_dir, path) = file(LEN);
            let mapped = MappedFiles::default();
            let bytes = read(&mapped, &path, |_, _| 0);
            change(&path);
            drop(bytes);
            assert!(cfg!(not(unix)) || mapped.check().is_err());
        }
    }

    #[test]
    fn a_file_that_is_mostly_text_is_read() {
        let (_dir, path) = file(LEN);
        let mapped = MappedFiles::default();
        let bytes = read(&mapped, &path, |_, _| u64::MAX);
        fs::write(&path, "").unwrap();
        assert_eq!(bytes.as_ref(), vec![7; LEN]);
        mapped.check().unwrap();
    }
}
