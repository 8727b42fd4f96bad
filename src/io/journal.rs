//! A file of lines that only grows: each is found by a number, and stands for itself.
//!
//! ```text
//! <key> <check> <text>        hexadecimal, 16 digits each; of lines with one key, the last counts
//! 0000000000000000 … 1048576  its length when all lines counted
//! ```
//! Lines are added some at a time, by one write at the end of the file, so several runs may do it at once, and a kill
//! costs no more than the last of them. What is torn all the same fails its check, and is not there. Once the file is
//! twice as long as when all of it counted, it is replaced by the lines that still do; what another run adds at that
//! moment may be lost.

#[cfg(test)]
mod tests;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::durability::directory_of;
use super::system::{self, Handle};
use super::{IoError, Sink, Target};
use crate::base::loader::digest;

/// A journal as it was when it was opened, and what is to be added.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    /// None if there was none. By now there may be another one in its place.
    there: Option<Handle>,
    /// By key; of lines with one key, the last.
    lines: Vec<Line>,
    added: Mutex<Added>,
}

/// Where a line is, without its check.
#[derive(Clone, Copy, Debug)]
struct Line {
    key: u64,
    at: u64,
    len: u32,
}

#[derive(Debug)]
struct Added {
    /// Lines that are not in the file yet.
    bytes: Vec<u8>,
    written: Instant,
    /// Whether anything has been added since it was opened.
    any: bool,
    /// What adding has failed with. From then on, nothing is added.
    failed: Option<io::Error>,
}

/// So much is added by one write.
const AT_ONCE: usize = 64 << 10;
/// After this time, less is.
const PATIENCE: Duration = Duration::from_secs(1);
/// Digits of a key and a check, each followed by a space.
const HEAD: usize = 34;
/// Longest line, and most of the file that is looked at, in bytes.
const LONGEST: u64 = 16 << 20;
const MOST: u64 = if cfg!(test) { 1 << 25 } else { 1 << 30 };
/// No shorter file is rewritten.
const LEAST: u64 = 1 << 20;
/// The key of the line that says how long the file was when all lines counted.
const WHOLE: u64 = 0;

impl Journal {
    /// Looks at what is there; what cannot be read is not.
    pub fn open(path: &Path) -> Self {
        let there = system::open(path).ok().filter(is_regular);
        let indexed = there.and_then(|mut handle| Some((index(&mut handle).ok()?, handle)));
        let (lines, there) =
            indexed.map_or_else(Default::default, |(lines, handle)| (lines, Some(handle)));
        let added = Mutex::new(Added {
            bytes: Vec::new(),
            written: Instant::now(),
            any: false,
            failed: None,
        });
        let path = path.to_owned();
        Self {
            path,
            there,
            lines,
            added,
        }
    }

    /// The text of the last line with a key, among those that were there when it was opened.
    pub fn get(&self, key: u64) -> Option<String> {
        let index = self
            .lines
            .binary_search_by_key(&key, |line| line.key)
            .ok()?;
        self.text(self.lines[index])
    }

    fn text(&self, line: Line) -> Option<String> {
        let mut bytes = vec![0; line.len as usize];
        self.there
            .as_ref()?
            .read_exact_at(&mut bytes, line.at)
            .ok()?;
        let (head, text) = bytes.split_at_checked(HEAD)?;
        let text = text.strip_suffix(b"\n")?;
        let is_whole = head == self::head(line.key, text).as_bytes();
        is_whole.then(|| String::from_utf8(text.to_vec()).ok())?
    }

    /// Adds a line; `text` is none itself.
    pub fn add(&self, key: u64, text: &str) {
        let mut added = self.added.lock().unwrap_or_else(PoisonError::into_inner);
        if added.failed.is_some() {
            return;
        }
        added.any = true;
        added.put(key, text);
        if added.bytes.len() >= AT_ONCE || added.written.elapsed() > PATIENCE {
            added.write(&self.path);
        }
    }

