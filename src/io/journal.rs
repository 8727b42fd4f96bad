//! A file to which lines are appended, and in which each line is found by a number, its key.
//!
//! ```text
//! <key> <check> <text>        key and check are 16 hexadecimal digits; of lines with the same key, the last is valid
//! 0000000000000000 … 1048576  the length in bytes that the file had when every line in it was valid
//! ```
//! Several lines are appended at a time, by one write at the end of the file, so several runs may append at the same time,
//! and a kill loses no more than the lines of one write. A line of which only a part was written fails its check and is
//! ignored. When the file has become twice as long as when every line was valid, it is replaced by the lines that still are;
//! lines that another run appends at that moment may be lost.

#[cfg(test)]
mod tests;

use crate::io::stamp::stamp_of;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use super::error::IoError;
use super::sync::directory_of;
use super::system::{self, Handle, Metadata};
use super::{Sink, Target};
use rigy_base::loader::{Stamp, digest};
use rigy_base::sync::Mutex;

/// The lines of a journal when it was opened, and the lines that are to be appended.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// The stamp of the file before it was opened; `None` if there was none.
    stamp: Option<Stamp>,
    /// The file that was opened; `None` if there was none, and once it is closed. Another run may have replaced it since.
    there: RwLock<Option<Handle>>,
    /// Sorted by key; of lines with the same key, only the last.
    lines: Vec<Line>,
    added: Mutex<Added>,
}

/// The position of a line in the file, whose check has not been verified.
#[derive(Clone, Copy, Debug)]
struct Line {
    key: u64,
    /// The offset of its first byte.
    at: u64,
    /// Its length in bytes, with the line break.
    len: u32,
}

/// The state of appending.
#[derive(Debug)]
struct Added {
    /// Lines that are not in the file yet.
    bytes: Vec<u8>,
    /// The time of the last write.
    written: Instant,
    /// True if a line has been added since the journal was opened.
    any: bool,
    /// The error of the first write that has failed. No line is added after it.
    failed: Option<io::Error>,
}

/// Lines are written once they have this many bytes together.
const WRITE_LEN: usize = 64 << 10;
/// Fewer bytes are written if the last write is longer ago than this.
const WRITE_INTERVAL: Duration = Duration::from_secs(1);
/// Bytes of a key and a check, each followed by a space.
const HEAD_LEN: usize = 34;
/// The longest line in bytes.
const MAX_LINE_LEN: u64 = 16 << 20;
/// Only this many bytes of the file are read.
const MAX_LEN: u64 = if cfg!(test) { 1 << 25 } else { 1 << 30 };
/// A file that is not longer than this many bytes is not rewritten.
const MIN_REWRITTEN: u64 = 1 << 20;
/// The key of the line with the length that the file had when every line in it was valid.
const WHOLE: u64 = 0;

impl Journal {
    /// Opens a journal. If there is none, or it cannot be read, it has no lines.
    pub fn open(path: &Path) -> Self {
        let stamp = stamp_of(path).ok();
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
            stamp,
            there: RwLock::new(there),
            lines,
            added,
        }
    }

    /// Returns true if there was a journal when it was opened.
    pub fn was_there(&self) -> bool {
        self.there().is_some()
    }

    /// Returns true if no line has been added to the file since it was opened, and no other file has taken its place.
    pub fn is_current(&self) -> bool {
        self.stamp.is_some() && stamp_of(&self.path).ok() == self.stamp
    }

    /// Returns true if there were no lines when it was opened.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the text of the last line with a key. Lines that were added after the journal was opened are not found.
    pub fn get(&self, key: u64) -> Option<String> {
        let index = self
            .lines
            .binary_search_by_key(&key, |line| line.key)
            .ok()?;
        self.text(self.lines[index])
    }

    /// Returns the keys of the lines that were there when it was opened, but for the line with the length.
    pub fn keys(&self) -> impl Iterator<Item = u64> {
        let keys = self.lines.iter().map(|line| line.key);
        keys.filter(|key| *key != WHOLE)
    }

    /// Calls `visit` with the text of the last line of each key. Lines that were added after the journal was opened are not visited.
    pub fn for_each(&self, visit: impl FnMut(&str)) {
        self.for_each_of(|_| true, visit);
    }

    /// Does the same for those keys for which `is_chosen` returns true; other lines are not read.
    pub fn for_each_of(&self, is_chosen: impl Fn(u64) -> bool, mut visit: impl FnMut(&str)) {
        for line in self.lines.iter().filter(|line| is_chosen(line.key)) {
            if let Some(text) = self.text(*line) {
                visit(&text);
            }
        }
    }

    /// Reads the text of a line; returns `None` if the line fails its check.
    fn text(&self, line: Line) -> Option<String> {
        let mut bytes = vec![0; line.len as usize];
        let there = self.there();
        there.as_ref()?.read_exact_at(&mut bytes, line.at).ok()?;
        drop(there);
        let (head, text) = bytes.split_at_checked(HEAD_LEN)?;
        let text = text.strip_suffix(b"\n")?;
        let is_whole = head == self::head(line.key, text).as_bytes();
        is_whole.then(|| String::from_utf8(text.to_vec()).ok())?
    }

    /// Adds a line; `text` must have no line break.
    pub fn add(&self, key: u64, text: impl AsRef<[u8]>) {
        let line = line_of(key, text.as_ref());
        // No text is made or written while other threads wait for the lock.
        let bytes = self.added.lock().add(line);
        if !bytes.is_empty()
            && let Err(error) = append(&self.path, &bytes)
        {
            self.added.lock().failed.get_or_insert(error);
        }
    }

    fn there(&self) -> RwLockReadGuard<'_, Option<Handle>> {
        self.there.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the file: not every system replaces a file that is open. No text is found from then on.
    fn close(&self) {
        *self.there.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Writes the lines that have been added. If the file has become too long, it is replaced, through `sink`, by the last
    /// lines of each key for whose text `is_valid` returns true.
    ///
    /// # Errors
    /// The first write that has failed.
    pub fn finish(&self, sink: &Sink, is_valid: impl Fn(&str) -> bool) -> Result<(), IoError> {
        let mut added = self.added.lock();
        if !std::mem::take(&mut added.any) {
            return Ok(());
        }
        added.write(&self.path);
        let whole = self.get(WHOLE).and_then(|text| text.parse::<u64>().ok());
        let len = system::metadata(&self.path).map_or(0, |metadata| metadata.len());
        if whole.is_none() && added.failed.is_none() {
            // This was the first run, so every line is valid.
            added
                .bytes
                .extend(line_of(WHOLE, len.to_string().as_bytes()));
            added.write(&self.path);
        }
        let doubled = whole.is_some_and(|whole| len > MIN_REWRITTEN.max(whole.saturating_mul(2)));
        match added.failed.take() {
            Some(error) => Err(IoError::new("write", &self.path, error)),
            // Lines beyond the maximum would not be read.
            None if doubled || len > MAX_LEN => {
                self.close();
                Self::open(&self.path).rewrite(sink, is_valid)
            }
            None => Ok(()),
        }
    }

    /// Replaces the file by its valid lines.
    fn rewrite(mut self, sink: &Sink, is_valid: impl Fn(&str) -> bool) -> Result<(), IoError> {
        let mut lines = std::mem::take(&mut self.lines);
        lines.sort_unstable_by_key(|line| line.at);
        lines.retain(|line| {
            line.key != WHOLE && self.text(*line).is_some_and(|text| is_valid(&text))
        });
        let len: u64 = lines.iter().map(|line| u64::from(line.len)).sum();
        let staged = sink.stage(Target::new(&self.path), |out| {
            let mut bytes = line_of(WHOLE, len.to_string().as_bytes());
            for line in &lines {
                let Some(text) = self.text(*line) else {
                    continue;
                };
                bytes.extend(line_of(line.key, text.as_bytes()));
                if bytes.len() >= WRITE_LEN {
                    out.write_all(&std::mem::take(&mut bytes))?;
                }
            }
            out.write_all(&bytes)
        })?;
        self.close();
        staged.commit().map(drop)
    }
}

