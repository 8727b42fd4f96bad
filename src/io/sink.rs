//! Replacing files: content is written to a private temporary file, which is renamed once it is complete.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use super::error::IoError;
use super::private::{Private, Temporary};
use super::sync::{Pending, directory_of};
use super::system::{self, Handle};
use super::target::{self, Target};
use rigy_base::loader::Stamp;
use rigy_base::output::WriteAt;

/// Writes outputs below one root. Temporary files go to a private directory there, which is removed when the sink, its
/// clones and all files that it has staged are dropped.
#[derive(Clone, Debug)]
pub struct Sink(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    private: Private,
    /// The writes that `--sync` waits for at the end of the run; `None` without it.
    pending: Option<Pending>,
    has_coarse_times: bool,
}

/// A file that is complete but not yet renamed to its target. It is removed when this is dropped.
#[derive(Debug)]
pub struct Staged {
    /// The temporary file, which is closed: all outputs of an input are staged at the same time, and they may be many.
    file: Temporary,
    target: Target,
    sink: Arc<Shared>,
}

impl Sink {
    /// Prepares to write below an output root, which is created if it is missing. Temporary files of dead runs are removed;
    /// those of live runs stay. With `sync`, [`finish`](Self::finish) waits for the disk.
    ///
    /// # Errors
    /// If the root cannot be created or written to.
    pub fn new(root: &Path, sync: bool) -> Result<Self, IoError> {
        let sink = Self::below(root, sync)?;
        sink.0.private.check_root()?;
        if let Some(pending) = &sink.0.pending {
            pending.add_file_system(root);
        }
        Ok(sink)
    }

    /// Removes the temporary files that dead runs have left in a directory of outputs other than a root. Such files are
    /// there if the directory lies on another file system than its root. Files that cannot be removed stay.
    pub fn sweep(directory: &Path) {
        Private::sweep_below(directory);
    }

    /// Prepares to write below a directory, which is created if it is missing.
    pub(super) fn below(root: &Path, sync: bool) -> Result<Self, IoError> {
        let made = target::make(root)?;
        let private = Private::below(root)?;
        let sink = Self(Arc::new(Shared {
            has_coarse_times: private.has_coarse_times(),
            private,
            pending: sync.then(Pending::default),
        }));
        made.iter().for_each(|place| sink.0.placed(place));
        Ok(sink)
    }

    /// Returns true if the times of files below the root do not tell whether a file has changed since it was written: they are
    /// whole seconds, or the clock of the file system is ahead. The cache then needs hashes of outputs.
    pub fn has_coarse_times(&self) -> bool {
        self.0.has_coarse_times
    }

    /// Writes the new content of `target` to a temporary file; `target` stays as it is.
    ///
    /// # Errors
    /// If the temporary file cannot be created or written.
    pub fn stage(
        &self,
        target: Target,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Staged, IoError> {
        let failed = |e| IoError::new("write", &target.path, e);
        let (mut handle, file) = self.0.private.file().map_err(failed)?;
        write(&mut handle).map_err(failed)?;
        Ok(self.staged(file, target))
    }

    /// Does the same as [`stage`](Self::stage) for content of `len` bytes that `write` produces in any order. Returns the
    /// value of `write` with the staged file, or its error.
    ///
    /// # Errors
    /// If the temporary file cannot be created or its length cannot be set.
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
        Ok(Ok((self.staged(file, target), value)))
    }

    fn staged(&self, file: Temporary, target: Target) -> Staged {
        let sink = self.0.clone();
        Staged { file, target, sink }
    }

    /// Creates an empty temporary file that will replace `target`, for content that is written over some time.
    pub(super) fn draft(&self, target: &Path) -> io::Result<(Handle, Staged)> {
        let (handle, file) = self.0.private.file()?;
        Ok((handle, self.staged(file, Target::new(target))))
    }

    /// Ends the writing. If the sink is to sync, waits until everything is on the disk; on Linux this includes what earlier runs
    /// have written to the same file system, because they may not have waited for it.
    ///
    /// # Errors
    /// If something cannot be forced onto the disk.
    pub fn finish(&self) -> Result<(), IoError> {
        self.0.sync()
    }
}

