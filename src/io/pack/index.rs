//! Indexes of packs: JSON lines. The first says which pack it is for, the last has the number of entries and the facts of the
//! pack, so that a cut index is noticed.

use std::io::{self, BufRead, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{PACK_VERSION, PackError, PackFormat};
use crate::io::IoError;

/// The word by which an index is known.
const KIND: &str = "rigy-batch pack index";

/// The longest line of an index, in bytes: a path with all its characters escaped, and the numbers.
const LONGEST_LINE: u64 = 64 << 10;

/// An entry of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The path below the output root, with `/` between its parts.
    pub path: String,
    /// The place of its first byte in the file of the pack.
    pub offset: u64,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its SHA-256 in hexadecimal; `None` if the pack has no index.
    pub sha256: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct First {
    kind: String,
    version: u32,
    pack: String,
    format: PackFormat,
}

#[derive(Serialize, Deserialize)]
struct Last {
    entries: u64,
    bytes: u64,
    sha256: String,
}

/// The reason why an index or an archive cannot be read.
pub(super) enum Fault {
    /// The file cannot be read.
    Io(io::Error),
    /// It is something else, or damaged.
    Content(String),
}

impl Fault {
    /// Returns the error of the file at a path.
    pub fn at(self, path: &Path) -> PackError {
        match self {
            Self::Io(error) => IoError::new("read", path, error).into(),
            Self::Content(fault) => PackError::faulty(path, fault),
        }
    }
}

impl<T: Into<String>> From<T> for Fault {
    fn from(text: T) -> Self {
        Self::Content(text.into())
    }
}

/// The index of one pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Index {
    /// The name of the file of the pack.
    pub pack: String,
    pub format: PackFormat,
    /// In the order of the archive.
    pub entries: Vec<Entry>,
    /// The length of the pack in bytes.
    pub bytes: u64,
    /// The SHA-256 of the pack.
    pub sha256: String,
}

impl Index {
    /// Writes the index.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut line = |value: &dyn Fn() -> serde_json::Result<String>| -> io::Result<()> {
            out.write_all(value()?.as_bytes())?;
            out.write_all(b"\n")
        };
        let first = First {
            kind: KIND.to_owned(),
            version: PACK_VERSION,
            pack: self.pack.clone(),
            format: self.format,
        };
        line(&|| serde_json::to_string(&first))?;
        for entry in &self.entries {
            line(&|| serde_json::to_string(entry))?;
        }
        let last = Last {
            entries: self.entries.len() as u64,
            bytes: self.bytes,
            sha256: self.sha256.clone(),
        };
        line(&|| serde_json::to_string(&last))
    }

    /// Reads an index.
    ///
    /// # Errors
    /// The reason why it is none, with the number of the line.
    pub fn read(file: impl BufRead) -> Result<Self, Fault> {
        let mut lines = Lines { file, number: 0 };
        let text = lines_first(&mut lines)?;
        let first: First = lines.parse(&text)?;
        check_first(&first)?;
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            let text = lines.next()?.ok_or("it ends before its last line")?;
            // Only the last line has a field `entries`.
            if text.starts_with("{\"entries\":") {
                let last: Last = lines.parse(&text)?;
                if last.entries != entries.len() as u64 {
                    let (said, found) = (last.entries, entries.len());
                    return Err(
                        format!("its last line counts {said} entries, but it has {found}").into(),
                    );
                }
                if lines.next()?.is_some() {
                    return Err("it has lines after the last one".into());
                }
                return Ok(Self {
                    pack: first.pack,
                    format: first.format,
                    entries,
                    bytes: last.bytes,
                    sha256: last.sha256,
                });
            }
            entries.push(lines.parse(&text)?);
        }
    }
}

/// Returns true if a file begins as an index does.
///
/// # Errors
/// If it cannot be read.
pub(super) fn is_index(file: impl BufRead) -> io::Result<bool> {
    let mut lines = Lines { file, number: 0 };
    match lines_first(&mut lines).and_then(|text| lines.parse::<First>(&text)) {
        Ok(first) => Ok(first.kind == KIND),
        Err(Fault::Io(error)) => Err(error),
        Err(Fault::Content(_)) => Ok(false),
    }
}

fn check_first(first: &First) -> Result<(), Fault> {
    match first {
        First { kind, .. } if kind != KIND => Err("it is no index of a pack".into()),
        First { version, .. } if *version > PACK_VERSION => Err(format!(
            "it has version {version}, and this program reads {PACK_VERSION}; use a newer program"
        )
        .into()),
        _ => Ok(()),
    }
}

fn lines_first<R: BufRead>(lines: &mut Lines<R>) -> Result<String, Fault> {
    lines.next()?.ok_or_else(|| "it is empty".into())
}

struct Lines<R> {
    file: R,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    fn next(&mut self) -> Result<Option<String>, Fault> {
        self.number += 1;
        let number = self.number;
        let mut text = Vec::new();
        let mut limited = io::Read::take(&mut self.file, LONGEST_LINE);
        let read = limited.read_until(b'\n', &mut text);
        match read.map_err(Fault::Io)? {
            0 => return Ok(None),
            _ if text.pop() == Some(b'\n') => {}
            _ => return Err(format!("line {number} is cut or too long").into()),
        }
        let text = String::from_utf8(text);
        text.map(Some)
            .map_err(|_| format!("line {number} is not UTF-8").into())
    }

    fn parse<T: serde::de::DeserializeOwned>(&self, text: &str) -> Result<T, Fault> {
        serde_json::from_str(text).map_err(|error| format!("line {}: {error}", self.number).into())
    }
}
