//! The pack that entries are added to.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::PackFormat;
use super::archive::Archive;
use super::index::{Entry, Index};
use super::list::ListedPack;
use crate::base::hash::sha256_of;
use crate::io::{IoError, Sink, Staged, Target};

/// A pack that is being written.
pub(super) struct OpenPack {
    pub path: PathBuf,
    staged: Staged,
    pub archive: Archive,
    pub entries: Vec<Entry>,
}

impl OpenPack {
    pub fn new(path: PathBuf, format: PackFormat, sink: &Sink) -> Result<Self, IoError> {
        let draft = sink.draft(&path);
        let (handle, staged) = draft.map_err(|error| IoError::new("write", &path, error))?;
        let archive = Archive::new(format, handle);
        Ok(Self {
            path,
            staged,
            archive,
            entries: Vec::new(),
        })
    }

    /// Ends the archive and writes its index. Both are still to be renamed.
    pub fn end(
        self,
        index_path: &Path,
        format: PackFormat,
        sink: &Sink,
    ) -> Result<(Staged, Staged, ListedPack), IoError> {
        let Self {
            path,
            staged,
            archive,
            entries,
        } = self;
        let failed = |error| IoError::new("write", &path, error);
        let (handle, hash) = archive.finish().map_err(failed)?;
        staged.close(handle)?;
        let file = staged.reopen()?;
        let bytes = file.metadata().map_err(failed)?.len();
        let hash = hash.map_or_else(|| sha256_of(file), Ok);
        let name = |path: &Path| {
            path.file_name()
                .and_then(|name| name.to_str())
                .map(str::to_owned)
        };
        let index = Index {
            pack: name(&path).unwrap_or_default(),
            format,
            entries,
            bytes,
            sha256: hash.map_err(|error| IoError::new("read back", &path, error))?,
        };
        let staged_index = sink.stage(Target::new(index_path), |out| {
            let mut out = BufWriter::new(out);
            index.write(&mut out)?;
            out.flush()
        })?;
        let read_back = sha256_of(staged_index.reopen()?);
        let listed = ListedPack {
            entries: index.entries.len() as u64,
            index: name(index_path).unwrap_or_default(),
            index_sha256: read_back
                .map_err(|error| IoError::new("read back", index_path, error))?,
            pack: index.pack,
            bytes,
            sha256: index.sha256,
        };
        Ok((staged, staged_index, listed))
    }
}
