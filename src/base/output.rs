//! Files that are made: how their bytes are asked for, and where they are put.

use std::io;
use std::sync::Mutex;

/// A file that is planned in full and makes its bytes while they are written.
#[allow(clippy::len_without_is_empty)] // none is ever empty
pub trait OutputFile {
    /// Its length in bytes.
    fn len(&self) -> u64;

    /// Writes the whole file.
    ///
    /// # Errors
    /// The failure of the writer.
    fn write(&self, out: &mut dyn io::Write) -> io::Result<()>;

    /// The whole file in memory.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(usize::try_from(self.len()).unwrap_or(0));
        self.write(&mut bytes).expect("a vector takes every write");
        bytes
    }
}

/// A file that is written in any order, by several threads at once.
pub trait WriteAt: Sync {
    /// Puts bytes in their place. Places do not overlap, and together they are the whole file.
    ///
    /// # Errors
    /// The failure to write.
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;
}

/// A file in memory.
pub struct MemoryFile(Mutex<Vec<u8>>);

impl MemoryFile {
    /// Zeros, in the memory of `buffer`.
    pub fn new(len: usize, mut buffer: Vec<u8>) -> Self {
        buffer.clear();
        buffer.resize(len, 0);
        Self(Mutex::new(buffer))
    }

    /// The bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0.into_inner().unwrap_or_default()
    }
}

impl WriteAt for MemoryFile {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut file = self.0.lock().map_err(|_| io::ErrorKind::Other)?;
        let place = usize::try_from(offset).ok().and_then(|start| {
            let end = start.checked_add(bytes.len())?;
            file.get_mut(start..end)
        });
        let place = place.ok_or(io::ErrorKind::WriteZero)?;
        place.copy_from_slice(bytes);
        Ok(())
    }
}