    /// Writes what has been added. If the file has become too long, it is replaced, by way of `sink`, by those lines
    /// that still count, and whose text `counts`.
    ///
    /// # Errors
    /// The first failure to write.
    pub fn finish(&self, sink: &Sink, counts: impl Fn(&str) -> bool) -> Result<(), IoError> {
        let mut added = self.added.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::take(&mut added.any) {
            return Ok(());
        }
        added.write(&self.path);
        let whole = self.get(WHOLE).and_then(|text| text.parse::<u64>().ok());
        let len = system::metadata(&self.path).map_or(0, |metadata| metadata.len());
        if whole.is_none() && added.failed.is_none() {
            // The first run is over: so far everything counts.
            added.put(WHOLE, &len.to_string());
            added.write(&self.path);
        }
        let doubled = whole.is_some_and(|whole| len > LEAST.max(whole.saturating_mul(2)));
        match added.failed.take() {
            Some(error) => Err(IoError::new("write", &self.path, error)),
            // Nobody would see what comes after that.
            None if doubled || len > MOST => Self::open(&self.path).rewrite(sink, counts),
            None => Ok(()),
        }
    }

    fn rewrite(mut self, sink: &Sink, counts: impl Fn(&str) -> bool) -> Result<(), IoError> {
        let mut lines = std::mem::take(&mut self.lines);
        lines.sort_unstable_by_key(|line| line.at);
        lines
            .retain(|line| line.key != WHOLE && self.text(*line).is_some_and(|text| counts(&text)));
        let len: u64 = lines.iter().map(|line| u64::from(line.len)).sum();
        let staged = sink.stage(Target::new(&self.path), |out| {
            let mut bytes = line_of(WHOLE, &len.to_string());
            for line in &lines {
                let Some(text) = self.text(*line) else {
                    continue;
                };
                bytes.extend(line_of(line.key, &text));
                if bytes.len() >= AT_ONCE {
                    out.write_all(&std::mem::take(&mut bytes))?;
                }
            }
            out.write_all(&bytes)
        })?;
        staged.commit().map(drop)
    }
}

impl Added {
    fn put(&mut self, key: u64, text: &str) {
        self.bytes.extend(line_of(key, text));
    }

    fn write(&mut self, path: &Path) {
        let append = |bytes: &[u8]| {
            let mut file = open_or_create(path)?;
            if !is_regular(&file) {
                return Err(io::Error::other("it is not a regular file"));
            }
            if file.metadata()?.len() == 0 {
                file.share_like(directory_of(path))?;
                return file.write_all(bytes);
            }
            // The last line may have been torn.
            file.write_all(&[b"\n", bytes].concat())
        };
        if !self.bytes.is_empty() {
            self.failed = append(&std::mem::take(&mut self.bytes)).err();
        }
        self.written = Instant::now();
    }
}

/// Opens a file to write at its end. If its directory has been removed during the run, it is made again.
fn open_or_create(path: &Path) -> io::Result<Handle> {
    let opened = system::open_to_append(path);
    if opened
        .as_ref()
        .is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    {
        // If that fails, opening fails again and says why.
        let _ = system::create_dir(directory_of(path));
        return system::open_to_append(path);
    }
    opened
}

fn is_regular(handle: &Handle) -> bool {
    handle.metadata().is_ok_and(|metadata| metadata.is_file())
}

/// A whole line.
fn line_of(key: u64, text: &str) -> Vec<u8> {
    let mut line = head(key, text.as_bytes());
    line.push_str(text);
    line.push('\n');
    line.into_bytes()
}

/// What a line begins with; the check is of the key, too.
fn head(key: u64, text: &[u8]) -> String {
    format!("{key:016x} {:016x} ", digest(text)[0] ^ key)
}

fn hexadecimal(digits: &[u8]) -> Option<u64> {
    u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Where all lines are that look like some; of those with one key, the last.
fn index(handle: &mut Handle) -> io::Result<Vec<Line>> {
    let mut reader = BufReader::with_capacity(AT_ONCE, handle).take(MOST);
    let (mut lines, mut at, mut bytes) = (Vec::new(), 0, Vec::new());
    loop {
        bytes.clear();
        let len = (&mut reader).take(LONGEST).read_until(b'\n', &mut bytes)?;
        if len == 0 {
            break;
        }
        if len > HEAD
            && bytes.ends_with(b"\n")
            && let Some(key) = hexadecimal(&bytes[..16])
        {
            lines.push(Line {
                key,
                at,
                len: len as u32,
            });
        }
        at += len as u64;
    }
    lines.sort_by_key(|line| (line.key, std::cmp::Reverse(line.at)));
    lines.dedup_by_key(|line| line.key);
    lines.shrink_to_fit();
    Ok(lines)
}
