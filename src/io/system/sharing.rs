//! Permissions and owners of files and directories that several users share.

use std::path::Path;
use std::{fs, io};

use super::Handle;
#[cfg(unix)]
use super::operations::{metadata, symlink_metadata};
#[cfg(unix)]
use super::planted::pass;

/// Lets the group, or all users, write in the directory `path` if they may write in the directory `model`. Does nothing if
/// `model` is sticky, because users do not share their files there.
#[cfg(unix)]
pub fn share_like(path: &Path, model: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, chown};
    let there = symlink_metadata(path)?;
    let like = metadata(model)?;
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

/// Returns the mode of `there`, with those bits of the mode of `like` added that give the group (`group`) and all users
/// (`all`) access, if `like` is shared with them.
#[cfg(unix)]
fn shared_mode(there: &fs::Metadata, like: &fs::Metadata, group: u32, all: u32) -> u32 {
    use std::os::unix::fs::MetadataExt;
    let shared = |write: u32, bits: u32| {
        if is_shared(like, write) {
            bits & like.mode()
        } else {
            0
        }
    };
    (there.mode() & 0o7777) | shared(GROUP_WRITES, group) | shared(ALL_WRITE, all)
}

#[cfg(unix)]
const GROUP_WRITES: u32 = 0o020;
#[cfg(unix)]
const ALL_WRITE: u32 = 0o002;

/// Returns true if a bit of its mode lets a group or all users write in a directory, and it is not sticky.
#[cfg(unix)]
fn is_shared(directory: &fs::Metadata, bit: u32) -> bool {
    let mode = std::os::unix::fs::MetadataExt::mode(directory);
    mode & 0o1000 == 0 && mode & bit != 0
}

/// Returns the number of the user of this process if `directory` is sticky, because users keep their files apart there.
#[cfg(unix)]
pub fn user_apart(directory: &Path) -> Option<u32> {
    let there = metadata(directory);
    let mode = there.map(|there| std::os::unix::fs::MetadataExt::mode(&there));
    let is_sticky = mode.is_ok_and(|mode| mode & 0o1000 != 0);
    is_sticky.then(|| rustix::process::geteuid().as_raw())
}

#[cfg(not(unix))]
pub fn user_apart(_: &Path) -> Option<u32> {
    None
}

#[cfg(not(unix))]
pub fn share_like(_: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}

/// Gives the file at `path` the permissions for reading, writing and executing that the file of the metadata `of` has, and
/// its owner and group as far as the system allows that.
#[cfg(unix)]
pub fn keep_owner_and_mode(path: &Path, of: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let now = symlink_metadata(path)?;
    if (now.uid(), now.gid()) != (of.uid(), of.gid()) {
        // Only the superuser may change the owner of a file; its owner may change the group to one that they belong to.
        let _ = chown(path, Some(of.uid()), Some(of.gid()))
            .or_else(|_| chown(path, None, Some(of.gid())));
    }
    let mode = of.permissions().mode() & 0o777;
    if now.permissions().mode() & 0o777 != mode {
        pass("set permissions of", path)?;
        fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
    }
    Ok(())
}

#[cfg(not(unix))]
pub fn keep_owner_and_mode(_: &Path, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

impl Handle {
    /// Lets the group, or all users, read and write the file if they may write in the directory `model`, as
    /// [`share_like`] does for directories.
    #[cfg(unix)]
    pub(in crate::io) fn share_like(&self, model: &Path) -> io::Result<()> {
        use std::os::unix::fs::{MetadataExt, fchown};
        let there = self.metadata()?;
        let like = metadata(model)?;
        let mode = shared_mode(&there, &like, 0o060, 0o006);
        if is_shared(&like, GROUP_WRITES) && there.gid() != like.gid() {
            let _ = fchown(self, None, Some(like.gid()));
        }
        if there.mode() & 0o7777 != mode {
            pass("set permissions of", self.path())?;
            let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
            self.file().set_permissions(mode)?;
        }
        Ok(())
    }

    #[cfg(not(unix))]
    pub(in crate::io) fn share_like(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}
