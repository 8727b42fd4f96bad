//! Input lists: the inputs of a run from a file or a pipe, in the place of a search.
//!
//! A list has the path of a file on each line, or before each NUL. Paths are relative to the directory for which the list is given, and
//! stay below it. A line may come from anywhere, so its file must be one that a search of this directory could have found.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::error::IoError;
use super::read::changed;
use super::spelling::simplified;
use super::{Discovery, Found, Handle, Target, identity, system};
use rigy_base::paths::{Slashed, parent_of};

/// The longest path in bytes. Linux allows 4096.
const MAX_PATH_LEN: usize = 64 << 10;

/// The reason why an input list cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the input list `{list}`{}: {fault}", .line.map(|line| format!(", line {line}")).unwrap_or_default())]
pub struct InputListError {
    /// The path of the list.
    pub list: String,
    /// The line, or the number of the path where NUL ends each, from 1; `None` if the list cannot be opened.
    pub line: Option<u64>,
    /// The fault.
    #[source]
    pub fault: InputListFault,
}

/// A fault of an input list.
#[derive(Debug, thiserror::Error)]
pub enum InputListFault {
    /// The list cannot be read.
    #[error("{0}")]
    Read(#[source] io::Error),
    /// A line is longer than any path.
    #[error("the path has more than {0} bytes; `-0` reads a list in which NUL ends each path")]
    Long(usize),
    /// A path has a NUL, which no file name has.
    #[error("the path has a NUL; `-0` reads a list in which NUL ends each path")]
    Nul,
    /// A path is not UTF-8, on a system whose paths are texts.
    #[error("the path is not UTF-8")]
    NotUtf8,
    /// A path leads out of the directory.
    #[error(
        "`{}` does not lie below `{}`; name the directory that all paths of the list lie below, without `..`, before `--inputs-from`",
        path.slashed(), root.slashed()
    )]
    Outside {
        /// The path in the list.
        path: PathBuf,
        /// The directory.
        root: PathBuf,
    },
}

/// A list that is read, one path at a time.
pub struct InputList<R> {
    name: String,
    reader: R,
    /// The byte that ends each path.
    end: u8,
    number: u64,
    /// The bytes that the file states to have and that have not been read; `None` if it states none.
    left: Option<u64>,
}

impl InputList<BufReader<Handle>> {
    /// Opens the list at a path, whose paths end with NUL or with a line break.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: &Path, with_nul: bool) -> Result<Self, InputListError> {
        let name = path.shown();
        match Target::new(path).open() {
            Ok(file) => {
                let stated = file.metadata().ok().filter(|there| there.len() > 0);
                let left = stated.map(|there| there.len());
                let reader = BufReader::with_capacity(256 << 10, file);
                let list = Self::new(name, reader, with_nul);
                Ok(Self { left, ..list })
            }
            Err(error) => Err(InputListError {
                list: name,
                line: None,
                fault: InputListFault::Read(error.source),
            }),
        }
    }
}

impl<R: BufRead> InputList<R> {
    /// Begins to read a list, which messages call `name`.
    pub fn new(name: String, reader: R, with_nul: bool) -> Self {
        Self {
            name,
            reader,
            end: if with_nul { 0 } else { b'\n' },
            number: 0,
            left: None,
        }
    }

    /// Reads the list to its end and returns its inputs below `root` for whose path below it `takes` returns true: sorted by path, each
    /// once, as a search returns them. Memory holds nothing about the others. Empty lines count as nothing.
    ///
    /// An input that is gone, or is no file, or is reached by a link, which a search would not follow, is among the unreadable.
    ///
    /// # Errors
    /// If the list cannot be read or a path is malformed or leads out of `root`; then no input is returned.
    pub fn select(
        mut self,
        root: &Path,
        takes: &dyn Fn(&Path) -> bool,
    ) -> Result<Discovery, InputListError> {
        let mut taken: Vec<PathBuf> = Vec::new();
        let mut line = Vec::new();
        loop {
            self.number += 1;
            let path = match self.read(&mut line) {
                Ok(None) => break,
                Ok(Some(path)) if path.as_os_str().is_empty() => continue,
                Ok(Some(path)) => below(simplified(&path), root),
                Err(fault) => Err(fault),
            };
            let path = path.map_err(|fault| InputListError {
                list: self.name.clone(),
                line: Some(self.number),
                fault,
            })?;
            if takes(&path) {
                taken.push(path);
            }
        }
        taken.sort_unstable();
        taken.dedup();
        let mut root = ListedRoot::new(root);
        let mut selected = Discovery::default();
        for relative in taken {
            let path = root.path.join(&relative);
            match root.check(&path, &relative) {
                Ok(()) => selected.found.push(Found {
                    path,
                    root: root.path.clone(),
                }),
                Err(error) => selected.unreadable.push(IoError::new("read", path, error)),
            }
        }
        Ok(selected)
    }

