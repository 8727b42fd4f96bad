//! Files that are written, or compared, in any order and by several threads at once.

use std::fs::File;
use std::io;

use crate::glb::WriteAt;

/// An open file, written.
pub(super) struct FileAt<'f>(pub &'f File);

/// An open file, compared: fails at the first byte that differs.
pub(super) struct ComparisonAt<'f>(pub &'f File);

/// Bytes that are compared at a time.
const AT_A_TIME: usize = 64 << 10;

impl WriteAt for FileAt<'_> {
    #[cfg(unix)]
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(self.0, bytes, offset)
    }

    #[cfg(windows)]
    fn write_at(&self, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            let written = std::os::windows::fs::FileExt::seek_write(self.0, bytes, offset)?;
            if written == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            (bytes, offset) = (&bytes[written..], offset + written as u64);
        }
        Ok(())
    }
}

impl WriteAt for ComparisonAt<'_> {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut there = vec![0; bytes.len().min(AT_A_TIME)];
        let mut offset = offset;
        for bytes in bytes.chunks(AT_A_TIME) {
            let there = &mut there[..bytes.len()];
            read_at(self.0, there, offset)?;
            if there != bytes {
                return Err(io::ErrorKind::InvalidData.into());
            }
            offset += bytes.len() as u64;
        }
        Ok(())
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, buffer, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        (buffer, offset) = (&mut buffer[read..], offset + read as u64);
    }
    Ok(())
}
