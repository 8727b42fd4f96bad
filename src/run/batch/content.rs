//! The bytes of one output, made once if they are few, or anew for each use if they are many.

use std::io::{self, BufWriter, Write};

use crate::base::hash::Sha256Writer;
use crate::base::output::OutputFile;

/// Files up to this size are encoded in memory once; they can then be compared, hashed and written at once.
pub(super) const IN_MEMORY: u64 = 8 << 20;

/// Larger ones are written this much at a time.
const AT_A_TIME: usize = 256 << 10;

/// One output's bytes.
pub(super) enum Content<'f> {
    Memory(&'f [u8]),
    Stream(&'f dyn OutputFile),
}

impl<'f> Content<'f> {
    /// The bytes of a file, for which `buffer` is scratch space.
    pub fn of(file: &'f dyn OutputFile, buffer: &'f mut Vec<u8>) -> Self {
        if file.len() <= IN_MEMORY {
            buffer.clear();
            file.write(buffer).expect("a vector takes every write");
            Self::Memory(buffer)
        } else {
            Self::Stream(file)
        }
    }

    pub fn len(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::Stream(file) => file.len(),
        }
    }

    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Memory(bytes) => out.write_all(bytes),
            Self::Stream(file) => {
                let mut out = BufWriter::with_capacity(AT_A_TIME, out);
                file.write(&mut out)?;
                out.flush()
            }
        }
    }

    /// SHA-256 in lower-case hexadecimal.
    pub fn sha256(&self) -> String {
        let mut hasher = Sha256Writer::default();
        self.write(&mut hasher).expect("hashing takes every write");
        hasher.finish()
    }
}
