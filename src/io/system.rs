//! The door to the system: operations on files and directories go through here, past [`pass`], unless others do them for
//! us (`io/faults.rs` says who).

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::faults::pass;
use crate::base::output::WriteAt;

/// An open file that knows its path.
#[derive(Debug)]
pub struct Handle {
    file: File,
    path: PathBuf,
}

/// Where the system knows of it: a link in the place of the file is not followed.
#[cfg(unix)]
const NO_FOLLOW: i32 = libc::O_NOFOLLOW;
#[cfg(not(unix))]
const NO_FOLLOW: i32 = 0;

/// Options that open files without waiting for the other end of what has become a pipe.
fn without_waiting(flags: i32) -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | flags);
    #[cfg(not(unix))]
    let _ = flags;
    options
}

/// Opens a file to read it.
pub(super) fn open(path: &Path) -> io::Result<Handle> {
    pass("open", path)?;
    let file = without_waiting(0).read(true).open(path)?;
    let path = path.to_owned();
    Ok(Handle { file, path })
}

/// Creates a file where there is nothing.
pub(super) fn create(path: &Path) -> io::Result<Handle> {
    pass("create", path)?;
    let file = File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(path)?;
    let path = path.to_owned();
    Ok(Handle { file, path })
}

/// Opens a file to lock it, or creates it; a link is not followed.
pub(super) fn open_lock(path: &Path) -> io::Result<Handle> {
    pass("create", path)?;
    let mut options = without_waiting(NO_FOLLOW);
    let options = options.read(true).write(true).create(true).truncate(false);
    let file = options.open(path)?;
    let path = path.to_owned();
    Ok(Handle { file, path })
}

/// Opens a file to write at its end, wherever that is by then, or creates it; a link is not followed.
pub(super) fn open_to_append(path: &Path) -> io::Result<Handle> {
    pass("create", path)?;
    let mut options = without_waiting(NO_FOLLOW);
    let file = options.append(true).create(true).open(path)?;
    let path = path.to_owned();
    Ok(Handle { file, path })
}

/// Opens a pipe, a device or an open file of a process to write at its end, without waiting: a pipe must have a reader
/// ([`has_no_reader`]).
pub(super) fn open_stream(path: &Path) -> io::Result<Handle> {
    pass("create", path)?;
    let file = without_waiting(0).append(true).open(path)?;
    let path = path.to_owned();
    Ok(Handle { file, path })
}

/// Whether opening a pipe has failed because nothing has opened it to read.
pub(super) fn has_no_reader(error: &io::Error) -> bool {
    #[cfg(unix)]
    return error.raw_os_error() == Some(libc::ENXIO);
    #[cfg(not(unix))]
    return {
        let _ = error;
        false
    };
}

/// What a path leads to.
pub(super) fn metadata(path: &Path) -> io::Result<Metadata> {
    pass("look at", path)?;
    fs::metadata(path)
}

/// What a path is itself, if it is a link.
pub(super) fn symlink_metadata(path: &Path) -> io::Result<Metadata> {
    pass("look at", path)?;
    fs::symlink_metadata(path)
}

/// Whether a path leads to a directory.
pub(super) fn is_dir(path: &Path) -> bool {
    metadata(path).is_ok_and(|there| there.is_dir())
}

/// What a link says.
pub(super) fn read_link(path: &Path) -> io::Result<PathBuf> {
    pass("resolve", path)?;
    fs::read_link(path)
}

/// The path with every link resolved.
pub(super) fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    pass("resolve", path)?;
    fs::canonicalize(path)
}

/// Creates one directory.
pub(super) fn create_dir(path: &Path) -> io::Result<()> {
    pass("create directory", path)?;
    fs::create_dir(path)
}

/// The entries of a directory, in no order.
pub(super) fn list(path: &Path) -> io::Result<fs::ReadDir> {
    pass("list", path)?;
    fs::read_dir(path)
}

/// Lets the users who may write in the directory `model` because it is open to a group, or to all, write in the directory
/// `path`, too. A sticky directory belongs to users who do not share their files.
#[cfg(unix)]
pub(super) fn share_like(path: &Path, model: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, chown};
    let (there, like) = (symlink_metadata(path)?, metadata(model)?);
    let mode = shared_mode(&there, &like, 0o2070, 0o0007);
    if is_shared(&like, GROUP_WRITES) && there.gid() != like.gid() {
        let _ = chown(path, None, Some(like.gid()));
    }
    if there.mode() & 0o7777 != mode {
        pass("set permissions of", path)?;
        fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))?;
    }
    Ok(())
}

/// The mode of a file or directory with those of the bits for the group and for all that `like` shares.
#[cfg(unix)]
fn shared_mode(there: &Metadata, like: &Metadata, group: u32, all: u32) -> u32 {
    use std::os::unix::fs::MetadataExt;
    let shared = |write: u32, bits: u32| match is_shared(like, write) {
        true => bits & like.mode(),
        false => 0,
    };
    (there.mode() & 0o7777) | shared(GROUP_WRITES, group) | shared(ALL_WRITE, all)
}

#[cfg(unix)]
const GROUP_WRITES: u32 = 0o020;
#[cfg(unix)]
const ALL_WRITE: u32 = 0o002;

/// Whether a directory is open to the users whom a bit of its mode lets write. In a sticky directory users do not share.
#[cfg(unix)]
fn is_shared(directory: &Metadata, bit: u32) -> bool {
    let mode = std::os::unix::fs::MetadataExt::mode(directory);
    mode & 0o1000 == 0 && mode & bit != 0
}

