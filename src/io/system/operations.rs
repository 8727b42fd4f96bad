//! The operations.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::handle::Handle;
use super::planted::pass;

/// The flag for opening that does not follow a link in the place of the file, where the system has one.
#[cfg(unix)]
const NO_FOLLOW: i32 = libc::O_NOFOLLOW;
#[cfg(not(unix))]
const NO_FOLLOW: i32 = 0;

/// Returns options that open a file without waiting for the other end, in case the path leads to a pipe.
#[cfg(unix)]
fn without_waiting(flags: i32) -> OpenOptions {
    let mut options = OpenOptions::new();
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | flags);
    options
}
#[cfg(not(unix))]
fn without_waiting(_: i32) -> OpenOptions {
    OpenOptions::new()
}

/// Opens a file with these options, unless a fault of the operation is planted.
fn opened(operation: &'static str, options: &OpenOptions, path: &Path) -> io::Result<Handle> {
    pass(operation, path)?;
    Ok(Handle::new(options.open(path)?, path))
}

/// Opens a file for reading.
pub fn open(path: &Path) -> io::Result<Handle> {
    opened("open", without_waiting(0).read(true), path)
}

/// Opens a pipe for reading, and waits until another program has opened it for writing.
#[cfg(feature = "cli")]
pub fn open_pipe(path: &Path) -> io::Result<Handle> {
    opened("open", File::options().read(true), path)
}

/// Creates a file; fails if there is a file, directory or link at the path.
pub fn create(path: &Path) -> io::Result<Handle> {
    let mut options = File::options();
    opened(
        "create",
        options.read(true).write(true).create_new(true),
        path,
    )
}

/// Opens a file in order to lock it, or creates it; a link is not followed.
pub fn open_lock(path: &Path) -> io::Result<Handle> {
    let mut options = without_waiting(NO_FOLLOW);
    options.read(true).write(true).create(true).truncate(false);
    opened("create", &options, path)
}

/// Opens a file to append to it, or creates it; a link is not followed.
pub fn open_to_append(path: &Path) -> io::Result<Handle> {
    let mut options = without_waiting(NO_FOLLOW);
    opened("create", options.append(true).create(true), path)
}

/// Opens a file in order to force its bytes onto the disk. Windows permits that for handles that may write.
#[cfg(not(target_os = "linux"))]
pub fn open_to_sync(path: &Path) -> io::Result<Handle> {
    let mut options = without_waiting(0);
    opened("open", options.read(true).write(cfg!(windows)), path)
}

/// Opens a pipe, a device or an open file of a process to append to it, without waiting: opening a pipe fails if it has
/// no reader ([`has_no_reader`]).
pub fn open_stream(path: &Path) -> io::Result<Handle> {
    opened("create", without_waiting(0).append(true), path)
}

/// Returns true if opening a pipe has failed because no process has opened it for reading.
pub fn has_no_reader(error: &io::Error) -> bool {
    #[cfg(unix)]
    return error.raw_os_error() == Some(libc::ENXIO);
    #[cfg(not(unix))]
    return {
        let _ = error;
        false
    };
}

/// Returns the metadata of the file or directory that a path leads to; links are followed.
pub fn metadata(path: &Path) -> io::Result<Metadata> {
    pass("look at", path)?;
    fs::metadata(path)
}

/// Returns the metadata of the file, directory or link at a path; a link is not followed.
pub fn symlink_metadata(path: &Path) -> io::Result<Metadata> {
    pass("look at", path)?;
    fs::symlink_metadata(path)
}

/// Returns true if a path leads to a directory.
pub fn is_dir(path: &Path) -> bool {
    metadata(path).is_ok_and(|there| there.is_dir())
}

/// Returns true if a path leads to a file or directory.
pub fn exists(path: &Path) -> bool {
    metadata(path).is_ok()
}

/// Returns true if there is a link at a path.
pub fn is_link(path: &Path) -> bool {
    symlink_metadata(path).is_ok_and(|there| there.is_symlink())
}

/// Returns the length of a file in bytes for an estimate; 0 if the system does not tell. No fault is planted here, because
/// a failure would have no effect: if the file cannot be read, reading it reports that.
pub fn len_for_estimate(path: &Path) -> u64 {
    metadata_for_hint(path).map_or(0, |there| there.len())
}

/// Returns the metadata of a file or directory of this run. No fault is planted here, because a failure has no effect on what is
/// written.
pub fn metadata_for_hint(path: &Path) -> io::Result<Metadata> {
    fs::metadata(path)
}

/// Returns the path that a link contains.
pub fn read_link(path: &Path) -> io::Result<PathBuf> {
    pass("resolve", path)?;
    fs::read_link(path)
}

/// Returns the same as [`symlink_metadata`] to a caller that otherwise calls [`canonicalize`].
pub fn metadata_to_resolve(path: &Path) -> io::Result<Metadata> {
    pass("resolve", path)?;
    fs::symlink_metadata(path)
}

/// Returns the absolute path with every link resolved. On Windows it has no `\\?\`, which other paths do not have either, unless
/// it is too long without.
pub fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    pass("resolve", path)?;
    #[cfg(windows)]
    return dunce::canonicalize(path);
    #[cfg(not(windows))]
    fs::canonicalize(path)
}

/// Creates one directory.
pub fn create_dir(path: &Path) -> io::Result<()> {
    pass("create directory", path)?;
    fs::create_dir(path)
}

/// Returns the entries of a directory, in no particular order.
pub fn list(path: &Path) -> io::Result<fs::ReadDir> {
    pass("list", path)?;
    fs::read_dir(path)
}

/// Renames a file or directory, replacing the one at `to` if there is one.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    pass("rename", to)?;
    #[cfg(not(windows))]
    return fs::rename(from, to);
    #[cfg(windows)]
    renamed_in_time(from, to)
}

/// Renames a file or directory. Windows refuses while another thread or program replaces the file too, or has it open, as programs
/// that look for viruses or make an index do for a moment; so this tries again for a second.
#[cfg(windows)]
fn renamed_in_time(from: &Path, to: &Path) -> io::Result<()> {
    let is_denied = |error: &io::Error| matches!(error.raw_os_error(), Some(5 | 32));
    let mut wait = std::time::Duration::from_millis(1);
    loop {
        match fs::rename(from, to) {
            Err(error) if is_denied(&error) && wait.as_millis() < 512 && !to.is_dir() => {
                std::thread::sleep(wait);
                wait *= 2;
            }
            renamed => return renamed,
        }
    }
}

/// Removes a file.
pub fn remove(path: &Path) -> io::Result<()> {
    pass("remove", path)?;
    fs::remove_file(path)
}

/// Removes an empty directory.
pub fn remove_dir(path: &Path) -> io::Result<()> {
    pass("remove", path)?;
    fs::remove_dir(path)
}

/// Removes a directory with its content; links in it are not followed.
pub fn remove_tree(path: &Path) -> io::Result<()> {
    pass("remove", path)?;
    fs::remove_dir_all(path)
}