impl Shared {
    /// Notes a file or directory that is in its place.
    fn placed(&self, path: &Path) {
        if let Some(pending) = &self.pending {
            pending.add(path);
        }
    }

    /// Forces what has been noted onto the disk.
    fn sync(&self) -> Result<(), IoError> {
        self.pending.as_ref().map_or(Ok(()), Pending::sync)
    }
}

impl Staged {
    /// Creates the directories of targets that are missing, and checks that no target is a directory itself.
    ///
    /// # Errors
    /// If a directory cannot be created, or a directory is in the place of a target.
    pub fn prepare<'s>(all: impl IntoIterator<Item = &'s Self>) -> Result<(), IoError> {
        // The outputs of an input go to one directory, so it is looked at once.
        let mut last = None;
        for Self { target, sink, .. } in all {
            let directory = target.path.parent();
            if last != Some(directory) {
                let made = directory.map_or(Ok(Vec::new()), target::make)?;
                made.iter().for_each(|place| sink.placed(place));
                last = Some(directory);
            }
            target.check_replaceable()?;
        }
        Ok(())
    }

    /// Renames the file to its target, and ends the writing of its sink. Waits for the disk where that is asked for.
    pub(super) fn finish(self) -> Result<(), IoError> {
        let sink = self.sink.clone();
        self.commit()?;
        sink.sync()
    }

    /// Returns the path of its target.
    pub(super) fn path(&self) -> &Path {
        &self.target.path
    }

    /// Opens the temporary file to read it back.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn reopen(&self) -> Result<Handle, IoError> {
        system::open(self.file.path()).map_err(|e| IoError::new("read back", &self.target.path, e))
    }

    /// Renames the file to its target. Returns its stamp from before the rename.
    ///
    /// # Errors
    /// If the file cannot be renamed.
    pub fn commit(self) -> Result<Stamp, IoError> {
        let Self { file, target, sink } = self;
        let failed = |error| IoError::new("replace", &target.path, error);
        let stamp = target.ready(file.path()).map_err(failed)?;
        match file.persist(&target.path) {
            Ok(()) => {
                sink.placed(&target.path);
                Ok(stamp)
            }
            Err((error, original)) if error.kind() == io::ErrorKind::CrossesDevices => {
                commit_copy(&original, target, &sink)
            }
            Err((error, _)) => Err(failed(error)),
        }
    }
}

/// Copies a temporary file to the file system of its target, which differs from that of the root (a mount inside the tree),
/// and renames the copy. The directory of the target has a private directory meanwhile.
fn commit_copy(original: &Temporary, target: Target, sink: &Shared) -> Result<Stamp, IoError> {
    let there = Sink::below(directory_of(&target.path), false)?;
    let staged = there.stage(target, |out| {
        let mut original = system::open(original.path())?;
        let len = original.metadata()?.len();
        match io::copy(&mut original, out)? {
            copied if copied == len => Ok(()),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    })?;
    let Staged { file, target, .. } = staged;
    let failed = |error| IoError::new("replace", &target.path, error);
    let stamp = target.ready(file.path()).map_err(failed)?;
    let persisted = file.persist(&target.path);
    persisted.map_err(|(error, _)| failed(error))?;
    sink.placed(&target.path);
    Ok(stamp)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let root = tempfile::tempdir().unwrap();
        let target = root.path().join("sub/a.glb");
        let sink = Sink::new(root.path(), true).unwrap();
        let staged = sink
            .stage(Target::new(&target), |out| out.write_all(b"one"))
            .unwrap();
        assert!(!target.exists());
        Staged::prepare([&staged]).unwrap();
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
        for is_known in [true, false] {
            let has = |bytes: &[u8]| {
                let len = is_known.then_some(bytes.len() as u64);
                let there = Target::new(&target).with_content(len, |out| out.write_all(bytes));
                there.is_some()
            };
            assert!(has(b"one"));
            assert!(!has(b"two") && !has(b"on") && !has(b"ones"));
        }
        drop(sink);
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }
}
