//! Input lists: the inputs of a run in a file, so that the shards of a run need not walk the tree.
//!
//! A list has one JSON object on each line: a head with the version, the kind of inputs and the roots; an entry for each input,
//! sorted by root and by path below it; and an end with the number of entries, without which the list counts as cut. Memory
//! holds one line. A list may come from anywhere, so entries stay below their roots.

mod error;
mod rules;
mod select;
#[cfg(test)]
mod tests;
mod write;

use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Handle, Target};
pub use error::{InputListError, InputListFault};
use rules::{Checked, check_roots};
pub use write::InputListWriter;

/// The version of lists that this program writes, and the newest that it reads.
pub const INPUT_LIST_VERSION: u32 = 1;

/// The longest line in bytes. The longest path of Linux has 4096 bytes, each of which takes at most six in JSON.
const MAX_LINE_LEN: usize = 64 << 10;

/// The kinds of inputs, of which a list has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ListedKind {
    /// Rigy documents and scenes.
    Documents,
    /// Skinned glTF files.
    Files,
}

/// An input in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed<'l> {
    /// The number of its root; left out if it is 0.
    #[serde(default, skip_serializing_if = "is_first")]
    pub root: usize,
    /// The path below the root, with `/` between its parts.
    #[serde(borrow)]
    pub path: Cow<'l, str>,
    /// The length in bytes when the list was written.
    pub bytes: u64,
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Head {
    inputs: ListedKind,
    version: u32,
    roots: Vec<String>,
}

/// The last line.
#[derive(Serialize, Deserialize)]
struct End {
    end: Totals,
}

/// The number of all entries, and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Inputs.
    pub inputs: u64,
    /// Bytes of all of them.
    pub bytes: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
fn is_first(root: &usize) -> bool {
    *root == 0
}

/// Reads an input list, one entry at a time.
pub struct InputList<R> {
    name: String,
    reader: R,
    kind: ListedKind,
    roots: Vec<PathBuf>,
    checked: Checked,
    /// The line that was read last, and its number from 1.
    line: Vec<u8>,
    number: u64,
    ended: bool,
}

impl InputList<BufReader<Handle>> {
    /// Opens the list at a path and reads its head.
    ///
    /// # Errors
    /// If it cannot be read, or begins like no list that this program reads.
    pub fn open(path: &Path) -> Result<Self, InputListError> {
        let name = path.display().to_string();
        let opened = Target::new(path).open();
        let file = opened.map_err(|error| InputListError {
            list: name.clone(),
            line: None,
            fault: InputListFault::Read(error.source),
        })?;
        Self::new(name, BufReader::with_capacity(256 << 10, file))
    }
}

impl<R: BufRead> InputList<R> {
    /// Begins to read a list, which messages call `name`.
    ///
    /// # Errors
    /// As [`open`](InputList::open).
    pub fn new(name: String, reader: R) -> Result<Self, InputListError> {
        /// What every version has.
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let mut list = Self {
            name,
            reader,
            kind: ListedKind::Documents,
            roots: Vec::new(),
            checked: Checked::default(),
            line: Vec::new(),
            number: 0,
            ended: false,
        };
        list.read_line()?;
        let version = serde_json::from_slice(&list.line).map(|Versioned { version }| version);
        match version {
            Ok(version) if version > INPUT_LIST_VERSION => {
                return Err(list.fault(InputListFault::Newer(version)));
            }
            Ok(_) => {}
            Err(_) => return Err(list.fault(InputListFault::NoList)),
        }
        let head = serde_json::from_slice::<Head>(&list.line);
        let head =
            head.map_err(|error| list.fault(InputListFault::Malformed(error.to_string())))?;
        let roots: Vec<PathBuf> = head.roots.into_iter().map(PathBuf::from).collect();
        check_roots(&roots).map_err(|fault| list.fault(fault))?;
        (list.kind, list.roots) = (head.inputs, roots);
        Ok(list)
    }

    /// Returns the kind of all inputs.
    pub fn kind(&self) -> ListedKind {
        self.kind
    }

    /// Returns the directories that paths are relative to, as they were given when the list was written.
    pub fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// Reads the next input; returns `None` after the last one.
    ///
    /// # Errors
    /// If the list is malformed, out of order or cut, or names a file outside its root.
    #[allow(clippy::should_implement_trait)] // what it returns borrows from the list
    pub fn next(&mut self) -> Result<Option<Listed<'_>>, InputListError> {
        if self.ended {
            return Ok(None);
        }
        self.read_line()?;
        if self.line.starts_with(b"{\"end\"") {
            self.end()?;
            return Ok(None);
        }
        match entry(&self.line, &mut self.checked, self.roots.len()) {
            Ok(listed) => Ok(Some(listed)),
            Err(fault) => Err(InputListError {
                list: self.name.clone(),
                line: Some(self.number),
                fault,
            }),
        }
    }

    /// Checks the last line, and that nothing follows it.
    fn end(&mut self) -> Result<(), InputListError> {
        let end = serde_json::from_slice::<End>(&self.line);
        let end = end.map_err(|error| self.fault(InputListFault::Malformed(error.to_string())))?;
        let rest = self.reader.fill_buf().map(<[u8]>::is_empty);
        match rest {
            Err(error) => Err(self.fault(InputListFault::Read(error))),
            Ok(false) => Err(self.fault(InputListFault::Longer)),
            Ok(true) if end.end != self.checked.totals => Err(self.fault(InputListFault::Sum)),
            Ok(true) => {
                self.ended = true;
                Ok(())
            }
        }
    }

    /// Reads the next line, without its line break.
    fn read_line(&mut self) -> Result<(), InputListError> {
        self.line.clear();
        let mut reader = (&mut self.reader).take(MAX_LINE_LEN as u64 + 1);
        let read = reader.read_until(b'\n', &mut self.line);
        self.number += 1;
        let fault = match read {
            Err(error) => InputListFault::Read(error),
            Ok(_) if self.line.pop_if(|last| *last == b'\n').is_some() => return Ok(()),
            Ok(len) if len > MAX_LINE_LEN => InputListFault::Long(MAX_LINE_LEN),
            // The end of the file, in a line or after one.
            Ok(_) => InputListFault::Cut,
        };
        Err(self.fault(fault))
    }

    /// Returns an error about the line that was read last.
    fn fault(&self, fault: InputListFault) -> InputListError {
        InputListError {
            list: self.name.clone(),
            line: Some(self.number),
            fault,
        }
    }
}

/// Reads an entry and checks it.
fn entry<'l>(
    line: &'l [u8],
    checked: &mut Checked,
    roots: usize,
) -> Result<Listed<'l>, InputListFault> {
    let listed: Listed<'l> = serde_json::from_slice(line)
        .map_err(|error| InputListFault::Malformed(error.to_string()))?;
    if listed.root >= roots {
        return Err(InputListFault::Root(listed.root));
    }
    checked.add(&listed)?;
    Ok(listed)
}
