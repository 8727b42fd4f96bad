//! Writing archives through the crates `tar` and `zip`, with the same bytes every time.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::PackFormat;
use super::out::Out;
use crate::io::Handle;

/// The mode of every entry: all may read it, its owner may write to it.
const MODE: u32 = 0o644;

/// An archive that is being written. All facts of an entry but its path and bytes are constants.
pub(super) struct Archive {
    kind: Kind,
    /// The place of the next byte.
    place: Arc<AtomicU64>,
}

enum Kind {
    Tar(Box<tar::Builder<Out>>),
    Zip(Box<zip::ZipWriter<Out>>),
}

impl Archive {
    pub fn new(format: PackFormat, handle: Handle) -> Self {
        let out = Out::new(handle);
        let place = out.place();
        let kind = match format {
            PackFormat::Tar => Kind::Tar(Box::new(tar::Builder::new(out))),
            PackFormat::Zip => Kind::Zip(Box::new(zip::ZipWriter::new(out))),
        };
        Self { kind, place }
    }

    /// Returns the number of bytes so far.
    pub fn len(&self) -> u64 {
        self.place.load(Relaxed)
    }

    /// Adds an entry of `len` bytes and returns the place of its first byte.
    ///
    /// # Errors
    /// If it cannot be written; if `data` has another number of bytes. The archive is of no use then.
    pub fn append(&mut self, path: &str, len: u64, data: &mut dyn Read) -> io::Result<u64> {
        match &mut self.kind {
            Kind::Tar(builder) => {
                let mut header = tar::Header::new_gnu();
                header.set_entry_type(tar::EntryType::Regular);
                header.set_mode(MODE);
                header.set_uid(0);
                header.set_gid(0);
                header.set_mtime(0);
                header.set_size(len);
                let mut data = Exactly { data, left: len };
                builder.append_data(&mut header, path, &mut data)?;
                data.check()?;
                Ok(self.len() - len.next_multiple_of(512))
            }
            Kind::Zip(writer) => {
                let options = zip::write::SimpleFileOptions::default()
                    .compression_method(zip::CompressionMethod::Stored)
                    .last_modified_time(zip::DateTime::default())
                    .unix_permissions(MODE)
                    .system(zip::System::Unix)
                    .large_file(len >= u32::MAX.into());
                writer.start_file(path, options)?;
                let offset = self.place.load(Relaxed);
                let mut data = Exactly { data, left: len };
                io::copy(&mut data, writer)?;
                data.check()?;
                Ok(offset)
            }
        }
    }

    /// Ends the archive. Returns its file, and its SHA-256 if that is known without reading it back.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> io::Result<(Handle, Option<String>)> {
        let mut out = match self.kind {
            Kind::Tar(builder) => builder.into_inner()?,
            Kind::Zip(writer) => writer.finish()?,
        };
        out.flush()?;
        out.finish()
    }
}

/// Returns about the number of bytes that an entry adds to an archive.
pub(super) fn cost(format: PackFormat, path_len: usize, len: u64) -> u64 {
    let path_len = path_len as u64;
    match format {
        PackFormat::Tar => {
            let long = if path_len > 100 { 1024 + path_len } else { 0 };
            len.saturating_add(512 + 511 + long)
        }
        PackFormat::Zip => len.saturating_add(30 + 46 + 2 * path_len),
    }
}

/// Bytes of an entry, whose number has been told already.
struct Exactly<'d> {
    data: &'d mut dyn Read,
    left: u64,
}

impl Exactly<'_> {
    /// Fails unless all bytes have been read and there are no others.
    fn check(&mut self) -> io::Result<()> {
        match self.left == 0 && self.data.read(&mut [0])? == 0 {
            true => Ok(()),
            false => Err(io::Error::other("its length has changed")),
        }
    }
}

impl Read for Exactly<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX);
        let len = buffer.len().min(most);
        let read = self.data.read(&mut buffer[..len])?;
        self.left -= read as u64;
        Ok(read)
    }
}
