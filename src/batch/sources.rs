//! The files that a run reads. No output may replace one of them, by whatever path it is reached.
//!
//! The tables are made when the first existing file stands in the place of an output, so that a run into an empty
//! directory does not pay for them. They cover every input, those of other shards included.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::names::folded;
use crate::io::{FileId, Found, Likeness, is_one_directory};

/// The files that a run reads.
pub(super) struct Sources<'a> {
    /// Inputs of this run.
    inputs: &'a [Found],
    /// Inputs that fall to other shards.
    of_other_shards: &'a [Found],
    /// Gives the files that an input refers to.
    references_of: &'a (dyn Fn(&Found) -> Vec<PathBuf> + Sync),
    input_table: OnceLock<FileTable>,
    reference_table: OnceLock<(Vec<PathBuf>, FileTable)>,
}

/// Files by identity and by likeness.
#[derive(Default)]
struct FileTable {
    by_id: Vec<(FileId, u32)>,
    by_likeness: Vec<(Likeness, u32)>,
}

/// An existing file in the place of an output.
pub(super) struct Existing<'p> {
    path: &'p Path,
    id: FileId,
    likeness: Likeness,
}

impl<'p> Existing<'p> {
    /// The file that a path leads to; `None` if there is none, or if the system gives files no identity.
    pub fn at(path: &'p Path) -> Option<Self> {
        let (id, likeness) = FileId::of(path).ok()?;
        Some(Self { path, id, likeness })
    }

    /// Whether another path leads to the same file.
    pub fn is_at(&self, other: &Path) -> bool {
        FileId::of(other)
            .is_ok_and(|(id, likeness)| id == self.id || self.is_shown_at(other, id, likeness))
    }

    /// Whether a file with another identity is the same file all the same, shown by a layered file system.
    fn is_shown_at(&self, other: &Path, id: FileId, likeness: Likeness) -> bool {
        let name = |path: &Path| path.file_name().map(folded);
        let parent = |path: &'_ Path| match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        !id.is_on_device_of(&self.id)
            && likeness == self.likeness
            && name(other) == name(self.path)
            && is_one_directory(&parent(self.path), &parent(other))
    }
}

impl FileTable {
    fn of<'p>(paths: impl Iterator<Item = &'p Path>) -> Self {
        let mut table = Self::default();
        for (path, index) in paths.zip(0..) {
            if let Ok((id, likeness)) = FileId::of(path) {
                table.by_id.push((id, index));
                table.by_likeness.push((likeness, index));
            }
        }
        table.by_id.sort_unstable();
        table.by_likeness.sort_unstable();
        table
    }

    /// The path of the file that is the existing one.
    fn find<'p>(
        &self,
        existing: &Existing<'_>,
        path_of: impl Fn(u32) -> &'p Path,
    ) -> Option<&'p Path> {
        let at = self.by_id.partition_point(|(id, _)| *id < existing.id);
        if let Some((id, index)) = self.by_id.get(at)
            && *id == existing.id
        {
            return Some(path_of(*index));
        }
        let at = (self.by_likeness).partition_point(|(likeness, _)| *likeness < existing.likeness);
        let alike = self.by_likeness[at..].iter();
        let alike = alike.take_while(|(likeness, _)| *likeness == existing.likeness);
        alike
            .map(|(_, index)| path_of(*index))
            .find(|path| existing.is_at(path))
    }
}

impl<'a> Sources<'a> {
    /// The sources of a run; `references_of` gives the files that an input refers to.
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

    /// The path of the input that an existing file is.
    pub fn input_that_is(&self, existing: &Existing<'_>) -> Option<&'a Path> {
        let paths = || self.inputs().map(|input| &*input.path);
        let table = self.input_table.get_or_init(|| FileTable::of(paths()));
        let path_of = |index: u32| {
            let index = index as usize;
            match index.checked_sub(self.inputs.len()) {
                None => &*self.inputs[index].path,
                Some(index) => &*self.of_other_shards[index].path,
            }
        };
        table.find(existing, path_of)
    }

    /// The path of the file that some input refers to and that an existing file is. The first call looks into every
    /// input.
    pub fn reference_that_is(&self, existing: &Existing<'_>) -> Option<&Path> {
        let (paths, table) = self.reference_table.get_or_init(|| {
            let paths = self.inputs().flat_map(|input| (self.references_of)(input));
            let paths: HashSet<PathBuf> = paths.collect();
            let paths: Vec<PathBuf> = paths.into_iter().collect();
            let table = FileTable::of(paths.iter().map(PathBuf::as_path));
            (paths, table)
        });
        table.find(existing, |index| &paths[index as usize])
    }
}
