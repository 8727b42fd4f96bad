//! Tar files in the format of POSIX.1-2001 (pax), with the same bytes every time.

use std::io::{self, Read, Write};

/// The length of a block: each header and the bytes of each entry fill whole ones.
const BLOCK: usize = 512;
/// The longest path that a header has space for, in bytes.
const LONGEST_PATH: usize = 100;
/// The greatest length of an entry that a header has space for: eleven octal digits.
const LARGEST: u64 = 0o777_7777_7777;
const FILE: u8 = b'0';
const EXTENDED: u8 = b'x';

/// Writes a tar file. All facts of an entry but its path and bytes are constants: mode 644, user and group 0, time 0.
///
/// ```
/// use rigy_batch::io::TarWriter;
///
/// let mut tar = TarWriter::new(Vec::new());
/// tar.append("robot/arm.glb", 5, &mut &b"bytes"[..])?;
/// let bytes = tar.finish()?;
/// assert!(bytes.starts_with(b"robot/arm.glb\0") && bytes.len() == 2048);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TarWriter<W>(W);

impl<W: Write> TarWriter<W> {
    /// Begins a tar file.
    pub fn new(out: W) -> Self {
        Self(out)
    }

    /// Adds an entry of `len` bytes; `path` is relative, with `/` between its parts.
    ///
    /// # Errors
    /// If it cannot be written, or if `data` has another number of bytes. The tar file is of no use then.
    pub fn append(&mut self, path: &str, len: u64, data: &mut dyn Read) -> io::Result<()> {
        let mut extended = String::new();
        if path.len() > LONGEST_PATH || !path.is_ascii() {
            extended += &record("path", path);
        }
        if len > LARGEST {
            extended += &record("size", &len.to_string());
        }
        if !extended.is_empty() {
            let len = extended.len() as u64;
            self.put(b"././@PaxHeader", len, EXTENDED, &mut extended.as_bytes())?;
        }
        self.put(path.as_bytes(), len, FILE, data)
    }

    fn put(&mut self, path: &[u8], len: u64, kind: u8, data: &mut dyn Read) -> io::Result<()> {
        self.0.write_all(&header(path, len, kind))?;
        let copied = io::copy(&mut data.take(len.saturating_add(1)), &mut self.0)?;
        if copied != len {
            return Err(io::Error::other("its length has changed"));
        }
        let padding = len.next_multiple_of(BLOCK as u64) - len;
        self.0.write_all(&[0; BLOCK][..padding as usize])
    }

    /// Ends the tar file and returns what it was written to.
    ///
    /// # Errors
    /// If the end cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.0.write_all(&[0; 2 * BLOCK])?;
        self.0.flush()?;
        Ok(self.0)
    }
}

/// Returns a record of an extended header, which begins with its own length in decimal digits.
fn record(key: &str, value: &str) -> String {
    let rest = format!(" {key}={value}\n");
    let mut len = rest.len();
    while len != rest.len() + len.to_string().len() {
        len = rest.len() + len.to_string().len();
    }
    format!("{len}{rest}")
}

fn header(path: &[u8], len: u64, kind: u8) -> [u8; BLOCK] {
    let mut header = [0; BLOCK];
    let path = &path[..path.len().min(LONGEST_PATH)];
    let len = format!("{:011o}\0", len & LARGEST);
    for (at, text) in [
        (0, path),
        (100, b"0000644\0"),
        (108, b"0000000\0"),
        (116, b"0000000\0"),
        (124, len.as_bytes()),
        (136, b"00000000000\0"),
        (148, b"        "), // the sum of all bytes is made with spaces in its place
        (156, &[kind]),
        (257, b"ustar\x0000"),
        (329, b"0000000\0"),
        (337, b"0000000\0"),
    ] {
        header[at..at + text.len()].copy_from_slice(text);
    }
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header
}

/// Returns true if a file is a tar file, by its first block, or empty.
pub(crate) fn is_tar_or_empty(file: &mut dyn Read) -> io::Result<bool> {
    let mut block = Vec::new();
    file.take(BLOCK as u64).read_to_end(&mut block)?;
    let is_tar = || block[257..262] == *b"ustar" || block.iter().all(|byte| *byte == 0);
    Ok(block.is_empty() || block.len() == BLOCK && is_tar())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_counts_its_own_digits() {
        for len in [1, 90, 91, 92, 93, 94, 95, 989, 990, 991, 992, 9999] {
            let record = record("path", &"x".repeat(len));
            let (digits, _) = record.split_once(' ').unwrap();
            assert_eq!(digits.parse(), Ok(record.len()));
        }
    }

    #[test]
    fn an_entry_has_the_length_that_was_told() {
        let append = |len| TarWriter::new(Vec::new()).append("a", len, &mut &b"abc"[..]);
        assert!(append(3).is_ok() && append(2).is_err() && append(4).is_err());
    }

    #[test]
    fn a_tar_file_is_known_by_its_first_block() {
        let mut tar = TarWriter::new(Vec::new());
        let empty = TarWriter::new(Vec::new()).finish().unwrap();
        tar.append("é", 1, &mut &b"x"[..]).unwrap();
        let tar = tar.finish().unwrap();
        let is_tar = |mut bytes: &[u8]| is_tar_or_empty(&mut bytes).unwrap();
        assert!(is_tar(&tar) && is_tar(&empty) && is_tar(b""));
        assert!(!is_tar(&tar[..500]) && !is_tar(b"glTF") && !is_tar(&[b'x'; 1024]));
    }

    /// Python reads lengths beyond the eleven digits; the bytes of such an entry are a hole.
    #[test]
    #[cfg(unix)]
    fn entries_of_more_than_8_gib_have_their_length() {
        let len = LARGEST + 2;
        let mut tar = TarWriter::new(Vec::new());
        assert!(tar.append("large.glb", len, &mut io::empty()).is_err());
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), tar.0).unwrap();
        file.as_file().set_len(len + 4096).unwrap();
        let code = "import sys, tarfile; print(tarfile.open(sys.argv[1]).next().size)";
        let python = std::process::Command::new("python3");
        let python = { python }.args(["-c", code]).arg(file.path()).output();
        let Ok(printed) = python else {
            return; // there is no Python here
        };
        assert_eq!(
            String::from_utf8_lossy(&printed.stdout).trim(),
            len.to_string()
        );
    }
}
