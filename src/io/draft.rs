//! Files that are written over the course of a run: reports.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::IoError;
use super::sink::{Sink, Staged};
use super::spelling::{is_null_device, unusable_output};
use super::sync::directory_of;
use super::system::{self, Handle};
use rigy_base::paths::parent_of;

/// The destination of a file that the user has named, with links followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Standard output of this process.
    StandardOutput,
    /// A pipe, a device or another open file. It is written to and never replaced.
    Stream(PathBuf),
    /// The path of a regular file that may or may not exist. It is replaced when the new content is whole.
    File(PathBuf),
}

/// A file that is being written. If it is dropped before it is committed, the destination stays as it was, unless it is a
/// stream, which has received the bytes already.
#[derive(Debug)]
pub struct Draft(Kind);

#[derive(Debug)]
enum Kind {
    Staged { handle: Handle, staged: Box<Staged> },
    Stream(Handle),
}

/// The largest number of links that are followed on the way to a file; systems have such a limit as well.
const MAX_LINKS: usize = 40;

impl Destination {
    /// Follows `path` to its destination. `-` is standard output.
    ///
    /// # Errors
    /// If the path leads to a directory, to an open file that is neither empty nor standard output or standard error, or
    /// nowhere because its links form a circle; if the system cannot look at it.
    pub fn of(path: &Path) -> Result<Self, IoError> {
        let failed = |error| IoError::new("write", path, error);
        let is_directory = || failed(io::ErrorKind::IsADirectory.into());
        let text = path.as_os_str().as_encoded_bytes();
        if path.file_name().is_none() || text.ends_with(b"/") || text.ends_with(b"/.") {
            return Err(is_directory());
        }
        let mut place = path.to_owned();
        for _ in 0..MAX_LINKS {
            if is_null_device(&place) {
                return Ok(Self::Stream(place));
            }
            if let Some(reason) = unusable_output(&place) {
                return Err(failed(reason));
            }
            if is_descriptor(&place, 1) || place == Path::new("-") {
                return Ok(Self::StandardOutput);
            }
            // Such a link cannot be followed by name: opening it opens the file that is open already.
            if is_open_file(&place) {
                let there = system::metadata(&place).map_err(failed)?;
                let is_writable = !there.is_file() || there.len() == 0 || is_descriptor(&place, 2);
                return if is_writable {
                    Ok(Self::Stream(place))
                } else {
                    Err(failed(io::Error::other("an open file that is not empty")))
                };
            }
            match system::symlink_metadata(&place) {
                Ok(there) if there.is_symlink() => {
                    let target = system::read_link(&place).map_err(failed)?;
                    place = directory_of(&place).join(target);
                }
                Ok(there) if there.is_dir() => return Err(is_directory()),
                Ok(there) if !there.is_file() => return Ok(Self::Stream(place)),
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
                _ => return Ok(Self::File(place)),
            }
        }
        Err(failed(io::Error::other("its links lead in a circle")))
    }
}

/// Returns true if a path is one of those by which systems show open file `number` of this process.
pub fn is_descriptor(path: &Path, number: u32) -> bool {
    let named = match number {
        0 => path == Path::new("/dev/stdin"),
        1 => path == Path::new("/dev/stdout"),
        2 => path == Path::new("/dev/stderr"),
        _ => false,
    };
    let numbered =
        ["/dev/fd", "/proc/self/fd"].map(|place| Path::new(place).join(number.to_string()));
    named || numbered.iter().any(|place| place == path)
}

/// Returns true if a path is one of those by which systems show the open files of any process: `/dev/fd/3`,
/// `/proc/self/fd/3`, `/proc/1234/fd/3`.
pub fn is_open_file(path: &Path) -> bool {
    let is_number = |name: &OsStr| name.as_encoded_bytes().iter().all(u8::is_ascii_digit);
    let directory = parent_of(path);
    let is_fd = directory == Path::new("/dev/fd")
        || directory.starts_with("/proc") && directory.ends_with("fd");
    is_descriptor(path, 2)
        || path == Path::new("/dev/stdin")
        || is_fd && path.file_name().is_some_and(is_number)
}

impl Draft {
    /// Begins to write to a destination: as [`beside`](Self::beside) to a file, as [`to_stream`](Self::to_stream) to a stream.
    /// Returns `None` for standard output, which the caller has open.
    ///
    /// # Errors
    /// If no file can be created there, or the stream cannot be opened.
    pub fn to(
        destination: &Destination,
        sync: bool,
        stop: impl Fn() -> bool,
    ) -> Result<Option<Self>, IoError> {
        match destination {
            Destination::StandardOutput => Ok(None),
            Destination::Stream(path) => Self::to_stream(path, stop).map(Some),
            Destination::File(path) => Self::beside(path, sync).map(Some),
        }
    }

