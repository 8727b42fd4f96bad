//! Output files: traits for making their bytes and for writing them.

use std::io;
use std::sync::Mutex;

/// A file whose layout is known in full, and whose bytes are made while they are written.
#[allow(clippy::len_without_is_empty)] // none is ever empty
pub trait OutputFile {
    /// Returns its length in bytes.
    fn len(&self) -> u64;

    /// Writes the whole file.
    ///
    /// # Errors
    /// The error of the writer.
    fn write(&self, out: &mut dyn io::Write) -> io::Result<()>;

    /// Returns the bytes of the whole file.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(usize::try_from(self.len()).unwrap_or(0));
        self.write(&mut bytes).expect("a vector takes every write");
        bytes
    }
}

/// A file that several threads write at the same time, in any order.
pub trait WriteAt: Sync {
    /// Writes bytes at an offset. Calls must not overlap, and together they must cover the whole file.
    ///
    /// # Errors
    /// The error of writing.
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;
}

/// A file in memory.
pub struct MemoryFile(Mutex<Vec<u8>>);

impl MemoryFile {
    /// Returns a file of `len` bytes, which uses the memory of `buffer`. Until they are written, the bytes are any.
    pub fn new(len: usize, mut buffer: Vec<u8>) -> Self {
        buffer.resize(len, 0);
        if cfg!(debug_assertions) {
            buffer.fill(0xaa); // tests notice bytes that nobody writes
        }
        Self(Mutex::new(buffer))
    }

    /// Returns the bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0.into_inner().unwrap_or_default()
    }
}

impl WriteAt for MemoryFile {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut file = self.0.lock().map_err(|_| io::ErrorKind::Other)?;
        usize::try_from(offset)
            .ok()
            .and_then(|start| {
                let end = start.checked_add(bytes.len())?;
                file.get_mut(start..end)
            })
            .ok_or(io::ErrorKind::WriteZero)?
            .copy_from_slice(bytes);
        Ok(())
    }
}
