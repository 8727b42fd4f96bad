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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::Durability;
    use std::fs;

    fn journal() -> (tempfile::TempDir, PathBuf, Sink) {
        let root = tempfile::tempdir().unwrap();
        let sink = Sink::new(root.path(), Durability::None).unwrap();
        let path = root.path().join("journal");
        (root, path, sink)
    }

    fn add(path: &Path, sink: &Sink, lines: &[(u64, &str)]) {
        let journal = Journal::open(path);
        lines.iter().for_each(|(key, text)| journal.add(*key, text));
        journal.finish(sink, |_| true).unwrap();
    }

    #[test]
    fn the_last_line_of_a_key_counts() {
        let (_root, path, sink) = journal();
        assert_eq!(Journal::open(&path).get(7), None);
        add(&path, &sink, &[(7, "one"), (u64::MAX, "other")]);
        add(&path, &sink, &[(7, "two")]);
        let journal = Journal::open(&path);
        assert_eq!(journal.get(7).as_deref(), Some("two"));
        assert_eq!(journal.get(u64::MAX).as_deref(), Some("other"));
        assert_eq!(journal.get(8), None);
        let before = fs::read(&path).unwrap();
        journal.finish(&sink, |_| true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), before, "there was nothing to add");
    }

    #[test]
    fn what_is_torn_or_changed_is_not_there_and_spoils_nothing_else() {
        let (_root, path, sink) = journal();
        add(&path, &sink, &[(1, "first"), (2, "second")]);
        let whole = fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            add(&path, &sink, &[(3, "third")]);
            let journal = Journal::open(&path);
            assert_eq!(journal.get(3).as_deref(), Some("third"), "{cut}");
            let is_first = |text: Option<String>| text.is_none_or(|text| text == "first");
            assert!(is_first(journal.get(1)), "{cut}");
            assert_eq!(journal.get(1).is_some(), cut >= 39, "{cut}");
        }
        let lines = 2 * HEAD + "first\nsecond\n".len();
        for at in 0..lines {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(&path, &changed).unwrap();
            let journal = Journal::open(&path);
            let found = [journal.get(1), journal.get(2)];
            let found = found.each_ref().map(Option::as_deref);
            let right = [Some("first"), Some("second")];
            let is_end_of_first = at == 39;
            match found {
                [None, None] => assert!(is_end_of_first, "{at}"),
                [None, second] => assert_eq!(second, right[1], "{at}"),
                [first, None] => assert_eq!(first, right[0], "{at}"),
                both => panic!("{at}: {both:?}"),
            }
        }
    }

    #[test]
    fn what_no_longer_counts_goes_once_the_file_has_doubled() {
        let (_root, path, sink) = journal();
        let long = "x".repeat(200 << 10);
        let mut lens = Vec::new();
        for round in 0..20 {
            let journal = Journal::open(&path);
            journal.add(1, &format!("{round}{long}"));
            journal.add(100 + round, if round % 2 == 0 { "even" } else { "odd" });
            journal.finish(&sink, |text| text != "odd").unwrap();
            lens.push(fs::metadata(&path).unwrap().len());
        }
        assert!(*lens.iter().max().unwrap() <= LEAST + 1000, "{lens:?}");
        assert!(!lens.is_sorted(), "{lens:?}");
        let journal = Journal::open(&path);
        assert_eq!(journal.get(1), Some(format!("19{long}")));
        assert_eq!(journal.get(100).as_deref(), Some("even"));
        assert_eq!(journal.get(101), None);
    }

    #[test]
    fn a_file_that_is_longer_than_anybody_looks_at_is_cut() {
        let (_root, path, sink) = journal();
        add(&path, &sink, &[(1, "first")]);
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_len(MOST).unwrap(); // a hole
        add(&path, &sink, &[(2, "second")]);
        assert!(fs::metadata(&path).unwrap().len() < LEAST);
        assert_eq!(Journal::open(&path).get(1).as_deref(), Some("first"));
    }

    #[test]
    fn runs_add_at_once() {
        let (_root, path, sink) = journal();
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (path, sink) = (&path, &sink);
                scope.spawn(move || {
                    for round in 0..20 {
                        let key = 1 + thread * 100 + round;
                        add(path, sink, &[(key, &format!("text {key}"))]);
                    }
                });
            }
        });
        let journal = Journal::open(&path);
        for key in (0..8).flat_map(|thread| (0..20).map(move |round| 1 + thread * 100 + round)) {
            assert_eq!(journal.get(key), Some(format!("text {key}")));
        }
    }

    #[test]
    fn what_cannot_be_written_is_said_once() {
        let (_root, path, sink) = journal();
        fs::create_dir(&path).unwrap();
        let journal = Journal::open(&path);
        journal.add(1, &"x".repeat(AT_ONCE));
        journal.add(2, "more");
        let error = journal.finish(&sink, |_| true).unwrap_err().to_string();
        assert!(error.contains("journal"), "{error}");
    }
}
