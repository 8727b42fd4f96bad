//! Reading a file, or mapping it when it is large.
#![allow(unsafe_code)] // one memory map; what it rests on is said beside it

use std::fs::Metadata;
use std::io::{self, Read};
use std::path::Path;

use super::system::{self, Handle};
use crate::loader::{Bytes, too_large};

/// Files of at least this many bytes are mapped rather than read. Measured with one pass over the bytes, in memory
/// and in the cache of a disk: a map takes twice as long as reading at 16 KiB, 1.4 times at 64 KiB, as long from
/// 256 KiB to 1 MiB, and two thirds from 2 MiB on. Where both are equal, the one that nobody can change wins.
pub const MAP_THRESHOLD: u64 = 1 << 20;

/// Opens a regular file; anything else (a pipe, a device, a directory) is refused before it can block. With a
/// root, a resolved directory, a file that turns out to lie elsewhere is refused unread, whatever links have
/// been changed since its path was resolved.
fn open(path: &Path, root: Option<&Path>) -> io::Result<(Handle, u64)> {
    let regular = |metadata: &Metadata| match metadata.is_file() {
        true => Ok(()),
        false if metadata.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a regular file",
        )),
    };
    regular(&system::metadata(path)?)?;
    let file = system::open(path)?;
    let metadata = file.metadata()?;
    regular(&metadata)?;
    match root {
        Some(root) if !lies_below(&file, root) => Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it has moved outside the root",
        )),
        _ => Ok((file, metadata.len())),
    }
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
/// Whatever the system says; `FileTooLarge` beyond the limit.
pub fn read_file(path: &Path, limit: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
    read_opened(open(path, None)?, limit, buffer)
}

fn read_opened((file, len): (Handle, u64), limit: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
    if len > limit {
        return Err(too_large(len, limit));
    }
    buffer.clear();
    buffer
        .try_reserve(len as usize)
        .map_err(|_| io::ErrorKind::OutOfMemory)?;
    // A file that grows while it is read is cut off at the limit, one byte of which shows that it did.
    file.take(limit + 1).read_to_end(buffer)?;
    if buffer.len() as u64 > limit {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            "it grew past the limit while being read",
        ));
    }
    Ok(())
}

/// The bytes of a regular file of at most `limit` bytes: mapped from [`MAP_THRESHOLD`] on if `map` allows, else
/// read.
///
/// # Errors
/// Whatever the system says; `FileTooLarge` beyond the limit; `PermissionDenied` if there is a root and the file
/// has left it.
pub fn read_or_map(path: &Path, limit: u64, map: bool, root: Option<&Path>) -> io::Result<Bytes> {
    let (file, len) = open(path, root)?;
    if map && (MAP_THRESHOLD..=limit).contains(&len) {
        // SAFETY: the map is private and read-only, and lives only while one document is compiled. What
        // nobody can promise is that no other program shortens or rewrites the file meanwhile: the bytes
        // would then change under us, and pages past a new end would fault. Users who work on files that
        // are being written to can turn mapping off with `--no-mmap`.
        let map = unsafe { memmap2::Mmap::map(file.to_map()?)? };
        return Ok(Box::new(map));
    }
    let mut bytes = Vec::new();
    read_opened((file, len), limit, &mut bytes)?;
    Ok(Box::new(bytes))
}
