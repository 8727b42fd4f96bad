//! Inputs that are streams: standard input, and pipes that have a name.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::draft::{is_descriptor, is_open_file};
use super::system;
use rigy_base::paths::Slashed;

/// A stream that is read to its end, once.
#[derive(Debug, PartialEq, Eq)]
pub enum StreamInput {
    /// Standard input of this process.
    StandardInput,
    /// A pipe at a path.
    Pipe(PathBuf),
}

impl StreamInput {
    /// Returns the stream that a path leads to: `-` and `/dev/stdin` are standard input, and a pipe is itself. Returns `None`
    /// for files, directories and devices, and if nothing is there.
    pub fn at(path: &Path) -> Option<Self> {
        if path == Path::new("-") || is_descriptor(path, 0) {
            return Some(Self::StandardInput);
        }
        is_pipe(path).then(|| Self::Pipe(path.to_owned()))
    }

    /// Returns the name of the stream for messages: `standard input`, or that of a pipe without its directory.
    pub fn name(&self) -> PathBuf {
        match self {
            Self::StandardInput => PathBuf::from("standard input"),
            Self::Pipe(path) => {
                let name = path.file_name().unwrap_or_default();
                // The name of a pipe that a shell has opened is a number.
                if is_open_file(path) {
                    PathBuf::from(format!("pipe {}", Path::new(name).slashed()))
                } else {
                    name.into()
                }
            }
        }
    }

    /// Reads the stream to its end. Waits until another program has opened the pipe and closed it. Of a stream that has more
    /// than `limit` bytes, one byte more than these is read, which tells.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(&self, limit: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let most = limit.saturating_add(1);
        match self {
            Self::StandardInput => io::stdin().lock().take(most).read_to_end(&mut bytes),
            Self::Pipe(path) => system::open_pipe(path)?.take(most).read_to_end(&mut bytes),
        }?;
        Ok(bytes)
    }
}

/// Returns true if a path leads to a pipe.
#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let there = system::metadata(path);
    there.is_ok_and(|there| there.file_type().is_fifo())
}

/// Elsewhere pipes have no place among files.
#[cfg(not(unix))]
fn is_pipe(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_streams_are_streams() {
        for path in ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] {
            assert_eq!(
                StreamInput::at(Path::new(path)),
                Some(StreamInput::StandardInput)
            );
        }
        for path in ["./-", "/dev/null", ".", "src/lib.rs", "/none"] {
            assert_eq!(StreamInput::at(Path::new(path)), None, "{path}");
        }
    }
}
