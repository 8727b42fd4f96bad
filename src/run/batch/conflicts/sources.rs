//! No output is a file that the run reads, by device and number, whichever path leads to it.
//!
//! The files that inputs refer to are known for certain only when all inputs have been read. So the first output that has the
//! path of an existing file, which no earlier run has made according to the cache, reads the references of every input, the
//! later ones and those of other shards included. A run into an empty directory, or over its own outputs, does without.

use std::cell::OnceCell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::io::{FileId, Found};
use rigy_base::maps::HashSet;

/// The inputs of a run and the files that these refer to.
pub struct Sources<'a> {
    /// Inputs of this run.
    inputs: &'a [Found],
    /// Inputs of other shards.
    of_other_shards: &'a [Found],
    /// Returns the files that an input refers to.
    references_of: &'a (dyn Fn(&Found) -> Vec<PathBuf> + Sync),
    input_table: OnceLock<FileTable>,
    reference_table: OnceLock<(Vec<PathBuf>, FileTable)>,
}

/// The identities of files, sorted, each with its index in a list.
pub struct FileTable(Vec<(FileId, u32)>);

impl FileTable {
    /// Makes the table of those files that exist. A file that the system cannot look at is left out: it cannot be read
    /// either, so its input fails.
    fn of<'p>(paths: impl Iterator<Item = &'p Path>) -> Self {
        let mut table: Vec<(FileId, u32)> = paths
            .zip(0..)
            .filter_map(|(path, index)| Some((FileId::of(path).ok()?, index)))
            .collect();
        table.sort_unstable();
        Self(table)
    }

    /// Returns the index of a file.
    fn find(&self, file: FileId) -> Option<usize> {
        let at = self.0.partition_point(|(other, _)| *other < file);
        let (found, index) = self.0.get(at)?;
        (*found == file).then_some(*index as usize)
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
        }
    }

    fn inputs(&self) -> impl Iterator<Item = &'a Found> {
        self.inputs.iter().chain(self.of_other_shards)
    }

    /// Returns true if one of the paths `others` leads to a file. The first call fills `table` from these paths.
    pub fn is_one_of(file: FileId, others: &[&Path], table: &OnceCell<FileTable>) -> bool {
        table
            .get_or_init(|| FileTable::of(others.iter().copied()))
            .find(file)
            .is_some()
    }

    /// Returns the path of the input that is the same file; `None` if the file is no input.
    pub fn input_that_is(&self, file: FileId) -> Option<&'a Path> {
        let index = self
            .input_table
            .get_or_init(|| FileTable::of(self.inputs().map(|input| &*input.path)))
            .find(file)?;
        Some(match index.checked_sub(self.inputs.len()) {
            None => &self.inputs[index].path,
            Some(index) => &self.of_other_shards[index].path,
        })
    }

    /// Returns the path by which an input refers to the file at `path`; `None` if no input refers to it, or there is no such
    /// file. The first call reads every input that the cache does not know.
    ///
    /// # Errors
    /// If the system cannot look at the file.
    pub fn reference_at(&self, path: &Path) -> io::Result<Option<&Path>> {
        let Some(file) = FileId::existing(path)? else {
            return Ok(None);
        };
        let (paths, table) = self.reference_table.get_or_init(|| {
            let paths: Vec<PathBuf> = self
                .inputs()
                .flat_map(|input| (self.references_of)(input))
                .collect::<HashSet<PathBuf>>()
                .into_iter()
                .collect();
            let table = FileTable::of(paths.iter().map(PathBuf::as_path));
            (paths, table)
        });
        Ok(table.find(file).map(|index| &*paths[index]))
    }
}
