//! Writing the packs of a run.

use std::collections::BTreeSet;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use super::archive::cost;
use super::index::{Entry, is_index};
use super::list::{ListedPack, PackList};
use super::names::{PackName, check_entry_path, index_of};
use super::open::OpenPack;
use super::{PackError, PackFormat};
use crate::base::hash::sha256;
use crate::io::{IoError, Sink, Staged, Target, system};

/// The bytes of an entry that is to be written.
#[derive(Debug)]
pub(crate) enum EntryData {
    /// In memory.
    Memory(Vec<u8>),
    /// A temporary file, which is removed when this is dropped.
    File(Box<Staged>),
}

/// Writes packs below an output root, one after another. Nothing appears there before the first pack is whole.
///
/// ```
/// use rigy_batch::io::pack::{PackFormat, PackName, PackSet, PackSetWriter};
/// use rigy_batch::io::{Durability, Sink};
///
/// # let root = std::env::temp_dir().join(format!("rigy-batch-doc-{}", std::process::id()));
/// let sink = Sink::new(&root, Durability::None)?;
/// let name = PackName::new("models", None)?;
/// let mut packs = PackSetWriter::new(&root, name, PackFormat::Tar, 256 << 20, sink)?;
/// packs.add("robot/arm.glb", b"bytes")?;
/// packs.finish(1, 0)?;
///
/// let set = PackSet::open(&root.join("models.packs.json"))?;
/// let pack = set.packs()[0].open()?;
/// assert_eq!(pack.entries()[0].path, "robot/arm.glb");
/// assert_eq!(pack.read(&pack.entries()[0])?, b"bytes");
/// # std::fs::remove_dir_all(root)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PackSetWriter {
    root: PathBuf,
    name: PackName,
    format: PackFormat,
    /// A pack with entries gets no entry that would make it longer than this, in bytes.
    most: u64,
    sink: Sink,
    open: Option<OpenPack>,
    closed: Vec<ListedPack>,
}

impl PackSetWriter {
    /// Prepares to write packs of at most `most` bytes each, unless a single entry is longer. An earlier set of the same name stays
    /// until the first pack is whole.
    ///
    /// # Errors
    /// If files have the names of packs that are none, or if they cannot be read.
    pub fn new(
        root: &Path,
        name: PackName,
        format: PackFormat,
        most: u64,
        sink: Sink,
    ) -> Result<Self, PackError> {
        let writer = Self {
            root: root.to_owned(),
            name,
            format,
            most,
            sink,
            open: None,
            closed: Vec::new(),
        };
        let list = root.join(writer.name.list());
        if system::exists(&list) {
            PackList::read(&list).map_err(|error| match error {
                PackError::Faulty { path, fault } => {
                    let fault = format!(
                        "it is there, and {fault}; move it away, or write packs of another name"
                    );
                    PackError::Faulty { path, fault }
                }
                error => error,
            })?;
        }
        for name in writer.files()? {
            writer.check_replaced(&name)?;
        }
        Ok(writer)
    }

    /// Returns true if entries with these lengths of paths and of bytes go into the open pack.
    pub(crate) fn has_room(&self, entries: impl Iterator<Item = (usize, u64)>) -> bool {
        let sizes = entries.map(|(path, bytes)| cost(self.format, path, bytes));
        let size = sizes.fold(0, u64::saturating_add);
        let open = self.open.as_ref().filter(|open| !open.entries.is_empty());
        open.is_none_or(|open| open.archive.len().saturating_add(size) <= self.most)
    }

    /// Adds an entry. The caller sees to it that no two have one path.
    ///
    /// # Errors
    /// If no entry can have this path, or if it cannot be written: the pack is of no use then.
    pub fn add(&mut self, path: &str, bytes: &[u8]) -> Result<(), PackError> {
        if let Err(fault) = check_entry_path(path) {
            return Err(PackError::faulty(Path::new(path), fault));
        }
        if !self.has_room(std::iter::once((path.len(), bytes.len() as u64))) {
            self.close()?;
        }
        self.append(path, bytes.len() as u64, sha256(bytes), &mut &*bytes)?;
        Ok(())
    }

    /// Adds an entry whose length and SHA-256 are known to the open pack, whatever its length.
    ///
    /// # Errors
    /// If it cannot be written. The pack is of no use then.
    pub(crate) fn put(
        &mut self,
        path: &str,
        len: u64,
        sha256: String,
        data: &EntryData,
    ) -> Result<(), IoError> {
        match data {
            EntryData::Memory(bytes) => self.append(path, len, sha256, &mut bytes.as_slice()),
            EntryData::File(staged) => self.append(path, len, sha256, &mut staged.reopen()?),
        }
    }

