//! Open files.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::Metadata;
use super::planted::pass;
use rigy_base::output::WriteAt;

/// An open file and the path by which it was opened, for messages and planted faults.
#[derive(Debug)]
pub struct Handle {
    file: File,
    path: PathBuf,
}

impl Handle {
    pub(super) fn new(file: File, path: &Path) -> Self {
        Self {
            file,
            path: path.to_owned(),
        }
    }

    /// Returns the path by which the file was opened.
    pub(in crate::io) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the file in order to map it.
    #[cfg(unix)]
    pub(in crate::io) fn to_map(&self) -> io::Result<&File> {
        pass("map", &self.path)?;
        Ok(&self.file)
    }

    /// Returns the file for operations where no fault is planted.
    #[cfg(any(unix, windows))]
    pub(in crate::io) fn file(&self) -> &File {
        &self.file
    }

    /// Returns the path at which the file is now, with every link resolved; `None` if the system does not tell.
    pub(in crate::io) fn place(&self) -> Option<PathBuf> {
        #[cfg(target_os = "linux")]
        {
            let number = std::os::fd::AsRawFd::as_raw_fd(&self.file);
            std::fs::read_link(format!("/proc/self/fd/{number}")).ok()
        }
        #[cfg(not(target_os = "linux"))]
        None
    }

    /// Returns the present metadata of the file.
    pub(in crate::io) fn metadata(&self) -> io::Result<Metadata> {
        pass("look at", &self.path)?;
        self.file.metadata()
    }

    /// Sets the length of the file in bytes.
    pub(in crate::io) fn set_len(&self, len: u64) -> io::Result<()> {
        pass("set length of", &self.path)?;
        self.file.set_len(len)
    }

    /// Waits until the bytes and metadata of the file are on the disk.
    #[cfg(not(target_os = "linux"))]
    pub(in crate::io) fn sync(&self) -> io::Result<()> {
        pass("sync", &self.path)?;
        self.file.sync_all()
    }

    /// Waits until everything that was written to the file system of this file is on the disk.
    #[cfg(target_os = "linux")]
    pub(in crate::io) fn sync_file_system(&self) -> io::Result<()> {
        pass("sync", &self.path)?;
        Ok(rustix::fs::syncfs(&self.file)?)
    }

    /// Locks the file until it is closed. Returns false if another process or handle has locked it.
    pub(in crate::io) fn try_lock(&self) -> io::Result<bool> {
        pass("lock", &self.path)?;
        match self.file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Fills a buffer with the bytes from an offset on; fails if the file ends before the buffer does.
    #[cfg(unix)]
    pub(in crate::io) fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        pass("read", &self.path)?;
        std::os::unix::fs::FileExt::read_exact_at(&self.file, buffer, offset)
    }

    /// Fills a buffer with the bytes from an offset on; fails if the file ends before the buffer does.
    #[cfg(windows)]
    pub(in crate::io) fn read_exact_at(
        &self,
        mut buffer: &mut [u8],
        mut offset: u64,
    ) -> io::Result<()> {
        use std::io::{Seek, SeekFrom};
        pass("read", &self.path)?;
        // `seek_read` moves the cursor, from which `read` goes on.
        let cursor = (&self.file).stream_position()?;
        while !buffer.is_empty() {
            let read = std::os::windows::fs::FileExt::seek_read(&self.file, buffer, offset)?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            (buffer, offset) = (&mut buffer[read..], offset + read as u64);
        }
        (&self.file).seek(SeekFrom::Start(cursor)).map(drop)
    }

    /// Fails: this system has no files, as WebAssembly in a browser.
    #[cfg(not(any(unix, windows)))]
    pub(in crate::io) fn read_exact_at(&self, _: &mut [u8], _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(unix)]
impl std::os::fd::AsFd for Handle {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl Read for Handle {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        pass("read", &self.path)?;
        self.file.read(buffer)
    }
}

impl Write for Handle {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        pass("write", &self.path)?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(()) // a handle has no buffer
    }
}

impl WriteAt for Handle {
    #[cfg(unix)]
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        pass("write", &self.path)?;
        std::os::unix::fs::FileExt::write_all_at(&self.file, bytes, offset)
    }

    #[cfg(windows)]
    fn write_at(&self, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
        pass("write", &self.path)?;
        while !bytes.is_empty() {
            let written = std::os::windows::fs::FileExt::seek_write(&self.file, bytes, offset)?;
            if written == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            (bytes, offset) = (&bytes[written..], offset + written as u64);
        }
        Ok(())
    }

    #[cfg(not(any(unix, windows)))]
    fn write_at(&self, _: &[u8], _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