/// The user on whose behalf this process acts, where `directory` is sticky: there, users keep their files apart.
#[cfg(unix)]
pub(super) fn user_apart(directory: &Path) -> Option<u32> {
    let mode = metadata(directory).map(|there| std::os::unix::fs::MetadataExt::mode(&there));
    let is_sticky = mode.is_ok_and(|mode| mode & 0o1000 != 0);
    is_sticky.then(|| rustix::process::geteuid().as_raw())
}

#[cfg(not(unix))]
pub(super) fn user_apart(_: &Path) -> Option<u32> {
    None
}

#[cfg(not(unix))]
pub(super) fn share_like(_: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}

/// Gives a file the permissions for reading, writing and executing that another file has, and its owner and group as
/// far as the system allows that.
#[cfg(unix)]
pub(super) fn keep_owner_and_mode(path: &Path, of: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let now = symlink_metadata(path)?;
    if (now.uid(), now.gid()) != (of.uid(), of.gid()) {
        // Only the superuser may give a file away; a member of a group may give it to that group.
        let given = chown(path, Some(of.uid()), Some(of.gid()));
        let _ = given.or_else(|_| chown(path, None, Some(of.gid())));
    }
    let mode = of.permissions().mode() & 0o777;
    if now.permissions().mode() & 0o777 != mode {
        pass("set permissions of", path)?;
        fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
    }
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn keep_owner_and_mode(_: &Path, _: &Metadata) -> io::Result<()> {
    Ok(())
}

/// Renames a file or directory, replacing what is there.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    pass("rename", to)?;
    fs::rename(from, to)
}

/// Removes a file.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    pass("remove", path)?;
    fs::remove_file(path)
}

/// Removes an empty directory.
pub(super) fn remove_dir(path: &Path) -> io::Result<()> {
    pass("remove", path)?;
    fs::remove_dir(path)
}

/// Removes a directory with all that is in it; links in it are not followed.
pub(super) fn remove_tree(path: &Path) -> io::Result<()> {
    pass("remove", path)?;
    fs::remove_dir_all(path)
}

impl Handle {
    /// Its path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file, to be mapped.
    #[cfg(unix)]
    pub(super) fn to_map(&self) -> io::Result<&File> {
        pass("map", &self.path)?;
        Ok(&self.file)
    }

    /// The file, for questions that nothing hangs on.
    #[cfg(target_os = "linux")]
    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// What the file is now.
    pub(super) fn metadata(&self) -> io::Result<Metadata> {
        pass("look at", &self.path)?;
        self.file.metadata()
    }

    /// Lets the users read and write the file who may write in the directory `model`, as [`share_like`] does.
    #[cfg(unix)]
    pub(super) fn share_like(&self, model: &Path) -> io::Result<()> {
        use std::os::unix::fs::{MetadataExt, fchown};
        let (there, like) = (self.metadata()?, metadata(model)?);
        let mode = shared_mode(&there, &like, 0o060, 0o006);
        if is_shared(&like, GROUP_WRITES) && there.gid() != like.gid() {
            let _ = fchown(&self.file, None, Some(like.gid()));
        }
        if there.mode() & 0o7777 != mode {
            pass("set permissions of", &self.path)?;
            let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
            self.file.set_permissions(mode)?;
        }
        Ok(())
    }

    #[cfg(not(unix))]
    pub(super) fn share_like(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    /// Makes the file as long as said.
    pub(super) fn set_len(&self, len: u64) -> io::Result<()> {
        pass("set length of", &self.path)?;
        self.file.set_len(len)
    }

    /// Waits until all of the file is on the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        pass("sync", &self.path)?;
        self.file.sync_all()
    }

    /// Waits until all that was written to the same file system is on the disk.
    #[cfg(target_os = "linux")]
    pub(super) fn sync_file_system(&self) -> io::Result<()> {
        pass("sync", &self.path)?;
        Ok(rustix::fs::syncfs(&self.file)?)
    }

    /// Locks the file until it is closed: whether nobody else has.
    pub(super) fn try_lock(&self) -> io::Result<bool> {
        pass("lock", &self.path)?;
        match self.file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Fills a buffer with the bytes from an offset on.
    #[cfg(unix)]
    pub(super) fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        pass("read", &self.path)?;
        std::os::unix::fs::FileExt::read_exact_at(&self.file, buffer, offset)
    }

    /// Fills a buffer with the bytes from an offset on.
    #[cfg(windows)]
    pub(super) fn read_exact_at(&self, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
        pass("read", &self.path)?;
        while !buffer.is_empty() {
            let read = std::os::windows::fs::FileExt::seek_read(&self.file, buffer, offset)?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            (buffer, offset) = (&mut buffer[read..], offset + read as u64);
        }
        Ok(())
    }
}

#[cfg(unix)]
impl std::os::fd::AsFd for Handle {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl Read for Handle {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        pass("read", &self.path)?;
        self.file.read(buffer)
    }
}

impl Write for Handle {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        pass("write", &self.path)?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(()) // nothing is kept back
    }
}

/// Files that are written in any order and by several threads at once.
impl WriteAt for Handle {
    #[cfg(unix)]
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        pass("write", &self.path)?;
        std::os::unix::fs::FileExt::write_all_at(&self.file, bytes, offset)
    }

    #[cfg(windows)]
    fn write_at(&self, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
        pass("write", &self.path)?;
        while !bytes.is_empty() {
            let written = std::os::windows::fs::FileExt::seek_write(&self.file, bytes, offset)?;
            if written == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            (bytes, offset) = (&bytes[written..], offset + written as u64);
        }
        Ok(())
    }
}