    /// Creates an empty file that will replace the file at `path`, or appear there; directories that are missing are created. Until it is committed it is in a private
    /// directory in the same directory. With `sync`, committing it waits for the disk.
    ///
    /// # Errors
    /// If no file can be created there, or if something other than a regular file is at `path`.
    pub fn beside(path: &Path, sync: bool) -> Result<Self, IoError> {
        let failed = |error: io::Error| IoError::new("write", path, error);
        match system::metadata(path) {
            Ok(there) if !there.is_file() => {
                let error = io::Error::new(io::ErrorKind::InvalidInput, "not a regular file");
                return Err(IoError::new("replace", path, error));
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
        let sink = Sink::below(directory_of(path), sync)?;
        let (handle, staged) = sink.draft(path).map_err(failed)?;
        let staged = Box::new(staged);
        Ok(Self(Kind::Staged { handle, staged }))
    }

    /// Opens the pipe, device or open file at `path` to append to it. Waits until a pipe has a reader, or `stop` returns true.
    fn to_stream(path: &Path, stop: impl Fn() -> bool) -> Result<Self, IoError> {
        loop {
            match system::open_stream(path) {
                Ok(handle) => return Ok(Self(Kind::Stream(handle))),
                Err(error) if system::has_no_reader(&error) && !stop() => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                Err(error) => return Err(IoError::new("write", path, error)),
            }
        }
    }

    /// Returns the stream that the draft is written to; `None` if it is written to a file.
    #[cfg(unix)]
    pub fn stream(&self) -> Option<&Handle> {
        match &self.0 {
            Kind::Stream(handle) => Some(handle),
            Kind::Staged { .. } => None,
        }
    }

    /// Writes the whole content and [commits](Self::commit) it.
    ///
    /// # Errors
    /// If the content cannot be written, or not be committed.
    pub fn finish(mut self, content: &[u8]) -> Result<(), IoError> {
        let written = self.write_all(content);
        let path = match &self.0 {
            Kind::Staged { staged, .. } => staged.path(),
            Kind::Stream(handle) => handle.path(),
        };
        written.map_err(|error| IoError::new("write", path, error))?;
        self.commit()
    }

    /// Renames the file to its destination, and waits for the disk if that is asked for. Does nothing for a stream.
    ///
    /// # Errors
    /// If the file cannot be renamed or forced onto the disk.
    pub fn commit(self) -> Result<(), IoError> {
        match self.0 {
            Kind::Staged { handle, staged } => {
                drop(handle);
                staged.finish()
            }
            Kind::Stream(_) => Ok(()),
        }
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Kind::Staged { handle, .. } | Kind::Stream(handle) => handle.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(()) // a handle has no buffer
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use rigy_base::paths::Slashed;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_followed_to_what_is_written() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        std::fs::write(path("real"), "").unwrap();
        std::fs::create_dir(path("directory")).unwrap();
        for (link, target) in [
            ("to_real", "real"),
            ("to_link", "to_real"),
            ("dangling", "directory/new"),
            ("circle", "circle"),
            ("to_output", "/dev/stdout"),
            ("to_null", "/dev/null"),
        ] {
            symlink(target, path(link)).unwrap();
        }
        let of = |name: &str| Destination::of(&path(name)).unwrap();
        assert_eq!(of("to_link"), Destination::File(path("real")));
        assert_eq!(of("missing"), Destination::File(path("missing")));
        assert_eq!(of("dangling"), Destination::File(path("directory/new")));
        assert_eq!(of("to_output"), Destination::StandardOutput);
        assert_eq!(of("to_null"), Destination::Stream("/dev/null".into()));
        assert!(Destination::of(&path("circle")).is_err());
        assert!(Destination::of(&path("directory")).is_err());
        let output = Destination::of(Path::new("-")).unwrap();
        assert_eq!(output, Destination::StandardOutput);
        let of = |path: &str| Destination::of(Path::new(path));
        assert_eq!(of("/dev/fd/1").unwrap(), Destination::StandardOutput);
        assert!(of("/dev/fd/777").is_err(), "no such file is open");
        assert!(of(&format!("{}/", path("real").slashed())).is_err());
        // Other paths below /proc lead to ordinary files.
        let here = format!("/proc/self/root{}", path("real").slashed());
        assert_eq!(of(&here).unwrap(), Destination::File(here.into()));
    }
}
