//! Replacing files: a private temporary file first, a rename once it is whole.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use super::IoError;
use super::durability::{Durability, Pending, directory_of, sync_directory};
use super::private::{Private, Temporary};
use super::system::{self, Handle};
use super::target::{self, Target};
use crate::base::loader::Stamp;
use crate::base::output::WriteAt;

/// Writes outputs below one root, by way of a private directory there, which is removed when the sink and all that
/// it has staged are dropped.
#[derive(Debug)]
pub struct Sink(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    private: Private,
    durability: Durability,
    pending: Pending,
}

/// A file that is complete but not yet in its place. Dropped, it disappears.
#[derive(Debug)]
pub struct Staged {
    /// Closed: of many outputs, all are staged before the first is put in its place.
    file: Temporary,
    target: Target,
    sink: Arc<Shared>,
}

impl Sink {
    /// Prepares to write below an output root, which is created if need be. What dead runs have left there is
    /// removed; what living ones have there is not.
    ///
    /// # Errors
    /// If the root cannot be created or written to.
    pub fn new(root: &Path, durability: Durability) -> Result<Self, IoError> {
        let made = target::make(root)?;
        let sink = Self::below(root, durability)?;
        made.iter().try_for_each(|place| sink.0.placed(place))?;
        sink.0.private.check_root()?;
        if durability != Durability::None {
            sink.0.pending.add_file_system(root);
        }
        Ok(sink)
    }

    /// Removes what dead runs have left in a directory of outputs, which is not a root: on a file system of its own,
    /// copies are made there. What cannot be removed stays.
    pub fn sweep(directory: &Path) {
        Private::sweep_below(directory);
    }

    pub(super) fn below(root: &Path, durability: Durability) -> Result<Self, IoError> {
        Ok(Self(Arc::new(Shared {
            private: Private::below(root)?,
            durability,
            pending: Pending::default(),
        })))
    }

    /// Writes a whole new content for `target` without touching it yet.
    ///
    /// # Errors
    /// Creating or writing the temporary file.
    pub fn stage(
        &self,
        target: Target,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Staged, IoError> {
        let failed = |e| IoError::new("write", &target.path, e);
        let (mut handle, file) = self.0.private.file().map_err(failed)?;
        write(&mut handle).map_err(failed)?;
        self.0.whole(&handle).map_err(failed)?;
        Ok(self.staged(file, target))
    }

    /// The same for content of `len` bytes that comes in any order. What `write` fails with beside the disk comes back
    /// as it is.
    ///
    /// # Errors
    /// Creating or writing the temporary file, or whatever else `write` comes to.
    pub fn stage_at<T, E>(
        &self,
        target: Target,
        len: u64,
        write: impl FnOnce(&dyn WriteAt) -> Result<T, E>,
    ) -> Result<Result<(Staged, T), E>, IoError> {
        let failed = |e| IoError::new("write", &target.path, e);
        let (handle, file) = self.0.private.file().map_err(failed)?;
        handle.set_len(len).map_err(failed)?;
        let value = match write(&handle) {
            Ok(value) => value,
            Err(error) => return Ok(Err(error)),
        };
        self.0.whole(&handle).map_err(failed)?;
        Ok(Ok((self.staged(file, target), value)))
    }

    fn staged(&self, file: Temporary, target: Target) -> Staged {
        let sink = self.0.clone();
        Staged { file, target, sink }
    }

    /// An empty temporary file that will replace `target`, for content that is written bit by bit.
    ///
    /// # Errors
    /// Creating it.
    pub(super) fn draft(&self, target: &Path) -> io::Result<(Handle, Staged)> {
        let (handle, file) = self.0.private.file()?;
        Ok((handle, self.staged(file, Target::new(target))))
    }

    /// Everything has been written: unless nobody asked for it, waits until it is on the disk, and with it what earlier
    /// runs have left to the system, where there is a call for that.
    ///
    /// # Errors
    /// If the disk does not take it.
    pub fn finish(&self) -> Result<(), IoError> {
        self.0.pending.sync()
    }
}

impl Shared {
    /// A temporary file has all its bytes.
    fn whole(&self, handle: &Handle) -> io::Result<()> {
        match self.durability {
            Durability::File => handle.sync(),
            _ => Ok(()),
        }
    }
}

impl Staged {
    /// Makes sure that the file can be put in its place: its directory is there, and no directory stands
    /// where it goes.
    ///
    /// # Errors
    /// Creating the directory, or a directory in the way.
    pub fn prepare(&self) -> Result<(), IoError> {
        let made = self.target.prepare()?;
        made.iter().try_for_each(|place| self.sink.placed(place))
    }