impl Added {
    /// Adds a line. Returns the lines that are to be written now.
    fn add(&mut self, line: Vec<u8>) -> Vec<u8> {
        if self.failed.is_some() {
            return Vec::new();
        }
        self.any = true;
        self.bytes.extend(line);
        if self.bytes.len() >= WRITE_LEN || self.written.elapsed() > WRITE_INTERVAL {
            self.take()
        } else {
            Vec::new()
        }
    }

    /// Takes the lines that are not in the file yet.
    fn take(&mut self) -> Vec<u8> {
        self.written = Instant::now();
        std::mem::take(&mut self.bytes)
    }

    /// Appends the lines to the file. A failure is kept in `failed`.
    fn write(&mut self, path: &Path) {
        let bytes = self.take();
        if !bytes.is_empty() && self.failed.is_none() {
            self.failed = append(path, &bytes).err();
        }
    }
}

/// Appends lines to a journal. Threads may do so at the same time, because each appends whole lines by one write.
fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = open_or_create(path)?;
    let there = file.metadata().ok().filter(Metadata::is_file);
    let Some(there) = there else {
        return Err(io::Error::other("it is not a regular file"));
    };
    if there.len() == 0 {
        file.share_like(directory_of(path))?;
        return file.write_all(bytes);
    }
    // The line break ends a last line of which only a part was written.
    file.write_all(&[b"\n", bytes].concat())
}

/// Opens a file to append to it, or creates it. If its directory has been removed during the run, it is made again.
fn open_or_create(path: &Path) -> io::Result<Handle> {
    let opened = system::open_to_append(path);
    if opened
        .as_ref()
        .is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    {
        // If this fails, opening fails again and returns the reason.
        let _ = system::create_dir(directory_of(path));
        return system::open_to_append(path);
    }
    opened
}

fn is_regular(handle: &Handle) -> bool {
    handle.metadata().is_ok_and(|metadata| metadata.is_file())
}

/// Returns a line with its key, check and line break.
fn line_of(key: u64, text: &[u8]) -> Vec<u8> {
    [head(key, text).as_bytes(), text, b"\n"].concat()
}

/// Returns the key and the check that a line begins with. The check covers key and text.
fn head(key: u64, text: &[u8]) -> String {
    format!("{key:016x} {:016x} ", digest(text)[0] ^ key)
}

fn hexadecimal(digits: &[u8]) -> Option<u64> {
    u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Finds the lines of a file by their form, without verifying their checks. Returns the last line of each key, sorted by
/// key.
fn index(handle: &mut Handle) -> io::Result<Vec<Line>> {
    let mut reader = BufReader::with_capacity(WRITE_LEN, handle).take(MAX_LEN);
    let (mut lines, mut at, mut bytes) = (Vec::new(), 0, Vec::new());
    loop {
        bytes.clear();
        let len = (&mut reader)
            .take(MAX_LINE_LEN)
            .read_until(b'\n', &mut bytes)?;
        if len == 0 {
            break;
        }
        if len > HEAD_LEN
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
