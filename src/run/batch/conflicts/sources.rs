//! The files that a run reads. No output may replace one of them, whichever path leads to it.
//!
//! The tables are made when the first output has the path of an existing file, so that a run into an empty directory does
//! without them. They include the inputs of other shards.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::io::{FileId, Found, KnownFile, is_one_directory};

/// The inputs of a run and the files that these refer to.
pub(crate) struct Sources<'a> {
    /// Inputs of this run.
    inputs: &'a [Found],
    /// Inputs of other shards.
    of_other_shards: &'a [Found],
    /// Returns the files that an input refers to.
    references_of: &'a (dyn Fn(&Found) -> Vec<PathBuf> + Sync),
    input_table: OnceLock<FileTable>,
    reference_table: OnceLock<(Vec<PathBuf>, FileTable)>,
    /// Pairs of directories with different identities; the value is true if they are the same directory nevertheless.
    directories: Mutex<HashMap<(PathBuf, PathBuf), bool>>,
}

/// Indices of files, sorted by identity and by likeness ([`KnownFile::likeness`]).
#[derive(Default)]
pub(crate) struct FileTable {
    by_id: Vec<(FileId, u32)>,
    by_likeness: Vec<((u64, u64), u32)>,
}

impl FileTable {
    /// Makes the table of those files that exist. A file that the system cannot look at is left out: it cannot be read
    /// either, so its input fails.
    fn of<'p>(paths: impl Iterator<Item = &'p Path>) -> Self {
        let mut table = Self::default();
        for (path, index) in paths.zip(0..) {
            if let Ok(file) = KnownFile::at(path) {
                table.by_id.push((file.id(), index));
                table.by_likeness.push((file.likeness(), index));
            }
        }
        table.by_id.sort_unstable();
        table.by_likeness.sort_unstable();
        table
    }

    /// Returns the index of the file with an identity.
    fn with_id(&self, id: FileId) -> Option<u32> {
        let at = self.by_id.partition_point(|(other, _)| *other < id);
        let (found, index) = self.by_id.get(at)?;
        (*found == id).then_some(*index)
    }

    /// Returns the indices of the files with a likeness.
    fn alike(&self, likeness: (u64, u64)) -> impl Iterator<Item = u32> {
        let at = (self.by_likeness).partition_point(|(other, _)| *other < likeness);
        let alike = self.by_likeness[at..].iter();
        let alike = alike.take_while(move |(other, _)| *other == likeness);
        alike.map(|(_, index)| *index)
    }
}

impl<'a> Sources<'a> {
    /// Makes the sources of a run; `references_of` returns the files that an input refers to.
    pub fn new(
        inputs: &'a [Found],
        of_other_shards: &'a [Found],
        references_of: &'a (dyn Fn(&Found) -> Vec<PathBuf> + Sync),
    ) -> Self {
        Self {
            inputs,
            of_other_shards,
            references_of,
            input_table: OnceLock::new(),
            reference_table: OnceLock::new(),
            directories: Mutex::default(),
        }
    }

    fn inputs(&self) -> impl Iterator<Item = &'a Found> {
        self.inputs.iter().chain(self.of_other_shards)
    }

    /// Returns true if one of the paths `others` leads to a file. The first call fills `table` from these paths.
    ///
    /// # Errors
    /// If files cannot be compared.
    pub fn is_one_of(
        &self,
        file: &KnownFile,
        others: &[&Path],
        table: &OnceCell<FileTable>,
    ) -> io::Result<bool> {
        let table = table.get_or_init(|| FileTable::of(others.iter().copied()));
        let found = self.find(file, table, |index| others[index as usize])?;
        Ok(found.is_some())
    }

    /// Returns the path of the input that is the same file; `None` if the file is no input.
    ///
    /// # Errors
    /// If files cannot be compared.
    pub fn input_that_is(&self, file: &KnownFile) -> io::Result<Option<&'a Path>> {
        let table = || FileTable::of(self.inputs().map(|input| &*input.path));
        let path_of = |index: u32| {
            let index = index as usize;
            match index.checked_sub(self.inputs.len()) {
                None => &*self.inputs[index].path,
                Some(index) => &*self.of_other_shards[index].path,
            }
        };
        self.find(file, self.input_table.get_or_init(table), path_of)
    }

    /// Returns the path by which an input refers to the file at `path`; `None` if no input refers to it, or there is no such
    /// file. The first call reads every input that the cache does not know.
    ///
    /// # Errors
    /// If files cannot be compared.
    pub fn reference_at(&self, path: &Path) -> io::Result<Option<&Path>> {
        let Some(file) = KnownFile::existing(path)? else {
            return Ok(None);
        };
        let (paths, table) = self.reference_table.get_or_init(|| {
            let paths = self.inputs().flat_map(|input| (self.references_of)(input));
            let paths: HashSet<PathBuf> = paths.collect();
            let paths: Vec<PathBuf> = paths.into_iter().collect();
            let table = FileTable::of(paths.iter().map(PathBuf::as_path));
            (paths, table)
        });
        self.find(&file, table, |index| &paths[index as usize])
    }

    /// Returns the path of the file in a table that is the same as `file`.
    fn find<'p>(
        &self,
        file: &KnownFile,
        table: &FileTable,
        path_of: impl Fn(u32) -> &'p Path,
    ) -> io::Result<Option<&'p Path>> {
        if let Some(index) = table.with_id(file.id()) {
            return Ok(Some(path_of(index)));
        }
        for path in table.alike(file.likeness()).map(path_of) {
            if let Some(other) = KnownFile::existing(path)?
                && file.is(&other, |one, other| self.is_one_directory(one, other))?
            {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// Returns true if two directories are the same. Each pair is examined once.
    fn is_one_directory(&self, one: &Path, other: &Path) -> io::Result<bool> {
        let mut known = self
            .directories
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let pair = (one.to_owned(), other.to_owned());
        if let Some(is_one) = known.get(&pair) {
            return Ok(*is_one);
        }
        let is_one = is_one_directory(one, other)?;
        known.insert(pair, is_one);
        Ok(is_one)
    }
}
