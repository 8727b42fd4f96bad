//! The file of a pack that is being written.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::base::hash::Sha256Writer;
use crate::base::output::WriteAt;
use crate::io::Handle;

/// Bytes are written to the file when there are as many as this.
const AT_A_TIME: usize = 1 << 20;

/// A file that is written from its beginning to its end. `zip` returns to the header of an entry when it knows the sum of its
/// bytes; the header is nearly always in the buffer still.
pub(super) struct Out {
    handle: Handle,
    /// The bytes from `start` on that are not in the file yet.
    buffer: Vec<u8>,
    start: u64,
    /// Hashes the bytes before `start`. None when one of them has been changed since.
    hasher: Option<Sha256Writer>,
    /// The place of the next byte, which the owner of the archive can look at.
    at: Arc<AtomicU64>,
    /// True once the file could not be written. What comes then is dropped: `zip` would report a second failure on standard error.
    is_broken: bool,
}

impl Out {
    pub fn new(handle: Handle) -> Self {
        Self {
            handle,
            buffer: Vec::with_capacity(AT_A_TIME),
            start: 0,
            hasher: Some(Sha256Writer::default()),
            at: Arc::default(),
            is_broken: false,
        }
    }

    /// Returns the place of the next byte, also while an archive owns the file.
    pub fn place(&self) -> Arc<AtomicU64> {
        self.at.clone()
    }

    fn end(&self) -> u64 {
        self.start + self.buffer.len() as u64
    }

    /// Writes all bytes to the file. Returns it with the SHA-256 of the bytes, if none was changed after it was written.
    pub fn finish(mut self) -> io::Result<(Handle, Option<String>)> {
        self.empty()?;
        Ok((self.handle, self.hasher.map(Sha256Writer::finish)))
    }

    /// Writes the bytes of the buffer to the file.
    fn empty(&mut self) -> io::Result<()> {
        if self.is_broken {
            return Err(io::Error::other("it could not be written before"));
        }
        if let Some(hasher) = &mut self.hasher {
            hasher.write_all(&self.buffer)?;
        }
        let written = self.handle.write_at(&self.buffer, self.start);
        self.is_broken = written.is_err();
        written?;
        self.start = self.end();
        self.buffer.clear();
        Ok(())
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let at = self.at.load(Relaxed);
        let written = if self.is_broken {
            bytes.len()
        } else if at < self.start {
            let most = usize::try_from(self.start - at).unwrap_or(usize::MAX);
            let bytes = &bytes[..bytes.len().min(most)];
            self.hasher = None;
            let written = self.handle.write_at(bytes, at);
            self.is_broken = written.is_err();
            written?;
            bytes.len()
        } else if at < self.end() {
            let there = &mut self.buffer[(at - self.start) as usize..];
            let len = bytes.len().min(there.len());
            there[..len].copy_from_slice(&bytes[..len]);
            len
        } else {
            if self.buffer.len() >= AT_A_TIME {
                self.empty()?;
            }
            let len = bytes.len().min(AT_A_TIME);
            self.buffer.extend_from_slice(&bytes[..len]);
            len
        };
        self.at.store(at + written as u64, Relaxed);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(()) // `finish` writes what is left
    }
}

impl Seek for Out {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.end().checked_add_signed(by),
            SeekFrom::Current(by) => self.at.load(Relaxed).checked_add_signed(by),
        };
        let at = at.filter(|at| *at <= self.end() || self.is_broken);
        let at = at.ok_or(io::ErrorKind::InvalidInput)?;
        self.at.store(at, Relaxed);
        Ok(at)
    }
}

/// A file that is read at any place, with its length from when it was opened. It keeps no place in the file itself, so several can
/// read one file.
pub(super) struct In<'h> {
    handle: &'h Handle,
    len: u64,
    at: u64,
}

impl<'h> In<'h> {
    pub fn new(handle: &'h Handle, len: u64) -> Self {
        Self { handle, len, at: 0 }
    }
}

impl Read for In<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.len.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let len = buffer.len().min(left);
        self.handle.read_exact_at(&mut buffer[..len], self.at)?;
        self.at += len as u64;
        Ok(len)
    }
}

impl Seek for In<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.len.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash::sha256;
    use crate::io::{Durability, Sink};

    #[test]
    fn bytes_are_changed_wherever_they_are() {
        let root = tempfile::tempdir().unwrap();
        let sink = Sink::new(root.path(), Durability::None).unwrap();
        let (handle, staged) = sink.draft(&root.path().join("pack")).unwrap();
        let mut out = Out::new(handle);
        let mut expected: Vec<u8> = (0..3 * AT_A_TIME + 7).map(|n| (n / 5) as u8).collect();
        out.write_all(&expected).unwrap();
        assert!(out.start > 0 && out.start < expected.len() as u64);
        // In the file, across the border, in the buffer and at the end.
        for at in [
            0,
            5,
            AT_A_TIME - 3,
            2 * AT_A_TIME - 4,
            3 * AT_A_TIME,
            expected.len() - 2,
        ] {
            out.seek(SeekFrom::Start(at as u64)).unwrap();
            out.write_all(b"changed").unwrap();
            let end = expected.len().max(at + 7);
            expected.resize(end, 0);
            expected[at..at + 7].copy_from_slice(b"changed");
        }
        assert!(out.seek(SeekFrom::End(1)).is_err(), "no gap");
        let (handle, hash) = out.finish().unwrap();
        drop(handle);
        assert_eq!(hash, None);
        let mut found = Vec::new();
        staged.reopen().unwrap().read_to_end(&mut found).unwrap();
        assert!(found == expected);
    }

    #[test]
    fn the_hash_is_known_unless_bytes_in_the_file_are_changed() {
        let root = tempfile::tempdir().unwrap();
        let sink = Sink::new(root.path(), Durability::None).unwrap();
        let (handle, _staged) = sink.draft(&root.path().join("pack")).unwrap();
        let mut out = Out::new(handle);
        let mut bytes: Vec<u8> = (0..2 * AT_A_TIME + 7).map(|n| (n / 3) as u8).collect();
        out.write_all(&bytes).unwrap();
        let last = bytes.len() - 3;
        out.seek(SeekFrom::Start(last as u64)).unwrap();
        out.write_all(b"abc").unwrap();
        bytes[last..].copy_from_slice(b"abc");
        assert_eq!(out.finish().unwrap().1, Some(sha256(&bytes)));
    }
}
