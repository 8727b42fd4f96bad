//! What a batch does with each of its inputs.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::budget::{Grant, Postponed};
use super::cache::Cache;
use super::clock::Clock;
use super::key::Key;
use super::options::Options;
use super::outcome::Outcome;
use super::sources::Sources;
use crate::io::{Found, MappedFiles, Sink};

/// One kind of input, and what is done with it.
pub trait Work: Sync {
    /// What the names of an input's outputs begin with, before a dot.
    fn stem(&self, file_name: &OsStr) -> OsString;

    /// Everything that an input would write to `directory`; nothing if it cannot be read. `known` is its outcome, if
    /// that is known without reading it.
    fn outputs(
        &self,
        found: &Found,
        directory: &Path,
        options: &Options,
        known: &dyn Fn() -> Option<Outcome>,
    ) -> Vec<PathBuf>;

    /// The files that an input refers to, directly or through others, as far as they can be found out. Reads the input.
    fn references(&self, found: &Found, options: &Options) -> Vec<PathBuf>;

    /// Classifies an existing file in the place of an output by its content and name.
    fn standing_of(&self, path: &Path) -> Standing;

    /// All that decides, beside the options that every kind of work has, what becomes of an input.
    fn describe(&self) -> String;

    /// Memory that an input takes, as far as that is known before it is read.
    fn estimate(&self, found: &Found) -> u64;

    /// Does an input: all of its outputs, or none.
    ///
    /// # Errors
    /// If it turns out to need more memory than there is at the moment ([`Place::room_for`]); nothing has been done.
    fn run(&self, place: &Place<'_>, buffers: &mut Buffers) -> Result<Outcome, Postponed>;
}

/// The kinds of files that can stand in the place of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// An output of this program, or a file that no input of this kind refers to.
    Output,
    /// A file that the run would have read as an input if outputs did not go to its directory.
    LeftOut,
    /// Any other file: an input may refer to it.
    Other,
}

/// An input, and where its outputs go.
pub struct Place<'a> {
    pub(super) found: &'a Found,
    /// What diagnostics call it.
    pub(super) name: &'a str,
    /// The directory of its outputs.
    pub(super) directory: &'a Path,
    pub(super) options: &'a Options,
    /// The files that are mapped for it.
    pub(super) mapped: &'a MappedFiles,
    /// `None` in a dry run.
    pub(super) sink: Option<&'a Sink>,
    pub(super) memory: &'a Grant<'a>,
    /// The files that no output may replace.
    pub(super) sources: &'a Sources<'a>,
    /// Tells which outputs an earlier run has made of this input.
    pub(super) cache: &'a Cache,
    pub(super) key: &'a Key,
}

impl Place<'_> {
    /// Makes sure that the input may take so much memory, all in all.
    ///
    /// # Errors
    /// If it has to wait for others to end; it will be done again from the start.
    pub fn room_for(&self, bytes: u64) -> Result<(), Postponed> {
        self.memory.grow_to(bytes)
    }
}

/// What one thread uses for input after input, so that memory is asked for, and touched for the first time, once.
pub struct Buffers {
    /// The text of a document.
    pub(super) input: Vec<u8>,
    /// The bytes of one output.
    pub(super) output: Vec<u8>,
    /// How long the input takes.
    pub(super) clock: Clock,
}

impl Default for Buffers {
    fn default() -> Self {
        Self {
            input: Vec::new(),
            output: Vec::new(),
            clock: Clock::start(),
        }
    }
}
