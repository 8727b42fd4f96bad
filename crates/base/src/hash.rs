//! SHA-256 of outputs, in lower-case hexadecimal, for reports and conformance manifests.

use std::io::{self, BufReader, Read, Write};

use sha2::{Digest, Sha256};

/// Bytes that are read at a time.
const AT_A_TIME: usize = 256 << 10;

/// Hashes all that is written to it.
#[derive(Default)]
pub struct Sha256Writer(Sha256);

impl Sha256Writer {
    /// Returns the hash of the bytes written so far, as 64 digits.
    pub fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

impl Write for Sha256Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the hash of some bytes, as 64 digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Returns the hash of all that a reader has left to give, as 64 digits.
///
/// # Errors
/// The first failure of the reader.
pub fn sha256_of(file: impl Read) -> io::Result<String> {
    let mut hasher = Sha256Writer::default();
    io::copy(&mut BufReader::with_capacity(AT_A_TIME, file), &mut hasher)?;
    Ok(hasher.finish())
}

/// Returns bytes as lower-case hexadecimal digits, two for each.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