    /// Makes sure that all bytes of the file, which has been written by way of `handle`, are on the disk where that is asked
    /// for, puts it in its place and ends the writing.
    ///
    /// # Errors
    /// The disk, or renaming.
    pub(super) fn finish(self, handle: Handle) -> Result<(), IoError> {
        let sink = self.sink.clone();
        let failed = |error| IoError::new("write", &self.target.path, error);
        sink.whole(&handle).map_err(failed)?;
        drop(handle);
        self.commit()?;
        sink.pending.sync()
    }

    /// Reads the file back.
    ///
    /// # Errors
    /// Opening it.
    pub fn reopen(&self) -> Result<Handle, IoError> {
        system::open(self.file.path()).map_err(|e| IoError::new("read back", &self.target.path, e))
    }

    /// Puts the file in its place; gives what it was before that changed its name.
    ///
    /// # Errors
    /// Renaming; under [`Durability::File`], forcing it onto the disk, when it is in its place already.
    pub fn commit(self) -> Result<Stamp, IoError> {
        let Self { file, target, sink } = self;
        let failed = |error| IoError::new("replace", &target.path, error);
        let stamp = target.ready(file.path()).map_err(failed)?;
        match file.persist(&target.path) {
            Ok(()) => sink.placed(&target.path).map(|()| stamp),
            Err((error, original)) if error.kind() == io::ErrorKind::CrossesDevices => {
                by_way_of_a_copy(&original, target, sink.durability)
            }
            Err((error, _)) => Err(failed(error)),
        }
    }
}

impl Shared {
    /// A file or directory has been put in its place.
    fn placed(&self, path: &Path) -> Result<(), IoError> {
        match self.durability {
            Durability::None => Ok(()),
            Durability::Batch => {
                self.pending.add(path);
                Ok(())
            }
            Durability::File => sync_directory(directory_of(path)),
        }
    }
}

/// Where the target lies on another file system (a mount inside the tree), its directory gets a private directory for
/// the moment.
fn by_way_of_a_copy(
    original: &Temporary,
    target: Target,
    durability: Durability,
) -> Result<Stamp, IoError> {
    let durability = match durability {
        Durability::Batch => Durability::File,
        other => other,
    };
    let sink = Sink::below(directory_of(&target.path), durability)?;
    let staged = sink.stage(target, |out| {
        let mut original = system::open(original.path())?;
        io::copy(&mut original, out).map(drop)
    })?;
    let Staged { file, target, sink } = staged;
    let failed = |error| IoError::new("replace", &target.path, error);
    let stamp = target.ready(file.path()).map_err(failed)?;
    let persisted = file.persist(&target.path);
    persisted.map_err(|(error, _)| failed(error))?;
    sink.placed(&target.path).map(|()| stamp)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let root = tempfile::tempdir().unwrap();
        let target = root.path().join("sub/a.glb");
        let sink = Sink::new(root.path(), Durability::File).unwrap();
        let staged = sink
            .stage(Target::new(&target), |out| out.write_all(b"one"))
            .unwrap();
        assert!(!target.exists());
        staged.prepare().unwrap();
        staged.commit().unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"one");
        let half = sink.stage(Target::new(&target), |out| {
            out.write_all(b"tw")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(half.unwrap_err().to_string().contains("a.glb"));
        drop(
            sink.stage(Target::new(&target), |out| out.write_all(b"never"))
                .unwrap(),
        );
        assert_eq!(fs::read(&target).unwrap(), b"one");
        let has = |bytes: &[u8]| {
            let target = Target::new(&target);
            target.with_content(bytes.len() as u64, |out| out.write_all(bytes))
        };
        assert!(has(b"one").is_some());
        assert!(has(b"two").is_none());
        assert!(has(b"on").is_none());
        drop(sink);
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }
}
