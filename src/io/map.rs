//! Reading a file, or mapping it when it is large.
#![allow(unsafe_code)] // one memory map; what it rests on is said beside it

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use crate::loader::{Bytes, too_large};

/// Files of at least this many bytes are mapped rather than read.
pub const MAP_THRESHOLD: u64 = 1 << 20;

/// Opens a regular file; anything else (a pipe, a device, a directory) is refused before it can block.
fn open(path: &Path) -> io::Result<(File, u64)> {
    let regular = |metadata: &Metadata| match metadata.is_file() {
        true => Ok(()),
        false if metadata.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        )),
    };
    regular(&path.metadata()?)?;
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    regular(&metadata)?;
    Ok((file, metadata.len()))
}

/// Reads a whole regular file of at most `limit` bytes into a buffer, replacing what it held.
///
/// # Errors
/// Whatever the system says; `FileTooLarge` beyond the limit.
pub fn read_file(path: &Path, limit: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
    let (file, len) = open(path)?;
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
/// Whatever the system says; `FileTooLarge` beyond the limit.
pub fn read_or_map(path: &Path, limit: u64, map: bool) -> io::Result<Bytes> {
    let (file, len) = open(path)?;
    if map && (MAP_THRESHOLD..=limit).contains(&len) {
        // SAFETY: the map is private and read-only, and lives only while one document is compiled. What
        // nobody can promise is that no other program shortens or rewrites the file meanwhile: the bytes
        // would then change under us, and pages past a new end would fault. Users who work on files that
        // are being written to can turn mapping off with `--no-mmap`.
        let map = unsafe { memmap2::Mmap::map(&file)? };
        return Ok(Box::new(map));
    }
    drop(file);
    let mut bytes = Vec::new();
    read_file(path, limit, &mut bytes)?;
    Ok(Box::new(bytes))
}
