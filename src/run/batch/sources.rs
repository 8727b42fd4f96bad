//! The files that a run reads. No output may replace one of them, by whatever path it is reached.
//!
//! The tables are made when the first existing file stands in the place of an output, so that a run into an empty
//! directory does not pay for them. They cover every input, those of other shards included.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::names::folded;
use crate::io::{FileId, Found, is_one_directory};

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
    /// Pairs of directories with different identities, and whether they are one all the same.
    directories: Mutex<HashMap<(PathBuf, PathBuf), bool>>,
}

/// Files by identity and by likeness.
#[derive(Default)]
pub(super) struct FileTable {
    by_id: Vec<(FileId, u32)>,
    by_likeness: Vec<(Likeness, u32)>,
}

/// What a layered file system passes on of a file: its length and its name. Times are rounded by some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Likeness {
    len: u64,
    name_hash: u64,
}

/// A file that is there.
#[derive(Clone, Copy)]
struct File<'p> {
    path: &'p Path,
    id: FileId,
    likeness: Likeness,
}

impl<'p> File<'p> {
    /// The file that a path leads to; `None` if there is none, or if the system gives files no identity.
    fn at(path: &'p Path) -> Option<Self> {
        let (id, len) = FileId::of(path).ok()?;
        let mut hasher = DefaultHasher::new();
        path.file_name().map(folded).hash(&mut hasher);
        let name_hash = hasher.finish();
        let likeness = Likeness { len, name_hash };
        Some(Self { path, id, likeness })
    }

    fn directory(&self) -> &'p Path {
        match self.path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        }
    }
}

impl FileTable {
    fn of<'p>(paths: impl Iterator<Item = &'p Path>) -> Self {
        let mut table = Self::default();
        for (path, index) in paths.zip(0..) {
            if let Some(file) = File::at(path) {
                table.by_id.push((file.id, index));
                table.by_likeness.push((file.likeness, index));
            }
        }
        table.by_id.sort_unstable();
        table.by_likeness.sort_unstable();
        table
    }

    /// The index of the file with an identity.
    fn with_id(&self, id: FileId) -> Option<u32> {
        let at = self.by_id.partition_point(|(other, _)| *other < id);
        let (found, index) = self.by_id.get(at)?;
        (*found == id).then_some(*index)
    }

    /// The indices of files with a likeness.
    fn alike(&self, likeness: Likeness) -> impl Iterator<Item = u32> {
        let at = (self.by_likeness).partition_point(|(other, _)| *other < likeness);
        let alike = self.by_likeness[at..].iter();
        let alike = alike.take_while(move |(other, _)| *other == likeness);
        alike.map(|(_, index)| *index)
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
            directories: Mutex::default(),
        }
    }

    fn inputs(&self) -> impl Iterator<Item = &'a Found> {
        self.inputs.iter().chain(self.of_other_shards)
    }

    /// Whether there is a file at `path` that one of the `others` leads to as well; `table` is made of these.
    pub fn is_one_of(&self, path: &Path, others: &[&Path], table: &OnceCell<FileTable>) -> bool {
        let Some(file) = File::at(path) else {
            return false;
        };
        let table = table.get_or_init(|| FileTable::of(others.iter().copied()));
        let found = self.find(file, table, |index| others[index as usize]);
        found.is_some()
    }

    /// The path of the input that a file at `path`, if there is one, is by another path.
    pub fn input_at(&self, path: &Path) -> Option<&'a Path> {
        let table = || FileTable::of(self.inputs().map(|input| &*input.path));
        let path_of = |index: u32| {
            let index = index as usize;
            match index.checked_sub(self.inputs.len()) {
                None => &*self.inputs[index].path,
                Some(index) => &*self.of_other_shards[index].path,
            }
        };
        let file = File::at(path)?;
        self.find(file, self.input_table.get_or_init(table), path_of)
    }

    /// The path of the file that some input refers to and that a file at `path`, if there is one, is by another path. The
    /// first call looks into every input.
    pub fn reference_at(&self, path: &Path) -> Option<&Path> {
        let file = File::at(path)?;
        let (paths, table) = self.reference_table.get_or_init(|| {
            let paths = self.inputs().flat_map(|input| (self.references_of)(input));
            let paths: HashSet<PathBuf> = paths.collect();
            let paths: Vec<PathBuf> = paths.into_iter().collect();
            let table = FileTable::of(paths.iter().map(PathBuf::as_path));
            (paths, table)
        });
        self.find(file, table, |index| &paths[index as usize])
    }

    /// The path of the file of a table that another file is.
    fn find<'p>(
        &self,
        file: File<'_>,
        table: &FileTable,
        path_of: impl Fn(u32) -> &'p Path,
    ) -> Option<&'p Path> {
        if let Some(index) = table.with_id(file.id) {
            return Some(path_of(index));
        }
        let mut alike = table.alike(file.likeness).map(path_of);
        alike.find(|path| File::at(path).is_some_and(|other| self.are_one(file, other)))
    }

    /// Whether two files are one: by their identity, or, where a layered file system shows one of them, because they have
    /// one name in one directory.
    fn are_one(&self, one: File<'_>, other: File<'_>) -> bool {
        if one.id.is_on_device_of(&other.id) || one.likeness != other.likeness {
            return one.id == other.id;
        }
        let pair = (one.directory(), other.directory());
        let mut directories = self
            .directories
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let known = directories.entry((pair.0.to_owned(), pair.1.to_owned()));
        *known.or_insert_with(|| is_one_directory(pair.0, pair.1))
    }
}