    fn append(
        &mut self,
        path: &str,
        bytes: u64,
        sha256: String,
        data: &mut dyn io::Read,
    ) -> Result<(), IoError> {
        let open = match &mut self.open {
            Some(open) => open,
            none => none.insert(OpenPack::new(
                self.root
                    .join(self.name.pack(self.closed.len() as u64, self.format)),
                self.format,
                &self.sink,
            )?),
        };
        let offset = open.archive.append(path, bytes, data);
        open.entries.push(Entry {
            path: path.to_owned(),
            offset: offset.map_err(|error| IoError::new("write", &open.path, error))?,
            bytes,
            sha256: Some(sha256),
        });
        Ok(())
    }

    /// Returns the name of the pack that the next entry goes into, if it has room there.
    pub(crate) fn open_name(&self) -> String {
        self.name.pack(self.closed.len() as u64, self.format)
    }

    /// Ends the open pack, if there is one, and puts it and its index in their places. Before the first, the list of an earlier run is
    /// removed.
    ///
    /// # Errors
    /// If it cannot be written. It is dropped then.
    pub fn close(&mut self) -> Result<(), PackError> {
        let Some(open) = self.open.take() else {
            return Ok(());
        };
        let number = self.closed.len() as u64;
        let index_path = self.root.join(self.name.index(number));
        let (pack, index, listed) = open.end(&index_path, self.format, &self.sink)?;
        self.remove_list()?;
        for name in [&listed.pack, &listed.index] {
            self.check_replaced(name)?;
        }
        Staged::prepare([&index, &pack])?;
        index.commit()?;
        pack.commit()?;
        self.closed.push(listed);
        Ok(())
    }

    /// Ends the last pack, removes packs that an earlier run has left over, and puts the list in its place. `inputs` and `failed` are the
    /// numbers of inputs and of those that have no entries because they failed.
    ///
    /// # Errors
    /// If something cannot be written or removed. There is no list then.
    pub fn finish(mut self, inputs: u64, failed: u64) -> Result<(), PackError> {
        self.close()?;
        self.remove_list()?;
        self.remove_left_over()?;
        // With a durability other than `None`, a list is never on the disk without its packs.
        self.sink.finish()?;
        let packs = std::mem::take(&mut self.closed);
        let list = PackList::new(&self.name, self.format, packs, (inputs, failed));
        let path = self.root.join(self.name.list());
        let text = list
            .to_json()
            .map_err(|error| IoError::new("write", &path, error.into()))?;
        let write = |out: &mut dyn Write| out.write_all(text.as_bytes());
        let staged = self.sink.stage(Target::new(&path), write)?;
        Staged::prepare([&staged])?;
        staged.commit()?;
        Ok(self.sink.finish()?)
    }

    fn remove_list(&self) -> Result<(), IoError> {
        let path = self.root.join(self.name.list());
        match system::remove(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(IoError::new("remove", path, error))
            }
            _ => Ok(()),
        }
    }

    /// Returns the names of the files at the output root that have names of these packs or of their indexes.
    pub(crate) fn files(&self) -> Result<BTreeSet<String>, IoError> {
        let names = system::names(&self.root);
        let names = names.map_err(|error| IoError::new("list", &self.root, error))?;
        let names = names.iter().filter_map(|name| name.to_str());
        let ours = names.filter(|name| self.name.number_of(name).is_some());
        Ok(ours.map(str::to_owned).collect())
    }

    /// Checks that an index stands beside a pack, or that a file with the name of an index is one, if there is such a file: other files are
    /// not to be replaced or removed.
    fn check_replaced(&self, name: &str) -> Result<(), PackError> {
        if !system::exists(&self.root.join(name)) {
            return Ok(());
        }
        let index = match PackFormat::of(Path::new(name)) {
            Some(_) => index_of(name).unwrap_or_default(),
            None => name.to_owned(),
        };
        let index = self.root.join(index);
        let is_ours = match system::open(&index) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            file => file.and_then(|file| is_index(BufReader::new(file))),
        };
        if is_ours.map_err(|error| IoError::new("read", &index, error))? {
            return Ok(());
        }
        let fault = "it is there, and its index is not one of rigy-batch; move it away, or write packs of another name";
        Err(PackError::faulty(&self.root.join(name), fault))
    }

    /// Removes the packs and indexes of an earlier run that have not been replaced.
    fn remove_left_over(&self) -> Result<(), PackError> {
        let made = self
            .closed
            .iter()
            .flat_map(|pack| [&pack.pack, &pack.index]);
        let made: BTreeSet<&String> = made.collect();
        let mut left_over = self.files()?;
        left_over.retain(|name| !made.contains(name));
        for name in &left_over {
            self.check_replaced(name)?;
        }
        let is_pack = |name: &String| PackFormat::of(Path::new(name)).is_some();
        let (packs, indexes): (Vec<String>, Vec<String>) = left_over.into_iter().partition(is_pack);
        // A pack without an index would not be known as ours by the next run.
        for name in packs.into_iter().chain(indexes) {
            Target::new(&self.root.join(name)).remove()?;
        }
        Ok(())
    }
}