    /// Reads the next path, which may be empty; returns `None` at the end.
    fn read(&mut self, line: &mut Vec<u8>) -> Result<Option<PathBuf>, InputListFault> {
        line.clear();
        let mut reader = (&mut self.reader).take(MAX_PATH_LEN as u64 + 2);
        let read = reader
            .read_until(self.end, line)
            .map_err(InputListFault::Read)? as u64;
        self.left = match self.left.map(|left| left.checked_sub(read)) {
            Some(Some(left)) if read > 0 || left == 0 => Some(left),
            Some(_) => return Err(InputListFault::Read(changed())),
            None => None,
        };
        if read == 0 {
            return Ok(None);
        }
        line.pop_if(|last| *last == self.end);
        if self.end == b'\n' {
            line.pop_if(|last| *last == b'\r');
        }
        if line.len() > MAX_PATH_LEN {
            return Err(InputListFault::Long(MAX_PATH_LEN));
        }
        if line.contains(&0) {
            return Err(InputListFault::Nul);
        }
        path_of(line).map(Some)
    }
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> Result<PathBuf, InputListFault> {
    use std::os::unix::ffi::OsStrExt;
    Ok(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Result<PathBuf, InputListFault> {
    let text = std::str::from_utf8(bytes).map_err(|_| InputListFault::NotUtf8)?;
    Ok(PathBuf::from(text))
}

/// Returns a path of a list relative to the directory that it must lie below.
fn below(path: &Path, root: &Path) -> Result<PathBuf, InputListFault> {
    let relative = if path.is_absolute() {
        path.strip_prefix(root).ok()
    } else {
        Some(path)
    };
    let mut parts = PathBuf::new();
    let is_below = relative.is_some_and(|relative| {
        relative.components().all(|part| match part {
            Component::CurDir => true,
            Component::Normal(name) => {
                parts.push(name);
                true
            }
            _ => false,
        })
    });
    if is_below && !parts.as_os_str().is_empty() {
        return Ok(parts);
    }
    Err(InputListFault::Outside {
        path: path.to_owned(),
        root: root.to_owned(),
    })
}

/// The directory of a list, and the directory below it whose input was looked at last.
struct ListedRoot {
    path: Arc<Path>,
    resolved: PathBuf,
    /// The directory below the root, and true if no link leads there.
    last: Option<(PathBuf, bool)>,
}

impl ListedRoot {
    fn new(root: &Path) -> Self {
        Self {
            path: root.into(),
            resolved: identity(root),
            last: None,
        }
    }

    /// Checks that an input is a file that a search would have found.
    fn check(&mut self, path: &Path, relative: &Path) -> io::Result<()> {
        let there = system::symlink_metadata(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => io::Error::other("the input list names it, but it is not there"),
            _ => error,
        })?;
        if !there.is_file() {
            let kind = match (there.is_dir(), there.is_symlink()) {
                (true, _) => "a directory",
                (_, true) => "a link, which a search would not follow,",
                _ => "no regular file",
            };
            let message = format!("it is {kind} and the input list names it as a file");
            return Err(io::Error::other(message));
        }
        let directory = parent_of(relative);
        if self.is_direct(directory) {
            return Ok(());
        }
        Err(io::Error::other(
            "a link leads to its directory, and a search follows no links",
        ))
    }

    /// Returns true if no link leads from the root to a directory below it.
    fn is_direct(&mut self, directory: &Path) -> bool {
        if let Some((last, is_direct)) = &self.last
            && last == directory
        {
            return *is_direct;
        }
        let is_direct = identity(&self.path.join(directory)) == self.resolved.join(directory);
        self.last = Some((directory.to_owned(), is_direct));
        is_direct
    }
}
